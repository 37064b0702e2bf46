"""Several harvests, canoe steps or taxes in one event. Each is judged after the previous one."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine.core.errors import Unclear
from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forever_island.building import CanoeAction, Harvest
from engine.games.forever_island.components import (
    EXTENSIONS,
    HUTS,
    ISLAND_INDEX,
    ISLANDS,
    RESOURCE_OF,
    TILE_OF,
    Area,
    Goods,
    HutId,
    Island,
    Shore,
    printed,
)
from engine.games.forever_island.disasters import ecocide
from engine.games.forever_island.headings import HARVEST, OBJECTIVE, TAX, TRAVEL
from engine.games.forever_island.state import ForeverAction, ForeverState, launch, pay, remove_canoe
from engine.games.forever_island.tax import Tax
from engine.games.forever_island.travel import Travel
from engine.kit.chance import Chance, Observed
from engine.kit.effects import needed
from engine.kit.ranges import items, members
from engine.kit.ruleset import Action, Refusal


class _Several(ForeverAction, frozen=True):
    """Common part of the actions for several harvests and for several taxes."""

    @abstractmethod
    def steps(self) -> Sequence[Action[ForeverState]]:
        """Return the single actions, in order."""

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        for step in self.steps():
            if state.outcome is not None:
                return Refusal(OBJECTIVE, "The game ends before the last of these losses.")
            if refusal := step.refusal(state, seat):
                return refusal
            state = step.apply(state, seat, Observed())
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        for step in self.steps():
            if state.outcome is not None:
                raise Unclear
            state = step.apply(state, seat, chance)
        return state


class HarvestSeveral(_Several, frozen=True):
    """Harvest with several of your huts."""

    type = "harvest_several"
    rule = HARVEST
    huts: Annotated[tuple[HutId, ...], Meta(min_length=2, max_length=HUTS)]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "huts", tuple(sorted(self.huts)))

    def steps(self) -> list[Harvest]:
        return [Harvest(hut) for hut in self.huts]

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        """Yield a harvest with as many huts as possible; `ranges` describes all combinations."""
        return (cls(huts) for huts in cls._ways(state, seat)[:1])

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        ways = cls._ways(state, seat)
        if not ways:
            return None
        able = cls._able(state, seat)
        huts = {"oneOf": [items(way, len(way)) for way in ways]} if _is_last(state, able) else items(able, 2, len(able))
        return members(huts=huts)

    @classmethod
    def _ways(cls, state: ForeverState, seat: int) -> list[tuple[HutId, ...]]:
        """Return the sets of huts that can harvest together; only the largest set, if that kills no island."""
        able = cls._able(state, seat)
        if len(able) < 2 or not _is_last(state, able):
            return [able] if len(able) > 1 else []
        many = (way for size in range(len(able), 1, -1) for way in combinations(able, size))
        return [way for way in many if cls(way).refusal(state, seat) is None]

    @classmethod
    def _able(cls, state: ForeverState, seat: int) -> tuple[HutId, ...]:
        return tuple(sorted(hut.id for hut in state.huts[seat] if Harvest(hut.id).refusal(state, seat) is None))

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if len(set(self.huts)) < len(self.huts):
            return Refusal(HARVEST, "Name each hut once.")
        return super().refusal(state, seat)

    def label(self, state: ForeverState, names: Sequence[str]) -> str:
        return say("Harvest with huts {numbers}", numbers=_joined([hut[-1] for hut in self.huts]))

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        islands = [ISLANDS[ISLAND_INDEX[needed(state.hut(hut)).shore]] for hut in self.huts]
        reaped = say("{name} harvests {goods}.", name=names[seat], goods=_reaped(islands))
        return f"{reaped}{_dying(state, islands)}"


class TaxSeveral(_Several, frozen=True):
    """Collect several resources from inhabited islands, for a standing totem with extensions that you control."""

    type = "tax_several"
    rule = TAX
    totem: Shore
    islands: Annotated[
        tuple[Island, ...], Meta(min_length=2, max_length=EXTENSIONS + 1, extra_json_schema={"uniqueItems": False})
    ]
    """The taxed islands; an island can occur several times."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "islands", tuple(sorted(self.islands, key=ISLANDS.index)))

    def steps(self) -> list[Tax]:
        return [Tax(self.totem, island) for island in self.islands]

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        """Yield, for each totem, one way to collect as many taxes as possible; `ranges` describes all ways."""
        for totem, left in _totems(state, seat):
            yield from (cls(totem, way) for way in islice(cls._ways(state, seat, totem, left), 1))

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        found = []
        for totem, left in _totems(state, seat):
            able = cls._able(state, seat, totem)
            if able and all(state.fertility[ISLAND_INDEX[island]] > left for island in able):
                found.append(members(totem={"const": totem}, islands=items(able, 2, left, is_set=False)))
                continue
            for way in cls._ways(state, seat, totem, left):
                counts = [
                    {"contains": {"const": island}, "minContains": count, "maxContains": count}
                    for island, count in Counter(way).items()
                ]
                islands = {**items(sorted(set(way)), len(way), len(way), is_set=False), "allOf": counts}
                found.append(members(totem={"const": totem}, islands=islands))
        return {"oneOf": found} if found else None

    @classmethod
    def _ways(cls, state: ForeverState, seat: int, totem: Shore, left: int) -> Iterator[tuple[Island, ...]]:
        """Yield the combinations of islands that can be taxed together, largest first."""
        able = cls._able(state, seat, totem)
        for size in range(left, 1, -1):
            for way in combinations_with_replacement(able, size):
                if cls(totem, way).refusal(state, seat) is None:
                    yield way

    @classmethod
    def _able(cls, state: ForeverState, seat: int, totem: Shore) -> list[Island]:
        return [island for island in ISLANDS if Tax(totem, island).refusal(state, seat) is None]

    def label(self, state: ForeverState, names: Sequence[str]) -> str:
        return say("Tax {named} with the totem on {totem}", named=self._named(), totem=printed(self.totem))

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        told = say(
            "{name} collects {reaped} with the totem on {totem}.",
            name=names[seat],
            reaped=_reaped(self.islands),
            totem=printed(self.totem),
        )
        return told + _dying(state, self.islands)

    def _named(self) -> str:
        counts = Counter(self.islands)
        return _joined(
            [
                printed(island) + (say(" {count} times", count=count) if count > 1 else "")
                for island, count in counts.items()
            ]
        )


class TravelFar(CanoeAction, frozen=True):
    """Move a canoe several steps to a tile farther away by the shortest way, for one frog per step."""

    type = "travel_far"
    button_text = marked("Send {canoe} all the way to {to}")
    report_text = marked("{name} sends {canoe} all the way to {to} for {price}.")
    rule = TRAVEL
    to: Area

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(step.canoe, step.to) for step in Travel.candidates(state, seat))

    def fault_of(self, area: Area, state: ForeverState, seat: int) -> Refusal | None:
        steps = _distance(state, area, self.to)
        if steps < 2:
            return Refusal(TRAVEL, "That tile is only one step away.")
        if not state.hands[seat] >= Goods(frog=steps):
            return Refusal(TRAVEL, lambda: say("It costs {steps} frogs to travel that far.", steps=steps))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        steps = _distance(state, needed(state.area_of(seat, self.canoe)), self.to)
        return launch(remove_canoe(pay(state, seat, Goods(frog=steps)), seat, self.canoe), seat, self.to)

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        steps = _distance(state, needed(state.area_of(seat, self.canoe)), self.to)
        words = {**self.words(state, names), "name": names[seat], "price": Goods(frog=steps)}
        return say(self.report_text, **words)


def _distance(state: ForeverState, area: Area, to: Area) -> int:
    """Return the number of steps between tiles from one area to another. All tiles are connected."""
    steps, reached = 0, {TILE_OF[area]}
    while TILE_OF[to] not in reached:
        reached |= {tile for known in reached for tile in state.borders(known)}
        steps += 1
    return steps


def _is_last(state: ForeverState, huts: Sequence[HutId]) -> bool:
    """Return True if harvests with all of these huts would take the last resource of an island."""
    counts = Counter(ISLAND_INDEX[needed(state.hut(hut)).shore] for hut in huts)
    return any(state.fertility[at] <= count for at, count in counts.items())


def _totems(state: ForeverState, seat: int) -> Iterator[tuple[Shore, int]]:
    """Yield the totems for which `seat` can still collect several taxes, each with the number of taxes."""
    for totem in state.totems:
        left = totem.extensions + 1 - totem.taxed
        if left > 1 and seat == state.active and state.controls(seat, totem):
            yield totem.shore, left


def _reaped(islands: Sequence[Island]) -> str:
    """Return the resources in words: '2 hogs from Hog Island 1 and 1 log from Log Island 2'."""
    counts = Counter(islands).items()
    return _joined(
        [
            say(
                "{goods} from {island}",
                goods=Goods(**{RESOURCE_OF[ISLAND_INDEX[island]]: count}),
                island=printed(island),
            )
            for island, count in counts
        ]
    )


def _dying(state: ForeverState, islands: Sequence[Island]) -> str:
    """Return the sentence about Ecocide after a resource is taken from each island; empty if all islands survive."""
    counts = Counter(islands).items()
    dying = [printed(island) for island, count in counts if state.fertility[ISLAND_INDEX[island]] == count]
    return "".join(f" {ecocide(island)}" for island in dying)


def _joined(words: Sequence[str]) -> str:
    """Join words as in '1, 2 and 4'."""
    return say(" and ").join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
