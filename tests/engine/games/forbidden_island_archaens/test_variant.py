"""The Archaen variant: other names, and Sandbags after a card is revealed (AR-R1, AR-R9). The tests of Forbidden Island
cover the rest, because the code is the same.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.games.forbidden_island.components import TILES
from engine.kit.chance import Observed
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forbidden_island.positions import ARCHAENS, island
from tests.engine.games.playing import do, kinds, may_come_up, offered, refused, rules_of, said

RULES = registry.ruleset(ARCHAENS)


def archaens(**position: Any) -> Any:
    return island(ARCHAENS, **position)


# Setup and other names, AR-R1


def test_citizens__the_leader_is_the_explorer() -> None:
    roles = {role["id"]: (role["name"], role["pawn"], role["start"]) for role in RULES.components["roles"]}
    assert roles["leader"] == ("Leader", "green", "copper_gate")
    assert [name for name, _, _ in roles.values()] == ["Diver", "Engineer", "Leader", "Messenger", "Navigator", "Pilot"]
    assert list(roles) == ["diver", "engineer", "leader", "messenger", "navigator", "pilot"]


def test_artifact_deck__island_defense_raises_the_water() -> None:
    cards = {card["id"]: (card["name"], card["count"]) for card in RULES.components["artifact_cards"]}
    assert cards["island_defense"] == ("Island Defense", 3)
    assert "waters_rise" not in cards
    assert sum(count for _, count in cards.values()) == 28


def test_artifact_deck__outcomes_have_their_printed_name() -> None:
    assert RULES.value_label("island_defense") == "Island Defense"
    assert registry.ruleset("forbidden-island").value_label("waters_rise") == "Waters Rise!"


def test_setup__island_defense_is_replaced_and_shuffled_back() -> None:
    chance = Observed()
    cards = ("island_defense", "earth_stone", "sandbags", "sandbags", "earth_stone")
    chance.begin(2, (*TILES, *TILES[:6], "leader", "pilot", *cards))
    state = RULES.setup(RULES.parse_options({}, 2), 2, chance)
    assert RULES.check_invariants(state) == []
    assert state.treasure_pile.cards().count("island_defense") == 3


def test_options__every_ruling_has_its_default() -> None:
    options = msgspec.to_builtins(RULES.parse_options({}, 2))
    assert {name: options[name] for name in RULES.options.__struct_fields__[-5:]} == {
        "quota_sunk": 12,
        "clock_needs_artifacts": True,
        "clock_counts_current_turn": False,
        "early_liftoff": "loses",
        "sandbags_after_reveal": False,
    }


# 1. Take up to 3 Actions


def test_move__leader_diagonally_too() -> None:
    assert "phantom_rock" in offered(archaens(roles=["leader", "diver"], pawns=["fools_landing"]), "p1", "move")


def test_shore_up__leader_diagonally_too() -> None:
    state = archaens(roles=["leader", "diver"], pawns=["fools_landing"], flooded=["phantom_rock"])
    assert offered(state, "p1", "shore_up") == [("phantom_rock",)]


def test_swim__leader_diagonally_too() -> None:
    state = archaens(roles=["leader", "diver"], phase="swim", pawns=["watchtower"], sunk=["watchtower"])
    assert "tidal_palace" in offered(state, "p1", "swim")


def test_give__an_artifact_card() -> None:
    state = archaens(roles=["diver", "engineer"], hands=[["earth_stone"]])
    assert refused(state, "p1", "give_card", to="p2", card="earth_stone") == Refusal(
        "Give an Artifact Card", "Both pawns must be on the same tile."
    )


def test_save__four_cards_on_a_site() -> None:
    state = archaens(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 4])
    state = do(state, "p1", "save_artifact", artifact="earth_stone")
    assert (state.captured, state.hands[0], state.actions_left) == (("earth_stone",), (), 2)


def test_save__takes_four_cards() -> None:
    state = archaens(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 3])
    assert refused(state, "p1", "save_artifact", artifact="earth_stone") == Refusal(
        "Save an Artifact", "Capturing it takes 4 cards of Earth Stone."
    )


def test_save__is_told() -> None:
    state = archaens(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 4])
    assert said(state, "p1", "save_artifact", artifact="earth_stone") == ("Save Earth Stone", "Ada saves Earth Stone!")


# 2. Draw 2 Artifact Deck Cards


def test_draw_artifact__has_its_own_heading() -> None:
    assert refused(archaens(), "p2", "draw_artifact_card").rule == "2. Draw 2 Artifact Deck Cards"
    assert refused(archaens(phase="draw_flood"), "p1", "draw_artifact_card").message == (
        "You cannot draw an Artifact deck card now."
    )


def test_draw_artifact__is_told() -> None:
    assert said(archaens(), "p1", "draw_artifact_card", "earth_stone") == (
        "Draw an Artifact deck card",
        "Ada draws Earth Stone.",
    )


def test_island_defense__raises_the_water_and_brings_the_floods_back() -> None:
    state = do(archaens(flood_discard=["watchtower"]), "p1", "draw_artifact_card", "island_defense")
    assert (state.water_level, state.flood_pile.layers[0]) == (2, ("watchtower",))
    assert state.treasure_discard == ("island_defense",)


def test_island_defense__is_told() -> None:
    assert said(archaens(), "p1", "draw_artifact_card", "island_defense")[1] == (
        "Ada draws Island Defense – the water is at 2."
    )


# 3. Draw Flood Cards: Sandbags after a card is revealed, AR-R9


def test_reveal__a_removed_tile_cannot_be_shored_up() -> None:
    state = archaens(phase="draw_flood", flooded=["watchtower"], hands=[["sandbags"]])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert refused(state, "p1", "play_sandbags", tile="watchtower").message == "Watchtower has sunk."


def revealed_table(**position: Any) -> Any:
    """Watchtower is flooded and its Flood card is face up, at a table with sandbags_after_reveal."""
    options = {"sandbags_after_reveal": True}
    state = archaens(**{"phase": "draw_flood", "flooded": ["watchtower"], "options": options, **position})
    return do(state, "p1", "draw_flood_card", "watchtower")


def test_reveal__option_true__the_tile_stays_until_it_is_lifted_off() -> None:
    state = revealed_table(hands=[["sandbags"], ["sandbags"]])
    assert (state.phase, state.sunk, rules_of(state).awaiting(state)) == ("sink", set(), (0,))
    assert kinds(state, "p1") == ["play_sandbags", "sink_tile"]
    assert kinds(state, "p2") == ["play_sandbags"]


def test_reveal__option_true__sandbags_save_it() -> None:
    state = do(revealed_table(hands=[[], ["sandbags"]]), "p2", "play_sandbags", tile="watchtower")
    assert (state.flooded, state.sunk, state.flood_discard) == (set(), set(), ("watchtower",))
    assert (state.phase, state.flood_draws_left) == ("draw_flood", 1)


def test_reveal__option_true__nobody_saves_it() -> None:
    state = do(revealed_table(), "p1", "sink_tile")
    assert (state.sunk, state.phase) == ({"watchtower"}, "draw_flood")


def test_reveal__option_true__other_special_cards_meanwhile() -> None:
    state = revealed_table(flooded=["watchtower", "iron_gate"], hands=[["sandbags", "helicopter_lift"]])
    state = do(state, "p1", "play_sandbags", tile="iron_gate")
    state = do(state, "p1", "play_helicopter_lift", pawns=["p1"], to="watchtower")
    assert (state.phase, state.flooded) == ("sink", {"watchtower"})
    assert do(state, "p1", "sink_tile").phase == "swim"


def test_reveal__option_true__a_dry_tile_is_flooded_at_once() -> None:
    state = revealed_table(flooded=[])
    assert (state.phase, state.flooded) == ("draw_flood", {"watchtower"})


def test_reveal__option_true__the_draws_wait() -> None:
    assert refused(revealed_table(), "p1", "draw_flood_card") == Refusal(
        "3. Draw Flood Cards", "You cannot draw a Flood card now."
    )
    assert refused(revealed_table(), "p1", "move", to="gold_gate") == Refusal(
        "1. Take Up to 3 Actions", "You cannot take an action now."
    )


def test_reveal__option_true__an_empty_pile_is_renewed_once_the_card_is_dealt_with() -> None:
    state = revealed_table(flood_pile=["watchtower"])
    assert len(state.flood_pile) == 0
    assert len(do(state, "p1", "sink_tile").flood_pile) == 23


def test_reveal__option_true__fools_landing() -> None:
    options = {"sandbags_after_reveal": True}
    state = archaens(phase="draw_flood", flooded=["fools_landing"], options=options)
    state = do(state, "p1", "draw_flood_card", "fools_landing")
    assert state.outcome is None
    assert do(state, "p1", "sink_tile").outcome.reason == "fools_landing_sank"


def test_sink_tile__the_active_player() -> None:
    assert refused(revealed_table(), "p2", "sink_tile") == Refusal(
        "3. Draw Flood Cards", "It is another player's turn."
    )


def test_sink_tile__only_a_tile_whose_card_lies_face_up() -> None:
    assert refused(archaens(phase="draw_flood"), "p1", "sink_tile") == Refusal(
        "3. Draw Flood Cards", "No tile is about to sink."
    )


def test_reveal__option_true__is_told() -> None:
    options = {"sandbags_after_reveal": True}
    state = archaens(phase="draw_flood", flooded=["watchtower"], options=options)
    assert said(state, "p1", "draw_flood_card", "watchtower")[1] == "Watchtower is drawn and is about to sink."
    assert said(state, "p1", "draw_flood_card", "iron_gate")[1] == "Iron Gate floods."
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert said(state, "p1", "sink_tile") == ("Watchtower sinks", "Watchtower sinks.")


def test_draw_flood__is_told_as_ever() -> None:
    state = archaens(phase="draw_flood", flooded=["watchtower"])
    assert said(state, "p1", "draw_flood_card", "watchtower")[1] == "Watchtower sinks."


def test_draw_flood__cards_in_the_pile_only() -> None:
    assert set(may_come_up(archaens(phase="draw_flood", flood_pile=["watchtower"]), "p1", "draw_flood_card")) == {
        "watchtower"
    }
