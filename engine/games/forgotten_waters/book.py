"""The table's own book: effects entered as they are read out, bounded by the same limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Self, get_args

import msgspec

from engine.chance import Chance
from engine.events import Value
from engine.games.forgotten_waters import effects as do
from engine.games.forgotten_waters.base import EFFECTS, WatersAction, not_yours, nothing_else, waiting
from engine.games.forgotten_waters.checks import is_rolled
from engine.games.forgotten_waters.pack import Map
from engine.games.forgotten_waters.resolve import push, settle
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.tell import printed
from engine.games.forgotten_waters.validate import COUNTING, IN_CHECKS, OUTER, Known, effect_faults
from engine.ruleset import Refusal, params_schema

EXAMPLES: tuple[do.Effect, ...] = (
    *(do.Ship(stat=stat, n=n) for stat in do.STATS for n in (1, -1)),
    *(do.GainSkill(skill=skill) for skill in do.SKILLS),
    *(do.Check(skill=skill) for skill in do.SKILLS),
    do.FillStar(),
    do.ResolveEvents(),
    do.GainTreasure(),
    do.StealTreasure(),
    do.LoseTreasure(),
    do.BuryTreasure(up_to=3),
    do.Rerolls(n=1),
    do.Misfortune(n=1),
    do.Infamy(n=1),
    do.Infamy(n=-1),
    do.SwapInfamy(),
    do.GainCannon(),
    do.UpgradeCannon(),
    do.LoadCannon(),
    do.UnloadCannon(),
    do.LoseCannon(),
    do.Threat(n=1),
    do.CheckThreat(),
    do.Scout(),
    do.MoveShip(),
    do.Roll(results=()),
    do.CompletePart(),
    do.ReachGoal(),
    do.NewRound(),
    do.TurnPage(
        page="1",
        actions=(do.Printed(), do.Printed(kind="required"), *(do.Printed(kind="limited") for _ in range(4))),
    ),
)
"""What is often read out; of the whole range of effects the schema of `effect` tells."""

IN_CHECK_EXAMPLES: tuple[do.Effect, ...] = (do.AddToCheck(n=1), do.SetDie(to=12))


class ApplyEffect(WatersAction, frozen=True, omit_defaults=True):
    """Enter an effect that is read out of the table's own book, by the number of its entry."""

    type = "apply_effect"
    rule = EFFECTS
    effect: do.Effect
    entry: do.Id | None = None
    """The number of the entry that says it; None: the page or a card does."""

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        if not state.pack.is_open or _not_now(state, seat):
            return ()
        if waiting(state, do.Check) is not None:
            return map(cls, IN_CHECK_EXAMPLES)
        # A goal belongs to the end of a scenario.
        return [cls(effect) for effect in EXAMPLES if state.part > 1 or not isinstance(effect, do.ReachGoal)]

    @classmethod
    def ranges(cls, state: WatersState, seat: int) -> dict[str, Any] | None:
        if not state.pack.is_open or nothing_else(state) or _not_now(state, seat):
            return None
        return _schema(_known(state), frozenset(_timely(state)))

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not state.pack.is_open:
            return Refusal(EFFECTS, "This scenario's effects are in its pack: nothing is read out of a book.")
        if refusal := nothing_else(state) or _not_now(state, seat):
            return refusal
        if type(self.effect) not in _timely(state):
            return Refusal(EFFECTS, f"That has no place here: {in_words(self.effect)}.")
        fault = next(effect_faults((self.effect,), "", _known(state)), None)
        return Refusal(EFFECTS, f"That is not possible here: {fault.message}.") if fault is not None else None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        if self.entry is not None:
            state = replace(state, entries=(*state.entries, self.entry))
        return settle(push(state, seat, (self.effect,)))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        entry = f" of entry {self.entry}" if self.entry is not None else ""
        return f"Enter the effect{entry}: {in_words(self.effect)}"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        entry = f" of entry {self.entry}" if self.entry is not None else ""
        return f"enters the effect{entry}: {in_words(self.effect)}"


def _not_now(state: WatersState, seat: int) -> Refusal | None:
    if waiting(state, do.Check) is not None:
        return not_yours(state, seat, EFFECTS)
    if state.agenda:
        return Refusal(EFFECTS, "Something has to be resolved first.")
    if seat == state.scribe or (seat == state.active and state.has_resolved):
        return None
    return Refusal(EFFECTS, "The Ship Scribe enters what is read out.")


def _timely(state: WatersState) -> Iterable[type[Any]]:
    """The kinds of effect that can be entered now."""
    if waiting(state, do.Check) is not None:
        dice, is_whole = state.agenda[0].dice, is_rolled(state.agenda[0])
        return ((do.SetDie,) if not dice else ()) + ((do.AddToCheck,) if is_whole or not dice else ())
    never = (*IN_CHECKS, *COUNTING) if state.page else (*IN_CHECKS, *COUNTING, do.NewRound)
    return (kind for kind in get_args(do.Effect) if kind not in never)


def _known(state: WatersState) -> Known:
    is_checking = waiting(state, do.Check) is not None
    return _known_on(state.map, state.features, state.places, is_in_check=is_checking)


@lru_cache(maxsize=256)
def _known_on(sea: Map, features: tuple[do.Feature, ...], places: tuple[do.Place, ...], *, is_in_check: bool) -> Known:
    return Known(
        is_open=True,
        is_in_check=is_in_check,
        spaces=frozenset(sea.spaces()),
        features=frozenset(feature.id for feature in features),
        actions=frozenset(str(place.number) for place in places),
    )


@lru_cache(maxsize=1)
def _whole_schema() -> bytes:
    return msgspec.json.encode(params_schema(ApplyEffect))


@lru_cache(maxsize=256)
def _schema(known: Known, timely: frozenset[type[Any]]) -> dict[str, Any]:
    """The JSON Schema of what can be entered: `timely` effects, and in them only such as hold no others."""
    schema: dict[str, Any] = msgspec.json.decode(_whole_schema())
    ids = {
        "Dial": ("feature", sorted(known.features or ())),
        "Lock": ("action", sorted(map(int, known.actions or ()))),
        "Unlock": ("action", sorted(map(int, known.actions or ()))),
        "PlaceToken": ("space", sorted(known.spaces or ())),
        "RemoveToken": ("space", [None, *sorted(known.spaces or ())]),
    }
    definitions = schema["$defs"]
    for name, (field, values) in ids.items():
        definitions[name]["properties"][field] = {"enum": values}
    del definitions["Result"]["properties"]["text"]
    possible = {kind for kind in timely if ids.get(kind.__name__, ("", [""]))[1]}
    _narrow(schema["properties"], possible)
    _narrow(definitions, possible.difference(OUTER))
    used = {kind.__name__ for kind in possible} | {"Condition", "Feature", "Option", "Printed", "Result"}
    schema["$defs"] = {name: definition for name, definition in definitions.items() if name in used}
    return schema


def _narrow(node: Any, kinds: Iterable[type[Any]]) -> None:
    """Leave in every choice between effects below `node` only those of `kinds`."""
    names = {kind.__name__ for kind in kinds}
    if isinstance(node, list):
        for inner in node:
            _narrow(inner, kinds)
    elif isinstance(node, dict):
        if "discriminator" in node:
            node["anyOf"] = [one for one in node["anyOf"] if one["$ref"].rpartition("/")[2] in names]
            # Each of them says its `do` itself.
            del node["discriminator"]
        for inner in node.values():
            _narrow(inner, kinds)


def in_words(effect: do.Effect) -> str:
    """An effect by name, with its plain fields."""
    fields = [
        f"{field.replace('_', ' ')} {str(value).replace('_', ' ')}"
        for field in effect.__struct_fields__
        if isinstance(value := getattr(effect, field), str | int) and not isinstance(value, bool)
    ]
    name = printed(str(type(effect).__struct_config__.tag)).lower()
    return f"{name} ({', '.join(fields)})" if fields else name
