"""Forgotten Waters: Treasure Cards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import printed_name
from engine.kit.piles import Pile
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import BELL, FORGOTTEN_WATERS, having, resolving, voyage
from tests.engine.games.playing import do, may_come_up, offered, refused, said

RULES = registry.ruleset(FORGOTTEN_WATERS)
TREASURE = "Treasure Cards"
STARS = "Filling in Stars on Constellations"
FOUR = ("anchor_brooch", "gull_whistle", "iron_ladle", "ring_of_kelp")
GAIN: dict[str, Any] = {"do": "gain_treasure"}
STEAL: dict[str, Any] = {"do": "steal_treasure"}
BURY: dict[str, Any] = {"do": "bury_treasure", "up_to": 2}


def held_treasures(state: WatersState, seat: int = 0) -> tuple[str, ...]:
    return state.pirates[seat].treasures


def test_gain__a_card_for_each() -> None:
    state = resolving({**GAIN, "n": 2})
    for card in ("rain_cloud", "anchor_brooch"):
        state = do(state, "p1", "draw_treasure", card)
    assert (held_treasures(state), state.agenda, len(state.treasure_pile)) == (("rain_cloud", "anchor_brooch"), (), 34)


def test_gain__each_card_is_as_likely() -> None:
    assert list(may_come_up(resolving(GAIN), "p1", "draw_treasure").values()) == [Fraction(1, 36)] * 36


def test_gain__by_whom_it_is_for() -> None:
    assert refused(resolving(GAIN), "p2", "draw_treasure") == Refusal(TREASURE, "Only another player can decide that.")
    assert refused(voyage(), "p1", "draw_treasure") == Refusal(TREASURE, "You cannot gain a treasure now.")


def test_gain__does_not_fill_in_boxes() -> None:
    state = do(resolving(GAIN), "p1", "draw_treasure", "anchor_brooch")
    assert state.pirates[0].boxes == (0,) * 6


def test_gain__an_empty_deck_is_made_of_the_discards() -> None:
    everything = [card.id for card in BELL.treasures]
    state = voyage(treasure_pile=Pile(), treasure_discard=tuple(everything))
    state = do(resolving(GAIN, state=state), "p1", "draw_treasure", "rain_cloud")
    assert (len(state.treasure_pile), state.treasure_discard) == (len(everything) - 1, ())


def test_gain__is_told() -> None:
    assert said(resolving(GAIN), "p1", "draw_treasure", "rain_cloud") == (
        "Draw a treasure",
        "Ada draws Rain Cloud in a Box. Ada gains the treasure Rain Cloud in a Box.",
    )


# The limit of four


def fifth() -> WatersState:
    state: WatersState = do(
        resolving(GAIN, state=having(voyage(), treasures=FOUR)), "p1", "draw_treasure", "rain_cloud"
    )
    return state


def test_limit__a_5th_card_makes_one_go() -> None:
    """FW-R17."""
    assert offered(fifth(), "p1", "discard_treasure") == sorted([*FOUR, "rain_cloud"])


def test_limit__an_existing_one() -> None:
    state = do(fifth(), "p1", "discard_treasure", treasure="iron_ladle")
    assert "rain_cloud" in held_treasures(state)
    assert state.treasure_discard == ("iron_ladle",)


def test_limit__or_the_new_one() -> None:
    """FW-R17."""
    assert held_treasures(do(fifth(), "p1", "discard_treasure", treasure="rain_cloud")) == FOUR


def test_limit__supplies_for_each_card_discarded() -> None:
    """FW-R17."""
    assert do(fifth(), "p1", "discard_treasure", treasure="iron_ladle").supplies == 7


def test_limit__no_discard_effect() -> None:
    """FW-R17: the cloud would bring 2 supplies, not 1."""
    assert do(fifth(), "p1", "discard_treasure", treasure="rain_cloud").supplies == 7


def test_limit__not_with_four() -> None:
    state = having(voyage(), treasures=FOUR)
    assert refused(state, "p1", "discard_treasure", treasure="iron_ladle") == Refusal(
        TREASURE, "You do not have to discard a treasure now."
    )


def test_limit__ones_own_cards() -> None:
    state = having(fifth(), 1, treasures=("false_flag",))
    assert refused(state, "p2", "discard_treasure", treasure="false_flag") == Refusal(
        TREASURE, "Only another player can decide that."
    )
    assert refused(state, "p1", "discard_treasure", treasure="false_flag") == Refusal(
        TREASURE, "That pirate does not have that treasure."
    )


FIRST_OF_ALL = Refusal(TREASURE, "A fifth treasure is in play. Discard one of the five first.")


def test_limit__none_of_the_five_is_used_before_one_is_discarded() -> None:
    """FW-R17: the cloud would bring 2 supplies, and none would have to be discarded."""
    assert refused(fifth(), "p1", "use_treasure", treasure="rain_cloud") == FIRST_OF_ALL
    assert offered(fifth(), "p1", "use_treasure") == []
    after = do(fifth(), "p1", "discard_treasure", treasure="iron_ladle")
    assert "rain_cloud" in offered(after, "p1", "use_treasure")


def test_limit__nor_another_players_treasure_whose_turn_it_is() -> None:
    """FW-R17, FW-R33."""
    state = having(fifth(), 1, treasures=("widows_telescope",))
    pile = Pile.shuffled(card for card in state.treasure_pile.cards() if card != "widows_telescope")
    state = replace(state, treasure_pile=pile, phase="action", active=1)
    assert refused(state, "p2", "use_treasure", treasure="widows_telescope") == FIRST_OF_ALL
    state = do(state, "p1", "discard_treasure", treasure="iron_ladle")
    assert "widows_telescope" in offered(state, "p2", "use_treasure")


def test_limit__what_was_stolen_is_not_used_instead_either() -> None:
    """FW-R17."""
    state = having(having(voyage(), 1, treasures=("rain_cloud",)), treasures=FOUR)
    state = do(resolving(STEAL, state=state), "p1", "steal_treasure", player="p2", treasure="rain_cloud")
    assert refused(state, "p1", "use_treasure", treasure="rain_cloud") == FIRST_OF_ALL


def test_limit__each_card_too_many_is_discarded() -> None:
    state = fifth()
    sixth = replace(state, agenda=(*state.agenda, *state.agenda), treasure_pile=Pile())
    state = having(sixth, treasures=(*held_treasures(state), "false_flag"))
    for number, treasure in enumerate(("false_flag", "rain_cloud"), 1):
        state = do(state, "p1", "discard_treasure", treasure=treasure)
        assert state.supplies == 6 + number
    assert (held_treasures(state), state.agenda) == (FOUR, ())


def test_limit__is_told() -> None:
    label, sentence = said(fifth(), "p1", "discard_treasure", treasure="iron_ladle")
    assert label == "Discard Iron Ladle"
    assert sentence == "Ada discards Iron Ladle. Ada no longer has the treasure Iron Ladle. Supplies 6 → 7."


# Losing, stealing, burying


def test_lose__as_many_as_asked() -> None:
    state = resolving({"do": "lose_treasure", "n": 2}, state=having(voyage(), treasures=FOUR))
    state = do(state, "p1", "discard_treasure", treasure="iron_ladle")
    state = do(state, "p1", "discard_treasure", treasure="anchor_brooch")
    assert (held_treasures(state), state.supplies) == (("gull_whistle", "ring_of_kelp"), 6)


def test_lose__or_all_there_are() -> None:
    """FW-R11."""
    state = resolving({"do": "lose_treasure", "n": 2}, state=having(voyage(), treasures=("iron_ladle",)))
    assert do(state, "p1", "discard_treasure", treasure="iron_ladle").agenda == ()


def test_steal__from_another_player() -> None:
    state = resolving(STEAL, state=having(voyage(), 1, treasures=FOUR))
    state = do(state, "p1", "steal_treasure", player="p2", treasure="iron_ladle")
    assert (held_treasures(state), len(held_treasures(state, 1))) == (("iron_ladle",), 3)


def test_steal__a_5th_card_makes_one_go() -> None:
    """FW-R17."""
    state = having(having(voyage(), 1, treasures=("rain_cloud",)), treasures=FOUR)
    state = do(resolving(STEAL, state=state), "p1", "steal_treasure", player="p2", treasure="rain_cloud")
    assert len(offered(state, "p1", "discard_treasure")) == 5


def test_steal__not_from_oneself_or_nobody() -> None:
    state = resolving(STEAL, state=having(having(voyage(), 1, treasures=("rain_cloud",)), treasures=FOUR))
    other = Refusal(TREASURE, "You can only steal a treasure from another player.")
    assert refused(state, "p1", "steal_treasure", player="p1", treasure="iron_ladle") == other
    assert refused(state, "p1", "steal_treasure", player="p7", treasure="iron_ladle") == other
    assert refused(state, "p1", "steal_treasure", player="p3", treasure="iron_ladle") == Refusal(
        TREASURE, "That pirate does not have that treasure."
    )
    assert refused(state, "p2", "steal_treasure", player="p1", treasure="iron_ladle") == Refusal(
        TREASURE, "Only another player can decide that."
    )
    assert refused(voyage(), "p1", "steal_treasure", player="p2", treasure="iron_ladle") == Refusal(
        TREASURE, "You cannot steal a treasure now."
    )


def test_steal__nothing_to_steal() -> None:
    assert resolving(STEAL, state=having(voyage(), treasures=FOUR)).agenda == ()


def test_steal__is_told() -> None:
    state = resolving(STEAL, state=having(voyage(), 1, treasures=("iron_ladle",)))
    label, sentence = said(state, "p1", "steal_treasure", player="p2", treasure="iron_ladle")
    assert label == "Steal Iron Ladle from Bo"
    assert sentence.startswith("Ada steals Iron Ladle from Bo. Ada gains the treasure Iron Ladle.")


def test_bury__fills_in_a_star_for_each() -> None:
    state = do(resolving(BURY, state=having(voyage(), treasures=FOUR)), "p1", "bury_treasure", treasure="iron_ladle")
    state = do(state, "p1", "fill_star", star="a1")
    state = do(state, "p1", "bury_treasure", treasure="gull_whistle")
    state = do(state, "p1", "fill_star", star="a2")
    assert (state.agenda, state.pirates[0].stars, state.treasure_discard) == (
        (),
        ("a1", "a2"),
        ("iron_ladle", "gull_whistle"),
    )


def test_bury__no_discard_effect() -> None:
    state = resolving(BURY, state=having(voyage(), treasures=("rain_cloud",)))
    assert do(state, "p1", "bury_treasure", treasure="rain_cloud").supplies == 6


def test_bury__up_to_so_many() -> None:
    state = resolving(BURY, state=having(voyage(), treasures=FOUR))
    assert do(state, "p1", "stop").pirates[0].stars == ()
    assert refused(state, "p2", "stop").message == "Only another player can decide that."


def test_bury__ones_own() -> None:
    state = resolving(BURY, state=having(having(voyage(), 1, treasures=("rain_cloud",)), treasures=FOUR))
    assert refused(state, "p1", "bury_treasure", treasure="rain_cloud") == Refusal(
        TREASURE, "That pirate does not have that treasure."
    )
    assert refused(state, "p2", "bury_treasure", treasure="rain_cloud") == Refusal(
        STARS, "Only another player can decide that."
    )
    assert refused(voyage(), "p1", "bury_treasure", treasure="rain_cloud") == Refusal(
        STARS, "You cannot bury a treasure now."
    )


def test_bury__is_told() -> None:
    state = resolving(BURY, state=having(voyage(), treasures=("iron_ladle",)))
    assert said(state, "p1", "bury_treasure", treasure="iron_ladle") == (
        "Bury Iron Ladle",
        "Ada buries Iron Ladle. Ada no longer has the treasure Iron Ladle.",
    )


# Discarding for the effect


def test_use__on_ones_turn() -> None:
    """FW-R25."""
    state = resolving(state=having(voyage(), treasures=("crate_of_oranges",)))
    state = do(state, "p1", "use_treasure", treasure="crate_of_oranges")
    assert (state.supplies, state.treasure_discard) == (9, ("crate_of_oranges",))


def test_use__before_resolving() -> None:
    """FW-R25."""
    state = replace(resolving(state=having(voyage(), treasures=("crate_of_oranges",))), has_resolved=False)
    assert offered(state, "p1", "use_treasure") == ["crate_of_oranges"]


def test_use__during_the_action() -> None:
    """FW-R25."""
    state = resolving(GAIN, state=having(voyage(), treasures=("crate_of_oranges",)))
    after = do(state, "p1", "use_treasure", treasure="crate_of_oranges")
    assert (after.supplies, after.agenda) == (9, state.agenda)


def test_use__not_on_anothers_turn() -> None:
    """FW-R25."""
    state = resolving(state=having(voyage(), 1, treasures=("crate_of_oranges",)))
    assert refused(state, "p2", "use_treasure", treasure="crate_of_oranges") == Refusal(
        TREASURE, "You can only discard Crate of Oranges on your own turn."
    )


def test_use__not_while_planning() -> None:
    """FW-R25."""
    state = having(voyage(), treasures=("crate_of_oranges",))
    assert refused(state, "p1", "use_treasure", treasure="crate_of_oranges").rule == TREASURE


def test_use__at_any_time_if_the_card_says_so() -> None:
    state = having(voyage(threat=3), 2, treasures=("false_flag",))
    assert do(state, "p3", "use_treasure", treasure="false_flag").threat == 1


def test_use__only_one_that_does_something() -> None:
    state = resolving(state=having(voyage(), treasures=("iron_ladle",)))
    assert refused(state, "p1", "use_treasure", treasure="iron_ladle") == Refusal(
        TREASURE, "Iron Ladle does nothing when discarded."
    )


def test_use__only_ones_own() -> None:
    assert refused(voyage(), "p1", "use_treasure", treasure="iron_ladle") == Refusal(
        TREASURE, "That pirate does not have that treasure."
    )


def test_use__is_told() -> None:
    state = resolving(state=having(voyage(), treasures=("crate_of_oranges",)))
    assert said(state, "p1", "use_treasure", treasure="crate_of_oranges") == (
        "Use Crate of Oranges",
        (
            "Ada discards Crate of Oranges for its effect. "
            "Ada no longer has the treasure Crate of Oranges. Supplies 6 → 9."
        ),
    )


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        ("admirals_wig", "Admiral's Second-Best Wig"),
        ("gunners_almanac", "Gunner's Almanac"),
        ("plumes_blockade", "Plume's Blockade"),
        ("all_seeing", "All-Seeing"),
        ("navigation", "Navigation"),
        ("hull", "Hull"),
    ],
)
def test_things_have_the_names_that_are_printed_on_them(id_: str, name: str) -> None:
    assert printed_name(id_) == name
