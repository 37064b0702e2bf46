"""Illegal actions out of turn that keep the turn, and their messages."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.core.errors import ImpossibleOutcome, Malformed
from engine.core.events import Draft, Header, Seat
from engine.core.values import ChancePoint, GameOutcome
from engine.games.forbidden_island import ForbiddenIsland
from engine.games.forbidden_island.facts import HasCards
from engine.games.forbidden_island.state import replace
from engine.games.forgotten_waters.actions.gains import ChooseSkill
from engine.games.forgotten_waters.actions.phases import ResolveAction
from engine.kit.chance import Observed, Sampled
from engine.play import registry
from engine.play.corrections import facts
from engine.play.rules import Rules
from engine.play.slips import effect
from tests.engine.games.forgotten_waters.positions import boxes, resolving, voyage

NAMES = ("Ann", "Bob", "Cleo")


def begin_table(ruleset: str) -> tuple[Any, Any]:
    rules = registry.ruleset(ruleset)
    return rules, rules.setup(rules.parse_options({}, 3), 3, Sampled(random.Random(1)))


def test_the_end_of_a_turn_out_of_turn_ends_no_shield() -> None:
    rules, before = begin_table("forbidden-desert")
    after = replace(before, turn=before.turn + 1, shielded=(not before.shielded[0], *before.shielded[1:]))
    kept = rules.keep_turn(before, after)
    assert (kept.turn, kept.shielded) == (before.turn, before.shielded)


def test_the_end_of_a_turn_out_of_turn_taxes_nobody() -> None:
    rules, before = begin_table("forever-island")
    kept = rules.keep_turn(before, replace(before, turn=before.turn + 1))
    assert (kept.turn, kept.totems) == (before.turn, before.totems)
    assert rules.keep_turn(before, before) == before


def test_an_act_out_of_turn_carries_out_no_later_step() -> None:
    """Bo chooses a skill in Ada's place: Ada gets her re-roll token once, after she has chosen herself."""
    rules = registry.ruleset("forgotten-waters")
    before = resolving({"do": "gain_skill", "skill": "any"}, {"do": "rerolls", "n": 1})
    choice = ChooseSkill(skill="aim")
    kept = effect(rules, choice, 1, keeps_turn=True, keeps_step=True, sets_aside=True)(before, Observed())
    assert (kept.agenda, kept.pirates[0]) == (before.agenda, before.pirates[0])
    assert kept.pirates[1] == before.with_pirate(1, boxes=boxes(aim=1)).pirates[1]
    after = choice.apply(kept, 0, Observed())
    assert after.pirates[0].rerolls == before.pirates[0].rerolls + 1


def test_a_record_of_earlier_releases_carries_out_the_later_step() -> None:
    rules = registry.ruleset("forgotten-waters")
    before = resolving({"do": "gain_skill", "skill": "any"}, {"do": "rerolls", "n": 1})
    kept = effect(rules, ChooseSkill(skill="aim"), 1, keeps_turn=True, keeps_step=True, sets_aside=False)
    after = kept(before, Observed())
    assert (after.agenda, after.pirates[0].rerolls) == (before.agenda, before.pirates[0].rerolls + 1)


def test_the_end_of_a_round_out_of_turn_begins_no_round() -> None:
    rules = registry.ruleset("forgotten-waters")
    before = voyage(phase="end_of_round", choosing=(), taken=(2,), has_stopped=True)
    kept = effect(rules, ResolveAction(), 1, keeps_turn=True, keeps_step=True, sets_aside=True)(before, Observed())
    assert kept == before


def test_an_act_out_of_turn_that_ends_the_game_ends_it() -> None:
    rules, before = begin_table("forbidden-island")
    over = replace(before, outcome=GameOutcome(result="lost", winners=(), reason="drowned", rule=rules.sections[0]))
    assert rules.keep_turn(before, over) is over


@pytest.mark.parametrize(("given", "said"), [("sandbags", "Sandbags"), (7, "7"), (None, "None")])
def test_an_impossible_outcome_is_told_in_the_words_of_players(given: Any, said: str) -> None:
    rules, _ = begin_table("forbidden-island")
    error = ImpossibleOutcome(ChancePoint("treasure_card", 0, ("earth_stone",)), given)
    assert rules.account(error) == f"{said} is not a possible result for treasure card"
    assert rules.account(Malformed("/to", "no tile")) == str(Malformed("/to", "no tile"))


def test_what_a_game_has_no_word_for_is_told_as_it_was_reported() -> None:
    class Wordless(ForbiddenIsland):
        def value_label(self, value: Any) -> str:
            raise KeyError(value)

    error = ImpossibleOutcome(ChancePoint("treasure_card", 0, ("earth_stone",)), "ace")
    assert Wordless().account(error) == "'ace' is not a possible result for treasure card"


def test_a_table_that_cannot_be_has_no_facts() -> None:
    rules, state = begin_table("forbidden-island")
    assert facts._tableau_after(rules, NAMES, state, [HasCards("p1", "sandbags", 2)]) is not None
    assert facts._tableau_after(rules, NAMES, state, [HasCards("p1", "sandbags", 9)]) is None


def test_what_the_record_itself_knows_is_forbidden_by_no_rule() -> None:
    rules, state = begin_table("forbidden-island")
    header = Header(
        ruleset=rules.id,
        ruleset_version=rules.version,
        seats=tuple(map(Seat, NAMES)),
        options={},
        chance="observed",
        mode="strict",
    )
    judge = Rules(header)
    assert judge._find_rule_refusal(state, Draft(type="annotate")) is None
    assert judge._find_rule_refusal(None, Draft(type="move", actor="p1")) is None
