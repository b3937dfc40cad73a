"""The mover: wherever it dies, a match is whole on the server or in the archive, and found."""

from __future__ import annotations

import pytest
from msgspec import json

from engine import audit
from engine import entries as e
from services import finished, ledger
from services.archive import Unread, manifest, mover
from services.archive.shelf import Shelf, path_of
from services.archive.store import Store, digest
from services.packed import packed, plain
from tests.archive.matches import LONG, NAMES, put
from tests.chaos.fake_server import Died, FakeWire
from tests.engine.logs import dealt

M, N = NAMES[:2]
WEEK = 7 * 86_400


class Mortal:
    """A store, and a wire, of a process that dies at its so-manieth step."""

    def __init__(self, hall, store: Store, lives: float) -> None:
        self.lives, self._store = lives, store
        self.wire = FakeWire(hall.server.store, self.step, shelf=Shelf(store))

    def step(self) -> None:
        self.lives -= 1
        if self.lives < 0:
            raise Died

    def __getattr__(self, name: str):
        def asked(*args):
            self.step()
            answer = getattr(self._store, name)(*args)
            self.step()
            return answer

        return asked if name in ("put", "get", "all") else getattr(self._store, name)


def bundles(wire) -> dict[str, bytes]:
    return {name: finished.bundle(name, wire.talk(finished.record(name))) for name in (M, N)}


def test_wherever_it_dies_nothing_is_lost(hall, store, tmp_path, monkeypatch):
    """At every command and every object, before it and after it; then another finishes."""
    monkeypatch.setattr("os.fsync", lambda file: None)  # our kills leave the kernel alive
    hall.write(M, *dealt(2), e.Resigned(0))
    hall.write(N, *dealt(3), e.Aborted("operator"))
    before, copy = bundles(hall.wire), snapshot(hall)
    deaths = 0
    while True:
        store = Store(str(tmp_path / f"archive {deaths}"))
        hall.wire.shelf = Shelf(store)
        bring_back(hall, copy)
        mortal = Mortal(hall, store, deaths)
        try:
            mover.move(mortal.wire, mortal, 0)
            break
        except Died:
            deaths += 1
        assert bundles(hall.wire) == before
        mover.move(hall.wire, store, 0)
        assert bundles(hall.wire) == before
        assert hall.server.run("KEYS", "*:match:*") == []
        assert listed(store) >= {M, N}
    assert deaths > 40


def snapshot(hall) -> dict[bytes, bytes]:
    keys = hall.server.run("KEYS", "*:match:*")
    return {key: hall.server.run("DUMP", key) for key in keys}


def bring_back(hall, copy: dict[bytes, bytes]) -> None:
    hall.server.run("DEL", "{0}:archived")
    for key, value in copy.items():
        hall.server.run("RESTORE", key, 0, value, "REPLACE")


def listed(store) -> set[str]:
    segments = [manifest.opened(raw) for _, raw in manifest.stored(store)]
    return {entry.match for segment in segments for entry in segment.matches}


def test_what_it_moves_and_what_stays(hall, store):
    hall.write(M, *dealt(2), e.Resigned(0))
    hall.clock.sleep(WEEK)
    hall.write(N, *dealt(2), e.Resigned(0))
    hall.write(NAMES[2], *dealt(2))
    assert mover.move(hall.wire, store, 7.5).matches == 0
    assert mover.move(hall.wire, store, 6.5).matches == 1
    assert [name for name, _ in hall.wire.walk(lambda *at: ledger.all_archived(0, *at))] == [M]
    hall.clock.sleep(WEEK)
    assert mover.move(hall.wire, store, 6.5).matches == 1
    assert hall.server.run("EXISTS", f"{{0}}:match:{NAMES[2]}:log") == 1
    assert listed(store) == {M, N}
    assert [number for number, _ in manifest.stored(store)] == [1, 2]


def test_an_offer_that_came_to_nothing_goes_too(hall, store):
    hall.write(M, dealt(2)[0], e.Aborted("withdrawn"))
    before = finished.bundle(M, hall.wire.talk(finished.record(M)))
    assert mover.move(hall.wire, store, 0).matches == 1
    assert finished.bundle(M, hall.wire.talk(finished.record(M))) == before


def test_what_is_not_folded_stays(hall, store):
    """So does what went on, however that came to be, since the archive took it."""
    put(hall, M)
    hall.server.run("XDEL", f"{{0}}:match:{M}:facts", "23-0")
    assert not hall.server.ask(ledger.leave(M, 23, b"d" * 32))
    hall.write(N, *dealt(2), e.Resigned(0))
    assert not hall.server.ask(ledger.leave(N, 3, b"d" * 32))
    assert hall.server.ask(ledger.archived(N)) is None


def test_the_object_is_the_bundle(hall, store):
    put(hall, M, LONG)
    bundle = finished.bundle(M, hall.wire.talk(finished.record(M)))
    assert mover.move(hall.wire, store, 0).size < len(bundle) / 5
    raw = store.get(path_of(M))
    assert plain(raw) == bundle
    assert digest(raw) == hall.server.ask(ledger.archived(M))
    [(_, segment)] = manifest.stored(store)
    [entry] = json.decode(segment, type=manifest.Segment).matches
    report = audit.audit(audit.opened(plain(raw)), audit.Kept({entry.seq: entry.head}))
    assert report.ok
    assert (entry.size, entry.digest) == (len(raw), digest(raw).hex())


def test_another_object_in_its_place_keeps_it_on_the_server(hall, store, caplog):
    put(hall, M)
    put(hall, N, "high-card-1-1")
    other = finished.bundle(N, hall.wire.talk(finished.record(N)))
    store.put(path_of(M), packed(other))
    assert mover.move(hall.wire, store, 0).matches == 1
    assert hall.server.ask(ledger.archived(M)) is None
    assert hall.match(M).over
    assert f"{M} stays on the server" in caplog.text


def test_a_store_that_is_away_keeps_all_on_the_server(hall, tmp_path):
    put(hall, M)
    (tmp_path / "file").write_text("")
    with pytest.raises(Unread):
        mover.move(hall.wire, Store(str(tmp_path / "file" / "archive")), 0)
    assert hall.match(M).over


def test_what_a_release_wrote_before_is_taken_as_it_is(hall, store):
    """The object of a mover that died need not have the very bytes that ours would."""
    put(hall, M)
    bundle = finished.bundle(M, hall.wire.talk(finished.record(M)))
    older = bundle.replace(b'"release":"', b'"release":"0.0.', 1)
    store.put(path_of(M), packed(older))
    assert mover.move(hall.wire, store, 0).matches == 1
    assert hall.server.ask(ledger.archived(M)) == digest(packed(older))
    assert finished.bundle(M, hall.wire.talk(finished.record(M))) == bundle


def test_two_movers_at_once(hall, store):
    """The second begins whenever the first asks the store for something."""
    put(hall, M)
    other, busy = FakeWire(hall.server.store, shelf=Shelf(store)), []

    class Interrupted(Mortal):
        def step(self) -> None:
            if not busy:
                busy.append(1)
                mover.move(other, self._store, 0)
                busy.clear()

    before = finished.bundle(M, hall.wire.talk(finished.record(M)))
    mortal = Interrupted(hall, store, 0)
    mortal.wire = hall.wire
    mover.move(hall.wire, mortal, 0)
    assert finished.bundle(M, hall.wire.talk(finished.record(M))) == before
    assert listed(store) == {M}


def test_a_folder_is_for_its_owner_alone(hall, store):
    put(hall, M)
    mover.move(hall.wire, store, 0)
    assert store._folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("raw", [packed(b"x" * 100)[:-2], packed(b"") + b"x", b"\x28\xb5\x2f\xfd"])
def test_what_is_damaged_is_no_bundle(raw):
    with pytest.raises(audit.NoBundle):
        audit.opened(plain(raw))


def test_a_small_file_that_unpacks_to_a_large_one_is_no_bundle():
    with pytest.raises(audit.NoBundle, match="at most"):
        plain(packed(bytes(audit.LARGEST + 1)))
