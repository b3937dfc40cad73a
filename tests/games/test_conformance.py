"""What every game must do, whatever its rules. A game is held to it by being in the catalogue."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, Struct, json, structs

from engine import entries as e
from engine.catalogue import GAMES
from engine.contract import OPEN, Game, Outcome, Refusal, Said, because, hear
from engine.dice import Dice
from engine.fold import step
from engine.look import choices, heard, look
from engine.match import Accepted, Line, Match, No, Refused, reader
from engine.sentences import facts_of, say
from engine.snapshot import load, save
from engine.weighing import every
from tests.games.matches import (
    JUNK,
    LIMIT,
    START,
    command,
    every_seat,
    games,
    hook,
    places,
    pool,
    random_match,
    random_options,
    refused,
    seeds,
)
from tests.test_walls import PURE, imported, within

MATCHES = 2_000 if os.environ.get("TURNFOLD_LONG") else 200
WIDE, MANY = 1_000, 600  # moves of an answer; moves of a position that we list in full
NAMES = [f"Seat {seat}" for seat in range(64)]
IMPURE = "the same log folds to something else: a rule must use nothing but its arguments"
SAVED = "a match saved and loaded goes on otherwise: see the types of `State`"
TWINS = "`words.write` writes two moves alike that do not do the same"
TEXTS = ("", " ", "fly", "fly 1 2", "@", "?" * 500, "1", "-", "keep me", "\n", "{}", "é ♠ \x00")


# Random matches, folded


@games
@pytest.mark.parametrize("seed", range(MATCHES))
def test_a_random_match(game, seed):
    steps = random_match(game, seed)
    assert steps[-1].match.over, f"not over after {LIMIT} entries"
    assert_folds_again(steps)
    assert_sane(game, steps[-1].match)
    codes = {no.name for no in (*No, *game.No)}
    counted, pieces = hook(game, "pieces"), None
    for before, (_, match, verdict) in zip([None, *steps], steps, strict=False):
        if refused(verdict):
            assert verdict.code in codes, f"`No`: it lacks the code {verdict.code}"
            assert match == stamped(before.match, match), "a refused entry changed the match"
        elif counted and match.state is not None:
            now = counted.pieces(match.state)
            assert pieces is None or not now - pieces, "`apply`: a piece comes from nowhere"
            pieces = now
    for match, _ in places(game, seed, some=3):
        assert_readable(game, match)
        for seat in match.to_act:
            no = game.allows(match.state, seat, game.default(match.state, seat))
            assert no is None, f"`default`: it gives a move that `allows` refuses ({no})"


def assert_folds_again(steps):
    """From the first line alone, and from a snapshot anywhere, to the same match and verdicts."""
    match = None
    middle = len(steps) // 2
    for i, (line, after, verdict) in enumerate(steps):
        match = load(save(match)) if i == middle and match else match
        match, again = step(match, line)
        assert (match, again) == (after, verdict), IMPURE
    assert save(match) == save(steps[-1].match), IMPURE


def stamped(before: Match, after: Match) -> Match:
    """What a refused entry makes of a match: only these three change."""
    return structs.replace(before, seq=before.seq + 1, at=after.at, digest=after.digest)


def assert_sane(game: Game, match: Match) -> None:
    outcome, n = match.outcome, len(match.holders)
    if match.aborted is None:
        assert isinstance(outcome, Outcome), "`outcome`: it must give an Outcome once over"
        rows = outcome.places, outcome.scores
        assert all(len(row) == n for row in rows), "`outcome`: a place and a score for each seat"
        assert all(isinstance(score, int) for score in outcome.scores), "`outcome`: scores are int"
        best = min(outcome.places)  # 2 where nobody wins
        assert best in (1, 2), "`outcome`: the best place is 1 or, where nobody wins, 2"
        for place in outcome.places:
            better = sum(other < place for other in outcome.places)
            assert place == best + better, "`outcome`: a place is 1 + how many are better: `ranked`"
        assert outcome.why, "`outcome`: say why"
        why = because(outcome.why).template
        assert why in getattr(game.words, "WHYS", [why]), "`words.WHYS`: all that may be why"
        assert game.outcome(match.state) == outcome, "`outcome`: it changes its mind"
        assert game.to_act(match.state) == (), "`to_act`: nobody, once there is an outcome"
        moves = [list(game.legal(match.state, seat)) for seat in range(n)]
        assert not any(moves), "`legal`: nothing, once there is an outcome"
    assert not any(choices(match, seat) for seat in range(n)), "there are choices after the end"


def assert_readable(game: Game, match: Match) -> None:
    """Views, and the state, come back from their bytes; a view can be read as text."""
    for viewer in (None, *every_seat(match), *([OPEN] if match.over else [])):
        seen = look(match, viewer).view
        assert isinstance(seen, Struct), "`view`: it must give a frozen Struct"
        back = json.decode(json.encode(seen), type=type(seen))
        assert back == seen, "`view`: it does not come back from JSON: see the types of its fields"
        assert game.words.show(seen, NAMES).strip(), "`words.show`: it shows nothing"
    back = json.decode(json.encode(match.state), type=game.State)
    assert back == match.state, "`State`: it does not come back from JSON: see its types"
    json.decode(save(match))


@games
@seeds
def test_it_folds_to_the_same_from_any_snapshot(game, seed):
    steps = random_match(game, seed)
    for now, then in pairwise(steps):
        back = load(save(now.match))
        assert back == now.match, SAVED
        assert save(back) == save(now.match), SAVED
        assert step(back, then.line) == (then.match, then.verdict), SAVED


@games
def test_it_folds_to_the_same_in_another_process(game):
    """A set of strings goes round differently in each; no rule may lean on that."""
    ask = [sys.executable, "-m", "tests.games.matches", game.NAME, "7"]
    told = {
        subprocess.check_output(ask, env={**os.environ, "PYTHONHASHSEED": seed}) for seed in "123"
    }
    assert len(told) == 1, "a match differs in another process: does a rule go round a set?"
    assert len(told.pop()) > 500


@games
def test_it_imports_nothing_but_the_contract_the_dice_and_what_is_pure(game):
    """`tests/test_walls.py` sees to our own; a guest is held to the same here."""
    for path in Path(game.__file__).parent.glob("*.py"):
        for name in imported(path, (*game.__name__.split("."), path.stem)):
            free = within(name, ["engine.contract", "engine.dice", game.__name__, *PURE])
            assert free, (
                f"{path.name} imports {name}: a game knows the contract, the dice and pure modules"
            )


# Moves: `legal`, `grow` and `allows` agree


@games
@seeds
def test_beginnings(game, seed):
    chance = random.Random(seed)
    for match, _ in places(game, seed):
        s = match.state
        for seat in every_seat(match):
            begun = list(game.legal(s, seat))
            assert begun == list(game.legal(s, seat)), "`legal`: another answer when asked again"
            some = begun or seat not in game.to_act(s)
            assert some, "`legal`: nothing for a seat that `to_act` waits for, so the match hangs"
            assert_answer(game, begun)
            for move in chance.sample(begun, min(40, len(begun))):
                assert_leads_on(game, s, seat, move, chance)


def assert_answer(game: Game, moves: list[Any]) -> None:
    """Few, each once, and each comes back from its bytes and from its words."""
    write, read = game.words.write, game.words.read
    assert len(moves) < WIDE, f"`legal`, `grow`: {WIDE} moves or more: let `grow` add pieces"
    alike = len({write(move) for move in moves}) < len(moves)
    assert not alike, "`legal`, `grow`: a move twice, or `words.write` writes two alike"
    for move in moves[:5]:
        back = reader(game.Move).decode(json.encode(move))
        assert back == move, "`Move`: it does not come back from JSON: see its types"
        assert write(read(write(move))) == write(move), "`words.read`: it misreads `words.write`"
        assert "\n" not in write(move), "`words.write`: a move is one line"


def assert_leads_on(game: Game, s: Any, seat: int, move: Any, chance: random.Random) -> None:
    """Adding pieces at random one comes to a move that is allowed: there are no dead ends."""
    for _ in range(200):
        more = list(game.grow(s, seat, move))
        assert_answer(game, more)
        if not more:
            no = game.allows(s, seat, move)
            assert no is None, f"`legal`, `grow`: a dead end: it cannot grow, nor be played ({no})"
            return
        move = chance.choice(more)
    raise AssertionError("`grow`: a move of 200 pieces still grows; it must come to an end")


@games
@seeds
def test_what_is_allowed_is_reached(game, seed):
    found = 0
    for match, _ in places(game, seed, some=8):
        for seat in every_seat(match):
            listed = list(islice(every(game, match.state, seat), MANY))
            allowed = [m for m in pool(game, seed) if game.allows(match.state, seat, m) is None]
            found += len(allowed)
            if len(listed) < MANY:
                reached = {game.words.write(move) for move in listed}
                missed = {game.words.write(move) for move in allowed} - reached
                assert not missed, f"`legal`, `grow`: they miss what is allowed: {min(missed)}"
    assert found, "`allows`: it refuses whatever was played in this match"


@games
@seeds
def test_grow_of_any_move_leads_only_to_what_can_be_played(game, seed):
    """A page may send any begun move; what cannot be begun grows to nothing."""
    chance = random.Random(seed)
    foreign = (*pool(game, seed), *pool(game, seed + 1)[:20])
    for match, _ in places(game, seed, some=3):
        for seat in every_seat(match):
            for move in foreign:
                more = list(game.grow(match.state, seat, move))
                again = list(game.grow(match.state, seat, move))
                assert more == again, "`grow`: another answer when asked again"
                assert_answer(game, more)
                some = not more or list(game.legal(match.state, seat))
                assert some, "`grow`: a seat for which `legal` has nothing can have begun nothing"
                for longer in more[:3]:
                    assert_leads_on(game, match.state, seat, longer, chance)


@games
@seeds
def test_any_move_is_judged_and_does_what_it_was_judged(game, seed):
    """Moves from elsewhere: refused by a code of the game, or accepted and told of."""
    for match, _ in places(game, seed, some=4):
        for move in (*pool(game, seed), *pool(game, seed + 1)):
            for seat in every_seat(match):
                no = game.allows(match.state, seat, move)
                after, verdict = step(match, line_of(match, command(seat, move)))
                if no is None and not match.over:
                    assert isinstance(verdict, Accepted), "`allows`: yes, but the fold refuses it"
                    some = any(told.fact is not None or told.to for told in verdict.told)
                    assert some, "`apply`: a move of which nobody is told: yield a fact"
                else:
                    assert match.over or no in game.No, "`allows`: it gives None or one of `No`"
                    assert isinstance(verdict, Refused)
                    assert verdict.code == ("OVER" if match.over else no.name)
                    assert after == stamped(match, after), "a refused move changed the match"


def line_of(match: Match, entry: e.Entry) -> Line:
    return Line(match.at + 1, e.encode(entry))


@games
@seeds
def test_junk_is_refused_without_effect(game, seed):
    for match, _ in places(game, seed, some=4):
        for raw in JUNK:
            for seat in (-1, *every_seat(match), len(match.holders)):
                after, verdict = step(match, line_of(match, e.Played(seat, Raw(raw), None)))
                assert isinstance(verdict, Refused), f"`Move`: it takes {raw.decode()}"
                assert verdict.code in ("OVER", "NO_SUCH_SEAT", "UNREADABLE")
                assert after == stamped(match, after)


@games
@seeds
def test_moves_written_alike_do_the_same(game, seed):
    twins = 0
    for match, _ in places(game, seed, some=4):
        for seat in every_seat(match):
            for move in pool(game, seed):
                twin = game.words.read(game.words.write(move))
                no = game.allows(match.state, seat, move)
                assert game.allows(match.state, seat, twin) is no, TWINS
                if no is None:
                    twins += 1
                    assert done(game, match, seat, move) == done(game, match, seat, twin), TWINS
    assert twins


def done(game: Game, match: Match, seat: int, move: Any) -> Any:
    return hear(game.apply(match.state, seat, move, Dice(bytes(32), 1)))


@games
@seeds
def test_defaults_alone_end_a_match(game, seed):
    """A table that nobody comes back to is played out, and stays sane."""
    match = places(game, seed)[0].match
    for _ in range(LIMIT):
        if match.over:
            break
        seat = match.to_act[0]
        move = game.default(match.state, seat)
        match, verdict = step(match, line_of(match, command(seat, move)))
        assert isinstance(verdict, Accepted), f"`default`: it gives a move that is {verdict}"
    assert match.over, f"`default`: {LIMIT} of its moves do not end a match"
    assert_sane(game, match)


# Seats and options


@games
@seeds
def test_seats_are_those_that_can_be_dealt(game, seed):
    chance = random.Random(seed)
    for options in (game.Options(), random_options(game, chance)):
        seats = game.seats(options)
        assert isinstance(seats, range), "`seats`: it must give a range"
        assert seats, "`seats`: these options allow no number of seats"
        assert set(seats) <= set(range(1, 65)), "`seats`: 1 to 64"
        for n in seats:
            match, _ = step(None, robots(game, n, options))
            assert match.status in ("running", "over")
            assert len(match.game.view(match.state, None).__struct_fields__)
            assert set(match.to_act) <= set(range(n)), "`to_act`: it waits for no seat of the match"
        for n in {seats[0] - 1, seats[-1] + 1} - {0, 65}:
            with pytest.raises(e.Unknown):
                step(None, robots(game, n, options))


def robots(game: Game, n: int, options: Any) -> Line:
    raw, chairs = Raw(e.encode(options)), ("random",) * n
    args = (game.NAME, game.RULES, raw, None, chairs, e.Policy(), "0" * 64)
    return Line(START, e.encode(e.Offered(e.FORMAT, *args)))


# Text and schemas


@games
@seeds
def test_every_fact_comes_back_from_its_bytes_and_can_be_said(game, seed):
    facts = facts_of(game)
    for _, match, verdict in random_match(game, seed):
        for viewer in (None, *every_seat(match), OPEN):
            for fact in heard(verdict, viewer):
                assert facts.decode(json.encode(fact)) == fact, "`Fact`: JSON changes it"
                said = say(game, fact)
                assert isinstance(said, Said), f"`words.say`: it says nothing of {fact}"
                sentence = said.sentence(NAMES)
                plain = sentence.strip() == sentence != "" and "\n" not in sentence
                assert plain, f"`words.say`: a sentence in one line, please: {sentence!r}"
                assert json.decode(json.encode(said))  # it can be sent to be said elsewhere
                for name, value in said.args.items():
                    if name.startswith("seat"):
                        seats = value if isinstance(value, tuple) else (value,)
                        assert {*seats} <= {*every_seat(match)}, f"`words.say`: {name} holds seats"


@games
def test_words_read_moves_and_nothing_else(game):
    for text in TEXTS:
        error = raised(game.words.read, text)
        assert type(error) is ValueError, f"`words.read`: ValueError for {text!r}, not {error!r}"
        assert len(str(error).split()) >= 3, "`words.read`: let the error say what is read"


def raised(ask: Callable[[str], Any], text: str) -> Exception | None:
    try:
        ask(text)
    except Exception as error:
        return error
    return None


@games
def test_schemas_are_published(game):
    for thing in (game.Options, game.Move, game.Fact, game.State):
        assert json.encode(json.schema(thing))
    tags = {one.__struct_config__.tag for one in members(game.Move)}
    assert len(tags) == len(members(game.Move)), "`Move`: give each a `tag` of its own"
    assert not [
        one
        for one in members(game.Fact)
        if one.__struct_config__.tag.startswith("match.") or not one.__struct_config__.frozen
    ], "`Fact`: frozen Structs, with tags that do not begin with `match.`"
    for thing in (game.Options, game.State, *members(game.Move), *members(game.Fact)):
        strict = thing.__struct_config__.frozen and thing.__struct_config__.forbid_unknown_fields
        assert strict, f"`{thing.__name__}`: frozen=True, forbid_unknown_fields=True"


def members(union: Any) -> Iterable[Any]:
    return getattr(union, "__args__", (union,))


@games
def test_refusals_are_published(game):
    assert issubclass(game.No, Refusal), "`No`: a subclass of Refusal"
    assert len(game.No), "`No`: some refusal there must be"
    for no in game.No:
        assert no.name == no.name.upper(), f"`No`: {no.name} in capitals"
        assert no.rule, f"`No`: {no.name} names no rule"
        assert no.says.endswith("."), f"`No`: what {no.name} says must end in a full stop"
        assert "{" not in no.says, f"`No`: {no.name} is a constant, not a template"
    texts = {no.says for no in game.No}
    assert len(texts) == len(game.No.__members__), "`No`: two refusals say the same"


@games
def test_names_and_rules(game):
    assert GAMES[game.NAME] is game
    plain = game.NAME.replace("-", "").isalpha() and game.NAME.lower() == game.NAME
    assert plain, "`NAME`: small letters and hyphens"
    assert game.RULES >= 1, "`RULES`: from 1"
