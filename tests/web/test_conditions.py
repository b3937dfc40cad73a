"""What an order can wait for, as a form has it and as it is said."""

from __future__ import annotations

from engine.catalogue import GAMES
from services.web.conditions import asked, facts, parts, said
from services.web.session import Form


def test_a_condition_is_of_what_a_game_tells():
    assert parts("high-card", "traded")[0].seat
    assert [part.number for part in parts("high-card", "traded")] == [False, True]
    assert [part.name for part in parts("uno-flip", "played")][1] == "face", "which one types"
    assert parts("uno-flip", "challenged")[2].choices == {"yes": True, "no": False}
    assert [part.name for part in parts("uno-flip", "drew")] == ["seat", "count"], "no lists"
    assert [part.name for part in parts("qwirkle", "match.claimed")] == ["seat"]
    form = Form(None, [("heard", "challenged"), ("heard-seat", "1"), ("heard-guilty", "no")])
    when = asked("uno-flip", form)
    assert when == {"type": "challenged", "seat": 1, "guilty": False}
    assert said("uno-flip", when, ["Ann", "Ben"]) == "challenged, Ben, guilty no"
    odd = {"type": "scored", "animals": [1, 2]}
    assert said("flipology", odd, []) == "scored, animals [1,2]"
    assert said("uno-flip", {"seat": 9}, []) == '{"seat":9}', "by the api, of any kind"
    assert all(parts(game, kind) is not None for game in GAMES for kind in facts(game))
