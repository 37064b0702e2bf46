"""Facts about the storm and the turn, and endings because of them."""

from __future__ import annotations

import msgspec
import pytest

from engine.games.forbidden_desert.components import STORM_DECK
from engine.games.forbidden_desert.turn import apply_ending
from engine.kit.facts import Tableau, Told
from engine.kit.piles import Pile
from engine.play.corrections import facts
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.forbidden_desert.telling import (
    SUNS,
    after,
    desert,
    fact,
    table_with_cards,
    unsound_reason,
)
from tests.engine.games.playing import do


def test_facts__the_meter_ends_with_the_skull() -> None:
    """Losing: the storm sweeps the team away; FD-R7."""
    assert after(desert(), fact("storm_tick", tick=14)).outcome.reason == "swept_away"
    assert after(table_with_cards(drawn=["sun_beats_down"]), fact("storm_tick", tick=14)).outcome.reason == "swept_away"
    assert after(desert(), fact("storm_tick", tick=13)).outcome is None
    assert "The skull is at tick 14 for 2 players." in unsound_reason(desert(), fact("storm_tick", tick=15))


def test_facts__thirst_ends_the_game() -> None:
    assert after(desert(), fact("water_is", seat="p1", level=-1)).outcome.reason == "thirst"


def test_facts__who_has_every_part_on_the_launch_pad_takes_off() -> None:
    """FD-R30."""
    clues = {
        f"r{row}c{column}": f"clue_{part}_{way}"
        for row, part in enumerate(("engine", "propeller", "solar_crystal", "navigation_deck"), start=1)
        for column, way in enumerate(("row", "column"), start=1)
        if (row, column) != (4, 1)
    }
    clues["r3c4"] = "clue_navigation_deck_row"
    state = desert(
        city=clues | {"r4c4": "launch_pad"}, at="r4c4", collected=("engine", "propeller", "solar_crystal"),
        hole_parts=("navigation_deck",),
    )  # fmt: skip
    assert apply_ending(state) is state
    assert after(state, fact("part_is", part="navigation_deck", where="with_the_team")).outcome.reason == "took_off"
    won = msgspec.structs.replace(state, collected=(*state.collected, "navigation_deck"), hole_parts=())
    assert apply_ending(won).outcome is not None


def test_facts__the_storm_deck_has_parts() -> None:
    top = ["storm_picks_up"], ["sun_beats_down", "sun_beats_down"]
    state = after(desert(), fact("storm_pile_is", layers=top))
    assert (state.storm_pile.layers, len(state.storm_discard)) == (tuple(map(tuple, top)), 28)
    assert after(state, fact("storm_pile_is", layers=[])).storm_pile == Pile.shuffled([*top[0], *top[1]])
    assert "than the box" in unsound_reason(desert(), fact("storm_pile_is", layers=[SUNS, SUNS]))


def test_facts__storm_cards_come_from_where_more_lie_than_is_told() -> None:
    drawn, discarded = (fact(kind, card="sun_beats_down") for kind in ("storm_cards_drawn", "storm_cards_discarded"))
    left = fact("left", of="storm_cards", count=1)
    state = table_with_cards(drawn=["storm_picks_up"], discarded=["sun_beats_down"])
    moved = after(state, drawn, discarded | {"count": 0}, left)
    assert (moved.storm_drawn, moved.storm_discard) == (("storm_picks_up", "sun_beats_down"), ())
    assert len(moved.storm_pile) == len(state.storm_pile)
    back = after(moved, drawn | {"count": 0}, discarded)
    assert (back.storm_drawn, back.storm_discard, back.storm_pile) == (
        state.storm_drawn, state.storm_discard, state.storm_pile,
    )  # fmt: skip


def test_facts__a_storm_card_that_was_seen_has_not_been_drawn() -> None:
    state = table_with_cards(drawn=["storm_picks_up", "sun_beats_down"])
    look, none = fact("look_is", seat="p1", seen=["sun_beats_down"]), fact("storm_cards_drawn", card="sun_beats_down")
    seen = after(state, look, none | {"count": 0})
    assert (seen.seen, seen.storm_drawn, seen.storm_pile) == (
        ("sun_beats_down",), ("storm_picks_up",), state.storm_pile,
    )  # fmt: skip


def test_facts__storm_cards_come_from_where_nothing_is_told() -> None:
    drawn, discarded = (
        fact(kind, card="sun_beats_down", count=4) for kind in ("storm_cards_drawn", "storm_cards_discarded")
    )
    other = ["storm_picks_up"]
    assert after(table_with_cards(drawn=[*other, *SUNS]), discarded).storm_discard == tuple(SUNS)
    assert after(table_with_cards(drawn=other, discarded=SUNS), drawn).storm_drawn == (*other, *SUNS)
    assert after(desert(), discarded).storm_discard == tuple(SUNS)
    assert "The box has only 4 cards “Sun Beats Down”." in unsound_reason(
        table_with_cards(drawn=other), drawn, discarded
    )


def test_facts__a_storm_card_that_lies_nowhere_else_is_in_the_deck_or_discarded() -> None:
    none = {"card": "sun_beats_down", "count": 0}
    two = table_with_cards(drawn=["storm_picks_up", "sun_beats_down"], discarded=["sun_beats_down"])
    discarded = after(two, fact("storm_cards_drawn", **none))
    assert discarded.storm_discard == ("sun_beats_down", "sun_beats_down")
    assert "sun_beats_down" not in after(two, fact("storm_cards_discarded", **none)).storm_discard
    neither = after(two, fact("storm_cards_discarded", **none), fact("storm_cards_drawn", **none))
    assert neither.storm_pile.cards().count("sun_beats_down") == 4


def test_facts__who_looks_at_the_storm_deck_goes_on() -> None:
    """FD-R23, FD-R40."""
    state = after(desert(), fact("look_is", seat="p2", left=1, seen=["sun_beats_down"]))
    assert (state.phase, RULES.awaiting(state), len(state.storm_pile)) == ("look", (1,), 30)
    seen = do(state, "p2", "look_at_storm_card", "storm_picks_up")
    assert seen.phase == "place"
    over = after(seen, fact("look_is", seat=None))
    assert (over.phase, over.storm_pile.layers[:2]) == ("actions", (("sun_beats_down",), ("storm_picks_up",)))
    assert "its cards are hidden" in unsound_reason(desert(), fact("look_is", seat=None, left=1))
    assert "has one left to see" in unsound_reason(desert(), fact("look_is", seat="p1", has_to_place=True))
    assert "no more storm cards" in unsound_reason(desert(), fact("look_is", seat="p1", seen=SUNS, left=3))


def test_facts__a_card_that_was_mistaken_in_a_look_lies_where_the_other_lay() -> None:
    seen = ("sun_beats_down", "wind_north_1")
    state = table_with_cards(seen=seen, watcher=0, phase="place")
    right = after(state, fact("look_is", seat="p1", seen=["storm_picks_up", "wind_north_1"]))
    assert right.seen == ("storm_picks_up", "wind_north_1")
    assert right.storm_pile == Pile.shuffled(
        state.storm_pile.without("storm_picks_up").with_card("sun_beats_down").cards()
    )
    discarded = table_with_cards(seen=seen, discarded=["storm_picks_up"] * 3, watcher=0, phase="place")
    brought = after(discarded, fact("look_is", seat="p1", seen=["storm_picks_up", "wind_north_1"]))
    assert brought.storm_discard == ("storm_picks_up", "storm_picks_up")


def test_facts__the_last_cards_of_the_storm_deck_may_be_looked_at() -> None:
    """FD-R8, FD-R23: the discard pile is shuffled only after the last of them has been drawn."""
    rest = [card for card in STORM_DECK if card != "storm_picks_up"]
    looking = table_with_cards(seen=("storm_picks_up",) * 3, discarded=rest, watcher=0, phase="place")
    assert RULES.settled(looking, Told()) == looking
    assert RULES.check_invariants(looking) == []
    last = table_with_cards(discarded=rest)
    empty = after(last, fact("storm_cards_discarded", card="storm_picks_up", count=1))
    assert len(empty.storm_pile) == 2
    renewed = RULES.settled(desert(storm_pile=Pile(), storm_discard=STORM_DECK), Told())
    assert (len(renewed.storm_pile), renewed.storm_discard) == (31, ())


# The turn


@pytest.mark.parametrize(
    ("of", "count", "left", "phase"),
    [("actions", 2, (2, None), "actions"), ("actions", 0, (0, None), "storm"), ("storm_cards", 1, (0, 1), "storm")],
)
def test_facts__what_is_left_fits_the_phase(of: str, count: int, left: tuple[int, int | None], phase: str) -> None:
    document = fact("left", of=of, count=count)
    state = after(desert(), document)
    assert (state.actions_left, state.storm_left, state.phase) == (*left, phase)
    assert document in [facts.document(one) for one in Tableau(RULES.facts, state)]


def test_facts__no_more_storm_cards_are_left_than_the_meter_asks_for() -> None:
    """FD-R7: the first storm card has been drawn."""
    assert "turn ends" in unsound_reason(desert(), fact("left", of="storm_cards", count=0))
    assert "1 storm card to draw" in unsound_reason(desert(), fact("left", of="storm_cards", count=2))
    state = after(desert(storm_tick=5), fact("left", of="storm_cards", count=3))
    assert after(state, fact("storm_tick", tick=1)).storm_left == 1


def test_facts__what_was_drawn_is_discarded_with_the_turn() -> None:
    state = after(table_with_cards(drawn=["sun_beats_down"]), fact("left", of="actions", count=4))
    assert (state.storm_drawn, state.storm_discard) == ((), ("sun_beats_down",))


def test_facts__whose_turn_it_is() -> None:
    roles = ("meteorologist", "climber")
    state = table(*roles, weakened=1)
    state = after(state, fact("turn_of", seat="p2"), fact("turn_is", number=8))
    assert (state.active, state.turn, state.weakened) == (1, 8, 0)
    assert "Only the Meteorologist" in unsound_reason(state, fact("weakened", count=1))
    back = after(state, fact("turn_of", seat="p1"), fact("weakened", count=2))
    assert (back.active, back.weakened) == (0, 2)
    assert after(back, fact("weakened", count=0)).weakened == 0


def test_facts__a_gear_asks_for_its_card() -> None:
    state = after(desert(), fact("must_draw_equipment"))
    assert (state.phase, state.must_draw_equipment) == ("draw_equipment", True)
    assert after(state, fact("must_draw_equipment", yes=False)).phase == "actions"


# Invariants


def test_left__more_than_four_actions_by_a_time_throttle_alone() -> None:
    """Take Up to 4 Actions: only a used Time Throttle allows more than four actions."""
    assert "more than 4 actions" in unsound_reason(desert(), fact("left", of="actions", count=6))
    used = fact("cards_used", card="time_throttle", count=1)
    assert after(desert(), used, fact("left", of="actions", count=6)).actions_left == 6
