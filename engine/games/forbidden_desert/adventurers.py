"""Meet the Adventurers: the special actions of the Meteorologist, the Navigator and the Water Carrier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, other_seats
from engine.games.forbidden_desert.components import MOST_STORM_CARDS, WATER_FROM_WELL, Role, Space, printed_name
from engine.games.forbidden_desert.headings import ADVENTURERS
from engine.games.forbidden_desert.movement import can_climb, climbs, guided_spaces
from engine.games.forbidden_desert.state import DesertState, replace, with_water
from engine.games.forbidden_desert.turn import DesertAction, no_action, settle, spend_action
from engine.kit.chance import Chance
from engine.kit.effects import needed_at
from engine.kit.ruleset import Refusal

MOST_SEEN = 6
"""Maximum number of storm cards in a look, reached at the strongest storm."""


def _no_power(state: DesertState, seat: int, role: Role, refused: str) -> Refusal | None:
    """Return the reason why `seat` cannot use the power of `role` now, or None.

    For any other role, the reason is `refused`.
    """
    if refusal := no_action(state, seat):
        return refusal
    return None if state.roles[seat] is role else Refusal(ADVENTURERS, refused)


class WeakenStorm(DesertAction, frozen=True):
    """The Meteorologist spends an action so that one storm card fewer is drawn this turn."""

    verb = "weaken the storm"
    button_text = marked("Draw one storm card fewer this turn")
    report_text = marked("{name} will draw one storm card fewer.")
    rule = ADVENTURERS

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        return _no_power(state, seat, Role.METEOROLOGIST, marked("Only the Meteorologist can weaken the storm."))

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        # Limited, because out of turn it costs no action and could be repeated.
        return spend_action(replace(state, weakened=min(state.weakened + 1, MOST_STORM_CARDS)), seat)


class Forecast(DesertAction, frozen=True):
    """The Meteorologist looks at as many storm cards as the storm level says."""

    verb = "look at storm cards"
    button_text = marked("Look at the top storm cards")
    report_text = marked("{name} looks at the top storm cards.")
    rule = ADVENTURERS

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        return _no_power(state, seat, Role.METEOROLOGIST, marked("Only the Meteorologist can look at the storm deck."))

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return spend_action(begin_look(state, seat), seat)


def begin_look(state: DesertState, seat: int) -> DesertState:
    """Return `state` after `seat` starts to look at the top storm cards; at all cards if there are fewer (FD-R23)."""
    return replace(state, watcher=seat, looks_left=min(state.storm_level, len(state.storm_pile)))


def end_look(state: DesertState, bottom: int | None = None) -> DesertState:
    """Return `state` with the seen storm cards back on top; card number `bottom` (from 1) goes to the bottom."""
    pile = state.storm_pile
    for position in range(len(state.seen), 0, -1):
        if position != bottom:
            pile = pile.put_on_top(state.seen[position - 1])
    if bottom is not None:
        pile = pile.put_at_bottom(needed_at(state.seen, bottom - 1))
    return settle(replace(state, storm_pile=pile, seen=(), watcher=None, must_place=False))


def keep_look(before: DesertState, after: DesertState) -> DesertState:
    """Return the state `after` an illegal action that interrupted another player's look, with that look restored.

    Cards that only the interrupting player saw go back on top. When all cards are back, the look ends.
    """
    pile, seen = after.storm_pile, after.seen[: len(before.seen)]
    for card in reversed(after.seen[len(before.seen) :]):
        pile = pile.put_on_top(card)
    is_over = not (seen or before.looks_left)
    return replace(
        after,
        storm_pile=pile,
        seen=seen,
        watcher=None if is_over else before.watcher,
        looks_left=before.looks_left,
        must_place=before.must_place and not is_over,
    )


class LookAtStormCard(DesertAction, frozen=True):
    """Look at the next storm card."""

    verb = "look at a storm card"
    button_text = marked("Look at the next storm card")
    report_text = marked("{name} sees {result}.")
    symbol = "eye"
    rule = ADVENTURERS
    asks_chance = True

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if state.watcher != seat:
            return Refusal(ADVENTURERS, "That player is not looking at the storm deck.")
        return None if state.looks_left else Refusal(ADVENTURERS, "All of the cards have been seen.")

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        card, pile = state.storm_pile.draw(chance, "storm_card")
        return settle(replace(state, storm_pile=pile, seen=(*state.seen, card), looks_left=state.looks_left - 1))


class PlaceStormCards(DesertAction, frozen=True):
    """Put one of the seen cards at the bottom of the storm deck, or none, and the others back on top."""

    verb = "put the storm cards back"
    button_text = marked("Put card {bottom} ({card}) at the bottom")
    report_text = marked("{name} puts {card} at the bottom of the storm deck.")
    plain_texts = (marked("Put all of them back on top"), marked("{name} puts the storm cards back on top."))
    rule = ADVENTURERS
    bottom: Annotated[int, Meta(ge=1, le=MOST_SEEN)] | None = None
    """Position of a seen card, from 1 at the top; None: all seen cards go back on top."""

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        yield cls()
        yield from (cls(position) for position in range(1, min(MOST_SEEN, len(state.seen)) + 1))

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if state.watcher != seat or state.looks_left:
            return Refusal(ADVENTURERS, "That player has not looked at the storm deck.")
        if self.bottom is None and state.must_place:
            return Refusal(ADVENTURERS, "One of the cards must go to the bottom.")
        if self.bottom is not None and self.bottom > len(state.seen):
            return Refusal(ADVENTURERS, say("Only {count} cards were looked at.", count=len(state.seen)))
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return end_look(state, self.bottom)

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        card = "" if self.bottom is None else printed_name(state.seen[self.bottom - 1])
        return {"bottom": self.bottom, "card": card}


class Passenger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pawn that the Climber takes along when the Navigator moves him: the pawn's seat and destination."""

    seat: SeatId
    to: Space


class Navigate(DesertAction, frozen=True):
    """The Navigator moves another player up to 3 tiles. The Climber can take others along on the way."""

    verb = "move another pawn"
    button_text = marked("Move {seat} to {to}, taking {passengers}")
    report_text = marked("{name} moves {seat} to {to}, taking {passengers}.")
    plain_texts = (marked("Move {seat} to {to}"), marked("{name} moves {seat} to {to}."))
    symbol = "pawn"
    rule = ADVENTURERS
    seat: SeatId
    to: Space
    passengers: Annotated[tuple[Passenger, ...], Meta(max_length=3)] = ()
    """The players whom the Climber takes along and who end on a different tile, in seat order."""

    def __post_init__(self) -> None:
        if len(self.passengers) > 1:
            in_order = tuple(sorted(self.passengers, key=lambda passenger: passenger.seat))
            msgspec.structs.force_setattr(self, "passengers", in_order)

    @classmethod
    def candidates(cls, state: DesertState, seat: int) -> Iterable[Self]:
        if no_action(state, seat) or state.roles[seat] is not Role.NAVIGATOR:
            return
        for id_ in other_seats(state.seats, seat):
            moved = SEAT_INDEX[id_]
            if state.roles[moved] is not Role.CLIMBER:
                yield from (cls(id_, to) for to in guided_spaces(state, moved))
                continue
            for to, pawns in climbs(state, moved):
                stand = zip(SEAT_IDS, state.pawns, pawns, strict=False)
                yield cls(id_, to, tuple([Passenger(other, end) for other, start, end in stand if start != end]))

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := _no_power(state, seat, Role.NAVIGATOR, marked("Only the Navigator can move other players.")):
            return refusal
        moved = SEAT_INDEX[self.seat]
        if moved == seat or moved >= state.seats:
            return Refusal(ADVENTURERS, "The Navigator can only move another player.")
        if state.roles[moved] is Role.CLIMBER:
            return self._climb_refusal(state, moved)
        if self.passengers:
            return Refusal(ADVENTURERS, "Only the Climber can take other players along.")
        return None if self.to in guided_spaces(state, moved) else self._too_far(state, moved)

    def _climb_refusal(self, state: DesertState, climber: int) -> Refusal | None:
        along = {SEAT_INDEX[passenger.seat] for passenger in self.passengers}
        if len(along) < len(self.passengers) or climber in along or max(along, default=0) >= state.seats:
            return Refusal(ADVENTURERS, "The Climber takes other players along: list each player only once.")
        trips = [(state.pawns[SEAT_INDEX[passenger.seat]], passenger.to) for passenger in self.passengers]
        if any(start == end for start, end in trips):
            return Refusal(ADVENTURERS, "A passenger must end on a different tile.")
        if self.to == state.pawns[climber] and not trips:
            return Refusal(ADVENTURERS, "The pawn is already there.")
        return None if can_climb(state, climber, self.to, trips) else self._too_far(state, climber)

    def _too_far(self, state: DesertState, moved: int) -> Refusal:
        return Refusal(
            ADVENTURERS, say("That tile is more than 3 moves from {here}.", here=printed_name(state.pawns[moved]))
        )

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return spend_action(replace(state, pawns=self._pawns(state)), seat)

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        trips = (
            say("{name} to {place}", name=names[SEAT_INDEX[passenger.seat]], place=state.place_name(passenger.to))
            for passenger in self.passengers
        )
        return {**super().words(state, names), "passengers": say(" and ").join(trips)}

    def _pawns(self, state: DesertState) -> tuple[Space, ...]:
        ends = {SEAT_INDEX[self.seat]: self.to}
        ends.update((SEAT_INDEX[passenger.seat], passenger.to) for passenger in self.passengers)
        return tuple(ends.get(other, space) for other, space in enumerate(state.pawns))


class DrawWater(DesertAction, frozen=True):
    """The Water Carrier takes 2 water from the excavated well under her pawn."""

    verb = "draw water"
    button_text = marked("Draw 2 water from the well")
    report_text = marked("{name} draws water from the well.")
    symbol = "well"
    rule = ADVENTURERS

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if refusal := _no_power(
            state, seat, Role.WATER_CARRIER, marked("Only the Water Carrier can draw water from wells.")
        ):
            return refusal
        tile = state.tile_of(seat)
        if not tile.is_excavated or tile.city_side != "well":
            return Refusal(ADVENTURERS, "The Water Carrier must stand on an excavated well.")
        return None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return spend_action(replace(state, water=with_water(state, {seat: WATER_FROM_WELL})), seat)
