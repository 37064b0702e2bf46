"""Gear: equipment cards. The owner of a card plays it without spending an action, and the card leaves the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, Value
from engine.games.forbidden_desert.adventurers import begin_look
from engine.games.forbidden_desert.components import (
    BLOCKED,
    INDEX,
    SPACES,
    STORM_TRACKER,
    WATER_FROM_WELL,
    Equipment,
    Space,
    at_start,
    printed,
)
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
from engine.kit.chance import Chance
from engine.kit.entries import without
from engine.kit.ruleset import Refusal

THROTTLED_ACTIONS = 2


def cannot_play(state: DesertState, seat: int, card: Equipment) -> Refusal | None:
    """Return the reason why `seat` cannot play an equipment card now, or None (FD-R11)."""
    if refusal := interruption(state):
        return refusal
    if card not in state.equipment[seat]:
        return Refusal(GEAR, say("That player does not have {card}.", card=printed(card)))
    return None


def spent(state: DesertState, seat: int, card: Equipment) -> DesertState:
    """Return `state` after `seat` has used up `card`."""
    return replace(
        state,
        equipment=with_cards(state, seat, without(state.equipment[seat], card)),
        equipment_used=(*state.equipment_used, card),
    )


class PlayDuneBlaster(DesertAction, frozen=True):
    """Dune Blaster: remove all sand from your tile or an adjacent one (the Explorer: diagonally too)."""

    type = "play_dune_blaster"
    title = "Dune Blaster"
    button_text = marked("Dune Blaster: {place}")
    report_text = marked("{name} plays Dune Blaster on {place}.")
    symbol = "blast"
    any_time = True
    rule = GEAR
    tile: Space

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if "dune_blaster" in state.equipment[seat]:
            yield from map(cls, (state.pawns[seat], *near(state, seat)[state.pawns[seat]]))

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := cannot_play(state, seat, "dune_blaster"):
            return refusal
        if not is_within_reach(state, seat, self.tile):
            here = printed(state.pawns[seat])
            return Refusal(
                GEAR, say("{place} is not within reach of {here}.", place=at_start(printed(self.tile)), here=here)
            )
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        state = spent(state, seat, "dune_blaster")
        return settle(with_sand(state, self.tile, state.tile(self.tile).sand))

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        return {"place": state.place_name(self.tile)}


class PlayJetPack(DesertAction, frozen=True):
    """Jet Pack: fly to any unblocked tile, alone or with one other player from your tile."""

    type = "play_jet_pack"
    title = "Jet Pack"
    symbol = "jet"
    any_time = True
    rule = GEAR
    to: Space
    passenger: SeatId | None = None

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if "jet_pack" not in state.equipment[seat]:
            return
        along = [None, *(SEAT_IDS[other] for other in state.companions(seat))]
        for to in SPACES:
            yield from (cls(to, other) for other in along)

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := cannot_play(state, seat, "jet_pack"):
            return refusal
        tile = state.board[INDEX[self.to]]
        if tile is None:
            return Refusal(GEAR, "You cannot fly into the storm.")
        if self.to == state.pawns[seat]:
            return Refusal(GEAR, "The pawn is already there.")
        if tile.sand >= BLOCKED:
            return Refusal(GEAR, lambda: say("{place} is blocked.", place=at_start(printed(self.to))))
        if self.passenger is not None and SEAT_INDEX[self.passenger] not in state.companions(seat):
            return Refusal(GEAR, "The passenger must be another player on the same tile.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        who = (seat,) if self.passenger is None else (seat, SEAT_INDEX[self.passenger])
        return settle(replace(spent(state, seat, "jet_pack"), pawns=with_pawns(state, self.to, *who)))

    def label(self, state: DesertState, names: Sequence[str]) -> str:
        place = state.place_name(self.to)
        if self.passenger is None:
            return say("Jet Pack: {place}", place=place)
        return say("Jet Pack: {place} with {other}", place=place, other=names[SEAT_INDEX[self.passenger]])

    def describe(self, state: DesertState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        name, place = names[seat], state.place_name(self.to)
        if self.passenger is None:
            return say("{name} plays Jet Pack: to {place}.", name=name, place=place)
        return say(
            "{name} plays Jet Pack: to {place} with {other}.",
            name=name,
            place=place,
            other=names[SEAT_INDEX[self.passenger]],
        )


class PlaySolarShield(DesertAction, frozen=True):
    """Solar Shield: until your next turn, you and everyone on your tile need not drink when the sun beats down."""

    type = "play_solar_shield"
    report_text = marked("{name} plays Solar Shield.")
    title = "Solar Shield"
    symbol = "shield"
    any_time = True
    rule = GEAR

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if "solar_shield" in state.equipment[seat]:
            yield cls()

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        return cannot_play(state, seat, "solar_shield")

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        shielded = (*state.shielded[:seat], True, *state.shielded[seat + 1 :])
        return replace(spent(state, seat, "solar_shield"), shielded=shielded)


class PlayTerrascope(DesertAction, frozen=True):
    """Terrascope: look under any tile that has not been excavated."""

    type = "play_terrascope"
    title = "Terrascope"
    symbol = "eye"
    any_time = True
    rule = GEAR
    asks_chance = True
    tile: Space

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        return map(cls, SPACES) if "terrascope" in state.equipment[seat] else ()

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := cannot_play(state, seat, "terrascope"):
            return refusal
        tile = state.board[INDEX[self.tile]]
        if tile is None:
            return Refusal(GEAR, "The storm is there: there is no tile.")
        return Refusal(GEAR, "This tile is already excavated.") if tile.is_excavated else None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        tile = state.tile(self.tile)
        seen = chance.draw("tile", state.may_be(tile))
        board = with_tile(state, self.tile, replace(tile, city_side=seen))
        return replace(spent(state, seat, "terrascope"), board=board)

    def label(self, state: DesertState, names: Sequence[str]) -> str:
        return say("Terrascope: {place}", place=state.place_name(self.tile))

    def describe(self, state: DesertState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say(
            "{name} plays Terrascope at {place} and sees: {found}.",
            name=names[seat],
            place=printed(self.tile),
            found=printed(str(outcomes[0])),
        )


class PlaySecretWaterReserve(DesertAction, frozen=True):
    """Secret Water Reserve: everyone on your tile gets 2 water."""

    type = "play_secret_water_reserve"
    report_text = marked("{name} plays Secret Water Reserve.")
    title = "Secret Water Reserve"
    symbol = "drop"
    any_time = True
    rule = GEAR

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if "secret_water_reserve" in state.equipment[seat]:
            yield cls()

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        return cannot_play(state, seat, "secret_water_reserve")

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        gains = dict.fromkeys((seat, *state.companions(seat)), WATER_FROM_WELL)
        return replace(spent(state, seat, "secret_water_reserve"), water=with_water(state, gains))


class PlayTimeThrottle(DesertAction, frozen=True):
    """Time Throttle: 2 more actions this turn, before its first storm card is revealed."""

    type = "play_time_throttle"
    title = "Time Throttle"
    button_text = marked("Time Throttle: {count} more actions for {active}")
    report_text = marked("{name} plays Time Throttle: {count} more actions for {active}.")
    symbol = "hourglass"
    any_time = True
    rule = GEAR

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if "time_throttle" in state.equipment[seat]:
            yield cls()

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := cannot_play(state, seat, "time_throttle"):
            return refusal
        if seat != state.active and state.options.time_throttle == "own_turn":
            return Refusal(GEAR, "At this table, you can only play Time Throttle on your own turn.")
        if state.storm_left is not None:
            return Refusal(GEAR, "The storm has begun: no more actions this turn.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        state = spent(state, seat, "time_throttle")
        return settle(replace(state, actions_left=state.actions_left + THROTTLED_ACTIONS))

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        return {"count": THROTTLED_ACTIONS, "active": names[state.active]}


class PlayStormTracker(DesertAction, frozen=True):
    """Storm Tracker: look at as many storm cards as the storm level says, and put one of them at the bottom."""

    type = "play_storm_tracker"
    report_text = marked("{name} plays Storm Tracker and looks at the top storm cards.")
    title = "Storm Tracker"
    symbol = "storm"
    any_time = True
    rule = GEAR

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if STORM_TRACKER in state.equipment[seat]:
            yield cls()

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        return cannot_play(state, seat, STORM_TRACKER)

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return settle(replace(begin_look(spent(state, seat, STORM_TRACKER), seat), must_place=True))
