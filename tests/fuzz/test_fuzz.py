"""Readers of what strangers send take any bytes: a cheap share of what `tests.fuzz` tries.

TURNFOLD_LONG tries a hundred times as many.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as some

from tests.fuzz.targets import TARGETS

EACH = 2500 if "TURNFOLD_LONG" in os.environ else 25
SCRAPS = (
    '{"type":"played","seat":0,"move":',
    '"key":null}',
    "[",
    "{",
    '"',
    "\\u",
    "1e9",
    "Bearer ",
)
PIECES = some.sampled_from(SCRAPS) | some.text(max_size=5)
BYTES = some.binary(max_size=300) | some.lists(PIECES, max_size=9).map("".join).map(str.encode)
quietly = settings(
    max_examples=EACH,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_else_is_raised(name):
    @seed(8)
    @quietly
    @given(BYTES)
    def tried(raw: bytes) -> None:
        TARGETS[name](raw)

    tried()
