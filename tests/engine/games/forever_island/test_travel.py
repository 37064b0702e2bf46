"""Forever Island: travel, and canoes in the docks."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import Malformed
from engine.games.forever_island.components import AREAS, Goods
from engine.kit.ruleset import Refusal
from tests.engine.games.forever_island.positions import RICH, RULES, atoll, hut
from tests.engine.games.playing import do, offered, refused, said


def test_travel__free_between_the_shores_of_an_island() -> None:
    state = do(atoll(canoes=[["hog_1_a"]]), "p1", "travel", canoe="hog_1_a", to="hog_1_b")
    assert state.canoes[0] == ("hog_1_b",)


@pytest.mark.parametrize("to", ["log_1_a", "log_1_b", "frog_2_a", "frog_2_b", "volcano"])
def test_travel__one_frog_to_an_adjacent_tile(to: str) -> None:
    # FV-R9 and FV-R30
    before = atoll(canoes=[["hog_1_a"]], hands=[Goods(frog=1)])
    after = do(before, "p1", "travel", canoe="hog_1_a", to=to)
    assert (after.canoes[0], after.hands[0], after.piles) == ((to,), Goods(), before.piles + Goods(frog=1))


def test_travel__one_frog_from_the_volcano_too() -> None:
    # FV-R30
    state = atoll(canoes=[["volcano"]], hands=[Goods(frog=1)])
    assert do(state, "p1", "travel", canoe="volcano", to="hog_2_b").hands[0] == Goods()


def test_travel__not_to_an_island_that_does_not_border() -> None:
    # FV-R9 and FV-R30
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
    assert refused(state, "p1", "travel", canoe="hog_1_a", to="hog_1_a").message == "The canoe is already there."


@pytest.mark.parametrize("canoe", ["log_1_a", "p1_hut_1"])
def test_travel__not_another_players_canoe(canoe: str) -> None:
    # FV-R9
    state = atoll(canoes=[[], ["log_1_a"]], docked={"p1_hut_1": "p2"})
    assert refused(state, "p1", "travel", canoe=canoe, to="log_1_b") == Refusal("Travel", "You have no canoe there.")


def test_travel__not_a_canoe_that_no_table_has() -> None:
    with pytest.raises(Malformed):
        RULES.parse("travel", {"canoe": "atlantis", "to": "log_1_b"})


def test_travel__told() -> None:
    state = atoll(canoes=[["hog_1_a"]], docked={"p2_hut_1": "p1"}, hands=[RICH])
    assert said(state, "p1", "travel", canoe="hog_1_a", to="volcano") == (
        "Send a canoe on Hog Island 1, shore A to the Volcano",
        "Ada sends a canoe on Hog Island 1, shore A to the Volcano.",
    )


# Travel, docking


def test_dock__in_ones_own_hut() -> None:
    state = do(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p1_hut_1")
    assert (state.canoes[0], hut(state, "p1_hut_1").docked) == ((), 0)


def test_dock__in_another_players_hut_without_asking() -> None:
    # FV-R10
    assert hut(do(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p2_hut_1"), "p2_hut_1").docked == 0


def test_dock__not_in_an_occupied_hut() -> None:
    # FV-R10
    state = atoll(canoes=[["frog_2_b"]], docked={"p2_hut_1": "p2"})
    assert offered(state, "p1", "dock") == ["p1_hut_1"]
    assert refused(state, "p1", "dock", hut="p2_hut_1") == Refusal("Travel", "A canoe is docked in that hut.")


@pytest.mark.parametrize("canoes", [["frog_2_a"], []])
def test_dock__on_the_canoes_own_shore(canoes: list[str]) -> None:
    assert refused(atoll(canoes=[canoes]), "p1", "dock", hut="p1_hut_1") == Refusal(
        "Travel", "You have no undocked canoe on that hut's shore."
    )


def test_dock__not_in_a_hut_that_is_not_on_the_board() -> None:
    refusal = refused(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p2_hut_2")
    assert refusal.message == "There is no such hut on the board."


def test_dock__told() -> None:
    assert said(atoll(canoes=[["frog_2_b"]]), "p1", "dock", hut="p2_hut_1") == (
        "Dock in Bo's hut 1 on Frog Island 2, shore B",
        "Ada docks in Bo's hut 1 on Frog Island 2, shore B.",
    )


def test_undock__ones_own_canoe() -> None:
    # FV-R10
    state = do(atoll(docked={"p2_hut_1": "p1"}), "p1", "undock", hut="p2_hut_1")
    assert (state.canoes[0], hut(state, "p2_hut_1").docked) == (("frog_2_b",), None)


@pytest.mark.parametrize("id_", ["p1_hut_1", "p2_hut_1", "p2_hut_2"])
def test_undock__not_where_no_canoe_of_ones_own_is_docked(id_: str) -> None:
    # FV-R10
    state = atoll(docked={"p1_hut_1": "p2"})
    assert refused(state, "p1", "undock", hut=id_) == Refusal("Travel", "No canoe of yours is docked there.")


def test_undock__told() -> None:
    assert said(atoll(docked={"p2_hut_1": "p1"}), "p1", "undock", hut="p2_hut_1") == (
        "Undock from Bo's hut 1 on Frog Island 2, shore B",
        "Ada undocks from Bo's hut 1 on Frog Island 2, shore B.",
    )


def test_eject__another_players_canoe_from_ones_own_hut() -> None:
    # FV-R10
    state = do(atoll(docked={"p1_hut_1": "p2"}), "p1", "eject", hut="p1_hut_1")
    assert (state.canoes[1], hut(state, "p1_hut_1").docked) == (("frog_2_b",), None)


@pytest.mark.parametrize("docked", [{}, {"p1_hut_1": "p1"}])
def test_eject__only_others(docked: dict[str, str]) -> None:
    # FV-R10
    assert refused(atoll(docked=docked), "p1", "eject", hut="p1_hut_1") == Refusal(
        "Travel", "No other player's canoe is docked there."
    )


def test_eject__only_from_ones_own_huts() -> None:
    # FV-R10
    state = atoll(seats=3, docked={"p2_hut_1": "p3"})
    assert refused(state, "p1", "eject", hut="p2_hut_1") == Refusal("Travel", "That is another player's hut.")


def test_eject__told() -> None:
    assert said(atoll(docked={"p1_hut_1": "p2"}), "p1", "eject", hut="p1_hut_1") == (
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
