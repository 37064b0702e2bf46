"""Unknown results, compared with an enumeration that uses no beliefs, searches or traces.

`DRIFTLOG_TEST_UNSEEN_GAMES` sets the number of enumerated games of each ruleset.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.canonical import canonical
from engine.core.errors import EngineError, ImpossibleOutcome, OutcomeRequired, Unclear
from engine.core.events import Draft, Mode
from engine.core.values import SEAT_INDEX, Value
from engine.kit.chance import Chance, Observed, V
from engine.kit.kernel import Kernel, LegalAction
from engine.kit.ruleset import AnyRuleset, Refusal
from engine.play import offers, registry
from engine.play.beliefs import belief, possible
from engine.play.beliefs.belief import World
from engine.play.beliefs.looks import look
from engine.play.beliefs.tracing import Trace
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold
from engine.play.line import Slot
from engine.play.slips import effect
from tests.engine.recording import dealt, ended
from tests.engine.toy import Dice, DiceState, Roll
from tests.recording import Recording

UNSEEN = [rules.id for rules in registry.rulesets() if rules.unseen]
GAMES = int(os.environ.get("DRIFTLOG_TEST_UNSEEN_GAMES", "2"))
MOST_NULLS = 3

Chances = dict[tuple[int, int], dict[Value, Fraction]]


# A separate enumeration: every possible value, one after the other


class Counting(Observed):
    """Takes the reported results, and multiplies their probabilities."""

    def __init__(self, reported: Sequence[Value]) -> None:
        super().__init__()
        self.begin(0, tuple(reported))
        self.likelihood = Fraction(1)

    def draw(self, name: str, options: Sequence[V], matters: object = None) -> V:
        value = super().draw(name, options)
        self.likelihood *= Fraction(options.count(value), len(options))
        return value


class Way(NamedTuple):
    """A possible course of an event from a table."""

    outcomes: tuple[Value, ...]
    after: Any
    likelihood: Fraction
    has_effect: bool = True


def ways(recording: Recording, slot: Slot, before: Any) -> list[Way]:
    """Return every possible course of the event of a slot from a table, including slips in a record as played."""
    rules, entry = recording.game.ruleset, slot.entry
    assert entry is not None
    action = None if before is None else rules.parse(entry.type, entry.params)
    seat = SEAT_INDEX.get(entry.actor, 0)
    is_over = before is not None and before.outcome is not None
    is_slip = is_over or (action is not None and action.refusal(before, seat) is not None)
    if is_slip and recording.game.header.mode == "strict":
        return []
    without_effect = [Way((), before, Fraction(1), has_effect=False)]
    if is_over:
        return without_effect
    found: list[Way] = []
    todo: list[tuple[Value, ...]] = [()]
    while todo:
        known = todo.pop()
        chance = Counting(known)
        try:
            if action is None:
                header = recording.game.header
                options = rules.parse_options(header.options, len(header.seats))
                after = rules.at_table(rules.setup(options, len(header.seats), chance))
            else:
                apply = (
                    effect(rules, action, seat, keeps_turn=True, keeps_step=False, sets_aside=True) if is_slip else None
                )
                after = apply(before, chance) if apply else action.apply(before, seat, chance)
        except Unclear:
            assert is_slip
            return without_effect
        except OutcomeRequired as asked:
            if len(known) < len(entry.outcomes):
                told = entry.outcomes[len(known)]
                values = set(asked.point.options) if told is None else {told} & set(asked.point.options)
                todo += [(*known, value) for value in values]
        else:
            if len(known) == len(entry.outcomes):
                found.append(Way(known, after, chance.likelihood))
    return found if not is_slip or all(rules.could_be(way.after) for way in found) else without_effect


def silent(rules: AnyRuleset, found: list[Way]) -> list[Way]:
    """Return the courses that leave a table as players found it without seeing the results."""
    boards: dict[bytes, list[Way]] = {}
    for way in found:
        boards.setdefault(look(rules, way.after), []).append(way)
    alike = list(boards.values())
    several = alike if len(alike) == 1 else [ones for ones in alike if len(ones) > 1]
    return several[0] if len(several) == 1 else []


Assignment = tuple[tuple[tuple[int, int], Value], ...]
"""Possible results at unknown places."""


def assignments(recording: Recording) -> dict[Assignment, Fraction]:
    """Return all possible unseen results, weighted by the possible courses of the game."""
    rules = recording.game.ruleset
    line = [slot for slot in recording.history.mainline if slot.entry and slot.entry.type != "game_closed"]
    boards = [look(rules, belief.likeliest(slot.after)) for slot in line]
    found: dict[Assignment, Fraction] = {}

    def go_on(index: int, before: Any, likelihood: Fraction, supposed: Assignment, *, is_as_told: bool) -> None:
        if index == len(line):
            found[supposed] = found.get(supposed, Fraction(0)) + likelihood
            return
        slot = line[index]
        assert slot.entry is not None
        going = ways(recording, slot, before)
        if None in slot.entry.outcomes and not is_as_told:
            going = silent(rules, going)
        for way in going:
            is_same = is_as_told and look(rules, way.after) == boards[index]
            if None in slot.entry.outcomes and is_as_told and way.has_effect and not is_same:
                continue
            values = ((at, value) for at, value in enumerate(way.outcomes) if slot.entry.outcomes[at] is None)
            new = tuple(((slot.number, at), value) for at, value in values)
            go_on(index + 1, way.after, likelihood * way.likelihood, (*supposed, *new), is_as_told=is_same)

    go_on(0, None, Fraction(1), (), is_as_told=True)
    return found


def chances(found: dict[Assignment, Fraction], known: dict[tuple[int, int], Value] | None = None) -> Chances:
    """Return the probabilities of the results at each place, given the `known` results of others."""
    weights: Chances = {}
    for assignment, weight in found.items():
        if all(value == (known or {}).get(place, value) for place, value in assignment):
            for place, value in assignment:
                if place not in (known or {}):
                    by_value = weights.setdefault(place, {})
                    by_value[value] = by_value.get(value, Fraction(0)) + weight
    return {
        place: {value: weight / sum(by_value.values()) for value, weight in by_value.items()}
        for place, by_value in weights.items()
    }


def unknown_chances(recording: Recording) -> Chances:
    found = unknowns(recording.history.rules, recording.history.mainline)
    return {(one.seq, one.position): one.point.probabilities() for one in found}


# Games with unseen results


def begin_random(ruleset: str, mode: Mode, rng: random.Random, seats: int, nulls: int) -> Recording:
    """A game with a random setup, whose last results are unknown if possible."""
    known: list[Value] = []
    while True:
        try:
            Recording(ruleset, seats).add("set_up", outcomes=known)
            break
        except OutcomeRequired as asked:
            known.append(rng.choice(asked.point.options))
    for count in range(nulls, -1, -1):
        recording = Recording(ruleset, seats, mode=mode)
        try:
            recording.add("set_up", outcomes=[*known[: len(known) - count], *[None] * count])
        except EngineError:
            continue
        return recording
    raise AssertionError


def play_random(ruleset: str, mode: Mode, seed: int, events: int) -> Recording:
    """A game in progress with some unseen results, on which much depends; as played, with slips."""
    rng = random.Random(seed)
    fewest, most = registry.ruleset(ruleset).players
    recording = begin_random(ruleset, mode, rng, rng.choice((fewest, min(most, 4))), rng.choice((0, 0, 1, 2)))
    rules = recording.game.ruleset
    for _ in range(events):
        found = offers.offers(rules, recording.game.state)  # type: ignore[arg-type]  # it is set up
        unsure = [one for one in found if one.probability < 1]
        asking = [one for one in found if one.legal.action.asks_chance]
        among = unsure if unsure and rng.random() < 0.4 else asking if asking and rng.random() < 0.6 else found
        legal = rng.choice(among).legal
        actor = legal.actor if mode == "strict" or rng.random() < 0.85 else rng.choice(recording.game.header.seat_ids)
        probe = Recording.of(recording)
        try:
            probe.append(_draft_of(probe, legal, actor, rng))
        except EngineError:
            # The event depends on an unseen result, needs more results, or has an unclear effect.
            continue
        if probe.game.outcome is None:
            recording = probe
    return recording


def _draft_of(recording: Recording, legal: LegalAction[Any], actor: str, rng: random.Random) -> Draft:
    """An action with its results, or with None for results that nobody needed to see."""
    draft = Draft(type=legal.action.type, actor=actor, params=msgspec.to_builtins(legal.action))
    try:
        Recording.of(recording).append(draft)
    except OutcomeRequired as asked:
        values = asked.point.probabilities()
        value: Value | None = rng.choices(list(values), [float(p) for p in values.values()])[0]
        nulls = sum(event.outcomes.count(None) for event in recording.events)
        unseen = msgspec.structs.replace(draft, outcomes=(None,))
        if nulls < MOST_NULLS and rng.random() < 0.8:
            try:
                Recording.of(recording).append(unseen)
            except EngineError:
                pass
            else:
                return unseen
        return msgspec.structs.replace(draft, outcomes=(value,))
    return draft


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("mode", ["strict", "as_played"])
@pytest.mark.parametrize("ruleset", UNSEEN)
@settings(max_examples=GAMES, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_nobody_saw_is_as_an_enumeration_has_it_and_can_be_revealed(ruleset: str, mode: Mode, seed: int) -> None:
    """Every probability is exact, also after a reveal. Only possible results can be revealed."""
    recording, rng = play_random(ruleset, mode, seed, 14), random.Random(seed)
    every = assignments(recording)
    listed = unknown_chances(recording)
    assert listed == chances(every)
    for place, values in listed.items():
        anything = {value for event in recording.events for value in event.outcomes if value is not None}
        for value in (rng.choice(list(values)), *rng.sample(sorted(anything - set(values), key=str), 1)):
            trial, refused = Recording.of(recording), None
            try:
                trial.add("reveal", seq=place[0], position=place[1], value=value)
            except ImpossibleOutcome as error:
                refused = error
            assert (refused is None) == (value in values)
            if refused is not None:
                assert (refused.given, refused.point.probabilities()) == (value, values)
                continue
            known = {place: value}
            while left := unknown_chances(trial):
                assert left == chances(every, known)
                other = rng.choice(list(left))
                known[other] = rng.choice(list(left[other]))
                trial.add("reveal", seq=other[0], position=other[1], value=known[other])
            assert fold(trial.events) == trial.game


def test_in_a_record_as_played_nothing_is_certain_that_a_slip_may_explain() -> None:
    for mode, expected in (("strict", Fraction(1)), ("as_played", Fraction(2, 21))):
        recording = dealt(mode=mode)
        recording.add("draw_treasure_card", "p1", [None])
        recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
        assert unknown_chances(recording)[3, 0]["helicopter_lift"] == expected


def test_a_slip_that_all_tables_know_changes_no_probability() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    before = unknown_chances(recording)
    recording.add("move", "p1", to="howling_garden")
    assert recording.events[-1].verdict == "illegal"
    assert unknown_chances(recording) == before


def test_a_slip_that_stands_in_a_log_is_carried_out_as_it_was_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay does not apply `is_sound`, which judges only new events."""
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("move", "p1", to="howling_garden")
    before, after = recording.states[-2:]
    monkeypatch.setattr(Kernel, "is_sound", lambda *_: False)
    trace = Trace(recording.game.ruleset, belief.worlds(before), sound_only=False)
    recording.history.rules.trace(trace, recording.events[-1], 4, None)
    found = {canonical(table.state) for table in trace.tables}
    assert found == {canonical(world.state) for world in belief.worlds(after)}


def test_a_table_that_a_slip_led_to_goes_on_as_the_others() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    chances = unknown_chances(recording)[3, 0]
    # By the draws alone: the second card was a Chalice, whatever was played in between.
    assert chances["helicopter_lift"] == Fraction(2 * 5, 16 * 5 + 5 * 4)
    recording.add("draw_treasure_card", "p1", [None])
    assert set(unknown_chances(recording)[3, 0]) == set(chances)


def test_more_slips_than_can_be_followed_are_taken_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    recording.add("draw_treasure_card", "p1", [None])
    assert unknown_chances(recording)[3, 0]["helicopter_lift"] < 1
    # The second card makes six tables of each table in which the first was the Lift, and more of the others.
    monkeypatch.setattr(possible, "MOST_WORLDS", 6)
    assert unknown_chances(recording)[3, 0] == {"helicopter_lift": Fraction(1)}


def test_an_adjustment_that_rules_tables_out_weighs_as_any_other_evidence() -> None:
    """Two unseen cards of the 24 that remain, without Waters Rise!; one of them is a Lift."""
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    lift = {"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 1}
    recording.add("adjust", facts=[lift], reason="one of them lies there")
    pile = {"crystal_of_fire": 4, "earth_stone": 4, "helicopter_lift": 2, "oceans_chalice": 5, "sandbags": 1}
    pile["statue_of_the_wind"] = 5
    pairs: dict[tuple[str, str], int] = {}
    for one, other in itertools.product(pile, repeat=2):
        if [one, other].count("helicopter_lift") == 1:
            pairs[one, other] = pile[one] * (pile[other] - (one == other))
    total = sum(pairs.values())
    first = {one: Fraction(sum(n for (a, _), n in pairs.items() if a == one), total) for one in pile}
    assert unknown_chances(recording)[3, 0] == {one: p for one, p in first.items() if p}
    assert unknown_chances(recording)[4, 0] == unknown_chances(recording)[3, 0]
    assert first["helicopter_lift"] not in {Fraction(2, 21), Fraction(1)}


def test_of_a_table_that_is_known_again_nothing_more_is_asked() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    for tile in ("breakers_bridge", "bronze_gate"):
        recording.add("draw_flood_card", "p1", [tile])
    assert unknown_chances(recording) == {(3, 0): {"helicopter_lift": Fraction(1)}}


def test_what_had_no_effect_tells_nothing() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    before = unknown_chances(recording)
    recording.add("amend", seq=4, remove=True, accept_broken=True)
    assert unknown_chances(recording).keys() == before.keys()


# A table that only a slip can reach


class Overshoot(Roll, frozen=True):
    """A roll that leads to an impossible table."""

    type = "overshoot"

    def refusal(self, state: DiceState, seat: int) -> Refusal | None:
        return Refusal(self.rule, "Nobody overshoots.")

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        return msgspec.structs.replace(state, totals=(-1, -1))


class Positive(Dice):
    def check_invariants(self, state: DiceState) -> list[str]:
        return ["totals are counted"] * (min(state.totals) < 0)


def test_a_slip_that_leads_to_no_table_has_no_effect() -> None:
    rules = Positive()
    state = rules.setup(rules.parse_options({"goal": 9}, 2), 2, Observed())
    trace = Trace(rules, [World(1, state)], sound_only=False)
    trace.take(3, Overshoot(), 0, (), is_lenient=True)
    assert [table.state for table in trace.tables] == [state]
    trace.take(4, Overshoot(), 0, (), is_lenient=False)
    assert trace.tables == []


def test_where_a_slip_has_ended_the_game_nothing_more_has_an_effect() -> None:
    over = ended()
    rules = over.game.ruleset
    trace = Trace(rules, belief.worlds(over.game.state), sound_only=False)
    trace.take(9, rules.parse("draw_treasure_card", {}), 0, ("sandbags",), is_lenient=True)
    assert [table.state for table in trace.tables] == [over.game.state]


def test_where_it_would_have_shown_what_came_up_nobody_was() -> None:
    recording = dealt()
    for card in ("oceans_chalice", "earth_stone"):
        recording.add("draw_treasure_card", "p1", [card])
    rules = recording.game.ruleset
    trace = Trace(rules, belief.worlds(recording.game.state), sound_only=False)
    trace.take(5, rules.parse("draw_flood_card", {}), 0, (None,), is_lenient=True)
    assert trace.tables == []
