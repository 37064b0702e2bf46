"""1. Take up to 4 actions: move, remove sand, excavate, pick up a part. Also: share water and equipment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, Value, other_seats
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import Equipment, Part, Role, Space, at_start, printed_name
from engine.games.forbidden_desert.headings import DIG_OUT, EXCAVATE, GEAR, MOVE, PICK_UP, REMOVE_SAND, SHARE
from engine.games.forbidden_desert.movement import can_step, is_within_reach, near, steps
from engine.games.forbidden_desert.state import (
    DesertState,
    replace,
    with_cards,
    with_pawns,
    with_sand,
    with_tile,
    with_water,
)
from engine.games.forbidden_desert.turn import (
    DesertAction,
    interruption,
    no_action,
    no_turn,
    settle,
    spend_action,
)
from engine.kit.chance import Chance
from engine.kit.effects import needed_at
from engine.kit.entries import without
from engine.kit.ruleset import Action, Refusal


class Move(DesertAction, frozen=True):
    """Move your pawn one tile or through a tunnel. The Climber may take along another pawn from his tile."""

    verb = "move"
    button_text = marked("Move to {to} with {passenger}")
    report_text = marked("{name} moves to {to} with {passenger}.")
    plain_texts = (marked("Move to {to}"), marked("{name} moves to {to}."))
    symbol = "walk"
    rule = MOVE
    to: Space
    passenger: SeatId | None = None

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        along = [SEAT_IDS[other] for other in state.companions(seat)] if state.roles[seat] is Role.CLIMBER else []
        for to in steps(state, seat, state.pawns[seat]):
            yield cls(to)
            yield from (cls(to, other) for other in along)

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := no_action(state, seat):
            return refusal
        if not can_step(state, seat, state.pawns[seat], self.to):
            here = printed_name(state.pawns[seat])
            return Refusal(
                MOVE,
                say("{place} is more than one move from {here}.", place=at_start(printed_name(self.to)), here=here),
            )
        if self.passenger is not None:
            if state.roles[seat] is not Role.CLIMBER:
                return Refusal(MOVE, "Only the Climber can take another player along.")
            if SEAT_INDEX[self.passenger] not in state.companions(seat):
                return Refusal(MOVE, "The Climber can only take along a player on the same tile.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return spend_action(replace(state, pawns=with_pawns(state, self.to, seat, self.passenger)), seat)


class RemoveSand(DesertAction, frozen=True):
    """Remove a sand marker from your tile or an adjacent one. The Archeologist can remove one or two."""

    verb = "clear sand"
    button_text = marked("Remove {what} from {tile}")
    report_text = marked("{name} removes {what} from {tile}.")
    symbol = "sand"
    rule = REMOVE_SAND
    tile: Space
    markers: Annotated[int, Meta(ge=1, le=2)] = 1

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        for space in (state.pawns[seat], *near(state, seat)[state.pawns[seat]]):
            yield cls(space)
            yield cls(space, 2)

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := no_turn(state, seat):
            return refusal
        if not is_within_reach(state, seat, self.tile):
            return Refusal(
                REMOVE_SAND,
                lambda: say(
                    "{place} is not within reach of {here}.",
                    place=at_start(printed_name(self.tile)),
                    here=printed_name(state.pawns[seat]),
                ),
            )
        if self.tile != state.pawns[seat] and state.is_buried(seat):
            return Refusal(DIG_OUT, "A buried player can only dig on their own tile.")
        if self.markers == 2 and state.roles[seat] is not Role.ARCHEOLOGIST:
            return Refusal(REMOVE_SAND, "Only the Archeologist can remove 2 markers for 1 action.")
        if state.tile(self.tile).sand < self.markers:
            return Refusal(
                REMOVE_SAND, lambda: say("There is not enough sand at {place}.", place=printed_name(self.tile))
            )
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return spend_action(with_sand(state, self.tile, min(self.markers, state.tile(self.tile).sand)), seat)

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        what = say("a sand marker") if self.markers == 1 else say("2 sand markers")
        return {**super().words(state, names), "what": what}


class Excavate(DesertAction, frozen=True):
    """Excavate the tile under your pawn: turn it over to see what is there."""

    verb = "excavate"
    button_text = marked("Excavate this tile")
    symbol = "gear"
    rule = EXCAVATE
    asks_chance = True

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := no_action(state, seat):
            return refusal
        tile = state.tile_of(seat)
        if tile.is_excavated:
            return Refusal(EXCAVATE, "This tile is already excavated.")
        if tile.sand:
            return Refusal(EXCAVATE, "There is sand on this tile.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        space = state.pawns[seat]
        tile = state.tile(space)
        found = chance.draw("tile", state.may_be(tile))
        state = with_tile(state, space, city_side=found, is_excavated=True)
        if found in box.GEAR_SYMBOLS:
            # The pile can be empty if the players drew one card too many.
            state = replace(state, must_draw_equipment=bool(state.equipment_pile.layers))
        elif found == "well":
            drinkers = {seat, *state.companions(seat)}
            state = replace(state, water=with_water(state, dict.fromkeys(drinkers, box.WATER_FROM_WELL)))
        elif found in box.CLUES:
            state = placed_part(state, box.CLUES[found])
        return spend_action(state, seat)

    def describe(self, state: DesertState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say(
            "{name} excavates {here} and finds: {found}.",
            name=names[seat],
            here=printed_name(state.pawns[seat]),
            found=printed_name(str(outcomes[0])),
        )


def placed_part(state: DesertState, part: Part) -> DesertState:
    """Part Location Clues: if both clues to `part` are known, place it where they point (FD-R5, FD-R6)."""
    found = {tile.city_side: space for space, tile in state.tiles().items() if tile.is_excavated}
    row_clue, column_clue = box.CLUE_PAIRS[part]
    if row_clue not in found or column_clue not in found:
        return state
    space = box.space_at(box.row_of(found[row_clue]), box.column_of(found[column_clue]))
    assert space is not None
    tile = state.board[box.INDEX[space]]
    if tile is None:
        return replace(state, hole_parts=(*state.hole_parts, part))
    return with_tile(state, space, parts=(*tile.parts, part))


class DrawEquipment(DesertAction, frozen=True):
    """Draw the equipment card of the gear that has just been excavated."""

    verb = "draw an equipment card"
    button_text = marked("Draw an equipment card")
    report_text = marked("{name} draws {result}.")
    symbol = "draw"
    rule = GEAR
    asks_chance = True

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if not state.must_draw_equipment or seat != state.active:
            return Refusal(GEAR, "Only the player who has just excavated a gear draws a card.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        card, pile = state.equipment_pile.draw(chance, "equipment_card")
        equipment = with_cards(state, seat, (*state.equipment[seat], card))
        return settle(replace(state, equipment_pile=pile, equipment=equipment, must_draw_equipment=False))


class PickUpPart(DesertAction, frozen=True):
    """Pick up a part of the flying machine from your tile."""

    verb = "pick up a part"
    button_text = marked("Pick up the {part}")
    report_text = marked("{name} picks up the {part}!")
    symbol = "chest"
    rule = PICK_UP
    part: Part

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        return map(cls, box.PARTS)

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := no_action(state, seat):
            return refusal
        tile = state.tile_of(seat)
        if self.part not in tile.parts:
            return Refusal(PICK_UP, lambda: say("The {part} is not on this tile.", part=self.word(self.part)))
        if not tile.is_excavated:
            return Refusal(PICK_UP, "This tile must be excavated first.")
        if tile.sand >= box.BLOCKED:
            return Refusal(PICK_UP, "This tile is blocked.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        left = tuple(part for part in state.tile_of(seat).parts if part != self.part)
        state = with_tile(state, state.pawns[seat], parts=left)
        return spend_action(replace(state, collected=(*state.collected, self.part)), seat)

    @staticmethod
    def word(value: str, /) -> str:
        return say(value.replace("_", " "))

    words = Action.words


def _can_share(state: DesertState, seat: int, other: int) -> bool:
    """Return True if `seat` can give water to the seat `other` (FD-R12)."""
    if other == seat or other >= state.seats:
        return False
    here, there = state.pawns[seat], state.pawns[other]
    return here == there or (state.roles[seat] is Role.WATER_CARRIER and there in box.ORTHOGONAL[here])


class GiveWater(DesertAction, frozen=True):
    """Give water to a player on your tile, at any time and for free. The Water Carrier also reaches adjacent tiles."""

    button_text = marked("Give {amount} water to {to}")
    report_text = marked("{name} gives {amount} water to {to}.")
    symbol = "drop"
    any_time = True
    rule = SHARE
    to: SeatId
    amount: Annotated[int, Meta(ge=1, le=5)]

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        for to in other_seats(state.seats, seat):
            if _can_share(state, seat, SEAT_INDEX[to]):
                yield from (cls(to, amount) for amount in range(1, state.water[seat] + 1))

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := interruption(state):
            return refusal
        to = SEAT_INDEX[self.to]
        if not _can_share(state, seat, to):
            return Refusal(SHARE, "You can only give water to another player within reach.")
        if self.amount > state.water[seat]:
            return Refusal(SHARE, "That canteen does not have enough water.")
        if state.water[to] + self.amount > state.canteen(to):
            return Refusal(SHARE, "The other canteen has no room for that much water.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        to = SEAT_INDEX[self.to]
        # An illegal amount is limited to the giver's water and the receiver's room.
        room = -needed_at(state.water, to) + state.canteen(to)
        given = min(self.amount, state.water[seat], room)
        return replace(state, water=with_water(state, {seat: -given, to: given}))


class PassEquipment(DesertAction, frozen=True):
    """Pass an equipment card to a player on your tile, at any time and for free."""

    button_text = marked("Pass {card} to {to}")
    report_text = marked("{name} passes {card} to {to}.")
    symbol = "give"
    any_time = True
    rule = SHARE
    to: SeatId
    card: Equipment

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        for other in other_seats(state.seats, seat):
            yield from (cls(other, card) for card in state.equipment[seat])

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := interruption(state):
            return refusal
        if self.card not in state.equipment[seat]:
            return Refusal(SHARE, say("That player does not have {card}.", card=printed_name(self.card)))
        if SEAT_INDEX[self.to] not in state.companions(seat):
            return Refusal(SHARE, "Both pawns must be on the same tile.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        to = SEAT_INDEX[self.to]
        state = replace(state, equipment=with_cards(state, seat, without(state.equipment[seat], self.card)))
        cards = (*needed_at(state.equipment, to), self.card)
        return replace(state, equipment=with_cards(state, to, cards))
