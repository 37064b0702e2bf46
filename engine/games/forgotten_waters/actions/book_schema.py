"""JSON Schema of the effects that players can now enter from their own book."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from engine.core.documents import params_schema
from engine.core.values import SEAT_IDS
from engine.games.forgotten_waters.actions.base import WatersAction
from engine.games.forgotten_waters.scenario.validate import ANSWERS, IN_CHECKS, NAMES, OUTER, KnownIds
from engine.games.forgotten_waters.state import WatersState


def known_ids(state: WatersState, *, is_in_check: bool = False) -> KnownIds:
    """Return the ids that effects can name now."""
    spaces = frozenset(state.map.spaces())
    return KnownIds(
        is_open=True,
        is_in_check=is_in_check,
        is_closed=not (state.page or state.is_version_1),
        spaces=spaces,
        sea=spaces.difference(space for space, _ in state.tokens if state.is_rocky(space)),
        features=frozenset(feature.id for feature in state.features),
        actions=frozenset(place.number for place in state.places),
        held=tuple([card for pirate in state.pirates for card in (*pirate.treasures, *pirate.stories)]),
        seats=frozenset(SEAT_IDS[: len(state.pirates)]),
        is_version_1=state.is_version_1,
    )


@lru_cache(maxsize=8)
def _whole(kind: type[WatersAction]) -> bytes:
    return msgspec.json.encode(params_schema(kind))


@lru_cache(maxsize=256)
def of(kind: type[WatersAction], known: KnownIds, timely: frozenset[type[Any]]) -> dict[str, Any]:
    """Return the schema of the params of `kind`, limited to `timely` effects. Nested effects contain no effects."""
    schema: dict[str, Any] = msgspec.json.decode(_whole(kind))
    definitions = schema["$defs"]
    impossible = set()
    for effect, fields in NAMES.items():
        properties = definitions[effect.__name__]["properties"]
        for field, of, _ in fields:
            ids = getattr(known, of)
            if ids is not None:
                is_optional = "default" in properties[field]
                properties[field] = {"enum": [*[None] * is_optional, *sorted(ids)]}
                impossible |= set() if properties[field]["enum"] else {effect}
    del definitions["Result"]["properties"]["text"]
    for effect, (field, _) in ANSWERS.items() if known.is_version_1 else ():
        del definitions[effect.__name__]["properties"][field]
    possible = timely - impossible
    _narrow(schema["properties"], possible)
    _narrow(definitions, possible.difference(OUTER, IN_CHECKS))
    if not known.actions:
        # A closed book must be opened first.
        _opened_first(schema["properties"])
    used = {kind.__name__ for kind in possible} | {"Condition", "Feature", "Option", "Printed", "Result"}
    schema["$defs"] = {name: definition for name, definition in definitions.items() if name in used}
    return schema


def _opened_first(properties: dict[str, Any]) -> None:
    """Put `TurnPage` before all other effects in a schema."""
    for part in properties.values():
        ways = part.get("items", part).get("anyOf", [])
        ways.sort(key=lambda way: not way.get("$ref", "").endswith("TurnPage"))


def _narrow(node: Any, kinds: Iterable[type[Any]]) -> None:
    """Limit every choice of effects below `node` to `kinds`."""
    names = {kind.__name__ for kind in kinds}
    if isinstance(node, list):
        for inner in node:
            _narrow(inner, kinds)
    elif isinstance(node, dict):
        if "discriminator" in node:
            node["anyOf"] = [one for one in node["anyOf"] if one["$ref"].rpartition("/")[2] in names]
            # The discriminator lists all effects; the schema of each effect fixes `do` anyway.
            del node["discriminator"]
        for inner in node.values():
            _narrow(inner, kinds)
