import pytest
from msgspec import Raw, json
from msgspec.structs import asdict, replace

from engine import entries as e
from engine.contract import Outcome
from engine.dice import Dice
from engine.fold import fold, replay, restamped, step
from engine.match import Accepted, Line, No, Refused
from tests.engine import (
    test_back,
    test_branch,
    test_clocks,
    test_expiry,
    test_guests,
    test_rest,
    test_votes,
)
from tests.engine.logs import (
    SECOND,
    START,
    after,
    dealt,
    joined,
    lines,
    offered,
    played,
    player,
    then,
    told,
)

CLOCK = {"clock": {"type": "move", "seconds": 60}}
WHOLE = [*dealt(), played(0, "keep"), played(1, "trade")]  # a match of High card to its end


def facts(verdict) -> list:
    assert isinstance(verdict, Accepted), verdict
    return [json.decode(json.encode(one.fact)) for one in verdict.told]


def tags(verdict) -> list[str]:
    return [fact["type"] for fact in facts(verdict)]


# Each entry, accepted


def test_offered():
    match, verdict = told(offered(by=player(7)))[0]
    assert (match.seq, match.at, match.opened_at, match.status) == (1, START, START, "open")
    assert tags(verdict) == ["match.offered"]
    assert facts(verdict)[0]["by"] == player(7)
    assert match.to_act == ()
    assert match.state is match.seed is match.outcome is None


def test_joined_and_left():
    steps = told(offered(), joined(1), e.Left(1), joined(0), joined(1))
    assert [tags(verdict)[0] for _, verdict in steps] == [
        "match.offered",
        "match.joined",
        "match.left",
        "match.joined",
        "match.joined",
    ]
    assert [holder.open for holder in steps[2][0].holders] == [True, True]
    assert steps[2][0].holders == steps[0][0].holders
    assert [match.status for match, _ in steps] == ["open"] * 4 + ["running"]


def test_the_entry_that_takes_the_last_chair_deals():
    match, verdict = told(*dealt(3))[-1]
    assert tags(verdict) == ["match.joined", "match.dealt", *["dealt"] * 3]
    assert facts(verdict)[1]["seats"] == [{"player": player(n), "robot": None} for n in range(3)]
    assert match.rolls == 1
    assert match.to_act == (0,)


def test_an_offer_to_robots_alone_deals_at_once():
    match, verdict = told(offered("random", "greedy"))[0]
    assert tags(verdict) == ["match.offered", "match.dealt", "dealt", "dealt"]
    assert match.status == "running"
    assert [h.robot for h in match.holders] == ["random", "greedy"]


@pytest.mark.parametrize("order", ["shuffled", "joined"])
def test_who_gets_which_seat(order):
    match = after(*dealt(6, order=order))
    dice = Dice(match.seed, 0)
    chairs = dice.shuffled(range(6)) if order == "shuffled" else tuple(range(6))
    assert tuple(holder.chair for holder in match.holders) == chairs
    assert [holder.player for holder in match.holders] == [player(chair) for chair in chairs]
    deck = dice.shuffled(range(1, 53))  # the deal draws on from the same dice
    assert match.state.hands + match.state.deck == deck
    if order == "shuffled":
        assert chairs != tuple(range(6))


def test_played_to_the_end():
    steps = told(*WHOLE)
    match, verdict = steps[-1]
    assert [m.status for m, _ in steps] == ["open", "open", "running", "running", "over"]
    assert tags(verdict) == ["traded", "shown", "match.over"]
    assert facts(verdict)[-1]["outcome"] == json.decode(json.encode(match.outcome))
    assert match.outcome.scores == match.state.hands
    assert match.to_act == ()


@pytest.mark.parametrize(("entry", "why"), [(e.Resigned(1), "resigned"), (e.Expired(0), "expired")])
def test_who_leaves_ends_the_match_last_of_all(entry, why):
    running = after(*dealt(3, **CLOCK))
    match, verdict = then(running, entry, at=START + 3 * SECOND + 60_000)
    places = (1, 3, 1) if entry.seat == 1 else (3, 1, 1)
    assert tags(verdict) == [f"match.{why}", "match.over"]
    assert match.outcome == Outcome(places, (0, 0, 0), why)
    assert match.holders[entry.seat].gone == why
    assert match.to_act == ()
    assert match.game.to_act(match.state) == (0,)  # whatever the game says
    assert all(holder.since is None for holder in match.holders)


@pytest.mark.parametrize("robot", ["random", "greedy"])
def test_or_the_robot_of_the_table_takes_the_seat(robot):
    running = after(*dealt(3, leave=robot, **CLOCK))
    for entry in (e.Resigned(1), e.Resigned(0), e.Expired(0)):
        match, verdict = then(running, entry, at=START + 3 * SECOND + 60_000)
        holder = match.holders[entry.seat]
        gone = "expired" if isinstance(entry, e.Expired) else "resigned"
        assert tags(verdict) == [f"match.{gone}"]
        assert (holder.robot, holder.gone) == (robot, gone)
        assert match.to_act == (0,)
        assert match.deadline(entry.seat) is None
        others = [replace(h, robot=None, gone=None) for h in match.holders]
        assert others == list(running.holders)  # nothing else changes
        assert match.state is running.state
        assert then(match, e.Resigned(entry.seat))[1].code == "NOT_SEATED"
        assert tags(then(match, played(0, "keep"))[1]) == ["kept"]


@pytest.mark.parametrize("why", ["withdrawn", "unfilled", "operator"])
def test_an_offer_is_aborted(why):
    match, verdict = then(after(offered(), joined(0)), e.Aborted(why), START + 604_800_000)
    assert facts(verdict) == [{"type": "match.aborted", "why": why}]
    assert (match.aborted, match.outcome, match.status) == (why, None, "over")


def test_a_running_match_is_aborted_by_the_operator_alone():
    running = after(*dealt())
    for why, code in (("withdrawn", "DEALT"), ("unfilled", "DEALT"), ("too-long", "TOO_EARLY")):
        assert then(running, e.Aborted(why), START * 2)[1].code == code
    match, verdict = then(running, e.Aborted("operator"))
    assert tags(verdict) == ["match.aborted"]
    assert match.over
    assert match.to_act == ()
    assert [holder.since for holder in match.holders] == [None, None]


# Each code of the fold


def refused(before, *entries):
    return {then(before, entry)[1].code for entry in entries}


def test_over():
    everything = [
        *dealt(),
        joined(0, 9),
        e.Left(0),
        played(0, "keep"),
        e.Resigned(0),
        e.Expired(0),
        *map(e.Aborted, ("operator", "too-long", "withdrawn")),
    ]
    for ended in (after(*WHOLE), then(after(offered()), e.Aborted("operator"))[0]):
        assert refused(ended, *everything) == {"OVER"}


def test_not_dealt():
    waiting = after(offered(), joined(0))
    assert refused(waiting, played(0, "keep"), e.Resigned(0), e.Expired(0)) == {"NOT_DEALT"}


def test_dealt():
    running = after(*dealt())
    assert refused(running, joined(0, 9), joined(7, 9), e.Left(0), e.Left(7)) == {"DEALT"}


@pytest.mark.parametrize("seat", [-1, 2, 64, 2**53, -(2**53)])
def test_no_such_seat(seat):
    assert refused(after(offered()), joined(seat), e.Left(seat)) == {"NO_SUCH_SEAT"}
    gone = [played(seat, "keep"), e.Resigned(seat), e.Expired(seat)]
    assert refused(after(*dealt()), *gone) == {"NO_SUCH_SEAT"}


def test_seat_taken_by_a_player_or_a_robot():
    waiting = after(offered(None, None, "random"), joined(0))
    assert refused(waiting, joined(0, 9), joined(2, 9)) == {"SEAT_TAKEN"}


def test_seated_already():
    waiting = after(offered(None, None, "random"), joined(0))
    again = [joined(0), joined(1, 0), joined(2, 0)]
    assert refused(waiting, *again) == {"SEATED_ALREADY"}


def test_not_seated():
    waiting = after(offered(None, None, "random"), joined(0))
    assert refused(waiting, e.Left(1), e.Left(2)) == {"NOT_SEATED"}
    running = after(offered(None, "random"), joined(0))
    assert refused(running, e.Resigned(1)) == {"NOT_SEATED"}


@pytest.mark.parametrize("move", ["fly", "", "kEEP"])
def test_unreadable(move):
    assert refused(after(*dealt()), played(0, move)) == {"UNREADABLE"}


@pytest.mark.parametrize("raw", [b"null", b"[]", b"{}", b'{"type":"keep","x":1}', b"7", b'"keep"'])
def test_unreadable_bytes(raw):
    assert refused(after(*dealt()), e.Played(0, Raw(raw), None)) == {"UNREADABLE"}


def test_a_second_offer_is_unreadable():
    assert refused(after(offered()), offered(), offered("random", "random")) == {"UNREADABLE"}
    assert refused(after(*dealt()), offered()) == {"UNREADABLE"}


def test_too_early_to_expire():
    running = after(*dealt(**CLOCK))
    due = running.at + 60_000
    assert running.deadline(0) == due
    assert then(running, e.Expired(0), due - 1)[1].code == "TOO_EARLY"
    assert isinstance(then(running, e.Expired(0), due)[1], Accepted)
    assert then(running, e.Expired(1), due * 2)[1].code == "TOO_EARLY"  # not waited for
    unclocked = after(*dealt())
    assert then(unclocked, e.Expired(0), START * 2)[1].code == "TOO_EARLY"
    robots = after(offered("random", None, **CLOCK), joined(1))
    assert then(robots, e.Expired(0), START * 2)[1].code == "TOO_EARLY"  # it has no clock


def test_a_move_in_between_counts():
    running = after(*dealt(**CLOCK))
    late, _ = then(running, played(0, "keep"), running.at + 61_000)  # after the deadline
    assert late.holders[0].since is None
    assert then(late, e.Expired(0), late.at + SECOND)[1].code == "TOO_EARLY"


def test_too_early_to_lapse():
    waiting = after(offered(fill=60))
    assert then(waiting, e.Aborted("unfilled"), START + 59_999)[1].code == "TOO_EARLY"
    assert isinstance(then(waiting, e.Aborted("unfilled"), START + 60_000)[1], Accepted)


def test_too_long():
    running = after(*dealt())
    for seq, code in ((49_998, "kept"), (49_999, "TOO_LONG"), (60_000, "TOO_LONG")):
        match, verdict = then(replace(running, seq=seq), played(0, "keep"))
        said = verdict.code if isinstance(verdict, Refused) else tags(verdict)[0]
        assert said == code
        assert match.seq == seq + 1
    assert refused(replace(running, seq=49_998), e.Aborted("too-long")) == {"TOO_EARLY"}
    longest = replace(running, seq=49_999)
    assert refused(longest, e.Resigned(0), e.Expired(0), joined(0), offered()) == {"TOO_LONG"}
    match, verdict = then(longest, e.Aborted("too-long"))
    assert tags(verdict) == ["match.aborted"]
    assert match.over


def test_a_game_refuses_by_its_own_code():
    verdict = then(after(*dealt()), played(1, "keep"))[1]
    assert verdict == Refused("NOT_YOUR_TURN", "H2", "It is another seat's turn.")


def test_every_code_of_the_fold_is_tested_here():
    codes = {name.removeprefix("test_").upper() for name in globals() if name.startswith("test_")}
    codes |= {
        code for _, code in (*test_guests.REFUSALS, *test_branch.REFUSALS, *test_clocks.REFUSALS)
    }
    codes |= {
        code
        for _, code in (
            *test_expiry.REFUSALS,
            *test_rest.REFUSALS,
            *test_votes.REFUSALS,
            *test_back.REFUSALS,
        )
    }
    codes |= {*test_expiry.REFUSED_LATER, *test_votes.REFUSED_WHERE_DEALS_ARE_SHARED}
    missing = {no.name for no in No if not any(c.startswith(no.name) for c in codes)}
    assert not missing


def test_refusals_are_constants_with_a_sentence():
    for no in No:
        assert no.rule == "match"
        assert no.says.endswith(".")
        assert no.name.isupper()


def test_what_is_refused_changes_seq_at_and_digest_alone():
    wrong = [played(1, "keep"), played(9, "keep"), e.Expired(0), joined(0), e.Left(0), offered()]
    for before in (after(*dealt(**CLOCK)), after(*WHOLE)):
        for entry in wrong:
            match, verdict = then(before, entry)
            assert isinstance(verdict, Refused)
            changed = {k for k, v in asdict(match).items() if v != getattr(before, k)}
            assert changed == {"seq", "at", "digest"}
            assert match.seq == before.seq + 1


# What the fold remembers of each seat


def since(match):
    return [holder.since for holder in match.holders]


def test_since_of_seats_that_take_turns():
    steps = told(*dealt(3), played(1, "keep"), played(0, "keep"), played(1, "keep"))
    assert [since(match) for match, _ in steps[3:]] == [
        [4, None, None],
        [4, None, None],  # refused: nothing changes
        [None, 6, None],
        [None, None, 7],
    ]


def test_since_of_seats_that_act_at_once(bells):
    moves = [
        played(1, "tap"),
        played(0, "rest"),
        played(2, "ring"),
        played(0, "tap"),  # asleep
        played(1, "wake"),
        e.Expired(0),  # too early
        played(2, "tap"),
    ]
    steps = told(*dealt(3, game="bells"), *moves)
    assert [since(match) for match, _ in steps[3:]] == [
        [4, 4, 4],  # dealt
        [4, 5, 4],  # acted, and is waited for again
        [None, 5, 4],
        [None, 5, 7],
        [None, 5, 7],
        [9, 9, 7],  # woken by another
        [9, 9, 7],
        [9, 9, 11],
    ]
    assert [match.holders[1].since_at for match, _ in steps[3:6]] == [
        START + 3 * SECOND,
        START + 4 * SECOND,
        START + 4 * SECOND,
    ]


def test_deadlines(bells):
    match = after(*dealt(3, game="bells", **CLOCK), played(1, "tap"), played(0, "rest"))
    assert [match.deadline(seat) for seat in range(3)] == [
        None,
        START + 4 * SECOND + 60_000,
        START + 3 * SECOND + 60_000,
    ]
    assert after(offered(**CLOCK)).deadline(0) is None
    over = then(match, e.Resigned(0))[0]
    assert [over.deadline(seat) for seat in range(3)] == [None] * 3


def test_last_is_the_own_last_move_and_its_since(bells):
    taps = [played(0, "tap"), played(1, "tap"), played(0, "ring"), played(0, "rest")]
    steps = told(*dealt(2, game="bells"), *taps)
    assert [m.holders[0].last for m, _ in steps[3:]] == [(4, 3), (4, 3), (6, 4), (7, 6)]
    assert steps[3][0].holders[1].last is None


def test_last_of_a_seat_that_was_not_waited_for(bells, monkeypatch):
    monkeypatch.setattr(bells, "to_act", lambda s: (1,))  # yet seat 0 may act
    match = after(*dealt(2, game="bells"), played(1, "tap"), played(0, "tap"))
    assert match.holders[0].last == (5, 4)  # its `since` is null: the seq before it


def test_the_last_eight_keys_are_kept(bells):
    keys = [f"{n:032x}" for n in range(11)]
    taps = [played(0, "tap", key) for key in keys]
    match = after(*dealt(2, game="bells"), *taps, played(0, "tap"), played(1, "tap", "f" * 32))
    assert match.holders[0].keys == tuple((keys[n], 4 + n) for n in range(3, 11))
    assert match.holders[1].keys == (("f" * 32, 16),)
    refused = then(match, played(0, "fly", "e" * 32))[0]
    assert refused.holders == match.holders  # refusals are not remembered


def test_k_counts_only_accepted_entries_that_drew(bells):
    taps = ["ring", "tap", "fly", "ring", "ring"]
    steps = told(*dealt(2, game="bells"), *[played(0, tap) for tap in taps])
    assert [match.rolls for match, _ in steps] == [0, 0, 0, 1, 1, 1, 2, 3]  # nothing to deal
    seed = steps[2][0].seed
    thrown = [match.state.last for match, _ in steps[3:]]
    first, second, third = (Dice(seed, k).below(6) for k in range(3))
    assert thrown == [first, first, first, second, third]


def test_a_die_of_one_side_is_no_draw(bells):
    taps = [played(0, "ring"), played(0, "ring")]
    match = after(*dealt(2, game="bells", options={"sides": 1}), *taps)
    assert match.rolls == 0
    assert after(*dealt(2, game="bells", order="shuffled")).rolls == 1  # the seats were


# What is not for this release


def unknown(raw, before=None):
    with pytest.raises(e.Unknown):
        step(before, Line(START, raw))


RESERVED = [
    b'{"type":"stopped","since":1,"until":2,"why":"fun"}',
    b'{"type":"proposed","seat":0,"what":"pause"}',
    b'{"type":"answered","seat":0,"yes":true}',
    b'{"type":"seated","seat":0,"player":"Me"}',
    b'{"type":"proposed","seat":0,"what":{"type":"replace","seat":0}}',
    b'{"type":"branched","parent":"0-a","seq":3}',
    b'{"type":"aborted","why":"agreed"}',
]
MISSHAPEN = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b'{"seat":0}',
    b'{"type":"left"}',
    b'{"type":"left","seat":0,"x":1}',
    b'{"type":"left","seat":"0"}',
    b'{"type":"left","seat":0.5}',
    b'{"type":"left","seat":9007199254740993}',
    b'{"type":"left","seat":0}x',
    b'{"type":"Left","seat":0}',
    b'{"type":"joined","seat":0,"player":"Me","entropy":"%s"}' % (b"0" * 64),
    b'{"type":"joined","seat":0,"player":"aaaaaaaaaaaaaaaa","entropy":"%s"}' % (b"A" * 64),
    b'{"type":"joined","seat":0,"player":"aaaaaaaaaaaaaaaa","entropy":"%s\\n"}' % (b"0" * 64),
    b'{"type":"played","seat":0,"move":{"type":"keep"}}',
    b'{"type":"played","seat":0,"move":{"type":"keep"},"key":"me"}',
    b'{"type":"resigned","seat":null}',
    b'{"type":"stopped","since":-1,"until":2,"why":"downtime"}',
    b'{"type":"stopped","since":1,"until":9007199254740993,"why":"downtime"}',
]


@pytest.mark.parametrize("raw", RESERVED + MISSHAPEN)
def test_unknown_entries(raw):
    for before in (None, after(offered()), after(*dealt()), after(*WHOLE)):
        unknown(raw, before)


def test_a_log_begins_with_an_offer():
    for entry in (joined(0), e.Left(0), played(0, "keep"), e.Resigned(0), e.Aborted("operator")):
        unknown(e.encode(entry))
    with pytest.raises(ValueError, match="empty"):
        fold([])


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"format": 0},
        {"rules": 2},
        {"rules": 0},
        {"game": "go"},
        {"seats": (None,)},
        {"seats": (None,) * 11},
        {"options": Raw(b'{"cards":19}')},
        {"options": Raw(b'{"cards":1001}')},
        {"options": Raw(b'{"cards":52,"jokers":2}')},
        {"options": Raw(b"null")},
        {"secret": "00"},
        {"secret": "A" * 64},
        {"by": "me"},
        {"seats": ()},
        {"seats": (None, "clever")},
    ],
)
def test_unknown_offers(change):
    unknown(json.encode(replace(offered(), **change)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"fill":604800', b'"fill":59'),
        (b'"fill":604800', b'"fill":5184001'),
        (b'"clock":null', b'"clock":{"type":"move","seconds":59}'),
        (b'"clock":null', b'"clock":{"type":"bank","seconds":600}'),
        (b'"late":null', b'"late":{"type":"entries","n":0}'),
        (b'"late":null', b'"late":{"type":"seconds","n":604801}'),
        (b'"leave":"end"', b'"leave":"vote"'),
        (b'"order":"joined"', b'"order":"by-rating"'),
        (b'"watchers":"public"', b'"watchers":"paying"'),
        (b'"rated":false', b'"rated":false,"undo":true'),
    ],
)
def test_unknown_policies(old, new):
    raw = json.encode(offered())
    assert old in raw
    unknown(raw.replace(old, new))


# Folding on, and folding again


def test_fold_and_replay_go_on_from_any_match():
    log = lines(*WHOLE)
    whole = fold(log)
    for cut in range(1, len(log)):
        assert fold(log[cut:], fold(log[:cut])) == whole
        assert [m for m, _ in replay(log[cut:], fold(log[:cut]))][-1] == whole
    assert fold([], whole) == whole


def test_restamped_is_a_step_with_the_true_time(bells):
    moves = [
        played(0, "ring", "a" * 32),
        played(1, "rest"),
        played(1, "tap"),  # refused
        played(0, "wake"),
        e.Left(0),  # refused
        e.Resigned(1),
        played(0, "tap"),  # refused
    ]
    offer = dealt(game="bells", leave="random", order="shuffled", **CLOCK)
    match = None
    for line in lines(offered(game="bells"), joined(0), e.Left(0)) + lines(*offer, *moves):
        if isinstance(e.decode(line.raw), e.Offered):
            match = None
        true, (guess, verdict) = Line(line.at + 12_345, line.raw), step(match, line)
        assert (restamped(match, guess, true), verdict) == step(match, true)
        match = guess
