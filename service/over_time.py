"""Monthly results of the newest games of a ruleset, filtered by number of players and main option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median_low

import msgspec

from store import Store
from store.library.finding import Filter
from store.library.summaries import Summary
from store.library.tallies import BY_HAND, game_result

LOOKED_BACK = 500
"""Number of newest games that are counted."""


class Month(msgspec.Struct, frozen=True):
    """The games opened in one month and played to their end."""

    month: str
    """`2026-11`."""
    games: int
    won: int
    lost: int
    minutes: int
    """Median playing time, without breaks."""
    by_hand: int = 0
    """Games decided by adjustments, which count neither as won nor as lost."""


class OverTime(msgspec.Struct, frozen=True):
    """Statistics by month, in order, with the values to which they can be limited."""

    months: list[Month]
    is_whole: bool
    """True if all games are counted; False if only the newest `LOOKED_BACK` are counted."""
    tables: list[int]
    """The numbers of players in these games."""
    title: str | None
    """The title of the main option, such as the difficulty or the scenario."""
    values: list[str]
    """The values of the main option in these games."""


def of_ruleset(
    store: Store, ruleset: str, *, players: int | None, value: str | None, game_id: str | None = None
) -> OverTime:
    """Return the statistics of a ruleset by month.

    Args:
        players: only count games with this number of players.
        value: only count games with this value of the main option.
        game_id: the only game that the caller can see; None: all games.
    """
    wanted = Filter(ruleset=ruleset, status="finished", game=game_id)
    found, more = store.projections.find(wanted, limit=LOOKED_BACK)
    alike = [game for game in found if players in (None, len(game.seats)) and value in (None, _main_option(game)[1])]
    months: dict[str, list[Summary]] = {}
    for game in sorted(alike, key=lambda one: one.played_at):
        months.setdefault(game.played_at[:7], []).append(game)
    named = [_main_option(game) for game in found]
    return OverTime(
        months=[_month(month, games) for month, games in months.items()],
        is_whole=more is None,
        tables=sorted({len(game.seats) for game in found}),
        title=next((title for title, _ in named if title), None),
        values=sorted({said for _, said in named if said}),
    )


def _main_option(game: Summary) -> tuple[str, str]:
    return next(iter(game.chosen.items()), ("", ""))


def _month(month: str, games: Sequence[Summary]) -> Month:
    results = Counter(game_result(game.outcome, len(game.seats)) for game in games if game.outcome is not None)
    minutes = median_low(game.seconds // 60 for game in games)
    return Month(month, len(games), results["won"], results["lost"], minutes, results[BY_HAND])
