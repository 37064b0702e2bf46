"""Illegal actions with a clear effect: it is applied, and the game continues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.errors import IllegalAction, Unclear
from engine.core.values import SEAT_INDEX, Value
from engine.games.forbidden_desert.components import INDEX
from engine.games.forever_island.components import Goods
from engine.games.forever_island.state import Exchange
from engine.games.forever_island.state import replace as replaced
from engine.games.forgotten_waters.state import replace
from engine.kit.chance import Observed
from engine.play import registry
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forbidden_island.positions import ARCHAENS, FORBIDDEN_ISLAND, island
from tests.engine.games.forever_island.positions import atoll, hut, totem
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, having, resolving, voyage


def slip(ruleset: str, state: Any, actor: str, type_: str, outcomes: Sequence[Value] = (), **params: Any) -> Any:
    """Return the state after this illegal action."""
    rules = registry.ruleset(ruleset)
    action = rules.parse(type_, params)
    with pytest.raises(IllegalAction):
        rules.judge(state, action, actor)
    chance = Observed()
    chance.begin(3, tuple(outcomes))
    after: Any = action.apply(state, SEAT_INDEX[actor], chance)
    chance.finish()
    assert rules.is_sound(after)
    assert action.describe(state, SEAT_INDEX[actor], tuple(outcomes), ("Ada", "Bo", "Cleo"))
    return after


class TestForbiddenIsland:
    def test_a_fourth_action(self) -> None:
        state = island(phase="draw_treasure", flooded=["observatory"])
        after = slip(FORBIDDEN_ISLAND, state, "p1", "shore_up", tiles=["observatory"])
        assert after.flooded == frozenset()
        assert (after.phase, after.actions_left) == ("draw_treasure", 0)

    def test_an_action_out_of_turn_costs_the_other_player_none(self) -> None:
        after = slip(FORBIDDEN_ISLAND, island(), "p2", "move", to="gold_gate")
        assert after.pawns[1] == "gold_gate"
        assert (after.phase, after.actions_left, after.active) == ("actions", 3, 0)

    def test_a_move_too_far(self) -> None:
        after = slip(FORBIDDEN_ISLAND, island(), "p1", "move", to="watchtower")
        assert (after.pawns[0], after.actions_left) == ("watchtower", 2)

    def test_a_second_flight(self) -> None:
        state = island(roles=("pilot", "engineer"), has_flown=True)
        after = slip(FORBIDDEN_ISLAND, state, "p1", "fly", to="watchtower")
        assert (after.pawns[0], after.has_flown) == ("watchtower", True)

    def test_a_pawn_that_moves_out_of_the_water(self) -> None:
        state = island(phase="swim", sunk=["silver_gate"], pawns=["silver_gate"], flood_draws_left=1)
        after = slip(FORBIDDEN_ISLAND, state, "p1", "move", to="watchtower")
        assert after.phase == "draw_flood"

    def test_a_card_given_from_another_tile(self) -> None:
        state = island(roles=("pilot", "engineer"), hands=[["earth_stone"]])
        after = slip(FORBIDDEN_ISLAND, state, "p1", "give_card", to="p2", card="earth_stone")
        assert after.hands == ((), ("earth_stone",))

    def test_a_treasure_for_three_cards(self) -> None:
        state = island(pawns=["temple_of_the_moon"], hands=[["earth_stone"] * 3 + ["sandbags"]])
        after = slip(FORBIDDEN_ISLAND, state, "p1", "capture_treasure", treasure="earth_stone")
        assert (after.captured, after.hands[0]) == (("earth_stone",), ("sandbags",))
        assert after.treasure_discard == ("earth_stone",) * 3

    def test_a_third_treasure_card(self) -> None:
        state = island(phase="draw_flood")
        after = slip(FORBIDDEN_ISLAND, state, "p1", "draw_treasure_card", ["earth_stone"])
        assert (after.hands[0], after.phase, after.flood_draws_left) == (("earth_stone",), "draw_flood", 2)

    def test_a_flood_card_too_early(self) -> None:
        after = slip(FORBIDDEN_ISLAND, island(), "p1", "draw_flood_card", ["observatory"])
        assert after.flooded == {"observatory"}
        assert (after.phase, after.actions_left, after.flood_draws_left) == ("actions", 3, 0)

    def test_the_same_among_the_archaens(self) -> None:
        state = island(ARCHAENS, pawns=["temple_of_the_moon"], hands=[["earth_stone"] * 2])
        after = slip(ARCHAENS, state, "p1", "save_artifact", artifact="earth_stone")
        assert after.captured == ("earth_stone",)


class TestForbiddenDesert:
    def test_a_fifth_action(self) -> None:
        state = table("explorer", "climber", actions_left=0, phase="storm", sand={"r1c2": 1})
        after = slip("forbidden-desert", state, "p1", "remove_sand", tile="r1c2")
        assert (after.tile("r1c2").sand, after.actions_left, after.phase) == (0, 0, "storm")

    def test_an_action_out_of_turn(self) -> None:
        state = table("explorer", "climber")
        after = slip("forbidden-desert", state, "p2", "move", to="r1c2")
        assert (after.pawns[1], after.actions_left) == ("r1c2", 4)

    def test_more_sand_than_there_is(self) -> None:
        state = table("archeologist", "climber", sand={"r1c2": 1})
        after = slip("forbidden-desert", state, "p1", "remove_sand", tile="r1c2", markers=2)
        assert (after.tile("r1c2").sand, after.sand_supply, after.actions_left) == (0, 48, 3)

    @pytest.mark.parametrize(("amount", "water"), [(2, (4, 3)), (5, (4, 3))])
    def test_more_water_than_the_other_canteen_holds(self, amount: int, water: tuple[int, int]) -> None:
        state = table("water_carrier", "climber", water=(5, 2))
        after = slip("forbidden-desert", state, "p1", "give_water", to="p2", amount=amount)
        assert after.water == water

    def test_a_storm_card_too_many(self) -> None:
        state = table("meteorologist", "climber", weakened=4)
        after = slip("forbidden-desert", state, "p1", "draw_storm_card", ["sun_beats_down"])
        assert (after.turn, after.active, after.water) == (2, 1, (3, 2))

    def test_a_storm_card_too_few(self) -> None:
        state = table("meteorologist", "climber", phase="storm", storm_left=1, actions_left=0)
        after = slip("forbidden-desert", state, "p1", "end_turn")
        assert (after.turn, after.storm_left, after.storm_drawn) == (2, None, ())

    def test_nothing_is_done_to_a_tile_where_the_storm_is(self) -> None:
        state = table("explorer", "climber")
        hole = next(space for space, at in INDEX.items() if state.board[at] is None)
        with pytest.raises(Unclear):
            slip("forbidden-desert", state, "p1", "remove_sand", tile=hole)

    def test_a_look_at_the_storm_out_of_turn(self) -> None:
        state = table("explorer", "meteorologist")
        after = slip("forbidden-desert", state, "p2", "forecast")
        assert (after.watcher, after.actions_left) == (1, 4)


class TestForeverIsland:
    def test_a_totem_for_three_hogs(self) -> None:
        state = atoll(hands=[Goods(hog=3, log=1)])
        after = slip("forever-island", state, "p1", "erect", totem="hog_1_a")
        assert totem(after, "hog_1_a").is_standing
        assert after.hands[0] == Goods(log=1)

    def test_a_canoe_out_of_turn(self) -> None:
        state = atoll(huts=[["hog_1_a"], ["hog_1_a"]], hands=[Goods(), Goods(log=1)])
        after = slip("forever-island", state, "p2", "carve", shore="hog_1_a")
        assert (after.canoes[1], after.active) == (("hog_1_a",), 0)

    def test_a_first_hut_too_many(self) -> None:
        after = slip("forever-island", atoll(), "p1", "place_hut", shore="hog_1_a")
        assert [hut(after, id_).shore for id_ in ("p1_hut_1", "p1_hut_2")] == ["frog_2_b", "hog_1_a"]
        assert (after.turn, after.active, after.phase) == (3, 0, "actions")

    def test_the_die_passed_with_an_offer_open(self) -> None:
        state = replaced(atoll(), phase="exchange", exchange=Exchange(1, Goods(), Goods()))
        after = slip("forever-island", state, "p1", "end_turn")
        assert (after.active, after.exchange, after.phase) == (1, None, "weather")

    def test_no_offer_to_double_up_where_there_is_no_hut(self) -> None:
        with pytest.raises(Unclear):
            slip("forever-island", atoll(), "p1", "offer_double_up", hut="p2_hut_8")

    def test_no_hut_where_there_is_no_canoe_or_only_the_volcano(self) -> None:
        with pytest.raises(Unclear):
            slip("forever-island", atoll(), "p1", "settle", canoe="frog_1_a")
        with pytest.raises(Unclear):
            slip("forever-island", atoll(canoes=[["volcano"]]), "p1", "settle", canoe="volcano")


class TestForgottenWaters:
    def test_a_choice_out_of_infamy_order(self) -> None:
        state = voyage()
        after = slip(FORGOTTEN_WATERS, state, "p2", "choose_action", number=6)
        assert (after.choosing, after.standees) == ((0, 2), (0, 6, 0))

    def test_two_standees_on_a_limited_action(self) -> None:
        state = voyage(choosing=(1, 2), taken=(2,), standees=(2, 0, 0))
        after = slip(FORGOTTEN_WATERS, state, "p2", "choose_action", number=2)
        assert (after.taken, after.standees) == ((2,), (2, 2, 0))

    def test_two_standees_on_one_for_all(self) -> None:
        state = voyage(choosing=(1, 2), taken=(6,), standees=(6, 0, 0))
        after = slip(FORGOTTEN_WATERS, state, "p3", "choose_action", number=6)
        assert after.taken == (6, 6)

    def test_whoever_resolves_out_of_turn_has_the_turn(self) -> None:
        state = voyage(phase="action", choosing=(), taken=(2, 3), standees=(2, 3, 0), active=0)
        after = slip(FORGOTTEN_WATERS, state, "p2", "resolve_action")
        assert (after.active, after.has_resolved) == (1, True)
        after = replace(state, has_resolved=True)
        assert slip(FORGOTTEN_WATERS, after, "p2", "resolve_action").active == 0

    def test_a_standee_removed_out_of_turn(self) -> None:
        state = voyage(phase="action", choosing=(), taken=(2, 3), standees=(2, 3, 0), active=0)
        after = slip(FORGOTTEN_WATERS, state, "p2", "remove_standee")
        assert (after.active, after.standees) == (0, (2, 0, 0))

    def test_a_re_roll_without_a_token(self) -> None:
        check = {"do": "check", "skill": "aim", "results": [{"from": 1}]}
        (step,) = resolving(check, state=having(voyage(), rerolls=1)).agenda
        state = replace(resolving(check), agenda=(replace(step, dice=(3, 4), due=2),))
        after = slip(FORGOTTEN_WATERS, state, "p1", "reroll", [12], die=1)
        assert after.pirates[0].rerolls == 0

    def test_no_die_where_there_is_no_check(self) -> None:
        state = resolving({"do": "fill_star"})
        with pytest.raises(Unclear):
            slip(FORGOTTEN_WATERS, state, "p1", "roll_die", [3])
