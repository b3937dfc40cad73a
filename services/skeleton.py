"""A new game to begin with: High card, the smallest game, whole and under another name."""

from __future__ import annotations

import keyword
import re
import sys
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from engine.catalogue import GAMES, add
from engine.games import high_card
from engine.playthrough import rewrite

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "engine/catalogue.py"
RULES, TESTS = ROOT / "engine/games/high_card", ROOT / "tests/games/high_card"
PLAYTHROUGHS = ("tutorial", "resigned", "expired")
LONGEST = 30  # letters of a name
SO_FAR = "So far this is High card under another name: change it, rule by rule.\n\n"


class NotWritten(Exception):
    """The game cannot be begun, and nothing was written; the message says why."""


class Home(NamedTuple):
    """Where a game lies and where its tests do, as folders and as packages."""

    rules: Path
    tests: Path
    package: str
    tests_package: str


def new(name: str, place: Path | None) -> Home:
    """Write the game in this checkout, and its line into the catalogue, or in a folder elsewhere;
    NotWritten if it cannot be done."""
    home = _home(_checked(name).replace("-", "_"), place)
    for path in (home.rules, home.tests):
        if path.exists():
            raise NotWritten(f"{path} is there already: nothing is overwritten.")
    for source, target in _files(home):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_renamed(source.read_text(), name, home))
    if place is None:
        CATALOGUE.write_text(_with_line(CATALOGUE.read_text(), home.package))
    else:
        sys.path.append(str(place))
    invalidate_caches()
    add(home.package)
    for path in home.tests.glob("playthroughs/*.txt"):
        path.write_text(rewrite(path.read_text()))  # heads differ, for the log names the game
    return home


def _checked(name: str) -> str:
    if not re.fullmatch("[a-z]+(-[a-z]+)*", name) or len(name) > LONGEST:
        raise NotWritten(
            f"{name!r} is no name of a game: small letters, with hyphens between words, "
            f"{LONGEST} at the most, as in `high-card`."
        )
    if name in GAMES:
        raise NotWritten(f"There is a game {name} already. There are: {', '.join(GAMES)}.")
    if keyword.iskeyword(name):
        raise NotWritten(f"{name} is a word of Python, so no package can have that name.")
    if not TESTS.exists():
        raise NotWritten("High card's tests are not here: run this from a checkout of Turnfold.")
    return name


def _home(package: str, place: Path | None) -> Home:
    if place is None:
        folders = RULES.with_name(package), TESTS.with_name(package)
        return Home(*folders, f"engine.games.{package}", f"tests.games.{package}")
    folder = place / package
    if not folder.exists() and find_spec(package) is not None:
        raise NotWritten(f"Python has a module {package} already: choose another name.")
    return Home(folder, folder / "tests", package, f"{package}.tests")


def _files(home: Home) -> list[tuple[Path, Path]]:
    """What is copied, and where to."""
    playthroughs = [TESTS / "playthroughs" / f"{each}.txt" for each in PLAYTHROUGHS]
    rules = [path for path in RULES.iterdir() if path.suffix in (".py", ".md")]
    tests = [path for path in TESTS.iterdir() if path.suffix in (".py", ".md")]
    return [(path, home.rules / path.name) for path in rules] + [
        (path, home.tests / path.relative_to(TESTS)) for path in tests + playthroughs
    ]


def _renamed(text: str, name: str, home: Home) -> str:
    title = name.replace("-", " ").capitalize()
    text = text.replace(high_card.__name__, home.package)
    text = text.replace("tests.games.high_card", home.tests_package)
    text = text.replace(high_card.NAME, name).replace("High card", title)
    text = re.sub(r"\bH(?=\d)", name[0].upper(), text)  # the numbers of its rulings
    return re.sub(r"\A(# .*, as we play it\n\n)", rf"\1{SO_FAR}", text)


def _with_line(catalogue: str, package: str) -> str:
    """The catalogue with this line after the last of OURS."""
    before, after = catalogue.split('"""\n\nGAMES', 1)
    return f'{before}    {package}\n"""\n\nGAMES{after}'
