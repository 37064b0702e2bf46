"""Invariants of every position: the components are conserved, and the counters stay in their range."""

from __future__ import annotations

from collections import Counter

from engine.core.language import marked
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.state import DesertState
from engine.games.forbidden_desert.turn import apply_ending, phase_of


def violations(state: DesertState) -> list[str]:
    """Return the violated invariants of the turn and its counters."""
    is_over = state.outcome is not None
    is_looking = state.watcher is not None
    checks = {
        marked("turns are counted from 1"): state.turn >= 1,
        marked("the phase matches the table"): is_over or state.phase == phase_of(state),
        marked("actions are left only before the first storm card"): is_over
        or not state.actions_left or state.storm_left is None,
        marked("a storm step ends with its last card"): is_over or state.storm_left != 0,
        marked("0 to 6 actions spent to weaken the storm"): 0 <= state.weakened <= box.MOST_STORM_CARDS,
        marked("fewer storm cards are left than the storm level"): is_over
        or state.storm_left is None or state.storm_left < state.storm_level,
        marked("storm cards have been drawn only once the storm has begun"): is_over
        or state.storm_left is not None or not state.storm_drawn,
        marked("a storm card can be drawn, or a player is looking at the last one"): is_over
        or len(state.storm_pile) > 0 or bool(state.seen),
        marked("an equipment card is left for the gear that was found"): not state.must_draw_equipment
        or len(state.equipment_pile) > 0,
        marked("only a player who is looking at the storm deck has seen cards"): is_looking
        or not (state.seen or state.looks_left or state.must_place),
        marked("no more storm cards are seen than the storm level allows"): state.looks_left + len(state.seen)
        <= max(box.METER[state.seats]),
        marked("the player who is looking has a seat"): state.watcher is None or 0 <= state.watcher < state.seats,
        marked("no more cards are left to look at than the deck has"): 0 <= state.looks_left <= len(state.storm_pile),
        marked("a player who must put a card at the bottom has seen at least one, or has one left to see"): is_over
        or not state.must_place or bool(state.seen) or state.looks_left > 0,
        marked("the skull, thirst or a take-off ends the game"): is_over or apply_ending(state).outcome is None,
    }  # fmt: skip
    return [name for name, holds in checks.items() if not holds]


def broken_components(state: DesertState) -> list[str]:
    """Return the violated invariants of the components and counters."""
    tiles = [tile for tile in state.board if tile is not None]
    sides = Counter(tile.desert_side for tile in tiles)
    seen = Counter((tile.desert_side, tile.city_side) for tile in tiles if tile.city_side is not None)
    known = {(desert, city): count for desert, cities in box.CITY_SIDES.items() for city, count in cities.items()}
    found = {tile.city_side for tile in tiles if tile.is_excavated}
    parts = sorted([*state.collected, *state.hole_parts, *(part for tile in tiles for part in tile.parts)])
    storm = sorted([*state.storm_pile.cards(), *state.storm_discard, *state.storm_drawn, *state.seen])
    held = [card for hand in state.equipment for card in hand]
    equipment = sorted([*state.equipment_pile.cards(), *held, *state.equipment_used])
    seats = len(state.roles)
    is_thirst = state.outcome is not None and state.outcome.reason == "thirst"
    least = box.SKULL_MARK if is_thirst or "thirst" in state.unnoticed else 0
    checks = {
        marked("24 tiles and the hole"): len(state.board) == 25
        and len(tiles) == 24 and state.board[box.INDEX[state.hole]] is None,
        marked("a wreck, 3 tiles with water, 20 plain ones"): sides == {"crash": 1, "water": 3, "plain": 20},
        marked("at most as many city sides as are in the box"): all(
            count <= known.get(side, 0) for side, count in seen.items()
        ),
        marked("every excavated tile has been seen"): None not in found,
        marked("48 sand markers"): state.sand_supply + sum(tile.sand for tile in tiles) == box.SAND_MARKERS,
        marked("no negative sand"): state.sand_supply >= 0 and all(tile.sand >= 0 for tile in tiles),
        marked("a part is in the game once both its clues are found"): parts
        == sorted(part for part, pair in box.CLUE_PAIRS.items() if found.issuperset(pair)),
        marked("31 storm cards"): storm == list(box.STORM_DECK),
        marked("every equipment card is in one place"): equipment
        == list(box.equipment_deck(with_tracker=state.options.storm_tracker == "on")),
        marked("a pawn, a canteen, a shield and a hand for each seat"): seats
        == len(state.pawns) == len(state.water) == len(state.equipment) == len(state.shielded),
        marked("each adventurer once"): len(set(state.roles)) == seats,
        marked("no pawn in the storm"): state.hole not in state.pawns,
        marked("canteens between empty and full"): all(
            least <= water <= state.canteen(seat) for seat, water in enumerate(state.water)
        ),
        marked("the storm level is on the meter"): 1 <= state.storm_tick <= len(box.METER[seats]) + 1,
        marked("0 to 6 actions left"): 0 <= state.actions_left <= 6,
        marked("0 to 6 storm cards left"): state.storm_left is None or 0 <= state.storm_left <= max(box.METER[seats]),
        marked("the active seat has a player"): 0 <= state.active < seats,
        marked("hands are sorted"): all(list(hand) == sorted(hand) for hand in state.equipment),
    }  # fmt: skip
    return [name for name, holds in checks.items() if not holds]
