"""What writes SVG: tags, text, and the controls that a player picks pieces and places by."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote

from services.web.boards.scene import Scene

WIDE = 0.6  # of its size, a letter's width


def tag(name: str, *inside: str, **said: Any) -> str:
    """An element: `class_` is class, `stroke_width` is stroke-width; None is left out."""
    attributes = "".join(
        f' {_attribute(key)}="{_written(value)}"'
        for key, value in said.items()
        if value is not None
    )
    if not inside:
        return f"<{name}{attributes}/>"
    return f"<{name}{attributes}>{''.join(inside)}</{name}>"


@cache
def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _written(value: Any) -> str:
    if isinstance(value, str):
        return escape(value)
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def at(x: float, y: float, *inside: str, **said: Any) -> str:
    """A group that begins there."""
    return tag("g", *inside, transform=f"translate({_written(x)} {_written(y)})", **said)


def box(x: float, y: float, width: float, height: float, class_: str, round_: float = 6) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=round_, class_=class_)


def text(
    x: float, y: float, says: object, size: float = 14, width: float | None = None, **said: Any
) -> str:
    """A line of text that begins, or by `text_anchor` is centred or ends, at x; `y` is its foot.

    What would be wider than `width` is cut.
    """
    line = str(says)
    if width is not None and len(line) * size * WIDE > width:
        line = line[: max(1, int(width / size / WIDE) - 1)].rstrip() + "…"
    return tag("text", escape(line), x=x, y=y, font_size=size, **said)


def title(says: str) -> str:
    """What a piece is, for who points at it."""
    return tag("title", escape(says))


def pick(scene: Scene, written: str, says: str, *inside: str, spare: bool = False) -> str:
    """A control that adds a piece to the move, or begins it: `written` is one of `scene.picks`.

    A `spare` one is for the mouse alone: the same control is there for everybody already.
    """
    id_ = f"m-{written.replace(' ', '_')}"
    return _control(scene, "pick", f"move={quote(written)}", id_, says, inside, spare)


def hold(scene: Scene, name: str, says: str, *inside: str, spare: bool = False) -> str:
    """A control that takes something up, to choose its place; held already, it lays it back."""
    held = scene.held == name
    to = "" if held else f"hold={quote(name)}"
    kind = "hold held" if held else "hold"
    return _control(scene, kind, to, f"h-{name.replace(' ', '_')}", says, inside, spare, held)


def _control(
    scene: Scene,
    kind: str,
    to: str,
    id_: str,
    says: str,
    inside: tuple[str, ...],
    spare: bool,
    held: bool | None = None,
) -> str:
    known: dict[str, Any] = (
        {"tabindex": "-1", "aria_hidden": "true"}
        if spare
        else {"id": id_, "role": "button", "aria_label": says}
    )
    if held is not None and not spare:
        known["aria_pressed"] = str(held).lower()
    link = (scene.link + to).rstrip("?&")
    return tag("a", title(says), *inside, href=link, class_=kind, **known)
