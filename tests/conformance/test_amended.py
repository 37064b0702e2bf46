"""A careless table corrects its record in every way; no correction leads to an impossible table."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from driftlog.testing.tables import TableSetup
from engine.core.errors import EngineError, GameOver, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.events import Draft, Event, Mode
from engine.core.values import SEAT_IDS, State, Value
from engine.kit.ruleset import AnyRuleset
from engine.play import omissions
from engine.play.beliefs.belief import likeliest, worlds
from engine.play.corrections import facts
from engine.play.corrections.amends import is_hiding
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold
from engine.play.registry import rulesets
from engine.review.audit import audit
from tests.conformance.careless import Careless
from tests.conformance.test_facts import random_facts
from tests.recording import Recording

FEWER = 5
"""Number of games per table without `--playouts`."""
ROUNDS, EVENTS = 6, 8
"""Number of times a game is corrected, and number of events played before each."""
SLIPS, UNSEEN, REVEALS = 0.3, 0.3, 0.5
"""Rates of illegal actions, unknown results, and later reveals."""
MOST_UNSEEN = 2
CORRECTIONS = {"amend": 6, "adjust": 3, "leave_out": 1, "undo": 1}
"""The relative frequency of each kind of correction."""
EXPECTED = {"illegal_action", "impossible_outcome", "left_out", "closing"}
REFUSALS = (IllegalAction, GameOver, Malformed, ImpossibleOutcome)


class Correcting(Careless):
    """A careless table that corrects its record; `state` is the likeliest one if results are unknown."""

    def __init__(self, table: TableSetup, seed: int, mode: Mode, *, sees_all: bool) -> None:
        self.recording = Recording(table.ruleset, table.seats, mode=mode, **table.options)
        self.is_strict = mode == "strict"
        self.sees_all = sees_all
        super().__init__(table, seed)

    def play_draft(self, draft: Draft, state: State | None) -> State:
        while True:
            try:
                self.recording.append(draft)
            except OutcomeRequired as required:
                value = self.seen(draft, self.rng.choice(required.point.options))
                draft = msgspec.structs.replace(draft, outcomes=(*draft.outcomes, value))
            else:
                return self.now()

    def now(self) -> State:
        state: State = likeliest(self.recording.game.state)
        return state

    def seen(self, draft: Draft, value: Value) -> Value | None:
        """Return `value`, or None if the table does not see this result."""
        if self.sees_all or draft.outcomes or draft.type == "set_up" or self.rng.random() >= UNSEEN:
            return value
        if sum(None in event.outcomes for event in self.recording.events) >= MOST_UNSEEN:
            return value
        probe = Recording.of(self.recording)
        try:
            probe.append(msgspec.structs.replace(draft, outcomes=(None,)))
        except EngineError:
            return value
        return None

    def step(self) -> bool:
        try:
            return super().step()
        except (IllegalAction, ImpossibleOutcome):
            # The effect is unclear on some possible tables.
            return True

    def amend(self) -> None:
        line, rng = self.recording.history.mainline, self.rng
        how = rng.choice(["remove", "event", "insert"])
        outcomes: list[Value] = []
        change: Any = True
        if how != "remove":
            action, seat = rng.choice(list(self.typical_mistakes()))
            change = {"type": action.type, "actor": SEAT_IDS[seat], "params": msgspec.to_builtins(action)}
        seq = rng.choice(line[1:]).number
        while True:
            try:
                params = {how: change if how == "remove" else {**change, "outcomes": outcomes}}
                self.recording.add("amend", None, (), seq=seq, accept_broken=self.is_strict, **params)
            except OutcomeRequired as required:
                outcomes.append(rng.choice(required.point.options))
            except REFUSALS:
                return
            else:
                self.state = self.now()
                return

    def adjust(self) -> None:
        there = self.rng.choice([likeliest(state) for state in self.recording.states if state is not None])
        told = random_facts(self.ruleset, self.state, there, self.rng)
        self.correct("adjust", facts=list(map(facts.document, told)), reason="as it lies")

    def leave_out(self) -> None:
        state = self.recording.game.state
        assert state is not None
        due = [] if state.outcome is not None else list(omissions.skips(self.ruleset, state))
        if due:
            skip = self.rng.choice(due)
            self.correct("left_out", seat=SEAT_IDS[skip.seat], step=skip.step.id)

    def undo(self) -> None:
        version = self.recording.game.version
        self.correct("undo", to=self.rng.randint(max(2, version - EVENTS), version - 1))

    def correct(self, type_: str, **params: Any) -> None:
        try:
            self.recording.add(type_, **params)
        except REFUSALS:
            return
        self.state = self.now()

    def reveal(self) -> None:
        history = self.recording.history
        assert self.recording.game.state is not None
        if is_hiding(self.ruleset, self.recording.game.state):
            return
        for one in unknowns(history.rules, history.mainline):
            if self.rng.random() < REVEALS:
                value = self.rng.choice(list(one.point.probabilities()))
                self.recording.add("reveal", seq=one.seq, position=one.position, value=value)
                self.state = self.now()
                return

    def play(self) -> None:
        for _ in range(ROUNDS):
            for _ in range(EVENTS):
                if self.step() and self.state.outcome is None and not self.is_strict and self.rng.random() < SLIPS:
                    self.slip()
            (way,) = self.rng.choices(list(CORRECTIONS), list(CORRECTIONS.values()))
            if len(self.recording.history.mainline) > 1:
                getattr(self, way)()
            self.reveal()


@pytest.mark.parametrize("mode", ["strict", "as_played"])
@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda rules: rules.id)
def test_no_correction_leads_to_a_table_that_cannot_be(ruleset: AnyRuleset, mode: Mode, playouts: int) -> None:
    for seed in range(max(2, playouts // FEWER)):
        seats = random.Random(seed).randint(*ruleset.players)
        table = Correcting(TableSetup(ruleset.id, seats, {}), seed, mode, sees_all=seed % 2 == 0)
        table.play()
        recording = table.recording
        for slot in recording.history.mainline:
            for world in worlds(slot.after):
                assert ruleset.check_invariants(world.state) == [], f"game {seed}, after event {slot.number}"
        log = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
        assert fold(log) == recording.game
        assert {one.kind for one in audit(log).findings} <= EXPECTED
