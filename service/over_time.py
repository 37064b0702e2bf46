"""How games of a ruleset went month by month: of the newest, or of those among them that were played alike."""

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
"""Games."""


class Month(msgspec.Struct, frozen=True):
    """The games that were opened in a month and played to their end."""

    month: str
    """`2026-11`."""
    games: int
    won: int
    lost: int
    minutes: int
    """Half of them took no longer than that, breaks left out."""
    by_hand: int = 0
    """Decided by adjustments: neither won nor lost."""


class OverTime(msgspec.Struct, frozen=True):
    """The months in order, and by what the games can be told apart."""

    months: list[Month]
    is_whole: bool
    """Whether that is all games; else the newest `LOOKED_BACK`."""
    tables: list[int]
    """How many players there were."""
    title: str | None
    """What a table would name first: its difficulty, its scenario."""
    values: list[str]
    """What that was."""


def of_ruleset(
    store: Store, ruleset: str, *, players: int | None, value: str | None, game_id: str | None = None
) -> OverTime:
    """The months of a ruleset.

    Args:
        players: only tables of so many.
        value: only games of that difficulty, or what else is named first.
        game_id: the only game that there is for whoever asks.
    """
    wanted = Filter(ruleset=ruleset, status="finished", game=game_id)
    found, more = store.projections.find(wanted, limit=LOOKED_BACK)
    alike = [game for game in found if players in (None, len(game.seats)) and value in (None, _named(game)[1])]
    months: dict[str, list[Summary]] = {}
    for game in sorted(alike, key=lambda one: one.played_at):
        months.setdefault(game.played_at[:7], []).append(game)
    named = [_named(game) for game in found]
    return OverTime(
        months=[_month(month, games) for month, games in months.items()],
        is_whole=more is None,
        tables=sorted({len(game.seats) for game in found}),
        title=next((title for title, _ in named if title), None),
        values=sorted({said for _, said in named if said}),
    )


def _named(game: Summary) -> tuple[str, str]:
    """The first of its options, and what was chosen."""
    return next(iter(game.chosen.items()), ("", ""))


def _month(month: str, games: Sequence[Summary]) -> Month:
    results = Counter(game_result(game.outcome, len(game.seats)) for game in games if game.outcome is not None)
    minutes = median_low(game.seconds // 60 for game in games)
    return Month(month, len(games), results["won"], results["lost"], minutes, results[BY_HAND])
