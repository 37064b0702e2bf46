"""1. Take up to 3 actions: move (including flights and the Navigator's moves of others), shore up, give a card, capture
a treasure.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from itertools import combinations
from typing import Annotated, ClassVar, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, SeatId, other_seats
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Power, Tile, Treasure, printed_name
from engine.games.forbidden_island.headings import CAPTURE, GIVE, HAND_LIMIT, MOVE, PAWNS, SHORE_UP, TAKE_ACTIONS
from engine.games.forbidden_island.movement import can_move, move_targets, navigate_targets
from engine.games.forbidden_island.state import IslandState, add_card, replace
from engine.games.forbidden_island.turn import IslandAction, settle, spend_action
from engine.kit.chance import Chance
from engine.kit.effects import needed_at
from engine.kit.entries import with_entry, without
from engine.kit.ruleset import Refusal

_NOT_YOUR_TURN = Refusal(TAKE_ACTIONS, "It is another player's turn.")
_NOT_NOW = Refusal(TAKE_ACTIONS, "You cannot take an action now.")
_OTHER_PHASE = {
    "draw_treasure": Refusal(TAKE_ACTIONS, "The actions of this turn are over. Draw two cards now."),
    "draw_flood": Refusal(TAKE_ACTIONS, "The actions of this turn are over. Draw Flood cards now."),
    "discard": Refusal(HAND_LIMIT, "A player has more than 5 cards and must discard first."),
    "swim": Refusal(PAWNS, "A pawn is in the water and must swim first."),
}


class TurnAction(IslandAction, frozen=True):
    """Base of the actions that cost the active player an action."""

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if seat != state.active:
            return _NOT_YOUR_TURN
        return self.fault(state, seat) if state.phase == "actions" else _OTHER_PHASE.get(state.phase, _NOT_NOW)

    @abstractmethod
    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        """Return the reason why the active player cannot take this action, or None."""


def _no_place(state: IslandState, to: Tile) -> Refusal:
    """Return the reason why no pawn can go to `to`: the tile has sunk, or the pawn is already there."""
    if to in state.sunk:
        return Refusal(MOVE, say("{tile} has sunk.", tile=printed_name(to)))
    return Refusal(MOVE, "The pawn is already there.")


class Move(TurnAction, frozen=True):
    """Move your pawn to an adjacent tile. The Explorer can also move diagonally, and the Diver through water."""

    verb = "move"
    button_text = marked("Move to {to}")
    report_text = marked("{name} moves to {to}.")
    symbol = "walk"
    rule = MOVE
    to: Tile

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, move_targets(state, seat))

    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        if self.to in state.sunk or self.to == state.pawns[seat]:
            return _no_place(state, self.to)
        if can_move(state, seat, self.to):
            return None
        told = {"tile": printed_name(self.to), "here": printed_name(state.pawns[seat])}
        return Refusal(MOVE, say("{tile} is more than one move from {here}.", **told))

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return spend_action(replace(state, pawns=with_entry(state.pawns, seat, self.to)), seat)


class Fly(TurnAction, frozen=True):
    """The Pilot flies to any tile, once per turn."""

    verb = "fly"
    button_text = marked("Fly to {to}")
    report_text = marked("{name} flies to {to}.")
    symbol = "helicopter"
    rule = MOVE
    to: Tile

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, state.island())

    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        if state.power(seat) is not Power.FLY:
            return Refusal(MOVE, "Only the Pilot can fly.")
        if state.has_flown:
            return Refusal(MOVE, "The Pilot flies once per turn.")
        return _no_place(state, self.to) if self.to in state.sunk or self.to == state.pawns[seat] else None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return spend_action(replace(state, pawns=with_entry(state.pawns, seat, self.to), has_flown=True), seat)


class Navigate(TurnAction, frozen=True):
    """The Navigator moves another player's pawn up to 2 adjacent tiles."""

    verb = "move another pawn"
    button_text = marked("Move {seat} to {to}")
    report_text = marked("{name} moves {seat} to {to}.")
    symbol = "pawn"
    rule = MOVE
    seat: SeatId
    to: Tile

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        if state.power(seat) is Power.MOVE_OTHERS:
            for other in other_seats(len(state.roles), seat):
                for to in navigate_targets(state, SEAT_INDEX[other]):
                    yield cls(other, to)

    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        if state.power(seat) is not Power.MOVE_OTHERS:
            return Refusal(MOVE, "Only the Navigator can move other players.")
        if self.seat not in other_seats(len(state.roles), seat):
            return Refusal(MOVE, "The Navigator can only move another player.")
        other = SEAT_INDEX[self.seat]
        if self.to not in navigate_targets(state, other):
            told = {"tile": printed_name(self.to), "here": printed_name(state.pawns[other])}
            return Refusal(MOVE, say("{tile} is more than two steps from {here}.", **told))
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        moved = SEAT_INDEX[self.seat]
        needed_at(state.pawns, moved)
        return spend_action(replace(state, pawns=with_entry(state.pawns, moved, self.to)), seat)


def not_flooded(state: IslandState, tile: Tile) -> str:
    """Return the message that a tile cannot be shored up because it is not flooded."""
    if tile in state.sunk:
        return say("{tile} has sunk.", tile=printed_name(tile))
    return say("{tile} is not flooded.", tile=printed_name(tile))


class ShoreUp(TurnAction, frozen=True):
    """Shore up a flooded tile, adjacent or under your pawn. The Engineer can shore up one or two."""

    verb = "shore up"
    button_text = marked("Shore up {tiles}")
    report_text = marked("{name} shores up {tiles}.")
    words_of = {"tiles": lambda tiles: say(" and ").join(map(printed_name, tiles))}
    symbol = "shore"
    rule = SHORE_UP
    tiles: Annotated[tuple[Tile, ...], Meta(min_length=1, max_length=2)]

    def __post_init__(self) -> None:
        if len(self.tiles) == 2 and self.tiles[0] > self.tiles[1]:
            msgspec.structs.force_setattr(self, "tiles", self.tiles[::-1])

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        within_reach = sorted(state.flooded & (state.tiles_near(seat) | {state.pawns[seat]}))
        yield from (cls((tile,)) for tile in within_reach)
        if state.power(seat) is Power.SHORE_UP_TWO:
            yield from map(cls, combinations(within_reach, 2))

    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        tiles = self.tiles
        if len(tiles) == 2:
            if state.power(seat) is not Power.SHORE_UP_TWO:
                return Refusal(SHORE_UP, "Only the Engineer can shore up 2 tiles for 1 action.")
            if tiles[0] == tiles[1]:
                return Refusal(SHORE_UP, "Choose two different tiles.")
        for tile in tiles:
            if tile not in state.flooded:
                return Refusal(SHORE_UP, not_flooded(state, tile))
            if tile != state.pawns[seat] and not state.is_near(seat, tile):
                told = {"tile": printed_name(tile), "here": printed_name(state.pawns[seat])}
                return Refusal(SHORE_UP, say("{tile} is not within reach of {here}.", **told))
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return spend_action(replace(state, flooded=state.flooded.difference(self.tiles)), seat)


class GiveCard(TurnAction, frozen=True):
    """Give a treasure card to a player on your tile. The Messenger can give it to anyone."""

    verb = "give a card"
    button_text = marked("Give {card} to {to}")
    report_text = marked("{name} gives {card} to {to}.")
    symbol = "give"
    rule = GIVE
    to: SeatId
    card: Treasure

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        for to in other_seats(len(state.roles), seat):
            for card in box.TREASURES:
                if card in state.hands[seat]:
                    yield cls(to, card)

    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        if self.to not in other_seats(len(state.roles), seat):
            return Refusal(self.rule, "You can only give a card to another player.")
        if self.card not in state.hands[seat]:
            return Refusal(self.rule, say("There is no {card} in that hand.", card=printed_name(self.card)))
        if state.power(seat) is not Power.GIVE_ANYWHERE and state.pawns[SEAT_INDEX[self.to]] != state.pawns[seat]:
            return Refusal(self.rule, "Both pawns must be on the same tile.")
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        to = SEAT_INDEX[self.to]
        state = replace(state, hands=with_entry(state.hands, seat, without(state.hands[seat], self.card)))
        hand = add_card(needed_at(state.hands, to), self.card)
        return settle(spend_action(replace(state, hands=with_entry(state.hands, to, hand)), seat))


class CaptureAction(TurnAction, frozen=True):
    """Base of the actions with which the team gets a treasure."""

    symbol = "check"
    param: ClassVar[str]
    """The param with the treasure."""

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, box.TREASURES)

    def fault(self, state: IslandState, seat: int) -> Refusal | None:
        treasure: Treasure = getattr(self, self.param)
        if treasure in state.captured:
            return Refusal(self.rule, lambda: say("The team already has {treasure}.", treasure=printed_name(treasure)))
        if state.pawns[seat] not in box.SITES[treasure]:
            return Refusal(self.rule, lambda: _sites_text(treasure))
        if state.hands[seat].count(treasure) < box.CARDS_TO_CAPTURE:
            told = {"count": box.CARDS_TO_CAPTURE, "treasure": printed_name(treasure)}
            return Refusal(self.rule, lambda: say("Capturing it takes {count} cards of {treasure}.", **told))
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        treasure: Treasure = getattr(self, self.param)
        # If the players captured it with fewer cards, they discarded those.
        count = min(box.CARDS_TO_CAPTURE, state.hands[seat].count(treasure))
        state = replace(
            state,
            hands=with_entry(state.hands, seat, without(state.hands[seat], treasure, count)),
            treasure_discard=state.treasure_discard + (treasure,) * count,
            captured=(*state.captured, treasure),
        )
        return spend_action(state, seat)


def _sites_text(treasure: Treasure) -> str:
    sites = say(" or ").join(map(printed_name, box.SITES[treasure]))
    return say("{treasure} is found on {sites}.", treasure=printed_name(treasure), sites=sites)


class CaptureTreasure(CaptureAction, frozen=True):
    """Capture a treasure on one of its two tiles for 4 matching cards."""

    verb = "capture a treasure"
    button_text = marked("Capture {treasure}")
    report_text = marked("{name} captures {treasure}!")
    rule = CAPTURE
    param = "treasure"
    treasure: Treasure
