"""Guests are held to what our own games are: `TURNFOLD_GAMES=coup pytest tests/games`."""

from services.guests import invite

invite()
