"""Random evenings with slips and corrections: the table is sound, and replay and export give the same log.

`EVENINGS=2000 python -m pytest tests/conformance/test_evenings.py` plays 2,000 evenings of each ruleset.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from driftlog.testing.play import policy
from engine.core.errors import EngineError
from engine.core.events import Draft, Event
from engine.core.values import SEAT_IDS, State
from engine.kit.chance import Recorded, Sampled
from engine.kit.facts import Tableau
from engine.kit.ruleset import AnyRuleset
from engine.play import omissions
from engine.play.corrections.facts import document
from engine.play.explanations.missed import play_on
from engine.play.fold import fold
from engine.play.record import record
from engine.play.registry import ruleset, rulesets
from engine.play.rules import Rules
from engine.review.audit import audit, verify
from exports import FORMATS, read_any
from exports.log import Log
from tests.playouts import clock
from tests.recording import Recording

EVENINGS = int(os.environ.get("EVENINGS", "2"))
LONGEST = 60
"""Number of attempted events in an evening."""


class Evening:
    """A table that mostly plays by the rules, and a recorder who sometimes corrects the record."""

    def __init__(self, ruleset: AnyRuleset, seed: int) -> None:
        self.rng = random.Random(f"evening {ruleset.id} {seed}")
        self.rules, self.choose, self.chance = ruleset, policy(self.rng), Sampled(self.rng)
        seats = self.rng.randint(*ruleset.players)
        self.recording = Recording(ruleset.id, seats, mode=self.rng.choice(("strict", "as_played")))
        self.chance.begin(2, ())
        ruleset.setup(ruleset.parse_options({}, seats), seats, self.chance)
        self.recording.add("set_up", outcomes=self.chance.finish())
        self.refused = 0
        self.ways, self.weights = zip(*self.habits(), strict=True)

    def habits(self) -> list[tuple[Callable[[State], Draft | None], int]]:
        """Return what the table does, each with how often."""
        return [
            (self.legal, 70),
            (self.illegal, 10),
            (self.skip, 5),
            (self.undo, 5),
            (self.amend, 5),
            (self.adjust, 5),
        ]

    def play(self) -> None:
        for _ in range(LONGEST):
            state = self.recording.game.state
            if state is None:
                return
            if state.outcome is not None:
                over = self.play_on(state)
                if over is None:
                    return
                self.report(over)
                continue
            (way,) = self.rng.choices(self.ways, self.weights)
            draft = way(state)
            if draft is not None:
                self.report(draft)

    def report(self, draft: Draft) -> None:
        recording = self.recording
        try:
            recording.game, added = record(
                recording.game,
                [draft],
                recording.chance,
                recording.history,
                recorded_at=clock(recording.game.version + 1),
                if_illegal="accept",
                as_played=True,
            )
        except EngineError:
            self.refused += 1
            return
        recording.events += added
        recording.history.fold(added, Recorded())
        assert recording.history.states[-1] == recording.game.state

    def legal(self, state: State) -> Draft | None:
        legal = list(self.rules.legal_actions(state))
        return self._draft(state, self.choose(legal)) if legal else None

    def illegal(self, state: State) -> Draft | None:
        kind, seat = self.rng.choice(self.rules.actions), self.rng.randrange(self.rules.seats(state))
        actions = [one for one in kind.candidates(state, seat) if one.refusal(state, seat) is not None]
        if not actions or kind.hidden_params:
            return None
        action = self.rng.choice(actions)
        outcomes: tuple[Any, ...] = ()
        if kind.asks_chance:
            self.chance.begin(0, ())
            try:
                action.apply(state, seat, self.chance)
                outcomes = self.chance.finish()
            except Exception:  # noqa: BLE001  # a table does what no rule foresees
                return None
        return Draft(type=kind.type, actor=SEAT_IDS[seat], params=msgspec.to_builtins(action), outcomes=outcomes)

    def skip(self, state: State) -> Draft | None:
        found = [*omissions.skips(self.rules, state), *omissions.overlooks(self.rules, state)]
        if not found:
            return None
        one = self.rng.choice(found)
        return Draft(type="left_out", params={"seat": SEAT_IDS[one.seat], "step": one.step.id})

    def play_on(self, state: State) -> Draft | None:
        """Continue after the end of the game, if it can be missed; half of the tables do."""
        over = play_on(Rules(self.recording.game.header), state)
        return over if self.rng.random() < 1 / 2 else None

    def undo(self, state: State) -> Draft | None:
        version = self.recording.game.version
        if version == 2:
            return None
        return Draft(type="undo", params={"to": self.rng.randrange(max(2, version - 4), version)})

    def amend(self, state: State) -> Draft | None:
        line = self.recording.history.mainline
        slot = self.rng.choice(line[1:] or line[:1])
        return Draft(type="amend", params={"seq": slot.number, "remove": True})

    def adjust(self, state: State) -> Draft | None:
        """Set facts to their values at an earlier table."""
        earlier = self.rng.choice([one for one in self.recording.states if one is not None])
        facts = Tableau(self.rules.facts, state).changes(Tableau(self.rules.facts, earlier))
        if not facts:
            return None
        told = self.rng.sample(facts, min(len(facts), self.rng.randint(1, 2)))
        return Draft(type="adjust", params={"facts": list(map(document, told)), "reason": "So it lies there."})

    def _draft(self, state: State, one: Any) -> Draft:
        self.chance.begin(0, ())
        one.action.apply(state, one.seat, self.chance)
        params = msgspec.to_builtins(one.action)
        return Draft(type=one.action.type, actor=one.actor, params=params, outcomes=self.chance.finish())


class MeddlingEvening(Evening):
    """A table whose players take actions of other players, also by house rules, and amend such events."""

    def habits(self) -> list[tuple[Callable[[State], Draft | None], int]]:
        return [*super().habits(), (self.meddle, 25), (self.allow, 5), (self.credit, 10)]

    def meddle(self, state: State) -> Draft | None:
        legal = list(self.rules.legal_actions(state))
        if not legal:
            return None
        one = self.choose(legal)
        return msgspec.structs.replace(self._draft(state, one), actor=SEAT_IDS[self._someone(state)])

    def allow(self, state: State) -> Draft | None:
        open_ = [kind.type for kind in self.rules.actions if not kind.hidden_params]
        return Draft(type="house_rule", params={"text": "as we play", "allows": [{"type": self.rng.choice(open_)}]})

    def credit(self, state: State) -> Draft | None:
        """Amend an event so that another player is the actor."""
        acts = [slot for slot in self.recording.history.mainline if slot.entry is not None and slot.entry.actor]
        if not acts:
            return None
        slot = self.rng.choice(acts)
        entry = slot.entry
        assert entry is not None
        event = {"type": entry.type, "actor": SEAT_IDS[self._someone(state)], "params": entry.params}
        return Draft(type="amend", params={"seq": slot.number, "event": {**event, "outcomes": list(entry.outcomes)}})

    def _someone(self, state: State) -> int:
        return self.rng.randrange(self.rules.seats(state))


def test_the_luck_of_a_strict_evening_whose_turns_an_amend_keeps() -> None:
    evening = Evening(ruleset("forever-island"), 1107)
    evening.play()
    assert any(event.params.get("keeps_turn") for event in evening.recording.events)
    assert audit(evening.recording.events).verdict == "findings"


def check(rules: AnyRuleset, kind: type[Evening], seed: int) -> None:
    evening = kind(rules, seed)
    evening.play()
    game, events = evening.recording.game, evening.recording.events
    assert game.state is not None
    assert rules.check_invariants(game.state) == [], seed
    again = msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
    folded = fold(again)
    assert (folded.state, folded.head) == (game.state, game.head), seed
    exported = b"".join(FORMATS["ndjson"].write(Log(game_id="evening", events=again)))
    back = read_any(exported)
    assert list(back) == again, seed
    assert verify(back).state == game.state, seed
    assert audit(back).verdict != "broken", seed


@pytest.mark.parametrize("kind", [Evening, MeddlingEvening])
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_an_evening_ends_in_a_sound_table_and_survives_its_export(rules: AnyRuleset, kind: type[Evening]) -> None:
    for seed in range(EVENINGS):
        check(rules, kind, seed)


@pytest.mark.parametrize(
    ("ruleset_id", "kind", "seed"), [("forbidden-desert", MeddlingEvening, 519), ("forever-island", Evening, 385)]
)
def test_an_evening_that_had_a_fault(ruleset_id: str, kind: type[Evening], seed: int) -> None:
    """The replay of an amend differed from the record; an audit replayed an event without an actor."""
    check(ruleset(ruleset_id), kind, seed)
