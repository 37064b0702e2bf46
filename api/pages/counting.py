"""Number of games for each choice of the library's filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from engine.core.language import plural, say
from engine.kit.words import thousands
from store.library.ordering import COUNTED, Standings


class Counts(msgspec.Struct, frozen=True):
    """The number of games for each choice of a filter, if the other filters stay as they are.

    Empty if there are very many games.
    """

    total: int | None
    rulesets: Mapping[str, int]
    standings: Mapping[str, int]

    @property
    def whole(self) -> str:
        """The total in words: '1 game', '2,400 games', 'more than 500 games'."""
        if self.total is None:
            return say("more than {count} games", count=COUNTED)
        return f"{thousands(self.total)} {plural(self.total, 'game', 'games')}"


def counts(told: Standings, ruleset: str | None, standing: str | None) -> Counts:
    """Count games by ruleset and by standing, which is the result, or else the status.

    Args:
        ruleset, standing: the current filters; None: no filter.
    """
    if not told.is_whole:
        return Counts(None, {}, {})
    rulesets: Counter[str] = Counter()
    standings: Counter[str] = Counter()
    total = 0
    for (its_ruleset, status, result), games in told.counts.items():
        stands = result or status
        if standing in (None, stands):
            rulesets[its_ruleset] += games
        if ruleset in (None, its_ruleset):
            standings[stands] += games
        if standing in (None, stands) and ruleset in (None, its_ruleset):
            total += games
    return Counts(total, rulesets, standings)
