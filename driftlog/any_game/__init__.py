"""Any game from a box: a ruleset that records a game of which only the components are described.

- `box`: the description, as in event 1; `short_forms`, `table`: the components written out
- `state`, `stuff`: the things on the table, and the odds of face-down ones
- `acting`, `moving`, `playing`: the actions
- `facts`, `overview`, `words`, `board`: corrections, checks, texts and the picture
- `ruleset`: the ruleset, and its names for a box

It imports `driftlog.kit` only, as every ruleset outside of the engine.
"""

from driftlog.any_game.ruleset import AnyGame

__all__ = ["ANY_GAME", "RULESETS", "AnyGame"]

ANY_GAME = AnyGame()
RULESETS = (ANY_GAME,)
