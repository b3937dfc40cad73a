"""Every ruling of the README is shown by an example or a playthrough that cites it."""

from __future__ import annotations

import re
from pathlib import Path

from engine.games import captain_flip

HERE = Path(__file__).parent
README = Path(captain_flip.__file__).with_name("README.md").read_text()
TEXTS = [*HERE.glob("*.md"), *HERE.glob("playthroughs/*.txt")]


def test_every_ruling_and_every_easily_forgotten_point_is_cited() -> None:
    rulings = re.findall(r"^\| (R\d+) \|", README, re.M)
    assert rulings == [f"R{n}" for n in range(1, 39)]
    texts = "\n".join(path.read_text() for path in TEXTS)
    texts = re.sub(r"#(\d+)–#(\d+)", "", texts)  # a whole game cites them all
    cited = set(re.findall(r"(?:R|#)\d+", texts))
    wanted = [*rulings, *(f"#{n}" for n in range(1, 13))]
    assert [ruling for ruling in wanted if ruling not in cited] == []


def test_the_readme_knows_every_refusal_and_every_fact() -> None:
    assert [no.name for no in captain_flip.No if f"`{no.name}`" not in README] == []
    tags = [fact.__struct_config__.tag for fact in captain_flip.Fact.__args__]
    assert [tag for tag in tags if f"`{tag}`" not in README] == []
