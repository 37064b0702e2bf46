"""Forever Island: harvest, build, travel (FV-R4 to FV-R10, FV-R29, FV-R30, FV-R33)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Malformed
from engine.games.forever_island.components import AREAS, Goods
from engine.ruleset import Refusal
from tests.engine.games.atolls import RICH, RULES, atoll, do, fertility_of, hut, huts_of, offered, refused, told, totem

EIGHT = ["hog_1_a", "hog_1_a", "hog_1_b", "hog_2_a", "log_1_a", "log_1_b", "log_2_a", "frog_1_a"]

# Harvest


def test_harvest__one_resource_for_each_hut() -> None:
    state = do(atoll(huts=[["hog_1_a"]]), "p1", "harvest", hut="p1_hut_1")
    assert state.hands[0] == Goods(hog=1)


def test_harvest__from_the_island_not_from_the_pile() -> None:
    before = atoll(huts=[["log_2_b"]])
    after = do(before, "p1", "harvest", hut="p1_hut_1")
    assert (fertility_of(after, "log_2"), after.piles) == (2, before.piles)


def test_harvest__once_per_turn_and_hut() -> None:
    state = do(atoll(huts=[["hog_1_a", "hog_1_a"]]), "p1", "harvest", hut="p1_hut_1")
    assert offered(state, "p1", "harvest") == ["p1_hut_2"]
    assert refused(state, "p1", "harvest", hut="p1_hut_1") == Refusal("Harvest", "That hut has harvested in this turn.")


def test_harvest__again_in_the_next_turn() -> None:
    state = do(do(atoll(huts=[["hog_1_a"]]), "p1", "harvest", hut="p1_hut_1"), "p1", "end_turn")
    state = do(do(do(state, "p2", "roll_for_weather", 5), "p2", "end_turn"), "p1", "roll_for_weather", 5)
    assert offered(state, "p1", "harvest") == ["p1_hut_1"]


def test_harvest__option_unlimited() -> None:
    state = atoll(huts=[["hog_1_a"]], options={"harvest_per_hut_per_turn": "unlimited"})
    for _ in range(2):
        state = do(state, "p1", "harvest", hut="p1_hut_1")
    assert state.hands[0] == Goods(hog=2)


@pytest.mark.parametrize("option", [1, "unlimited"])
def test_harvest__not_with_a_hut_built_in_this_turn(option: object) -> None:
    state = atoll(huts=[["hog_1_a"]], new=["p1_hut_1"], options={"harvest_per_hut_per_turn": option})
    assert refused(state, "p1", "harvest", hut="p1_hut_1") == Refusal("Harvest", "That hut was built in this turn.")


def test_harvest__with_the_hut_of_the_initial_placement_in_turn_1() -> None:
    assert offered(atoll(turn=1, huts=[["hog_1_a"]]), "p1", "harvest") == ["p1_hut_1"]


def test_harvest__not_with_a_mobilized_hut_that_settles_again() -> None:
    # FV-R33: a settled hut is new, whatever stood there before.
    state = do(atoll(huts=[["hog_1_a"]], hands=[RICH]), "p1", "mobilize", hut="p1_hut_1")
    state = do(state, "p1", "settle", canoe="hog_1_a")
    assert offered(state, "p1", "harvest") == []


def test_harvest__not_from_a_dead_island() -> None:
    # FV-R25: an island whose pile was empty stays at 0.
    hands = [Goods(), Goods(hog=26)]
    state = atoll(huts=[["hog_1_a"]], fertility={"hog_1": 0}, hands=hands)
    assert refused(state, "p1", "harvest", hut="p1_hut_1") == Refusal("Harvest", "There is nothing on that island.")


def test_harvest__not_with_another_players_hut() -> None:
    assert refused(atoll(), "p1", "harvest", hut="p2_hut_1") == Refusal("Harvest", "That is another player's hut.")


@pytest.mark.parametrize("id_", ["p1_hut_8", "p6_hut_1"])
def test_harvest__not_with_a_hut_in_the_box(id_: str) -> None:
    assert refused(atoll(), "p1", "harvest", hut=id_) == Refusal("Harvest", "There is no such hut on the board.")


def test_harvest__told() -> None:
    state = atoll(huts=[["hog_1_a"]])
    assert told(state, "p1", "harvest", hut="p1_hut_1") == (
        "Harvest with hut 1 on Hog Island 1, shore A",
        "Ada harvests a hog from Hog Island 1.",
    )


def test_harvest__the_last_resource_told() -> None:
    state = atoll(huts=[["hog_1_a"]], fertility={"hog_1": 1})
    _, sentence = told(state, "p1", "harvest", hut="p1_hut_1")
    assert sentence == "Ada harvests a hog from Hog Island 1. Ecocide on Hog Island 1!"


# Build, Carve


def test_carve__a_canoe_for_one_log() -> None:
    before = atoll(huts=[["hog_1_a"]], hands=[Goods(log=1)])
    after = do(before, "p1", "carve", shore="hog_1_a")
    assert (after.canoes[0], after.hands[0], after.piles) == (("hog_1_a",), Goods(), before.piles + Goods(log=1))


def test_carve__where_one_has_a_hut() -> None:
    state = atoll(huts=[["hog_1_a", "log_1_b"]], hands=[RICH])
    assert offered(state, "p1", "carve") == ["hog_1_a", "log_1_b"]
    assert refused(state, "p1", "carve", shore="hog_1_b") == Refusal("Build", "A canoe is built where one has a hut.")


def test_carve__where_the_hut_is_new() -> None:
    state = atoll(huts=[["hog_1_a"]], new=["p1_hut_1"], hands=[RICH])
    assert offered(state, "p1", "carve") == ["hog_1_a"]


def test_carve__not_without_a_log() -> None:
    state = atoll(huts=[["hog_1_a"]], hands=[Goods(5, 0, 5)])
    assert refused(state, "p1", "carve", shore="hog_1_a") == Refusal("Build", "A canoe costs 1 log.")


def test_carve__ten_canoes_at_most() -> None:
    state = atoll(huts=[["hog_1_a"]], canoes=[["volcano"] * 10], hands=[RICH])
    assert refused(state, "p1", "carve", shore="hog_1_a") == Refusal(
        "Build", "All 10 canoes of that colour are on the board."
    )


def test_carve__docked_canoes_count() -> None:
    state = atoll(huts=[["hog_1_a"]], canoes=[["volcano"] * 9], docked={"p2_hut_1": "p1"}, hands=[RICH])
    assert offered(state, "p1", "carve") == []


def test_carve__told() -> None:
    state = atoll(huts=[["hog_1_a"]], hands=[RICH])
    assert told(state, "p1", "carve", shore="hog_1_a") == (
        "Carve a canoe on Hog Island 1, shore A",
        "Ada carves a canoe on Hog Island 1, shore A.",
    )


# Build, Settle


def test_settle__a_canoe_becomes_a_hut_for_a_hog_and_a_frog() -> None:
    before = atoll(huts=[["hog_1_a"]], canoes=[["log_1_b"]], hands=[Goods(1, 0, 1)])
    after = do(before, "p1", "settle", canoe="log_1_b")
    assert (huts_of(after, 0), after.canoes[0], after.hands[0]) == (["hog_1_a", "log_1_b"], (), Goods())
    assert after.piles == before.piles + Goods(hog=1, frog=1)


def test_settle__a_docked_canoe_leaves_its_hut() -> None:
    state = atoll(docked={"p2_hut_1": "p1"}, hands=[RICH])
    after = do(state, "p1", "settle", canoe="p2_hut_1")
    assert (huts_of(after, 0), hut(after, "p2_hut_1").docked) == (["frog_2_b", "frog_2_b"], None)


def test_settle__the_new_hut_has_the_lowest_free_number() -> None:
    state = atoll(huts=[["hog_1_a", "hog_1_b", "log_1_a"]], canoes=[["log_1_b"]], hands=[RICH])
    state = do(do(state, "p1", "mobilize", hut="p1_hut_2"), "p1", "settle", canoe="log_1_b")
    assert [(one.id, one.shore) for one in state.huts[0]] == [
        ("p1_hut_1", "hog_1_a"),
        ("p1_hut_2", "log_1_b"),
        ("p1_hut_3", "log_1_a"),
    ]


@pytest.mark.parametrize("hand", [Goods(1, 5, 0), Goods(0, 5, 1)])
def test_settle__not_without_a_hog_and_a_frog(hand: Goods) -> None:
    state = atoll(canoes=[["log_1_b"]], hands=[hand])
    assert refused(state, "p1", "settle", canoe="log_1_b") == Refusal("Build", "A hut costs 1 hog and 1 frog.")


def test_settle__not_on_the_volcano() -> None:
    state = atoll(canoes=[["volcano"]], hands=[RICH])
    assert refused(state, "p1", "settle", canoe="volcano") == Refusal("Build", "No hut can stand on the Volcano.")


def test_settle__eight_huts_at_most() -> None:
    state = atoll(huts=[EIGHT], canoes=[["frog_2_a"]], hands=[RICH])
    assert refused(state, "p1", "settle", canoe="frog_2_a") == Refusal(
        "Build", "All 8 huts of that colour are on the board."
    )


@pytest.mark.parametrize("canoe", ["log_1_a", "p1_hut_1", "p2_hut_1", "p2_hut_8"])
def test_settle__not_where_there_is_no_canoe_of_ones_own(canoe: str) -> None:
    state = atoll(canoes=[["log_1_b"], ["log_1_a"]], docked={"p2_hut_1": "p2"}, hands=[RICH])
    assert refused(state, "p1", "settle", canoe=canoe) == Refusal("Build", "There is no canoe of yours.")


def test_settle__told() -> None:
    state = atoll(canoes=[["log_1_b"]], docked={"p2_hut_1": "p1"}, hands=[RICH])
    assert told(state, "p1", "settle", canoe="log_1_b") == (
        "Settle a canoe on Log Island 1, shore B",
        "Ada settles a canoe on Log Island 1, shore B.",
    )
    label, _ = told(state, "p1", "settle", canoe="p2_hut_1")
    assert label == "Settle the canoe docked in Bo's hut 1 on Frog Island 2, shore B"


# Build, Erect


def test_erect__a_fallen_totem_for_five_hogs() -> None:
    before = atoll(hands=[Goods(hog=6)])
    after = do(before, "p1", "erect", totem="hog_1_a")
    assert totem(after, "hog_1_a").is_standing
    assert (after.hands[0], after.piles) == (Goods(hog=1), before.piles + Goods(hog=5))


def test_erect__needs_no_hut_there() -> None:
    state = atoll(hands=[Goods(hog=5)])
    assert offered(state, "p1", "erect") == ["frog_1_a", "hog_1_a", "hog_2_a", "log_1_a", "log_2_a"]


def test_erect__option_erect_requires_hut() -> None:
    state = atoll(huts=[["log_1_a", "log_2_b"]], hands=[Goods(hog=5)], options={"erect_requires_hut": True})
    assert offered(state, "p1", "erect") == ["log_1_a"]
    assert refused(state, "p1", "erect", totem="log_2_a") == Refusal(
        "Build", "At this table a totem is erected where one has a hut."
    )


def test_erect__not_for_four_hogs() -> None:
    state = atoll(hands=[Goods(4, 5, 5)])
    assert refused(state, "p1", "erect", totem="hog_1_a") == Refusal("Build", "It takes 5 hogs to erect a totem.")


def test_erect__not_one_that_stands() -> None:
    state = atoll(hands=[Goods(hog=5)], standing=["hog_1_a"])
    assert refused(state, "p1", "erect", totem="hog_1_a") == Refusal("Build", "That totem is standing.")


def test_erect__not_where_there_is_none() -> None:
    state = atoll(hands=[Goods(hog=5)])
    assert refused(state, "p1", "erect", totem="hog_1_b") == Refusal("Build", "There is no totem on that shore.")


def test_erect__again_after_it_has_fallen() -> None:
    state = do(atoll(hands=[Goods(hog=5)], has_erected=True), "p1", "erect", totem="hog_1_a")
    assert totem(state, "hog_1_a").is_standing


def test_erect__told() -> None:
    state = atoll(hands=[Goods(hog=5)])
    assert told(state, "p1", "erect", totem="hog_1_a") == (
        "Erect the totem on Hog Island 1, shore A",
        "Ada erects the totem on Hog Island 1, shore A.",
    )


# Build, Mobilize


def test_mobilize__a_hut_becomes_a_canoe_for_nothing() -> None:
    state = do(atoll(huts=[["hog_1_a"]]), "p1", "mobilize", hut="p1_hut_1")
    assert (state.huts[0], state.canoes[0], state.hands[0]) == ((), ("hog_1_a",), Goods())


@pytest.mark.parametrize("position", [{"new": ["p1_hut_1"]}, {"harvested": ["p1_hut_1"]}])
def test_mobilize__any_hut(position: dict[str, Any]) -> None:
    assert offered(atoll(huts=[["hog_1_a"]], **position), "p1", "mobilize") == ["p1_hut_1"]


def test_mobilize__a_canoe_docked_in_it_is_undocked() -> None:
    state = do(atoll(docked={"p1_hut_1": "p2"}), "p1", "mobilize", hut="p1_hut_1")
    assert state.canoes == (("frog_2_b",), ("frog_2_b",))


def test_mobilize__needs_a_canoe_in_the_box() -> None:
    state = atoll(canoes=[["volcano"] * 10])
    assert refused(state, "p1", "mobilize", hut="p1_hut_1") == Refusal(
        "Build", "All 10 canoes of that colour are on the board."
    )


def test_mobilize__not_another_players_hut() -> None:
    assert refused(atoll(), "p1", "mobilize", hut="p2_hut_1") == Refusal("Build", "That is another player's hut.")


def test_mobilize__told() -> None:
    assert told(atoll(), "p1", "mobilize", hut="p1_hut_1") == (
        "Mobilize hut 1 on Frog Island 2, shore B",
        "Ada mobilizes hut 1 on Frog Island 2, shore B.",
    )


# Travel


def test_travel__free_between_the_shores_of_an_island() -> None:
    state = do(atoll(canoes=[["hog_1_a"]]), "p1", "travel", canoe="hog_1_a", to="hog_1_b")
    assert state.canoes[0] == ("hog_1_b",)


@pytest.mark.parametrize("to", ["log_1_a", "log_1_b", "frog_2_a", "frog_2_b", "volcano"])
def test_travel__one_frog_to_an_adjacent_tile(to: str) -> None:
    before = atoll(canoes=[["hog_1_a"]], hands=[Goods(frog=1)])
    after = do(before, "p1", "travel", canoe="hog_1_a", to=to)
    assert (after.canoes[0], after.hands[0], after.piles) == ((to,), Goods(), before.piles + Goods(frog=1))


def test_travel__one_frog_from_the_volcano_too() -> None:
    state = atoll(canoes=[["volcano"]], hands=[Goods(frog=1)])
    assert do(state, "p1", "travel", canoe="volcano", to="hog_2_b").hands[0] == Goods()


def test_travel__not_to_an_island_that_does_not_border() -> None:
    state = atoll(canoes=[["hog_1_a"]], hands=[RICH])
    assert refused(state, "p1", "travel", canoe="hog_1_a", to="hog_2_a") == Refusal(
        "Travel", "Too far: Hog Island 2 does not border on Hog Island 1."
    )


def test_travel__not_without_a_frog() -> None:
    state = atoll(canoes=[["hog_1_a"]], hands=[Goods(5, 5, 0)])
    assert offered(state, "p1", "travel") == [("hog_1_a", "hog_1_b")]
    assert refused(state, "p1", "travel", canoe="hog_1_a", to="log_1_a") == Refusal(
        "Travel", "It costs 1 frog to travel to another tile."
    )


def test_travel__three_frogs_send_three_canoes() -> None:
    state = atoll(canoes=[["hog_1_a"] * 3], hands=[Goods(frog=3)])
    for _ in range(3):
        state = do(state, "p1", "travel", canoe="hog_1_a", to="log_1_a")
    assert (state.canoes[0], state.hands[0]) == (("log_1_a",) * 3, Goods())


def test_travel__from_the_volcano_to_every_island() -> None:
    state = atoll(canoes=[["volcano"]], hands=[RICH])
    assert {to for _, to in offered(state, "p1", "travel")} == set(AREAS) - {"volcano"}


def test_travel__canoes_that_lie_together_are_one_choice() -> None:
    state = atoll(canoes=[["hog_1_a", "hog_1_a"]])
    assert offered(state, "p1", "travel") == [("hog_1_a", "hog_1_b")]


def test_travel__a_docked_canoe_is_undocked_by_it() -> None:
    state = do(atoll(docked={"p2_hut_1": "p1"}), "p1", "travel", canoe="p2_hut_1", to="frog_2_a")
    assert (state.canoes[0], hut(state, "p2_hut_1").docked) == (("frog_2_a",), None)


def test_travel__not_to_where_it_is() -> None:
    state = atoll(canoes=[["hog_1_a"]])
    assert refused(state, "p1", "travel", canoe="hog_1_a", to="hog_1_a").message == "The canoe lies there already."


@pytest.mark.parametrize("canoe", ["log_1_a", "p1_hut_1"])
def test_travel__not_another_players_canoe(canoe: str) -> None:
    state = atoll(canoes=[[], ["log_1_a"]], docked={"p1_hut_1": "p2"})
    assert refused(state, "p1", "travel", canoe=canoe, to="log_1_b") == Refusal("Travel", "There is no canoe of yours.")


def test_travel__not_a_canoe_that_no_table_has() -> None:
    with pytest.raises(Malformed):
        RULES.parse("travel", {"canoe": "atlantis", "to": "log_1_b"})


def test_travel__told() -> None:
    state = atoll(canoes=[["hog_1_a"]], docked={"p2_hut_1": "p1"}, hands=[RICH])
    assert told(state, "p1", "travel", canoe="hog_1_a", to="volcano") == (
        "Send a canoe on Hog Island 1, shore A to the Volcano",
        "Ada sends a canoe on Hog Island 1, shore A to the Volcano.",
    )


# Travel, docking


def test_dock__in_ones_own_hut() -> None:
    state = do(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p1_hut_1")
    assert (state.canoes[0], hut(state, "p1_hut_1").docked) == ((), 0)


def test_dock__in_another_players_hut_without_asking() -> None:
    assert hut(do(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p2_hut_1"), "p2_hut_1").docked == 0


def test_dock__not_in_an_occupied_hut() -> None:
    state = atoll(canoes=[["frog_2_b"]], docked={"p2_hut_1": "p2"})
    assert offered(state, "p1", "dock") == ["p1_hut_1"]
    assert refused(state, "p1", "dock", hut="p2_hut_1") == Refusal("Travel", "A canoe is docked in that hut.")


@pytest.mark.parametrize("canoes", [["frog_2_a"], []])
def test_dock__on_the_canoes_own_shore(canoes: list[str]) -> None:
    assert refused(atoll(canoes=[canoes]), "p1", "dock", hut="p1_hut_1") == Refusal(
        "Travel", "There is no undocked canoe of yours on that hut's shore."
    )


def test_dock__not_in_a_hut_that_is_not_on_the_board() -> None:
    refusal = refused(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p2_hut_2")
    assert refusal.message == "There is no such hut on the board."


def test_dock__told() -> None:
    assert told(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p2_hut_1") == (
        "Dock in Bo's hut 1 on Frog Island 2, shore B",
        "Ada docks in Bo's hut 1 on Frog Island 2, shore B.",
    )


def test_undock__ones_own_canoe() -> None:
    state = do(atoll(docked={"p2_hut_1": "p1"}), "p1", "undock", hut="p2_hut_1")
    assert (state.canoes[0], hut(state, "p2_hut_1").docked) == (("frog_2_b",), None)


@pytest.mark.parametrize("id_", ["p1_hut_1", "p2_hut_1", "p2_hut_2"])
def test_undock__not_where_no_canoe_of_ones_own_is_docked(id_: str) -> None:
    state = atoll(docked={"p1_hut_1": "p2"})
    assert refused(state, "p1", "undock", hut=id_) == Refusal("Travel", "No canoe of yours is docked there.")


def test_undock__told() -> None:
    assert told(atoll(docked={"p2_hut_1": "p1"}), "p1", "undock", hut="p2_hut_1") == (
        "Undock from Bo's hut 1 on Frog Island 2, shore B",
        "Ada undocks from Bo's hut 1 on Frog Island 2, shore B.",
    )


def test_eject__another_players_canoe_from_ones_own_hut() -> None:
    state = do(atoll(docked={"p1_hut_1": "p2"}), "p1", "eject", hut="p1_hut_1")
    assert (state.canoes[1], hut(state, "p1_hut_1").docked) == (("frog_2_b",), None)


@pytest.mark.parametrize("docked", [{}, {"p1_hut_1": "p1"}])
def test_eject__only_others(docked: dict[str, str]) -> None:
    assert refused(atoll(docked=docked), "p1", "eject", hut="p1_hut_1") == Refusal(
        "Travel", "No other player's canoe is docked there."
    )


def test_eject__only_from_ones_own_huts() -> None:
    state = atoll(seats=3, docked={"p2_hut_1": "p3"})
    assert refused(state, "p1", "eject", hut="p2_hut_1") == Refusal("Travel", "That is another player's hut.")


def test_eject__told() -> None:
    assert told(atoll(docked={"p1_hut_1": "p2"}), "p1", "eject", hut="p1_hut_1") == (
        "Eject Bo's canoe from hut 1 on Frog Island 2, shore B",
        "Ada ejects Bo's canoe from hut 1 on Frog Island 2, shore B.",
    )


@pytest.mark.parametrize(
    ("type_", "params"),
    [
        ("harvest", {"hut": "p1_hut_1"}),
        ("carve", {"shore": "frog_2_b"}),
        ("settle", {"canoe": "frog_2_b"}),
        ("erect", {"totem": "hog_1_a"}),
        ("mobilize", {"hut": "p1_hut_1"}),
        ("travel", {"canoe": "frog_2_b", "to": "frog_2_a"}),
        ("dock", {"hut": "p1_hut_1"}),
        ("undock", {"hut": "p1_hut_1"}),
        ("eject", {"hut": "p1_hut_1"}),
        ("offer_double_up", {"hut": "p1_hut_1"}),
        ("convert", {"give": "hog", "take": "frog"}),
        ("offer_exchange", {"partner": "p2", "give": {"hog": 1}, "take": {}}),
        ("tax", {"totem": "hog_1_a", "island": "hog_1"}),
        ("extend", {"totem": "hog_1_a"}),
        ("declare_raid", {"defender": "p2", "area": "frog_2_b"}),
    ],
)
def test_actions__after_the_weather_only(type_: str, params: dict[str, Any]) -> None:
    # FV-R24
    assert refused(atoll(phase="weather"), "p1", type_, **params).rule == "Roll for Weather"
