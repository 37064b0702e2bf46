"""Forever Island: trade and tax (FV-R11 to FV-R15, FV-R27, FV-R28, FV-R31, FV-R34)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.games.forever_island.components import NOTHING, Goods
from engine.ruleset import Refusal
from tests.engine.games.atolls import (
    RULES,
    atoll,
    do,
    fertility_of,
    hut,
    kinds,
    offered,
    ranges,
    refused,
    told,
    totem,
)

# Trade, Double Up


def docked(**fields: Any) -> Any:
    """Ada's canoe is docked in Bo's hut on Hog Island 1."""
    return atoll(huts=[["log_1_b"], ["hog_1_a"]], docked={"p2_hut_1": "p1"}, **fields)


def test_double_up__one_resource_each() -> None:
    before = docked()
    state = do(do(before, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "accept_double_up")
    assert state.hands == (Goods(hog=1), Goods(hog=1))


def test_double_up__one_from_the_island_and_one_from_the_pile() -> None:
    before = docked()
    state = do(do(before, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "accept_double_up")
    assert (fertility_of(state, "hog_1"), state.piles) == (2, before.piles - Goods(hog=1))


def test_double_up__the_owner_answers_before_anything_else() -> None:
    state = do(docked(), "p1", "offer_double_up", hut="p2_hut_1")
    assert (RULES.awaiting(state), kinds(state, "p1")) == ((1,), [])
    assert kinds(state, "p2") == ["accept_double_up", "decline_double_up"]
    assert refused(state, "p1", "end_turn") == Refusal("Trade", "The offer to double up has to be answered first.")


def test_double_up__nobody_answers_for_the_owner() -> None:
    state = do(docked(), "p1", "offer_double_up", hut="p2_hut_1")
    assert refused(state, "p1", "accept_double_up") == Refusal("Trade", "There is no such offer to answer.")


@pytest.mark.parametrize("type_", ["accept_double_up", "decline_double_up", "accept_exchange", "decline_exchange"])
def test_trade__no_answer_without_an_offer(type_: str) -> None:
    assert refused(docked(), "p2", type_) == Refusal("Trade", "There is no such offer to answer.")


def test_double_up__declined_it_leaves_the_island_unused() -> None:
    before = docked()
    state = do(do(before, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "decline_double_up")
    assert state == before


def test_double_up__each_island_once_a_turn() -> None:
    state = atoll(huts=[["log_1_b"], ["hog_1_a", "hog_1_b"]], docked={"p2_hut_1": "p1", "p2_hut_2": "p1"})
    state = do(do(state, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "accept_double_up")
    assert offered(state, "p1", "offer_double_up") == []
    assert refused(state, "p1", "offer_double_up", hut="p2_hut_2") == Refusal(
        "Trade", "That island was used to double up in this turn."
    )


def test_double_up__in_another_players_hut() -> None:
    state = atoll(docked={"p1_hut_1": "p1"})
    assert refused(state, "p1", "offer_double_up", hut="p1_hut_1") == Refusal(
        "Trade", "One doubles up in another player's hut."
    )


@pytest.mark.parametrize("id_", ["p2_hut_1", "p1_hut_1", "p2_hut_2"])
def test_double_up__with_a_canoe_of_ones_own_that_is_docked(id_: str) -> None:
    state = atoll(canoes=[["frog_2_b"]], docked={"p1_hut_1": "p2"})
    assert refused(state, "p1", "offer_double_up", hut=id_) == Refusal("Trade", "No canoe of yours is docked there.")


def test_double_up__not_from_an_empty_pile() -> None:
    state = docked(hands=[Goods(hog=23)])
    assert refused(state, "p1", "offer_double_up", hut="p2_hut_1") == Refusal(
        "Trade", "The pile of hogs is empty: there is nothing to double with."
    )


def test_double_up__not_from_a_dead_island() -> None:
    state = docked(fertility={"hog_1": 0})
    assert refused(state, "p1", "offer_double_up", hut="p2_hut_1").message == "There is nothing on that island."


def test_double_up__the_last_resource_brings_ecocide() -> None:
    state = do(docked(fertility={"hog_1": 1}, canoes=[[], ["volcano"]]), "p1", "offer_double_up", hut="p2_hut_1")
    state = do(state, "p2", "accept_double_up")
    assert (state.hands, hut(state, "p2_hut_1")) == ((Goods(hog=1), Goods(hog=1)), None)
    assert fertility_of(state, "hog_1") == 1


def test_double_up__told() -> None:
    state = docked(fertility={"hog_1": 1})
    assert told(state, "p1", "offer_double_up", hut="p2_hut_1") == (
        "Offer to double up in Bo's hut 1 on Hog Island 1, shore A",
        "Ada offers to double up in Bo's hut 1 on Hog Island 1, shore A.",
    )
    state = do(state, "p1", "offer_double_up", hut="p2_hut_1")
    assert told(state, "p2", "accept_double_up") == (
        "Double up with Ada",
        "Ada and Bo double up on Hog Island 1: a hog each. Ecocide on Hog Island 1!",
    )
    assert told(state, "p2", "decline_double_up") == ("Do not double up with Ada", "Bo does not double up.")


# Trade, Convert


def test_convert__two_of_a_kind_into_one_of_another() -> None:
    before = atoll(hands=[Goods(hog=3)])
    after = do(before, "p1", "convert", give="hog", take="frog")
    assert (after.hands[0], after.piles) == (Goods(hog=1, frog=1), before.piles + Goods(hog=2) - Goods(frog=1))


def test_convert__not_one() -> None:
    refusal = refused(atoll(hands=[Goods(1, 1, 1)]), "p1", "convert", give="hog", take="frog")
    assert refusal == Refusal("Trade", "It takes two resources of the same kind.")


def test_convert__not_into_the_same_kind() -> None:
    refusal = refused(atoll(hands=[Goods(hog=2)]), "p1", "convert", give="hog", take="hog")
    assert refusal == Refusal("Trade", "One converts into another kind.")


def test_convert__not_from_an_empty_pile() -> None:
    state = atoll(hands=[Goods(hog=2), Goods(frog=23)])
    assert offered(state, "p1", "convert") == [("hog", "log")]
    assert refused(state, "p1", "convert", give="hog", take="frog") == Refusal("Trade", "The pile of frogs is empty.")


def test_convert__told() -> None:
    assert told(atoll(hands=[Goods(hog=2)]), "p1", "convert", give="hog", take="frog") == (
        "Convert 2 hogs into a frog",
        "Ada converts 2 hogs into a frog.",
    )


# Trade, Exchange


def offer(state: Any, partner: str = "p2", give: Any = None, take: Any = None) -> Any:
    return do(state, "p1", "offer_exchange", partner=partner, give=give or {}, take=take or {})


def test_exchange__any_resources_for_any() -> None:
    state = offer(atoll(hands=[Goods(hog=2, log=1), Goods(frog=4)]), give={"hog": 2, "log": 1}, take={"frog": 3})
    assert do(state, "p2", "accept_exchange").hands == (Goods(frog=3), Goods(hog=2, log=1, frog=1))


@pytest.mark.parametrize(("give", "take"), [({"hog": 1}, {}), ({}, {"frog": 1})])
def test_exchange__gifts_either_way(give: Any, take: Any) -> None:
    state = do(offer(atoll(hands=[Goods(hog=1), Goods(frog=1)]), give=give, take=take), "p2", "accept_exchange")
    assert state.hands[0] in {NOTHING, Goods(hog=1, frog=1)}


def test_exchange__nothing_changes_hands_before_it_is_accepted() -> None:
    before = atoll(hands=[Goods(hog=1)])
    assert offer(before, give={"hog": 1}).hands == before.hands


def test_exchange__the_partner_answers_before_anything_else() -> None:
    state = offer(atoll(seats=3, hands=[Goods(hog=1)]), partner="p3", give={"hog": 1})
    assert (RULES.awaiting(state), kinds(state, "p1"), kinds(state, "p2")) == ((2,), [], [])
    assert kinds(state, "p3") == ["accept_exchange", "decline_exchange"]
    assert refused(state, "p1", "end_turn") == Refusal("Trade", "The offered exchange has to be answered first.")


def test_exchange__declined() -> None:
    before = atoll(hands=[Goods(hog=1)])
    assert do(offer(before, give={"hog": 1}), "p2", "decline_exchange") == before


@pytest.mark.parametrize("partner", ["p1", "p3", "p4", "p8"])
def test_exchange__with_another_player_who_is_in(partner: str) -> None:
    state = atoll(seats=3, huts=[["log_1_a"], ["log_1_b"], []], eliminated=(2,), hands=[Goods(hog=1)])
    refusal = refused(state, "p1", "offer_exchange", partner=partner, give={"hog": 1}, take={})
    assert refusal == Refusal("Trade", "One exchanges with another player who is not eliminated.")


def test_exchange__something_has_to_change_hands() -> None:
    refusal = refused(atoll(), "p1", "offer_exchange", partner="p2", give={}, take={})
    assert refusal == Refusal("Trade", "Something has to change hands.")


@pytest.mark.parametrize(
    ("give", "take", "message"),
    [
        ({"hog": 2}, {}, "There is not 2 hogs in your hand."),
        ({}, {"log": 1, "frog": 2}, "There is not 1 log and 2 frogs in the partner's hand."),
    ],
)
def test_exchange__of_what_is_in_the_hands(give: Any, take: Any, message: str) -> None:
    state = atoll(hands=[Goods(hog=1), Goods(log=1)])
    assert refused(state, "p1", "offer_exchange", partner="p2", give=give, take=take) == Refusal("Trade", message)


def test_exchange__lists_gifts_and_one_for_one() -> None:
    state = atoll(hands=[Goods(hog=3, log=1), Goods(frog=2)])
    one = {kind: Goods(**{kind: 1}) for kind in ("hog", "log", "frog")}
    assert sorted(offered(state, "p1", "offer_exchange"), key=str) == sorted(
        [
            ("p2", one["hog"], NOTHING),
            ("p2", one["log"], NOTHING),
            ("p2", NOTHING, one["frog"]),
            ("p2", one["hog"], one["frog"]),
            ("p2", one["log"], one["frog"]),
        ],
        key=str,
    )


def test_exchange__its_range_is_exact() -> None:
    state = atoll(seats=3, hands=[Goods(hog=1, log=1), Goods(frog=2)])
    fits = Draft202012Validator(ranges(state, "p1")["offer_exchange"]).is_valid
    amounts = [
        {},
        {"hog": 1},
        {"log": 1, "hog": 1},
        {"frog": 2},
        {"frog": 3},
        {"hog": 0, "log": 0, "frog": 0},
        {"ox": 1},
    ]
    for partner, give, take in product(("p1", "p2", "p3", "p4"), amounts, amounts):
        params = {"partner": partner, "give": give, "take": take}
        assert fits(params) == is_legal(state, "p1", "offer_exchange", params), params


def is_legal(state: Any, actor: str, type_: str, params: dict[str, Any]) -> bool:
    from engine.errors import EngineError

    try:
        do(state, actor, type_, **params)
    except EngineError:
        return False
    return True


@pytest.mark.parametrize("position", [{"phase": "weather", "hands": [Goods(hog=1)]}, {}])
def test_exchange__no_range_where_there_is_nothing_to_offer(position: dict[str, Any]) -> None:
    assert ranges(atoll(**position), "p1") == {}


def test_exchange__no_range_for_another_player() -> None:
    assert ranges(atoll(hands=[Goods(hog=1)]), "p2") == {}


def test_exchange__told() -> None:
    state = atoll(hands=[Goods(hog=2), Goods(frog=1)])
    params = {"partner": "p2", "give": {"hog": 2}, "take": {"frog": 1}}
    assert told(state, "p1", "offer_exchange", **params) == (
        "Offer Bo 2 hogs for 1 frog",
        "Ada offers Bo 2 hogs for 1 frog.",
    )
    state = do(state, "p1", "offer_exchange", **params)
    assert told(state, "p2", "accept_exchange") == (
        "Take 2 hogs from Ada for 1 frog",
        "Bo agrees: 2 hogs from Ada for 1 frog.",
    )
    assert told(state, "p2", "decline_exchange") == ("Decline Ada's exchange", "Bo declines the exchange.")


# Tax


def ruling(**fields: Any) -> Any:
    """Ada controls the standing totem on hog_1_a."""
    return atoll(**{"huts": [["hog_1_a"], ["log_1_b"]], "standing": ["hog_1_a"], **fields})


def test_tax__one_resource_for_a_totem_that_one_controls() -> None:
    state = do(ruling(), "p1", "tax", totem="hog_1_a", island="log_1")
    assert (state.hands[0], fertility_of(state, "log_1")) == (Goods(log=1), 2)


def test_tax__of_any_inhabited_island() -> None:
    assert offered(ruling(), "p1", "tax") == [("hog_1_a", "hog_1"), ("hog_1_a", "log_1")]
    assert refused(ruling(), "p1", "tax", totem="hog_1_a", island="frog_1") == Refusal(
        "Tax", "There is no hut on that island."
    )


def test_tax__once_a_turn() -> None:
    state = do(ruling(), "p1", "tax", totem="hog_1_a", island="log_1")
    assert refused(state, "p1", "tax", totem="hog_1_a", island="hog_1") == Refusal(
        "Tax", "All taxes of that totem were collected in this turn."
    )


def test_tax__once_more_for_each_extension() -> None:
    state = ruling(extensions={"hog_1_a": 2})
    for _ in range(3):
        state = do(state, "p1", "tax", totem="hog_1_a", island="hog_1" if fertility_of(state, "hog_1") > 1 else "log_1")
    assert offered(state, "p1", "tax") == []


def test_tax__each_totem_has_its_own() -> None:
    state = ruling(huts=[["hog_1_a", "log_1_a"], ["log_1_b"]], standing=["hog_1_a", "log_1_a"])
    state = do(state, "p1", "tax", totem="hog_1_a", island="hog_1")
    assert {shore for shore, _ in offered(state, "p1", "tax")} == {"log_1_a"}


def test_tax__in_the_turn_in_which_control_is_gained() -> None:
    state = do(atoll(huts=[["hog_1_a"]], hands=[Goods(hog=5)]), "p1", "erect", totem="hog_1_a")
    assert ("hog_1_a", "hog_1") in offered(state, "p1", "tax")


def test_tax__the_tally_survives_a_fall() -> None:
    # FV-R31: erected again in the same turn, the totem has been taxed.
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
    state = ruling(**position)
    refusal = Refusal("Tax", "You do not control a standing totem there.")
    assert refused(state, "p1", "tax", totem="hog_1_a", island="log_1") == refusal
    assert refused(state, "p1", "extend", totem="hog_1_a") == refusal


def test_control__other_players_canoes_do_not_break_it() -> None:
    assert offered(ruling(canoes=[[], ["hog_1_a"]]), "p1", "tax") != []


def test_tax__not_where_there_is_no_totem() -> None:
    refusal = refused(ruling(), "p1", "tax", totem="hog_1_b", island="log_1")
    assert refusal == Refusal("Tax", "There is no totem on that shore.")


def test_tax__told() -> None:
    assert told(ruling(fertility={"log_1": 1}), "p1", "tax", totem="hog_1_a", island="log_1") == (
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
    state = ruling(
        huts=[["hog_1_a"], ["log_1_a"]],
        standing=["hog_1_a", "log_1_a"],
        extensions={"hog_1_a": 2, "log_1_a": 3},
        hands=[Goods(3, 3, 3)],
    )
    assert offered(state, "p1", "extend") == []
    assert refused(state, "p1", "extend", totem="hog_1_a") == Refusal("Tax", "All 5 totem tokens are on the board.")


def test_extend__told() -> None:
    assert told(ruling(hands=[Goods(3, 3, 3)]), "p1", "extend", totem="hog_1_a") == (
        "Extend the totem on Hog Island 1, shore A",
        "Ada extends the totem on Hog Island 1, shore A.",
    )


# Tax in teams


def allied(shared: str, **fields: Any) -> Any:
    """Cleo, Ada's team-mate, has the only hut on the shore of a standing totem."""
    options = {"teams": 2, "team_shared_control": shared}
    huts = [["log_1_b"], ["log_1_b"], ["hog_1_a"], ["log_1_b"]]
    return atoll(**{"seats": 4, "options": options, "huts": huts, "standing": ["hog_1_a"], **fields})


def test_teams__each_member_taxes_alone() -> None:
    assert offered(allied("victory_only"), "p1", "tax") == []
    assert offered(allied("victory_only", active=2), "p3", "tax") != []


def test_teams__huts_of_two_members_end_the_control_of_both() -> None:
    state = allied("victory_only", huts=[["hog_1_a"], ["log_1_b"], ["hog_1_a"], ["log_1_b"]])
    assert offered(state, "p1", "tax") == []


def test_teams__option_team_shared_control_all() -> None:
    # FV-R34: once a turn, by whichever member's turn it is.
    state = do(allied("all", hands=[Goods(3, 3, 3)]), "p1", "tax", totem="hog_1_a", island="log_1")
    assert offered(state, "p1", "tax") == []
    assert offered(state, "p1", "extend") == ["hog_1_a"]


def test_teams__shared_control_is_not_the_opponents() -> None:
    assert offered(allied("all", active=1), "p2", "tax") == []
    state = allied("all", huts=[["hog_1_a"], ["hog_1_a"], ["hog_1_a"], ["log_1_b"]])
    assert offered(state, "p1", "tax") == []
