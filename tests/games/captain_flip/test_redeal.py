"""Are the other worlds of Captain Flip worlds, and other ones?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import captain_flip
from engine.games.captain_flip.pieces import Flip, Options, Place, State, Tile
from tests.games.captain_flip.redeal import disguise, laid, redeal

MATCHES = (
    (Options("A"), 2),
    (Options("B", seen_backs="hidden"), 5),
    (Options("C"), 3),
    (Options("D", seen_backs="hidden"), 4),
    (Options("E"), 5),
    (Options("E", solo=True), 1),
)
FACES = "CNKGMPSWL"
ALL = Counter({frozenset(a + b): 2 for a in FACES for b in FACES if a < b})


def played(options: Options, seats: int) -> Iterator[State]:
    """Every state of a match at random."""
    dice = Dice(b"played" + bytes(26), seats)
    s, _ = hear(captain_flip.setup(options, seats, dice))
    while not s.over:
        yield s
        moves = list(captain_flip.legal(s, s.turn))
        s, _ = hear(captain_flip.apply(s, s.turn, moves[dice.below(len(moves))], dice))
    yield s


def pairs(tiles: Iterable[Tile]) -> Counter[frozenset[str]]:
    return Counter(frozenset((tile.up, tile.back)) for tile in tiles)


def public(tile: Tile | None) -> Any:
    return tile and (tile.up, tile.back if tile.seen else None, tile.seen)


def known(s: State) -> Any:
    """What is left of it when all is left out that nobody knows."""
    boards = [[[public(tile) for tile in column] for column in board] for board in s.boards]
    return replace(s, bag=(), boards=(), hand=None), boards, public(s.hand), len(s.bag)


def unseen(s: State) -> int:
    return sum(not tile.seen for tile in laid(s))


def tiles(text: str) -> tuple[Tile, ...]:
    """As in `GS* KN`: the face that is up, its back, and a star if that was seen."""
    return tuple(Tile(word[0], word[1], word.endswith("*")) for word in text.split())


def lying(text: str, bag: str = "") -> State:
    """A state with one of these tiles on each column of a board, and this bag."""
    columns = tuple((tile,) for tile in tiles(text))
    board = columns + ((),) * (5 - len(columns))
    return State(Options(), 0, 0, tiles(bag), (board, ((),) * 5), (0, 0), over=True)


def worlds(s: State, n: int = 200) -> Counter[str]:
    """The backs in so many other worlds, in the order of the tiles."""
    dice = Dice(b"worlds" + bytes(26), 0)
    return Counter("".join(t.back for t in laid(redeal(s, None, dice))) for _ in range(n))


@pytest.mark.parametrize(("options", "seats"), MATCHES)
def test_redeal_is_a_world_the_viewer_cannot_tell_apart(options: Options, seats: int) -> None:
    dice = Dice(b"redeal" + bytes(26), seats)
    backs = bags = nexts = total = 0
    for s in played(options, seats):
        for viewer in (*range(seats), None):
            other = redeal(s, viewer, dice)
            assert pairs((*laid(other), *other.bag)) == pairs((*laid(s), *s.bag)) == ALL
            assert known(other) == known(s)
            assert not any(tile.seen for tile in other.bag)
            backs += not unseen(s) or [*laid(other)] != [*laid(s)]
            bags += pairs(other.bag) != pairs(s.bag)
            nexts += [tile.up for tile in other.bag[:1]] != [tile.up for tile in s.bag[:1]]
            total += 1
    assert backs > 0.9 * total  # at first there is but one back, and seven others it may be
    assert bags > 0.8 * total
    assert 0.3 * total < nexts < 0.6 * total  # every other time the next face is the same


def test_at_first_the_back_in_hand_may_be_any_other_face_alike() -> None:
    s = next(played(Options(), 2))
    assert s.hand is not None
    found = worlds(s, 1600)
    assert set(found) == set(FACES) - {s.hand.up}
    assert all(140 < n < 260 for n in found.values())


def test_the_next_tile_may_be_any_either_way_up() -> None:
    s, dice = next(played(Options(), 2)), Dice(bytes(32), 0)
    found = Counter(redeal(s, 0, dice).bag[0] for _ in range(2000))
    others = [tile for tile in found if tile.up != s.bag[0].up]  # all but what is kept on purpose
    assert len(others) == (len(FACES) - 1) ** 2
    assert max(found[tile] for tile in others) < 6 * min(found[tile] for tile in others)


def test_no_back_is_on_a_tile_of_which_all_were_seen() -> None:
    assert set(worlds(lying("GK GS* SG*", bag="GN LK SW"))) == {"KSG", "NSG"}


def test_with_the_bag_empty_the_backs_change_places_where_they_fit() -> None:
    assert set(worlds(lying("CN CK NK"))) == {"NKK", "KNK"}  # two of them may, NK may not
    assert set(worlds(lying("CN NK KC"))) == {"NKC", "KCN"}  # all three or none
    assert set(worlds(lying("CN GS"))) == {"NS"}


def test_what_was_flipped_in_hand_stays_and_what_was_not_is_dealt_anew() -> None:
    s, dice = next(played(Options(), 2)), Dice(bytes(32), 0)
    flipped, _ = hear(captain_flip.apply(s, s.turn, Flip(), dice))
    assert {redeal(flipped, s.turn, dice).hand for _ in range(50)} == {flipped.hand}
    assert len({redeal(s, s.turn, dice).hand for _ in range(50)}) > 5


@pytest.mark.parametrize("move", [Flip(), Place("c")])
def test_a_move_hides_nothing(move: Flip | Place) -> None:
    s = next(played(Options(), 2))
    assert disguise(s, s.turn, move, Dice(bytes(32), 0)) == move
