"""Imports: what proves itself comes in, with its own name, times and heads; nothing else does."""

from __future__ import annotations

import gzip

import httpx
import pytest
from msgspec import json
from msgspec.structs import replace

from engine import entries as e
from engine.audit import Bundle, NoBundle, bundle
from engine.fold import replay
from engine.match import Line, encode
from services import finished, imports, ledger, ratings
from services.archive import mover
from services.imports import NotImported
from services.packed import packed, plain
from tests.archive.matches import CORPUS, LONG, NAMES, bundle_of
from tests.engine.logs import dealt, player
from tests.workers.hall import Hall

M, N = NAMES[:2]


@pytest.fixture(autouse=True)
def later(hall):
    """Than all matches of the corpus."""
    hall.clock.ns = max(hall.clock.ns, bundle_of(LONG).entries[-1].at * 1_000_000)


def corpus(of: str = LONG, **changed) -> bytes:
    raw = gzip.decompress((CORPUS / f"{of}.json.gz").read_bytes())
    return encode(replace(json.decode(raw, type=Bundle), **{"match": M, **changed}))


def whole(hall: Hall, name: str) -> bytes:
    return finished.bundle(name, hall.wire.talk(finished.record(name)))


def test_a_match_comes_in_and_goes_to_the_archive(hall, store):
    raw = corpus()
    assert imports.bring(hall.wire, packed(raw), 1) == (M, True)
    assert json.decode(whole(hall, M))["entries"] == json.decode(raw)["entries"]
    hall.hear()
    assert hall.listed("over") == [M]
    assert imports.bring(hall.wire, raw, 1) == (M, False)
    before = whole(hall, M)
    hall.clock.ns = (json.decode(raw)["entries"][-1]["at"] + 31 * 86_400_000) * 1_000_000
    assert mover.move(hall.wire, store, 30).matches == 1
    assert imports.bring(hall.wire, raw, 1) == (M, False)
    assert whole(hall, M) == before
    assert hall.server.run("KEYS", "*:match:*") == []


def test_rated_it_counts(hall):
    hall.write(N, *dealt(2, rated=True), e.Resigned(0))
    raw = whole(hall, N)
    for key in hall.server.run("KEYS", "*"):
        hall.server.run("DEL", key)
    hall.reactor.begin()
    imports.bring(hall.wire, raw, 1)
    hall.hear()
    assert hall.server.ask(ratings.count_results("high-card")) == 1
    assert player(0) in json.decode(raw)["entries"][1]["entry"]


def changed_entry(raw: bytes) -> bytes:
    file = json.decode(raw, type=Bundle)
    first = replace(file.entries[0], at=file.entries[0].at - 1)
    return encode(replace(file, entries=(first, *file.entries[1:])))


def in_time_to_come(raw: bytes) -> bytes:
    """A match that is true but for its times: any page that shows them would fail."""
    file = json.decode(raw, type=Bundle)
    lines = [Line(2**53 - 1, one.entry.encode()) for one in file.entries]
    steps = zip(lines, replay(lines), strict=True)
    return bundle(file.match, [(line, match, encode(verdict)) for line, (match, verdict) in steps])


def cut_short(raw: bytes) -> bytes:
    file = json.decode(raw, type=Bundle)
    return encode(replace(file, entries=file.entries[:-1]))


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (changed_entry, NotImported),
        (cut_short, NotImported),
        (in_time_to_come, NotImported),
        (lambda raw: raw[:-1], NoBundle),
        (lambda raw: packed(raw)[:-9], NoBundle),
        (lambda raw: b"{}", NoBundle),
        (lambda raw: raw.replace(M.encode(), b"9-" + b"a" * 16, 1), NotImported),
        (lambda raw: raw.replace(M.encode(), b"../../etc/passwd", 1), NotImported),
    ],
)
def test_what_is_not_true_stays_outside(hall, spoil, kind):
    with pytest.raises(kind):
        imports.bring(hall.wire, spoil(corpus("high-card-1-1")), 1)
    assert hall.server.run("KEYS", "*:match:*") == []


def test_another_match_of_that_name_stays_as_it_is(hall, store):
    """Be it running, over, or in the archive."""
    hall.write(M, *dealt(2))
    for then in (lambda: None, lambda: hall.write(M, e.Resigned(0)), lambda: move(hall, store)):
        then()
        before = hall.wire.ask(ledger.log(M))
        with pytest.raises(NotImported, match="another head"):
            imports.bring(hall.wire, corpus(), 1)
        assert hall.wire.ask(ledger.log(M)) == before


def move(hall, store) -> None:
    assert mover.move(hall.wire, store, 0).matches == 1


def test_of_what_a_web_server_sends_nothing_is_unpacked_on_the_way(monkeypatch):
    """It could be of any size by then."""
    sent, packed_ = gzip.compress(bytes(2**20)), {"content-encoding": "gzip"}

    def get(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept-encoding"] == "identity"
        return httpx.Response(200, headers=packed_, stream=httpx.ByteStream(sent))

    asked = httpx.Client(transport=httpx.MockTransport(get))
    monkeypatch.setattr(httpx, "stream", asked.stream)
    assert imports.read("https://example.org/0-a.json") == sent


def test_what_a_web_server_does_not_give_cannot_be_read(monkeypatch):
    asked = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404)))
    monkeypatch.setattr(httpx, "stream", asked.stream)
    with pytest.raises(OSError, match="404 Not Found"):
        imports.read("https://example.org/0-a.json")


def test_a_small_file_does_not_become_a_large_one():
    with pytest.raises(NoBundle, match="at most"):
        plain(packed(bytes(2**27)))
