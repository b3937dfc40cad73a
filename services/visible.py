"""Text from elsewhere, as a terminal or a line of a log may show it."""

from __future__ import annotations

SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, but: str = "") -> str:
    """The same with whatever is no sign escaped as in JSON, save for the characters of `but`: some
    of them steer terminals."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in but else SHORT.get(c) or _escaped(c) for c in text)


def _escaped(c: str) -> str:
    raw = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[i : i + 2].hex()}" for i in range(0, len(raw), 2))
