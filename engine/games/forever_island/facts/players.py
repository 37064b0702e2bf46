"""Belongings of the players: huts, canoes and resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Area, Goods, HutId, Resource, Shore, resource_noun
from engine.games.forever_island.facts.atoll import ForeverFact, to_pile
from engine.games.forever_island.headings import BUILD
from engine.games.forever_island.state import ForeverState, Hut, replace
from engine.kit.common_facts import IsAmong
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.words import counted


class HutIs(ForeverFact, frozen=True):
    """The shore on which a hut stands, or none if it is not on the board."""

    title = marked("Huts")
    ask = marked("Tap the shore of each hut of {what}.")
    none = {"shore": "not_built"}
    moves_things = True
    texts = Texts("{hut} stands on {shore}.", "{hut} no longer stands on {shore}.")
    texts_of = {"not_built": Texts("{hut} is not on the board.", "{hut} is on the board now.")}
    hut: HutId
    shore: Literal["not_built", Shore]

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return (cls(hut.id, hut.shore) for hut in state.every_hut())

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        self.require(box.OWNER[self.hut] < len(state.huts), "No player owns the huts of that colour.")
        hut = state.hut(self.hut)
        if self.shore == "not_built":
            return state if hut is None else _cast_off(state, hut, told).remove_hut(replace(hut, docked=None))
        return state.with_hut(Hut(self.hut, self.shore, 0) if hut is None else replace(hut, shore=self.shore))


def hut_on_board(state: ForeverState, id_: HutId) -> Hut:
    """Return the hut with that id, which must be on the board."""
    hut = state.hut(id_)
    if hut is None:
        raise CannotBe("That hut is not on the board.")
    return hut


class CanoesAt(ForeverFact, frozen=True):
    """The number of a player's undocked canoes on a shore or on the Volcano."""

    about = ("seat", "area")
    title = marked("Canoes")
    ask = marked("Tap the place of each canoe of {what}.")
    none = {"count": 0}
    moves_things = True
    texts = Texts("{name} has {canoes} on {area}.", "{name} no longer has {canoes} on {area}.")
    texts_of = {0: Texts("{name} has {canoes} on {area}.", "{name} has a canoe on {area} now.")}
    seat: SeatId
    area: Area
    count: Annotated[int, Meta(ge=0, le=box.CANOES)] = 1

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        for seat, canoes in zip(SEAT_IDS, state.canoes, strict=False):
            yield from (cls(seat, area, count) for area, count in sorted(Counter(canoes).items()))

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        seat = SEAT_INDEX[self.seat]
        while (afloat := state.canoes[seat].count(self.area)) > self.count:
            state = state.remove_canoe(seat, self.area)
        for _ in range(self.count - afloat):
            state = _require_canoe(state, seat).launch(seat, self.area)
        return state

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "canoes": counted(self.count, "undocked canoe", none="no")}


def _require_canoe(state: ForeverState, seat: int) -> ForeverState:
    """Return `state` if `seat` has a canoe beside the board; otherwise reject the fact."""
    if state.canoe_count(seat) == box.CANOES:
        no_more = marked("All {count} canoes of that colour are on the board. Also report where there are fewer.")
        raise CannotBe(say(no_more, count=box.CANOES), BUILD)
    return state


class DockedIn(ForeverFact, frozen=True):
    """The owner of the canoe docked in a hut."""

    title = marked("Docked canoes")
    ask = marked("Tap each hut with a canoe in it until you see the owner of the canoe.")
    none = {"seat": None}
    moves_things = True
    texts = Texts("{canoe} is docked in {hut}.", "{canoe} is no longer docked in {hut}.")
    texts_of = {None: Texts("{canoe} is docked in {hut}.", "A canoe is docked in {hut} now.")}
    hut: HutId
    seat: SeatId | None

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return (cls(hut.id, SEAT_IDS[hut.docked]) for hut in state.every_hut() if hut.docked is not None)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        hut = hut_on_board(state, self.hut)
        state = _cast_off(state, hut, told)
        if self.seat is None:
            return state
        seat = SEAT_INDEX[self.seat]
        if hut.shore in state.canoes[seat] and not told.speaks_of(CanoesAt, self.seat, hut.shore):
            state = state.remove_canoe(seat, hut.shore)
        return _require_canoe(state, seat).with_hut(replace(hut, docked=seat))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        canoe = say("No canoe") if self.seat is None else say("{name}'s canoe", name=names[SEAT_INDEX[self.seat]])
        return {**super().words(names), "canoe": canoe}


def _cast_off(state: ForeverState, hut: Hut, told: Told) -> ForeverState:
    """Undock the canoe in `hut`, and return the state. If `told` reports the canoes on the shore, add none there."""
    if hut.docked is None:
        return state
    state = state.with_hut(replace(hut, docked=None))
    return state if told.speaks_of(CanoesAt, SEAT_IDS[hut.docked], hut.shore) else state.launch(hut.docked, hut.shore)


class HasGoods(ForeverFact, frozen=True):
    """The number of tokens of a resource in front of a player."""

    about = ("seat", "resource")
    title = marked("Resources")
    none = {"count": 0}
    moves_things = True
    texts = Texts("{name} has {goods}.", "{name} no longer has {goods}.")
    texts_of = {0: Texts("{name} has {goods}.", "{name} has {resources} now.")}
    seat: SeatId
    resource: Resource
    count: box.Count = 1

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        for seat, hand in zip(SEAT_IDS, state.hands, strict=False):
            yield from (cls(seat, resource, hand.of(resource)) for resource in box.RESOURCES if hand.of(resource))

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        seat, resource = SEAT_INDEX[self.seat], self.resource
        hand = state.hands[seat]
        state = to_pile(state, resource, hand.of(resource) - self.count)
        return state.with_hand(seat, replace(hand, **{resource: self.count}))

    def words(self, names: Sequence[str]) -> dict[str, str]:
        resources = resource_noun(self.resource, 2)
        goods = str(Goods(**{self.resource: self.count})) if self.count else say("no {resources}", resources=resources)
        return {"name": names[SEAT_INDEX[self.seat]], "goods": goods, "resources": resources}


class IsOut(IsAmong[ForeverState], frozen=True):
    """True if a player is eliminated: they have no huts or canoes."""

    member = "eliminated"
    is_derived = True
    texts = Texts("{name} is eliminated.")
    texts_of = {False: Texts("{name} is not eliminated.")}
    seat: SeatId
    yes: bool = True
