"""Statistics for pages: numbers of games, results, and their uncertainty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt

import msgspec

from api.pages.dates import month
from engine.core.language import marked, say
from service.figures import Figures
from service.over_time import OverTime
from store.library.tallies import ALL, BY_HAND, ENDING, OF_EVENINGS, PLAYERS, SCORE, Tally

FEW = 10
"""Minimum number of games for a meaningful percentage."""
HOURS = marked("time of day")
"""The title of the group by hour. The hours are in UTC until a script converts them to local time."""
_Z = 1.96


class StatisticsRow(msgspec.Struct, frozen=True):
    """A row of a table of outcomes, for example the outcomes of all games with one difficulty."""

    value: str
    games: int
    won: int
    lost: int
    other: int
    """Games that were drawn, abandoned, or won by some of the players."""
    by_hand: int = 0
    """Games decided by adjustments, which count neither as won nor as lost."""

    @property
    def decided_count(self) -> int:
        """Number of games that were won or lost."""
        return self.won + self.lost

    @property
    def percent(self) -> int | None:
        """The percentage of wins; None if no games were won or lost."""
        return round(100 * self.won / self.decided_count) if self.decided_count else None

    @property
    def interval(self) -> tuple[int, int] | None:
        """The likely range of the percentage: Wilson's interval at 95 %."""
        n = self.decided_count
        if n == 0:
            return None
        p = self.won / n
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        spread = _Z / (1 + _Z**2 / n) * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        return round(100 * max(0.0, middle - spread)), round(100 * min(1.0, middle + spread))

    @property
    def is_small(self) -> bool:
        """True if there are so few games that the page must warn."""
        return self.decided_count < FEW


class Group(msgspec.Struct, frozen=True):
    """A table of results with a row for each value of one property of the games, such as the difficulty."""

    title: str
    rows: list[StatisticsRow]

    @property
    def games(self) -> int:
        """The number of games in the row that has most."""
        return max((row.games for row in self.rows), default=0)

    @property
    def is_judged(self) -> bool:
        """True if any of the games was won or lost."""
        return any(row.decided_count for row in self.rows)


def groups(tally: Tally, order: Iterable[tuple[str, str]] = ()) -> dict[str, Group]:
    """Return the rows of a tally with fields (group, value, result), by group.

    Args:
        order: groups and values to list first, in this order. All other ones follow by name.
    """
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for (group, value, result), count in tally.items():
        counts.setdefault(group, {}).setdefault(value, {})[result] = count
    places = {pair: place for place, pair in enumerate(order)}
    firsts = {group: place for (group, _), place in reversed(places.items())}
    found: dict[str, Group] = {}
    for group in sorted(counts, key=lambda one: (firsts.get(one, len(places)), one)):
        values = sorted((places.get((group, value), len(places)), value) for value in counts[group])
        title = say("players") if group == PLAYERS else say(group)
        found[group] = Group(title, [_row(value, counts[group][value]) for _, value in values])
    return found


def common_groups(figures: Figures, written: Mapping[str, str]) -> list[Group]:
    """Return a player's games by month, by time of day, and by the other players.

    Args:
        written: the other players' names, each in its latest spelling.
    """
    parts_ = (
        (marked("month"), [(month(one.value), one) for one in figures.months]),
        (HOURS, [(f"{int(one.value):02}:00", one) for one in figures.hours]),
        (marked("partner"), [(written.get(one.value, one.value), one) for one in figures.partners]),
    )
    return [
        Group(
            say(title),
            [_results_row(said, one.games, one.won, one.lost, one.by_hand) for said, one in shares],
        )
        for title, shares in parts_
        if shares
    ]


def months(told: OverTime) -> Group:
    """Return the games of a ruleset by month."""
    rows = [_results_row(month(one.month), one.games, one.won, one.lost, one.by_hand) for one in told.months]
    return Group(say("month"), rows)


def whole(found: dict[str, Group]) -> StatisticsRow:
    """Return the total of a tally."""
    return found[ALL].rows[0] if ALL in found else StatisticsRow("", 0, 0, 0, 0)


def parts(found: dict[str, Group]) -> list[Group]:
    """Return the groups by option and by other properties of games."""
    return [group for title, group in found.items() if title not in {ALL, ENDING, PLAYERS, SCORE} | OF_EVENINGS]


def _row(value: str, results: dict[str, int]) -> StatisticsRow:
    won, lost, by_hand = (results.get(result, 0) for result in ("won", "lost", BY_HAND))
    return _results_row(say(value), sum(results.values()), won, lost, by_hand)


def _results_row(value: str, games: int, won: int, lost: int, by_hand: int) -> StatisticsRow:
    return StatisticsRow(value, games, won, lost, games - won - lost - by_hand, by_hand)
