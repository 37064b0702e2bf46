"""Facts about the adventurers: location, water and equipment."""

from __future__ import annotations

import pytest

from engine.games.forbidden_desert.components import equipment_deck
from engine.games.forbidden_desert.state import DesertOptions
from engine.kit.chance import Observed
from engine.kit.facts import CannotBe, Tableau
from engine.kit.piles import Pile
from engine.play.corrections import beginning, facts
from tests.engine.games.forbidden_desert.positions import RULES
from tests.engine.games.forbidden_desert.telling import (
    NAMES,
    after,
    desert,
    fact,
    holding,
    reported_facts,
    unsound_reason,
)
from tests.engine.games.playing import do


def test_facts__adventurers_change_places_and_their_canteens_hold_less() -> None:
    """FD-R15."""
    state = after(desert(), fact("plays", seat="p1", role="climber"))
    assert (state.roles, state.water) == (("climber", "navigator"), (3, 3))
    assert after(desert(), fact("plays", seat="p2", role="explorer")).roles == ("navigator", "explorer")


def test_facts__a_canteen_holds_what_it_holds() -> None:
    """FD-R15."""
    assert after(desert(), fact("water_is", seat="p2", level=1)).water == (4, 1)
    assert "The canteen of the Climber holds 3." in unsound_reason(desert(), fact("water_is", seat="p2", level=4))
    carrier = fact("plays", seat="p2", role="water_carrier")
    assert after(desert(), carrier, fact("water_is", seat="p2", level=5)).water == (4, 5)


def test_facts__a_pawn_stands_and_a_shield_is_up() -> None:
    state = after(desert(), fact("stands_on", seat="p2", space="r4c4"), fact("shielded", seat="p2"))
    assert (state.pawns, state.shielded) == (("r1c1", "r4c4"), (False, True))
    assert after(state, fact("shielded", seat="p2", yes=False)).shielded == (False, False)


def test_facts__equipment_that_changed_hands_is_one_card() -> None:
    has, none = fact("has_cards", seat="p2", card="jet_pack"), fact("has_cards", seat="p1", card="jet_pack", count=0)
    state = after(holding(["jet_pack"], []), has, none)
    assert (state.equipment, state.equipment_used, len(state.equipment_pile)) == (((), ("jet_pack",)), (), 11)
    assert after(holding(["jet_pack"], []), none, has) == state
    other = after(holding([], ["jet_pack"]), fact("has_cards", seat="p1", card="jet_pack"), has | {"count": 0})
    assert (other.equipment, other.equipment_used, len(other.equipment_pile)) == ((("jet_pack",), ()), (), 11)


def test_facts__equipment_that_was_played_is_one_card() -> None:
    none, used = fact("has_cards", seat="p1", card="jet_pack", count=0), fact("cards_used", card="jet_pack", count=1)
    played = after(holding(["jet_pack"], []), none, used)
    assert (played.equipment, played.equipment_used, len(played.equipment_pile)) == (((), ()), ("jet_pack",), 11)
    back = after(played, none | {"count": 1}, used | {"count": 0})
    assert (back.equipment, back.equipment_used, len(back.equipment_pile)) == ((("jet_pack",), ()), (), 11)


def test_facts__equipment_comes_from_where_nothing_is_told() -> None:
    reserve = fact("has_cards", seat="p2", card="secret_water_reserve")
    assert after(holding(["secret_water_reserve"], []), reserve).equipment == ((), ("secret_water_reserve",))
    used = after(holding([], [], used=["secret_water_reserve"]), reserve)
    assert (used.equipment, used.equipment_used) == (((), ("secret_water_reserve",)), ())
    both = fact("cards_used", card="secret_water_reserve")
    assert "The box has only 1 Secret Water Reserve." in unsound_reason(desert(), reserve, both)
    assert "The box has no Storm Tracker." in unsound_reason(
        desert(), fact("has_cards", seat="p1", card="storm_tracker")
    )
    more = fact("has_cards", seat="p1", card="jet_pack", count=2)
    assert after(holding(["jet_pack"], []), more).equipment_pile.cards().count("jet_pack") == 1


def test_facts__equipment_that_is_not_out_of_the_game_lies_in_the_pile() -> None:
    state = after(holding(["jet_pack"], [], used=["terrascope"]), fact("cards_used", card="terrascope", count=0))
    assert (state.equipment_used, len(state.equipment_pile)) == ((), 11)
    none = fact("has_cards", seat="p1", card="jet_pack", count=0)
    put_back = after(state, none, fact("cards_used", card="jet_pack", count=0))
    assert (put_back.equipment, len(put_back.equipment_pile)) == (((), ()), 12)
    assert after(state, none).equipment_used == ("jet_pack",)


def test_facts__an_equipment_pile_may_be_empty_but_not_for_a_gear() -> None:
    """FD-R11: if the pile is empty, a found gear brings no card."""
    everything = [
        fact("cards_used", card=card, count=equipment_deck(with_tracker=False).count(card))
        for card in dict.fromkeys(equipment_deck(with_tracker=False))
    ]
    state = after(desert(), *everything)
    assert not state.equipment_pile.layers
    assert do(state, "p1", "excavate", "gear").phase == "actions"
    assert "an equipment card is left for the gear" in unsound_reason(state, fact("must_draw_equipment"))


def test_facts__equipment_that_nobody_named_is_drawn_from_the_pile() -> None:
    chance = Observed()
    chance.begin(2, ("jet_pack", "terrascope"))
    three = reported_facts(fact("hand_is", seat="p1", count=3), fact("has_cards", seat="p1", card="dune_blaster"))
    state = RULES.deal_unseen(holding(["dune_blaster"], []), three, chance)
    assert (state.equipment[0], len(state.equipment_pile)) == (("dune_blaster", "jet_pack", "terrascope"), 9)
    with pytest.raises(CannotBe, match="not enough"):
        RULES.deal_unseen(desert(equipment_pile=Pile()), three, chance)


def test_facts__a_record_may_begin_with_hands_that_nobody_named() -> None:
    documents = [facts.document(one) for one in Tableau(RULES.facts, desert()) if not one.is_derived]
    everything = list(reported_facts(*documents, fact("hand_is", seat="p1", count=2)))
    chance = Observed()
    chance.begin(1, ("jet_pack", "jet_pack"))
    state = beginning.begin(RULES, NAMES, lambda by: RULES.setup(DesertOptions(), 2, by), everything, chance)
    assert (state.equipment, len(state.equipment_pile)) == ((("jet_pack", "jet_pack"), ()), 10)
    assert state.board == desert().board


# The storm
