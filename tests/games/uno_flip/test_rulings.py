"""Each ruling of the README is shown by an example or a playthrough that cites it.

`R5` is a face too, so a citation is one of these: `R5:` or `R5.` in the prose of the examples,
`# R5 R7: …` at the head of a playthrough.
"""

from __future__ import annotations

import re
from pathlib import Path

import engine.games.uno_flip as game

HERE = Path(__file__).parent
README = Path(game.__file__).with_name("README.md").read_text()


def cited() -> set[str]:
    texts = [(HERE / name).read_text() for name in ("examples.md", "rulings.md")]
    prose = re.sub(r"```.*?```", "", "\n".join(texts), flags=re.S)
    found = re.findall(r"\b(R\d+)[:.]", prose)
    for path in sorted(HERE.glob("playthroughs/*.txt")):
        for head in re.findall(r"^# ((?:R\d+ ?)+):", path.read_text(), re.M):
            found += head.split()
    return set(found)


def test_every_ruling_is_cited() -> None:
    rulings = re.findall(r"^\| (R\d+) \|", README, re.M)
    assert rulings == [f"R{n}" for n in range(1, 40)]
    assert sorted(set(rulings) - cited()) == []


def test_every_refusal_is_explained() -> None:
    assert set(re.findall(r"`([A-Z_]+)`", README)) >= {no.name for no in game.No}
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.M)) >= set(game.Options.__struct_fields__)
