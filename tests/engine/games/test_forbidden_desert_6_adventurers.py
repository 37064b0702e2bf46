"""Forbidden Desert, rulebook: Meet the Adventurers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.games.forbidden_desert.adventurers import Navigate, Passenger
from engine.games.forbidden_desert.components import SPACES
from engine.games.forbidden_desert.movement import steps
from engine.games.forbidden_desert.state import DesertState, replace
from engine.piles import Pile
from tests.engine.games.desert import RULES, act, chances, offered, refused, table

# Archeologist


def test_archeologist__2_markers_for_one_action() -> None:
    state = act(table("archeologist", "climber", sand={"r1c2": 3}), "p1", "remove_sand", tile="r1c2", markers=2)
    assert (state.tile("r1c2").sand, state.actions_left) == (1, 3)


def test_archeologist__or_only_one() -> None:
    state = table("archeologist", "climber", sand={"r1c2": 3})
    assert act(state, "p1", "remove_sand", tile="r1c2").tile("r1c2").sand == 2


def test_archeologist__not_2_where_there_is_1() -> None:
    assert refused(table("archeologist", "climber", sand={"r1c2": 1}), "p1", "remove_sand", tile="r1c2", markers=2)


# Climber


def test_climber__moves_to_blocked_tiles() -> None:
    assert act(table("climber", "explorer", sand={"r1c2": 4}), "p1", "move", to="r1c2").pawns[0] == "r1c2"


def test_climber__is_never_buried() -> None:
    assert not table("climber", "explorer", sand={"r1c1": 4}).is_buried(0)


def test_climber__takes_another_player_along() -> None:
    assert act(table("climber", "explorer", sand={"r1c2": 2}), "p1", "move", to="r1c2", passenger="p2").pawns == (
        "r1c2",
        "r1c2",
    )


def test_climber__not_one_from_another_tile() -> None:
    state = table("climber", "explorer", at=("r1c1", "r2c2"))
    assert "own tile" in refused(state, "p1", "move", to="r1c2", passenger="p2")


def test_climber__takes_nobody_who_is_not_at_the_table() -> None:
    assert refused(table("climber", "explorer"), "p1", "move", to="r1c2", passenger="p5")


def test_climber__not_into_the_storm() -> None:
    assert refused(table("climber", "explorer", at="r2c3"), "p1", "move", to="r3c3")


def test_climber__who_shares_his_tile_is_not_buried_and_may_leave() -> None:
    state = table("explorer", "climber", sand={"r1c1": 3})
    assert not state.is_buried(0)
    assert act(state, "p1", "move", to="r2c2").pawns[0] == "r2c2"


def test_climber__who_shares_his_tile_does_not_enter_blocked_ones() -> None:
    assert refused(table("explorer", "climber", sand={"r1c1": 3, "r1c2": 2}), "p1", "move", to="r1c2")


def test_climber__whom_he_leaves_behind_is_buried_again() -> None:
    state = act(table("climber", "explorer", sand={"r1c1": 2}), "p1", "move", to="r1c2")
    assert state.is_buried(1)


def test_climber__digs_neighbours_from_a_blocked_tile() -> None:
    state = table("climber", "explorer", sand={"r1c1": 2, "r1c2": 1})
    assert act(state, "p1", "remove_sand", tile="r1c2").tile("r1c2").sand == 0


def test_climber__picks_up_no_part_on_a_blocked_tile() -> None:
    state = table("climber", "explorer", city={"r1c1": "gear"}, sand={"r1c1": 2}, parts={"r1c1": ("engine",)})
    assert "blocked" in refused(state, "p1", "pick_up_part", part="engine")


# Explorer


def test_explorer__moves_diagonally() -> None:
    moves = offered(table("explorer", "climber", at="r1c2"), "p1", "move")
    assert [move.to for move in moves] == ["r1c1", "r1c3", "r2c1", "r2c2", "r2c3"]


def test_explorer__past_the_corner_of_the_storm() -> None:
    assert act(table("explorer", "climber", at="r2c3"), "p1", "move", to="r3c4").pawns[0] == "r3c4"


def test_explorer__between_two_blocked_tiles() -> None:
    state = table("explorer", "climber", sand={"r1c2": 2, "r2c1": 2})
    assert [move.to for move in offered(state, "p1", "move")] == ["r2c2"]


def test_explorer__not_onto_a_blocked_tile() -> None:
    assert refused(table("explorer", "climber", sand={"r2c2": 2}, at="r1c1"), "p1", "move", to="r2c2")


def test_explorer__removes_sand_diagonally() -> None:
    state = table("explorer", "climber", sand={"r2c2": 1})
    assert act(state, "p1", "remove_sand", tile="r2c2").tile("r2c2").sand == 0


def test_explorer__blasts_dunes_diagonally() -> None:
    state = table("explorer", "climber", sand={"r2c2": 4}, equipment=(("dune_blaster",), ()))
    assert act(state, "p1", "play_dune_blaster", tile="r2c2").tile("r2c2").sand == 0


# Meteorologist: fewer storm cards


def test_meteorologist__an_action_for_a_storm_card_fewer() -> None:
    state = act(table("meteorologist", "climber"), "p1", "weaken_storm")
    assert (state.storm_due, state.actions_left) == (1, 3)
    assert act(state, "p1", "draw_storm_card", "wind_north_1").active == 1


def test_meteorologist__down_to_none_and_the_turn_is_ended() -> None:
    state = table("meteorologist", "climber", weakened=2)
    assert "no card" in refused(state, "p1", "draw_storm_card")
    after = act(state, "p1", "end_turn")
    assert (after.active, after.turn, after.weakened) == (1, 2, 0)


def test_meteorologist__more_than_there_are_cards_is_wasted() -> None:
    assert act(table("meteorologist", "climber", weakened=2), "p1", "weaken_storm").storm_due == 0


def test_meteorologist__only_this_turn() -> None:
    state = act(table("meteorologist", "climber", weakened=1), "p1", "draw_storm_card", "wind_north_1")
    assert state.storm_due == 2


def test_meteorologist__nobody_else_ends_the_turn_of_a_calm() -> None:
    assert "another player's" in refused(table("meteorologist", "climber", weakened=2), "p2", "end_turn")


def test_meteorologist__nobody_else_weakens_the_storm() -> None:
    assert "Only the Meteorologist" in refused(table("explorer", "climber"), "p1", "weaken_storm")


# Meteorologist: a look at the storm deck


def test_meteorologist__looks_at_as_many_cards_as_the_storm_level() -> None:
    state = act(table("meteorologist", "climber", storm_tick=2), "p1", "forecast")
    assert (state.phase, state.looks_left, state.actions_left) == ("look", 3, 3)


def test_meteorologist__the_level_counts_not_the_weakened_storm() -> None:
    assert act(table("meteorologist", "climber", weakened=1), "p1", "forecast").looks_left == 2


def test_meteorologist__at_all_of_a_pile_that_is_smaller() -> None:
    state = table("meteorologist", "climber", storm_pile=Pile((("wind_north_1",),)))
    assert act(state, "p1", "forecast").looks_left == 1


def looked(*cards: str, **changes: Any) -> DesertState:
    state = act(table("meteorologist", "climber", **changes), "p1", "forecast")
    for card in cards:
        state = act(state, "p1", "look_at_storm_card", card)
    return state


def test_meteorologist__the_cards_are_seen_one_by_one() -> None:
    state = looked("wind_north_3")
    assert state.seen == ("wind_north_3",)
    assert "wind_north_3" not in chances(state, "p1", "look_at_storm_card")


def test_meteorologist__puts_one_at_the_bottom() -> None:
    state = act(looked("wind_north_3", "wind_south_3"), "p1", "place_storm_cards", bottom=1)
    assert chances(state, "p1", "draw_storm_card") == ("wind_south_3",)
    assert state.storm_pile.layers[-1] == ("wind_north_3",)


def test_meteorologist__or_none_and_they_go_back_in_the_same_order() -> None:
    state = act(looked("wind_north_3", "wind_south_3"), "p1", "place_storm_cards")
    assert state.storm_pile.layers[:2] == (("wind_north_3",), ("wind_south_3",))
    assert (state.seen, state.watcher, state.phase) == ((), None, "actions")


def test_meteorologist__at_most_one() -> None:
    placings = offered(looked("wind_north_3", "wind_south_3"), "p1", "place_storm_cards")
    assert [placing.bottom for placing in placings] == [1, 2, None]


def test_meteorologist__one_of_those_seen() -> None:
    state = looked("wind_north_3", "wind_south_3")
    assert "Only 2 cards" in refused(state, "p1", "place_storm_cards", bottom=3)


def test_meteorologist__nothing_comes_between() -> None:
    for state in (looked("wind_north_3"), looked("wind_north_3", "wind_south_3")):
        assert "that ends first" in refused(state, "p1", "move", to="r1c2")
        assert "that ends first" in refused(state, "p2", "give_water", to="p1", amount=1)
        assert "that ends first" in refused(state, "p1", "end_turn")


def test_meteorologist__all_of_them_are_looked_at() -> None:
    assert refused(looked("wind_north_3"), "p1", "place_storm_cards")
    assert "All the cards" in refused(looked("wind_north_3", "wind_south_3"), "p1", "look_at_storm_card")


def test_meteorologist__nobody_else_looks() -> None:
    assert "Only the Meteorologist" in refused(table("explorer", "climber"), "p1", "forecast")
    assert refused(looked("wind_north_3"), "p2", "look_at_storm_card")
    assert refused(looked("wind_north_3", "wind_south_3"), "p2", "place_storm_cards")


def test_meteorologist__what_was_seen_everyone_knows() -> None:
    state = looked("wind_north_3")
    assert RULES.view(state, 1) == RULES.view(state, None) == RULES.to_document(state)


def test_meteorologist__may_look_again() -> None:
    state = act(looked("wind_north_3", "wind_south_3"), "p1", "place_storm_cards")
    assert chances(act(state, "p1", "forecast"), "p1", "look_at_storm_card") == ("wind_north_3",)


# Navigator


def guided(state: DesertState, seat: str) -> set[str]:
    return {action.to for action in offered(state, "p1", "navigate") if action.seat == seat}


def test_navigator__another_player_up_to_3_tiles() -> None:
    state = table("navigator", "archeologist", hole="r5c5")
    assert guided(state, "p2") == {
        "r1c2", "r1c3", "r1c4", "r2c1", "r2c2", "r2c3", "r3c1", "r3c2", "r4c1",
    }  # fmt: skip


def test_navigator__for_one_action() -> None:
    state = act(table("navigator", "archeologist"), "p1", "navigate", seat="p2", to="r2c3")
    assert (state.pawns, state.actions_left) == (("r1c1", "r2c3"), 3)


def test_navigator__not_herself() -> None:
    assert "other players" in refused(table("navigator", "archeologist"), "p1", "navigate", seat="p1", to="r1c2")


def test_navigator__nobody_who_is_not_at_the_table() -> None:
    assert "other players" in refused(table("navigator", "archeologist"), "p1", "navigate", seat="p3", to="r1c2")


def test_navigator__around_blocked_tiles_and_the_storm() -> None:
    state = table("navigator", "archeologist", at=("r1c1", "r2c3"), sand={"r2c4": 2, "r1c3": 2})
    assert guided(state, "p2") == {"r2c2", "r2c1", "r1c2", "r3c2", "r1c1", "r3c1", "r4c2"}


def test_navigator__not_farther() -> None:
    assert "3 moves" in refused(table("navigator", "archeologist"), "p1", "navigate", seat="p2", to="r3c3")


def test_navigator__through_a_tunnel_as_one_step() -> None:
    state = table("navigator", "archeologist", at=("r1c1", "r1c2"), city={"r1c1": "tunnel", "r5c4": "tunnel"})
    assert {"r5c4", "r5c3", "r4c4", "r5c5"} <= guided(state, "p2")


def test_navigator__cannot_pull_out_a_buried_pawn() -> None:
    state = table("navigator", "archeologist", at=("r1c1", "r1c2"), sand={"r1c2": 2})
    assert guided(state, "p2") == set()


def test_navigator__moves_the_explorer_diagonally() -> None:
    assert act(table("navigator", "explorer"), "p1", "navigate", seat="p2", to="r4c3").pawns == ("r1c1", "r4c3")


def test_navigator__moves_the_climber_through_blocked_tiles() -> None:
    state = table("navigator", "climber", sand={"r1c2": 2, "r2c1": 2, "r2c2": 5})
    assert act(state, "p1", "navigate", seat="p2", to="r2c2").pawns == ("r1c1", "r2c2")


def climb(to: Any, *passengers: tuple[Any, Any]) -> dict[str, Any]:
    return {"seat": "p2", "to": to, "passengers": [{"seat": seat, "to": end} for seat, end in passengers]}


def test_navigator__the_climber_takes_along_the_navigator_herself() -> None:
    state = table("navigator", "climber", sand={"r1c2": 2})
    assert act(state, "p1", "navigate", **climb("r1c3", ("p1", "r1c3"))).pawns == ("r1c3", "r1c3")


def test_navigator__the_climber_leaves_a_passenger_on_the_way() -> None:
    state = table("navigator", "climber")
    assert act(state, "p1", "navigate", **climb("r1c4", ("p1", "r1c2"))).pawns == ("r1c2", "r1c4")


def test_navigator__the_climber_takes_another_one_at_each_step() -> None:
    state = table("navigator", "climber", "explorer", "archeologist", at=("r1c1", "r1c1", "r1c2", "r1c3"))
    after = act(state, "p1", "navigate", **climb("r1c4", ("p4", "r1c4"), ("p1", "r1c2"), ("p3", "r1c3")))
    assert after.pawns == ("r1c2", "r1c4", "r1c3", "r1c4")


def test_navigator__the_climber_fetches_one_and_comes_back() -> None:
    state = table("navigator", "climber", "explorer", at=("r1c1", "r1c1", "r1c2"))
    assert act(state, "p1", "navigate", **climb("r1c1", ("p3", "r1c1"))).pawns == ("r1c1", "r1c1", "r1c1")


def test_navigator__the_climber_does_not_take_two_at_once() -> None:
    state = table("navigator", "climber", "explorer")
    assert "3 moves" in refused(state, "p1", "navigate", **climb("r1c3", ("p1", "r1c2"), ("p3", "r1c2")))


def test_navigator__the_climber_takes_two_by_going_back() -> None:
    state = table("navigator", "climber", "explorer")
    after = act(state, "p1", "navigate", **climb("r1c2", ("p1", "r1c2"), ("p3", "r1c2")))
    assert after.pawns == ("r1c2", "r1c2", "r1c2")


def test_navigator__passengers_have_one_spelling() -> None:
    passengers = (Passenger("p3", "r1c2"), Passenger("p1", "r1c3"))
    assert Navigate("p2", "r1c4", passengers) == Navigate("p2", "r1c4", passengers[::-1])


@pytest.mark.parametrize(
    "passengers",
    [
        [("p1", "r1c1")],
        [("p2", "r1c2")],
        [("p5", "r1c2")],
        [("p1", "r1c2"), ("p1", "r1c3")],
    ],
)
def test_navigator__who_is_no_passenger(passengers: list[tuple[str, str]]) -> None:
    assert refused(table("navigator", "climber"), "p1", "navigate", **climb("r1c3", *passengers))


def test_navigator__only_the_climber_takes_others_along() -> None:
    state = table("navigator", "explorer")
    assert "Only the Climber" in refused(state, "p1", "navigate", **climb("r1c2", ("p1", "r1c2")))


def test_navigator__to_the_own_tile_is_no_move() -> None:
    assert "already" in refused(table("navigator", "climber"), "p1", "navigate", **climb("r1c1"))


def test_navigator__not_when_buried() -> None:
    state = table("navigator", "explorer", at=("r1c1", "r3c2"), sand={"r1c1": 2})
    assert "buried" in refused(state, "p1", "navigate", seat="p2", to="r3c1")


def test_navigator__nobody_else_moves_others() -> None:
    assert "Only the Navigator" in refused(table("climber", "explorer"), "p1", "navigate", seat="p2", to="r1c2")


def walked(state: DesertState) -> set[tuple[str, ...]]:
    """How the pawns can stand after three moves of p2 with each passenger or none, by the rules of a move."""
    reached = {state.pawns}
    for _ in range(3):
        for pawns in reached.copy():
            now = replace(state, pawns=pawns)
            for to in steps(now, 1, pawns[1]):
                riders = [None, *(now.companions(1) if now.roles[1] == "climber" else [])]
                reached.update(
                    tuple(to if seat in {1, rider} else space for seat, space in enumerate(pawns)) for rider in riders
                )
    return reached - {state.pawns}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("moved", ["climber", "explorer", "archeologist"])
def test_navigator__three_steps_each_legal_for_that_pawn(moved: str, seed: int) -> None:
    rng = random.Random(seed)
    spaces = [space for space in SPACES if space != "r3c3"]
    near = rng.sample(spaces, 3)
    state = table(
        "navigator", moved, "water_carrier", "meteorologist",
        at=["r1c1" if rng.random() < 0.1 else rng.choice(near) for _ in range(4)],
        sand={space: rng.choice((0, 0, 1, 2, 3)) for space in spaces if rng.random() < 0.7},
        city=dict.fromkeys(rng.sample(spaces, 3), "tunnel"),
    )  # fmt: skip
    if state.is_buried(0):
        state = replace(state, board=table("navigator", moved).board)
    actions = [action for action in offered(state, "p1", "navigate") if action.seat == "p2"]
    ends = [act(state, "p1", "navigate", **_params(action)).pawns for action in actions]
    assert set(ends) == walked(state)
    assert len(set(ends)) == len(ends)


def _params(action: Navigate) -> dict[str, Any]:
    passengers = [{"seat": passenger.seat, "to": passenger.to} for passenger in action.passengers]
    return {"seat": action.seat, "to": action.to, "passengers": passengers}


# Water Carrier


def test_water_carrier__2_water_from_an_excavated_well_for_an_action() -> None:
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, water=(1, 1))
    after = act(state, "p1", "draw_water")
    assert (after.water, after.actions_left) == ((3, 1), 3)


def test_water_carrier__as_often_as_she_likes() -> None:
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, water=(1, 1))
    assert act(act(state, "p1", "draw_water"), "p1", "draw_water").water == (5, 1)


def test_water_carrier__even_when_full() -> None:
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"})
    assert act(state, "p1", "draw_water").water == (5, 3)


def test_water_carrier__on_a_well_with_one_marker() -> None:
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, sand={"r5c1": 1}, water=(1, 1))
    assert act(state, "p1", "draw_water").water == (3, 1)


def test_water_carrier__not_when_buried() -> None:
    state = table("water_carrier", "explorer", at="r5c1", city={"r5c1": "well"}, sand={"r5c1": 2})
    assert "buried" in refused(state, "p1", "draw_water")


def test_water_carrier__under_sand_with_the_climber_beside_her() -> None:
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, sand={"r5c1": 2}, water=(1, 1))
    assert act(state, "p1", "draw_water").water == (3, 1)


@pytest.mark.parametrize("city", [{}, {"r5c1": "mirage"}])
def test_water_carrier__not_without_an_excavated_well(city: dict[str, str]) -> None:
    assert "well" in refused(table("water_carrier", "climber", at="r5c1", city=city), "p1", "draw_water")


def test_water_carrier__nobody_else_draws_water() -> None:
    state = table("explorer", "climber", at="r5c1", city={"r5c1": "well"})
    assert "Only the Water Carrier" in refused(state, "p1", "draw_water")


def test_water_carrier__gives_to_adjacent_tiles_at_any_time() -> None:
    state = table("explorer", "water_carrier", at=("r1c1", "r1c2"), water=(1, 5), sand={"r1c2": 3})
    assert act(state, "p2", "give_water", to="p1", amount=3).water == (4, 2)


def test_water_carrier__not_diagonally() -> None:
    state = table("explorer", "water_carrier", at=("r1c1", "r2c2"), water=(1, 5))
    assert refused(state, "p2", "give_water", to="p1", amount=1)


def test_water_carrier__not_across_the_storm() -> None:
    state = table("explorer", "water_carrier", at=("r3c2", "r3c4"), water=(1, 5))
    assert refused(state, "p2", "give_water", to="p1", amount=1)


def test_water_carrier__only_gives_at_a_distance() -> None:
    state = table("explorer", "water_carrier", at=("r1c1", "r1c2"), water=(4, 1))
    assert refused(state, "p1", "give_water", to="p2", amount=1)


# Buried adventurers


@pytest.mark.parametrize(
    ("role", "kind"),
    [("meteorologist", "weaken_storm"), ("meteorologist", "forecast"), ("water_carrier", "draw_water")],
)
def test_buried__no_power_that_costs_an_action(role: str, kind: str) -> None:
    assert "buried" in refused(table(role, "explorer", sand={"r1c1": 2}), "p1", kind)


@pytest.mark.parametrize("kind", ["weaken_storm", "forecast"])
def test_buried__with_the_climber_they_act_as_a_free_pawn(kind: str) -> None:
    assert act(table("meteorologist", "climber", sand={"r1c1": 2}), "p1", kind).actions_left == 3
