"""Statistics of a player over all finished games and logged plays: time, months, hours, partners, streak."""

from __future__ import annotations

from collections import Counter

import msgspec

from engine.core.text import search_key
from engine.core.values import GameOutcome
from store import Store
from store.library.finding import Filter
from store.library.tallies import ALL, BY_HAND, HOUR, MINUTES, MONTH, PARTNER, Scores, Tally, scores, seat_result

LOOKED_BACK = 100
"""Number of newest games in which a streak is counted."""


class GameGroup(msgspec.Struct, frozen=True):
    """A group of games, with their results for the player."""

    value: str
    games: int
    won: int
    lost: int
    by_hand: int
    """Games decided by adjustments, which count neither as won nor as lost."""


class Streak(msgspec.Struct, frozen=True):
    """The same result in each of the most recent games."""

    result: str
    games: int


class Figures(msgspec.Struct, frozen=True):
    """Statistics of a player."""

    name: str
    games: int
    won: int
    lost: int
    by_hand: int
    minutes: int
    """Playing time of all games, without breaks."""
    longest: int
    """Playing time of the longest game, in minutes."""
    streak: Streak | None
    """The current streak, up to 100 games; None if no game has ended."""
    rulesets: list[GameGroup]
    months: list[GameGroup]
    """The games of each month, such as `2026-11`; the earliest month first."""
    hours: list[GameGroup]
    """Games by the hour of their start (UTC) in ascending order; hours without games are omitted."""
    partners: list[GameGroup]
    """Games with each other player (search_key of the name), without hidden names."""
    scores: list[Scores]
    """The player's scores by ruleset and game."""


class _Table(msgspec.Struct, frozen=True):
    at: str
    seats: tuple[str, ...]
    outcome: GameOutcome | None


def of_player(store: Store, name: str, game_id: str | None = None) -> Figures | None:
    """Return the statistics of a player; None if the list has no such player.

    Args:
        game_id: the only game that the caller can see; None: all games.
    """
    tables = _newest(store, name, game_id)
    if not tables:
        return None
    wanted, hidden = search_key(store.projections.person(name, game_id)), store.hiding.search_keys()
    # An alias may change between the two reads. Then some of these games now belong to another player.
    written = next((seat for seat in tables[0].seats if search_key(seat) == wanted), name)
    tally = store.projections.tally("player", name, game_id)
    by_ruleset = _shares({(ALL, key[0], key[3]): count for key, count in tally.items() if key[1] == ALL}, ALL)
    together = _together(tally)
    minutes = {int(share.value): share.games for share in _shares(together, MINUTES)}
    months = _shares(together, MONTH)
    total = _sum(months)
    return Figures(
        name=written,
        games=total.games,
        won=total.won,
        lost=total.lost,
        by_hand=total.by_hand,
        minutes=sum(length * games for length, games in minutes.items()),
        longest=max(minutes, default=0),
        streak=_streak([result for _, result in _results(tables, wanted)]),
        rulesets=by_ruleset,
        months=months,
        hours=sorted(_shares(together, HOUR), key=lambda share: int(share.value)),
        partners=sorted(
            (share for share in _shares(together, PARTNER) if share.value not in hidden),
            key=lambda share: (-share.games, share.value),
        ),
        scores=[
            one
            for ruleset in sorted({ruleset for ruleset, *_ in tally})
            for one in scores(ruleset, {tuple(rest): count for (of, *rest), count in tally.items() if of == ruleset})
        ],
    )


def results(store: Store, name: str, game_id: str | None = None) -> list[tuple[str, str]]:
    """Return the time and result of each of the player's most recent ended games, newest first."""
    return _results(_newest(store, name, game_id), search_key(store.projections.person(name, game_id)))


def _newest(store: Store, name: str, game_id: str | None) -> list[_Table]:
    found, _ = store.projections.find(Filter(player=name, game=game_id), limit=LOOKED_BACK)
    wanted = search_key(store.projections.person(name, game_id))
    is_shown = game_id is None and wanted not in store.hiding.search_keys()
    past = store.plays.newest_of(wanted, LOOKED_BACK) if is_shown else []
    tables = [_Table(game.played_at, game.names, game.outcome) for game in found]
    tables += [_Table(entry.play.played_at, entry.people, entry.play.outcome) for entry in past]
    return sorted(tables, key=lambda table: table.at, reverse=True)


def _results(tables: list[_Table], wanted: str) -> list[tuple[str, str]]:
    found = []
    for table in tables[:LOOKED_BACK]:
        seats = [at for at, seat in enumerate(table.seats) if search_key(seat) == wanted]
        if table.outcome is not None and seats:
            found.append((table.at, seat_result(table.outcome, seats[0])))
    return found


def summed_results(tally: Tally) -> GameGroup:
    """Return the total of a player's statistics over all games."""
    return _sum(_shares(_together(tally), MONTH))


def _sum(months: list[GameGroup]) -> GameGroup:
    names = ("games", "won", "lost", "by_hand")
    return GameGroup(ALL, *(sum(getattr(share, name) for share in months) for name in names))


def _together(tally: Tally) -> Tally:
    total: Counter[tuple[str, ...]] = Counter()
    for (_, *rest), count in tally.items():
        total[tuple(rest)] += count
    return dict(total)


def _shares(tally: Tally, wanted: str) -> list[GameGroup]:
    counts: dict[str, Counter[str]] = {}
    for (group, value, result), count in tally.items():
        if group == wanted:
            counts.setdefault(value, Counter())[result] += count
    return [
        GameGroup(value, one.total(), one["won"], one["lost"], one[BY_HAND]) for value, one in sorted(counts.items())
    ]


def _streak(results: list[str]) -> Streak | None:
    if not results:
        return None
    length = next((at for at, result in enumerate(results) if result != results[0]), len(results))
    return Streak(results[0], length)
