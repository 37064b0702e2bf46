"""Facts about the atoll: the tiles, the fertility of the islands, the totems, and the volcano."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Island, Resource, Shore, printed_name, resource_noun, word
from engine.games.forever_island.headings import ADDING_TOKENS, TAX
from engine.games.forever_island.state import ForeverState, Totem, replace
from engine.kit.common_facts import IsSo
from engine.kit.effects import needed
from engine.kit.entries import exchanged, with_entry
from engine.kit.facts import CannotBe, Fact, Texts, Told

Steps = Annotated[int, Meta(ge=-6, le=6)]


class ForeverFact(Fact[ForeverState], frozen=True):
    """A fact whose places and huts have printed names."""

    word = staticmethod(word)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        words = super().words(names)
        hut: box.HutId | None = getattr(self, "hut", None)
        if hut is not None:
            owner = box.OWNER[hut]
            name = names[owner] if owner < len(names) else SEAT_IDS[owner]
            words["hut"] = say("{name}'s hut {number}", name=name, number=hut[-1])
        return words


class LiesAt(ForeverFact, frozen=True):
    """The position of a tile, in axial coordinates."""

    about = ("tile",)
    title = marked("Turning the tiles")
    texts = Texts("{tile} is at {q}, {r}.", "{tile} is no longer at {q}, {r}.")
    rows = staticmethod(lambda state: ((tile, *at) for tile, at in zip(state.tiles, state.coordinates, strict=True)))
    tile: box.Tile
    q: Steps
    r: Steps

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        at = state.tiles.index(self.tile)
        return replace(state, coordinates=exchanged(state.coordinates, at, (self.q, self.r)))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        # With a capital, because it begins a sentence.
        name = printed_name(self.tile)
        return {**super().words(names), "tile": name[0].upper() + name[1:]}


class FertilityIs(ForeverFact, frozen=True):
    """The number of resources on an island."""

    title = marked("Fertility")
    ask = marked("Tap the fertility of {what}.")
    texts = Texts("The fertility of {island} is {count}.", "The fertility of {island} is no longer {count}.")
    rows = staticmethod(lambda state: zip(box.ISLANDS, state.fertility, strict=True))
    island: Island
    count: Annotated[int, Meta(ge=0, le=box.REGIONS)]

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        at = box.ISLAND_INDEX[self.island]
        state = to_pile(state, box.RESOURCE_OF[at], state.fertility[at] - self.count)
        return replace(state, fertility=with_entry(state.fertility, at, self.count))


def to_pile(state: ForeverState, resource: Resource, count: int) -> ForeverState:
    """Return `state` with `count` more tokens in the pile of `resource`, or fewer if `count` is negative."""
    if state.piles.of(resource) + count < 0:
        no_more = marked("There are {count} {resources}, {left} of them in the pile. Also report who has fewer.")
        told = {"count": box.TOKENS, "resources": resource_noun(resource, 2), "left": state.piles.of(resource)}
        raise CannotBe(say(no_more, **told), ADDING_TOKENS)
    return replace(state, piles=replace(state.piles, **{resource: state.piles.of(resource) + count}))


class TotemIs(ForeverFact, frozen=True):
    """The totem on a shore: none, fallen or standing, and the tokens that extend it."""

    about = ("shore",)
    title = marked("Totems")
    ask = marked("Tap a shore once for a fallen totem, and twice for a standing one.")
    none = {"totem": "none", "extensions": 0}
    texts = Texts(
        "The totem on {shore} is standing, extended by {extensions}.",
        "The totem on {shore} is no longer standing, extended by {extensions}.",
    )
    texts_of = {
        "none": Texts("There is no totem on {shore}.", "There is a totem on {shore} now."),
        "fallen": Texts("The totem on {shore} is fallen.", "The totem on {shore} is no longer fallen."),
    }
    shore: Shore
    totem: Literal["none", "fallen", "standing"]
    extensions: Annotated[int, Meta(ge=0, le=box.EXTENSIONS)] = 0

    @classmethod
    def all(cls, state: ForeverState) -> Iterable[Self]:
        for totem in state.totems:
            yield cls(totem.shore, "standing" if totem.is_standing else "fallen", totem.extensions)

    def put(self, state: ForeverState, told: Told) -> ForeverState:
        self.require(self.totem == "standing" or not self.extensions, "Only a standing totem can be extended.", TAX)
        if self.totem == "none":
            return _move_totem(state, self.shore, self._other(state, told))
        if state.totem(self.shore) is None:
            state = _move_totem(state, self._other(state, told), self.shore)
        values = {"is_standing": self.totem == "standing", "extensions": self.extensions}
        return state.with_totem(replace(needed(state.totem(self.shore)), **values))

    def _other(self, state: ForeverState, told: Told) -> Shore:
        """Return the shore from which this totem comes, or to which it goes. Another reported fact must name it."""
        for fact in told:
            if isinstance(fact, TotemIs) and (fact.totem == "none") != (self.totem == "none"):
                has_totem = state.totem(fact.shore) is not None
                if has_totem == (fact.totem == "none"):
                    return fact.shore
        gained = marked("There are {count} totems. Also report the shore that now has the totem.")
        lost = marked("There are {count} totems. Also report the shore that has lost one.")
        raise CannotBe(say(gained if self.totem == "none" else lost, count=box.TOTEMS), ADDING_TOKENS)

    @property
    def wording(self) -> Texts:
        if self.totem == "standing" and not self.extensions:
            return Texts("The totem on {shore} is standing.", "The totem on {shore} is no longer standing.")
        return super().wording


def _move_totem(state: ForeverState, here: Shore, there: Shore) -> ForeverState:
    """Return `state` with the totem on `here` moved to `there`, as a fallen totem."""
    totems = [totem for totem in state.totems if totem.shore != here]
    totems.append(Totem(there))
    return replace(state, totems=tuple(sorted(totems, key=lambda totem: box.SHORES.index(totem.shore))))


class TotemErected(IsSo[ForeverState], frozen=True):
    """True if a totem has ever been erected. From then on there are raids."""

    member = "has_erected"
    texts = Texts("A totem has been erected in this game.")
    texts_of = {False: Texts("No totem has been erected in this game.")}


class VolcanoIs(ForeverFact, frozen=True):
    """The position of the volcano token: the number of sixes for an eruption."""

    title = marked("Volcano")
    ask = marked("Tap the number at the volcano token.")
    member = "volcano"
    texts = Texts("The volcano is at {number}.", "The volcano is no longer at {number}.")
    number: Annotated[int, Meta(ge=1, le=box.COUNTDOWN)]


class PileIs(ForeverFact, frozen=True):
    """The number of tokens in the pile of a resource."""

    is_derived = True
    texts = Texts("The pile of {resources} has {count}.")
    rows = staticmethod(lambda state: ((resource, state.piles.of(resource)) for resource in box.RESOURCES))
    resource: Resource
    count: box.Count

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {"resources": resource_noun(self.resource, 2), "count": self.count}
