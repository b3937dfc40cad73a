"""Leaks of Captain Flip, planted on purpose."""

from msgspec.structs import replace

from engine.contract import OPEN, Told, put
from engine.games.captain_flip.facts import Drew, HandFlipped, Placed, Score, Seen
from engine.games.captain_flip.pieces import No
from tests.games.sabotage import Leak, retold, seen, untold, with_eyes_of


def unseen(s) -> int:
    """A secret: how many of the backs that nobody has seen are Gunners?"""
    laid = [tile for board in s.boards for column in board for tile in column]
    hand = [] if s.hand is None else [s.hand]
    return sum(tile.back == "G" for tile in (*laid, *hand) if not tile.seen)


def coming(s) -> int:
    """A secret: does the tile to be drawn next lie with a letter up from A to L?"""
    return sum(tile.up < "M" for tile in s.bag[:1])


def under(s) -> bool:
    """A secret: is the back of the tile in hand one that helps?"""
    return s.hand is not None and not s.hand.seen and s.hand.back in "GKN"


def view(change):
    """A view that also shows what `change(view, state)` says of the state."""
    return seen(lambda view, s, viewer: replace(view, **change(view, s)))


def first_back(view, s):
    """The boards with the back of the first tile of the first column that has one."""
    boards = view.boards
    for seat, board in enumerate(s.boards):
        for c, column in enumerate(board):
            if column and not column[0].seen:
                tile = replace(boards[seat][c][0], back=column[0].back)
                return put(boards, seat, put(boards[seat], c, put(boards[seat][c], 0, tile)))
    return boards


def sorted_by_back(view, s):
    """Who looks at the order of a column learns nothing, unless it is that of the backs."""
    return tuple(
        tuple(
            tuple(
                tile for tile, _ in sorted(zip(shown, true, strict=True), key=lambda p: p[1].back)
            )
            for shown, true in zip(columns, board, strict=True)
        )
        for columns, board in zip(view.boards, s.boards, strict=True)
    )


def own_backs(view, s, viewer):
    """A seat sees the backs of its own board, which at the table it could peek at."""
    if not isinstance(viewer, int):
        return view
    mine = tuple(tuple(Seen(t.up, t.back) for t in column) for column in s.boards[viewer])
    return replace(view, boards=put(view.boards, viewer, mine))


def drawer_peeks(view, s, viewer):
    if s.hand is None or viewer != s.turn:
        return view
    return replace(view, hand=Seen(s.hand.up, s.hand.back))


def foresees(score: Score, more: int) -> Score:
    return replace(score, total=score.total + 100 * more)


def tells(kind, change):
    """A fact of this kind, changed by `change(fact, state, *arguments)`."""

    def planted(honest):
        def play(s, *args):
            def told(t):
                return Told(change(t.fact, s, *args)) if isinstance(t.fact, kind) else t

            return (yield from retold(told)(honest)(s, *args))

        return play

    return planted


def also_tells_the_next(honest):
    def draw(s, by):
        if len(s.bag) > 1:
            yield Told(Drew(s.turn, s.bag[1].up))
        return (yield from honest(s, by))

    return draw


def also_tells_the_back(honest):
    def place(s, c):
        yield Told(HandFlipped(s.turn, s.hand.back))
        return (yield from honest(s, c))

    return place


def peeks_before_it_flips(honest):
    """The default, and only it, looks at the back."""

    def legal(s, seat):
        moves = list(honest(s, seat))
        return moves[::-1] if under(s) else moves

    return legal


LEAKS = [
    Leak("all see all backs", "rules.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see all backs", "rules.view", with_eyes_of(lambda v: OPEN if v is None else v)),
    Leak("one back is shown", "rules.view", view(lambda v, s: {"boards": first_back(v, s)})),
    Leak("a seat sees the backs of its own board", "rules.view", seen(own_backs)),
    Leak(
        "just the backs that nobody has seen are shown",
        "rules.seen",
        lambda honest: lambda tile, back: honest(tile, not back),
    ),
    Leak("who draws peeks at the back", "rules.view", seen(drawer_peeks)),
    Leak(
        "tiles are sent in the order of their backs",
        "rules.view",
        view(lambda v, s: {"boards": sorted_by_back(v, s)}),
    ),
    Leak(
        "the size of the bag says what is drawn next",
        "rules.view",
        view(lambda v, s: {"bag": 2 * v.bag + coming(s)}),
    ),
    Leak(
        "the round says whether the back in hand helps",
        "rules.view",
        view(lambda v, s: {"round": v.round + 100 * under(s)}),
    ),
    Leak(
        "the total counts Gunners that nobody has seen",
        "rules.view",
        view(lambda v, s: {"scores": tuple(foresees(score, unseen(s)) for score in v.scores)}),
    ),
    Leak(
        "what is owed says whether the back in hand helps",
        "rules.view",
        view(lambda v, s: {"owed": v.owed[: len(v.owed) - under(s)]}),
    ),
    Leak(
        "a flip is not offered when it would not help",
        "moves.legal",
        seen(lambda moves, s, seat: [m for i, m in enumerate(moves) if i or under(s)]),
    ),
    Leak("the order of moves says whether a flip helps", "moves.legal", peeks_before_it_flips),
    Leak(
        "a column is not offered when a good tile comes next",
        "moves.legal",
        seen(lambda moves, s, seat: list(moves)[: None if coming(s) else -1]),
    ),
    Leak(
        "a refusal says what comes next",
        "moves.allows",
        seen(lambda no, s, seat, move: No.NO_COIN if no and coming(s) else no),
    ),
    Leak(
        "off turn a refusal says whether the back in hand helps",
        "moves.allows",
        seen(lambda no, s, seat, m: No.TARGET_OWED if seat != s.turn and under(s) else no),
    ),
    Leak(
        "a column is closed when the back in hand helps",
        "moves.closed",
        seen(lambda no, s, column: No.COLUMN_FULL if column == "a" and under(s) else no),
    ),
    Leak("the tile after the next is told", "rules.draw", also_tells_the_next),
    Leak("the back of a tile that was kept is told", "rules.place", also_tells_the_back),
    Leak(
        "it is told from which side a tile was placed",
        "rules.place",
        tells(Placed, lambda fact, s, c: replace(fact, up=s.hand.back)),
    ),
    Leak("a tile is drawn, but nobody is told", "rules.draw", untold(Drew)),
    Leak("a tile in hand is flipped, but nobody is told", "rules.flip_hand", untold(HandFlipped)),
]
