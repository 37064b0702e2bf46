"""Any game from a box: a ruleset that needs only a description of the game's components, not its rules.

- `box`: the description, as in event 1; `short_forms`, `table`: the components written out
- `state`, `stuff`: the things on the table, and the odds of face-down ones
- `acting`, `moving`, `playing`: the actions
- `facts`, `overview`, `words`, `board`: corrections, checks, texts and the picture
- `ruleset`: the ruleset, and its names for a box

Like every ruleset outside of the engine, it imports only `driftlog.kit`.
"""

from driftlog.any_game.ruleset import AnyGame

__all__ = ["ANY_GAME", "RULESETS", "AnyGame"]

ANY_GAME = AnyGame()
RULESETS = (ANY_GAME,)
