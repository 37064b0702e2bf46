"""The page of a player: latest outcomes, a calendar of evenings, partners, the most frequent loss, and first wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import cast

import msgspec

from api.pages.dates import day, month
from api.pages.record import PAWN
from drawing.palette import PAWNS
from drawing.symbols import outline
from engine.core.language import marked, say
from engine.core.text import search_key
from engine.kit.scene.looks import FORMS, Colour
from service.figures import Figures, GameGroup
from store.library.projections import Summary
from store.library.tallies import seat_result

RESULTS = 12
"""Maximum number of latest outcomes to show."""
WEEKS = 26
_WEEK = 7
_MOST = 3
"""Number of games on a day that give the day the darkest colour."""
_NAMED = 3
_LETTERS = {"won": marked("W"), "lost": marked("L"), "draw": marked("D")}


class ResultLetter(msgspec.Struct, frozen=True):
    """The outcome of a game, as a letter."""

    letter: str
    title: str
    is_won: bool


class First(msgspec.Struct, frozen=True):
    """A first win or a first game, for the page of a player."""

    title: str
    summary: Summary


class PlayerBadge(msgspec.Struct, frozen=True):
    """A pawn in the colour that the player has used most often."""

    corners: list[tuple[float, float]]
    """Empty for a circle."""
    fill: str
    ink: str


class Nemesis(msgspec.Struct, frozen=True):
    """The most frequent cause of lost games: a component, such as a tile, or else the way of losing."""

    ruleset: str
    times: int
    games: int
    """Number of lost games."""
    thing: str | None
    summary: Summary
    """One of the games."""


class Person(msgspec.Struct, frozen=True):
    """The first part of a player's page."""

    since: str
    results: list[ResultLetter]
    """The latest outcomes, oldest first."""
    cells: list[tuple[int, int, int, str]]
    """For each day with games: the week and weekday (numbers from 0), the number of games (at most 3), and the date."""
    months: list[tuple[int, str]]
    """The weeks in which a month begins, each with the month's name."""
    partners: list[tuple[str, GameGroup]]
    badge: PlayerBadge | None
    nemesis: Nemesis | None
    firsts: list[First]


def person(
    figures: Figures,
    results: Sequence[tuple[str, str]],
    games: tuple[Sequence[Summary], Sequence[Summary]],
    partners: Mapping[str, str],
) -> Person:
    """Return the contents of a player's page.

    Args:
        results: the latest outcomes, newest first.
        games: the newest games, and the oldest.
        partners: the other players' names in their latest spelling.
    """
    newest, oldest = games
    days = Counter(date.fromisoformat(at[:10]) for at, _ in results)
    cells, months = _calendar(days)
    often = [share for share in figures.partners if share.games >= _NAMED]
    return Person(
        since=month(figures.months[0].value) if figures.months else "",
        results=[_result(at, result) for at, result in reversed(results[:RESULTS])],
        cells=cells,
        months=months,
        partners=[(partners.get(share.value, share.value), share) for share in often[:_NAMED]],
        badge=_badge(newest, figures.name),
        nemesis=_nemesis([game for game in newest if _result_of(game, figures.name) == "lost"]),
        firsts=_firsts(oldest, figures.name),
    )


def _result(at: str, result: str) -> ResultLetter:
    letter = say(_LETTERS[result]) if result in _LETTERS else "–"
    return ResultLetter(letter, f"{day(at)}: {say(result)}", result == "won")


def _calendar(days: Counter[date]) -> tuple[list[tuple[int, int, int, str]], list[tuple[int, str]]]:
    if not days:
        return [], []
    newest = max(days)
    first = newest - timedelta(days=newest.weekday() + _WEEK * (WEEKS - 1))
    cells = [
        ((one - first).days // _WEEK, one.weekday(), min(count, _MOST), day(one.isoformat()))
        for one, count in sorted(days.items())
        if one >= first
    ]
    mondays = [first + timedelta(days=_WEEK * week) for week in range(WEEKS)]
    # A month's name is as wide as three weeks.
    months = [(week, month(f"{one:%Y-%m}").split()[0]) for week, one in enumerate(mondays) if one.day <= _WEEK]
    return cells, [(week, name) for week, name in months if week <= WEEKS - 3]


def _result_of(game: Summary, name: str) -> str | None:
    seats = [at for at, seat in enumerate(game.names) if search_key(seat) == search_key(name)]
    return seat_result(game.outcome, seats[0]) if game.outcome is not None and seats else None


def _badge(games: Sequence[Summary], name: str) -> PlayerBadge | None:
    had = [
        cast("Colour", colour)
        for game in games
        for seat, colour in zip(game.names, game.colours, strict=False)
        if colour and search_key(seat) == search_key(name)
    ]
    if not had:
        return None
    colour = Counter(had).most_common(1)[0][0]
    return PlayerBadge(list(outline(FORMS[colour], 0, 0, PAWN)), *PAWNS[colour])


def _nemesis(lost: Sequence[Summary]) -> Nemesis | None:
    if len(lost) < _NAMED:
        return None
    things = Counter((game.ruleset, thing) for game in lost for thing in game.losses)
    if things:
        (ruleset, thing), times = things.most_common(1)[0]
        of = [game for game in lost if game.ruleset == ruleset]
        return Nemesis(ruleset, times, len(of), thing, of[0])
    ways = Counter((game.ruleset, game.outcome.reason) for game in lost if game.outcome is not None)
    way, times = ways.most_common(1)[0]
    game = next(one for one in lost if one.outcome is not None and (one.ruleset, one.outcome.reason) == way)
    return Nemesis(game.ruleset, times, len(lost), None, game)


def _firsts(oldest: Sequence[Summary], name: str) -> list[First]:
    firsts = [First(say("First game"), game) for game in oldest[:1]]
    won: dict[str, Summary] = {}
    for game in oldest:
        if _result_of(game, name) == "won":
            won.setdefault(game.ruleset, game)
    return firsts + [First(say("First win"), game) for game in won.values()]
