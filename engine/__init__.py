"""The engine: events, chance, piles, the fold, and the rules of every game. It does no I/O; see README.md."""
