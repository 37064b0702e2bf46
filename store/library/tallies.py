"""Tallies: statistics of ended games per ruleset and per player.

A tally is a hash of counters. The name of a field consists of a few words separated by tabs. The last word is the
result: `won`, `lost`, `draw` or `abandoned`; `decided` if some players won and the others lost; `by_hand` if
adjustments decided the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from engine.core.plays import PastPlay
from engine.core.values import SEAT_IDS, GameOutcome
from store.errors import Corrupt

ENDING = "ending"
PLAYERS = "players"
ALL = "all"
MONTH, HOUR, MINUTES, PARTNER = "month", "hour", "minutes", "with"
"""Groups of fields: month of opening (`2026-11`), hour of opening (0 to 23; both UTC), minutes played, other player."""
SCORE = "score"
"""Group of fields: score and name of the game, such as `31 Just scores`; no name if it equals the ruleset's."""
BY_HAND = "by_hand"
OF_EVENINGS = frozenset((MONTH, HOUR, MINUTES, PARTNER))
"""The groups about when, how long and with whom a game was played."""

Tally = dict[tuple[str, ...], int]


class Evening(msgspec.Struct, frozen=True):
    """Time and duration of a game."""

    opened_at: str
    """Time of opening, RFC 3339."""
    minutes: int


class Scores(msgspec.Struct, frozen=True):
    """The scores in one game."""

    ruleset: str
    game: str
    """The name of the game; empty if the ruleset has the same name."""
    count: int
    """Number of scores."""
    lowest: int
    mean: float
    highest: int


def of_ruleset(outcome: GameOutcome, chosen: Mapping[str, str], parts: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Return the fields that count an ended game in its ruleset's tally: group, value, result.

    Args:
        chosen: the options, in words.
        parts: the role of each seat, in words.
    """
    result = game_result(outcome, len(parts))
    fields = [(ALL, "", result), (ENDING, outcome.reason, result), (PLAYERS, str(len(parts)), result)]
    fields += [(title, value, result) for title, value in chosen.items()]
    for seat, part in enumerate(parts):
        fields += [(title, value, seat_result(outcome, seat)) for title, value in part.items()]
    return tuple(map("\t".join, fields))


def of_play(play: PastPlay) -> tuple[str, ...]:
    """Return the fields that count a logged play in its ruleset's tally. Fields with unknown values are omitted."""
    result = game_result(play.outcome, len(play.parts))
    fields = [(ALL, "", result), (PLAYERS, str(len(play.parts)), result)]
    evening = Evening(play.played_at, play.minutes or 0)
    scores = (field for seat in range(len(play.parts)) for field in of_score("", play.game, play.outcome, seat))
    return (*map("\t".join, fields), *of_evening("", evening, result), *scores)


def of_player(
    ruleset: str, outcome: GameOutcome, seat: int, chosen: Mapping[str, str], part: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the fields that count an ended game in the tally of one player: ruleset, group, value, result."""
    result = seat_result(outcome, seat)
    fields = [(ruleset, ALL, "", result)]
    fields += [(ruleset, title, value, result) for title, value in {**chosen, **part}.items()]
    return tuple(map("\t".join, fields))


def of_evening(ruleset: str, evening: Evening, result: str) -> tuple[str, ...]:
    """Return the fields that count a game by its time and duration.

    The fields begin with `ruleset`, unless `ruleset` is empty.
    """
    try:
        opened = datetime.fromisoformat(evening.opened_at).astimezone(UTC)
    except ValueError:
        # The time in an imported log may have another format.
        return ()
    values = {MONTH: f"{opened:%Y-%m}", HOUR: str(opened.hour), MINUTES: str(evening.minutes)}
    before = [ruleset] if ruleset else []
    return tuple("\t".join((*before, group, value, result)) for group, value in values.items())


def of_partners(ruleset: str, partners: Sequence[str], result: str) -> tuple[str, ...]:
    """Return the fields that count a player's game for each of the other players (search keys of their names)."""
    return tuple("\t".join((ruleset, PARTNER, name.replace("\t", " "), result)) for name in partners)


def of_score(ruleset: str, game: str, outcome: GameOutcome, seat: int) -> tuple[str, ...]:
    """Return the field that counts a seat's score; empty if the game has no scores, or if adjustments decided it.

    Args:
        ruleset: the first word of the field; empty to omit this word.
        game: the name of the game; empty if the ruleset has the same name.
    """
    if not outcome.scores or outcome.by_hand:
        return ()
    name = game.replace("\t", " ")
    field = (SCORE, f"{outcome.scores[seat]} {name}", seat_result(outcome, seat))
    return ("\t".join((ruleset, *field) if ruleset else field),)


def scores(ruleset: str, tally: Tally) -> list[Scores]:
    """Return the scores of each game in a ruleset's tally, by name."""
    found: dict[str, Counter[int]] = {}
    for (group, value, _), count in tally.items():
        if group == SCORE:
            score, _, game = value.partition(" ")
            found.setdefault(game, Counter())[int(score)] += count
    return [
        Scores(ruleset, game, one.total(), min(one), round(sum(one.elements()) / one.total(), 1), max(one))
        for game, one in sorted(found.items())
    ]


def standing(ruleset: str, status: str, result: str | None) -> str:
    """Return the field that counts a game in the tally of all games: ruleset, status, and the result if it has one."""
    return "\t".join((ruleset, status, result or ""))


def game_result(outcome: GameOutcome, seats: int) -> str:
    """Return the outcome of a game for its players as a group."""
    if outcome.by_hand:
        return BY_HAND
    return "decided" if 0 < len(outcome.winners) < seats else outcome.result


def seat_result(outcome: GameOutcome, seat: int) -> str:
    """Return the result for one seat."""
    if outcome.by_hand:
        return BY_HAND
    if SEAT_IDS[seat] in outcome.winners:
        return "won"
    return "lost" if outcome.winners else outcome.result


def together(many: Iterable[Tally]) -> Tally:
    """Return the sum of tallies."""
    return dict(sum(map(Counter, many), Counter()))


def parse(fields: Mapping[bytes, bytes]) -> Tally:
    """Parse a stored tally, without counters that are zero; raise `Corrupt` if it is damaged."""
    try:
        counts = {tuple(field.decode().split("\t")): int(count) for field, count in fields.items()}
    except ValueError as error:
        raise Corrupt(f"a tally cannot be decoded: {error}") from error
    return {field: count for field, count in counts.items() if count > 0}
