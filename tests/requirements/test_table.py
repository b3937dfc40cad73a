"""docs/requirements.md misses no number, and names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = {
    number: (says, re.findall(r"`(tests/[^`]+)`", tests))
    for number, says, tests in re.findall(
        r"^\| (R\d+|bug \d+) \|[^|]*\|([^|]*)\|([^|]*)\|$",
        (ROOT / "docs" / "requirements.md").read_text(),
        re.M,
    )
}
NUMBERS = [f"R{n}" for n in range(1, 41)]
NUMBERS += [f"bug {n}" for n in (1, 2, 4, 5, 7, 8, 9, 12, 14, 16)]


def functions_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_no_number_is_missing():
    assert list(ROWS) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_each_has_a_test_that_names_its_number(number):
    says, tests = ROWS[number]
    assert says
    named = f"test_{number.lower().replace(' ', '_')}_"
    assert any(f"::{named}" in test for test in tests) or "*Open: all of it" in says
    for test in tests:
        path, _, name = test.partition("::")
        assert name in functions_in(path), test


def test_no_test_of_a_number_is_left_out():
    written = {
        f"tests/requirements/{path.name}::{name}"
        for path in Path(__file__).parent.glob("test_*.py")
        for name in functions_in(f"tests/requirements/{path.name}")
        if re.match(r"test_(r|bug_)\d+_", name)
    }
    assert written == {
        test for _, tests in ROWS.values() for test in tests if "requirements" in test
    }
