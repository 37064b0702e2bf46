"""Plant slips in games; measure how often and how fast they are explained, and how many honest events are marked.

The table's own state is the truth. After the slip the table plays by the rules, and the record asks for an explanation
at the first event that is illegal by the recorded state. `python -m benchmarks.slips --games 10000` plays that many
games for each ruleset. With `--slips 2`, slips of two kinds follow each other closely in each game.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import click
import msgspec

from benchmarks.measure import Settings
from benchmarks.planting import SLIPS, Honest, Matches, Slipped
from benchmarks.report import Row, at_least, at_most, show
from engine.core.errors import EngineError, IllegalAction
from engine.core.events import Draft, Event, Proposal
from engine.play import registry

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
    """The explanations, to print with `--misses`."""
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
    """Plant slips of these kinds, each as soon as possible after the one before; None if there is no place for one."""
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


def measure(settings: Settings, games: int | None = None) -> Iterator[Row]:
    """Yield the results of every kind of slip in every ruleset."""
    count = (7 if settings.quick else 350) if games is None else games
    for rules in registry.rulesets():
        if rules.checks_rules:
            yield from _rows(rules.name, list(planted(rules.id, count)))


def planted(ruleset_id: str, games: int, first: int = 0) -> Iterator[Planted]:
    """Plant a slip in each game and yield the results; every kind is equally frequent."""
    for number in range(first, first + games):
        one = plant(ruleset_id, KINDS[number % len(KINDS)], number)
        if one is not None:
            yield one


def planted_several(ruleset_id: str, slips: int, games: int, first: int = 0) -> Iterator[Planted]:
    """Plant several slips of different kinds in each game and yield the results.

    An end that nobody noticed comes only at the end of a game, and what a wrong result must explain depends on its
    place in the record: `planted` has both.
    """
    for number in range(first, first + games):
        kinds = [kind for kind in KINDS if kind in SLIPS and kind != "wrong_result"]
        one = plant_several(ruleset_id, random.Random(number).sample(kinds, slips), number)
        if one is not None:
            yield one


def _rows_of_several(name: str, slips: Sequence[Planted]) -> Iterator[Row]:
    noticed = [one for one in slips if one.is_noticed]
    asked = [seconds for one in slips for seconds in one.asked] or [0.0]
    right, fair = (
        100 * sum(found) / max(1, len(noticed))
        for found in ([one.rank is not None for one in noticed], [one.is_fair for one in noticed])
    )
    slowest = 1000 * statistics.quantiles([*asked, *asked], n=20)[-1]
    what = f"several slips, {name}: {len(noticed)} games of {len(slips)} noticed"
    yield Row(
        what=f"{what}: all explained exactly", ours=f"{right:.1f} %", goal=at_least(right, 0, "%"), pinning="none"
    )
    yield Row(what=f"{what}: only slips marked", ours=f"{fair:.1f} %", goal=at_least(fair, 95, "%"), pinning="none")
    yield Row(
        what=f"{what}: processor time of a refusal, 95 of 100",
        ours=f"{slowest:.1f} ms",
        goal=at_most(slowest, 50, "ms"),
        pinning="none",
    )


def _rows(name: str, slips: Sequence[Planted]) -> Iterator[Row]:
    noticed = [one for one in slips if one.is_noticed]
    explained = [one for one in noticed if one.rank is not None]
    asked = [seconds for one in slips for seconds in one.asked] or [0.0]
    counts = Counter(one.kind for one in noticed)
    hits = Counter(one.kind for one in explained)
    share = ", ".join(f"{kind} {hits[kind]}/{counts[kind]}" for kind in KINDS if counts[kind])
    among = 100 * len(explained) / max(1, len(noticed))
    first = 100 * sum(one.rank == 0 for one in explained) / max(1, len(noticed))
    marks = sum(one.marks for one in explained)
    slowest = 1000 * statistics.quantiles([*asked, *asked], n=20)[-1]
    what = f"slips, {name}: {len(noticed)} noticed of {len(slips)} planted"
    for which, ours, goal in (
        (f"among three ({share})", f"{among:.1f} %", at_least(among, 95, "%")),
        ("first", f"{first:.1f} %", at_least(first, 80, "%")),
        ("honest events marked", str(marks), at_most(marks, 0, "")),
        ("processor time of a refusal, 95 of 100", f"{slowest:.1f} ms", at_most(slowest, 50, "ms")),
    ):
        yield Row(what=f"{what}: {which}", ours=ours, goal=goal, pinning="none")


@click.command()
@click.option("--games", default=350, help="For each ruleset.")
@click.option("--first", default=0, help="The first seed: costs were set on seeds below 10,000.")
@click.option("--only", help="One ruleset.")
@click.option("--slips", "several", default=1, help="The number of slips in a game.")
@click.option("--misses", is_flag=True, help="Print what was not explained.")
def main(games: int, first: int, only: str | None, several: int, misses: bool) -> None:  # noqa: FBT001  # click passes by name
    """Plant slips and print the results."""
    from rich.console import Console

    rows: list[Row] = []
    for rules in registry.rulesets():
        if rules.checks_rules and only in {None, rules.id}:
            if several > 1:
                slips = list(planted_several(rules.id, several, games, first))
                rows += _rows_of_several(rules.name, slips)
            else:
                slips = list(planted(rules.id, games, first))
                rows += _rows(rules.name, slips)
            for one in slips if misses else ():
                if one.is_noticed and (one.rank or one.rank is None or one.marks or not one.is_fair):
                    print(one.kind, "marks" if one.marks else "miss" if one.rank is None else "later", one.told)
    show(Console(width=200), rows)


if __name__ == "__main__":
    main()
