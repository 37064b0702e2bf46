"""The atoll: where the tiles lie, what grows on them, the totems, and the volcano."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import Meta

from engine.games.forever_island.components import (
    COUNTDOWN,
    EXTENSIONS,
    ISLAND_INDEX,
    ISLANDS,
    ONE,
    REGIONS,
    RESOURCE_OF,
    RESOURCES,
    SHORES,
    TOKENS,
    TOTEMS,
    Count,
    Island,
    Resource,
    Shore,
    Tile,
    printed,
)
from engine.games.forever_island.headings import SETTING_UP_THE_BOARD_ADDING_TOKENS, TAX
from engine.games.forever_island.state import ForeverState, Totem, replace, with_entry
from engine.kit.facts import CannotBe, Fact, Told

Steps = Annotated[int, Meta(ge=-6, le=6)]


class LiesAt(Fact[ForeverState], frozen=True):
    """Where a tile lies, in axial coordinates."""

    about = ("tile",)
    tile: Tile
    q: Steps
    r: Steps

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return (cls(tile, q, r) for tile, (q, r) in zip(state.tiles, state.coordinates, strict=True))

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        here, coordinates = (self.q, self.r), list(state.coordinates)
        at = state.tiles.index(self.tile)
        if here in coordinates:
            coordinates[coordinates.index(here)] = coordinates[at]
        coordinates[at] = here
        return replace(state, coordinates=tuple(coordinates))

    def sentence(self, names: Sequence[str]) -> str:
        return f"{_named(self.tile)} lies at {self.q}, {self.r}."

    def no_longer(self, names: Sequence[str]) -> str:
        return f"{_named(self.tile)} no longer lies at {self.q}, {self.r}."


def _named(tile: Tile) -> str:
    """The name of a tile, as a sentence begins with it."""
    name = printed(tile)
    return name[0].upper() + name[1:]


class FertilityIs(Fact[ForeverState], frozen=True):
    """How many resources are on an island."""

    about = ("island",)
    island: Island
    count: Annotated[int, Meta(ge=0, le=REGIONS)]

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return map(cls, ISLANDS, state.fertility)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        at = ISLAND_INDEX[self.island]
        state = to_pile(state, RESOURCE_OF[at], state.fertility[at] - self.count)
        return replace(state, fertility=with_entry(state.fertility, at, self.count))

    def sentence(self, names: Sequence[str]) -> str:
        return f"The fertility of {printed(self.island)} is {self.count}."

    def no_longer(self, names: Sequence[str]) -> str:
        return f"The fertility of {printed(self.island)} is no longer {self.count}."


def to_pile(state: ForeverState, resource: Resource, count: int) -> ForeverState:
    """`state` with so many more tokens in that pile; where it is below 0 they are taken from it."""
    if state.piles.of(resource) + count < 0:
        raise CannotBe(
            f"There are {TOKENS} {resource}s, and {state.piles.of(resource)} in the pile: say who has fewer.",
            SETTING_UP_THE_BOARD_ADDING_TOKENS,
        )
    piles = state.piles
    for _ in range(abs(count)):
        piles = piles + ONE[resource] if count > 0 else piles - ONE[resource]
    return replace(state, piles=piles)


class TotemIs(Fact[ForeverState], frozen=True):
    """Whether there is a totem on a shore, whether it stands, and by how many tokens it is extended."""

    about = ("shore",)
    none = {"totem": "none", "extensions": 0}
    shore: Shore
    totem: Literal["none", "fallen", "standing"]
    extensions: Annotated[int, Meta(ge=0, le=EXTENSIONS)] = 0

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        for totem in state.totems:
            yield cls(totem.shore, "standing" if totem.is_standing else "fallen", totem.extensions)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        if self.extensions and self.totem != "standing":
            raise CannotBe("Only a standing totem is extended.", TAX)
        if self.totem == "none":
            return _moved(state, self.shore, self._other(state, told))
        if state.totem(self.shore) is None:
            state = _moved(state, self._other(state, told), self.shore)
        totems = tuple(
            replace(totem, is_standing=self.totem == "standing", extensions=self.extensions)
            if totem.shore == self.shore
            else totem
            for totem in state.totems
        )
        return replace(state, totems=totems)

    def _other(self, state: ForeverState, told: Told) -> Shore:
        """The shore that this one was mistaken for: what is told of it is the other way round."""
        for fact in told:
            if isinstance(fact, TotemIs) and (fact.totem == "none") != (self.totem == "none"):
                has_totem = state.totem(fact.shore) is not None
                if has_totem == (fact.totem == "none"):
                    return fact.shore
        where = "there is a totem" if self.totem == "none" else "there is none"
        raise CannotBe(f"There are {TOTEMS} totems: say where {where} instead.", SETTING_UP_THE_BOARD_ADDING_TOKENS)

    def sentence(self, names: Sequence[str]) -> str:
        if self.totem == "none":
            return f"There is no totem on {printed(self.shore)}."
        return f"The totem on {printed(self.shore)} {self._stands('')}."

    def no_longer(self, names: Sequence[str]) -> str:
        if self.totem == "none":
            return f"There is a totem on {printed(self.shore)} now."
        return f"The totem on {printed(self.shore)} {self._stands(' no longer')}."

    def _stands(self, longer: str) -> str:
        if self.totem == "fallen":
            return f"is{longer} fallen"
        return f"is{longer} standing" + (f", extended by {self.extensions}" if self.extensions else "")


def _moved(state: ForeverState, here: Shore, there: Shore) -> ForeverState:
    """`state` with a fallen totem on one shore for the totem on another."""
    totems = [totem for totem in state.totems if totem.shore != here]
    totems.append(Totem(there))
    return replace(state, totems=tuple(sorted(totems, key=lambda totem: SHORES.index(totem.shore))))


class TotemErected(Fact[ForeverState], frozen=True):
    """Whether a totem has ever been erected, so that there are raids."""

    none = {"yes": False}
    yes: bool = True

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        if state.has_erected:
            yield cls()

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        return replace(state, has_erected=self.yes)

    def sentence(self, names: Sequence[str]) -> str:
        return f"{'A' if self.yes else 'No'} totem has been erected in this game."


class VolcanoIs(Fact[ForeverState], frozen=True):
    """Where the volcano token lies: how many sixes an eruption takes."""

    number: Annotated[int, Meta(ge=1, le=COUNTDOWN)]

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        yield cls(state.volcano)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        return replace(state, volcano=self.number)

    def sentence(self, names: Sequence[str]) -> str:
        return f"The volcano is at {self.number}."

    def no_longer(self, names: Sequence[str]) -> str:
        return f"The volcano is no longer at {self.number}."


class PileIs(Fact[ForeverState], frozen=True):
    """How many tokens of a resource are in its pile."""

    about = ("resource",)
    is_derived = True
    resource: Resource
    count: Count

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        return (cls(resource, state.piles.of(resource)) for resource in RESOURCES)

    def sentence(self, names: Sequence[str]) -> str:
        return f"The pile of {self.resource}s has {self.count}."
