"""Tallies: how often something was so in games that have ended, and how they ended; per ruleset and per player.

A tally is a hash of counters. Its fields are a few words with tabs between them, the last of which is the result:
`won`, `lost`, `draw`, `abandoned`; `decided` of a game that some of its players won and the others lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.core.values import SEAT_IDS, GameOutcome
from store.errors import Corrupt

ENDING = "ending"
PLAYERS = "players"
ALL = "all"

Tally = dict[tuple[str, ...], int]


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


def of_player(
    ruleset: str, outcome: GameOutcome, seat: int, chosen: Mapping[str, str], part: Mapping[str, str]
) -> tuple[str, ...]:
    """The fields that an ended game counts for in the tally of who sat there: ruleset, group, value, result."""
    result = seat_result(outcome, seat)
    fields = [(ruleset, ALL, "", result)]
    fields += [(ruleset, title, value, result) for title, value in {**chosen, **part}.items()]
    return tuple(map("\t".join, fields))


def game_result(outcome: GameOutcome, seats: int) -> str:
    """How it ended for the table as a whole."""
    return "decided" if 0 < len(outcome.winners) < seats else outcome.result


def seat_result(outcome: GameOutcome, seat: int) -> str:
    """How it ended for one seat."""
    if SEAT_IDS[seat] in outcome.winners:
        return "won"
    return "lost" if outcome.winners else outcome.result


def of_game(fields: Sequence[str]) -> Tally:
    """The tally of one game alone."""
    return dict(Counter(tuple(field.split("\t")) for field in fields))


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
