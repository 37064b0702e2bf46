"""Forever Island: raid (FV-R16, FV-R21, FV-R29, FV-R32)."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.errors import EngineError
from engine.games.forever_island.components import Goods
from engine.games.forever_island.raid import LISTED_LOSSES
from engine.ruleset import Refusal
from engine.secrets import MASKED
from tests.engine.games.atolls import RULES, atoll, do, hut, huts_of, kinds, offered, ranges, refused, told

HERE = "log_1_b"


def war(
    *,
    own: Any = (HERE, HERE),
    their: Any = (HERE, HERE),
    canoes: Any = (),
    seats: int = 2,
    **fields: Any,
) -> Any:
    """Ada and Bo have huts on the same shore, and one elsewhere; raids are open."""
    huts = [[*own, "hog_1_b"], [*their, "hog_2_b"]]
    return atoll(**{"huts": huts, "canoes": canoes, "has_erected": True, "seats": seats, **fields})


def declared(area: str = HERE, **fields: Any) -> Any:
    return do(war(**fields), "p1", "declare_raid", defender="p2", area=area)


def lost(*, huts: Any = (), docked: Any = (), afloat: int = 0) -> dict[str, Any]:
    return {"huts": list(huts), "docked": list(docked), "afloat": afloat}


def fought(thrown: int, guess: int, **fields: Any) -> Any:
    state = do(declared(**fields), "p1", "throw_spears", spears=thrown)
    return do(state, "p2", "guess_spears", spears=guess)


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
    state = war(raided=((1, HERE),), canoes=[["hog_2_b"]])
    assert offered(state, "p1", "declare_raid") == [("p2", "hog_2_b")]
    assert refused(state, "p1", "declare_raid", defender="p2", area=HERE) == Refusal(
        "Raid", "That player was raided there in this turn."
    )


def test_declare__uses_up_that_player_and_shore() -> None:
    assert declared().raided == ((1, HERE),)


def test_declare__again_on_another_player() -> None:
    state = war(seats=3, huts=[[HERE], [HERE], [HERE]], raided=((1, HERE),))
    assert offered(state, "p1", "declare_raid") == [("p3", HERE)]


@pytest.mark.parametrize("defender", ["p1", "p3", "p4"])
def test_declare__on_another_player_who_is_in(defender: str) -> None:
    state = war(seats=3, huts=[[HERE], [HERE], []], eliminated=(2,))
    assert refused(state, "p1", "declare_raid", defender=defender, area=HERE) == Refusal(
        "Raid", "One raids another player who is not eliminated."
    )


def test_declare__not_on_a_team_mate() -> None:
    state = war(seats=4, huts=[[HERE]] * 4, options={"teams": 2})
    assert offered(state, "p1", "declare_raid") == [("p2", HERE), ("p4", HERE)]
    assert refused(state, "p1", "declare_raid", defender="p3", area=HERE) == Refusal(
        "Teams", "One does not raid a team-mate."
    )


@pytest.mark.parametrize(("is_allowed", "areas"), [(False, []), (True, [("p2", "volcano")])])
def test_declare__option_volcano_raids(is_allowed: bool, areas: list[Any]) -> None:
    state = war(their=[], canoes=[["volcano"], ["volcano"]], options={"volcano_raids": is_allowed})
    assert offered(state, "p1", "declare_raid") == areas


def test_declare__not_on_the_volcano_by_default() -> None:
    state = war(canoes=[["volcano"], ["volcano"]])
    assert refused(state, "p1", "declare_raid", defender="p2", area="volcano") == Refusal(
        "Raid", "At this table there are no raids on the Volcano."
    )


def test_declare__told() -> None:
    assert told(war(), "p1", "declare_raid", defender="p2", area=HERE) == (
        "Raid Bo on Log Island 1, shore B",
        "Ada raids Bo on Log Island 1, shore B.",
    )


# Throwing Spears


def test_throw__one_spear_for_each_hut_and_canoe_there() -> None:
    state = declared(canoes=[[HERE, "frog_1_a"]], docked={"p2_hut_1": "p1"})
    assert [spears for spears, _ in offered(state, "p1", "throw_spears")] == [1, 2, 3, 4]


def test_throw__seven_at_most() -> None:
    state = declared(canoes=[[HERE] * 6])
    assert [spears for spears, _ in offered(state, "p1", "throw_spears")] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("least", "throws"), [(1, [1, 2]), (0, [0, 1, 2])])
def test_throw__option_raid_min_throw(least: int, throws: list[int]) -> None:
    state = declared(options={"raid_min_throw": least})
    assert [spears for spears, _ in offered(state, "p1", "throw_spears")] == throws


@pytest.mark.parametrize("spears", [0, 3])
def test_throw__not_more_or_fewer(spears: int) -> None:
    assert refused(declared(), "p1", "throw_spears", spears=spears) == Refusal(
        "Raid", "Between 1 and 2 spears can be thrown."
    )


def test_throw__is_the_raiders_and_comes_before_anything_else() -> None:
    state = declared()
    assert (kinds(state, "p1"), kinds(state, "p2"), RULES.awaiting(state)) == (["throw_spears"], [], (0,))
    assert refused(state, "p2", "throw_spears", spears=1) == Refusal("Raid", "The Raider throws.")
    assert refused(state, "p1", "end_turn").message == "The spears have to be thrown first."


def test_throw__not_without_a_raid() -> None:
    assert refused(war(), "p1", "throw_spears", spears=1) == Refusal("Raid", "No spears are thrown now.")


def test_throw__is_a_secret() -> None:
    state = do(declared(), "p1", "throw_spears", spears=2, salt="5f3a")
    own, *others = (RULES.view(state, viewer)["raid"] for viewer in (0, 1, None))
    assert (own["spears"], own["salt"]) == (2, "5f3a")
    assert [(raid["spears"], raid["salt"]) for raid in others] == [(MASKED, MASKED)] * 2


def test_throw__a_digest_of_the_state_does_not_tell_it() -> None:
    salted = do(declared(), "p1", "throw_spears", spears=2, salt="5f3a")
    plain = [do(declared(), "p1", "throw_spears", spears=spears) for spears in (1, 2)]
    assert RULES.to_document(salted) not in map(RULES.to_document, plain)


def test_throw__is_open_after_the_guess() -> None:
    state = do(declared(canoes=[[], [HERE]]), "p1", "throw_spears", spears=2, salt="5f3a")
    raid = RULES.view(do(state, "p2", "guess_spears", spears=1), None)["raid"]
    assert (raid["spears"], raid["salt"]) == (2, "")


@pytest.mark.parametrize("viewer", [1, None])
def test_throw__what_others_see_does_not_depend_on_it(viewer: int | None) -> None:
    one, two = (do(declared(), "p1", "throw_spears", spears=spears, salt=f"{spears}") for spears in (1, 2))
    assert RULES.view(one, viewer) == RULES.view(two, viewer)


def test_throw__told_without_the_number() -> None:
    assert told(declared(), "p1", "throw_spears", spears=2) == (
        "Hide 2 spears in the fist",
        "Ada hides spears in a fist.",
    )


# Throwing Spears, the guess


def test_guess__is_the_defenders() -> None:
    state = do(declared(), "p1", "throw_spears", spears=1)
    assert (kinds(state, "p1"), kinds(state, "p2"), RULES.awaiting(state)) == ([], ["guess_spears"], (1,))
    assert refused(state, "p1", "guess_spears", spears=1) == Refusal("Raid", "The Defender guesses.")
    assert refused(state, "p1", "end_turn").message == "The Defender has to guess first."


@pytest.mark.parametrize(("least", "guesses"), [(1, [1, 2, 3, 4, 5, 6, 7]), (0, [0, 1, 2, 3, 4, 5, 6, 7])])
def test_guess__up_to_seven_whatever_was_drawn(least: int, guesses: list[int]) -> None:
    state = do(declared(options={"raid_min_throw": least}), "p1", "throw_spears", spears=1)
    assert offered(state, "p2", "guess_spears") == guesses


def test_guess__not_none_by_default() -> None:
    state = do(declared(), "p1", "throw_spears", spears=1)
    assert refused(state, "p2", "guess_spears", spears=0).message == "At this table at least one spear is thrown."


@pytest.mark.parametrize("state", [war(), declared()], ids=["no_raid", "not_thrown"])
def test_guess__not_before_the_throw(state: Any) -> None:
    assert refused(state, "p2", "guess_spears", spears=1) == Refusal("Raid", "There is nothing to guess now.")


def test_guess__told() -> None:
    state = do(declared(), "p1", "throw_spears", spears=1)
    assert told(state, "p2", "guess_spears", spears=2) == (
        "Guess 2 spears",
        "Bo guesses 2 spears; 1 spear thrown: Bo loses 1 piece.",
    )
    assert told(state, "p2", "guess_spears", spears=1)[1] == "Bo guesses 1 spear; 1 spear thrown: Ada loses 1 piece."


# Throwing Spears, at a real table the throw may be entered after the guess


def test_open_fist__after_a_guess_that_came_first() -> None:
    state = declared(is_observed=True)
    assert (kinds(state, "p1"), kinds(state, "p2"), RULES.awaiting(state)) == (
        ["throw_spears"],
        ["guess_spears"],
        (0, 1),
    )
    state = do(state, "p2", "guess_spears", spears=2)
    assert (kinds(state, "p1"), RULES.awaiting(state)) == (["open_fist"], (0,))
    assert offered(state, "p1", "open_fist") == [1, 2]
    assert refused(state, "p1", "end_turn").message == "The Raider has to open the fist first."
    assert huts_of(do(state, "p1", "open_fist", spears=1), 1) != huts_of(state, 1)


def test_open_fist__a_right_guess() -> None:
    state = do(declared(is_observed=True), "p2", "guess_spears", spears=2)
    assert huts_of(do(state, "p1", "open_fist", spears=2), 0) == ["hog_1_b"]


def test_open_fist__only_the_raiders() -> None:
    state = do(declared(is_observed=True), "p2", "guess_spears", spears=2)
    assert refused(state, "p2", "open_fist", spears=1) == Refusal("Raid", "The Raider throws.")
    assert refused(state, "p1", "open_fist", spears=3).message == "Between 1 and 2 spears can be thrown."


@pytest.mark.parametrize("state", [war(), declared(is_observed=True)], ids=["no_raid", "no_guess"])
def test_open_fist__not_before_a_guess(state: Any) -> None:
    assert refused(state, "p1", "open_fist", spears=1) == Refusal("Raid", "There is no fist to open now.")


def test_open_fist__told() -> None:
    state = declared(is_observed=True)
    assert told(state, "p2", "guess_spears", spears=2)[1] == "Bo guesses 2 spears."
    state = do(state, "p2", "guess_spears", spears=2)
    assert told(state, "p1", "open_fist", spears=1) == (
        "Open the fist: 1 spear",
        "1 spear thrown: Bo loses 1 piece.",
    )


def test_open_fist__a_real_table_is_one_that_is_observed() -> None:
    assert RULES.at_table(war()).is_observed


# Aftermath


def test_aftermath__a_wrong_guess_costs_the_defender_as_many_as_were_thrown() -> None:
    state = fought(2, 1)
    assert (huts_of(state, 0), huts_of(state, 1)) == ([HERE, HERE, "hog_1_b"], ["hog_2_b"])


def test_aftermath__a_right_guess_costs_the_raider_as_many_as_were_thrown() -> None:
    state = fought(2, 2)
    assert (huts_of(state, 0), huts_of(state, 1)) == (["hog_1_b"], [HERE, HERE, "hog_2_b"])


def test_aftermath__no_more_than_the_defender_has_there() -> None:
    assert huts_of(fought(2, 1, their=[HERE]), 1) == ["hog_2_b"]


def test_aftermath__the_turn_goes_on() -> None:
    state = fought(1, 2)
    assert (state.phase, state.raid, state.active) == ("actions", None, 0)


@pytest.mark.parametrize("guess", [1, 0])
def test_aftermath__an_empty_fist_has_no_effect_either_way(guess: int) -> None:
    state = fought(0, guess, options={"raid_min_throw": 0})
    assert (len(state.huts[0]), len(state.huts[1]), state.phase) == (3, 3, "actions")


def test_aftermath__the_owner_chooses_what_is_lost() -> None:
    state = fought(1, 2, canoes=[[], [HERE]])
    assert (state.phase, RULES.awaiting(state), kinds(state, "p1")) == ("losses", (1,), [])
    assert offered(state, "p2", "choose_losses") == [(("p2_hut_1",), (), 0), (("p2_hut_2",), (), 0), ((), (), 1)]
    assert refused(state, "p1", "end_turn").message == "What is destroyed has to be chosen first."


def test_aftermath__the_raider_chooses_after_a_right_guess() -> None:
    assert RULES.awaiting(fought(1, 1, canoes=[[HERE]])) == (0,)


def test_aftermath__huts_that_differ_are_a_choice() -> None:
    # The raider's own turn goes on: which hut has harvested matters.
    assert fought(1, 1, harvested=["p1_hut_1"]).phase == "losses"
    assert fought(1, 1, harvested=["p1_hut_1", "p1_hut_2"]).phase == "actions"
    assert fought(1, 1, new=["p1_hut_1"]).phase == "losses"
    assert fought(1, 1, docked={"p1_hut_1": "p2"}).phase == "losses"


def test_aftermath__docked_canoes_are_a_choice() -> None:
    state = fought(1, 2, their=[], docked={"p1_hut_1": "p2", "p1_hut_2": "p2"})
    assert offered(state, "p2", "choose_losses") == [((), ("p1_hut_1",), 0), ((), ("p1_hut_2",), 0)]


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"their": [], "canoes": [[], [HERE] * 3]}, 1),
        ({"their": [HERE] * 3}, 1),
        ({"their": [], "docked": {"p1_hut_1": "p2"}}, 0),
    ],
    ids=["canoes", "huts", "a_docked_canoe"],
)
def test_aftermath__what_leaves_no_choice_needs_no_entry(fields: dict[str, Any], left: int) -> None:
    state = fought(2, 1, **fields)
    assert (state.phase, state.pieces_in(1, HERE)) == ("actions", left)


def test_choose_losses__destroys_what_was_chosen() -> None:
    state = fought(2, 1, canoes=[[], [HERE]], docked={"p1_hut_1": "p2"})
    state = do(state, "p2", "choose_losses", **lost(huts=["p2_hut_2"], docked=["p1_hut_1"]))
    assert (hut(state, "p2_hut_2"), hut(state, "p1_hut_1").docked, state.canoes[1]) == (None, None, (HERE,))
    assert (state.phase, state.raid) == ("actions", None)


def test_choose_losses__undocked_canoes() -> None:
    state = fought(2, 1, canoes=[[], [HERE] * 2])
    assert do(state, "p2", "choose_losses", **lost(afloat=2)).canoes[1] == ()


def test_choose_losses__a_canoe_docked_in_a_lost_hut_is_undocked() -> None:
    state = fought(1, 2, docked={"p2_hut_1": "p1"})
    assert do(state, "p2", "choose_losses", **lost(huts=["p2_hut_1"])).canoes[0] == (HERE,)


def test_choose_losses__a_hut_and_the_canoe_docked_in_it() -> None:
    state = fought(2, 1, canoes=[[], [HERE]], docked={"p2_hut_1": "p2"})
    state = do(state, "p2", "choose_losses", **lost(huts=["p2_hut_1"], docked=["p2_hut_1"]))
    assert (huts_of(state, 1), state.canoes[1]) == ([HERE, "hog_2_b"], (HERE,))


def test_choose_losses__has_one_spelling() -> None:
    state = fought(2, 1, their=[HERE] * 3, canoes=[[], [HERE]])
    one = RULES.parse("choose_losses", lost(huts=["p2_hut_3", "p2_hut_1"]))
    assert one == RULES.parse("choose_losses", lost(huts=["p2_hut_1", "p2_hut_3"]))
    assert one.refusal(state, 1) is None


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"huts": ["p2_hut_1"]}, "Exactly 2 of your huts and canoes there are destroyed."),
        ({"huts": ["p2_hut_1", "p2_hut_2"], "afloat": 1}, "Exactly 2 of your huts and canoes there are destroyed."),
        ({"afloat": 2}, "There are 1 undocked canoes of yours in that area."),
        ({"huts": ["p2_hut_1", "p2_hut_1"]}, "Name huts and canoes of your own in that area, each once."),
        ({"huts": ["p2_hut_1", "p2_hut_3"]}, "Name huts and canoes of your own in that area, each once."),
        ({"huts": ["p1_hut_1"], "afloat": 1}, "Name huts and canoes of your own in that area, each once."),
        ({"docked": ["p1_hut_1"], "afloat": 1}, "Name huts and canoes of your own in that area, each once."),
    ],
)
def test_choose_losses__as_many_as_are_lost_of_ones_own(params: dict[str, Any], message: str) -> None:
    state = fought(2, 1, canoes=[[], [HERE]])
    assert refused(state, "p2", "choose_losses", **lost(**params)) == Refusal("Raid", message)


def test_choose_losses__the_owner_chooses() -> None:
    state = fought(1, 2, canoes=[[], [HERE]])
    assert refused(state, "p1", "choose_losses", **lost(afloat=1)) == Refusal("Raid", "The owner chooses.")


@pytest.mark.parametrize("state", [war(), declared()], ids=["no_raid", "not_fought"])
def test_choose_losses__not_without_losses(state: Any) -> None:
    assert refused(state, "p2", "choose_losses", **lost(afloat=1)) == Refusal("Raid", "Nothing is destroyed now.")


def test_choose_losses__its_range_is_exact() -> None:
    state = fought(2, 1, canoes=[[], [HERE] * 2], docked={"p1_hut_1": "p2"})
    fits = Draft202012Validator(ranges(state, "p2")["choose_losses"]).is_valid
    huts = [[], *map(list, combinations_with_replacement(["p2_hut_1", "p2_hut_2", "p2_hut_3", "p1_hut_1"], 2))]
    for of_huts, docked, afloat in product([*huts, ["p2_hut_2"]], ([], ["p1_hut_1"], ["p1_hut_2"]), range(4)):
        params = {"huts": of_huts, "docked": docked, "afloat": afloat}
        assert fits(params) == is_legal(state, "p2", "choose_losses", params), params


def test_choose_losses__lists_the_first_ways_where_there_are_many() -> None:
    own = [HERE] * 7
    state = fought(
        7,
        1,
        own=own,
        their=own,
        canoes=[[], [HERE] * 5],
        docked={f"p1_hut_{number}": "p2" for number in range(1, 6)},
    )
    listed = offered(state, "p2", "choose_losses")
    assert len(listed) == LISTED_LOSSES
    fits = Draft202012Validator(ranges(state, "p2")["choose_losses"]).is_valid
    assert all(fits({"huts": list(huts), "docked": list(docked), "afloat": n}) for huts, docked, n in listed)


def is_legal(state: Any, actor: str, type_: str, params: dict[str, Any]) -> bool:
    try:
        do(state, actor, type_, **params)
    except EngineError:
        return False
    return True


def test_choose_losses__told() -> None:
    state = fought(2, 1, canoes=[[], [HERE]], docked={"p1_hut_1": "p2"})
    assert told(state, "p2", "choose_losses", **lost(docked=["p1_hut_1"], afloat=1)) == (
        "Lose the canoe docked in Ada's hut 1, 1 undocked canoe",
        "Bo loses the canoe docked in Ada's hut 1, 1 undocked canoe.",
    )
    assert told(state, "p2", "choose_losses", **lost(huts=["p2_hut_1", "p2_hut_2"]))[0] == "Lose hut 1, hut 2"
    assert told(state, "p2", "choose_losses", **lost(afloat=2))[0] == "Lose 2 undocked canoes"


def test_throw__its_range_is_exact_and_has_a_salt() -> None:
    state = declared(options={"raid_min_throw": 0})
    fits = Draft202012Validator(ranges(state, "p1")["throw_spears"]).is_valid
    for spears, salt in product(range(9), ("", "5f3a", "x" * 64, "x" * 65)):
        params = {"spears": spears, "salt": salt}
        assert fits(params) == is_legal(state, "p1", "throw_spears", params), params
    assert ranges(state, "p2") == {}
    assert "throw_spears" not in ranges(war(), "p1")
