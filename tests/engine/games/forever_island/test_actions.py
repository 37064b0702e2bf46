"""Forever Island: harvest and build."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forever_island.components import Goods
from engine.kit.ruleset import Refusal
from tests.engine.games.forever_island.positions import RICH, atoll, fertility_of, hut, huts_of, totem
from tests.engine.games.playing import do, offered, refused, said

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
    # FV-R4
    state = do(atoll(huts=[["hog_1_a", "hog_1_a"]]), "p1", "harvest", hut="p1_hut_1")
    assert offered(state, "p1", "harvest") == ["p1_hut_2"]
    assert refused(state, "p1", "harvest", hut="p1_hut_1") == Refusal(
        "Harvest", "That hut has already harvested this turn."
    )


def test_harvest__again_in_the_next_turn() -> None:
    state = do(do(atoll(huts=[["hog_1_a"]]), "p1", "harvest", hut="p1_hut_1"), "p1", "end_turn")
    state = do(do(do(state, "p2", "roll_for_weather", 5), "p2", "end_turn"), "p1", "roll_for_weather", 5)
    assert offered(state, "p1", "harvest") == ["p1_hut_1"]


def test_harvest__option_unlimited() -> None:
    # FV-R4
    state = atoll(huts=[["hog_1_a"]], options={"harvest_per_hut_per_turn": "unlimited"})
    for _ in range(2):
        state = do(state, "p1", "harvest", hut="p1_hut_1")
    assert state.hands[0] == Goods(hog=2)


@pytest.mark.parametrize("option", [1, "unlimited"])
def test_harvest__not_with_a_hut_built_in_this_turn(option: object) -> None:
    # FV-R4
    state = atoll(huts=[["hog_1_a"]], new=["p1_hut_1"], options={"harvest_per_hut_per_turn": option})
    assert refused(state, "p1", "harvest", hut="p1_hut_1") == Refusal("Harvest", "That hut was built this turn.")


def test_harvest__with_the_hut_of_the_initial_placement_in_turn_1() -> None:
    # FV-R33
    assert offered(atoll(turn=1, huts=[["hog_1_a"]]), "p1", "harvest") == ["p1_hut_1"]


def test_harvest__not_with_a_mobilized_hut_that_settles_again() -> None:
    # FV-R33: a settled hut is new, even if another hut was there before.
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
    assert said(state, "p1", "harvest", hut="p1_hut_1") == (
        "Harvest with hut 1 on Hog Island 1, shore A",
        "Ada harvests a hog from Hog Island 1.",
    )


def test_harvest__the_last_resource_told() -> None:
    state = atoll(huts=[["hog_1_a"]], fertility={"hog_1": 1})
    _, sentence = said(state, "p1", "harvest", hut="p1_hut_1")
    assert sentence == "Ada harvests a hog from Hog Island 1. Ecocide on Hog Island 1!"


# Build, Carve


def test_carve__a_canoe_for_one_log() -> None:
    before = atoll(huts=[["hog_1_a"]], hands=[Goods(log=1)])
    after = do(before, "p1", "carve", shore="hog_1_a")
    assert (after.canoes[0], after.hands[0], after.piles) == (("hog_1_a",), Goods(), before.piles + Goods(log=1))


def test_carve__where_one_has_a_hut() -> None:
    # FV-R5
    state = atoll(huts=[["hog_1_a", "log_1_b"]], hands=[RICH])
    assert offered(state, "p1", "carve") == ["hog_1_a", "log_1_b"]
    assert refused(state, "p1", "carve", shore="hog_1_b") == Refusal(
        "Build", "You can only build a canoe where you have a hut."
    )


def test_carve__where_the_hut_is_new() -> None:
    # FV-R5
    state = atoll(huts=[["hog_1_a"]], new=["p1_hut_1"], hands=[RICH])
    assert offered(state, "p1", "carve") == ["hog_1_a"]


def test_carve__not_without_a_log() -> None:
    state = atoll(huts=[["hog_1_a"]], hands=[Goods(5, 0, 5)])
    assert refused(state, "p1", "carve", shore="hog_1_a") == Refusal("Build", "A canoe costs 1 log.")


def test_carve__ten_canoes_at_most() -> None:
    # FV-R5
    state = atoll(huts=[["hog_1_a"]], canoes=[["volcano"] * 10], hands=[RICH])
    assert refused(state, "p1", "carve", shore="hog_1_a") == Refusal(
        "Build", "All 10 canoes of that colour are on the board."
    )


def test_carve__docked_canoes_count() -> None:
    # FV-R5
    state = atoll(huts=[["hog_1_a"]], canoes=[["volcano"] * 9], docked={"p2_hut_1": "p1"}, hands=[RICH])
    assert offered(state, "p1", "carve") == []


def test_carve__told() -> None:
    state = atoll(huts=[["hog_1_a"]], hands=[RICH])
    assert said(state, "p1", "carve", shore="hog_1_a") == (
        "Carve a canoe on Hog Island 1, shore A",
        "Ada carves a canoe on Hog Island 1, shore A.",
    )


# Build, Settle


def test_settle__a_canoe_becomes_a_hut_for_a_hog_and_a_frog() -> None:
    # FV-R6
    before = atoll(huts=[["hog_1_a"]], canoes=[["log_1_b"]], hands=[Goods(1, 0, 1)])
    after = do(before, "p1", "settle", canoe="log_1_b")
    assert (huts_of(after, 0), after.canoes[0], after.hands[0]) == (["hog_1_a", "log_1_b"], (), Goods())
    assert after.piles == before.piles + Goods(hog=1, frog=1)


def test_settle__a_docked_canoe_leaves_its_hut() -> None:
    # FV-R6
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
    # FV-R6
    state = atoll(canoes=[["volcano"]], hands=[RICH])
    assert refused(state, "p1", "settle", canoe="volcano") == Refusal("Build", "No hut can stand on the Volcano.")


def test_settle__eight_huts_at_most() -> None:
    # FV-R6
    state = atoll(huts=[EIGHT], canoes=[["frog_2_a"]], hands=[RICH])
    assert refused(state, "p1", "settle", canoe="frog_2_a") == Refusal(
        "Build", "All 8 huts of that colour are on the board."
    )


@pytest.mark.parametrize("canoe", ["log_1_a", "p1_hut_1", "p2_hut_1", "p2_hut_8"])
def test_settle__not_where_there_is_no_canoe_of_ones_own(canoe: str) -> None:
    # FV-R6
    state = atoll(canoes=[["log_1_b"], ["log_1_a"]], docked={"p2_hut_1": "p2"}, hands=[RICH])
    assert refused(state, "p1", "settle", canoe=canoe) == Refusal("Build", "You have no canoe there.")


def test_settle__told() -> None:
    state = atoll(canoes=[["log_1_b"]], docked={"p2_hut_1": "p1"}, hands=[RICH])
    assert said(state, "p1", "settle", canoe="log_1_b") == (
        "Settle a canoe on Log Island 1, shore B",
        "Ada settles a canoe on Log Island 1, shore B.",
    )
    label, _ = said(state, "p1", "settle", canoe="p2_hut_1")
    assert label == "Settle the canoe docked in Bo's hut 1 on Frog Island 2, shore B"


# Build, Erect


def test_erect__a_fallen_totem_for_five_hogs() -> None:
    before = atoll(hands=[Goods(hog=6)])
    after = do(before, "p1", "erect", totem="hog_1_a")
    assert totem(after, "hog_1_a").is_standing
    assert (after.hands[0], after.piles) == (Goods(hog=1), before.piles + Goods(hog=5))


def test_erect__needs_no_hut_there() -> None:
    # FV-R7
    state = atoll(hands=[Goods(hog=5)])
    assert offered(state, "p1", "erect") == ["frog_1_a", "hog_1_a", "hog_2_a", "log_1_a", "log_2_a"]


def test_erect__option_erect_requires_hut() -> None:
    # FV-R7
    state = atoll(huts=[["log_1_a", "log_2_b"]], hands=[Goods(hog=5)], options={"erect_requires_hut": True})
    assert offered(state, "p1", "erect") == ["log_1_a"]
    assert refused(state, "p1", "erect", totem="log_2_a") == Refusal(
        "Build", "The options of this game let you erect a totem only where you have a hut."
    )


def test_erect__not_for_four_hogs() -> None:
    state = atoll(hands=[Goods(4, 5, 5)])
    assert refused(state, "p1", "erect", totem="hog_1_a") == Refusal("Build", "It takes 5 hogs to erect a totem.")


def test_erect__not_one_that_stands() -> None:
    state = atoll(hands=[Goods(hog=5)], standing=["hog_1_a"])
    assert refused(state, "p1", "erect", totem="hog_1_a") == Refusal("Build", "That totem is already standing.")


def test_erect__not_where_there_is_none() -> None:
    state = atoll(hands=[Goods(hog=5)])
    assert refused(state, "p1", "erect", totem="hog_1_b") == Refusal("Build", "There is no totem on that shore.")


def test_erect__again_after_it_has_fallen() -> None:
    state = do(atoll(hands=[Goods(hog=5)], has_erected=True), "p1", "erect", totem="hog_1_a")
    assert totem(state, "hog_1_a").is_standing


def test_erect__told() -> None:
    state = atoll(hands=[Goods(hog=5)])
    assert said(state, "p1", "erect", totem="hog_1_a") == (
        "Erect the totem on Hog Island 1, shore A",
        "Ada erects the totem on Hog Island 1, shore A.",
    )


# Build, Mobilize


def test_mobilize__a_hut_becomes_a_canoe_for_nothing() -> None:
    # FV-R8
    state = do(atoll(huts=[["hog_1_a"]]), "p1", "mobilize", hut="p1_hut_1")
    assert (state.huts[0], state.canoes[0], state.hands[0]) == ((), ("hog_1_a",), Goods())


@pytest.mark.parametrize("position", [{"new": ["p1_hut_1"]}, {"harvested": ["p1_hut_1"]}])
def test_mobilize__any_hut(position: dict[str, Any]) -> None:
    assert offered(atoll(huts=[["hog_1_a"]], **position), "p1", "mobilize") == ["p1_hut_1"]


def test_mobilize__a_canoe_docked_in_it_is_undocked() -> None:
    # FV-R29
    state = do(atoll(docked={"p1_hut_1": "p2"}), "p1", "mobilize", hut="p1_hut_1")
    assert state.canoes == (("frog_2_b",), ("frog_2_b",))


def test_mobilize__needs_a_canoe_in_the_box() -> None:
    # FV-R8
    state = atoll(canoes=[["volcano"] * 10])
    assert refused(state, "p1", "mobilize", hut="p1_hut_1") == Refusal(
        "Build", "All 10 canoes of that colour are on the board."
    )


def test_mobilize__not_another_players_hut() -> None:
    assert refused(atoll(), "p1", "mobilize", hut="p2_hut_1") == Refusal("Build", "That is another player's hut.")


def test_mobilize__told() -> None:
    assert said(atoll(), "p1", "mobilize", hut="p1_hut_1") == (
        "Mobilize hut 1 on Frog Island 2, shore B",
        "Ada mobilizes hut 1 on Frog Island 2, shore B.",
    )
