"""One package a game. None knows another, the fold, players, Redis or HTTP."""
