"""Skipped steps in each game, and how the game continues."""

from __future__ import annotations

from typing import Any

from engine.games.forbidden_desert.leaving_out import END_OF_TURN as NO_STORM
from engine.games.forbidden_desert.leaving_out import EQUIPMENT_CARD, STORM_CARDS, STORM_LOOK
from engine.games.forbidden_island.leaving_out import DISCARD, FLOOD_CARDS, SWIM
from engine.games.forever_island.components import Goods
from engine.games.forever_island.leaving_out import ANSWER, END_OF_TURN, RAIDING, ROLL
from engine.games.forgotten_waters.rules.leaving_out import CHOICE, EFFECT, RESOLVING, ROUND_END, STANDEE
from engine.games.forgotten_waters.state import replace
from engine.kit.steps import DueStep
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forbidden_island.positions import ARCHAENS, island
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.forgotten_waters.positions import having, resolving, voyage
from tests.engine.games.playing import do, kinds, refused, rules_of

SIX = ("earth_stone", "earth_stone", "sandbags", "crystal_of_fire", "crystal_of_fire", "oceans_chalice")


def without(state: Any, step: DueStep, seat: int = 0) -> Any:
    """Return the table without `step`, the only due step. The table is sound."""
    (skip,) = rules_of(state).skips(state)
    assert (skip.step, skip.seat) == (step, seat)
    assert rules_of(state).is_sound(skip.state)
    return skip.state


def nothing_due(state: Any) -> bool:
    return not list(rules_of(state).skips(state))


# Forbidden Island


def test_island__the_cards_of_the_treasure_deck_then_the_flood_cards() -> None:
    state = island(water_level=3)
    cards = rules_of(state).steps[0]
    assert cards.left_out("Mia") == "Mia did not draw the Treasure deck cards that were due"
    assert EQUIPMENT_CARD.left_out("Mia") == "Mia did not draw the equipment card that was due"
    flood = without(without(state, cards), FLOOD_CARDS)
    assert (flood.turn, flood.active, flood.phase, flood.actions_left) == (2, 1, "actions", 3)
    drawn = do(state, "p1", "draw_treasure_card", "earth_stone")
    assert (without(drawn, cards).phase, without(drawn, cards).flood_draws_left) == ("draw_flood", 3)
    assert without(do(without(drawn, cards), "p1", "draw_flood_card", "watchtower"), FLOOD_CARDS).active == 1


def test_island__a_hand_over_the_limit_is_let_pass_as_long_as_it_is_what_it_was() -> None:
    """Hand Limit: the card that was not discarded is still in the hand. The limit applies when the hand grows."""
    state = island(hands=[SIX[:5]], phase="draw_treasure", flooded=["watchtower"])
    over = do(state, "p1", "draw_treasure_card", SIX[5])
    assert (over.phase, kinds(over, "p2")) == ("discard", [])
    passed = without(over, DISCARD)
    assert (passed.phase, passed.overlooked, len(passed.hands[0])) == ("draw_treasure", (6, 0), 6)
    assert refused(passed, "p1", "discard", card="sandbags").message == "Nobody has more than 5 cards."
    grown = do(passed, "p1", "draw_treasure_card", "oceans_chalice")
    assert (grown.phase, "overlooked" in rules_of(grown).to_document(grown)) == ("discard", False)
    shrunk = do(passed, "p1", "play_sandbags", tile="watchtower")
    assert do(shrunk, "p1", "draw_treasure_card", "oceans_chalice").phase == "discard"
    assert rules_of(passed).from_document(rules_of(passed).to_document(passed)) == passed


def test_island__two_hands_may_be_let_pass() -> None:
    both = island(hands=[SIX, ("earth_stone",) * 2 + SIX[2:]], phase="discard", treasure_draws_left=2)
    first = without(both, DISCARD)
    assert (first.phase, first.overlooked) == ("discard", (6, 0))
    assert without(first, DISCARD, seat=1).overlooked == (6, 6)


def test_island__a_pawn_is_left_on_its_sunk_tile_until_it_moves() -> None:
    both = island(phase="swim", pawns=["watchtower"] * 2, sunk=["watchtower"], roles=("messenger", "explorer"))
    first, second = rules_of(both).skips(both)
    assert [(one.step, one.seat) for one in (first, second)] == [(SWIM, 0), (SWIM, 1)]
    left = without(first.state, SWIM, seat=1)
    assert (first.state.phase, left.phase, left.adrift) == ("swim", "actions", ("watchtower", "watchtower"))
    assert rules_of(left).from_document(rules_of(left).to_document(left)) == left
    for late in ("swim", "drown"):
        params = {"to": "tidal_palace"} if late == "swim" else {}
        assert refused(left, "p1", late, **params).message == "It is too late to swim: the game has continued."
    moved = do(left, "p2", "move", to="tidal_palace")
    drawn = do(moved, "p2", "draw_treasure_card", "earth_stone")
    assert drawn.adrift == ("watchtower", None)
    assert nothing_due(replace(island(), phase="discard"))


def test_archaens__a_tile_that_was_about_to_sink_stays() -> None:
    state = island(
        ARCHAENS,
        roles=("messenger", "engineer"),
        phase="draw_flood",
        flooded=["watchtower"],
        options={"sandbags_after_reveal": True},
        flood_draws_left=2,
    )
    sinking = do(state, "p1", "draw_flood_card", "watchtower")
    (*_, step) = rules_of(state).steps
    spared = without(sinking, step)
    assert (spared.phase, spared.revealed, spared.flood_discard) == ("draw_flood", None, ("watchtower",))
    assert "watchtower" in spared.flooded
    assert without(spared, FLOOD_CARDS).active == 1
    assert rules_of(state).steps[0].id == "artifact_cards"


# Forbidden Desert


def test_desert__the_storm_cards_or_those_that_are_left() -> None:
    state = table("explorer", "climber", storm_tick=3)
    calm = without(state, STORM_CARDS)
    assert (calm.turn, calm.active, calm.actions_left, calm.storm_drawn) == (2, 1, 4, ())
    after = without(do(state, "p1", "draw_storm_card", "sun_beats_down"), STORM_CARDS)
    assert (after.active, after.storm_discard) == (1, ("sun_beats_down",))


def test_desert__the_end_of_a_turn_without_a_storm_card() -> None:
    assert without(table("meteorologist", "climber", weakened=6), NO_STORM).active == 1


def test_desert__the_card_of_a_gear_and_a_look_at_the_storm_deck() -> None:
    gear = do(table("explorer", "climber", at="r2c2"), "p1", "excavate", "gear")
    assert gear.phase == "draw_equipment"
    passed = without(gear, EQUIPMENT_CARD)
    assert (passed.phase, passed.actions_left, passed.equipment) == ("actions", 3, ((), ()))
    look = do(table("meteorologist", "climber", storm_tick=2), "p1", "forecast")
    seen = do(look, "p1", "look_at_storm_card", "storm_picks_up")
    for state in (look, seen):
        passed = without(state, STORM_LOOK)
        assert (passed.phase, passed.watcher, passed.looks_left, passed.seen) == ("actions", None, 0, ())
        assert len(passed.storm_pile) == 31
    assert without(seen, STORM_LOOK).storm_pile.layers[0] == ("storm_picks_up",)


# Forever Island


def test_forever__the_weather_and_the_passing_of_the_die() -> None:
    state = atoll(huts=[["hog_1_b"], ["hog_2_b"]], phase="weather")
    dry = without(state, ROLL)
    assert (dry.phase, dry.fertility, dry.active) == ("actions", state.fertility, 0)
    passed = without(dry, END_OF_TURN)
    assert (passed.phase, passed.active, passed.turn) == ("weather", 1, dry.turn + 1)


def test_forever__an_offer_lapses() -> None:
    state = atoll(huts=[["hog_1_b"], ["hog_2_b"]], hands=[Goods(1, 1, 1), Goods(1, 1, 1)])
    offered = do(state, "p1", "offer_exchange", partner="p2", give={"hog": 1}, take={"log": 1})
    assert without(offered, ANSWER, seat=1) == state
    docked = atoll(huts=[["hog_1_b"], ["hog_2_b"]], docked={"p2_hut_1": "p1"})
    asked = do(docked, "p1", "offer_double_up", hut="p2_hut_1")
    assert without(asked, ANSWER, seat=1) == docked


def test_forever__a_raid_is_broken_off_and_nothing_is_lost() -> None:
    state = atoll(huts=[["log_1_b", "hog_1_b"], ["log_1_b", "hog_2_b"]], has_erected=True)
    raid = do(state, "p1", "declare_raid", defender="p2", area="log_1_b")
    thrown = do(raid, "p1", "throw_spears", spears=1)
    for fought in (raid, thrown):
        calm = without(fought, RAIDING)
        assert (calm.phase, calm.raid, calm.huts) == ("actions", None, state.huts)
        assert refused(calm, "p1", "declare_raid", defender="p2", area="log_1_b").message.endswith("this turn.")


def test_forever__who_has_no_hut_is_not_in_the_game() -> None:
    assert nothing_due(atoll(phase="placement", turn=0))


# Forgotten Waters


def test_waters__who_has_not_chosen_sits_the_round_out() -> None:
    state = voyage()
    late = without(state, CHOICE, seat=state.choosing[0])
    assert (late.choosing, late.standees) == (state.choosing[1:], (0, 0, 0))
    assert nothing_due(replace(state, choosing=()))


def test_waters__an_action_and_the_standee_on_it() -> None:
    state = voyage(phase="action", choosing=(), standees=(1, 2, 0), taken=(1, 2), active=0)
    passed = without(state, RESOLVING)
    assert (passed.standees, passed.active, passed.turn) == ((0, 2, 0), 1, state.turn + 1)
    passed = without(replace(state, has_resolved=True), STANDEE)
    assert (passed.standees, passed.active) == ((0, 2, 0), 1)
    assert nothing_due(replace(state, active=None))


def test_waters__what_waits_to_be_resolved() -> None:
    state = resolving({"do": "move_ship", "n": 2}, {"do": "ship", "stat": "hull", "n": -1})
    passed = without(state, EFFECT)
    assert (passed.ship, passed.hull, passed.agenda) == (state.ship, state.hull - 1, ())


def test_waters__the_round_end_section() -> None:
    state = voyage(phase="end_of_round", choosing=())
    passed = without(state, ROUND_END, seat=state.scribe)
    assert (passed.phase, passed.round, passed.page) == ("planning", state.round + 1, state.page)
    assert nothing_due(replace(state, has_resolved=True))


def test_waters__a_fifth_treasure_and_the_end_of_a_part_are_dealt_with() -> None:
    cards = tuple(card.id for card in voyage().pack.treasures[:4])
    full = resolving({"do": "gain_treasure"}, state=having(voyage(), treasures=cards))
    card = full.treasure_pile.cards()[0]
    fifth = do(full, "p1", "draw_treasure", card)
    assert nothing_due(fifth)
    assert nothing_due(resolving({"do": "complete_part"}))
