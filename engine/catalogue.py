"""The games we have. Adding one is adding its line here."""

from importlib import import_module

from engine.contract import Game

OURS = """
    engine.games.high_card
    engine.games.qwirkle
    engine.games.captain_flip
    engine.games.flipology
    engine.games.flipout
    engine.games.uno_flip
"""

GAMES: dict[str, Game] = {}  # by name; of each the newest version
EARLIER: dict[tuple[str, int], Game] = {}  # by name and rules: what goes on as it began


def add(path: str) -> Game:
    """Put the game of this module among them; ValueError if it is none, or its name is taken."""
    game: Game = import_module(path)
    if not hasattr(game, "NAME"):
        raise ValueError("it offers no NAME, so it is no game")
    before: tuple[Game, ...] = getattr(game, "EARLIER", ())
    for old in before:
        if old.NAME != game.NAME or old.RULES >= game.RULES:
            raise ValueError(f"{old.NAME} by rules {old.RULES} is no earlier version of it")
    if GAMES.setdefault(game.NAME, game) is not game:
        raise ValueError(f"there is a game {game.NAME} already")
    EARLIER.update({(old.NAME, old.RULES): old for old in before})
    return game


def version(name: str, rules: int) -> Game | None:
    """The game of this name by these rules; None if this release lacks it."""
    game = GAMES.get(name)
    return game if game is None or rules == game.RULES else EARLIER.get((name, rules))


def versions(name: str) -> tuple[Game, ...]:
    """All that this release has of a game, the newest first."""
    old = sorted(rules for game, rules in EARLIER if game == name)
    return (GAMES[name], *(EARLIER[name, rules] for rules in reversed(old)))


for path in OURS.split():
    add(path)
