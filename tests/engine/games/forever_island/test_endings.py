"""Forever Island: eruption, Ecocide, elimination and the ways to win (FV-R17 to FV-R21, FV-R25, FV-R26, FV-R34)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import GameOver, Malformed
from engine.core.values import GameOutcome
from engine.games.forever_island.components import SHORES, Goods
from engine.games.forever_island.state import Exchange, ForeverState, Hut, Raid, Totem
from tests.engine.games.forever_island.positions import RULES, TOTEM_SHORES, atoll, fertility_of, hut, huts_of, totem
from tests.engine.games.playing import do, offered
from tests.playouts import NAMES

# Eruption


def erupt(**fields: Any) -> Any:
    return do(atoll(**{"phase": "weather", "volcano": 1, **fields}), "p1", "roll_for_weather", 6)


def test_eruption__destroys_every_undocked_canoe() -> None:
    # FV-R17
    state = erupt(canoes=[["hog_1_a", "volcano"], ["log_2_b"]])
    assert state.canoes == ((), ())


def test_eruption__docked_canoes_and_huts_stay() -> None:
    # FV-R17
    state = erupt(docked={"p1_hut_1": "p2", "p2_hut_1": "p2"})
    assert (hut(state, "p1_hut_1").docked, hut(state, "p2_hut_1").docked) == (1, 1)


def test_eruption__takes_a_resource_from_every_island_to_its_pile() -> None:
    # FV-R17
    before = atoll(phase="weather", volcano=1)
    after = do(before, "p1", "roll_for_weather", 6)
    assert (after.fertility, after.piles) == ((2,) * 6, before.piles + Goods(2, 2, 2))


def test_eruption__nothing_grows() -> None:
    assert erupt(fertility={"hog_1": 6}).fertility[0] == 5


def test_eruption__the_token_goes_back_to_three() -> None:
    assert erupt().volcano == 3


def test_eruption__the_same_player_goes_on() -> None:
    state = erupt()
    assert (state.turn, state.phase, state.active) == (3, "actions", 0)


def test_eruption__passes_a_dead_island_by() -> None:
    # FV-R25
    state = erupt(fertility={"hog_1": 0}, huts=[["hog_1_a"]])
    assert (fertility_of(state, "hog_1"), huts_of(state, 0)) == (0, ["hog_1_a"])


def test_eruption__ecocides_together() -> None:
    # FV-R17
    state = erupt(fertility={"hog_1": 1, "log_1": 1}, huts=[["hog_1_a", "frog_1_a"], ["log_1_b", "frog_1_a"]])
    assert (huts_of(state, 0), huts_of(state, 1)) == (["frog_1_a"], ["frog_1_a"])
    assert (fertility_of(state, "hog_1"), fertility_of(state, "log_1")) == (1, 1)


# Ecocide


def harvest_last_hog(**fields: Any) -> Any:
    """Ada takes the last hog of Hog Island 1; she has another hut on Frog Island 2."""
    position = {"huts": [["hog_1_a", "frog_2_a"], ["frog_2_b"]], "fertility": {"hog_1": 1}, **fields}
    return do(atoll(**position), "p1", "harvest", hut="p1_hut_1")


def test_ecocide__destroys_huts_and_canoes_on_both_shores() -> None:
    # FV-R18
    state = harvest_last_hog(
        huts=[["hog_1_a", "frog_2_a", "hog_1_b"], ["frog_2_b", "hog_1_b"]], canoes=[["hog_1_a"], ["hog_1_b", "volcano"]]
    )
    assert (huts_of(state, 0), huts_of(state, 1)) == (["frog_2_a"], ["frog_2_b"])
    assert state.canoes == ((), ("volcano",))


def test_ecocide__destroys_docked_canoes() -> None:
    # FV-R18
    state = harvest_last_hog(docked={"p1_hut_1": "p2"})
    assert state.canoe_count(1) == 0


def test_ecocide__leaves_other_islands_alone() -> None:
    assert huts_of(harvest_last_hog(), 1) == ["frog_2_b"]


def test_ecocide__topples_standing_totems_and_their_extensions() -> None:
    state = harvest_last_hog(standing=["hog_1_a", "hog_2_a"], extensions={"hog_1_a": 3, "hog_2_a": 1})
    assert [(one.is_standing, one.extensions) for one in (totem(state, "hog_1_a"), totem(state, "hog_2_a"))] == [
        (False, 0),
        (True, 1),
    ]


def test_ecocide__who_took_the_last_resource_keeps_it() -> None:
    # FV-R18
    assert harvest_last_hog().hands[0] == Goods(hog=1)


def test_ecocide__one_resource_comes_back() -> None:
    before = atoll(huts=[["hog_1_a", "frog_2_a"]], fertility={"hog_1": 1})
    after = do(before, "p1", "harvest", hut="p1_hut_1")
    assert (fertility_of(after, "hog_1"), after.piles) == (1, before.piles - Goods(hog=1))


def test_ecocide__nothing_comes_back_from_an_empty_pile() -> None:
    # FV-R25
    assert fertility_of(harvest_last_hog(hands=[Goods(), Goods(hog=25)]), "hog_1") == 0


def test_ecocide__not_before_the_last_resource() -> None:
    assert huts_of(harvest_last_hog(fertility={"hog_1": 2}), 0) == ["hog_1_a", "frog_2_a"]


def test_ecocide__not_again_on_a_dead_island() -> None:
    # FV-R25: totems placed there later stand.
    state = atoll(huts=[["hog_1_a"]], fertility={"hog_1": 0}, phase="weather")
    assert huts_of(do(state, "p1", "roll_for_weather", 1), 0) == ["hog_1_a"]


def test_ecocide__a_totem_may_be_erected_again() -> None:
    state = harvest_last_hog(standing=["hog_1_a"], hands=[Goods(hog=4)])
    assert offered(state, "p1", "erect") != []
    assert totem(do(state, "p1", "erect", totem="hog_1_a"), "hog_1_a").is_standing


# Objective, elimination


def doomed_table(**fields: Any) -> Any:
    """Three players; Bo's only hut is on Hog Island 1, which has one hog left. Ada's first hut is there, too."""
    position = {"seats": 3, "huts": [["hog_1_a", "frog_2_a"], ["hog_1_b"], ["frog_2_b"]], "fertility": {"hog_1": 1}}
    return atoll(**{**position, **fields})


def test_elimination__of_who_has_neither_hut_nor_canoe() -> None:
    # FV-R19
    state = do(doomed_table(), "p1", "harvest", hut="p1_hut_1")
    assert (state.eliminated, state.outcome) == ((1,), None)


@pytest.mark.parametrize("fields", [{"canoes": [[], ["volcano"]]}, {"docked": {"p3_hut_1": "p2"}}])
def test_elimination__a_canoe_is_enough(fields: dict[str, Any]) -> None:
    # FV-R19
    assert do(doomed_table(**fields), "p1", "harvest", hut="p1_hut_1").eliminated == ()


def test_elimination__the_hand_goes_back_to_the_piles() -> None:
    # FV-R19
    state = do(doomed_table(hands=[Goods(), Goods(2, 3, 4)]), "p1", "harvest", hut="p1_hut_1")
    assert state.hands[1] == Goods()


def test_elimination__of_the_active_player_ends_the_turn() -> None:
    # FV-R19
    state = do(doomed_table(huts=[["hog_1_a"], ["log_1_a"], ["frog_2_b"]]), "p1", "harvest", hut="p1_hut_1")
    assert (state.eliminated, state.turn, state.phase, state.active) == ((0,), 4, "weather", 1)


def test_elimination__by_a_raid() -> None:
    state = atoll(seats=3, huts=[["log_1_b"], ["log_1_b"]], has_erected=True)
    state = do(do(state, "p1", "declare_raid", defender="p2", area="log_1_b"), "p1", "throw_spears", spears=1)
    assert do(state, "p2", "guess_spears", spears=7).eliminated == (1,)


def test_elimination__of_the_raider_ends_the_turn() -> None:
    state = atoll(seats=3, huts=[["log_1_b"], ["log_1_b"]], has_erected=True)
    state = do(do(state, "p1", "declare_raid", defender="p2", area="log_1_b"), "p1", "throw_spears", spears=1)
    state = do(state, "p2", "guess_spears", spears=1)
    assert (state.eliminated, state.raid, state.raided, state.active) == ((0,), None, (), 1)


def test_elimination__by_an_eruption() -> None:
    state = erupt(seats=3, huts=[["log_1_a"], []], canoes=[[], ["volcano"]])
    assert (state.eliminated, state.phase, state.active) == ((1,), "actions", 0)


# Objective, the last survivor


def test_last_survivor__wins() -> None:
    state = do(doomed_table(seats=2, huts=[["hog_1_a", "frog_2_a"], ["hog_1_b"]]), "p1", "harvest", hut="p1_hut_1")
    assert state.outcome == GameOutcome("won", ("p1",), "last_survivor", "Objective")


def test_last_survivor__also_in_another_players_turn() -> None:
    # FV-R20
    state = do(doomed_table(seats=2, huts=[["hog_1_a"], ["frog_2_b"]]), "p1", "harvest", hut="p1_hut_1")
    assert state.outcome.winners == ("p2",)


def test_last_survivor__a_team_with_its_eliminated_members() -> None:
    # FV-R34
    huts = [["hog_1_a", "frog_2_a"], ["hog_1_b"], [], []]
    state = atoll(seats=4, options={"teams": 2}, huts=huts, eliminated=(2, 3), fertility={"hog_1": 1})
    state = do(state, "p1", "harvest", hut="p1_hut_1")
    assert state.outcome == GameOutcome("won", ("p1", "p3"), "last_survivor", "Teams")


def test_last_survivor__not_while_another_team_has_a_member() -> None:
    huts = [["hog_1_a", "frog_2_a"], ["hog_1_b"], ["frog_2_b"], ["frog_2_b"]]
    state = atoll(seats=4, options={"teams": 2}, huts=huts, fertility={"hog_1": 1})
    assert do(state, "p1", "harvest", hut="p1_hut_1").outcome is None


# Objective, all at once


@pytest.mark.parametrize("seats", [2, 3])
def test_draw__all_who_were_in_go_out_together(seats: int) -> None:
    # FV-R26
    huts = [["hog_1_a"], ["hog_1_b"], []][:seats]
    state = atoll(seats=seats, huts=huts, eliminated=(2,)[: seats - 2], fertility={"hog_1": 1})
    state = do(state, "p1", "harvest", hut="p1_hut_1")
    assert state.outcome == GameOutcome("draw", (), "all_eliminated", "Objective")


def test_draw__by_an_eruption_and_its_ecocides() -> None:
    # FV-R26
    state = erupt(huts=[["hog_1_a"], []], canoes=[[], ["volcano"]], fertility={"hog_1": 1})
    assert state.outcome.reason == "all_eliminated"


# Objective, three standing totems

THREE = ["hog_1_a", "hog_2_a", "log_1_a"]


def test_three_totems__win_at_once() -> None:
    # FV-R20
    state = atoll(huts=[THREE], standing=THREE[:2], hands=[Goods(hog=5)])
    state = do(state, "p1", "erect", totem="log_1_a")
    assert state.outcome == GameOutcome("won", ("p1",), "three_totems", "Objective")


def test_three_totems__two_do_not() -> None:
    state = atoll(huts=[THREE], standing=THREE[:1], hands=[Goods(hog=5)])
    assert do(state, "p1", "erect", totem="hog_2_a").outcome is None


def test_three_totems__by_settling() -> None:
    state = atoll(huts=[THREE[:2]], canoes=[["log_1_a"]], standing=THREE, hands=[Goods(hog=1, frog=1)])
    assert do(state, "p1", "settle", canoe="log_1_a").outcome.winners == ("p1",)


def test_three_totems__another_players_hut_is_in_the_way() -> None:
    state = atoll(huts=[THREE, ["log_1_a"]], standing=THREE[:2], hands=[Goods(hog=5)])
    assert do(state, "p1", "erect", totem="log_1_a").outcome is None


def test_three_totems__also_in_another_players_turn() -> None:
    # FV-R20
    state = atoll(huts=[["log_1_a"], THREE], standing=THREE)
    assert do(state, "p1", "mobilize", hut="p1_hut_1").outcome.winners == ("p2",)


def test_three_totems__erected_for_another_player() -> None:
    # FV-R7
    state = atoll(huts=[["frog_2_a"], THREE], standing=THREE[:2], hands=[Goods(hog=5)])
    assert do(state, "p1", "erect", totem="log_1_a").outcome.winners == ("p2",)


def test_three_totems__by_a_raid() -> None:
    state = atoll(seats=3, huts=[THREE, ["log_1_a", "frog_2_b"]], standing=THREE)
    state = do(do(state, "p1", "declare_raid", defender="p2", area="log_1_a"), "p1", "throw_spears", spears=1)
    assert do(state, "p2", "guess_spears", spears=2).outcome.reason == "three_totems"


@pytest.mark.parametrize("shared", ["victory_only", "all"])
def test_three_totems__of_a_team(shared: str) -> None:
    # FV-R21: a totem counts when all huts on its shore are the team's.
    huts = [THREE[:2], ["frog_2_b"], THREE[1:], ["frog_2_b"]]
    options = {"teams": 2, "team_shared_control": shared}
    state = atoll(seats=4, options=options, huts=huts, standing=THREE[:2], hands=[Goods(hog=5)])
    state = do(state, "p1", "erect", totem="log_1_a")
    assert state.outcome == GameOutcome("won", ("p1", "p3"), "three_totems", "Teams")


def test_three_totems__players_without_a_team_do_not_share() -> None:
    huts = [THREE[:2], ["frog_2_b"], THREE[2:], ["frog_2_b"]]
    state = atoll(seats=4, huts=huts, standing=THREE[:2], hands=[Goods(hog=5)])
    assert do(state, "p1", "erect", totem="log_1_a").outcome is None


def test_order__the_last_survivor_before_the_totems() -> None:
    # FV-R26: both happen by one event.
    raid = {"raid": Raid(1, THREE[0], spears=1), "raided": ((1, THREE[0]),)}
    state = atoll(huts=[THREE, [THREE[0]]], standing=THREE, phase="guess", **raid)
    assert do(state, "p2", "guess_spears", spears=2).outcome.reason == "last_survivor"


def test_over__nothing_can_be_done() -> None:
    state = do(doomed_table(seats=2, huts=[["hog_1_a"], ["frog_2_b"]]), "p1", "harvest", hut="p1_hut_1")
    assert list(RULES.legal_actions(state)) == []
    assert list(RULES.legal_ranges(state)) == []
    with pytest.raises(GameOver):
        RULES.judge(state, RULES.parse("end_turn", {}), "p2")


def test_endings__each_has_its_sentence() -> None:
    assert set(RULES.endings) == {"three_totems", "last_survivor", "all_eliminated"}


# Properties of every position

ASKED = "offers and raids name other players of this game, and huts on the board"
OFFERED = "another player can accept the offer"
FOUGHT = "a raid can be fought to its end"
PLACING = "in the initial placement, players who have placed are on the board, and the others can place"
ENDED = "three totems and the last survivor end the game"
APART = ((0, 0), (1, 0), (0, 1), (5, 5), (5, 6), (6, 5), (6, 6))
OUT: dict[str, Any] = {"eliminated": (1,), "huts": ((Hut("p1_hut_1", "frog_2_b", 0),), ())}
UNTAXED = tuple(Totem(shore, taxed=-1) for shore in sorted(TOTEM_SHORES, key=SHORES.index))
FAR_BACK = {seat: (Hut(f"{seat}_hut_1", "frog_2_b", -1, -1),) for seat in ("p1", "p2")}
BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("29 hog tokens", {"piles": Goods(1, 23, 23)}),
    ("a fertility of 0 to 6", {"fertility": (7, 3, 3, 3, 3, 3)}),
    ("seven tiles, each in a place of its own", {"coordinates": ((0, 0),) * 7}),
    ("every tile borders on another", {"coordinates": tuple((5 * at, 0) for at in range(7))}),
    ("at most 10 canoes of a colour", {"canoes": (("volcano",) * 11, ())}),
    ("undocked canoes are sorted", {"canoes": (("volcano", "hog_1_a"), ())}),
    ("five totems, in the order of the shores", {"totems": ()}),
    ("the volcano token is on its track", {"volcano": 0}),
    ("eliminated players have no tokens, huts or canoes", {"eliminated": (0,)}),
    ("players without huts and canoes are eliminated", {"huts": ((), ())}),
    ("turn 0 is the placement", {"turn": 0}),
    ("the rules have this phase", {"phase": "siesta"}),
    ("the pending offer or raid matches the phase", {"phase": "guess"}),
    ("the active seat has a player", {"active": 2}),
    ("a hand, huts and canoes for each seat", {"canoes": ((), (), ())}),
    (ASKED, {"phase": "exchange", "exchange": Exchange(2, Goods(), Goods())}),
    (ASKED, {"phase": "double_up", "double_up": "p2_hut_8"}),
    (ASKED, {"phase": "guess", "raid": Raid(0, "hog_1_a")}),
    (ASKED, {"phase": "losses", "raid": Raid(1, "hog_1_a", loser=2)}),
    ("every tile can be reached", {"coordinates": APART}),
    ("the first player to place has a seat", {"first": 2}),
    ("turns are counted from 0", {"turn": -1, "huts": (FAR_BACK["p1"], FAR_BACK["p2"])}),
    ("each eliminated player is listed once", {**OUT, "eliminated": (1, 1)}),
    ("the active player is not eliminated", {**OUT, "active": 1}),
    ("the phase matches the table", {"phase": "guess", "raid": Raid(1, "hog_1_a")}),
    ("taxes are counted from 0", {"totems": UNTAXED}),
    ("a player raids only others", {"raided": ((0, "hog_1_a"),)}),
    (OFFERED, {"phase": "exchange", "exchange": Exchange(1, Goods(hog=1), Goods())}),
    (OFFERED, {"phase": "exchange", "exchange": Exchange(1, Goods(), Goods(hog=1))}),
    (OFFERED, {**OUT, "phase": "exchange", "exchange": Exchange(1, Goods(), Goods())}),
    (OFFERED, {"phase": "double_up", "double_up": "p1_hut_1"}),
    (OFFERED, {"phase": "double_up", "double_up": "p2_hut_1", "fertility": (3, 3, 3, 3, 6, 0)}),
    (FOUGHT, {**OUT, "phase": "throw", "raid": Raid(1, "frog_2_b"), "raided": ((1, "frog_2_b"),)}),
    (FOUGHT, {"phase": "throw", "raid": Raid(1, "frog_2_b")}),
    (FOUGHT, {"phase": "throw", "raid": Raid(1, "hog_1_a"), "raided": ((1, "hog_1_a"),)}),
    (FOUGHT, {"phase": "open_fist", "raid": Raid(1, "frog_2_b", guess=8), "raided": ((1, "frog_2_b"),)}),
    (FOUGHT, {"phase": "losses", "raid": Raid(1, "frog_2_b", 1, loser=1), "raided": ((1, "frog_2_b"),)}),
    (FOUGHT, {"phase": "losses", "raid": Raid(1, "frog_2_b", 2, "", 1, 1, 2), "raided": ((1, "frog_2_b"),)}),
    (FOUGHT, {"phase": "losses", "raid": Raid(1, "frog_2_b", 1, "", 1, 1, 1), "raided": ((1, "frog_2_b"),)}),
    (PLACING, {"turn": 0, "phase": "placement", "active": 1, "huts": ((), ())}),
    (ENDED, {"turn": 3, **OUT}),
]


@pytest.mark.parametrize(("name", "fields"), BROKEN)
def test_invariants__what_is_broken_is_named(name: str, fields: dict[str, Any]) -> None:
    assert name in RULES.check_invariants(msgspec.structs.replace(atoll(), **fields))


def test_document__comes_back_equal() -> None:
    state: ForeverState = atoll(docked={"p1_hut_1": "p2"}, canoes=[["volcano"]], standing=["hog_1_a"])
    document = msgspec.json.decode(msgspec.json.encode(RULES.to_document(state)))
    assert RULES.from_document(document) == state
    with pytest.raises(Malformed):
        RULES.from_document({})


def test_tableau__everything_a_player_would_look_up() -> None:
    state = atoll(
        seats=3,
        huts=[["hog_1_a"], ["hog_1_a"], []],
        canoes=[["volcano", "volcano"]],
        docked={"p2_hut_1": "p1"},
        standing=["hog_1_a", "log_1_a"],
        extensions={"hog_1_a": 2},
        hands=[Goods(hog=2, frog=1)],
        eliminated=(2,),
    )
    assert RULES.overview(state, NAMES[:3]) == {
        "Fertility": "Hog Island 1 3, Hog Island 2 3, Log Island 1 3, Log Island 2 3, Frog Island 1 3, Frog Island 2 3",
        "Volcano": "3",
        "Standing totems": "Hog Island 1, shore A (extended by 2); Log Island 1, shore A",
        "Fallen totems": "Hog Island 2, shore A; Log Island 2, shore A; Frog Island 1, shore A",
        "Huts": "Ada's hut 1 on Hog Island 1, shore A; Bo's hut 1 on Hog Island 1, shore A",
        "Canoes": "Ada: 2 × the Volcano",
        "Docked": "Ada's canoe in Bo's hut 1",
        "Hands": "Ada: 2 hogs and 1 frog; Bo: nothing; Cleo: nothing",
        "Piles": "21 hogs and 23 logs and 22 frogs",
        "Eliminated": "Cleo",
    }


def test_headline__the_table_in_a_line() -> None:
    state = atoll(huts=[["hog_1_a"]], docked={"p1_hut_1": "p2"}, standing=["hog_1_a"], hands=[Goods(hog=2)])
    assert RULES.headline(state, NAMES[:2]) == (
        "Fertility: Hog Island 1 3, Hog Island 2 3, Log Island 1 3, Log Island 2 3, Frog Island 1 3, Frog Island 2 3"
        " · volcano: 3 · standing totems: 1 of 5"
        " · Ada: huts 1, canoes 0, in hand 2 hogs · Bo: huts 1, canoes 1, in hand nothing"
    )


def test_tableau__of_an_empty_board() -> None:
    state = msgspec.structs.replace(atoll(), huts=((), ()), totems=())
    words = RULES.overview(state, NAMES[:2])
    assert [words[label] for label in ("Standing totems", "Fallen totems", "Huts", "Docked", "Eliminated")] == [
        "none",
        "none",
        "none",
        "none",
        "nobody",
    ]
    assert words["Canoes"] == "none undocked"


def test_value_label__a_seat_a_number_or_a_face() -> None:
    assert [RULES.value_label(value) for value in ("p2", 6, "hog")] == ["Player 2", "6", "hog"]
