"""Every ruling of the README is shown by an example or a playthrough that cites it."""

import re
from pathlib import Path

import engine.games.flipout as flipout

FOLDER = Path(__file__).parent
README = Path(flipout.__file__).with_name("README.md")


def test_no_ruling_is_left_without_a_case() -> None:
    rulings = re.findall(r"^\| (R\d+) \|", README.read_text(), re.M)
    assert rulings == [f"R{n}" for n in range(1, 29)]
    texts = [*FOLDER.glob("*.md"), *FOLDER.glob("playthroughs/*.txt")]
    cited = {ruling for path in texts for ruling in re.findall(r"\bR\d+\b", path.read_text())}
    assert [ruling for ruling in rulings if ruling not in cited] == []
