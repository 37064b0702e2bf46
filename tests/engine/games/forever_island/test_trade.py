"""Forever Island, trade: two in one hut, conversion, exchange."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.games.forever_island.components import NOTHING, Goods
from engine.kit.ruleset import Refusal
from tests.engine.games.forever_island.positions import RULES, atoll, fertility_of, hut, ranges
from tests.engine.games.playing import do, kinds, offered, refused, said

# Trade, Double Up


def docked_table(**fields: Any) -> Any:
    """Ada's canoe is docked in Bo's hut on Hog Island 1."""
    return atoll(huts=[["log_1_b"], ["hog_1_a"]], docked={"p2_hut_1": "p1"}, **fields)


def test_double_up__one_resource_each() -> None:
    before = docked_table()
    state = do(do(before, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "accept_double_up")
    assert state.hands == (Goods(hog=1), Goods(hog=1))


def test_double_up__one_from_the_island_and_one_from_the_pile() -> None:
    before = docked_table()
    state = do(do(before, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "accept_double_up")
    assert (fertility_of(state, "hog_1"), state.piles) == (2, before.piles - Goods(hog=1))


def test_double_up__the_owner_answers_before_anything_else() -> None:
    # FV-R11
    state = do(docked_table(), "p1", "offer_double_up", hut="p2_hut_1")
    assert (RULES.awaiting(state), kinds(state, "p1")) == ((1,), [])
    assert kinds(state, "p2") == ["accept_double_up", "decline_double_up"]
    assert refused(state, "p1", "end_turn") == Refusal("Trade", "The offer to double up must be answered first.")


def test_offers__whoever_is_asked_hears_what_to_answer() -> None:
    # FV-R27: the reason is not another player's turn.
    state = do(docked_table(), "p1", "offer_double_up", hut="p2_hut_1")
    expected = Refusal("Trade", "Answer the offer to double up first: accept or decline it.")
    assert refused(state, "p2", "harvest", hut="p2_hut_1") == expected
    state = do(atoll(seats=3, hands=[Goods(hog=1)]), "p1", "offer_exchange", partner="p2", give={"hog": 1}, take={})
    expected = Refusal("Trade", "Answer the offered exchange first: accept or decline it.")
    assert refused(state, "p2", "end_turn") == expected
    assert refused(state, "p3", "end_turn") == Refusal("Gameplay", "It is another player's turn.")
    assert refused(state, "p3", "accept_exchange") == Refusal("Trade", "The offer was made to another player.")


def test_double_up__nobody_answers_for_the_owner() -> None:
    state = do(docked_table(), "p1", "offer_double_up", hut="p2_hut_1")
    assert refused(state, "p1", "accept_double_up") == Refusal("Trade", "The offer was made to another player.")


@pytest.mark.parametrize("type_", ["accept_double_up", "decline_double_up", "accept_exchange", "decline_exchange"])
def test_trade__no_answer_without_an_offer(type_: str) -> None:
    assert refused(docked_table(), "p2", type_) == Refusal("Trade", "There is no such offer to answer.")


def test_double_up__declined_it_leaves_the_island_unused() -> None:
    # FV-R27
    before = docked_table()
    state = do(do(before, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "decline_double_up")
    assert state == before


def test_double_up__each_island_once_a_turn() -> None:
    # FV-R11
    state = atoll(huts=[["log_1_b"], ["hog_1_a", "hog_1_b"]], docked={"p2_hut_1": "p1", "p2_hut_2": "p1"})
    state = do(do(state, "p1", "offer_double_up", hut="p2_hut_1"), "p2", "accept_double_up")
    assert offered(state, "p1", "offer_double_up") == []
    assert refused(state, "p1", "offer_double_up", hut="p2_hut_2") == Refusal(
        "Trade", "That island was already used to double up this turn."
    )


def test_double_up__in_another_players_hut() -> None:
    # FV-R11
    state = atoll(docked={"p1_hut_1": "p1"})
    assert refused(state, "p1", "offer_double_up", hut="p1_hut_1") == Refusal(
        "Trade", "You can only double up in another player's hut."
    )


@pytest.mark.parametrize("id_", ["p2_hut_1", "p1_hut_1", "p2_hut_2"])
def test_double_up__with_a_canoe_of_ones_own_that_is_docked(id_: str) -> None:
    state = atoll(canoes=[["frog_2_b"]], docked={"p1_hut_1": "p2"})
    assert refused(state, "p1", "offer_double_up", hut=id_) == Refusal("Trade", "No canoe of yours is docked there.")


def test_double_up__not_from_an_empty_pile() -> None:
    # FV-R28
    state = docked_table(hands=[Goods(hog=23)])
    assert refused(state, "p1", "offer_double_up", hut="p2_hut_1") == Refusal(
        "Trade", "The pile of hogs is empty: there is nothing to double with."
    )


def test_double_up__not_from_a_dead_island() -> None:
    state = docked_table(fertility={"hog_1": 0})
    assert refused(state, "p1", "offer_double_up", hut="p2_hut_1").message == "There is nothing on that island."


def test_double_up__the_last_resource_brings_ecocide() -> None:
    # FV-R11
    state = do(docked_table(fertility={"hog_1": 1}, canoes=[[], ["volcano"]]), "p1", "offer_double_up", hut="p2_hut_1")
    state = do(state, "p2", "accept_double_up")
    assert (state.hands, hut(state, "p2_hut_1")) == ((Goods(hog=1), Goods(hog=1)), None)
    assert fertility_of(state, "hog_1") == 1


def test_double_up__told() -> None:
    state = docked_table(fertility={"hog_1": 1})
    assert said(state, "p1", "offer_double_up", hut="p2_hut_1") == (
        "Offer to double up in Bo's hut 1 on Hog Island 1, shore A",
        "Ada offers to double up in Bo's hut 1 on Hog Island 1, shore A.",
    )
    state = do(state, "p1", "offer_double_up", hut="p2_hut_1")
    assert said(state, "p2", "accept_double_up") == (
        "Double up with Ada",
        "Ada and Bo double up on Hog Island 1: a hog each. Ecocide on Hog Island 1!",
    )
    assert said(state, "p2", "decline_double_up") == ("Do not double up with Ada", "Bo does not double up.")


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
    assert refusal == Refusal("Trade", "Convert them into another kind of resource.")


def test_convert__not_from_an_empty_pile() -> None:
    # FV-R28
    state = atoll(hands=[Goods(hog=2), Goods(frog=23)])
    assert offered(state, "p1", "convert") == [("hog", "log")]
    assert refused(state, "p1", "convert", give="hog", take="frog") == Refusal("Trade", "The pile of frogs is empty.")


def test_convert__told() -> None:
    assert said(atoll(hands=[Goods(hog=2)]), "p1", "convert", give="hog", take="frog") == (
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
    # FV-R12
    state = do(offer(atoll(hands=[Goods(hog=1), Goods(frog=1)]), give=give, take=take), "p2", "accept_exchange")
    assert state.hands[0] in {NOTHING, Goods(hog=1, frog=1)}


def test_exchange__nothing_changes_hands_before_it_is_accepted() -> None:
    before = atoll(hands=[Goods(hog=1)])
    assert offer(before, give={"hog": 1}).hands == before.hands


def test_exchange__the_partner_answers_before_anything_else() -> None:
    # FV-R27
    state = offer(atoll(seats=3, hands=[Goods(hog=1)]), partner="p3", give={"hog": 1})
    assert (RULES.awaiting(state), kinds(state, "p1"), kinds(state, "p2")) == ((2,), [], [])
    assert kinds(state, "p3") == ["accept_exchange", "decline_exchange"]
    assert refused(state, "p1", "end_turn") == Refusal("Trade", "The offered exchange must be answered first.")


def test_exchange__declined() -> None:
    before = atoll(hands=[Goods(hog=1)])
    assert do(offer(before, give={"hog": 1}), "p2", "decline_exchange") == before


@pytest.mark.parametrize("partner", ["p1", "p3", "p4", "p8"])
def test_exchange__with_another_player_who_is_in(partner: str) -> None:
    # FV-R12
    state = atoll(seats=3, huts=[["log_1_a"], ["log_1_b"], []], eliminated=(2,), hands=[Goods(hog=1)])
    refusal = refused(state, "p1", "offer_exchange", partner=partner, give={"hog": 1}, take={})
    assert refusal == Refusal("Trade", "You can only exchange with another player who is not eliminated.")


def test_exchange__something_has_to_change_hands() -> None:
    # FV-R12
    refusal = refused(atoll(), "p1", "offer_exchange", partner="p2", give={}, take={})
    assert refusal == Refusal("Trade", "An exchange cannot be empty.")


@pytest.mark.parametrize(
    ("give", "take", "message"),
    [
        ({"hog": 2}, {}, "You do not have 2 hogs."),
        ({}, {"log": 1, "frog": 2}, "Your partner does not have 1 log and 2 frogs."),
    ],
)
def test_exchange__of_what_is_in_the_hands(give: Any, take: Any, message: str) -> None:
    state = atoll(hands=[Goods(hog=1), Goods(log=1)])
    assert refused(state, "p1", "offer_exchange", partner="p2", give=give, take=take) == Refusal("Trade", message)


def test_exchange__hands_are_open() -> None:
    # FV-R22
    state = atoll(seats=3, hands=[Goods(hog=2), Goods(log=1), Goods(frog=3)])
    assert [RULES.view(state, viewer) for viewer in (0, 1, 2, None)] == [RULES.to_document(state)] * 4


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
    from engine.core.errors import EngineError

    try:
        do(state, actor, type_, **params)
    except EngineError:
        return False
    return True


@pytest.mark.parametrize("position", [{"phase": "weather", "hands": [Goods(hog=1)]}, {}])
def test_exchange__no_range_where_there_is_nothing_to_offer(position: dict[str, Any]) -> None:
    assert ranges(atoll(**position), "p1") == {}


def test_exchange__no_range_for_another_player() -> None:
    # FV-R12
    assert ranges(atoll(hands=[Goods(hog=1)]), "p2") == {}


def test_exchange__told() -> None:
    state = atoll(hands=[Goods(hog=2), Goods(frog=1)])
    params = {"partner": "p2", "give": {"hog": 2}, "take": {"frog": 1}}
    assert said(state, "p1", "offer_exchange", **params) == (
        "Offer Bo 2 hogs for 1 frog",
        "Ada offers Bo 2 hogs for 1 frog.",
    )
    state = do(state, "p1", "offer_exchange", **params)
    assert said(state, "p2", "accept_exchange") == (
        "Take 2 hogs from Ada for 1 frog",
        "Bo agrees: 2 hogs from Ada for 1 frog.",
    )
    assert said(state, "p2", "decline_exchange") == ("Decline Ada's exchange", "Bo declines the exchange.")
