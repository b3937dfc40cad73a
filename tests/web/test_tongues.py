"""The page in other languages: nothing is left out, nothing is made up, and who asks is heard."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files

import httpx
import pytest
from babel.messages.pofile import read_po

from engine.catalogue import GAMES
from engine.contract import Outcome, Said
from engine.entries import MatchDealt, MatchOver, Sitter
from engine.games.uno_flip.facts import Played
from services.api import make_app
from services.web.samples import sample
from services.web.shown import sentences
from services.web.texts.__main__ import LOCALES, forms
from services.web.texts.listed import listed, placeholders, unclear
from services.web.tongues import TONGUES, _spoken, catalogue, wanted

OTHERS = [tongue for tongue in TONGUES if tongue != "en"]


@pytest.fixture(scope="module")
def texts():
    return listed()


@pytest.mark.parametrize("tongue", OTHERS)
def test_every_text_is_translated_with_its_placeholders(texts, tongue):
    with (LOCALES / tongue / "LC_MESSAGES" / "turnfold.po").open("rb") as po:
        found = [one for one in read_po(po, tongue) if one.id]
    said = {one.id if isinstance(one.id, str) else one.id[0]: one for one in found}
    new = "python -m services.web.texts adds what is new to the catalogues"
    assert [text.one for text in texts if text.one not in said] == [], new
    assert said.keys() - {text.one for text in texts} == set(), "nobody says this any more"
    for one, many, where in texts:
        asked = placeholders(one) | placeholders(many)
        least = asked - {"count"} if many else asked  # of one, its number may go without saying
        assert bool(many) is bool(said[one].pluralizable)
        for form in forms(said[one]):
            assert form, f"{where}: not translated: {one!r}"
            assert least <= placeholders(form) <= asked, f"{one!r} is said as {form!r}"


def test_what_games_say_is_written_down_for_who_translates():
    assert unclear() == [], "a text of `Said` is a literal, or a table of them"


TEMPLATES = sorted(files("services.web").joinpath("templates").iterdir(), key=str)
OURS = {"Turnfold", "SVG", "PNG", "UTC", "Infinity"}  # the same in every language
TAG = r"""<(?:"[^"]*"|'[^']*'|[^"'>])*>"""
SPOKEN = r'(?:aria-label|alt|placeholder|title)="([^"]*)"'


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_say_nothing_untranslated(template):
    """Their texts stand in `_`, `_n` or `rich`: what is left between tags has no words."""
    text = re.sub(r"\{% block kind %\}.*?\{% endblock %\}", "", template.read_text())
    plain = re.sub(r"\{[{%#].*?[}%#]\}", "", text, flags=re.DOTALL)
    shown = re.sub(TAG, " ", plain)
    said = re.findall(r"[A-Za-z]{2,}", " ".join([shown, *re.findall(SPOKEN, plain)]))
    assert set(said) <= OURS
    outputs = re.findall(r"\{\{(.*?)\}\}", re.sub(r"\b(_|_n|rich)\(.*?\)", "", text))
    consts = [const for one in outputs for const in re.findall(r"'([^']*)'", one)]
    assert [c for c in consts if re.search(r"^[A-Z,].*\w|\w \w", c) and c not in OURS] == []


@pytest.mark.parametrize(
    ("chosen", "accepted", "tongue"),
    [
        (None, "", "en"),
        (None, "fr,ja;q=0.5", "en"),
        (None, "de-AT,de;q=0.9,en;q=0.5", "de"),
        (None, "en;q=0.3, nl;q=0.7", "nl"),
        (None, "fy-NL,nl;q=0.8", "fy"),
        (None, "es;q=0,nl;q=0.1", "nl"),
        (None, "de;q=viel,es;q=0.2", "es"),
        ("fy", "de", "fy"),
        ("xx", "de", "de"),
    ],
)
def test_a_choice_goes_before_what_a_browser_likes(chosen, accepted, tongue):
    assert wanted(chosen, accepted) == tongue


UNO = [
    MatchDealt((Sitter("ann", None), Sitter(None, "greedy"))),
    Played(1, "KD", colour=None, uno=True, back="R5"),
    MatchOver(Outcome((1, 2), (500, 3), "500 points")),
]


@pytest.mark.parametrize(
    ("tongue", "says"),
    [
        (
            "de",
            [
                "Die Partie beginnt: Ann, ein gieriger Roboter.",
                "Bob spielt KD (Pink Zieh Fünf), Rückseite R5. UNO!",
                "Die Partie ist zu Ende (500 Punkte): Ann gewinnt, 500 : 3.",
            ],
        ),
        (
            "fy",
            [
                "De partij begjint: Ann, in happige robot.",
                "Bob spilet KD (rôze Pak Fiif), efterkant R5. UNO!",
                "De partij is dien (500 punten): Ann wint, 500 : 3.",
            ],
        ),
    ],
)
def test_facts_are_said_in_another_tongue_to_their_last_word(tongue, says):
    token = _spoken.set(tongue)
    try:
        assert sentences(GAMES["uno-flip"], UNO, {"ann": "Ann"}, ["Ann", "Bob"]) == says
    finally:
        _spoken.reset(token)


def test_what_no_catalogue_has_stays_english():
    said = Said("{seat} bids {card}, face down.", {"seat": 0, "card": Said("a knave")})
    assert said.sentence(["Ann"], catalogue("fy")) == "Ann bids a knave, face down."


def test_a_board_is_drawn_in_the_language_of_who_asks():
    """Samples are kept, each language's own."""
    for tongue, deck in (("en", "The deck: "), ("es", "El mazo: "), ("en", "The deck: ")):
        token = _spoken.set(tongue)
        try:
            assert deck in sample("high-card")
        finally:
            _spoken.reset(token)


def test_a_page_speaks_the_language_that_is_asked_for_and_then_the_one_that_is_chosen():
    front = make_app("unix:///nowhere")

    async def surf() -> list[httpx.Response]:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(front),
            base_url="http://house",
            headers={"accept": "text/html", "accept-language": "de", "origin": "http://house"},
        ) as browser:
            asked = await browser.get("/offer?game=flipology")
            chosen = await browser.post("/tongue", data={"tongue": "fy", "back": "/offer?game=uno"})
            then = await browser.get("/offer?game=flipology")
            away = await browser.post("/tongue", data={"tongue": "de", "back": "//elsewhere"})
            return [asked, chosen, then, away]

    asked, chosen, then, away = asyncio.run(surf())
    assert '<html lang="de">' in asked.text
    assert "Neue Partie" in asked.text
    assert re.search("accept-language", asked.headers["vary"], re.IGNORECASE)
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/offer?game=uno")
    assert '<html lang="fy">' in then.text
    assert "Nije partij" in then.text
    assert away.headers["location"] == "/"
