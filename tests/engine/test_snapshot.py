from msgspec import json

from engine import entries as e
from engine import snapshot
from engine.catalogue import GAMES
from engine.fold import fold, step
from engine.snapshot import fingerprint, load, save
from tests.engine.logs import dealt, joined, lines, offered, played, player

LOG = [
    *dealt(3, clock={"type": "move", "seconds": 60}, order="shuffled"),
    played(0, "trade", "a" * 32),
    played(2, "keep"),  # refused
    played(1, "keep"),
    e.Resigned(0),
]


def test_a_snapshot_is_the_match_at_every_seq():
    guests = [e.Invited(0, player(9)), e.Admitted(0, player(9))]
    open_log = [offered(join="invited"), joined(1), e.Left(1), e.Aborted("withdrawn")]
    for log in (LOG, [*dealt(), *guests], open_log):
        log = lines(*log)
        whole = fold(log)
        for cut in range(1, len(log) + 1):
            match = fold(log[:cut])
            back = load(save(match))
            assert back == match
            assert save(back) == save(match)
            assert fold(log[cut:], back) == whole


def altered(**fields):
    raw = json.decode(save(fold(lines(*LOG))))
    return raw, json.encode(raw | fields)


def test_a_snapshot_of_another_schema_is_no_snapshot():
    _, other = altered(schema="0123456789abcdef")
    assert load(other) is None


def test_nor_is_one_by_a_release_whose_match_has_other_fields():
    raw, _ = altered()
    for match in ([*raw["match"], "in a good mood"], raw["match"][:-1], [], {"seq": 4}):
        _, other = altered(schema="0123456789abcdef", match=match)
        assert load(other) is None


def test_nor_is_one_that_was_spoilt():
    raw, _ = altered()
    for match in (raw["match"][:4], {"seq": 4}, "x"):
        _, other = altered(match=match)
        assert load(other) is None
    assert load(json.encode(raw)[:-9]) is None


def test_nor_is_one_of_a_game_that_this_release_lacks(bells, monkeypatch):
    saved = save(fold(lines(*dealt(game="bells"))))
    assert load(saved) is not None
    monkeypatch.delitem(GAMES, "bells")
    assert load(saved) is None


def test_the_fingerprint_is_of_the_layout(bells, monkeypatch):
    assert fingerprint(bells) != fingerprint(GAMES["high-card"])
    before = fingerprint(bells)
    monkeypatch.setattr(bells, "State", bells.Options)
    snapshot.fingerprint.cache_clear()
    assert fingerprint(bells) != before
    snapshot.fingerprint.cache_clear()


def test_a_step_from_a_snapshot_writes_the_same_verdict():
    log = lines(*LOG)
    for cut in range(1, len(log)):
        match = fold(log[:cut])
        assert step(load(save(match)), log[cut]) == step(match, log[cut])
