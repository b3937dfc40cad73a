"""The engine: games as pure functions, and the fold that plays them from a log."""

RELEASE = "0.1.0"
