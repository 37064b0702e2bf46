"""Forbidden Island: 2. Draw 2 Treasure Deck Cards (FI-R10, FI-R11, FI-R13, FI-R16, FI-R17, FI-R24)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.games.forbidden_island.components import TILES
from engine.kit.ruleset import Refusal
from tests.engine.games.forbidden_island.positions import island
from tests.engine.games.playing import do, kinds, may_come_up, offered, refused, rules_of, said

FULL = ["crystal_of_fire"] * 3 + ["earth_stone"] * 2
"""A hand of five cards."""

# 2. Draw 2 Treasure Deck Cards, FI-R10


def test_draw_treasure__two_cards_one_at_a_time() -> None:
    state = do(island(), "p1", "draw_treasure_card", "earth_stone")
    assert (state.phase, state.hands[0]) == ("draw_treasure", ("earth_stone",))
    state = do(state, "p1", "draw_treasure_card", "crystal_of_fire")
    assert (state.phase, state.hands[0]) == ("draw_flood", ("crystal_of_fire", "earth_stone"))


def test_draw_treasure__there_is_no_way_around_it() -> None:
    assert kinds(island(phase="draw_treasure"), "p1") == ["draw_treasure_card"]


def test_draw_treasure__ends_the_actions() -> None:
    state = do(island(), "p1", "draw_treasure_card", "earth_stone")
    assert refused(state, "p1", "move", to="watchtower").message == (
        "The actions of this turn are over. Draw two cards now."
    )


def test_draw_treasure__any_card_of_the_deck_by_its_number() -> None:
    state = island(treasure_pile=["earth_stone", "earth_stone", "sandbags", "waters_rise"])
    assert may_come_up(state, "p1", "draw_treasure_card") == {
        "earth_stone": Fraction(1, 2),
        "sandbags": Fraction(1, 4),
        "waters_rise": Fraction(1, 4),
    }


def test_draw_treasure__the_active_player() -> None:
    assert refused(island(), "p2", "draw_treasure_card") == Refusal(
        "2. Draw 2 Treasure Deck Cards", "It is another player's turn."
    )


def test_draw_treasure__only_two() -> None:
    state = island(phase="draw_flood")
    assert refused(state, "p1", "draw_treasure_card") == Refusal(
        "2. Draw 2 Treasure Deck Cards", "You cannot draw a Treasure deck card now."
    )


def test_draw_treasure__is_told() -> None:
    assert said(island(), "p1", "draw_treasure_card", "earth_stone") == (
        "Draw a Treasure deck card",
        "Ada draws Earth Stone.",
    )


# Special Action Cards


@pytest.mark.parametrize("phase", ["actions", "draw_treasure", "draw_flood"])
@pytest.mark.parametrize("holder", ["p1", "p2"])
def test_special__any_time_by_anyone(phase: str, holder: str) -> None:
    hands = [["helicopter_lift", "sandbags"], ["helicopter_lift", "sandbags"]]
    state = island(phase=phase, flooded=["watchtower"], hands=hands)
    assert {"play_helicopter_lift", "play_sandbags"} <= set(kinds(state, holder))


def test_special__between_the_two_draws() -> None:
    state = do(island(hands=[[], ["sandbags"]], flooded=["watchtower"]), "p1", "draw_treasure_card", "earth_stone")
    state = do(state, "p2", "play_sandbags", tile="watchtower")
    assert (state.phase, state.treasure_draws_left) == ("draw_treasure", 1)


def test_special__takes_no_action() -> None:
    state = island(hands=[["sandbags"]], flooded=["watchtower"])
    state = do(state, "p1", "play_sandbags", tile="watchtower")
    assert (state.phase, state.actions_left) == ("actions", 3)


def test_special__after_the_last_action_the_draws_are_next() -> None:
    state = island(phase="draw_treasure", hands=[["sandbags"]], flooded=["watchtower"])
    assert do(state, "p1", "play_sandbags", tile="watchtower").phase == "draw_treasure"


def test_special__goes_to_the_treasure_discard_pile() -> None:
    state = island(hands=[["helicopter_lift"], ["sandbags"]], flooded=["watchtower"])
    state = do(state, "p2", "play_sandbags", tile="watchtower")
    state = do(state, "p1", "play_helicopter_lift", pawns=["p1"], to="watchtower")
    assert (state.treasure_discard, state.hands) == (("sandbags", "helicopter_lift"), ((), ()))


@pytest.mark.parametrize(
    ("type_", "params", "message"),
    [
        ("play_helicopter_lift", {"pawns": ["p1"], "to": "watchtower"}, "There is no Helicopter Lift in that hand."),
        ("play_sandbags", {"tile": "watchtower"}, "There is no Sandbags in that hand."),
    ],
)
def test_special__only_who_holds_it(type_: str, params: dict[str, Any], message: str) -> None:
    state = island(hands=[[], ["helicopter_lift", "sandbags"]], flooded=["watchtower"])
    assert refused(state, "p1", type_, **params) == Refusal("Special Action Cards", message)


# Helicopter Lift, FI-R17


def test_helicopter_lift__moves_pawns_of_one_tile_to_another() -> None:
    state = island(roles=["diver", "pilot", "engineer"], pawns=["iron_gate"] * 3, hands=[[], ["helicopter_lift"]])
    state = do(state, "p2", "play_helicopter_lift", pawns=["p1", "p3"], to="watchtower")
    assert state.pawns == ("watchtower", "iron_gate", "watchtower")


def test_helicopter_lift__any_pawns_that_share_a_tile() -> None:
    state = island(
        roles=["diver", "pilot", "engineer"],
        pawns=["iron_gate", "watchtower", "iron_gate"],
        hands=[["helicopter_lift"]],
    )
    groups = {pawns for pawns, _ in offered(state, "p1", "play_helicopter_lift")}
    assert groups == {("p1",), ("p2",), ("p3",), ("p1", "p3")}


def test_helicopter_lift__the_holder_may_stay_behind() -> None:
    state = island(pawns=["iron_gate", "watchtower"], hands=[["helicopter_lift"]])
    state = do(state, "p1", "play_helicopter_lift", pawns=["p2"], to="observatory")
    assert state.pawns == ("iron_gate", "observatory")


def test_helicopter_lift__to_a_flooded_tile() -> None:
    state = island(hands=[["helicopter_lift"]], flooded=["watchtower"])
    assert (("p1",), "watchtower") in offered(state, "p1", "play_helicopter_lift")


def test_helicopter_lift__pawns_in_any_order() -> None:
    state = island(pawns=["iron_gate"] * 2, hands=[["helicopter_lift"]])
    state = do(state, "p1", "play_helicopter_lift", pawns=["p2", "p1"], to="observatory")
    assert state.pawns == ("observatory", "observatory")


@pytest.mark.parametrize(
    ("pawns", "to", "message"),
    [
        (["p1", "p2"], "observatory", "The pawns must be on the same tile."),
        (["p1"], "iron_gate", "The pawns must go to another tile."),
        (["p1"], "watchtower", "Watchtower has sunk."),
        (["p1", "p1"], "observatory", "List each pawn of this game at most once."),
        (["p3"], "observatory", "List each pawn of this game at most once."),
    ],
)
def test_helicopter_lift__refused(pawns: list[str], to: str, message: str) -> None:
    state = island(pawns=["iron_gate", "gold_gate"], hands=[["helicopter_lift"]], sunk=["watchtower"])
    assert refused(state, "p1", "play_helicopter_lift", pawns=pawns, to=to) == Refusal("Special Action Cards", message)


def test_helicopter_lift__is_told() -> None:
    state = island(pawns=["iron_gate"] * 2, hands=[["helicopter_lift"]])
    assert said(state, "p1", "play_helicopter_lift", pawns=["p1", "p2"], to="observatory") == (
        "Helicopter Lift: Ada, Bo to Observatory",
        "Ada plays Helicopter Lift: Ada, Bo to Observatory.",
    )


# Sandbags, FI-R16


def test_sandbags__any_flooded_tile() -> None:
    state = island(hands=[[], ["sandbags"]], flooded=["watchtower", "coral_palace"], sunk=["iron_gate"])
    assert offered(state, "p2", "play_sandbags") == ["coral_palace", "watchtower"]


def test_sandbags__shore_up_one_tile_even_the_engineers() -> None:
    state = island(roles=["engineer", "diver"], hands=[["sandbags"]], flooded=["watchtower", "coral_palace"])
    assert do(state, "p1", "play_sandbags", tile="watchtower").flooded == {"coral_palace"}


@pytest.mark.parametrize(
    ("tile", "message"), [("watchtower", "Watchtower is not flooded."), ("iron_gate", "Iron Gate has sunk.")]
)
def test_sandbags__refused(tile: str, message: str) -> None:
    state = island(hands=[["sandbags"]], sunk=["iron_gate"])
    assert refused(state, "p1", "play_sandbags", tile=tile) == Refusal("Special Action Cards", message)


def test_sandbags__is_told() -> None:
    state = island(hands=[["sandbags"]], flooded=["watchtower"])
    assert said(state, "p1", "play_sandbags", tile="watchtower") == (
        "Sandbags: shore up Watchtower",
        "Ada plays Sandbags on Watchtower.",
    )


# Waters Rise! Cards, FI-R11


def test_waters_rise__up_a_tick() -> None:
    assert do(island(water_level=2), "p1", "draw_treasure_card", "waters_rise").water_level == 3


def test_waters_rise__the_flood_discard_goes_on_top_of_its_pile() -> None:
    state = do(island(flood_discard=["watchtower", "iron_gate"]), "p1", "draw_treasure_card", "waters_rise")
    assert state.flood_discard == ()
    assert state.flood_pile.layers == (
        ("iron_gate", "watchtower"),
        tuple(tile for tile in TILES if tile not in {"iron_gate", "watchtower"}),
    )


def test_waters_rise__drawn_cards_come_up_again_first() -> None:
    state = island(
        flood_discard=["watchtower", "iron_gate"], treasure_draws_left=1, actions_left=0, phase="draw_treasure"
    )
    state = do(state, "p1", "draw_treasure_card", "waters_rise")
    assert may_come_up(state, "p1", "draw_flood_card") == {
        "iron_gate": Fraction(1, 2),
        "watchtower": Fraction(1, 2),
    }


def test_waters_rise__goes_to_the_discard_pile_not_to_the_hand() -> None:
    state = do(island(), "p1", "draw_treasure_card", "waters_rise")
    assert (state.hands[0], state.treasure_discard) == ((), ("waters_rise",))


def test_waters_rise__there_is_no_replacement_card() -> None:
    state = do(island(), "p1", "draw_treasure_card", "waters_rise")
    assert state.treasure_draws_left == 1


def test_waters_rise__two_in_a_row_shuffle_once_and_rise_twice() -> None:
    state = do(island(flood_discard=["watchtower"]), "p1", "draw_treasure_card", "waters_rise")
    once = state.flood_pile
    state = do(state, "p1", "draw_treasure_card", "waters_rise")
    assert (state.flood_pile, state.water_level) == (once, 3)


def test_waters_rise__no_flood_discard_only_the_level() -> None:
    before = island()
    state = do(before, "p1", "draw_treasure_card", "waters_rise")
    assert (state.flood_pile, state.water_level) == (before.flood_pile, 2)


def test_waters_rise__counts_for_this_turns_floods() -> None:
    """FI-R14."""
    state = do(island(water_level=2), "p1", "draw_treasure_card", "waters_rise")
    assert do(state, "p1", "draw_treasure_card", "earth_stone").flood_draws_left == 3


def test_waters_rise__is_told() -> None:
    assert said(island(), "p1", "draw_treasure_card", "waters_rise")[1] == (
        "Ada draws Waters Rise! – the water is at 2."
    )


# When the Treasure Deck Runs Out, FI-R13


def test_treasure_deck__its_last_card_drawn_the_discard_is_shuffled() -> None:
    state = island(treasure_pile=["earth_stone"], hands=[["sandbags"] * 2])
    state = do(state, "p1", "draw_treasure_card", "earth_stone")
    assert len(state.treasure_pile.layers[0]) == 28 - 3
    assert state.treasure_discard == ()


def test_treasure_deck__waters_rise_as_its_last_card_is_shuffled_too() -> None:
    state = do(island(treasure_pile=["waters_rise"]), "p1", "draw_treasure_card", "waters_rise")
    assert (len(state.treasure_pile), state.treasure_discard) == (28, ())
    assert state.treasure_pile.cards().count("waters_rise") == 3


def test_treasure_deck__a_discard_forced_by_its_last_card_falls_on_the_new_pile() -> None:
    state = island(treasure_pile=["earth_stone"], hands=[FULL])
    state = do(state, "p1", "draw_treasure_card", "earth_stone")
    state = do(state, "p1", "discard", card="crystal_of_fire")
    assert (state.treasure_discard, len(state.treasure_pile)) == (("crystal_of_fire",), 28 - 6)


def test_treasure_deck__option_lazy__shuffled_when_the_next_card_is_drawn() -> None:
    options = {"treasure_reshuffle": "lazy"}
    state = island(treasure_pile=["earth_stone"], hands=[FULL], options=options)
    state = do(state, "p1", "draw_treasure_card", "earth_stone")
    assert len(state.treasure_pile) == 0
    state = do(state, "p1", "discard", card="crystal_of_fire")
    state = do(state, "p1", "draw_treasure_card", "crystal_of_fire")
    assert (state.treasure_discard, len(state.treasure_pile)) == ((), 28 - 6)


# Information, FI-R24


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_view__hands_and_discards_lie_open(viewer: int | None) -> None:
    state = island(hands=[["earth_stone"], ["sandbags"]], treasure_discard=["waters_rise"], flood_discard=["iron_gate"])
    view = rules_of(state).view(state, viewer)
    assert view["hands"] == (("earth_stone",), ("sandbags",))
    assert view["treasure_discard"] == ("waters_rise",)
    assert view["flood_discard"] == ("iron_gate",)


def test_tableau__what_one_looks_up() -> None:
    state = island(
        pawns=["iron_gate"],
        hands=[["earth_stone"]],
        captured=["crystal_of_fire"],
        flooded=["watchtower"],
        sunk=["misty_marsh"],
        treasure_pile=["waters_rise", "sandbags", "sandbags"],
        flood_pile=["watchtower"],
    )
    assert rules_of(state).overview(state, ("Ada", "Bo")) == {
        "Water level": "1 of 10 (2 Flood cards a turn)",
        "Treasures": "Crystal of Fire",
        "Flooded": "Watchtower",
        "Sunk": "Misty Marsh",
        "Hands": "Ada (Messenger, on Iron Gate): Earth Stone; Bo (Engineer, on Bronze Gate): nothing",
        "Treasure deck": "2 × Sandbags, 1 × Waters Rise!",
        "Flood pile": "1 to draw, 22 discarded",
    }


def test_headline__the_table_in_a_line() -> None:
    state = island(captured=["crystal_of_fire"], flooded=["watchtower"], sunk=["misty_marsh"], hands=[["sandbags"]])
    assert rules_of(state).headline(state, ("Ada", "Bo")) == (
        "Water level: 1 of 10 · tiles: 1 flooded, 1 sunk · treasures: 1 of 4 · "
        "cards to draw: 27 Treasure deck, 23 Flood"
    )


def test_tableau__the_skull() -> None:
    state = msgspec.structs.replace(island(), water_level=10)
    assert rules_of(state).overview(state, ("Ada", "Bo"))["Water level"] == "the skull"
