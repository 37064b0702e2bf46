"""Trading: double up, convert, exchange. Only the active player makes offers. Play then waits for the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any, ClassVar, Literal, Self

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Goods, Island, Resource, resource_noun
from engine.games.forever_island.disasters import reap
from engine.games.forever_island.ending import resolve
from engine.games.forever_island.gameplay import ForeverAction, HutAction, TurnAction, no_action
from engine.games.forever_island.headings import TRADE
from engine.games.forever_island.state import Exchange, ForeverState, replace
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.entries import with_entry
from engine.kit.ranges import members
from engine.kit.ruleset import Refusal


class OfferDoubleUp(HutAction, frozen=True):
    """Offer to double up with the owner of the hut where your canoe is docked."""

    button_text = marked("Offer to double up in {hut}")
    report_text = marked("{name} offers to double up in {hut}.")
    rule = TRADE
    involves_others = True

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(hut.id) for hut in state.docked_huts(seat))

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        hut = state.hut(self.hut)
        if hut is None or hut.docked != seat:
            return Refusal(TRADE, "No canoe of yours is docked there.")
        if box.OWNER[self.hut] == seat:
            return Refusal(TRADE, "You can only double up in another player's hut.")
        at = box.ISLAND_INDEX[hut.shore]
        if box.ISLANDS[at] in state.doubled:
            return Refusal(TRADE, "That island was already used to double up this turn.")
        if not state.fertility[at]:
            return Refusal(TRADE, "There is nothing on that island.")
        if not state.piles.of(box.RESOURCE_OF[at]):
            resources = resource_noun(box.RESOURCE_OF[at], 2)
            empty = marked("The pile of {resources} is empty: there is nothing to double with.")
            return Refusal(TRADE, say(empty, resources=resources))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return replace(state, phase="double_up", double_up=needed(state.hut(self.hut)).id)


class _Answer(ForeverAction, frozen=True):
    """Base of the answers to an offer."""

    rule = TRADE
    offer: ClassVar[Literal["double_up", "exchange"]]
    """The name of the phase, and of the member of the state that has the offer."""

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if getattr(state, self.offer) is None:
            return Refusal(TRADE, "There is no such offer to answer.")
        return None if state.awaited_seats() == (seat,) else Refusal(TRADE, "The offer was made to another player.")

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return replace(state, phase="actions", **{self.offer: None})

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"name": names[state.active]}


class AcceptDoubleUp(_Answer, frozen=True):
    """Double up: take one resource from the island and an equal one from the pile. Each of the two players gets one."""

    verb = "accept"
    button_text = marked("Double up with {name}")
    report_text = marked("{pair} double up on {island}: a {resource} each.")
    offer = "double_up"

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        island = _offered_island(state)
        state = state.gain(seat, box.ONE[box.RESOURCE_OF[box.ISLAND_INDEX[island]]])
        state = replace(state, phase="actions", double_up=None, doubled=(*state.doubled, island))
        return resolve(reap(state, state.active, island))

    def reaped_islands(self, state: ForeverState) -> tuple[Island]:
        return (_offered_island(state),)

    def report_words(self, state: ForeverState, seat: int, names: Sequence[str]) -> dict[str, Any]:
        pair = say("{name} and {partner}", name=names[state.active], partner=names[seat])
        return {**super().report_words(state, seat, names), "pair": pair}


class DeclineDoubleUp(_Answer, frozen=True):
    """Turn down an offer to double up."""

    verb = "decline"
    offer = "double_up"
    button_text = marked("Do not double up with {name}")
    report_text = marked("{name} does not double up.")


def _offered_island(state: ForeverState) -> Island:
    """Return the island of the offered double up."""
    return box.ISLAND_OF[needed(state.hut(needed(state.double_up))).shore]


class Convert(TurnAction, frozen=True):
    """Exchange two equal resources from your hand for one of another kind."""

    button_text = marked("Convert 2 {give} into a {take}")
    report_text = marked("{name} converts 2 {give} into a {take}.")
    rule = TRADE
    give: Resource
    take: Resource

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(give, take) for give, take in permutations(box.RESOURCES, 2))

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        if self.give == self.take:
            return Refusal(TRADE, "Convert them into another kind of resource.")
        if not state.hands[seat] >= Goods(**{self.give: 2}):
            return Refusal(TRADE, "It takes two resources of the same kind.")
        if not state.piles.of(self.take):
            return Refusal(TRADE, say("The pile of {resources} is empty.", resources=resource_noun(self.take, 2)))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return state.pay(seat, Goods(**{self.give: 2})).gain(seat, box.ONE[self.take])

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"give": resource_noun(self.give, 2), "take": resource_noun(self.take)}


class OfferExchange(TurnAction, frozen=True):
    """Offer another player an exchange of resources from your hands. One side may be empty."""

    verb = "trade"
    button_text = marked("Offer {partner} {give} for {take}")
    report_text = marked("{name} offers {partner} {give} for {take}.")
    symbol = "give"
    rule = TRADE
    involves_others = True
    partner: SeatId
    give: Goods
    """Goods from your hand."""
    take: Goods
    """Goods from the partner's hand."""

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        """Yield gifts of one resource, and exchanges of one for one; `ranges` describes all offers."""
        if state.phase != "actions" or seat != state.active:
            return
        ones = tuple(box.ONE.values())
        bundles = [*((one, box.NOTHING) for one in ones), *((box.NOTHING, one) for one in ones), *permutations(ones, 2)]
        for partner in _partners(state, seat):
            for give, take in bundles:
                yield cls(SEAT_IDS[partner], give, take)

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        own = state.hands[seat]
        partners = [
            other for other in _partners(state, seat) if own != box.NOTHING or state.hands[other] != box.NOTHING
        ]
        if no_action(state, seat) or not partners:
            return None
        nothing = {"properties": {"give": _up_to(box.NOTHING), "take": _up_to(box.NOTHING)}}
        offers = (
            members(partner={"const": SEAT_IDS[partner]}, give=_up_to(own), take=_up_to(state.hands[partner]))
            for partner in partners
        )
        return {"oneOf": [{**offer, "not": nothing} for offer in offers]}

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        partner = SEAT_INDEX[self.partner]
        if partner == seat or partner >= len(state.hands) or partner in state.eliminated:
            return Refusal(TRADE, "You can only exchange with another player who is not eliminated.")
        if self.give == box.NOTHING == self.take:
            return Refusal(TRADE, "An exchange cannot be empty.")
        if not state.hands[seat] >= self.give:
            return Refusal(TRADE, lambda: say("You do not have {give}.", give=self.give))
        if not state.hands[partner] >= self.take:
            return Refusal(TRADE, lambda: say("Your partner does not have {take}.", take=self.take))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return replace(state, phase="exchange", exchange=Exchange(SEAT_INDEX[self.partner], self.give, self.take))


def _partners(state: ForeverState, seat: int) -> list[int]:
    return [other for other in state.alive() if other != seat]


def _up_to(hand: Goods) -> dict[str, Any]:
    """Return the JSON Schema for goods that can be paid from `hand`."""
    counts = {kind: {"type": "integer", "minimum": 0, "maximum": hand.of(kind)} for kind in box.RESOURCES}
    return {"type": "object", "properties": counts, "additionalProperties": False}


class AcceptExchange(_Answer, frozen=True):
    """Agree to the exchange: the resources change hands."""

    verb = "accept"
    button_text = marked("Take {give} from {name} for {take}")
    report_text = marked("{name} agrees: {give} from {partner} for {take}.")
    offer = "exchange"

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        offer = needed(state.exchange)
        hands = with_entry(state.hands, seat, state.hands[seat] - offer.take + offer.give)
        hands = with_entry(hands, state.active, hands[state.active] - offer.give + offer.take)
        return replace(state, phase="actions", exchange=None, hands=hands)

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        offer = needed(state.exchange)
        return {**super().words(state, names), "give": offer.give, "partner": names[state.active], "take": offer.take}


class DeclineExchange(_Answer, frozen=True):
    """Turn down the exchange."""

    verb = "decline"
    offer = "exchange"
    button_text = marked("Decline {name}'s exchange")
    report_text = marked("{name} declines the exchange.")
