"""`turnfold check` says what is wrong with a game: which function, which seed, which place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.games import high_card
from engine.games.high_card.rules import Dealt, Traded
from tests.games.check import ROOT, lacks, named
from tests.games.matches import games
from tests.games.sabotage import Leak, aside, plant, to_all, with_eyes_of
from tests.games.test_secrecy import Leaked, missed, two_deals

BUGS = {  # file, what stands there, what is written instead; and what is said of it
    "refusals": (
        ("rules.py", "another seat's turn.", "another seat's turn"),
        "`No`: what NOT_YOUR_TURN says must end in a full stop",
    ),
    "outcomes": (
        ("rules.py", 'ranked(s.hands, "highest card")', 'ranked(s.hands, "")'),
        "`outcome`: say why",
    ),
    "moves": (
        ("rules.py", "(Keep(), Trade()) if", "(Keep(), Keep()) if"),
        "`legal`, `grow`: a move twice, or `words.write` writes two alike",
    ),
    "leaks": (
        ("rules.py", "or seat == viewer else None", "or viewer is None else None"),
        "the look of",
    ),
    "crashes": (
        (
            "words.py",
            'Said("{seat} keeps.", {"seat": seat})',
            'Said("{seat} keeps.", {"seat": seats})',
        ),
        "raised NameError: name 'seats' is not defined",
    ),
    "comments": (
        ("tutorial.txt", "# A whole match", "\n# A whole match"),
        "tutorial.txt must begin with a `#` comment on what to look at, in lines of at most 100",
    ),
    "playthroughs": (
        ("resigned.txt", "\nresign 1", "\n1: give up\nresign 1"),
        "`1: give up`: say `keep` or `trade`",
    ),
    "leaks that crash": (
        ("leaks.py", "lambda v: 0 if v is None", "lambda v: nobody if v is None"),
        "with the leak 'watchers see a hand' planted: `<lambda>`, at ",
    ),
}
SOME = "refusals or random_match or beginnings or fact_comes or no_leak and two_worlds"
SOME += " or begins or resigned or planted and watchers"


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """A folder with a game in it, as `turnfold new` writes it."""
    place = tmp_path_factory.mktemp("games")
    told = run(place, "services.cli", "new", "coup", "--dir", place)
    assert told.returncode == 0, told.stderr
    return place


def run(place: Path, *words: object, seeds: str = "6") -> subprocess.CompletedProcess[str]:
    env = dict(os.environ, PYTHONPATH=f"{ROOT}{os.pathsep}{place}", COLUMNS="200")
    env |= {"TURNFOLD_SEEDS": seeds, "TURNFOLD_LONG": ""}  # not more than without `check`
    asked = [sys.executable, "-P", "-m", *map(str, words)]
    return subprocess.run(asked, capture_output=True, text=True, env=env, cwd=place)


def test_it_says_everything_that_is_wrong_once(written, tmp_path):
    copied = broken(written, tmp_path, *(bug for bug, _ in BUGS.values()))
    told = run(copied, "tests.games.check", "--module", "coup", "-k", SOME)
    assert told.returncode == 1, told.stderr
    for _, said in BUGS.values():
        assert told.stdout.count(said) == 1, told.stdout
    assert f"coup: {len(BUGS)} things are wrong." in told.stdout
    assert re.search(r"resigned.txt, line \d+: `1: give up`", told.stdout)
    assert re.search(r"seed \d+, after entry \d+, seat \d", told.stdout)
    assert "   State(hands=(" in told.stdout
    assert f"coup{os.sep}words.py:" in told.stdout
    (again,) = set(
        re.findall(r"again, from the checkout: (.*) 'tests/games/test_\w+.py::.*'", told.stdout)
    )
    assert again == "TURNFOLD_SEEDS='6' TURNFOLD_GAMES='coup' python -m pytest"


def broken(written: Path, place: Path, *bugs: tuple[str, str, str]) -> Path:
    """A copy of the game with these bugs."""
    for path in written.rglob("*.*"):
        if path.is_file() and path.suffix != ".pyc":
            text = path.read_text()
            for _, there, instead in (bug for bug in bugs if bug[0] == path.name):
                assert there in text
                text = text.replace(there, instead)
            copy = place / path.relative_to(written)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)
    return place


def test_it_looks_for_leaks_in_more_matches_than_our_own_suite(written):
    told = run(written, "tests.games.check", "--module", "coup", "-k", "disguise", seeds="")
    assert told.stdout == "coup passes all 21 tests.\n"


@pytest.mark.parametrize(
    ("planted", "says"),
    [
        (
            aside(Dealt),
            r"the look of seat 0 shows what no fact told: it is .*\d.* or .*\d.*, and heard was "
            r".*Dealt\(seat=0, card=None\).*\. Tell it in `apply`, or show less",
        ),
        (
            to_all(Dealt),
            r"a fact told a watcher what no look shows: heard was Dealt\(seat=\d, card=\d+\).* or "
            r"Dealt\(.*\), and both look: View\(hands=.*\)\. Show it in `view`, or tell less",
        ),
    ],
)
def test_news_that_fits_no_look_is_quoted(planted, says):
    leak = Leak("the deal", "rules.setup", planted)
    with plant(high_card, leak), pytest.raises(Leaked, match=f"^{says}$"):
        two_deals(high_card, 0)


def test_of_a_leak_that_nothing_tells_it_is_said_how_near_one_came():
    told = missed(high_card, Leak("a trade", "rules.apply", to_all(Traded)))
    counted = re.match(r"In (\d+) of (\d+) places such a fact was told; in (\d+) of these", told)
    kept, of, all_ = sorted(map(int, counted.groups()))
    assert 0 < kept <= of < all_
    shown = missed(high_card, Leak("a hand", "rules.view", with_eyes_of(lambda viewer: 0)))
    assert re.match(r"In \d+ places no fact was another", shown)


def test_what_is_missing_is_said():
    offered = {name: None for name in dir(high_card) if name not in ("to_act", "words")}
    words = SimpleNamespace(write=None, read=None, say=None)
    assert list(lacks(SimpleNamespace(**offered, words=words))) == [
        "It offers no `to_act`: engine/contract.py says what that is.",
        "It offers no `words.show`: engine/contract.py says what that is.",
    ]
    assert not list(lacks(high_card))


@pytest.mark.parametrize(
    ("name", "module", "says"),
    [
        ("coup", None, "no game coup: engine/catalogue.py, or --module, has to name it. There are"),
        (None, "cuop", "TURNFOLD_GAMES names cuop, and there is no such module: PYTHONPATH"),
        (None, "json", "TURNFOLD_GAMES names json: it offers no NAME, so it is no game."),
    ],
)
def test_what_cannot_be_checked_is_said_in_a_sentence(monkeypatch, name, module, says):
    monkeypatch.setenv("TURNFOLD_GAMES", "")
    with pytest.raises(SystemExit) as said:
        named(name, module)
    assert says in said.value.code


@games
def test_each_of_ours_is_in_the_catalogue_by_one_line(game):
    lines = (ROOT / "engine/catalogue.py").read_text().splitlines()
    assert lines.count(f"    {game.__name__}") == 1 or not game.__name__.startswith("engine.")
