"""docs/security.md names tests that there are."""

import re

from tests.commands.documents import DOCS
from tests.commands.processes import ROOT


def test_the_tests_that_it_names_are_there():
    named = set(re.findall(r"`(test_\w+)`", (DOCS / "security.md").read_text()))
    there = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 25
    assert {name for name in named if f"def {name}(" not in there} == set()
