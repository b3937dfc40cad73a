"""The games we have. Adding one is adding its name here."""

from engine.contract import Game
from engine.games import captain_flip, flipology, flipout, high_card, qwirkle, uno_flip

GAMES: dict[str, Game] = {
    game.NAME: game for game in (high_card, qwirkle, captain_flip, flipology, flipout, uno_flip)
}
