"""A drawing in a page, and as a file of its own that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from services.web.boards.ink import at, tag, text, title
from services.web.boards.scene import Drawing, Sheet
from services.web.tongues import _

WIDEST, GAP = 720, 16  # of a file, if no sheet is wider; between its sheets
CONTROL = '<a href="'  # how a control begins


def inline(drawing: Drawing, focus: bool = False) -> str:
    """The sheets for a page; with `focus` the first control, a pick if there is one, has it."""
    parts = [_svg(sheet) for sheet in drawing.sheets]
    if focus:
        _focus(parts)
    return "".join(parts)


def _svg(sheet: Sheet) -> str:
    role = "group" if CONTROL in sheet.body else "img"
    width, height = (round(side * sheet.scale) for side in (sheet.width, sheet.height))
    svg = (
        f'<svg class="drawn" width="{width}" height="{height}" '
        f'viewBox="0 0 {sheet.width:g} {sheet.height:g}" '
        f'role="{role}" aria-label="{escape(sheet.says)}">{sheet.body}</svg>'
    )
    if not sheet.scrolls:
        return f'<div class="sheet">{svg}</div>'
    home = " ".join(f"{side * sheet.scale:g}" for side in sheet.home)
    return f'<div class="sheet scrolls" data-home="{home}">{svg}</div>'


def _focus(parts: list[str]) -> None:
    for kind in (' class="pick"', ' class="hold"'):
        for i, part in enumerate(parts):
            if kind in part:
                parts[i] = part.replace(kind, f"{kind} autofocus", 1)
                return


def file(drawing: Drawing, head: str, says: str, style: str) -> str:
    """All in one SVG: sheets side by side as far as they go, under a line that says how it stands.

    `says` is the table as text, `style` the sheets of style that the page has.
    """
    sheets = drawing.sheets
    width = max(WIDEST, *(sheet.width * sheet.scale for sheet in sheets)) + 2 * GAP
    placed = list(_flow(sheets, width))
    foot = max(y + sheet.height * sheet.scale for _, y, sheet in placed) + GAP
    return tag(
        "svg",
        tag("title", escape(head)),
        tag("desc", escape(says)),
        f"<style>{style}</style>",
        tag("rect", width=width, height=foot, class_="ground"),
        text(GAP, GAP + 16, head, 18, width - 2 * GAP, class_="name"),
        *(at(x, y, _nested(sheet)) for x, y, sheet in placed),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {foot:g}",
        role="img",
        class_="board-file",
    )


def _nested(sheet: Sheet) -> str:
    width, height = sheet.width * sheet.scale, sheet.height * sheet.scale
    box = f"0 0 {sheet.width:g} {sheet.height:g}"
    return tag("svg", title(sheet.says), sheet.body, width=width, height=height, viewBox=box)


def _flow(sheets: Sequence[Sheet], width: float) -> Iterator[tuple[float, float, Sheet]]:
    """Where each sheet goes: beside the one before if it fits there, else below."""
    x, y, tallest = float(GAP), GAP + 32.0, 0.0
    for sheet in sheets:
        wide, high = sheet.width * sheet.scale, sheet.height * sheet.scale
        if x > GAP and x + wide > width - GAP:
            x, y, tallest = float(GAP), y + tallest + GAP, 0.0
        yield x, y, sheet
        x, tallest = x + wide + GAP, max(tallest, high)


def plain(lines: Sequence[str]) -> Drawing:
    """A table as text, for a game that has no drawing."""
    wide = max((len(line) for line in lines), default=1) * 9 + 8
    body = "".join(text(4, 20 * n, line, 14, class_="plain") for n, line in enumerate(lines, 1))
    return Drawing([Sheet(_("The table"), wide, 20 * len(lines) + 8, body)])
