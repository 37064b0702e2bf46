"""The engine: events, chance, piles, the fold, and the rules of every game. Pure; see README.md."""
