"""Slips planted in games by the rules: how often they are explained, how soon, and what an honest table is marked for.

The table's own state is the truth. After the slip it plays on by the rules, and the record asks at the first event that
it cannot follow. `python -m benchmarks.slips --games 10000` plays as many as that for each ruleset.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click
import msgspec

from benchmarks.measure import Settings
from benchmarks.report import Row, at_least, at_most, show
from engine.core.errors import DEFECTS, EngineError, IllegalAction, Unclear
from engine.core.events import Draft, Event, Proposal, Seat
from engine.core.values import SEAT_IDS, State
from engine.kit.chance import Observed, Sampled
from engine.kit.chance import Recorded as Replayed
from engine.kit.facts import CannotBe
from engine.kit.kernel import LegalAction
from engine.play import registry
from engine.play.fold import History
from engine.play.record import open_game, record
from engine.play.slips import effect
from tests.conformance.play import policy
from tests.playouts import NAMES, clock

KINDS = (
    "skipped_step",
    "late_step",
    "swapped_steps",
    "one_too_many",
    "other_player",
    "wrong_player",
    "wrong_result",
)
AFTER = 12
"""Honest events after a slip."""
LATEST = 45
"""Events before it, at the most."""

Matches = Callable[[Proposal], bool]


class Slipped(Exception):
    """Nothing of that kind can be planted here."""


class Planted(msgspec.Struct):
    """The result of one planted slip."""

    kind: str
    is_noticed: bool = False
    rank: int | None = None
    """The place of the planted slip among the explanations; None where it is none of them."""
    marks: int = 0
    """Honest events that were refused once it was explained."""
    asked: list[float] = []
    """Seconds that each refusal took, explanations and all."""
    told: str = ""
    """What the explanations were, for whoever reads the misses."""


class Honest:
    """A table that plays by the rules, and the record of it."""

    def __init__(self, ruleset_id: str, seed: str, mode: Any = "strict") -> None:
        self.rng = random.Random(seed)
        self.rules = registry.ruleset(ruleset_id)
        seats = self.rng.randint(*self.rules.players)
        self.choose, self.chance = policy(self.rng), Sampled(self.rng)
        names = [Seat(name) for name in NAMES[:seats]]
        self.game, first = open_game(
            ruleset=ruleset_id, seats=names, options={}, seed=None, recorded_at=clock(1), mode=mode
        )
        self.events, self.history = [first], History(self.game.header)
        self.chance.begin(2, ())
        self.state: State = self.rules.setup(self.rules.parse_options({}, seats), seats, self.chance)
        self.report(Draft(type="set_up", outcomes=self.chance.finish()))
        self.state = self.rules.at_table(self.state)

    def legal(self) -> list[LegalAction[Any]]:
        return list(self.rules.legal_actions(self.state))

    def draft_of(self, one: LegalAction[Any], outcomes: Sequence[Any] = ()) -> Draft:
        params = msgspec.to_builtins(one.action)
        return Draft(type=one.action.type, actor=one.actor, params=params, outcomes=tuple(outcomes))

    def take(self, one: LegalAction[Any]) -> Draft:
        """Take a legal action; the event that reports it."""
        self.chance.begin(0, ())
        self.state = one.action.apply(self.state, one.seat, self.chance)
        return self.draft_of(one, self.chance.finish())

    def play(self) -> Draft | None:
        """Take any legal action; None where the game is over."""
        legal = self.legal()
        return self.take(self.choose(legal)) if legal else None

    def report(self, *drafts: Draft) -> list[Event]:
        self.game, added = record(
            self.game,
            drafts,
            Observed(),
            self.history,
            recorded_at=clock(self.game.version + 1),
            if_illegal="ask",
        )
        self.events += added
        self.history.fold(added, Replayed())
        return added


def plant(ruleset_id: str, kind: str, seed: int) -> Planted | None:
    """One slip in one game; None where the game has no room for it."""
    table = Honest(ruleset_id, f"{ruleset_id} {kind} {seed}")
    before = table.rng.randrange(5, LATEST)
    for _ in range(before):
        draft = table.play()
        if draft is None or table.state.outcome is not None:
            return None
        table.report(draft)
    for _ in range(20):
        state, version = table.state, table.game.version
        try:
            slip = _SLIPS[kind](table)
        except Slipped:
            if table.game.version == version:
                table.state = state
            draft = table.play()
            if draft is None or table.state.outcome is not None:
                return None
            table.report(draft)
            continue
        return follow(table, kind, *slip)
    return None


def follow(table: Honest, kind: str, drafts: list[Draft], matches: Matches) -> Planted:
    """Report the slip, then play on by the rules, and see what the record asks."""
    result = Planted(kind)
    todo = list(drafts)
    for _ in range(AFTER + len(drafts)):
        draft = todo.pop(0) if todo else None if table.state.outcome is not None else table.play()
        if draft is None:
            break
        began = time.perf_counter()
        try:
            table.report(draft)
            continue
        except IllegalAction as refused:
            result.asked.append(time.perf_counter() - began)
            found = list(refused.explanations or ())
            told = [(one.kind, one.message) for one in found]
            result.told += f"{draft.actor} {draft.type} {draft.params}: {told}; "
        except EngineError as refused:
            found = list(refused.explanations or ())
            result.told += f"{draft.actor} {draft.type}: {type(refused).__name__}; "
        right = next((place for place, one in enumerate(found) if matches(one)), None)
        if result.is_noticed and right is None:
            result.marks += 1
            break
        is_first = not result.is_noticed
        result.is_noticed = True
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


def _skip(table: Honest, *, same_seat: bool = False) -> tuple[Any, State]:
    state = table.state
    for skip in table.rules.skips(state):
        if table.rules.is_sound(skip.state) and skip.state.outcome is None:
            if same_seat and table.rules.active(skip.state) != skip.seat:
                continue
            table.state = skip.state
            return skip, state
    raise Slipped


def _is_skip(skip: Any) -> Matches:
    params = {"seat": SEAT_IDS[skip.seat], "step": skip.step.id}
    return lambda one: one.kind == "skipped_step" and [draft.params for draft in one.drafts[:-1]] == [params]


def skipped_step(table: Honest) -> tuple[list[Draft], Matches]:
    skip, _ = _skip(table)
    return [], _is_skip(skip)


def _late(table: Honest, kind: str, others: int) -> tuple[list[Draft], Matches]:
    """A step is left out, somebody acts, and then it is done after all: with the record asked at both."""
    skip, before = _skip(table, same_seat=kind == "swapped_steps")
    due = [one for one in table.rules.legal_actions(before) if one.seat == skip.seat and not one.action.any_time]
    drafts = []
    for _ in range(others):
        legal = [
            one
            for one in table.legal()
            if (one.seat == skip.seat) == (kind == "swapped_steps") and not one.action.any_time
        ]
        if not legal:
            raise Slipped
        drafts.append(table.take(table.choose(legal)))
        if table.state.outcome is not None:
            raise Slipped
    late = [one for one in due if one.action.refusal(table.state, one.seat) is not None and one.action.asks_chance]
    if not late:
        raise Slipped
    drafts.append(_forced(table, table.rng.choice(late)))
    is_skip = _is_skip(skip)
    return drafts, lambda one: is_skip(one) or (one.kind == kind and one.seat == SEAT_IDS[skip.seat])


def late_step(table: Honest) -> tuple[list[Draft], Matches]:
    return _late(table, "late_step", table.rng.randint(1, 2))


def swapped_steps(table: Honest) -> tuple[list[Draft], Matches]:
    return _late(table, "swapped_steps", 1)


def _forced(table: Honest, one: LegalAction[Any]) -> Draft:
    """Take what the rules forbid, as far as it is clear what that does."""
    run = effect(table.rules, one.action, one.seat, keeps_turn=True)
    table.chance.begin(0, ())
    try:
        after = run(table.state, table.chance)
    except (Unclear, *DEFECTS):
        raise Slipped from None
    outcomes = table.chance.finish()
    if after.outcome is not None or not table.rules.has_clear_effect(one.action, table.state, one.seat):
        raise Slipped
    if not table.rules.can_be(after) or not table.rules.is_sound(after):
        raise Slipped
    table.state = after
    return table.draft_of(one, outcomes)


def one_too_many(table: Honest) -> tuple[list[Draft], Matches]:
    """What the last player did is done once more, when it is not due any more."""
    before = table.state
    legal = [one for one in table.legal() if not one.action.any_time]
    one = table.choose(legal)
    table.report(table.take(one))
    if table.state.outcome is not None:
        raise Slipped
    again: list[LegalAction[Any]] = []
    try:
        moved = table.rules.keep_turn(before, table.state)
        again = [
            other for other in table.rules.legal_actions(moved, only=one.seat) if other.action.type == one.action.type
        ]
    except (CannotBe, *DEFECTS):
        pass
    again = [other for other in again if other.action.refusal(table.state, other.seat) is not None]
    if not again:
        raise Slipped
    draft = _forced(table, table.rng.choice(again))
    return [draft], lambda found: found.kind == "one_too_many" and found.seat == draft.actor


def _by_another(table: Honest, kind: str) -> tuple[list[Draft], Matches]:
    is_drawn = kind == "other_player"
    legal = [one for one in table.legal() if one.action.asks_chance == is_drawn and not one.action.any_time]
    seats = range(table.rules.seats(table.state))
    pairs = [(one, seat) for one in legal for seat in seats if one.action.refusal(table.state, seat) is not None]
    pairs = [(one, seat) for one, seat in pairs if not one.action.hidden_params]
    if not pairs:
        raise Slipped
    one, seat = table.rng.choice(pairs)
    draft = table.take(one)
    wrong = msgspec.structs.replace(draft, actor=SEAT_IDS[seat])
    return [wrong], lambda found: found.kind == kind and found.drafts[-1].actor == draft.actor


def other_player(table: Honest) -> tuple[list[Draft], Matches]:
    return _by_another(table, "other_player")


def wrong_player(table: Honest) -> tuple[list[Draft], Matches]:
    return _by_another(table, "wrong_player")


def wrong_result(table: Honest) -> tuple[list[Draft], Matches]:
    """A card or a place is entered that was another."""
    state, legal = table.state, [one for one in table.legal() if not one.action.any_time]
    one = table.choose(legal)
    if one.action.hidden_params:
        raise Slipped
    draft = table.take(one)
    if draft.outcomes:
        chance = Sampled(table.rng)
        for _ in range(20):
            chance.begin(0, ())
            try:
                one.action.apply(state, one.seat, chance)
                outcomes = chance.finish()
            except (EngineError, Unclear, *DEFECTS):
                continue
            if len(outcomes) == 1 and outcomes != draft.outcomes:
                break
        else:
            raise Slipped
        wrong = msgspec.structs.replace(draft, outcomes=outcomes)
    else:
        same = [
            other
            for other in legal
            if other.action.type == one.action.type and other.seat == one.seat and other.action != one.action
        ]
        if not same:
            raise Slipped
        wrong = table.draft_of(table.rng.choice(same))
    seq = table.game.version + 1
    true = (draft.type, draft.params, draft.outcomes)

    def matches(found: Proposal) -> bool:
        if found.kind != "wrong_result" or found.drafts[0].type != "amend":
            return False
        params = found.drafts[0].params
        event = params["event"]
        return params["seq"] == seq and (event["type"], event["params"], tuple(event["outcomes"])) == true

    return [wrong], matches


_SLIPS: dict[str, Callable[[Honest], tuple[list[Draft], Matches]]] = {
    "skipped_step": skipped_step,
    "late_step": late_step,
    "swapped_steps": swapped_steps,
    "one_too_many": one_too_many,
    "other_player": other_player,
    "wrong_player": wrong_player,
    "wrong_result": wrong_result,
}


def measure(settings: Settings, games: int | None = None) -> Iterator[Row]:
    """What became of the slips, for each ruleset and each kind."""
    for rules in registry.rulesets():
        yield from _rows(
            rules.name, list(planted(rules.id, (7 if settings.quick else 350) if games is None else games))
        )


def planted(ruleset_id: str, games: int) -> Iterator[Planted]:
    """One slip a game, each kind as often."""
    for number in range(games):
        one = plant(ruleset_id, KINDS[number % len(KINDS)], number)
        if one is not None:
            yield one


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
        ("time of a refusal, 95 of 100", f"{slowest:.1f} ms", at_most(slowest, 50, "ms")),
    ):
        yield Row(what=f"{what}: {which}", ours=ours, goal=goal, pinning="none")


@click.command()
@click.option("--games", default=350, help="For each ruleset.")
@click.option("--only", help="One ruleset.")
@click.option("--misses", is_flag=True, help="Print what was not explained.")
def main(games: int, only: str | None, misses: bool) -> None:  # noqa: FBT001  # click passes by name
    """Plant slips and print what became of them."""
    from rich.console import Console

    rows: list[Row] = []
    for rules in registry.rulesets():
        if only is None or only == rules.id:
            slips = list(planted(rules.id, games))
            rows += _rows(rules.name, slips)
            for one in slips if misses else ():
                if one.is_noticed and (one.rank or one.rank is None or one.marks):
                    print(one.kind, "marks" if one.marks else "miss" if one.rank is None else "later", one.told)
    show(Console(width=200), rows)


if __name__ == "__main__":
    main()
