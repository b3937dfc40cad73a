"""Captain Flip in short: tiles, boards, what is owed, positions and scores, as text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract import Said

from .facts import Score, Seen, View
from .pieces import Draw, EndTurn, FlipAny, FlipBeside, Owed, PayBonus, PlaceDrawn


def tile_text(tile: Seen) -> str:
    """The side that is up, then the back: `Gs`, or `G?` where it is unknown."""
    return tile.up + ("?" if tile.back is None else tile.back.lower())


def board_text(columns: Sequence[Sequence[Seen]]) -> str:
    """Columns a to e, each from the bottom, as in `S?.Ks / - / G? / - / -`."""
    return " / ".join(".".join(map(tile_text, tiles)) or "-" for tiles in columns)


def step_text(step: Owed) -> str:
    match step:
        case PlaceDrawn():
            return "DECIDE"
        case FlipBeside(space):
            return f"MONKEY:{space}"
        case FlipAny():
            return "EFLIP"
        case Draw():
            return "DRAW"
        case PayBonus(space):
            return f"BON:{space}"
        case EndTurn():
            return "END"


def position_text(view: View) -> str:
    """All that is public, as in `A 2p f1 t1 r4 DECIDE map=0 bag=58 hand=K? | 0 $12 … | 1 …`."""
    phase = step_text(view.owed[0]) if view.owed else "OVER"
    at = "-" if view.map_holder is None else view.map_holder
    hand = "" if view.hand is None else f" hand={tile_text(view.hand)}"
    head = f"{view.options.board} {len(view.boards)}p f{view.first} t{view.turn} r{view.round}"
    seats = [
        f"{seat} ${coins} {board_text(board)}"
        for seat, (coins, board) in enumerate(zip(view.coins, view.boards, strict=True))
    ]
    return " | ".join([f"{head} {phase} map={at} bag={view.bag}{hand}", *seats])


def summed(score: Score) -> Said:
    """As in `28 coins +4 S -3 P = 29`; with three Gunners, also that this seat is out."""
    shares: Sequence[tuple[int, str]] = (
        (score.swabbies, "S"),
        (score.carpenters, "W"),
        (score.lookouts, "L"),
        (score.parrots, "P"),
    )
    added: str | Said = "".join(f" {n:+} {of}" for n, of in shares if n)
    if score.columns:
        added = Said("{added} {n} columns", {"added": added, "n": f"{score.columns:+}"})
    args = {"coins": score.coins, "added": added, "total": score.total}
    if score.out:
        said = "{coins} coins{added} = {total}, out with {gunners} Gunners"
        return Said(said, {**args, "gunners": score.gunners})
    return Said("{coins} coins{added} = {total}", args)
