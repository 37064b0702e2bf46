"""Tallies: how often something was so in games that have ended, and how they ended; per ruleset and per player.

A tally is a hash of counters. Its fields are a few words with tabs between them, the last of which is the result:
`won`, `lost`, `draw`, `abandoned`; `decided` of a game that some of its players won and the others lost; `by_hand` of
one that adjustments decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from engine.core.plays import PastPlay
from engine.core.values import SEAT_IDS, GameOutcome
from store.errors import Corrupt

ENDING = "ending"
PLAYERS = "players"
ALL = "all"
MONTH, HOUR, MINUTES, PARTNER = "month", "hour", "minutes", "with"
"""When games were opened (`2026-11`; the hour of the day, 0 to 23, both UTC), how many minutes they were played, and
with whom (names, folded)."""
BY_HAND = "by_hand"
OF_EVENINGS = frozenset((MONTH, HOUR, MINUTES, PARTNER))
"""The groups that are about none of what was chosen and played."""

Tally = dict[tuple[str, ...], int]


class Evening(msgspec.Struct, frozen=True):
    """When a game was played, and for how long."""

    opened_at: str
    """RFC 3339."""
    minutes: int


def of_ruleset(outcome: GameOutcome, chosen: Mapping[str, str], parts: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The fields that an ended game counts for in its ruleset's tally: group, value, result.

    Args:
        chosen: the options in words.
        parts: what each seat plays, in words.
    """
    result = game_result(outcome, len(parts))
    fields = [(ALL, "", result), (ENDING, outcome.reason, result), (PLAYERS, str(len(parts)), result)]
    fields += [(title, value, result) for title, value in chosen.items()]
    for seat, part in enumerate(parts):
        fields += [(title, value, seat_result(outcome, seat)) for title, value in part.items()]
    return tuple(map("\t".join, fields))


def of_play(play: PastPlay) -> tuple[str, ...]:
    """The fields that a past play counts for in its ruleset's tally: what is known of it."""
    result = game_result(play.outcome, len(play.parts))
    fields = [(ALL, "", result), (PLAYERS, str(len(play.parts)), result)]
    evening = Evening(play.played_at, play.minutes or 0)
    return (*map("\t".join, fields), *of_evening("", evening, result))


def of_player(
    ruleset: str, outcome: GameOutcome, seat: int, chosen: Mapping[str, str], part: Mapping[str, str]
) -> tuple[str, ...]:
    """The fields that an ended game counts for in the tally of who sat there: ruleset, group, value, result."""
    result = seat_result(outcome, seat)
    fields = [(ruleset, ALL, "", result)]
    fields += [(ruleset, title, value, result) for title, value in {**chosen, **part}.items()]
    return tuple(map("\t".join, fields))


def of_evening(ruleset: str, evening: Evening, result: str) -> tuple[str, ...]:
    """The fields that an ended game counts for by when it was played, and for how long.

    Args:
        ruleset: the first part of each; empty for none, as in a ruleset's own tally.
    """
    try:
        opened = datetime.fromisoformat(evening.opened_at).astimezone(UTC)
    except ValueError:
        # A log from elsewhere may say it otherwise.
        return ()
    values = {MONTH: f"{opened:%Y-%m}", HOUR: str(opened.hour), MINUTES: str(evening.minutes)}
    before = [ruleset] if ruleset else []
    return tuple("\t".join((*before, group, value, result)) for group, value in values.items())


def of_partners(ruleset: str, partners: Sequence[str], result: str) -> tuple[str, ...]:
    """The fields that it counts for by who else was at the table (names, folded)."""
    return tuple("\t".join((ruleset, PARTNER, name.replace("\t", " "), result)) for name in partners)


def standing(ruleset: str, status: str, result: str | None) -> str:
    """The field that a game counts for among all games, from its opening on: ruleset, status, result if it has one."""
    return "\t".join((ruleset, status, result or ""))


def game_result(outcome: GameOutcome, seats: int) -> str:
    """How it ended for the table as a whole."""
    if outcome.by_hand:
        return BY_HAND
    return "decided" if 0 < len(outcome.winners) < seats else outcome.result


def seat_result(outcome: GameOutcome, seat: int) -> str:
    """How it ended for one seat."""
    if outcome.by_hand:
        return BY_HAND
    if SEAT_IDS[seat] in outcome.winners:
        return "won"
    return "lost" if outcome.winners else outcome.result


def together(one: Tally, other: Tally) -> Tally:
    """Both in one."""
    return dict(Counter(one) + Counter(other))


def parse(fields: Mapping[bytes, bytes]) -> Tally:
    """A tally as Redis holds it; what nothing counts for any more is left out.

    Raises:
        Corrupt: it is none.
    """
    try:
        counts = {tuple(field.decode().split("\t")): int(count) for field, count in fields.items()}
    except ValueError as error:
        raise Corrupt(f"a tally does not decode: {error}") from error
    return {field: count for field, count in counts.items() if count > 0}
