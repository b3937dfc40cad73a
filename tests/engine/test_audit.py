"""The audit finds every change of a file; what was forged whole is found by what was kept."""

import random
from collections.abc import Callable

import pytest
from msgspec import Raw, json

from engine import audit as audit_module
from engine import entries as e
from engine.audit import Kept, NoBundle, Report, audit, bundle, opened
from engine.dice import Dice
from tests.engine.logs import START, dealt, entropy, joined, offered, played, sealed, told

WHOLE = [*dealt(order="shuffled"), played(1, "keep"), played(0, "trade"), played(1, "trade")]
WITHDRAWN = [offered(), joined(0), e.Left(0), e.Aborted("withdrawn")]
Tree = dict  # a bundle as plain JSON


def audited(raw: bytes, **kept) -> Report:
    return audit(opened(raw), Kept(**kept))


def kinds(report: Report) -> list[str]:
    return [fault.kind for fault in report.faults]


@pytest.mark.parametrize(
    "log",
    [
        WHOLE,
        WITHDRAWN,
        [offered("random", "greedy"), e.Resigned(0), played(0, "keep"), e.Aborted("operator")],
        [offered("random", None), joined(1), played(0, "keep"), e.Resigned(1)],
        [*dealt(leave="random"), e.Resigned(0), played(0, "keep"), played(1, "keep")],
    ],
)
def test_an_honest_bundle_is_ok(log):
    report = audited(sealed(*log))
    assert (report.ok, report.faults) in ((True, ()), (False, report.faults))
    match = told(*log)[-1][0]
    if match.over:
        assert report.ok, report.faults
        assert report.head == match.head
        assert report.outcome == match.outcome
        assert report.aborted == match.aborted
        assert {judged.verdict for judged in report.entries} == {"ok"}


def test_a_match_that_is_not_over_has_no_bundle():
    for log in (WHOLE[:-1], WITHDRAWN[:1]):
        with pytest.raises(ValueError, match="not over"):
            sealed(*log)
    with pytest.raises(ValueError, match="not over"):
        bundle("0-match", [])


def test_the_places_are_those_of_the_seats():
    report, match = audited(sealed(*WHOLE)), told(*WHOLE)[-1][0]
    assert [(sat.seat, sat.player, sat.place) for sat in report.places] == [
        (seat, holder.player, place)
        for seat, (holder, place) in enumerate(
            zip(match.holders, match.outcome.places, strict=True)
        )
    ]
    assert audited(sealed(*WITHDRAWN)).places == ()


def test_the_draws_listed_deal_the_deck_again():
    report, (dealing, _) = audited(sealed(*WHOLE)), told(*WHOLE)[2]
    draws = report.entries[2].draws
    assert [below for below, _ in draws] == [2, *range(52, 1, -1)]
    dice = Dice(dealing.seed, 0)
    assert [(below, dice.below(below)) for below, _ in draws] == list(draws)
    deck = list(range(1, 53))
    for below, j in draws[1:]:
        deck[below - 1], deck[j] = deck[j], deck[below - 1]
    assert tuple(deck) == dealing.state.hands + dealing.state.deck
    assert [len(judged.draws) for judged in report.entries] == [0, 0, 52, 0, 0, 0]


# One file, tampered with in every way


def change(place: int, **fields) -> Callable[[Tree], None]:
    return lambda tree: tree["entries"][place - 1].update(fields)


def in_entry(place: int, old: str, new: str) -> Callable[[Tree], None]:
    def tamper(tree: Tree) -> None:
        text = tree["entries"][place - 1]["entry"]
        assert old in text
        change(place, entry=text.replace(old, new, 1))(tree)

    return tamper


def in_head(place: int) -> Callable[[Tree], None]:
    def tamper(tree: Tree) -> None:
        shown = tree["entries"][place - 1]["head"]
        change(place, head=("1" if shown[0] == "0" else "0") + shown[1:])(tree)

    return tamper


def in_file(**fields) -> Callable[[Tree], None]:
    return lambda tree: tree.update(fields)


def drop(place: int) -> Callable[[Tree], None]:
    return lambda tree: tree["entries"].pop(place - 1) and None


def swap(one: int, two: int) -> Callable[[Tree], None]:
    def tamper(tree: Tree) -> None:
        rows = tree["entries"]
        rows[one - 1], rows[two - 1] = rows[two - 1], rows[one - 1]

    return tamper


def insert(place: int, **fields) -> Callable[[Tree], None]:
    """A copy of the entry at this place before it."""
    return lambda tree: tree["entries"].insert(place - 1, tree["entries"][place - 1] | fields)


def renumbered(tamper: Callable[[Tree], None]) -> Callable[[Tree], None]:
    def both(tree: Tree) -> None:
        tamper(tree)
        for seq, row in enumerate(tree["entries"], 1):
            row["seq"] = seq

    return both


OUTCOME = {"places": [2, 1], "scores": [1, 50], "why": "highest card"}
TAMPERED = {  # what was done: how, then of which entry (None: the file) which kind is named first
    "a move": (in_entry(5, "trade", "keep"), 5, "head"),
    "a space more in an entry": (in_entry(5, ":0", ": 0"), 5, "head"),
    "a key": (in_entry(6, "null", '"' + "0" * 32 + '"'), 6, "head"),
    "who plays": (in_entry(5, '"seat":0', '"seat":1'), 5, "head"),
    "an entropy": (in_entry(2, entropy(0), entropy(9)), 2, "head"),
    "the secret": (in_entry(1, "0001", "0002"), 1, "head"),
    "the options": (in_entry(1, '"cards":52', '"cards":51'), 1, "head"),
    "bytes that are no JSON": (change(5, entry="{"), 5, "unreadable"),
    "an entry that is no object": (change(5, entry="[]"), 5, "unreadable"),
    "a move too deep to read": (
        in_entry(5, '{"type":"trade"}', "[" * 50_000 + "]" * 50_000),
        5,
        "unreadable",
    ),
    "no entry at all": (change(1, entry=""), 1, "unreadable"),
    "a tag unknown": (in_entry(5, "played", "dreamt"), 5, "unknown"),
    "a field unknown": (in_entry(5, "{", '{"x":1,'), 5, "unknown"),
    "a time, later": (change(4, at=START + 3001), 4, "head"),
    "a time before the last": (change(4, at=START + 1999), 4, "time"),
    "a seq": (change(4, seq=5), 5, "gap"),
    "a seq, far off": (change(4, seq=-1), -1, "gap"),
    "a verdict, accepted": (change(4, verdict={"type": "accepted", "told": []}), 4, "verdict"),
    "a verdict, refused": (
        change(5, verdict={"type": "refused", "code": "OVER", "rule": "match", "says": "."}),
        5,
        "verdict",
    ),
    "a verdict that is none": (change(5, verdict=None), 5, "verdict"),
    "a verdict that Python finds equal": (
        change(
            5,
            verdict=json.decode(sealed(*WHOLE).replace(b'"seat":0', b'"seat":false'))["entries"][4][
                "verdict"
            ],
        ),
        5,
        "verdict",
    ),
    "the first head": (in_head(1), 1, "head"),
    "a head": (in_head(4), 4, "head"),
    "the last head": (in_head(6), 6, "head"),
    "the first entry dropped": (drop(1), 1, "unknown"),
    "a refused entry dropped": (drop(4), 5, "gap"),
    "a refused entry dropped, renumbered": (renumbered(drop(4)), 4, "head"),
    "a move dropped, renumbered": (renumbered(drop(5)), 5, "head"),
    "two entries swapped": (swap(4, 5), 5, "gap"),
    "two entries swapped, renumbered": (renumbered(swap(4, 5)), 4, "head"),
    "an entry added": (insert(5), 5, "gap"),
    "an entry added, renumbered": (renumbered(insert(5, seq=0)), 6, "head"),
    "an entry added at the end": (
        lambda tree: tree["entries"].append(tree["entries"][-1] | {"seq": 7}),
        7,
        "head",
    ),
    "cut off": (lambda tree: tree["entries"].pop() and None, None, "outcome"),
    "cut off, with its outcome": (
        lambda tree: tree["entries"].pop() and tree.update(outcome=None),
        None,
        "outcome",
    ),
    "empty": (in_file(entries=[]), None, "outcome"),
    "the commitment": (in_file(commitment="0" * 64), None, "commitment"),
    "the seed": (in_file(seed="0" * 64), None, "seed"),
    "no seed": (in_file(seed=None), None, "seed"),
    "the outcome": (in_file(outcome=OUTCOME), None, "outcome"),
    "no outcome": (in_file(outcome=None), None, "outcome"),
    "the game": (in_file(game="qwirkle"), None, "game"),
    "the rules": (in_file(rules=2), None, "game"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_tampering_is_found_and_named(how):
    tamper, seq, kind = TAMPERED[how]
    tree = json.decode(sealed(*WHOLE))
    tamper(tree)
    if how == "the first entry dropped":  # then there is nothing to fold at all
        with pytest.raises(NoBundle, match="begins with an offer"):
            audited(json.encode(tree))
        return
    report = audited(json.encode(tree))
    assert not report.ok
    assert (report.faults[0].seq, report.faults[0].kind) == (seq, kind)
    assert all(fault.says.endswith(".") for fault in report.faults)
    if seq is not None and kind != "gap":
        assert [judged.verdict for judged in report.entries[: seq - 1]] == ["ok"] * (seq - 1)


def test_the_secret_of_another_match_spoils_all_that_hangs_on_it():
    tree = json.decode(sealed(*WHOLE))
    in_entry(1, "0001", "0002")(tree)
    assert {"head", "verdict", "commitment", "seed"} <= set(kinds(audited(json.encode(tree))))


def test_after_the_first_fault_of_a_head_later_heads_are_not_judged():
    tree = json.decode(sealed(*WHOLE))
    in_entry(2, entropy(0), entropy(9))(tree)
    assert kinds(audited(json.encode(tree))).count("head") == 1


NOT_BUNDLES = [
    b"",
    b"{}",
    b"null",
    b"\xff",
    b'{"turnfold":1}',
    sealed(*WHOLE).replace(b'"turnfold":1', b'"turnfold":2'),
    sealed(*WHOLE).replace(b'"turnfold":1', b'"turnfold":1,"x":1'),
    sealed(*WHOLE).replace(b'"at":17', b'"at":-17'),
    sealed(*WHOLE).replace(b'"at":17', b'"at":17000000000000000000'),
    sealed(*WHOLE)[:-1],
    b" " * (64 * 2**20 + 1),
]


@pytest.mark.parametrize("raw", NOT_BUNDLES, ids=range(len(NOT_BUNDLES)))
def test_what_is_no_bundle(raw):
    with pytest.raises(NoBundle):
        opened(raw)


NAMED_TWICE = {  # what a name is put before: another value under it
    "match": '"0-other"',
    "seed": "null",
    "entry": '"{}"',
    "verdict": '{"type":"accepted","told":[]}',
    "type": '"refused"',
    "seat": "1",
}


@pytest.mark.parametrize("name", NAMED_TWICE)
def test_a_bundle_that_names_anything_twice_is_none(name):
    """Readers differ in which of the two they take."""
    raw, other = sealed(*WHOLE), f'"{name}":{NAMED_TWICE[name]},"{name}":'.encode()
    assert b'"%s":' % name.encode() in raw
    with pytest.raises(NoBundle, match=f"it names '{name}' twice"):
        opened(raw.replace(b'"%s":' % name.encode(), other, 1))


@pytest.mark.parametrize("depth", [100, 5_000, 100_000])
@pytest.mark.parametrize(("begins", "ends"), [("[", "]"), ('{"x":', "}")])
def test_however_deep_it_is_nested_it_is_judged(depth, begins, ends):
    deep = (begins * depth + "0" + ends * depth).encode()
    raw = sealed(*WHOLE)
    tree = json.decode(raw, type=dict[str, Raw])
    assert not passes(deep)
    assert not passes(json.encode(tree | {"outcome": Raw(deep)}))
    rows = json.decode(tree["entries"], type=list[dict[str, Raw]])
    assert passes(json.encode(tree | {"entries": rows}))
    rows[4]["verdict"] = Raw(deep)
    assert not passes(json.encode(tree | {"entries": rows}))


TOO_MUCH = {
    "entries": lambda tree: tree["entries"].extend(tree["entries"][-1:] * 100_000),
    "of an entry": in_entry(5, "{", "{" + " " * 2**17),
    "names of an object": change(5, verdict={str(n): n for n in range(2000)}),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_bundle_has_no_more_than_a_match_could_have(what):
    tree = json.decode(sealed(*WHOLE))
    TOO_MUCH[what](tree)
    with pytest.raises(NoBundle):
        opened(json.encode(tree))


def test_a_verdict_of_any_size_is_not_even_read(monkeypatch):
    """As a tree of lists it would take thirty times the memory of the file."""
    tree = json.decode(sealed(*WHOLE), type=dict[str, Raw])
    rows = json.decode(tree["entries"], type=list[dict[str, Raw]])
    rows[4]["verdict"] = Raw(b"[" + b"[]," * 10_000 + b"[]]")
    read = []
    monkeypatch.setattr(audit_module.json, "decode", lambda raw: read.append(len(raw)))
    assert kinds(audited(json.encode(tree | {"entries": Raw(json.encode(rows))}))) == ["verdict"]
    assert max(read, default=0) < 10_000


@pytest.mark.parametrize(("old", "new"), [('"rules":1', '"rules":2'), ("high-card", "low-card")])
def test_a_bundle_by_rules_that_we_lack_is_none_for_us(old, new):
    tree = json.decode(sealed(*WHOLE))
    in_entry(1, old, new)(tree)
    with pytest.raises(NoBundle, match="cannot fold"):
        audited(json.encode(tree))


# Forged whole


def kept_of(*entries) -> dict:
    steps = told(*entries)
    tree = json.decode(sealed(*entries))
    heads = {match.seq: match.head for match, _ in steps}
    return {"heads": heads, "entropies": (entropy(0),), "commitment": tree["commitment"]}


def forged(**how) -> list[e.Entry]:
    offer = offered(order="shuffled", secret=how.get("secret", offered().secret))
    joins = [joined(0), joined(1)]
    if "entropy" in how:
        joins[0] = e.Joined(0, joins[0].player, how["entropy"])
    return [offer, *joins, *how.get("moves", WHOLE[3:])]


FORGED = {
    "another secret": (forged(secret="ab" * 32), {"kept-head", "kept-commitment"}, 1),
    "another entropy": (forged(entropy="cd" * 32), {"kept-head", "kept-entropy"}, 2),
    "another move": (forged(moves=[*WHOLE[3:5], played(1, "keep")]), {"kept-head"}, 6),
    "a refusal left out": (forged(moves=WHOLE[4:]), {"kept-head"}, 4),
}


@pytest.mark.parametrize("how", FORGED)
def test_what_is_forged_whole_passes_alone_and_is_found_by_what_was_kept(how):
    log, found, since = FORGED[how]
    raw, kept = sealed(*log), kept_of(*WHOLE)
    assert audited(raw).ok
    report = audited(raw, **kept)
    assert set(kinds(report)) == found
    heads = [fault.seq for fault in report.faults if fault.kind == "kept-head"]
    assert heads == list(range(since, 7))  # what was shown before the forgery still holds
    for one in {"kept-entropy": "entropies", "kept-commitment": "commitment"}.items():
        if one[0] in found:
            assert kinds(audited(raw, **{one[1]: kept[one[1]]})) == [one[0]]


def test_a_log_stored_at_other_times_is_found_by_a_kept_head():
    raw = sealed(*WHOLE, start=START + 1)
    assert audited(raw).ok
    assert kinds(audited(raw, heads={6: kept_of(*WHOLE)["heads"][6]})) == ["kept-head"]


def test_what_was_kept_of_an_honest_match_fits():
    assert audited(sealed(*WHOLE), **kept_of(*WHOLE)).ok


def test_a_kept_head_of_an_entry_that_the_bundle_lacks():
    heads = kept_of(*WHOLE)["heads"]
    report = audited(sealed(*WHOLE), heads={7: heads[6]})
    assert [(fault.seq, fault.kind) for fault in report.faults] == [(7, "kept-head")]


# Any one byte

FREE = {"match", "release"}  # names: no proof covers them


def places_of(raw: bytes) -> set[int]:
    """The bytes of a bundle that no proof covers: the values of the FREE fields."""
    free = set()
    for name, value in json.decode(raw, type=dict[str, Raw]).items():
        if name in FREE:
            start = raw.index(b'"%s":' % name.encode()) + len(name) + 3
            free |= set(range(start + 1, start + len(bytes(value)) - 1))
    return free


@pytest.mark.parametrize("log", [WHOLE, WITHDRAWN], ids=["whole", "withdrawn"])
def test_any_one_byte_changed_is_found(log):
    raw, chance = sealed(*log), random.Random(1)
    free = places_of(raw)
    assert bytes(raw[i] for i in sorted(free)) == b"0-match0.1.0"
    assert passes(raw)
    for _ in range(300):
        place, byte = chance.randrange(len(raw)), chance.choice(b'09af"\\ {}[],:-+.eE\xff\x00tn')
        if place in free or raw[place] == byte:
            continue
        other = raw[:place] + bytes([byte]) + raw[place + 1 :]
        assert not passes(other), (place, raw[place - 40 : place + 40], byte)


def test_every_byte_of_the_proof_counts():
    """Every place, one change each: the next byte up, which keeps most JSON readable."""
    raw = sealed(*WITHDRAWN)
    free = places_of(raw)
    for place in range(len(raw)):
        other = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        assert passes(other) == (place in free), raw[place - 40 : place + 40]


def passes(raw: bytes) -> bool:
    try:
        return audited(raw).ok
    except NoBundle:
        return False
