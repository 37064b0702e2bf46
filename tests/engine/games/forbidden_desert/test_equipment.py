"""Forbidden Desert, rulebook: Gear (the equipment cards)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forbidden_desert.actions import Excavate
from engine.games.forbidden_desert.components import equipment_deck
from engine.games.forbidden_desert.equipment import PlayTerrascope
from engine.games.forbidden_desert.state import DesertState
from engine.kit.kernel import LegalAction
from engine.kit.piles import Pile
from engine.play.beliefs.belief import worlds
from engine.play.beliefs.worlds import MOST_RUNS, step
from engine.play.offers import may_be_unseen
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import chance_point_of, do, offered, refused

STORM: dict[str, Any] = {"phase": "storm", "storm_left": 2, "actions_left": 0}
"""The phase between two storm cards."""


def holding(*cards: str, roles: tuple[str, ...] = ("archeologist", "navigator"), **changes: Any) -> DesertState:
    """A table where p1 holds `cards`."""
    return table(*roles, **{"equipment": (tuple(sorted(cards)), *[()] * (len(roles) - 1)), **changes})


@pytest.mark.parametrize(
    ("card", "kind", "params"),
    [
        ("dune_blaster", "play_dune_blaster", {"tile": "r1c1"}),
        ("jet_pack", "play_jet_pack", {"to": "r5c5"}),
        ("secret_water_reserve", "play_secret_water_reserve", {}),
        ("solar_shield", "play_solar_shield", {}),
        ("terrascope", "play_terrascope", {"tile": "r1c1"}),
        ("time_throttle", "play_time_throttle", {}),
        ("storm_tracker", "play_storm_tracker", {}),
    ],
)
class TestEveryCard:
    def results_for(self, kind: str) -> tuple[str, ...]:
        return ("gear",) if kind == "play_terrascope" else ()

    def test_is_no_action(self, card: str, kind: str, params: dict[str, Any]) -> None:
        after = do(holding(card), "p1", kind, *self.results_for(kind), **params)
        assert after.actions_left == (6 if card == "time_throttle" else 4)

    def test_is_out_of_the_game_after_use(self, card: str, kind: str, params: dict[str, Any]) -> None:
        after = do(holding(card), "p1", kind, *self.results_for(kind), **params)
        assert (after.equipment, after.equipment_used) == (((), ()), (card,))

    def test_only_by_whoever_has_it(self, card: str, kind: str, params: dict[str, Any]) -> None:
        assert "does not have" in refused(holding(card, storm_left=None), "p2", kind, **params).message

    def test_on_another_players_turn_and_between_storm_cards(
        self, card: str, kind: str, params: dict[str, Any]
    ) -> None:
        state = holding(card, active=1, **STORM)
        if card == "time_throttle":
            assert refused(state, "p1", kind, **params).message
        else:
            assert do(state, "p1", kind, *self.results_for(kind), **params).equipment_used == (card,)

    def test_by_a_buried_pawn(self, card: str, kind: str, params: dict[str, Any]) -> None:
        """FD-R17."""
        state = holding(card, sand={"r1c1": 2})
        assert do(state, "p1", kind, *self.results_for(kind), **params).equipment_used == (card,)

    def test_not_during_a_look_at_the_storm_deck(self, card: str, kind: str, params: dict[str, Any]) -> None:
        """FD-R40."""
        assert (
            "Finish that first"
            in refused(holding(card, phase="look", watcher=1, looks_left=2), "p1", kind, **params).message
        )

    def test_is_told_and_labelled(self, card: str, kind: str, params: dict[str, Any]) -> None:
        action = RULES.parse(kind, params)
        name = card.replace("_", " ").title()
        assert name in action.label(holding(card), ["Ada", "Bo"])
        assert name in action.describe(holding(card), 0, self.results_for(kind), ["Ada", "Bo"])


# Dune Blaster


def test_dune_blaster__all_sand_from_the_own_tile() -> None:
    """FD-R25."""
    after = do(holding("dune_blaster", sand={"r1c1": 5}), "p1", "play_dune_blaster", tile="r1c1")
    assert (after.tile("r1c1").sand, after.sand_supply) == (0, 48)


def test_dune_blaster__or_from_an_adjacent_one() -> None:
    """FD-R25."""
    after = do(holding("dune_blaster", sand={"r1c2": 5}), "p1", "play_dune_blaster", tile="r1c2")
    assert after.tile("r1c2").sand == 0


def test_dune_blaster__the_tiles_within_reach_are_offered() -> None:
    tiles = offered(holding("dune_blaster", at="r2c3"), "p1", "play_dune_blaster")
    assert tiles == ["r1c3", "r2c2", "r2c3", "r2c4"]


def test_dune_blaster__not_diagonally() -> None:
    """FD-R25."""
    assert "reach" in refused(holding("dune_blaster", sand={"r2c2": 5}), "p1", "play_dune_blaster", tile="r2c2").message


def test_dune_blaster__not_into_the_storm() -> None:
    assert refused(holding("dune_blaster", at="r2c3"), "p1", "play_dune_blaster", tile="r3c3").message


def test_dune_blaster__frees_the_buried() -> None:
    after = do(holding("dune_blaster", sand={"r1c1": 5}), "p1", "play_dune_blaster", tile="r1c1")
    assert not after.is_buried(0)


def test_dune_blaster__may_be_wasted_on_a_bare_tile() -> None:
    """FD-R37."""
    assert do(holding("dune_blaster"), "p1", "play_dune_blaster", tile="r1c1").equipment_used == ("dune_blaster",)


# Jet Pack


def test_jet_pack__to_any_unblocked_tile() -> None:
    """FD-R24."""
    state = holding("jet_pack", sand={"r5c5": 1})
    assert do(state, "p1", "play_jet_pack", to="r5c5").pawns == ("r5c5", "r1c1")


def test_jet_pack__one_other_player_may_come_along() -> None:
    """FD-R24."""
    assert do(holding("jet_pack"), "p1", "play_jet_pack", to="r5c5", passenger="p2").pawns == ("r5c5", "r5c5")


def test_jet_pack__only_from_the_same_tile() -> None:
    """FD-R24."""
    state = holding("jet_pack", at=("r1c1", "r1c2"))
    assert "same tile" in refused(state, "p1", "play_jet_pack", to="r5c5", passenger="p2").message


def test_jet_pack__not_to_a_blocked_tile_not_even_the_climber() -> None:
    """FD-R24."""
    state = holding("jet_pack", roles=("climber", "navigator"), sand={"r5c5": 2})
    assert "blocked" in refused(state, "p1", "play_jet_pack", to="r5c5").message


def test_jet_pack__not_into_the_storm() -> None:
    """FD-R33."""
    assert "storm" in refused(holding("jet_pack"), "p1", "play_jet_pack", to="r3c3").message


def test_jet_pack__not_to_the_own_tile() -> None:
    """FD-R37."""
    assert "already" in refused(holding("jet_pack"), "p1", "play_jet_pack", to="r1c1").message


def test_jet_pack__takes_the_buried_out() -> None:
    """FD-R24."""
    state = holding("jet_pack", sand={"r1c1": 3})
    assert do(state, "p1", "play_jet_pack", to="r5c5", passenger="p2").pawns == ("r5c5", "r5c5")


def test_jet_pack__every_tile_with_every_passenger_is_offered() -> None:
    assert len(offered(holding("jet_pack"), "p1", "play_jet_pack")) == 23 * 2


# Secret Water Reserve


def test_secret_water_reserve__2_water_for_everyone_on_the_tile() -> None:
    """FD-R28."""
    roles = ("archeologist", "navigator", "explorer")
    state = holding("secret_water_reserve", roles=roles, at=("r1c1", "r1c1", "r1c2"), water=(0, 3, 1))
    assert do(state, "p1", "play_secret_water_reserve").water == (2, 4, 1)


# Solar Shield


def sunburnt(state: DesertState) -> tuple[int, ...]:
    """Return the canteens after the sun has beaten down in p1's turn."""
    return do(state, "p1", "draw_storm_card", "sun_beats_down").water


def test_solar_shield__nobody_on_the_tile_drinks() -> None:
    """FD-R9."""
    state = do(holding("solar_shield", **STORM), "p1", "play_solar_shield")
    assert sunburnt(state) == (3, 4)


def test_solar_shield__those_elsewhere_drink() -> None:
    state = do(holding("solar_shield", at=("r1c1", "r1c2"), **STORM), "p1", "play_solar_shield")
    assert sunburnt(state) == (3, 3)


def test_solar_shield__goes_with_the_pawn_that_played_it() -> None:
    """FD-R10."""
    state = do(holding("solar_shield"), "p1", "play_solar_shield")
    assert sunburnt(do(state, "p1", "move", to="r1c2")) == (3, 3)


def test_solar_shield__another_players_protects_too() -> None:
    state = table("archeologist", "navigator", equipment=((), ("solar_shield",)))
    assert sunburnt(do(state, "p2", "play_solar_shield")) == (3, 4)


def test_solar_shield__until_the_start_of_ones_next_turn() -> None:
    """FD-R10."""
    state = holding("solar_shield", active=1, shielded=(True, True), **{**STORM, "storm_left": 1})
    after = do(state, "p2", "draw_storm_card", "wind_north_1")
    assert (after.active, after.shielded) == (0, (False, True))


# Terrascope


def test_terrascope__what_was_seen_is_known_and_the_tile_stays() -> None:
    """FD-R26."""
    tile = do(holding("terrascope"), "p1", "play_terrascope", "launch_pad", tile="r4c4").tile("r4c4")
    assert (tile.city_side, tile.is_excavated) == ("launch_pad", False)


def test_terrascope__what_was_seen_everyone_knows() -> None:
    """FD-R26."""
    state = do(holding("terrascope"), "p1", "play_terrascope", "launch_pad", tile="r4c4")
    assert RULES.view(state, 1) == RULES.view(state, None) == RULES.to_document(state)


def test_terrascope__what_was_not_noted_is_one_of_what_may_be_there() -> None:
    """FD-R26."""
    state, peek = holding("terrascope", pawns=("r5c1", "r5c1")), PlayTerrascope("r5c1")
    assert may_be_unseen(RULES, state, LegalAction(peek, 0))
    believed, _ = step(RULES, state, peek, 0, (None,), most=MOST_RUNS)
    weights = {world.state.tile("r5c1").city_side: world.weight for world in worlds(believed)}
    assert weights == {"mirage": 1, "well": 2}
    # Everyone sees an excavated tile.
    assert not may_be_unseen(RULES, state, LegalAction(Excavate(), 0))


def test_terrascope__nothing_is_triggered() -> None:
    state = do(holding("terrascope", water=(1, 1)), "p1", "play_terrascope", "well", tile="r5c1")
    assert (state.water, state.phase) == ((1, 1), "actions")


def test_terrascope__any_of_what_may_be_there() -> None:
    assert chance_point_of(holding("terrascope"), "p1", "play_terrascope", tile="r5c1").options == (
        "mirage",
        "well",
        "well",
    )


def test_terrascope__under_any_sand() -> None:
    state = holding("terrascope", sand={"r4c4": 3})
    assert do(state, "p1", "play_terrascope", "tunnel", tile="r4c4").tile("r4c4").city_side == "tunnel"


def test_terrascope__a_tile_seen_already_may_be_looked_at_again() -> None:
    """FD-R37."""
    assert chance_point_of(
        holding("terrascope", peeked={"r4c4": "tunnel"}), "p1", "play_terrascope", tile="r4c4"
    ).options == ("tunnel",)


def test_terrascope__not_under_an_excavated_tile() -> None:
    assert (
        "already" in refused(holding("terrascope", city={"r4c4": "gear"}), "p1", "play_terrascope", tile="r4c4").message
    )


def test_terrascope__not_where_the_storm_is() -> None:
    assert "storm" in refused(holding("terrascope"), "p1", "play_terrascope", tile="r3c3").message


# Time Throttle


def test_time_throttle__2_more_actions() -> None:
    """FD-R27."""
    assert do(holding("time_throttle"), "p1", "play_time_throttle").actions_left == 6


def test_time_throttle__also_after_the_fourth_action() -> None:
    """FD-R39."""
    state = do(holding("time_throttle", actions_left=0, phase="storm"), "p1", "play_time_throttle")
    assert (state.actions_left, state.phase) == (2, "actions")


def test_time_throttle__not_once_a_storm_card_is_revealed() -> None:
    """FD-R39."""
    assert "storm has begun" in refused(holding("time_throttle", **STORM), "p1", "play_time_throttle").message


def test_time_throttle__on_the_own_turn() -> None:
    """FD-R27."""
    assert "own turn" in refused(holding("time_throttle", active=1), "p1", "play_time_throttle").message


def test_time_throttle__on_any_turn_by_option_for_whose_turn_it_is() -> None:
    """FD-R27."""
    state = holding("time_throttle", active=1, options={"time_throttle": "any_turn"})
    after = do(state, "p1", "play_time_throttle")
    assert (after.active, after.actions_left) == (1, 6)


# Storm Tracker


def test_storm_tracker__is_not_among_the_twelve() -> None:
    assert "storm_tracker" not in equipment_deck(with_tracker=False)


def test_storm_tracker__by_option_the_deck_has_13_cards() -> None:
    assert equipment_deck(with_tracker=True).count("storm_tracker") == 1
    assert len(equipment_deck(with_tracker=True)) == 13


def test_storm_tracker__is_played_by_whoever_holds_it() -> None:
    assert "play_storm_tracker" in {legal.action.type for legal in RULES.legal_actions(holding("storm_tracker"))}
    assert "play_storm_tracker" not in {legal.action.type for legal in RULES.legal_actions(holding("jet_pack"))}


def test_storm_tracker__a_look_at_as_many_cards_as_the_storm_level() -> None:
    state = do(holding("storm_tracker", storm_tick=5), "p1", "play_storm_tracker")
    assert (state.phase, state.looks_left, RULES.awaiting(state)) == ("look", 4, (0,))


def test_storm_tracker__on_anothers_turn_the_holder_looks() -> None:
    state = do(holding("storm_tracker", active=1), "p1", "play_storm_tracker")
    assert RULES.awaiting(state) == (0,)
    assert [legal.actor for legal in RULES.legal_actions(state)] == ["p1"]


def test_storm_tracker__one_goes_to_the_bottom() -> None:
    pile = Pile((("wind_north_1",), ("wind_north_2",), ("wind_north_3",)))
    state = do(holding("storm_tracker", storm_pile=pile, **STORM), "p1", "play_storm_tracker")
    for card in ("wind_north_1", "wind_north_2"):
        state = do(state, "p1", "look_at_storm_card", card)
    assert "must go" in refused(state, "p1", "place_storm_cards").message
    after = do(state, "p1", "place_storm_cards", bottom=2)
    assert after.storm_pile.layers == (("wind_north_1",), ("wind_north_3",), ("wind_north_2",))
    assert (after.phase, after.must_place) == ("storm", False)
