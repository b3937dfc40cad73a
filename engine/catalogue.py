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

GAMES: dict[str, Game] = {}  # by name


def add(path: str) -> Game:
    """Put the game of this module among them; ValueError if it is none, or its name is taken."""
    game: Game = import_module(path)
    if not hasattr(game, "NAME"):
        raise ValueError("it offers no NAME, so it is no game")
    if GAMES.setdefault(game.NAME, game) is not game:
        raise ValueError(f"there is a game {game.NAME} already")
    return game


for path in OURS.split():
    add(path)
