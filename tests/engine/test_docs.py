"""The pages that specify say all of it: what is in the code and not on the page is missing."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from engine import audit, entries, look
from engine.games import high_card
from engine.match import No, Refused
from tests.engine import test_format

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/format.md").read_text()
SHAPES = [
    *entries.Entry.__args__,
    *entries.MatchFact.__args__,
    *(
        entries.Policy,
        entries.PerMove,
        entries.Bank,
        entries.LateEntries,
        entries.LateSeconds,
        entries.Sitter,
    ),
    *(entries.End, entries.Pause, entries.Replace, entries.Back, look.Proposal, look.Promise),
    *(look.Look, look.News, look.Choice, look.Place, Refused),
    *(audit.Bundle, audit.Sealed, audit.Report, audit.Judged, audit.Fault, audit.Sat),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_field_and_tag_is_on_the_page(shape):
    tag = shape.__struct_config__.tag
    for word in filter(None, [tag, *(field.name for field in structs.fields(shape))]):
        assert re.search(rf'[`"{{,]{re.escape(word)}[`",:}}]', PAGE), word


def test_every_code_and_kind_is_on_the_page():
    kinds = re.findall(r'Fault\([^"]*"([a-z-]+)"', Path(audit.__file__).read_text())
    assert {"game", "outcome", "seed", "commitment", "kept-head"} <= set(kinds)
    for word in (*No.__members__, *audit.Kind.__args__, *kinds):
        assert f"| `{word}` |" in PAGE, word


def test_every_vector_is_on_the_page():
    source = Path(test_format.__file__).read_text()
    vectors = set(re.findall(r"\b(?:[0-9a-f]{64}|[0-9a-f]{16})\b", source)) - {"0" * 64}
    assert len(vectors) == 9
    for vector in vectors:
        assert vector in PAGE


def test_high_card_explains_what_its_rules_cite():
    folder = ROOT / "engine/games/high_card"
    page, rules = (folder / "README.md").read_text(), (folder / "rules.py").read_text()
    for ruling in set(re.findall(r"H\d+", rules)) - {"H1 …"}:
        assert f"| {ruling} |" in page
    for word in (*high_card.No.__members__, *high_card.Options.__struct_fields__):
        assert f"| `{word}` |" in page
