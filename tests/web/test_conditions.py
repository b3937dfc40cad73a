"""What an order can wait for, as a form has it and as it is said."""

from __future__ import annotations

from engine.catalogue import GAMES
from services.web.conditions import asked, facts, parts, said
from services.web.session import Form


def test_a_condition_is_of_what_a_game_tells():
    assert parts(GAMES["high-card"], "traded")[0].seat
    assert [part.number for part in parts(GAMES["high-card"], "traded")] == [False, True]
    uno = GAMES["uno-flip"]
    assert [part.name for part in parts(uno, "played")][1] == "face", "which one types"
    assert parts(uno, "challenged")[2].choices == {"yes": True, "no": False}
    assert [part.name for part in parts(uno, "drew")] == ["seat", "count"], "no lists"
    assert [part.name for part in parts(GAMES["qwirkle"], "match.claimed")] == ["seat"]
    form = Form(None, [("heard", "challenged"), ("heard-seat", "1"), ("heard-guilty", "no")])
    when = asked(uno, form)
    assert when == {"type": "challenged", "seat": 1, "guilty": False}
    assert said(uno, when, ["Ann", "Ben"]) == "challenged, Ben, guilty no"
    odd = {"type": "scored", "animals": [1, 2]}
    assert said(GAMES["flipology"], odd, []) == "scored, animals [1,2]"
    assert said(uno, {"seat": 9}, []) == '{"seat":9}', "by the api, of any kind"
    assert all(parts(game, kind) is not None for game in GAMES.values() for kind in facts(game))
