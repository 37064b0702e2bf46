"""Slips in every ruleset: each is explained correctly, and no honest event after it is marked."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from engine.core.errors import EngineError
from engine.core.events import Draft
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import worlds
from engine.play.record import record
from engine.play.registry import rulesets
from tests.conformance.test_evenings import MeddlingEvening
from tests.playouts import clock
from tests.recording import Recording
from tests.slips import KINDS, plant, plant_several, planted_several

GAMES = 6
PAIRS = [
    ("skipped_step", "other_player"),
    ("skipped_step", "wrong_player"),
    *(("missed_reshuffle", kind) for kind in ("skipped_step", "late_step", "swapped_steps", "other_player")),
]
EVENINGS = int(os.environ.get("EVENINGS", "2"))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "wrong_result"])
@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets()])
def test_a_slip_is_among_the_explanations_and_the_only_mark(ruleset: str, kind: str) -> None:
    for seed in range(GAMES):
        slip = plant(ruleset, kind, seed)
        if slip is not None and slip.is_noticed:
            assert slip.rank is not None, slip.told
            assert slip.marks == 0, slip.told


@pytest.mark.parametrize("seed", [54, 250, 303])
def test_a_house_rule_takes_or_adds_steps_where_another_player_must_act_first(seed: int) -> None:
    """A pirate whose turn it is stops for another pirate, leaves the page, or adds the end of the round."""
    slip = plant("forgotten-waters", "house_rule", seed)
    assert slip is not None
    assert slip.rank is not None, slip.told
    assert slip.marks == 0, slip.told


@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets() if rules.checks_rules])
def test_of_two_slips_in_a_row_nobody_else_is_marked(ruleset: str) -> None:
    for slip in planted_several(ruleset, 2, GAMES):
        assert slip.is_fair, slip.told


@pytest.mark.parametrize("kinds", PAIRS, ids="+".join)
@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets() if rules.checks_rules])
def test_two_slips_that_only_the_second_shows_are_explained_together(ruleset: str, kinds: tuple[str, str]) -> None:
    if ruleset == "forbidden-desert" and kinds[0] == "skipped_step":
        pytest.skip("the player whose step was skipped can take the same action, which then explains it as well")
    for seed in range(GAMES):
        slip = plant_several(ruleset, kinds, seed)
        assert slip is None or slip.is_fair, slip.told


@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets()])
def test_a_wrong_entry_is_searched_for(ruleset: str) -> None:
    """Nobody can know which explanation is right, but each must be recordable."""
    for seed in range(GAMES):
        slip = plant(ruleset, "wrong_result", seed)
        assert slip is None or "->" not in slip.told


class AskedEvening(MeddlingEvening):
    """An evening whose recorder also tries each explanation that is offered, on a copy of the record."""

    offered = 0

    def report(self, draft: Draft) -> None:
        try:
            self._record([draft])
        except EngineError as refused:
            for one in refused.explanations or ():
                self.offered += 1
                # An amend then asks about the later events that it breaks.
                self._record(one.drafts, as_played=draft.type == "amend")
        super().report(draft)

    def _record(self, drafts: Sequence[Draft], *, as_played: bool = False) -> None:
        copy = Recording.of(self.recording)
        at, past = clock(copy.game.version + 1), copy.history
        game, _ = record(copy.game, drafts, copy.chance, past, recorded_at=at, if_illegal="ask", as_played=as_played)
        assert game.state is not None
        for world in worlds(game.state):
            assert self.rules.check_invariants(world.state) == []


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_each_offered_explanation_can_be_recorded(rules: AnyRuleset) -> None:
    offered = 0
    for seed in range(EVENINGS):
        evening = AskedEvening(rules, seed)
        evening.play()
        offered += evening.offered
    assert offered or not rules.checks_rules
