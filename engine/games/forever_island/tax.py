"""The actions to collect taxes and to extend a totem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, islice
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Island, Shore, join_words, printed_name
from engine.games.forever_island.disasters import reap
from engine.games.forever_island.ending import resolve
from engine.games.forever_island.gameplay import SeveralActions, TotemAction
from engine.games.forever_island.headings import TAX
from engine.games.forever_island.state import ForeverState, Totem, replace
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ranges import items, members
from engine.kit.ruleset import Refusal

_NOT_CONTROLLED = Refusal(TAX, "You do not control a standing totem there.")


class Tax(TotemAction, frozen=True):
    """Collect one resource from any inhabited island, for a standing totem that you control."""

    verb = "tax a totem"
    button_text = marked("Tax {island} with the totem on {totem}")
    report_text = marked("{name} taxes {island} with the totem on {totem}: a {resource}.")
    symbol = "token"
    rule = TAX
    island: Island

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        if seat == state.active:
            for totem in state.totems:
                if totem.is_standing:
                    for island in box.ISLANDS:
                        yield cls(totem.shore, island)

    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        if not state.controls(state.active, totem):
            return _NOT_CONTROLLED
        if totem.taxed > totem.extensions:
            return Refusal(TAX, "All taxes of that totem were collected this turn.")
        if not state.is_inhabited(self.island):
            return Refusal(TAX, "There is no hut on that island.")
        if not state.fertility[box.ISLAND_INDEX[self.island]]:
            return Refusal(TAX, "There is nothing on that island.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        totem = needed(state.totem(self.totem))
        return resolve(reap(state.with_totem(replace(totem, taxed=totem.taxed + 1)), seat, self.island))

    def reaped_islands(self, state: ForeverState) -> tuple[Island]:
        return (self.island,)


class TaxSeveral(SeveralActions, frozen=True):
    """Collect several resources from inhabited islands, for an extended standing totem that you control."""

    button_text = marked("Tax {named} with the totem on {totem}")
    report_text = marked("{name} collects {reaped} with the totem on {totem}.")
    rule = TAX
    totem: Shore
    islands: Annotated[
        tuple[Island, ...], Meta(min_length=2, max_length=box.EXTENSIONS + 1, extra_json_schema={"uniqueItems": False})
    ]
    """The taxed islands; an island can occur several times."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "islands", tuple(sorted(self.islands, key=box.ISLANDS.index)))

    def steps(self) -> list[Tax]:
        return [Tax(self.totem, island) for island in self.islands]

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        """Yield, for each totem, one way to collect as many taxes as possible; `ranges` describes all ways."""
        for totem, left in _totems(state, seat):
            yield from islice(cls._ways(state, seat, totem, left), 1)

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        found = []
        for totem, left in _totems(state, seat):
            able = _able(state, seat, totem)
            if able and all(state.fertility[box.ISLAND_INDEX[island]] > left for island in able):
                found.append(members(totem={"const": totem}, islands=items(able, 2, left, is_set=False)))
                continue
            for way in cls._ways(state, seat, totem, left):
                counts = Counter(way.islands)
                each = [
                    {"contains": {"const": island}, "minContains": count, "maxContains": count}
                    for island, count in counts.items()
                ]
                islands = {**items(sorted(counts), len(way.islands), is_set=False), "allOf": each}
                found.append(members(totem={"const": totem}, islands=islands))
        return {"oneOf": found} if found else None

    @classmethod
    def _ways(cls, state: ForeverState, seat: int, totem: Shore, left: int) -> Iterator[Self]:
        """Yield the combinations of islands that can be taxed together, largest first."""
        able = _able(state, seat, totem)
        ways = (cls(totem, way) for size in range(left, 1, -1) for way in combinations_with_replacement(able, size))
        return (way for way in ways if way.refusal(state, seat) is None)

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        counts = Counter(self.islands).items()
        named = (
            printed_name(island) + (say(" {count} times", count=count) if count > 1 else "") for island, count in counts
        )
        return {**super().words(state, names), "named": join_words(list(named))}


def _able(state: ForeverState, seat: int, totem: Shore) -> list[Island]:
    return [island for island in box.ISLANDS if Tax(totem, island).refusal(state, seat) is None]


def _totems(state: ForeverState, seat: int) -> Iterator[tuple[Shore, int]]:
    """Yield the totems for which `seat` can still collect several taxes, each with the number of taxes."""
    for totem in state.totems:
        left = totem.extensions + 1 - totem.taxed
        if left > 1 and seat == state.active and state.controls(seat, totem):
            yield totem.shore, left


class Extend(TotemAction, frozen=True):
    """Add a totem token to a standing totem that you control, for three resources of each kind."""

    verb = "extend a totem"
    button_text = marked("Extend the totem on {totem}")
    report_text = marked("{name} extends the totem on {totem}.")
    symbol = "totem"
    rule = TAX

    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        if not state.controls(state.active, totem):
            return _NOT_CONTROLLED
        if not state.hands[state.active] >= box.EXTEND_COST:
            return Refusal(TAX, "An extension costs 3 hogs, 3 logs and 3 frogs.")
        if sum(other.extensions for other in state.totems) == box.EXTENSIONS:
            return Refusal(TAX, say("All {count} totem tokens are on the board.", count=box.EXTENSIONS))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        totem = needed(state.totem(self.totem))
        return state.pay(seat, box.EXTEND_COST).with_totem(replace(totem, extensions=totem.extensions + 1))
