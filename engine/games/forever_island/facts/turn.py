"""Facts about the turn: the active player, the actions so far, and a pending offer or raid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Area, Goods, HutId, Island, Shore, printed_name, word
from engine.games.forever_island.ending import has_pieces, phase_of
from engine.games.forever_island.facts.atoll import ForeverFact
from engine.games.forever_island.facts.players import IsOut, hut_on_board
from engine.games.forever_island.headings import PLACEMENT, RAID
from engine.games.forever_island.state import Exchange, ForeverState, Hut, Raid, replace
from engine.kit import common_facts
from engine.kit.common_facts import IsAmong, SeatIs
from engine.kit.facts import CannotBe, Fact, Texts, Told
from engine.kit.words import counted


class PlacedFirst(SeatIs[ForeverState], frozen=True):
    """The player who placed a hut first."""

    title = marked("Initial placement")
    member = "first"
    texts = Texts("{name} places first.")


class TurnIs(common_facts.TurnIs[ForeverState], frozen=True):
    """The number of the current turn, from 1; 0 is the initial placement."""

    texts_of = {0: Texts("This is the initial placement.", "The initial placement is over.")}
    number: Annotated[int, Meta(ge=0, le=100_000)]

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        if state.turn == 0:
            for seat in range(len(state.hands)):
                if not has_pieces(state, seat) and not told.speaks_of(IsOut, SEAT_IDS[seat]):
                    raise CannotBe("Every player must first place a hut.", PLACEMENT)
        huts = tuple(tuple(self._renumber_hut(state, hut) for hut in own) for own in state.huts)
        state = replace(state, turn=self.number, huts=huts)
        if self.number == 0:
            state = replace(state, double_up=None, exchange=None, raid=None)
        return replace(state, phase=phase_of(state))

    def _renumber_hut(self, state: ForeverState, hut: Hut) -> Hut:
        """Shift the turns in which a hut was built and harvested, to match the new current turn."""

        def new_number(turn: int) -> int:
            return self.number if turn == state.turn > 0 else max(0, min(turn, self.number - 1))

        return replace(hut, built=new_number(hut.built), harvested=new_number(hut.harvested))


class WeatherRolled(ForeverFact, frozen=True):
    """True if the weather was rolled this turn."""

    none = {"yes": False}
    texts = Texts("The weather has been rolled this turn.")
    texts_of = {False: Texts("The weather has not been rolled this turn.")}
    yes: bool = True

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        if state.phase not in {"placement", "weather"}:
            yield cls()

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        check_turns(state)
        if self.yes:
            return replace(state, phase="actions")
        return replace(state, phase="weather", double_up=None, exchange=None, raid=None)


def check_turns(state: ForeverState) -> None:
    """Raise `CannotBe` during the initial placement, which has no turns."""
    if state.turn == 0:
        raise CannotBe("There are no turns in the initial placement.", PLACEMENT)


class _HutInThisTurn(ForeverFact, frozen=True):
    """A fact that is true if something happened to a hut in this turn."""

    noted: ClassVar[str]
    """The member of `Hut` that has the turn in which this last happened."""
    none = {"yes": False}
    hut: HutId
    yes: bool = True

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return (cls(hut.id) for hut in state.every_hut() if getattr(hut, cls.noted) == state.turn > 0)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        check_turns(state)
        hut = hut_on_board(state, self.hut)
        return state.with_hut(replace(hut, **{self.noted: state.turn if self.yes else 0}))


class HutIsNew(_HutInThisTurn, frozen=True):
    """True if a hut was built this turn and cannot harvest yet."""

    noted = "built"
    texts = Texts("{hut} was built this turn.")
    texts_of = {False: Texts("{hut} was not built this turn.")}


class HutHarvested(_HutInThisTurn, frozen=True):
    """True if a hut has harvested this turn."""

    noted = "harvested"
    texts = Texts("{hut} has harvested this turn.")
    texts_of = {False: Texts("{hut} has not harvested this turn.")}


class TaxesCollected(ForeverFact, frozen=True):
    """The number of taxes collected this turn for the totem on a shore."""

    none = {"count": 0}
    texts = Texts("{taxes} collected this turn for the totem on {shore}.")
    shore: Shore
    count: Annotated[int, Meta(ge=0, le=100_000)] = 1

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return (cls(totem.shore, totem.taxed) for totem in state.totems if totem.taxed)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        totem = state.totem(self.shore)
        if totem is None:
            raise CannotBe("There is no totem on that shore.")
        return state.with_totem(replace(totem, taxed=self.count))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "taxes": counted(self.count, "tax was", "taxes were", none="No")}


class DoubledUp(IsAmong[ForeverState], frozen=True):
    """True if an island was used to double up this turn."""

    member = "doubled"
    texts = Texts("{island} was used to double up this turn.")
    texts_of = {False: Texts("{island} was not used to double up this turn.")}
    word = staticmethod(printed_name)
    island: Island
    yes: bool = True


class Raided(IsAmong[ForeverState], frozen=True):
    """True if a player was raided in an area this turn."""

    about = ("defender", "area")
    member = "raided"
    texts = Texts("{name} was raided on {area} this turn.")
    texts_of = {False: Texts("{name} was not raided on {area} this turn.")}
    word = staticmethod(word)
    defender: SeatId
    area: Area
    yes: bool = True


def _with_pending(state: ForeverState, **pending: Any) -> ForeverState:
    """Return `state` with no pending offer or raid except the given one."""
    check_turns(state)
    state = replace(state, **{"double_up": None, "exchange": None, "raid": None, **pending})
    return replace(state, phase=phase_of(state))


class DoubleUpOffered(ForeverFact, frozen=True):
    """The hut whose owner is asked to double up, if there is an offer."""

    none = {"hut": None}
    member = "double_up"
    texts = Texts("There is an offer to double up in {hut}.")
    texts_of = {None: Texts("There is no offer to double up.")}
    hut: HutId | None

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        return _with_pending(state, double_up=None if self.hut is None else hut_on_board(state, self.hut).id)


class ExchangeOffered(Fact[ForeverState], frozen=True):
    """The exchange that is offered to another player, if there is an offer."""

    none = {"partner": None, "give": box.NOTHING, "take": box.NOTHING}
    texts = Texts("{name} is offered {give} for {take}.")
    texts_of = {None: Texts("There is no offered exchange.")}
    partner: SeatId | None
    give: Goods = box.NOTHING
    """Goods from the active player to the partner."""
    take: Goods = box.NOTHING
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
    spears: Annotated[int, Meta(ge=0, le=box.SPEARS)] | None = None
    """Number of spears in the fist, if the fist is open."""
    guess: Annotated[int, Meta(ge=0, le=box.SPEARS)] | None = None

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
            self.require(self == self.absent, "A raid needs a Defender and a place.", RAID)
            return _with_pending(state)
        defender = SEAT_INDEX[self.defender]
        if self.spears is None:
            return _with_pending(state, raid=Raid(defender, self.area, guess=self.guess))
        self.require(self.guess is not None, "The spears in the fist are shown only after the guess.", RAID)
        loser = state.active if self.guess == self.spears else defender
        raid = Raid(defender, self.area, self.spears, guess=self.guess, loser=loser, losses=self.spears)
        return _with_pending(state, raid=raid)

    def sentence(self, names: Sequence[str]) -> str:
        if self.defender is None or self.area is None:
            return say("There is no raid.")
        told = [
            say("{name} is being raided on {area}", name=names[SEAT_INDEX[self.defender]], area=printed_name(self.area))
        ]
        if self.guess is not None:
            told.append(say("with a guess of {guess}", guess=self.guess))
        if self.spears is not None:
            told.append(say("with {spears} in the fist", spears=self.spears))
        return f"{', '.join(told)}."
