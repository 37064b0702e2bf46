"""Forever Island: raid (FV-R16, FV-R21, FV-R29, FV-R32)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values import MASKED
from engine.games.forever_island.components import Goods
from engine.kit.ruleset import Refusal
from tests.engine.games.forever_island.positions import RULES, atoll, huts_of
from tests.engine.games.forever_island.raiding import HERE, declare_raid, war
from tests.engine.games.playing import do, kinds, offered, refused, said

# Declaring War


def test_declare__where_both_have_a_hut_or_canoe() -> None:
    state = war(own=[HERE, "log_2_a"], their=[HERE], canoes=[["frog_1_a"], ["log_2_a"]])
    assert offered(state, "p1", "declare_raid") == [("p2", HERE), ("p2", "log_2_a")]


def test_declare__not_where_one_has_nothing() -> None:
    state = war(own=[], canoes=[["log_1_a"]])
    assert refused(state, "p1", "declare_raid", defender="p2", area=HERE) == Refusal(
        "Raid", "You have neither hut nor canoe there."
    )


def test_declare__not_where_the_other_has_nothing() -> None:
    assert refused(war(their=[]), "p1", "declare_raid", defender="p2", area=HERE) == Refusal(
        "Raid", "That player has neither hut nor canoe there."
    )


def test_declare__docked_canoes_count() -> None:
    state = war(own=[], docked={"p2_hut_1": "p1"})
    assert offered(state, "p1", "declare_raid") == [("p2", HERE)]


def test_declare__not_before_the_first_totem() -> None:
    state = war(has_erected=False)
    assert offered(state, "p1", "declare_raid") == []
    assert refused(state, "p1", "declare_raid", defender="p2", area=HERE) == Refusal(
        "Raid", "There are no raids before the first totem has been erected."
    )


def test_declare__after_the_first_totem_even_if_it_has_fallen() -> None:
    state = do(war(has_erected=False, hands=[Goods(hog=5)]), "p1", "erect", totem="hog_1_a")
    assert offered(state, "p1", "declare_raid") == [("p2", HERE)]
    assert offered(war(standing=[], has_erected=True), "p1", "declare_raid") == [("p2", HERE)]


def test_declare__each_player_once_on_a_shore_and_turn() -> None:
    # FV-R32
    state = war(raided=((1, HERE),), canoes=[["hog_2_b"]])
    assert offered(state, "p1", "declare_raid") == [("p2", "hog_2_b")]
    assert refused(state, "p1", "declare_raid", defender="p2", area=HERE) == Refusal(
        "Raid", "That player was already raided there this turn."
    )


def test_declare__uses_up_that_player_and_shore() -> None:
    # FV-R32
    assert declare_raid().raided == ((1, HERE),)


def test_declare__again_on_another_player() -> None:
    state = war(seats=3, huts=[[HERE], [HERE], [HERE]], raided=((1, HERE),))
    assert offered(state, "p1", "declare_raid") == [("p3", HERE)]


@pytest.mark.parametrize("defender", ["p1", "p3", "p4"])
def test_declare__on_another_player_who_is_in(defender: str) -> None:
    state = war(seats=3, huts=[[HERE], [HERE], []], eliminated=(2,))
    assert refused(state, "p1", "declare_raid", defender=defender, area=HERE) == Refusal(
        "Raid", "You can only raid another player who is not eliminated."
    )


def test_declare__not_on_a_team_mate() -> None:
    # FV-R21
    state = war(seats=4, huts=[[HERE]] * 4, options={"teams": 2})
    assert offered(state, "p1", "declare_raid") == [("p2", HERE), ("p4", HERE)]
    assert refused(state, "p1", "declare_raid", defender="p3", area=HERE) == Refusal(
        "Teams", "You cannot raid a teammate."
    )


@pytest.mark.parametrize(("is_allowed", "areas"), [(False, []), (True, [("p2", "volcano")])])
def test_declare__option_volcano_raids(is_allowed: bool, areas: list[Any]) -> None:
    state = war(their=[], canoes=[["volcano"], ["volcano"]], options={"volcano_raids": is_allowed})
    assert offered(state, "p1", "declare_raid") == areas


def test_declare__not_on_the_volcano_by_default() -> None:
    state = war(canoes=[["volcano"], ["volcano"]])
    assert refused(state, "p1", "declare_raid", defender="p2", area="volcano") == Refusal(
        "Raid", "The options of this game do not allow raids on the Volcano."
    )


def test_declare__told() -> None:
    assert said(war(), "p1", "declare_raid", defender="p2", area=HERE) == (
        "Raid Bo on Log Island 1, shore B",
        "Ada raids Bo on Log Island 1, shore B.",
    )


# Throwing Spears


def test_throw__one_spear_for_each_hut_and_canoe_there() -> None:
    state = declare_raid(canoes=[[HERE, "frog_1_a"]], docked={"p2_hut_1": "p1"})
    assert offered(state, "p1", "throw_spears") == [1, 2, 3, 4]


def test_throw__seven_at_most() -> None:
    state = declare_raid(canoes=[[HERE] * 6])
    assert offered(state, "p1", "throw_spears") == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("least", "throws"), [(1, [1, 2]), (0, [0, 1, 2])])
def test_throw__option_raid_min_throw(least: int, throws: list[int]) -> None:
    # FV-R16
    state = declare_raid(options={"raid_min_throw": least})
    assert offered(state, "p1", "throw_spears") == throws


@pytest.mark.parametrize("spears", [0, 3])
def test_throw__not_more_or_fewer(spears: int) -> None:
    # FV-R16
    assert refused(declare_raid(), "p1", "throw_spears", spears=spears) == Refusal(
        "Raid", "Throw between 1 and 2 spears."
    )


def test_throw__of_one_spear_no_range_is_told() -> None:
    state = atoll(huts=[["hog_1_a"], ["hog_1_a"]], standing=["hog_1_a"])
    state = do(state, "p1", "declare_raid", defender="p2", area="hog_1_a")
    assert refused(state, "p1", "throw_spears", spears=0) == Refusal("Raid", "You can only throw 1 spear.")
    guessing = do(state, "p1", "throw_spears", spears=1)
    expected = Refusal("Raid", "You are being raided: guess first how many spears were thrown.")
    assert refused(guessing, "p2", "end_turn") == expected


def test_throw__is_the_raiders_and_comes_before_anything_else() -> None:
    # FV-R32
    state = declare_raid()
    assert (kinds(state, "p1"), kinds(state, "p2"), RULES.awaiting(state)) == (["throw_spears"], [], (0,))
    assert refused(state, "p2", "throw_spears", spears=1) == Refusal("Raid", "Only the Raider can do that.")
    assert refused(state, "p1", "end_turn").message == "The spears must be thrown first."


def test_throw__not_without_a_raid() -> None:
    assert refused(war(), "p1", "throw_spears", spears=1) == Refusal("Raid", "You cannot throw spears now.")


def test_throw__is_a_secret() -> None:
    # FV-R22
    state = do(declare_raid(), "p1", "throw_spears", spears=2, salt="5f3a")
    own, *others = (RULES.view(state, viewer)["raid"] for viewer in (0, 1, None))
    assert (own["spears"], own["salt"]) == (2, "5f3a")
    assert [(raid["spears"], raid["salt"]) for raid in others] == [(MASKED, MASKED)] * 2


def test_throw__a_digest_of_the_state_does_not_tell_it() -> None:
    salted = do(declare_raid(), "p1", "throw_spears", spears=2, salt="5f3a")
    plain = [do(declare_raid(), "p1", "throw_spears", spears=spears) for spears in (1, 2)]
    assert RULES.to_document(salted) not in map(RULES.to_document, plain)


def test_throw__is_open_after_the_guess() -> None:
    state = do(declare_raid(canoes=[[], [HERE]]), "p1", "throw_spears", spears=2, salt="5f3a")
    raid = RULES.view(do(state, "p2", "guess_spears", spears=1), None)["raid"]
    assert (raid["spears"], raid["salt"]) == (2, "")


@pytest.mark.parametrize("viewer", [1, None])
def test_throw__what_others_see_does_not_depend_on_it(viewer: int | None) -> None:
    one, two = (do(declare_raid(), "p1", "throw_spears", spears=spears, salt=f"{spears}") for spears in (1, 2))
    assert RULES.view(one, viewer) == RULES.view(two, viewer)


def test_throw__told_without_the_number() -> None:
    assert said(declare_raid(), "p1", "throw_spears", spears=2) == (
        "Hide 2 spears in the fist",
        "Ada hides spears in a fist.",
    )


# Throwing Spears, the guess


def test_guess__is_the_defenders() -> None:
    # FV-R32
    state = do(declare_raid(), "p1", "throw_spears", spears=1)
    assert (kinds(state, "p1"), kinds(state, "p2"), RULES.awaiting(state)) == ([], ["guess_spears"], (1,))
    assert refused(state, "p1", "guess_spears", spears=1) == Refusal("Raid", "Only the Defender can guess.")
    assert refused(state, "p1", "end_turn").message == "The Defender must guess first."


@pytest.mark.parametrize(("least", "guesses"), [(1, [1, 2, 3, 4, 5, 6, 7]), (0, [0, 1, 2, 3, 4, 5, 6, 7])])
def test_guess__up_to_seven_whatever_was_drawn(least: int, guesses: list[int]) -> None:
    state = do(declare_raid(options={"raid_min_throw": least}), "p1", "throw_spears", spears=1)
    assert offered(state, "p2", "guess_spears") == guesses


def test_guess__not_none_by_default() -> None:
    state = do(declare_raid(), "p1", "throw_spears", spears=1)
    assert (
        refused(state, "p2", "guess_spears", spears=0).message
        == "The options of this game require the Raider to throw at least one spear."
    )


@pytest.mark.parametrize("state", [war(), declare_raid()], ids=["no_raid", "not_thrown"])
def test_guess__not_before_the_throw(state: Any) -> None:
    assert refused(state, "p2", "guess_spears", spears=1) == Refusal("Raid", "There is nothing to guess now.")


def test_guess__told() -> None:
    state = do(declare_raid(), "p1", "throw_spears", spears=1)
    assert said(state, "p2", "guess_spears", spears=2) == (
        "Guess 2 spears",
        "Bo guesses 2 spears; 1 spear thrown: Bo loses 1 piece.",
    )
    assert said(state, "p2", "guess_spears", spears=1)[1] == "Bo guesses 1 spear; 1 spear thrown: Ada loses 1 piece."


# Throwing Spears, at a real table the throw may be entered after the guess


def test_open_fist__after_a_guess_that_came_first() -> None:
    state = declare_raid(is_observed=True)
    assert (kinds(state, "p1"), kinds(state, "p2"), RULES.awaiting(state)) == (
        ["throw_spears"],
        ["guess_spears"],
        (0, 1),
    )
    state = do(state, "p2", "guess_spears", spears=2)
    assert (kinds(state, "p1"), RULES.awaiting(state)) == (["open_fist"], (0,))
    assert offered(state, "p1", "open_fist") == [1, 2]
    assert refused(state, "p1", "end_turn").message == "The Raider must open the fist first."
    assert huts_of(do(state, "p1", "open_fist", spears=1), 1) != huts_of(state, 1)


def test_open_fist__a_right_guess() -> None:
    state = do(declare_raid(is_observed=True), "p2", "guess_spears", spears=2)
    assert huts_of(do(state, "p1", "open_fist", spears=2), 0) == ["hog_1_b"]


def test_open_fist__only_the_raiders() -> None:
    state = do(declare_raid(is_observed=True), "p2", "guess_spears", spears=2)
    assert refused(state, "p2", "open_fist", spears=1) == Refusal("Raid", "Only the Raider can do that.")
    assert refused(state, "p1", "open_fist", spears=3).message == "Throw between 1 and 2 spears."


@pytest.mark.parametrize("state", [war(), declare_raid(is_observed=True)], ids=["no_raid", "no_guess"])
def test_open_fist__not_before_a_guess(state: Any) -> None:
    assert refused(state, "p1", "open_fist", spears=1) == Refusal("Raid", "There is no fist to open now.")


def test_open_fist__told() -> None:
    state = declare_raid(is_observed=True)
    assert said(state, "p2", "guess_spears", spears=2)[1] == "Bo guesses 2 spears."
    state = do(state, "p2", "guess_spears", spears=2)
    assert said(state, "p1", "open_fist", spears=1) == (
        "Open the fist: 1 spear",
        "1 spear thrown: Bo loses 1 piece.",
    )


def test_open_fist__a_real_table_is_one_that_is_observed() -> None:
    assert RULES.at_table(war()).is_observed
