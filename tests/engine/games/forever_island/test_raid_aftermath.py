"""Raids: what is lost, and how a raid ends."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.core.errors import EngineError, IsLeftOut
from engine.core.events import Draft
from engine.games.forever_island.raid import LISTED_LOSSES
from engine.kit.ruleset import Refusal
from engine.play.fold import fold
from engine.review.audit import audit
from tests.engine.games.forever_island.positions import RULES, hut, huts_of, ranges
from tests.engine.games.forever_island.raiding import HERE, declare_raid, fought, lost_pieces, war
from tests.engine.games.playing import do, kinds, offered, refused, said
from tests.recording import Recording

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
    assert refused(state, "p1", "end_turn").message == "First choose the pieces to be destroyed."


def test_aftermath__the_raider_chooses_after_a_right_guess() -> None:
    assert RULES.awaiting(fought(1, 1, canoes=[[HERE]])) == (0,)


def test_aftermath__huts_that_differ_are_a_choice() -> None:
    # FV-R32: the raider's own turn continues, so it matters which hut has harvested.
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
    # FV-R32
    state = fought(2, 1, **fields)
    assert (state.phase, state.pieces_in(1, HERE)) == ("actions", left)


def test_choose_losses__destroys_what_was_chosen() -> None:
    state = fought(2, 1, canoes=[[], [HERE]], docked={"p1_hut_1": "p2"})
    state = do(state, "p2", "choose_losses", **lost_pieces(huts=["p2_hut_2"], docked=["p1_hut_1"]))
    assert (hut(state, "p2_hut_2"), hut(state, "p1_hut_1").docked, state.canoes[1]) == (None, None, (HERE,))
    assert (state.phase, state.raid) == ("actions", None)


def test_choose_losses__undocked_canoes() -> None:
    state = fought(2, 1, canoes=[[], [HERE] * 2])
    assert do(state, "p2", "choose_losses", **lost_pieces(afloat=2)).canoes[1] == ()


def test_choose_losses__a_canoe_docked_in_a_lost_hut_is_undocked() -> None:
    # FV-R29
    state = fought(1, 2, docked={"p2_hut_1": "p1"})
    assert do(state, "p2", "choose_losses", **lost_pieces(huts=["p2_hut_1"])).canoes[0] == (HERE,)


def test_choose_losses__a_hut_and_the_canoe_docked_in_it() -> None:
    state = fought(2, 1, canoes=[[], [HERE]], docked={"p2_hut_1": "p2"})
    state = do(state, "p2", "choose_losses", **lost_pieces(huts=["p2_hut_1"], docked=["p2_hut_1"]))
    assert (huts_of(state, 1), state.canoes[1]) == ([HERE, "hog_2_b"], (HERE,))


def test_choose_losses__has_one_spelling() -> None:
    state = fought(2, 1, their=[HERE] * 3, canoes=[[], [HERE]])
    one = RULES.parse("choose_losses", lost_pieces(huts=["p2_hut_3", "p2_hut_1"]))
    assert one == RULES.parse("choose_losses", lost_pieces(huts=["p2_hut_1", "p2_hut_3"]))
    assert one.refusal(state, 1) is None


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"huts": ["p2_hut_1"]}, "Exactly 2 of your huts and canoes there are destroyed."),
        ({"huts": ["p2_hut_1", "p2_hut_2"], "afloat": 1}, "Exactly 2 of your huts and canoes there are destroyed."),
        ({"afloat": 2}, "You have only 1 undocked canoes in that area."),
        ({"huts": ["p2_hut_1", "p2_hut_1"]}, "Choose only your own huts and canoes in that area, each at most once."),
        ({"huts": ["p2_hut_1", "p2_hut_3"]}, "Choose only your own huts and canoes in that area, each at most once."),
        ({"huts": ["p1_hut_1"], "afloat": 1}, "Choose only your own huts and canoes in that area, each at most once."),
        (
            {"docked": ["p1_hut_1"], "afloat": 1},
            "Choose only your own huts and canoes in that area, each at most once.",
        ),
    ],
)
def test_choose_losses__as_many_as_are_lost_of_ones_own(params: dict[str, Any], message: str) -> None:
    state = fought(2, 1, canoes=[[], [HERE]])
    assert refused(state, "p2", "choose_losses", **lost_pieces(**params)) == Refusal("Raid", message)


def test_choose_losses__the_owner_chooses() -> None:
    state = fought(1, 2, canoes=[[], [HERE]])
    assert refused(state, "p1", "choose_losses", **lost_pieces(afloat=1)) == Refusal(
        "Raid", "Only the owner of the pieces can choose."
    )


@pytest.mark.parametrize("state", [war(), declare_raid()], ids=["no_raid", "not_fought"])
def test_choose_losses__not_without_losses(state: Any) -> None:
    assert refused(state, "p2", "choose_losses", **lost_pieces(afloat=1)) == Refusal(
        "Raid", "You have nothing to destroy now."
    )


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
    assert said(state, "p2", "choose_losses", **lost_pieces(docked=["p1_hut_1"], afloat=1)) == (
        "Lose the canoe docked in Ada's hut 1, 1 undocked canoe",
        "Bo loses the canoe docked in Ada's hut 1, 1 undocked canoe.",
    )
    assert said(state, "p2", "choose_losses", **lost_pieces(huts=["p2_hut_1", "p2_hut_2"]))[0] == "Lose hut 1, hut 2"
    assert said(state, "p2", "choose_losses", **lost_pieces(afloat=2))[0] == "Lose 2 undocked canoes"


def test_throw__its_range_is_exact_and_has_a_salt() -> None:
    state = declare_raid(options={"raid_min_throw": 0})
    fits = Draft202012Validator(ranges(state, "p1")["throw_spears"]).is_valid
    for spears, salt in product(range(9), ("", "5f3a", "x" * 64, "x" * 65)):
        params = {"spears": spears, "salt": salt}
        assert fits(params) == is_legal(state, "p1", "throw_spears", params), params
    assert ranges(state, "p2") == {}
    assert "throw_spears" not in ranges(war(), "p1")


def test_a_raid_that_was_broken_off__the_game_goes_on() -> None:
    """Ada declares war, everyone talks and forgets to fight, and the die is passed."""
    table = Recording("forever-island", 2, mode="as_played")
    table.add("set_up", position=RULES.to_document(war()))
    table.add("declare_raid", "p1", defender="p2", area=HERE)
    passing = Draft(type="end_turn", actor="p1")
    with pytest.raises(IsLeftOut) as asked:
        table.append(passing, accept_left_out=None)
    (missing,) = asked.value.left_out
    assert (missing.seat, missing.step, missing.message) == ("p1", "raid", "Ada did not finish the raid.")
    slip, act = table.append(passing, accept_left_out=True)
    assert (slip.type, slip.verdict, slip.rule, act.verdict) == ("left_out", "illegal", "Raid", "legal")
    table.add("roll_for_weather", "p2", [1])
    assert table.events[-1].verdict == "legal"
    report = audit(table.events)
    assert [(one.seq, one.kind) for one in report.findings] == [(slip.seq, "left_out")]
    assert fold(table.events) == table.game
