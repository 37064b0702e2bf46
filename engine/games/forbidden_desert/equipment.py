"""Gear: equipment cards. The owner of a card plays it without spending an action, and the card leaves the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.adventurers import begin_look
from engine.games.forbidden_desert.components import Equipment, Space, at_start, printed_name
from engine.games.forbidden_desert.headings import GEAR
from engine.games.forbidden_desert.movement import is_within_reach, near
from engine.games.forbidden_desert.state import (
    DesertState,
    replace,
    with_cards,
    with_pawns,
    with_sand,
    with_tile,
    with_water,
)
from engine.games.forbidden_desert.turn import DesertAction, interruption, settle
from engine.kit.actions import CardAction
from engine.kit.chance import Chance
from engine.kit.entries import with_entry, without
from engine.kit.ruleset import Refusal

THROTTLED_ACTIONS = 2


class EquipmentAction(DesertAction, CardAction[DesertState], frozen=True):
    """Base of the actions that use an equipment card. Its owner can use the card at any time (FD-R11)."""

    any_time = True
    rule = GEAR
    card: ClassVar[Equipment]
    hands = "equipment"

    @classmethod
    def english_title(cls) -> str:
        return box.name_of(cls.card)

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := interruption(state):
            return refusal
        if not self.is_held(state, seat):
            return Refusal(GEAR, say("That player does not have {card}.", card=printed_name(self.card)))
        return self.misplay(state, seat)

    def spend(self, state: DesertState, seat: int) -> DesertState:
        """Return `state` after `seat` has used up the card."""
        equipment = with_cards(state, seat, without(state.equipment[seat], self.card))
        return replace(state, equipment=equipment, equipment_used=(*state.equipment_used, self.card))


class PlayDuneBlaster(EquipmentAction, frozen=True):
    """Dune Blaster: remove all sand from your tile or an adjacent one. The Explorer can also blast diagonally."""

    card = "dune_blaster"
    button_text = marked("Dune Blaster: {tile}")
    report_text = marked("{name} plays Dune Blaster on {tile}.")
    symbol = "blast"
    tile: Space

    @classmethod
    def ways(cls, state: DesertState, seat: int) -> Iterable[Self]:
        return map(cls, (state.pawns[seat], *near(state, seat)[state.pawns[seat]]))

    def misplay(self, state: DesertState, seat: int) -> Refusal | None:
        if is_within_reach(state, seat, self.tile):
            return None
        here = printed_name(state.pawns[seat])
        return Refusal(
            GEAR, say("{place} is not within reach of {here}.", place=at_start(printed_name(self.tile)), here=here)
        )

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return settle(with_sand(self.spend(state, seat), self.tile, state.tile(self.tile).sand))


class PlayJetPack(EquipmentAction, frozen=True):
    """Jet Pack: fly to any unblocked tile, alone or with one other player from your tile."""

    card = "jet_pack"
    button_text = marked("Jet Pack: {to} with {passenger}")
    report_text = marked("{name} plays Jet Pack: to {to} with {passenger}.")
    plain_texts = (marked("Jet Pack: {to}"), marked("{name} plays Jet Pack: to {to}."))
    symbol = "jet"
    to: Space
    passenger: SeatId | None = None

    @classmethod
    def ways(cls, state: DesertState, seat: int) -> Iterable[Self]:
        along = [None, *(SEAT_IDS[other] for other in state.companions(seat))]
        return (cls(to, other) for to in box.SPACES for other in along)

    def misplay(self, state: DesertState, seat: int) -> Refusal | None:
        tile = state.board[box.INDEX[self.to]]
        if tile is None:
            return Refusal(GEAR, "You cannot fly into the storm.")
        if self.to == state.pawns[seat]:
            return Refusal(GEAR, "The pawn is already there.")
        if tile.sand >= box.BLOCKED:
            return Refusal(GEAR, lambda: say("{place} is blocked.", place=at_start(printed_name(self.to))))
        if self.passenger is not None and SEAT_INDEX[self.passenger] not in state.companions(seat):
            return Refusal(GEAR, "The passenger must be another player on the same tile.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return settle(replace(self.spend(state, seat), pawns=with_pawns(state, self.to, seat, self.passenger)))


class PlaySolarShield(EquipmentAction, frozen=True):
    """Solar Shield: until your next turn, you and everyone on your tile need not drink when the sun beats down."""

    card = "solar_shield"
    report_text = marked("{name} plays Solar Shield.")
    symbol = "shield"

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return replace(self.spend(state, seat), shielded=with_entry(state.shielded, seat, entry=True))


class PlayTerrascope(EquipmentAction, frozen=True):
    """Terrascope: look under any tile that has not been excavated."""

    card = "terrascope"
    button_text = marked("Terrascope: {tile}")
    report_text = marked("{name} plays Terrascope at {place} and sees: {result}.")
    symbol = "eye"
    asks_chance = True
    tile: Space

    @classmethod
    def ways(cls, state: DesertState, seat: int) -> Iterable[Self]:
        return map(cls, box.SPACES)

    def misplay(self, state: DesertState, seat: int) -> Refusal | None:
        tile = state.board[box.INDEX[self.tile]]
        if tile is None:
            return Refusal(GEAR, "The storm is on that space, so it has no tile.")
        return Refusal(GEAR, "This tile is already excavated.") if tile.is_excavated else None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        seen = chance.draw("tile", state.may_be(state.tile(self.tile)))
        return with_tile(self.spend(state, seat), self.tile, city_side=seen)

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(state, names), "place": printed_name(self.tile)}


class PlaySecretWaterReserve(EquipmentAction, frozen=True):
    """Secret Water Reserve: everyone on your tile gets 2 water."""

    card = "secret_water_reserve"
    report_text = marked("{name} plays Secret Water Reserve.")
    symbol = "drop"

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        gains = dict.fromkeys((seat, *state.companions(seat)), box.WATER_FROM_WELL)
        return replace(self.spend(state, seat), water=with_water(state, gains))


class PlayTimeThrottle(EquipmentAction, frozen=True):
    """Time Throttle: 2 more actions this turn, before its first storm card is revealed."""

    card = "time_throttle"
    button_text = marked("Time Throttle: {count} more actions for {active}")
    report_text = marked("{name} plays Time Throttle: {count} more actions for {active}.")
    symbol = "hourglass"

    def misplay(self, state: DesertState, seat: int) -> Refusal | None:
        if seat != state.active and state.options.time_throttle == "own_turn":
            return Refusal(GEAR, "The options of this game allow Time Throttle only on your own turn.")
        if state.storm_left is not None:
            return Refusal(GEAR, "The storm has begun: no more actions this turn.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return settle(replace(self.spend(state, seat), actions_left=state.actions_left + THROTTLED_ACTIONS))

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        return {"count": THROTTLED_ACTIONS, "active": names[state.active]}


class PlayStormTracker(EquipmentAction, frozen=True):
    """Storm Tracker: look at as many storm cards as the storm level says, and put one of them at the bottom."""

    card = box.STORM_TRACKER
    report_text = marked("{name} plays Storm Tracker and looks at the top storm cards.")
    symbol = "storm"

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return settle(replace(begin_look(self.spend(state, seat), seat), must_place=True))
