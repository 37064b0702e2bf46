"""Facts about an offer that needs an answer, or a raid in progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forever_island.components import NOTHING, SPEARS, Area, Goods, HutId, printed
from engine.games.forever_island.ending import phase_of
from engine.games.forever_island.facts.players import HutFact, built
from engine.games.forever_island.facts.turn import check_turns
from engine.games.forever_island.headings import RAID
from engine.games.forever_island.state import Exchange, ForeverState, Raid, replace
from engine.kit.facts import CannotBe, Fact, Texts, Told


def _with_pending(state: ForeverState, **pending: Any) -> ForeverState:
    """Return `state` with no pending offer or raid except the given one."""
    check_turns(state)
    state = replace(state, **{"double_up": None, "exchange": None, "raid": None, **pending})
    return replace(state, phase=phase_of(state))


class DoubleUpOffered(HutFact, frozen=True):
    """The hut whose owner is asked to double up, if there is an offer."""

    none = {"hut": None}
    member = "double_up"
    texts = Texts("There is an offer to double up in {hut}.")
    texts_of = {None: Texts("There is no offer to double up.")}
    hut: HutId | None

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        return _with_pending(state, double_up=None if self.hut is None else built(state, self.hut).id)


class ExchangeOffered(Fact[ForeverState], frozen=True):
    """The exchange that is offered to another player, if there is an offer."""

    none = {"partner": None, "give": NOTHING, "take": NOTHING}
    texts = Texts("{name} is offered {give} for {take}.")
    texts_of = {None: Texts("There is no offered exchange.")}
    partner: SeatId | None
    give: Goods = NOTHING
    """Goods from the active player to the partner."""
    take: Goods = NOTHING
    """Goods from the partner to the active player."""

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        if state.exchange is not None:
            yield cls(SEAT_IDS[state.exchange.partner], state.exchange.give, state.exchange.take)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        if self.partner is None:
            return _with_pending(state)
        return _with_pending(state, exchange=Exchange(SEAT_INDEX[self.partner], self.give, self.take))


class RaidIs(Fact[ForeverState], frozen=True):
    """The current raid, if there is one: the Defender, the place, the spears thrown and the guess."""

    none = {"defender": None, "area": None, "spears": None, "guess": None}
    defender: SeatId | None
    area: Area | None = None
    spears: Annotated[int, Meta(ge=0, le=SPEARS)] | None = None
    """Number of spears in the fist, if the fist is open."""
    guess: Annotated[int, Meta(ge=0, le=SPEARS)] | None = None

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        raid = state.raid
        if raid is not None:
            yield cls(SEAT_IDS[raid.defender], raid.area, raid.spears, raid.guess)

    @classmethod
    def shown(cls, state: ForeverState, viewer: int | None) -> Iterable[Self]:
        if state.phase != "guess" or viewer == state.active:
            return cls.all(state)
        return (msgspec.structs.replace(raid, spears=None) for raid in cls.all(state))

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        if self.defender is None or self.area is None:
            if (self.defender, self.area, self.spears, self.guess) != (None, None, None, None):
                raise CannotBe("A raid needs a Defender and a place.", RAID)
            return _with_pending(state)
        defender = SEAT_INDEX[self.defender]
        if self.spears is None:
            return _with_pending(state, raid=Raid(defender, self.area, guess=self.guess))
        if self.guess is None:
            raise CannotBe("The spears in the fist are shown only after the guess.", RAID)
        loser = state.active if self.guess == self.spears else defender
        raid = Raid(defender, self.area, self.spears, guess=self.guess, loser=loser, losses=self.spears)
        return _with_pending(state, raid=raid)

    def sentence(self, names: Sequence[str]) -> str:
        if self.defender is None or self.area is None:
            return say("There is no raid.")
        told = [say("{name} is being raided on {area}", name=names[SEAT_INDEX[self.defender]], area=printed(self.area))]
        if self.guess is not None:
            told.append(say("with a guess of {guess}", guess=self.guess))
        if self.spears is not None:
            told.append(say("with {spears} in the fist", spears=self.spears))
        return f"{', '.join(told)}."
