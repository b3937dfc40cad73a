"""Drawings as PNG and as animated GIF, for whoever shows no SVG: link previews, chats, archives.

The library that draws holds the interpreter for a tenth of a second and more, so neither is made in
an api process: `python -m services.web.pictures` turns the SVG on its input into PNG.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

FONTS = [str(path) for path in Path(__file__).with_name("fonts").glob("*.ttf")]
FAMILY = "DejaVu Sans"
WIDTH = 800  # pixels of a picture
SHOWN, END = 700, 4000  # ms that a frame of a film stays, and the last
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
VARIABLE = re.compile(r"--([\w-]+):\s*([^;}]+)")
USED = re.compile(r"var\(--([\w-]+)\)")


def png(svg: str, width: int = WIDTH) -> bytes:
    """A drawing (`drawing.picture`) in so many pixels, in its light colours."""
    made: bytes = resvg_py.svg_to_bytes(
        svg_string=STYLE.sub(lambda found: f"<style>{plain(found[1])}</style>", svg, count=1),
        width=width,
        skip_system_fonts=True,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
    return made


STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)


def plain(css: str) -> str:
    """A sheet of style for a renderer that knows neither media nor variables: what a variable is
    worth under some class becomes a rule for what lies under it."""
    css = "".join(_outside_media(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)))
    rules = [(names.strip(), body.strip()) for names, body in RULE.findall(css)]
    worth = [(names, dict(VARIABLE.findall(body))) for names, body in rules]
    usual = {name: value for _, named in reversed(worth) for name, value in named.items()}
    return "\n".join(line for rule in rules for line in _resolved(*rule, worth, usual))


def _resolved(
    names: str, body: str, worth: list[tuple[str, dict[str, str]]], usual: dict[str, str]
) -> Iterator[str]:
    used = set(USED.findall(body))
    yield f"{names}{{{_filled(body, usual)}}}"
    for scope, named in worth:
        if used & named.keys() and scope not in (":root", names):
            under = [_under(outer, inner) for outer in _each(scope) for inner in _each(names)]
            yield f"{','.join(under)}{{{_filled(body, usual | named)}}}"


def _under(outer: str, inner: str) -> str:
    """What `inner` names, if it lies within `outer`; which itself lies where `inner` begins."""
    *around, named = inner.split(" ")
    return " ".join([*around, outer, named])


def _filled(body: str, named: dict[str, str]) -> str:
    for _ in range(3):  # one may name another
        body = USED.sub(lambda found: named.get(found[1], "none"), body)
    return body


def _each(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


def _outside_media(css: str) -> Iterator[str]:
    """What holds in any light, and without motion."""
    while (at := css.find("@media")) >= 0:
        yield css[:at]
        depth, end = 0, css.index("{", at)
        while depth or css[end] == "{":
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        css = css[end:]
    yield css


def gif(frames: Sequence[bytes]) -> bytes:
    """PNGs, one after the other, for ever; the last stays longer. All as large as the largest."""
    pictures = [Image.open(BytesIO(frame)).convert("RGB") for frame in frames]
    size = WIDTH, max(picture.height for picture in pictures)
    sheets = [Image.new("RGB", size, pictures[0].getpixel((0, 0))) for _ in pictures]
    for sheet, picture in zip(sheets, pictures, strict=True):
        sheet.paste(picture)
    first, *rest = (sheet.quantize(64, dither=Image.Dither.NONE) for sheet in sheets)
    made, stay = BytesIO(), [SHOWN] * (len(frames) - 1) + [END]
    first.save(made, "GIF", save_all=True, append_images=rest, duration=stay, loop=0, disposal=1)
    return made.getvalue()


if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.read()))
