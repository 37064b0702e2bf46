"""Forever Island: taxes, what is extended by them, and taxes in teams."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forever_island.components import Goods
from engine.kit.ruleset import Refusal
from tests.engine.games.forever_island.positions import atoll, fertility_of, hut, totem
from tests.engine.games.playing import do, offered, refused, said


def ruling(**fields: Any) -> Any:
    """Ada controls the standing totem on hog_1_a."""
    return atoll(**{"huts": [["hog_1_a"], ["log_1_b"]], "standing": ["hog_1_a"], **fields})


def test_tax__one_resource_for_a_totem_that_one_controls() -> None:
    state = do(ruling(), "p1", "tax", totem="hog_1_a", island="log_1")
    assert (state.hands[0], fertility_of(state, "log_1")) == (Goods(log=1), 2)


def test_tax__of_any_inhabited_island() -> None:
    # FV-R14
    assert offered(ruling(), "p1", "tax") == [("hog_1_a", "hog_1"), ("hog_1_a", "log_1")]
    assert refused(ruling(), "p1", "tax", totem="hog_1_a", island="frog_1") == Refusal(
        "Tax", "There is no hut on that island."
    )


def test_tax__once_a_turn() -> None:
    # FV-R14
    state = do(ruling(), "p1", "tax", totem="hog_1_a", island="log_1")
    assert refused(state, "p1", "tax", totem="hog_1_a", island="hog_1") == Refusal(
        "Tax", "All taxes of that totem were collected this turn."
    )


def test_tax__once_more_for_each_extension() -> None:
    # FV-R14
    state = ruling(extensions={"hog_1_a": 2})
    for _ in range(3):
        state = do(state, "p1", "tax", totem="hog_1_a", island="hog_1" if fertility_of(state, "hog_1") > 1 else "log_1")
    assert offered(state, "p1", "tax") == []


def test_tax__each_totem_has_its_own() -> None:
    # FV-R14
    state = ruling(huts=[["hog_1_a", "log_1_a"], ["log_1_b"]], standing=["hog_1_a", "log_1_a"])
    state = do(state, "p1", "tax", totem="hog_1_a", island="hog_1")
    assert {shore for shore, _ in offered(state, "p1", "tax")} == {"log_1_a"}


def test_tax__in_the_turn_in_which_control_is_gained() -> None:
    state = do(atoll(huts=[["hog_1_a"]], hands=[Goods(hog=5)]), "p1", "erect", totem="hog_1_a")
    assert ("hog_1_a", "hog_1") in offered(state, "p1", "tax")


def test_tax__the_tally_survives_a_fall() -> None:
    # FV-R31: a totem erected again in the same turn has already been taxed.
    state = ruling(
        huts=[["hog_1_a", "frog_1_b"], ["log_1_b"]],
        fertility={"hog_1": 1},
        hands=[Goods(5, 0, 0)],
        canoes=[["hog_1_b"]],
    )
    state = do(state, "p1", "tax", totem="hog_1_a", island="hog_1")
    assert (totem(state, "hog_1_a").is_standing, totem(state, "hog_1_a").taxed) == (False, 1)
    assert totem(do(state, "p1", "erect", totem="hog_1_a"), "hog_1_a").taxed == 1


def test_tax__may_bring_ecocide() -> None:
    state = do(ruling(fertility={"log_1": 1}, canoes=[[], ["volcano"]]), "p1", "tax", totem="hog_1_a", island="log_1")
    assert (hut(state, "p2_hut_1"), fertility_of(state, "log_1")) == (None, 1)


def test_tax__not_of_a_dead_island() -> None:
    state = ruling(fertility={"log_1": 0})
    assert refused(state, "p1", "tax", totem="hog_1_a", island="log_1").message == "There is nothing on that island."


@pytest.mark.parametrize(
    "position",
    [
        {"standing": []},
        {"huts": [["hog_1_b"], ["log_1_b"]]},
        {"huts": [["hog_1_a"], ["hog_1_a"]]},
        {"huts": [["hog_1_b"], ["hog_1_a"]]},
        {"huts": [["hog_1_b"], ["log_1_b"]], "canoes": [["hog_1_a"]]},
    ],
    ids=["fallen", "nobody_there", "shared", "another_player", "canoes_do_not_count"],
)
def test_control__the_only_player_with_huts_on_the_shore_of_a_standing_totem(position: dict[str, Any]) -> None:
    # FV-R13
    state = ruling(**position)
    refusal = Refusal("Tax", "You do not control a standing totem there.")
    assert refused(state, "p1", "tax", totem="hog_1_a", island="log_1") == refusal
    assert refused(state, "p1", "extend", totem="hog_1_a") == refusal


def test_control__other_players_canoes_do_not_break_it() -> None:
    # FV-R13
    assert offered(ruling(canoes=[[], ["hog_1_a"]]), "p1", "tax") != []


def test_tax__not_where_there_is_no_totem() -> None:
    refusal = refused(ruling(), "p1", "tax", totem="hog_1_b", island="log_1")
    assert refusal == Refusal("Tax", "There is no totem on that shore.")


def test_tax__told() -> None:
    assert said(ruling(fertility={"log_1": 1}), "p1", "tax", totem="hog_1_a", island="log_1") == (
        "Tax Log Island 1 with the totem on Hog Island 1, shore A",
        "Ada taxes Log Island 1 with the totem on Hog Island 1, shore A: a log. Ecocide on Log Island 1!",
    )


# Tax, Extend


def test_extend__three_of_each() -> None:
    before = ruling(hands=[Goods(3, 4, 3)])
    after = do(before, "p1", "extend", totem="hog_1_a")
    assert (totem(after, "hog_1_a").extensions, after.hands[0]) == (1, Goods(log=1))
    assert after.piles == before.piles + Goods(3, 3, 3)


def test_extend__counts_in_the_same_turn() -> None:
    state = do(ruling(hands=[Goods(3, 3, 3)], taxed={"hog_1_a": 1}), "p1", "extend", totem="hog_1_a")
    assert offered(state, "p1", "tax") != []


@pytest.mark.parametrize("hand", [Goods(2, 3, 3), Goods(3, 2, 3), Goods(3, 3, 2)])
def test_extend__not_for_less(hand: Goods) -> None:
    refusal = refused(ruling(hands=[hand]), "p1", "extend", totem="hog_1_a")
    assert refusal == Refusal("Tax", "An extension costs 3 hogs, 3 logs and 3 frogs.")


def test_extend__five_on_the_board_at_most() -> None:
    # FV-R15
    state = ruling(
        huts=[["hog_1_a"], ["log_1_a"]],
        standing=["hog_1_a", "log_1_a"],
        extensions={"hog_1_a": 2, "log_1_a": 3},
        hands=[Goods(3, 3, 3)],
    )
    assert offered(state, "p1", "extend") == []
    assert refused(state, "p1", "extend", totem="hog_1_a") == Refusal("Tax", "All 5 totem tokens are on the board.")


def test_extend__told() -> None:
    assert said(ruling(hands=[Goods(3, 3, 3)]), "p1", "extend", totem="hog_1_a") == (
        "Extend the totem on Hog Island 1, shore A",
        "Ada extends the totem on Hog Island 1, shore A.",
    )


# Tax in teams


def allied_table(shared: str, **fields: Any) -> Any:
    """Cleo, Ada's team-mate, has the only hut on the shore of a standing totem."""
    options = {"teams": 2, "team_shared_control": shared}
    huts = [["log_1_b"], ["log_1_b"], ["hog_1_a"], ["log_1_b"]]
    return atoll(**{"seats": 4, "options": options, "huts": huts, "standing": ["hog_1_a"], **fields})


def test_teams__each_member_taxes_alone() -> None:
    # FV-R21
    assert offered(allied_table("victory_only"), "p1", "tax") == []
    assert offered(allied_table("victory_only", active=2), "p3", "tax") != []


def test_teams__huts_of_two_members_end_the_control_of_both() -> None:
    # FV-R21
    state = allied_table("victory_only", huts=[["hog_1_a"], ["log_1_b"], ["hog_1_a"], ["log_1_b"]])
    assert offered(state, "p1", "tax") == []


def test_teams__option_team_shared_control_all() -> None:
    # FV-R34: once a turn, in any member's turn.
    state = do(allied_table("all", hands=[Goods(3, 3, 3)]), "p1", "tax", totem="hog_1_a", island="log_1")
    assert offered(state, "p1", "tax") == []
    assert offered(state, "p1", "extend") == ["hog_1_a"]


def test_teams__shared_control_is_not_the_opponents() -> None:
    assert offered(allied_table("all", active=1), "p2", "tax") == []
    state = allied_table("all", huts=[["hog_1_a"], ["hog_1_a"], ["hog_1_a"], ["log_1_b"]])
    assert offered(state, "p1", "tax") == []
