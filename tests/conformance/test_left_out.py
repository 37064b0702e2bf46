"""A forgotten step: only the slip is marked, and all later events of an honest table are legal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from driftlog.testing.play import policy
from driftlog.testing.tables import TableSetup, each_choice
from engine.core.errors import IsLeftOut
from engine.core.events import Draft, Event
from engine.core.values import State
from engine.kit.chance import Recorded, Sampled
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import AnyRuleset
from engine.play import omissions
from engine.play.fold import fold
from engine.play.record import record
from engine.play.registry import rulesets
from engine.review.audit import audit
from tests.playouts import clock
from tests.recording import Recording

TABLES = each_choice()
LEADING, AFTER = 60, 25
"""Maximum number of events before a skipped step, and number of events after it."""


class Honest:
    """A table that plays by the rules, whose own state is the truth, and its record, which asks for skipped steps."""

    def __init__(self, table: TableSetup, seed: int) -> None:
        self.rng = random.Random(f"left out {table} {seed}")
        self.rules, self.choose = table.rules, policy(self.rng)
        self.recording = Recording(table.ruleset, table.seats, mode="as_played", **table.options)
        self.chance = Sampled(self.rng)
        self.chance.begin(2, ())
        rules = table.rules
        start = rules.setup(rules.parse_options(table.options, table.seats), table.seats, self.chance)
        self.recording.add("set_up", outcomes=self.chance.finish())
        self.state = rules.at_table(start)

    def take_action(self, legal: list[LegalAction[Any]]) -> Draft:
        """Take one of the legal actions, and return the draft that reports it."""
        one = self.choose(legal)
        self.chance.begin(0, ())
        self.state = one.action.apply(self.state, one.seat, self.chance)
        params = msgspec.to_builtins(one.action)
        return Draft(type=one.action.type, actor=one.actor, params=params, outcomes=self.chance.finish())

    def report(self, draft: Draft, *, accept_left_out: bool | None) -> list[Event]:
        recording = self.recording
        recording.game, added = record(
            recording.game,
            [draft],
            recording.chance,
            recording.history,
            recorded_at=clock(recording.game.version + 1),
            accept_left_out=accept_left_out,
        )
        recording.events += added
        recording.history.fold(added, Recorded())
        return added

    def play(self, most: int) -> None:
        """Play at most `most` events without a slip."""
        for _ in range(self.rng.randrange(most)):
            legal = list(self.rules.legal_actions(self.state))
            if not legal:
                return
            (event, *_) = self.report(self.take_action(legal), accept_left_out=None)
            assert event.verdict == "legal"


def unheard(rules: AnyRuleset, before: State, after: State) -> Iterator[LegalAction[Any]]:
    """Yield the actions that are legal in `after` but not in `before`."""
    for one in rules.legal_actions(after):
        if one.action.refusal(before, one.seat) is not None:
            yield one


def test_a_forgotten_step__only_the_slip_is_marked(table: TableSetup, playouts: int) -> None:
    for seed in range(playouts):
        honest = Honest(table, seed)
        honest.play(LEADING)
        rules, before = honest.rules, honest.state
        if before.outcome is not None:
            continue
        found = list(omissions.skips(rules, before))
        if not found:
            continue
        skip = honest.rng.choice(found)
        legal = list(unheard(rules, before, skip.state)) if skip.state.outcome is None else []
        if not legal:
            continue
        honest.state = skip.state
        draft = honest.take_action(legal)
        version = honest.recording.game.version
        with pytest.raises(IsLeftOut) as asked:
            honest.report(draft, accept_left_out=None)
        assert honest.recording.game.version == version

        *slips, act = [event for event in honest.report(draft, accept_left_out=True) if event.type != "game_closed"]

        assert len(slips) == len(asked.value.left_out) == 1
        assert act.verdict == "legal"
        (slip,) = slips
        assert (slip.type, slip.verdict, slip.rule) == ("left_out", "illegal", skip.step.rule)
        assert slip.reason == asked.value.left_out[0].message == skip.describe(honest.recording.game.header.names)
        assert honest.recording.game.state == honest.state
        honest.play(AFTER)
        assert honest.recording.game.state == honest.state
        if honest.recording.game.outcome is None:
            honest.recording.add("abandon", reason="It has become late.")
        assert fold(honest.recording.events) == honest.recording.game
        (finding,) = audit(honest.recording.events).findings
        assert (finding.seq, finding.kind, finding.rule) == (slip.seq, "left_out", skip.step.rule)


@pytest.mark.rules
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_steps__are_declared(rules: AnyRuleset) -> None:
    ids = [step.id for step in rules.steps]
    assert len(set(ids)) == len(ids) > 0
    assert {step.rule for step in rules.steps} <= set(rules.sections)
    # An audit names the rule that a skipped step or an illegal action broke.
    cited = {step.rule for step in rules.steps} | {kind.rule for kind in rules.actions}
    assert [heading for heading in cited if not rules.rule_text(heading)] == [] or not rules.checks_rules
