"""Each ruling of the README is cited by an example, a playthrough or a test.

`R5` is a face too, so a citation is one of these: `R5:` or `R5.` in the prose of the examples,
`# R5 R7: …` at the head of a playthrough, `# R5` in a test.
"""

from __future__ import annotations

import re
from pathlib import Path

import engine.games.uno_flip as game

HERE = Path(__file__).parent
README = Path(game.__file__).with_name("README.md").read_text()


def cited() -> set[str]:
    prose = re.sub(r"```.*?```", "", (HERE / "examples.md").read_text(), flags=re.S)
    found = re.findall(r"\b(R\d+)[:.]", prose)
    for path in sorted(HERE.glob("playthroughs/*.txt")):
        for head in re.findall(r"^# ((?:R\d+ ?)+):", path.read_text(), re.M):
            found += head.split()
    for path in sorted(HERE.glob("test_*.py")):
        for comment in re.findall(r"# (R\d+(?:, R\d+)*)", path.read_text()):
            found += comment.split(", ")
    return set(found)


def test_every_ruling_is_cited() -> None:
    rulings = re.findall(r"^\| (R\d+) \|", README, re.M)
    assert rulings == [f"R{n}" for n in range(1, 40)]
    assert sorted(set(rulings) - cited()) == []


def test_every_refusal_is_explained() -> None:
    assert set(re.findall(r"`([A-Z_]+)`", README)) >= {no.name for no in game.No}
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.M)) >= set(game.Options.__struct_fields__)
