"""Whatever is asked of a match is answered alike, be it on the server or in the archive."""

from __future__ import annotations

import pytest

from engine import entries as e
from services import branches, door, finished, ledger, offers, oversight, ratings
from services.archive import Unread, mover
from services.archive.shelf import Shelf, path_of
from services.oversight import Filters
from tests.archive.matches import LONG, NAMES, SHORT, everything, put
from tests.engine.logs import dealt, offered, player

M, N = NAMES[:2]


def moved(hall, store, *names: str) -> None:
    assert mover.move_these(hall.wire, store, names).matches == len(names)


@pytest.mark.parametrize("of", [SHORT, LONG])
def test_every_answer_is_the_same(hall, store, of):
    put(hall, M, of)
    before = list(everything(hall, M))
    moved(hall, store, M)
    assert hall.server.run("KEYS", "*:match:*") == []
    assert list(everything(hall, M)) == before
    assert list(everything(hall, M)) == before, "nor does reading it bring it back"
    assert hall.server.run("KEYS", "*:match:*") == []


def test_a_branch_tells_nothing_of_its_parent(hall, store):
    """Not even what its facts would tell, once it is folded from the archive."""
    hall.write(M, *dealt(2), e.Resigned(0))
    lines = hall.wire.talk(branches._lines(M, 3))
    entry = e.Branched(M, 3, 0, player(7), "greedy")
    line = lines[-1]._replace(raw=e.encode(entry))
    _, match, verdict = branches._folded(lines, line)
    assert hall.server.ask(ledger.copy([*lines, line], door.done(N, None, match, verdict)))
    hall.write(N, e.Resigned(0))
    before = list(everything(hall, N))
    assert [told.seq for told in hall.wire.ask(ledger.facts(N))] == [4, 5]
    moved(hall, store, N)
    assert list(everything(hall, N)) == before


def test_who_has_no_archive_does_not_ask_for_it(hall, store):
    put(hall, M)
    moved(hall, store, M)
    hall.wire.shelf = None
    assert hall.wire.ask(ledger.newest(M)) is None


def test_an_unknown_name_asks_nothing_of_the_store(hall, store, monkeypatch):
    monkeypatch.setattr(store, "get", lambda path: 1 / 0)
    assert hall.wire.ask(ledger.newest(N)) is None
    assert hall.wire.ask(ledger.ends(N)) == (0, 0)


def test_a_live_match_asks_nothing_more(hall, monkeypatch):
    hall.write(M, *dealt(2))
    asked = []
    monkeypatch.setattr(hall.wire, "_run", spied(hall.wire._run, asked))
    hall.wire.talk(door.newest(M))
    assert [args[0] for args in asked] == ["GET"]


def spied(run, asked):
    def spy(args):
        asked.append(args)
        return run(args)

    return spy


def test_what_was_changed_is_not_read(hall, store):
    put(hall, M)
    moved(hall, store, M)
    file = store._folder / path_of(M)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(Unread, match="not as it was"):
        hall.wire.ask(ledger.newest(M))
    file.unlink()
    with pytest.raises(Unread, match="not found"):
        hall.wire.ask(ledger.newest(M))


def test_a_shelf_keeps_few(hall, store):
    for name in NAMES[:3]:
        put(hall, name)
    moved(hall, store, *NAMES[:3])
    small = hall.wire.shelf = Shelf(store, most=25_000)  # two of them
    for name in NAMES[:3]:
        hall.wire.ask(ledger.newest(name))
    ids = [hall.wire.ask(ledger.archived(name)) for name in NAMES[:3]]
    assert [small.open(id) is not None for id in ids] == [False, True, True]


def test_its_name_begins_no_other_match(hall, store):
    """The repeat of an offer, or of a branch, that comes when its match has left already."""
    put(hall, M)
    lines = hall.wire.ask(ledger.log(M))
    match = hall.match(M)
    moved(hall, store, M)
    again = hall.wire.talk(offers.offer(M, match.offered))
    assert again == door.Repeated(1, match)
    assert isinstance(hall.wire.talk(offers.offer(M, offered(secret="ab" * 32))), door.KeyReused)
    done = door.done(M, None, match, None)
    assert not hall.wire.ask(ledger.copy([one.line for one in lines], done))
    assert hall.server.run("KEYS", "*:match:*") == []


def test_nobody_plays_on(hall, store):
    put(hall, M)
    moved(hall, store, M)
    answer = hall.wire.talk(door.enter(M, lambda match: e.Aborted("operator")))
    assert isinstance(answer, door.NotAllowed)


def test_operators_find_it(hall, store):
    put(hall, M)
    hall.write(N, *dealt(2))
    everyone, over = Filters(), Filters(state="over")
    before = [oversight.standings(hall.wire, 1, which) for which in (everyone, over)]
    moved(hall, store, M)
    assert [oversight.standings(hall.wire, 1, which) for which in (everyone, over)] == before
    assert oversight.standings(hall.wire, 1, Filters(state="running"))[0].match == N


def test_ratings_and_lists_come_to_the_same_from_the_archive(hall, store):
    """As they would for a react that has them all to find again."""
    hall.write(M, *dealt(2, rated=True), e.Resigned(0))
    hall.write(N, *dealt(2, rated=True), e.Resigned(1))
    before = counted(hall)
    assert len(before[0]) == 2
    moved(hall, store, M, N)
    for key in hall.server.run("KEYS", "{rating:*") + hall.server.run("KEYS", "lobby:*"):
        hall.server.run("DEL", key)
    hall.reactor.indexes.forget()
    for name in (M, N):
        hall.server.ask(ledger.hint(name))
    assert counted(hall) == before


def counted(hall):
    """The results and standings of the game, and who finds the matches."""
    hall.hear()
    hall.sleep(ratings.SETTLED / 1000 + 1)
    hall.reactor.results.due()
    standings = hall.server.ask(ratings.standings("high-card", [player(0), player(1)]))
    results = hall.server.ask(ratings.results("high-card", 0, -1))
    lists = [hall.listed(index) for index in ("over", f"player:{player(0)}")]
    return results, standings, lists


def test_a_film_has_all_of_it(hall, store):
    put(hall, M)
    before = finished.notation(M, hall.wire.talk(finished.record(M)))
    moved(hall, store, M)
    assert finished.notation(M, hall.wire.talk(finished.record(M))) == before
