"""The art of Flipology: for each kind of card a figure in 24 units, drawn from head to tail."""

from __future__ import annotations

from functools import cache

from engine.games.flipology.cards import Kind
from services.web.boards.ink import tag

Part = tuple[str, str]  # how it is drawn, and its path
BODY, CUT, LINE, REED, LIMB = "body", "cut", "line", "reed", "limb"
# filled; filled with the ground; a line of the ground; a thin line; a thick one


def oval(x: float, y: float, wide: float, high: float | None = None) -> str:
    """A path round this middle, all in one direction, so that overlaps stay filled."""
    tall = wide if high is None else high
    arc = f"a{wide:g} {tall:g} 0 1 1"
    return f"M{x - wide:g} {y:g}{arc} {2 * wide:g} 0{arc} {-2 * wide:g} 0z"


def pair(x: float, y: float, wide: float, high: float | None = None) -> str:
    """Two of them, as far left as right of the middle."""
    return oval(12 - x, y, wide, high) + oval(12 + x, y, wide, high)


FIGURES: dict[Kind, tuple[Part, ...]] = {
    "dog": (
        (BODY, oval(12, 13, 6.6, 8.2)),
        (LINE, "M6.6 6q-1 5 .2 10M17.4 6q1 5-.2 10"),
        (BODY, "M8 4.4Q3 2 2 9q-.6 6.5 2.2 7Q7.4 15.5 6.6 8zM16 4.4Q21 2 22 9"
         "q.6 6.5-2.2 7Q16.6 15.5 17.4 8z"),
        (CUT, pair(2.8, 11, 1.15) + oval(12, 15.4, 2.2, 1.6)),
        (LINE, "M12 16.5V19q-2.2 2-3.8.2M12 19q2.2 2 3.8.2"),
    ),
    "frog": (
        (BODY, oval(12, 14.6, 10.4, 7) + pair(5.8, 7, 3.9)),
        (CUT, pair(5.8, 6.8, 1.9)),
        (LINE, "M4.5 15q7.5 6 15 0M11 12.2h.1M13 12.2h.1"),
    ),
    "hawk": (
        (BODY, "M12 3q2.2 0 2.6 2.8Q19 3.6 24 4.2q-2.6 2.4-3.2 6.4"
         "q-2.2 2.2-5.4 2.6l-.6 4 2.8 4.8H6.4l2.8-4.8-.6-4q-3.2-.4-5.4-2.6"
         "Q2.6 6.6 0 4.2 5 3.6 9.4 5.8 9.8 3 12 3z"),
        (CUT, "M11 6.4h2L12 9z" + pair(1.3, 5.2, .5)),
        (LINE, "M4 6.5l2.4 4M20 6.5l-2.4 4M9.8 21l1-3.5M14.2 21l-1-3.5"),
    ),
    "mole": (
        (BODY, oval(12, 11, 7.4, 8) + pair(8.2, 17, 3.6, 2.8) + "M0 24Q12 14 24 24z"),
        (CUT, oval(12, 11.6, 2.6, 2) + pair(3.2, 8, .8)),
        (LINE, "M8.4 13l-4 1M8.2 11.4l-4-.6M15.6 13l4 1M15.8 11.4l4-.6"
         "M2.4 18.5v-2M4.2 19v-2M21.6 18.5v-2M19.8 19v-2"),
    ),
    "monkey": (
        (BODY, oval(12, 12, 8.2, 9) + pair(8.8, 11.6, 3.2)),
        (CUT, pair(8.9, 11.6, 1.5) + pair(2.9, 10, 3, 3.3) + oval(12, 16, 5, 3.7)),
        (BODY, pair(2.6, 10.4, 1.2)),
        (REED, "M8.8 16.6q3.2 2.6 6.4 0M11.2 14.4h.1M12.7 14.4h.1"),
    ),
    "parrot": (
        (BODY, "M13 1.5q5 .5 6 4.5 4.5.5 3 8-2-2.5-5-2.5Q18 20 11 20l-3 3.5-1-3.5-5 1.5"
         "L4.5 16Q3.5 1 13 1.5z"),
        (CUT, oval(14, 6.6, 1.7)),
        (LINE, "M18 6q-1.5 2.5-.8 5.5M7 11q1.5 5 6 5.5M9 8.5q0 3.5 3 5"),
    ),
    "snake": (
        (LIMB, "M3.5 21H16a3.6 3.6 0 0 0 0-7.2H8a3.6 3.6 0 0 1 0-7.2h7"),
        (BODY, oval(17.4, 6.6, 4.2, 3.2)),
        (CUT, oval(18.6, 5.6, 1)),
        (REED, "M21.5 7.5l2.2.2"),
        (LINE, "M8 20v2M12 20v2M16 19.6l.6 1.8M13 12.8v2M9 12.8v2"),
    ),
    "wolves": (
        (BODY, "M2.5 1L8.5 5.5h7L21.5 1l-.8 11.5L12 23.5 3.3 12.5z"),
        (CUT, "M6.5 10l4 1.5-2.8 1.3zM17.5 10l-4 1.5 2.8 1.3zM10.2 19h3.6L12 21.2z"
         "M4.3 4l2.7 2.2-2 2.3zM19.7 4L17 6.2l2 2.3z"),
        (LINE, "M12 13v4"),
    ),
    "crab": (
        (BODY, oval(14.4, 9.4, 8) + oval(4.2, 17.4, 3.6, 2.8) + "M6 14h15v5H8z"),
        (REED, "M9 18l-2 5M13 18.5l-.8 4.5M17 18.5l.8 4.5M20 18l2.4 4M6 15V9.5M8.5 14V8"),
        (BODY, oval(6, 8.6, 1.3) + oval(8.5, 7.2, 1.3)),
        (LINE, "M14.5 10a1.8 1.8 0 1 1 1.8 1.8 4.2 4.2 0 0 1-2-7.8 5.6 5.6 0 0 1 6.7 2"),
        (CUT, "M1.5 15.2l3.2 1.8-3.4 1z"),
    ),
    "cat": (
        (BODY, oval(12, 14, 8.8, 7.8) + "M3.4 13L4 2l7 5.5zM13 7.5L20 2l.6 11z"),
        (CUT, pair(3.4, 12.6, 1.5, 2) + "M10.6 16h2.8L12 17.6z"),
        (BODY, pair(3.4, 12.8, .5, 1.6)),
        (LINE, "M7 17l-5.5-.5M7 18.5l-5 1.5M17 17l5.5-.5M17 18.5l5 1.5M12 17.6v1.6"),
    ),
    "sloth": (
        (BODY, oval(12, 12, 10, 9.4)),
        (CUT, oval(12, 12.6, 7.8, 6.8)),
        (BODY, "M5 14.2q0-4.4 5.4-4 .2 3.4-5.4 4zM19 14.2q0-4.4-5.4-4-.2 3.4 5.4 4z"
         + oval(12, 13.6, 1.9, 1.4)),
        (CUT, pair(3.8, 11.8, .8)),
        (REED, "M8.2 16.2q3.8 2.8 7.6 0"),
    ),
    "koala": (
        (BODY, oval(12, 13.4, 7.4, 8.2) + pair(8, 6.8, 4)),
        (CUT, pair(8.2, 6.8, 2) + pair(3.4, 11, 1.1) + oval(12, 14.6, 2, 3.2)),
        (LINE, "M9.6 19.4q2.4 1.4 4.8 0"),
    ),
    "panda": (
        (BODY, pair(7.4, 4.8, 3.6) + oval(12, 13, 9.8, 9)),
        (CUT, oval(12, 13, 8.6, 7.8)),
        (BODY, pair(3.8, 12, 2.3, 2.9) + oval(12, 16, 1.8, 1.3)),
        (CUT, pair(3.5, 11.6, .9)),
        (REED, "M12 17v1.2q-1.5 1.3-2.8.2M12 18.2q1.5 1.3 2.8.2"),
    ),
    "kiwi": (
        (BODY, oval(9.4, 12.6, 8, 7.2) + oval(17.4, 7.2, 3.8) + "M20 8l3.8 11L17.5 11z"),
        (REED, "M8 19v4h3.5M12.5 18.5V23H16"),
        (CUT, oval(18.2, 6.4, .9)),
        (LINE, "M4 11q1 2 3 2M6 15.5q1.5 1.5 3.5 1M9 9.5q1.5 1.5 3.5 1M11.5 14q1.5 1 3 .5"),
    ),
    "okapi": (
        (BODY, "M8 7L2 3.5l2.5 6 2.7 1.4 1.5 8.6q.6 4 3.3 4t3.3-4l1.5-8.6 2.7-1.4"
         "L22 3.5 16 7l-1.2-5.5h-1.6l-.4 4h-1.6l-.4-4H9.2z"),
        (CUT, pair(3, 10.6, 1) + oval(12, 19, 2.8, 2.6)),
        (BODY, pair(1.2, 18.4, .6)),
        (LINE, "M4.5 6l2.5 2.5M19.5 6L17 8.5"),
    ),
    "quokka": (
        (BODY, oval(12, 13.6, 8.2, 8) + pair(5, 5, 2.7, 3.4)),
        (CUT, pair(5, 5.2, 1.2, 1.8) + pair(3.2, 11.6, 1.3) + oval(12, 14, 1.9, 1.3)),
        (LINE, "M6.8 16q5.2 5.6 10.4 0M12 15v2.5"),
    ),
    "capybara": (
        (BODY, "M3 9.5q.5-5 6-4.5h6q7.5 0 8 6.5v4.5q-1 3.5-6 3.5h-4l-1 3.5H3z"
         + oval(6.4, 4.8, 2, 2.6)),
        (CUT, oval(12, 9.6, 1.1) + oval(21, 11, .9, 1.2)),
        (LINE, "M22.5 16q-4 1.2-7-.8M6.4 4v2"),
    ),
    "pangolin": (
        (BODY, "M1.5 21Q0 5.5 11.5 5q9 0 9.5 9.5l2.5 4.5-4 1.5q-1-3-2.5-4 1 6-4 6H4q-2 0-2.5-1.5z"),
        (LINE, "M3 17q3.2-4.5 6.4 0 3.2-4.5 6.4 0M4 12.5q3-4.5 6 0 3-4.5 6 0M8 8.5q3-3.5 6 0"),
        (CUT, oval(19.4, 14.6, .8)),
    ),
    "rain": (
        (BODY, "M6 14a5.5 5.5 0 0 1 .5-11 7 7 0 0 1 12.5 2 4.6 4.6 0 0 1-.5 9z"),
        (REED, "M7 17l-1.5 5.5M12.5 17L11 22.5M18 17l-1.5 5.5"),
    ),
    "sun": (
        (BODY, oval(12, 12, 5.4)),
        (REED, "M12 4.5V1M12 19.5V23M4.5 12H1M19.5 12H23M6.7 6.7L4.2 4.2M17.3 6.7l2.5-2.5"
         "M6.7 17.3l-2.5 2.5M17.3 17.3l2.5 2.5"),
    ),
    "wind": (
        (REED, "M2 8h12a3.2 3.2 0 1 0-3.2-3.2M2 12.5h17a3.2 3.2 0 1 1-3.2 3.2"
         "M2 17h7.5a2.8 2.8 0 1 1-2.8 2.8"),
    ),
    "moon": (
        (BODY, "M14 1.5a10.6 10.6 0 1 0 8.5 15A9 9 0 0 1 14 1.5z"
         "M19 3l1 2.5 2.5 1-2.5 1-1 2.5-1-2.5-2.5-1 2.5-1z"),
    ),
    "clearing": (
        (BODY, "M5 10q7-4 14 0l1 9q-8 4-16 0z"),
        (CUT, oval(12, 10.2, 5.6, 2.1)),
        (REED, "M9.5 10.2a2.5 .9 0 1 0 5 0 2.5 .9 0 1 0-5 0M1.5 22l.8-4M4 23l1-2.5M22.5 22l-.8-4"
         "M20 23l-1-2.5"),
    ),
}  # fmt: skip
MARKS = {  # beside a card or a name
    "lock": "M2.5 6V4.5a3.5 3.5 0 0 1 7 0V6H11v6H1V6zM4.2 6h3.6V4.5a1.8 1.8 0 0 0-3.6 0z",
    "down": "M1 3h10L6 10z",
    "eye": "M0 6Q6-1.5 12 6 6 13.5 0 6zM6 3.6a2.4 2.4 0 1 0 .01 0z",
    "first": "M6 0l1.6 4 4.4.3-3.4 2.8 1.1 4.2L6 9 2.3 11.3l1.1-4.2L0 4.3 4.4 4z",
}
LEAF = "M24 10C38 18 38 46 24 58 10 46 10 18 24 10zM24 14V64M24 30L33 24M24 40L34 33M24 30L15 24M24 40L14 33"  # fmt: skip # noqa: E501


@cache
def figure(kind: Kind, size: float) -> str:
    """The figure of this kind, that high."""
    parts = (tag("path", d=path, class_=how) for how, path in FIGURES[kind])
    return tag("g", *parts, transform=f"scale({size / 24:g})")


@cache
def mark(name: str) -> str:
    return tag("path", d=MARKS[name], class_="mark")
