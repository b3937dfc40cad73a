"""`verify-archive` finds whatever is done to an archive, and says nothing of one that is whole."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from msgspec import json
from msgspec.structs import replace

from engine import entries as e
from engine.audit import Bundle
from engine.match import encode
from services.archive import manifest, mover, proof
from services.archive.manifest import Entry, Segment
from services.archive.shelf import path_of
from services.archive.store import Store, digest
from services.packed import packed, plain
from tests.archive.matches import NAMES
from tests.engine.logs import dealt

M, N = NAMES[:2]
LONG_AGO = time.time() - 86_400  # real time: objects are dated by the disk


@pytest.fixture
def folder(hall, store) -> Path:
    """An archive of two segments, a match in each."""
    for name in (M, N):
        hall.write(name, *dealt(2), e.Resigned(0))
        mover.move_these(hall.wire, store, [name])
    return store._folder


@pytest.fixture(autouse=True)
def now(monkeypatch, hall):
    """A proof is as late as the disk says that it is."""
    monkeypatch.setattr(proof, "time", type("Real", (), {"time": lambda: LONG_AGO + 2 * 86_400}))


def proved(store, *, kept=None, left=None) -> proof.Found:
    return proof.found(proof.prove(Store(store.where), kept or {}, left))


def kinds(found: proof.Found) -> list[str]:
    return sorted(fault.kind for fault in found.faults)


def rewritten(folder: Path, number: int, **changed) -> Segment:
    """A segment with something changed, in its old place."""
    path = folder / manifest.path_of(number)
    segment = replace(json.decode(path.read_bytes(), type=Segment), **changed)
    path.write_bytes(encode(segment))
    return segment


def test_a_whole_archive_is_true(folder, store, hall):
    left = dict(hall.wire.walk(lambda *at: mover.ledger.all_archived(0, *at)))
    found = proved(store, left=left)
    assert (found.ok, found.matches, found.faults) == (True, 2, ())
    assert found.head == f"2:{digest((folder / manifest.path_of(2)).read_bytes()).hex()}"
    number, _, head = found.head.partition(":")
    assert proved(store, kept={int(number): head}).ok


def test_a_missing_object(folder, store):
    (folder / path_of(M)).unlink()
    found = proved(store)
    assert (kinds(found), found.matches) == (["missing"], 1)
    assert found.faults[0].where == M


def test_an_extra_object(folder, store):
    extra = folder / "matches" / "aa" / "x.json.zst"
    extra.write_bytes(b"x")
    assert kinds(proved(store)) == ["extra"]
    os.utime(extra, (LONG_AGO + 2 * 86_400,) * 2)
    assert proved(store).ok, "a mover may be about to write it down"


@pytest.mark.parametrize("where", [0, 7, 300, -1])
def test_a_changed_byte(folder, store, where):
    path = folder / path_of(M)
    raw = bytearray(path.read_bytes())
    raw[where] ^= 1
    path.write_bytes(raw)
    assert kinds(proved(store)) == ["changed"]


def test_an_object_that_is_larger_than_any(folder, store):
    with (folder / path_of(M)).open("r+b") as file:
        file.truncate(100 * 2**20)
    assert kinds(proved(store)) == ["missing"]


def test_a_forged_match_with_a_manifest_that_fits(folder, store):
    """Whoever can write everything still cannot make it fold, or keep the head."""
    head = proved(store).head.partition(":")[2]
    path = folder / path_of(N)
    file = json.decode(plain(path.read_bytes()), type=Bundle)
    last = replace(file.entries[-1], entry=file.entries[-1].entry.replace('"seat":0', '"seat":1'))
    raw = packed(encode(replace(file, entries=(*file.entries[:-1], last))))
    path.write_bytes(raw)
    named = Entry(N, last.seq, last.head, len(raw), digest(raw).hex())
    rewritten(folder, 2, matches=(named,))
    assert kinds(proved(store)) == ["audit"]
    assert kinds(proved(store, kept={2: head})) == ["audit", "kept-head"]


def test_one_match_in_the_place_of_another(folder, store):
    other = (folder / path_of(M)).read_bytes()
    (folder / path_of(N)).write_bytes(other)
    [entry] = json.decode((folder / manifest.path_of(2)).read_bytes(), type=Segment).matches
    named = replace(entry, size=len(other), digest=digest(other).hex())
    rewritten(folder, 2, matches=(named,))
    assert kinds(proved(store)) == ["audit"]


def test_a_changed_manifest(folder, store):
    rewritten(folder, 1, at=1)
    assert [fault.where for fault in proved(store).faults] == [manifest.path_of(2)]


def test_a_match_taken_out_of_the_manifest(folder, store, hall):
    left = dict(hall.wire.walk(lambda *at: mover.ledger.all_archived(0, *at)))
    head = proved(store).head.partition(":")[2]
    rewritten(folder, 2, matches=())
    assert kinds(proved(store)) == ["extra"]
    (folder / path_of(N)).unlink()
    assert proved(store).ok, "then nothing in the archive tells"
    assert kinds(proved(store, left=left)) == ["server"]
    assert kinds(proved(store, kept={2: head})) == ["kept-head"]


@pytest.mark.parametrize("number", [1, 2])
def test_a_segment_taken_away(folder, store, number):
    (folder / manifest.path_of(number)).unlink()
    wanted = {1: ["extra", "manifest", "manifest"], 2: ["extra"]}
    assert kinds(proved(store)) == wanted[number]
    assert "kept-head" in kinds(proved(store, kept={number: "0" * 64}))


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"type":"turnfold-archive"}', b"\xff"])
def test_a_segment_that_is_none(folder, store, raw):
    (folder / manifest.path_of(1)).write_bytes(raw)
    assert kinds(proved(store)) == ["extra", "manifest", "manifest"]


def test_two_lines_of_one_match(folder, store):
    """Twice the same is what a death leaves; twice another is a lie."""
    first = json.decode((folder / manifest.path_of(1)).read_bytes(), type=Segment)
    manifest.add(store, first.matches, 1)
    assert proved(store).ok
    manifest.add(store, [replace(first.matches[0], seq=9)], 1)
    assert kinds(proved(store)) == ["manifest"]


def test_rules_that_this_release_lacks(folder, store):
    path = folder / path_of(N)
    file = json.decode(plain(path.read_bytes()), type=Bundle)
    first = replace(file.entries[0], entry=file.entries[0].entry.replace('"rules":1', '"rules":99'))
    raw = packed(encode(replace(file, rules=99, entries=(first, *file.entries[1:]))))
    path.write_bytes(raw)
    [entry] = json.decode((folder / manifest.path_of(2)).read_bytes(), type=Segment).matches
    rewritten(folder, 2, matches=(replace(entry, size=len(raw), digest=digest(raw).hex()),))
    found = proved(store)
    assert (found.ok, found.faults, [one.where for one in found.unknown]) == (False, (), [N])
