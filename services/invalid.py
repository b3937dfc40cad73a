"""What is wrong with a body, in words: msgspec quotes patterns, which are for programs."""

from __future__ import annotations

import re

from engine.entries import HEX64

NAME = r"^\S(.*\S)?$"  # of a player or a token
WORDS = {
    HEX64: "64 hex digits, as in `openssl rand -hex 32`",
    NAME: "1 to 40 characters that neither begin nor end with a space",
}
OTHERWISE = "a `str` of the form that its JSON Schema describes"
_quoted = re.compile(r"`str` matching regex '(.*)'(?= - at |$)")


def in_words(error: Exception | str) -> str:
    return _quoted.sub(lambda found: _words(found[1]), str(error))


def _words(pattern: str) -> str:
    return WORDS.get(pattern.replace("\\\\", "\\"), OTHERWISE)
