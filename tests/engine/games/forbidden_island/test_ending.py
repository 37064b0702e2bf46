"""Forbidden Island: Game End (FI-R18, FI-R19, FI-R21, FI-R22, FI-R27, FI-R29, FI-R30, FI-R33)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import GameOver
from engine.core.values import GameOutcome
from engine.games.forbidden_island.components import SITES
from engine.kit.ruleset import Refusal
from tests.engine.games.forbidden_island.positions import ALL_CAPTURED, island
from tests.engine.games.playing import do, kinds, offered, refused, rules_of, said

AROUND_WATCHTOWER = ["temple_of_the_sun", "whispering_garden"]


def ready(**position: Any) -> Any:
    """A position in which the owner of a Helicopter Lift may win."""
    return island(**{"pawns": ["fools_landing"] * 2, "captured": ALL_CAPTURED, **position})


def lost_outcome(reason: str) -> GameOutcome:
    return GameOutcome("lost", (), reason, "Losing the Game")


# Winning the Game, FI-R21


def test_winning__four_treasures_everyone_on_fools_landing_and_a_lift() -> None:
    state = do(ready(hands=[["helicopter_lift"]]), "p1", "lift_off")
    assert state.outcome == GameOutcome("won", ("p1", "p2"), "lifted_off", "Winning the Game")


def test_winning__the_lift_is_discarded() -> None:
    state = do(ready(hands=[["helicopter_lift", "sandbags"]]), "p1", "lift_off")
    assert (state.hands[0], state.treasure_discard) == (("sandbags",), ("helicopter_lift",))


def test_winning__from_a_flooded_fools_landing() -> None:
    assert offered(ready(hands=[["helicopter_lift"]], flooded=["fools_landing"]), "p1", "lift_off") == [()]


@pytest.mark.parametrize("phase", ["actions", "draw_treasure", "draw_flood"])
def test_winning__anyone_at_any_moment(phase: str) -> None:
    state = ready(phase=phase, hands=[[], ["helicopter_lift"]])
    assert offered(state, "p2", "lift_off") == [()]
    assert do(state, "p2", "lift_off").outcome.result == "won"


def test_winning__in_a_forced_discard_with_ones_own_lift() -> None:
    """FI-R29."""
    state = ready(phase="discard", hands=[[*["earth_stone"] * 5, "helicopter_lift"]])
    assert kinds(state, "p1") == ["play_helicopter_lift", "discard", "lift_off"]
    assert do(state, "p1", "lift_off").outcome.result == "won"


def test_winning__not_without_a_lift() -> None:
    assert refused(ready(hands=[[], ["helicopter_lift"]]), "p1", "lift_off") == Refusal(
        "Special Action Cards", "There is no Helicopter Lift in that hand."
    )


def test_winning__not_without_all_four_treasures() -> None:
    state = ready(hands=[["helicopter_lift"]], captured=ALL_CAPTURED[:3])
    assert refused(state, "p1", "lift_off") == Refusal(
        "Winning the Game", "The team does not have all four treasures yet."
    )


def test_winning__not_without_everyone() -> None:
    state = ready(hands=[["helicopter_lift"]], pawns=["fools_landing", "gold_gate"])
    assert refused(state, "p1", "lift_off") == Refusal("Winning the Game", "Every pawn must be on Fools' Landing.")


def test_winning__the_lift_that_carries_the_last_pawn_home_does_not_win() -> None:
    state = ready(hands=[["helicopter_lift"]], pawns=["fools_landing", "gold_gate"])
    state = do(state, "p1", "play_helicopter_lift", pawns=["p2"], to="fools_landing")
    assert state.outcome is None
    assert refused(state, "p1", "lift_off").message == "There is no Helicopter Lift in that hand."


def test_winning__a_lift_may_still_be_an_ordinary_one() -> None:
    """FI-R33."""
    state = ready(hands=[["helicopter_lift"]])
    state = do(state, "p1", "play_helicopter_lift", pawns=["p1", "p2"], to="gold_gate")
    assert (state.outcome, state.pawns) == (None, ("gold_gate", "gold_gate"))


def test_winning__is_told() -> None:
    assert said(ready(hands=[["helicopter_lift"]]), "p1", "lift_off") == (
        "Helicopter Lift: lift off Fools' Landing",
        "Ada plays Helicopter Lift, and the team lifts off Fools' Landing.",
    )


# Losing the Game (FI-R22): 1. both sites of a treasure sink


@pytest.mark.parametrize(("treasure", "sites"), sorted(SITES.items()))
@pytest.mark.parametrize("last", [0, 1])
def test_losing__both_sites_of_a_treasure_sink(treasure: str, sites: tuple[str, str], last: int) -> None:
    state = island(phase="draw_flood", sunk=[sites[1 - last]], flooded=[sites[last]])
    assert do(state, "p1", "draw_flood_card", sites[last]).outcome == lost_outcome("treasure_lost")


def test_losing__one_site_is_harmless() -> None:
    state = island(phase="draw_flood", flooded=["cave_of_embers"])
    assert do(state, "p1", "draw_flood_card", "cave_of_embers").outcome is None


def test_losing__sites_of_different_treasures_are_harmless() -> None:
    state = island(phase="draw_flood", sunk=["coral_palace"], flooded=["cave_of_embers"])
    assert do(state, "p1", "draw_flood_card", "cave_of_embers").outcome is None


def test_losing__not_once_the_treasure_is_captured() -> None:
    state = island(
        phase="draw_flood", sunk=["cave_of_shadows"], flooded=["cave_of_embers"], captured=["crystal_of_fire"]
    )
    assert do(state, "p1", "draw_flood_card", "cave_of_embers").outcome is None


# 2. Fools' Landing sinks


def test_losing__fools_landing_sinks() -> None:
    state = island(phase="draw_flood", flooded=["fools_landing"])
    assert do(state, "p1", "draw_flood_card", "fools_landing").outcome == lost_outcome("fools_landing_sank")


def test_losing__fools_landing_only_flooded() -> None:
    assert do(island(phase="draw_flood"), "p1", "draw_flood_card", "fools_landing").outcome is None


# 3. a pawn cannot swim, FI-R27


def test_losing__a_pawn_cannot_swim() -> None:
    state = island(
        phase="draw_flood", pawns=["iron_gate", "watchtower"], flooded=["watchtower"], sunk=AROUND_WATCHTOWER
    )
    assert do(state, "p1", "draw_flood_card", "watchtower").outcome == lost_outcome("drowned")


def test_losing__a_pawn_cannot_swim_though_another_can() -> None:
    state = island(
        roles=["explorer", "engineer"],
        phase="draw_flood",
        pawns=["watchtower"] * 2,
        flooded=["watchtower"],
        sunk=AROUND_WATCHTOWER,
    )
    assert do(state, "p1", "draw_flood_card", "watchtower").outcome == lost_outcome("drowned")


def test_losing__with_a_lift_in_a_hand_nobody_is_lost_yet() -> None:
    state = stranded_table()
    assert (state.phase, state.outcome) == ("swim", None)
    assert kinds(state, "p2") == ["drown"]
    assert kinds(state, "p1") == ["play_helicopter_lift"]


def test_losing__nobody_plays_the_lift() -> None:
    assert do(stranded_table(), "p2", "drown").outcome == lost_outcome("drowned")


def test_losing__the_last_lift_is_played_elsewhere() -> None:
    state = do(stranded_table(), "p1", "play_helicopter_lift", pawns=["p1"], to="observatory")
    assert state.outcome == lost_outcome("drowned")


def test_losing__option_lift_rescues_sinking_false__a_lift_is_no_help() -> None:
    assert stranded_table(options={"lift_rescues_sinking": False}).outcome == lost_outcome("drowned")


def test_drown__only_a_pawn_that_cannot_swim() -> None:
    state = island(phase="swim", pawns=["iron_gate", "watchtower"], sunk=["watchtower"])
    assert refused(state, "p2", "drown") == Refusal("Pawns on Flooded Tiles", "That pawn can still swim to a tile.")


def test_drown__only_a_pawn_in_the_water() -> None:
    assert refused(stranded_table(), "p1", "drown") == Refusal(
        "Pawns on Flooded Tiles", "That pawn is not in the water."
    )


def test_drown__is_told() -> None:
    assert said(stranded_table(), "p2", "drown") == ("Drown", "Bo sinks into the abyss.")


def stranded_table(**position: Any) -> Any:
    """Watchtower has sunk under p2, who cannot swim; p1 holds a Helicopter Lift."""
    state = island(
        phase="draw_flood",
        pawns=["iron_gate", "watchtower"],
        flooded=["watchtower"],
        sunk=AROUND_WATCHTOWER,
        hands=[["helicopter_lift"]],
        **position,
    )
    return do(state, "p1", "draw_flood_card", "watchtower")


# 4. the water reaches the skull and crossbones, FI-R11


def test_losing__the_water_reaches_the_skull() -> None:
    state = do(island(water_level=9), "p1", "draw_treasure_card", "waters_rise")
    assert (state.water_level, state.outcome) == (10, lost_outcome("skull"))


@pytest.mark.parametrize(("level", "cards"), [(1, 9), (2, 8), (3, 7), (4, 6)])
def test_losing__waters_rise_cards_to_the_skull_by_difficulty(level: int, cards: int) -> None:
    state = island(water_level=level)
    for _ in range(cards - 1):
        state = do(state, "p1", "draw_treasure_card", "waters_rise")
        state = island(water_level=state.water_level)
    assert state.outcome is None
    assert do(state, "p1", "draw_treasure_card", "waters_rise").outcome == lost_outcome("skull")


# The order when a tile sinks, FI-R19


def test_losing__fools_landing_before_its_pawns_drown() -> None:
    state = island(
        phase="draw_flood",
        pawns=["fools_landing"] * 2,
        flooded=["fools_landing"],
        sunk=["cliffs_of_abandon", "dunes_of_deception", "gold_gate", "observatory"],
    )
    assert do(state, "p1", "draw_flood_card", "fools_landing").outcome == lost_outcome("fools_landing_sank")


def test_losing__treasure_before_its_pawns_swim() -> None:
    state = island(phase="draw_flood", pawns=["cave_of_embers"], flooded=["cave_of_embers"], sunk=["cave_of_shadows"])
    state = do(state, "p1", "draw_flood_card", "cave_of_embers")
    assert (state.outcome, state.pawns[0]) == (lost_outcome("treasure_lost"), "cave_of_embers")


# The card that loses the game, FI-R30


def test_losing__waters_rise_is_discarded_and_nothing_is_shuffled() -> None:
    state = island(water_level=9, flood_discard=["watchtower"], treasure_pile=["waters_rise"])
    state = do(state, "p1", "draw_treasure_card", "waters_rise")
    assert (len(state.treasure_discard), len(state.treasure_pile), state.flood_discard) == (28, 0, ("watchtower",))


def test_losing__the_flood_card_is_out_of_the_game_and_no_pile_is_renewed() -> None:
    state = island(phase="draw_flood", flooded=["fools_landing"], flood_pile=["fools_landing"])
    state = do(state, "p1", "draw_flood_card", "fools_landing")
    assert (len(state.flood_pile), len(state.flood_discard), state.sunk) == (0, 23, {"fools_landing"})


# Over


def test_over__nothing_is_legal() -> None:
    state = do(ready(hands=[["helicopter_lift"] * 2]), "p1", "lift_off")
    assert kinds(state, "p1") == []
    with pytest.raises(GameOver) as error:
        do(state, "p1", "lift_off")
    assert error.value.outcome.reason == "lifted_off"


def test_over__every_ending_has_its_sentence() -> None:
    rules = rules_of(island())
    assert set(rules.endings) == {"lifted_off", "skull", "fools_landing_sank", "treasure_lost", "drowned"}


@pytest.mark.parametrize(
    ("state", "tile", "told"),
    [
        (
            island(
                phase="draw_flood", pawns=["iron_gate", "watchtower"], flooded=["watchtower"], sunk=AROUND_WATCHTOWER
            ),
            "watchtower",
            "Bo sank with a tile: the game is lost.",
        ),
        (
            island(phase="draw_flood", sunk=["cave_of_shadows"], flooded=["cave_of_embers"]),
            "cave_of_embers",
            "Cave of Embers and Cave of Shadows have sunk, and with them the Crystal of Fire: the game is lost.",
        ),
        (
            island(
                phase="draw_flood",
                sunk=["coral_palace", "tidal_palace", "cave_of_shadows"],
                flooded=["cave_of_embers"],
                played_on=("treasure_lost",),
            ),
            "cave_of_embers",
            (
                "Cave of Embers and Cave of Shadows and Coral Palace and Tidal Palace have sunk, "
                "and with them the Crystal of Fire and Ocean's Chalice: the game is lost."
            ),
        ),
        (
            island(phase="draw_flood", flooded=["fools_landing"]),
            "fools_landing",
            "Fools' Landing has sunk: the game is lost.",
        ),
    ],
)
def test_losing__the_ending_names_what_was_lost(state: Any, tile: str, told: str) -> None:
    ended = do(state, "p1", "draw_flood_card", tile)
    assert rules_of(ended).describe_ending(ended, ("Ada", "Bo")) == told
