"""Every ruling of the README is shown by an example or a playthrough that cites it."""

from __future__ import annotations

import re
from pathlib import Path

import engine.games.flipology

HERE = Path(__file__).parent
README = Path(engine.games.flipology.__file__).with_name("README.md").read_text()
RULINGS = re.findall(r"^\| (R\d+b?) \|", README, re.M)


def test_every_ruling_is_shown() -> None:
    assert len(RULINGS) == len(set(RULINGS)) == 43
    files = [*HERE.glob("playthroughs/*.txt"), *HERE.glob("*.md")]
    texts = "\n".join(path.read_text() for path in files)
    cited = set(re.findall(r"\bR\d+b?\b", texts))
    assert [ruling for ruling in RULINGS if ruling not in cited] == []
    assert cited <= set(RULINGS)


def test_no_code_cites_a_ruling_that_is_not_there() -> None:
    folder = Path(engine.games.flipology.__file__).parent
    cited = {
        ruling
        for path in folder.glob("*.py")
        for ruling in re.findall(r"\bR\d+b?\b", path.read_text())
    }
    assert cited <= set(RULINGS)
