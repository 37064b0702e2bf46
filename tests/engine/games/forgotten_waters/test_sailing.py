"""Forgotten Waters: Moving the Ship, Scouting, and the tokens of the map."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.scenario.pack import Map
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.piles import Pile
from engine.kit.ruleset import Refusal
from tests.engine.games.forgotten_waters.positions import having, resolving, voyage
from tests.engine.games.playing import do, may_come_up, offered, refused, said

MOVING = "Moving the Ship"
SCOUTING = "Scouting"
MOVE: dict[str, Any] = {"do": "move_ship", "n": 2}
SCOUT: dict[str, Any] = {"do": "scout", "n": 2}


def test_map__hexes_in_columns() -> None:
    spaces = Map(columns=3, rows=3, missing=("c3",)).spaces()
    assert (spaces["a1"], spaces["b1"], spaces["b2"]) == (
        ("a2", "b1"),
        ("a1", "a2", "b2", "c1", "c2"),
        ("a2", "a3", "b1", "b3", "c2"),
    )


def test_move__to_an_adjacent_space() -> None:
    assert offered(resolving(MOVE), "p1", "move_ship") == ["a4", "a5", "b3", "b5", "c4", "c5"]
    assert refused(resolving(MOVE), "p1", "move_ship", to="e1") == Refusal(
        MOVING, "The ship moves to an adjacent space."
    )


def test_move__an_empty_space_draws_a_navigation_token() -> None:
    state = do(resolving(MOVE), "p1", "move_ship", "bottle", to="c4")
    assert (state.ship, state.token_on("c4"), len(state.navigation_pile)) == ("c4", "bottle", 29)


def test_move__each_token_is_as_likely_as_there_are_many() -> None:
    assert str(may_come_up(resolving(MOVE), "p1", "move_ship")["calm_water"]) == "7/30"


def test_move__a_space_with_a_token_draws_none() -> None:
    state = do(resolving(MOVE, state=voyage(ship="c2")), "p1", "move_ship", to="d2")
    assert (state.ship, len(state.navigation_pile)) == ("d2", 30)


def test_move__an_empty_supply_leaves_the_space_empty() -> None:
    """FW-R14."""
    everything = voyage().navigation_pile.cards()
    spaces = [space for space in voyage().map.spaces() if voyage().is_empty(space) and space != "c4"]
    lying = tuple(sorted([*voyage().tokens, *zip(spaces, everything, strict=False)]))
    state = do(resolving(MOVE, state=voyage(navigation_pile=Pile(), tokens=lying)), "p1", "move_ship", to="c4")
    assert (state.ship, state.token_on("c4")) == ("c4", None)


def test_move__entries_are_not_read_until_directed() -> None:
    assert do(resolving(MOVE), "p1", "move_ship", "flotsam", to="c4").entries == ()


def test_move__up_to_so_many_spaces() -> None:
    state = do(resolving(MOVE), "p1", "move_ship", "flotsam", to="c4")
    state = do(state, "p1", "move_ship", "bottle", to="c3")
    assert (state.ship, state.agenda) == ("c3", ())
    assert do(resolving(MOVE), "p1", "stop").ship == "b4"


@pytest.mark.parametrize("token", ["squall", "patrol", "old_whale"])
def test_move__a_stop_symbol_ends_it(token: str) -> None:
    state = do(resolving(MOVE), "p1", "move_ship", token, to="c4")
    assert (state.agenda, state.has_stopped) == ((), True)


def test_move__a_special_location_may_stop_too() -> None:
    assert do(resolving(MOVE, state=voyage(ship="c2")), "p1", "move_ship", to="d2").has_stopped


def test_move__no_farther_during_that_round() -> None:
    assert resolving(MOVE, state=voyage(has_stopped=True)).agenda == ()
    assert not resolving({"do": "new_round"}, state=voyage(has_stopped=True)).has_stopped
    assert resolving({"do": "stop_ship"}, MOVE).agenda == ()


def test_move__not_onto_rocky_waters() -> None:
    state = resolving(MOVE, state=voyage(ship="d4"))
    assert "d3" not in offered(state, "p1", "move_ship")
    assert refused(state, "p1", "move_ship", to="d3") == Refusal(MOVING, "The ship cannot be moved onto rocky waters.")


def test_move__by_who_resolves() -> None:
    assert refused(resolving(MOVE), "p2", "move_ship", to="c4") == Refusal(
        MOVING, "Only another player can decide that."
    )
    assert refused(voyage(), "p1", "move_ship", to="c4") == Refusal(MOVING, "You cannot move the ship now.")


def test_move__is_told() -> None:
    assert said(resolving(MOVE), "p1", "move_ship", "bottle", to="c4") == (
        "Move the ship to c4",
        "Ada moves the ship to c4: Message in a bottle.",
    )
    assert said(resolving(MOVE, state=voyage(ship="c2")), "p1", "move_ship", to="d2") == (
        "Move the ship to d2 (The Lantern Market)",
        "Ada moves the ship to d2: The Lantern Market.",
    )


# Scouting


def test_scout__empty_spaces_next_to_the_ship() -> None:
    """FW-R15."""
    assert offered(resolving(SCOUT), "p1", "scout_space") == ["a4", "a5", "b3", "b5", "c4", "c5"]


def test_scout__or_next_to_a_navigation_token() -> None:
    """FW-R15: also the tokens just placed."""
    state = do(resolving(SCOUT), "p1", "scout_space", space="c4")
    assert {"c3", "d4"} <= set(offered(state, "p1", "scout_space"))
    assert not {"c4", "d3", "e4"} & set(offered(state, "p1", "scout_space"))


def test_scout__not_anywhere() -> None:
    assert refused(resolving(SCOUT), "p1", "scout_space", space="i4") == Refusal(
        SCOUTING, "Choose an empty space next to the ship or next to a navigation token."
    )
    assert refused(resolving(SCOUT), "p2", "scout_space", space="c4") == Refusal(
        SCOUTING, "Only another player can decide that."
    )
    assert refused(voyage(), "p1", "scout_space", space="c4") == Refusal(SCOUTING, "You cannot scout a space now.")


def scout_two_spaces() -> WatersState:
    state = do(resolving(SCOUT), "p1", "scout_space", space="c4")
    after: WatersState = do(state, "p1", "scout_space", space="d4")
    return after


def test_scout__face_down_until_all_are_placed() -> None:
    """FW-R15."""
    state = do(resolving(SCOUT), "p1", "scout_space", space="c4")
    assert (state.face_down, offered(state, "p1", "flip_token")) == (("c4",), [])
    assert refused(state, "p1", "flip_token") == Refusal(SCOUTING, "No scouted token is face down.")


def test_scout__then_all_are_flipped() -> None:
    """FW-R15."""
    state = do(do(scout_two_spaces(), "p1", "flip_token", "bottle"), "p1", "flip_token", "squall")
    assert (state.token_on("c4"), state.token_on("d4"), state.face_down, state.agenda) == ("bottle", "squall", (), ())
    assert refused(scout_two_spaces(), "p2", "flip_token") == Refusal(SCOUTING, "Only another player can decide that.")


def test_scout__as_long_as_there_are_tokens() -> None:
    left = voyage().navigation_pile.cards()[0]
    tokens = voyage().navigation_pile.cards()[1:]
    spaces = [space for space in voyage().map.spaces() if voyage().is_empty(space) and space > "c6"][: len(tokens)]
    lying = tuple(sorted([*voyage().tokens, *zip(spaces, tokens, strict=True)]))
    state = resolving(SCOUT, state=voyage(navigation_pile=Pile(((left,),)), tokens=lying))
    state = do(state, "p1", "scout_space", space="c4")
    assert offered(state, "p1", "flip_token") == [()]
    assert resolving(SCOUT, state=do(state, "p1", "flip_token", left)).agenda == ()


def test_scout__is_told() -> None:
    assert said(resolving(SCOUT), "p1", "scout_space", space="c4") == ("Scout c4", "Ada scouts c4.")
    assert said(scout_two_spaces(), "p1", "flip_token", "bottle") == (
        "Flip the token on c4",
        "Ada flips the token on c4: Message in a bottle.",
    )


# A treasure used between the placements of two scouted tokens


def between(**fields: Any) -> WatersState:
    """Two of three spaces are scouted (c4 and d4), and the ship is moved."""
    state = do(resolving({**SCOUT, "n": 3}, state=voyage(**fields)), "p1", "scout_space", space="c4")
    return resolving(MOVE, state=do(state, "p1", "scout_space", space="d4"))


def test_hidden__flipped_before_the_ship_enters() -> None:
    """FW-R15: a stop on the flipped token also stops the ship."""
    state = do(between(), "p1", "move_ship", "squall", to="c4")
    assert (state.ship, state.token_on("c4"), state.face_down) == ("c4", "squall", ("d4",))
    assert state.has_stopped
    assert offered(state, "p1", "move_ship") == []


def test_hidden__any_that_was_not_seen_may_come_up() -> None:
    """FW-R15."""
    assert str(may_come_up(between(), "p1", "move_ship")["calm_water"]) == "7/30"
    assert said(between(), "p1", "move_ship", "squall", to="c4") == (
        "Move the ship to c4 (a scouted token)",
        "Ada moves the ship to c4: Squall.",
    )


def test_hidden__the_scouting_goes_on() -> None:
    """FW-R15: the tokens that the ship flipped are not flipped again."""
    state = do(do(between(), "p1", "move_ship", "bottle", to="c4"), "p1", "stop")
    state = do(state, "p1", "scout_space", space="c5")
    state = do(do(state, "p1", "flip_token", "flotsam"), "p1", "flip_token", "calm_water")
    assert (state.token_on("d4"), state.token_on("c5"), state.agenda) == ("flotsam", "calm_water", ())


def test_hidden__they_are_no_supply() -> None:
    """FW-R14: without other tokens, an empty space stays empty."""
    state = between()
    few = Pile.shuffled(state.navigation_pile.cards()[:2])
    spaces = [space for space in state.map.spaces() if state.is_empty(space) and space > "c6"]
    lying = tuple(sorted([*state.tokens, *zip(spaces, state.navigation_pile.cards()[2:], strict=False)]))
    state = do(replace(state, navigation_pile=few, tokens=lying), "p1", "move_ship", to="b3")
    assert (state.ship, state.token_on("b3"), len(state.navigation_pile)) == ("b3", None, 2)


def test_hidden__a_token_put_there_takes_its_place() -> None:
    """FW-R28: it returns unseen."""
    state = resolving({"do": "place_token", "space": "c4", "token": "the_trench"}, state=between())
    assert (state.token_on("c4"), state.face_down, len(state.navigation_pile)) == ("the_trench", ("d4",), 30)


def test_hidden__taken_off() -> None:
    """FW-R28."""
    state = resolving({"do": "remove_token", "space": "c4"}, state=between())
    assert (state.is_empty("c4"), state.face_down, len(state.navigation_pile)) == (True, ("d4",), 30)


def test_hidden__is_not_what_was_taken_off_meanwhile() -> None:
    """FW-R28: it is shuffled in after they are flipped."""
    state = do(between(), "p1", "move_ship", "old_whale", to="b3")
    seen = may_come_up(resolving(MOVE, state=replace(state, has_stopped=False)), "p1", "move_ship")
    state = resolving({"do": "remove_token"}, state=state)
    state = do(state, "p1", "scout_space", space="c5")
    assert may_come_up(state, "p1", "flip_token") == seen
    for token in ("bottle", "flotsam", "calm_water"):
        assert len(state.navigation_pile.layers) == 2
        state = do(state, "p1", "flip_token", token)
    assert len(state.navigation_pile.layers) == 1
    assert state.navigation_pile.cards().count("old_whale") == voyage().navigation_pile.cards().count("old_whale")


def test_hidden__a_scouting_inside_a_scouting_flips_them_all() -> None:
    """FW-R29: and the first one continues."""
    state = do(resolving(SCOUT), "p1", "scout_space", space="c4")
    state = do(resolving({"do": "scout"}, state=state), "p1", "scout_space", space="c5")
    state = do(do(state, "p1", "flip_token", "bottle"), "p1", "flip_token", "squall")
    assert (state.token_on("c4"), state.token_on("c5")) == ("bottle", "squall")
    state = do(state, "p1", "scout_space", space="d4")
    assert do(state, "p1", "flip_token", "flotsam").agenda == ()


# Tokens of the map


def test_tokens__a_navigation_token_goes_back_and_is_shuffled() -> None:
    """FW-R28: it is then as likely as any other."""
    state = do(resolving(MOVE), "p1", "move_ship", "bottle", to="c4")
    state = resolving({"do": "remove_token"}, MOVE, state=replace(state, agenda=()))
    assert may_come_up(state, "p1", "move_ship") == may_come_up(resolving(MOVE), "p1", "move_ship")


def test_read_space__the_entry_of_the_token_there() -> None:
    assert resolving({"do": "read_space"}, state=voyage(ship="d2")).page == "lantern_market"


def test_read_space__nothing_on_an_empty_space() -> None:
    assert resolving({"do": "read_space"}, state=voyage(ship="c4")).entries == ()


def test_tokens__placed_over_what_lies_there() -> None:
    state = do(resolving(MOVE), "p1", "move_ship", "bottle", to="c4")
    state = resolving({"do": "place_token", "space": "c4", "token": "the_trench"}, state=having(state))
    assert (state.token_on("c4"), len(state.navigation_pile)) == ("the_trench", 30)


def test_tokens__removed() -> None:
    assert resolving({"do": "remove_token"}).token_on("b4") is None
    assert resolving({"do": "remove_token", "space": "d2"}).token_on("d2") is None
