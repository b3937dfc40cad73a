"""Pictures: what a renderer that knows no variables is given, and what comes of it."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from engine.catalogue import GAMES
from engine.fold import fold
from engine.look import look
from services.web.drawing import picture
from services.web.pictures import plain, png
from tests.web.shots import played

CSS = """
:root { --ink: #111; --of: var(--ink); } /* usual */
@media (prefers-color-scheme: dark) { :root { --ink: #eee; } .x { fill: red; } }
.red { --of: #f00; }
.tile, .board .face { fill: var(--of); stroke: var(--none); }
"""


def test_variables_become_rules_by_what_they_lie_under():
    rules = [rule for rule in plain(CSS).split("\n") if "fill" in rule]
    assert rules == [
        ".tile, .board .face{fill: #111; stroke: none;}",
        ".red .tile,.board .red .face{fill: #f00; stroke: none;}",
    ]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_table_is_a_picture(game):
    seen = look(fold(played(game)[:40]), None, legal=False)
    made = Image.open(
        BytesIO(png(picture(seen, ["Ann", "Ben", "Cleo", "Dirk"], (), "A head"), 400))
    )
    assert made.format == "PNG"
    assert made.width == 400
    assert len(made.convert("RGB").getcolors(10**6)) > 8  # it is not blank
