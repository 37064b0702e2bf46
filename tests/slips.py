"""Plant slips in games, and collect how the record explains them.

The table's own state is the truth. After the slip the table plays by the rules, and the record asks for an explanation
at the first event that is illegal by the recorded state.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence

import msgspec

from engine.core.errors import EngineError, IllegalAction
from engine.core.events import Draft, Event, Proposal
from tests.planting import SLIPS, Honest, Matches, Slipped

KINDS = (
    "skipped_step",
    "late_step",
    "swapped_steps",
    "one_too_many",
    "other_player",
    "wrong_player",
    "wrong_result",
    "missed_reshuffle",
    "unnoticed_end",
    "house_rule",
)
AFTER = 12
"""Number of honest events after a slip."""
LATEST = 45
"""Maximum number of events before a slip."""
LONGEST = 400
"""Maximum number of events until the end of a game."""
TRIES = (20, 200)
"""Number of events at which to try a slip of a usual kind, and of a rare kind."""


class Planted(msgspec.Struct):
    """The result of one planted slip."""

    kind: str
    is_noticed: bool = False
    rank: int | None = None
    """The rank of the planted slip among the explanations; None if it is not among them."""
    marks: int = 0
    """Number of honest events that were rejected after the explanation."""
    asked: list[float] = []
    """Seconds of processor time of each rejection, including its explanations."""
    is_fair: bool = True
    """True if each explanation that was recorded marks only a player who slipped."""
    told: str = ""
    """The explanations, for the message of a test."""
    events: list[Event] = []
    """The log, with the slip as it was explained."""


def plant(ruleset_id: str, kind: str, seed: int) -> Planted | None:
    """Plant a slip in a game, and return the result; None if the game has no place for it."""
    table = Honest(ruleset_id, f"{ruleset_id} {kind} {seed}")
    before = table.rng.randrange(5, LATEST)
    if kind == "unnoticed_end":
        return _past_the_end(table)
    slip = _slip(table, kind) if _play(table, before) else None
    return None if slip is None else follow(table, kind, *slip)


def plant_several(ruleset_id: str, kinds: Sequence[str], seed: int) -> Planted | None:
    """Plant a slip of each kind, one as soon as possible after the other; None if there is no place for one of them."""
    table = Honest(ruleset_id, f"{ruleset_id} {kinds} {seed}")
    if not _play(table, table.rng.randrange(5, LATEST)):
        return None
    table.pending = []
    planted: list[Matches] = []
    for kind in kinds:
        slip = _slip(table, kind)
        if slip is None:
            return None
        table.pending += slip[0]
        planted.append(slip[1])
    _play(table, AFTER)
    drafts, table.pending = table.pending, None
    result = Planted("+".join(kinds), events=table.events, rank=0)
    for draft in drafts:
        found = _report(table, draft, result)
        if found is None:
            continue
        # A step that came late is rejected twice: for its skip, and when it is taken.
        pairs = [(place, matches) for matches in planted for place, one in enumerate(found) if matches(one)]
        right, explained = pairs[0] if pairs else (None, None)
        planted.sort(key=lambda matches: matches is explained)
        fair = next((place for place, one in enumerate(found) if one.seat in table.slipped), None)
        result.told += f" [{right}, {fair}]"
        result.rank = None if right is None or result.rank is None else max(right, result.rank)
        chosen = fair if right is None else right
        result.is_fair = chosen is not None
        try:
            table.report(*(found[chosen].drafts if chosen is not None else ()))
        except EngineError as error:
            result.rank, result.is_fair, result.told = None, False, f"{result.told} -> {error}"
        if not result.is_fair:
            break
    return result


def _play(table: Honest, count: int) -> bool:
    """Take and report legal actions; return False if the game ends."""
    for _ in range(count):
        draft = table.play()
        if draft is None or table.state.outcome is not None:
            return False
        table.report(draft)
    return True


def _slip(table: Honest, kind: str) -> tuple[list[Draft], Matches] | None:
    """Slip as soon as possible; return None if the game has no place for it."""
    for _ in range(TRIES[kind == "missed_reshuffle"]):
        state, reported = table.state, table.reported
        try:
            return SLIPS[kind](table)
        except Slipped:
            if table.reported == reported:
                table.state = state
            if not _play(table, 1):
                return None
    return None


def _report(table: Honest, draft: Draft, result: Planted) -> list[Proposal] | None:
    """Report an action; return the explanations if it is rejected."""
    began = time.process_time()
    try:
        table.report(draft)
    except EngineError as refused:
        if isinstance(refused, IllegalAction):
            result.asked.append(time.process_time() - began)
        found = list(refused.explanations or ())
        told = [(one.kind, one.message) for one in found]
        result.told += f"{draft.actor} {draft.type} {draft.params} {type(refused).__name__}: {told}; "
        result.is_noticed = True
        return found
    return None


def follow(table: Honest, kind: str, drafts: list[Draft], matches: Matches) -> Planted:
    """Report the slip, then play by the rules, and collect the record's explanations."""
    result = Planted(kind, events=table.events)
    todo = list(drafts)
    for _ in range(AFTER + len(drafts)):
        draft = todo.pop(0) if todo else None if table.state.outcome is not None else table.play()
        if draft is None:
            break
        is_first = not result.is_noticed
        found = _report(table, draft, result)
        if found is None:
            continue
        right = next((place for place, one in enumerate(found) if matches(one)), None)
        if not is_first and right is None:
            result.marks += 1
            break
        if is_first:
            result.rank = right
        if right:
            result.told += f" [rank {right}]"
        if right is None:
            break
        try:
            table.report(*found[right].drafts)
        except EngineError as error:
            result.rank, result.told = None, f"{result.told} -> {error}"
            break
    return result


def _past_the_end(table: Honest) -> Planted | None:
    """Play a game to its end, and continue as if nobody had noticed that it ended."""
    while table.state.outcome is None:
        draft = table.play()
        if draft is None or table.game.version > LONGEST:
            return None
        table.report(draft)
    for skip in table.rules.overlooks(table.state):
        table.state = skip.state
        return follow(table, "unnoticed_end", [], lambda one: one.kind == "unnoticed_end")
    return None


def plant_slips(ruleset_id: str, games: int, first: int = 0) -> Iterator[Planted]:
    """Plant a slip in each game and yield the results; every kind is equally frequent."""
    for number in range(first, first + games):
        one = plant(ruleset_id, KINDS[number % len(KINDS)], number)
        if one is not None:
            yield one


def planted_several(ruleset_id: str, slips: int, games: int, first: int = 0) -> Iterator[Planted]:
    """Plant several slips of different kinds in each game and yield the results.

    Only `plant_slips` plants two kinds: an unnoticed end, which comes only at the end of a game, and a wrong result,
    whose explanation depends on its place in the record.
    """
    for number in range(first, first + games):
        kinds = [kind for kind in KINDS if kind in SLIPS and kind != "wrong_result"]
        one = plant_several(ruleset_id, random.Random(number).sample(kinds, slips), number)
        if one is not None:
            yield one
