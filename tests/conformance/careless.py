"""A table that sometimes breaks the rules, and continues."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from driftlog.testing.play import action_attempts, everything, policy
from driftlog.testing.tables import TableSetup
from engine.core.documents import params_schema
from engine.core.errors import GameOver, IllegalAction, Malformed, OutcomeRequired
from engine.core.events import Draft
from engine.core.values import SEAT_IDS, State
from engine.kit.chance import Observed
from engine.kit.ruleset import Action
from engine.play.past import KnownPast
from engine.play.rules import Rules
from engine.play.showing import check_shown
from tests.recording import Recording

LONGEST = 400
"""Maximum events of a game with slips, after which it stops if the rules set no limit."""
SLIPS = 0.15
"""The probability that the next action is illegal."""


class Careless:
    """A table that also tries illegal actions, in a game recorded as played."""

    def __init__(self, table: TableSetup, seed: int) -> None:
        self.rng = random.Random(f"slips {table} {seed}")
        self.header = Recording(table.ruleset, table.seats, mode="as_played", **table.options).game.header
        self.rules = Rules(self.header)
        self.ruleset = table.rules
        self.choose = policy(self.rng)
        self.seats = table.seats
        self.schemas = {kind.type: params_schema(kind) for kind in self.ruleset.actions}
        self.before: list[tuple[Action[Any], int]] = []
        self.seq = 2
        self.state: State = self.play_draft(Draft(type="set_up"), None)
        self.slips = 0

    def play_draft(self, draft: Draft, state: State | None) -> State:
        """Return the state after `draft`, with random possible results."""
        while True:
            chance = Observed()
            try:
                after, _, _ = self.rules.play(state, draft, self.seq, chance, KnownPast())
                chance.finish()
            except OutcomeRequired as required:
                value = self.rng.choice(required.point.options)
                draft = msgspec.structs.replace(draft, outcomes=(*draft.outcomes, value))
            else:
                assert after is not None
                return after

    def typical_mistakes(self) -> Iterator[tuple[Action[Any], int]]:
        """Yield typical mistakes: earlier actions, actions of other players, and actions out of reach."""
        rng, ruleset, state = self.rng, self.ruleset, self.state
        seats = range(self.seats)
        yield from rng.sample(self.before, min(2, len(self.before)))
        for one in rng.sample(legal := list(ruleset.legal_actions(state)), min(2, len(legal))):
            yield one.action, rng.choice(seats)
        kind = rng.choice(ruleset.actions)
        seat = rng.choice(seats)
        candidates = list(kind.candidates(state, seat))
        yield from ((one, seat) for one in rng.sample(candidates, min(2, len(candidates))))
        for type_, params in rng.sample(list(action_attempts(ruleset, state, rng, self.schemas)), 3):
            try:
                yield ruleset.parse(type_, params), rng.choice(seats)
            except Malformed:
                continue

    def slip(self) -> None:
        for action, seat in self.typical_mistakes():
            if action.refusal(self.state, seat) is None:
                continue
            draft = Draft(type=action.type, actor=SEAT_IDS[seat], params=msgspec.to_builtins(action))
            try:
                after = self.play_draft(draft, self.state)
                check_shown(self.ruleset, self.header, after)
            except (IllegalAction, GameOver):
                continue
            self.slips += 1
            self.seq += 1
            self.state = after
            return

    def step(self) -> bool:
        """Take a legal action; return True if the game continues."""
        if self.state.outcome is not None:
            return False
        legal = list(self.ruleset.legal_actions(self.state))
        assert legal, f"a dead end in phase {self.state.phase}"
        assert legal == everything(self.ruleset, self.state)
        one = self.choose(legal)
        self.before = [*self.before[-8:], (one.action, one.seat)]
        assert one.action.label(self.state, self.header.names)
        params = msgspec.to_builtins(one.action)
        after = self.play_draft(Draft(type=one.action.type, actor=one.actor, params=params), self.state)
        assert self.ruleset.check_invariants(after) == [], (one, self.state.phase)
        self.state = after
        self.seq += 1
        return True

    def play(self) -> None:
        while self.seq < LONGEST and self.step():
            if self.state.outcome is None and self.rng.random() < SLIPS:
                self.slip()
