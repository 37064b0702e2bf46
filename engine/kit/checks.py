"""The promises of a ruleset that can be checked before anybody plays it, one sentence each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from engine.core.lifecycle import GAME_OPENED, KINDS
from engine.core.values import SEAT_IDS
from engine.kit.columns import RESERVED
from engine.kit.kernel import Kernel
from engine.kit.rules import KIT, AnyRules

_LIFECYCLE = {GAME_OPENED, *KINDS}
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_DECLARED = ("id", "version", "name", "players", "options", "state", "actions", "sections", "components", "max_events")


def faults(rules: Any) -> Iterator[str]:
    """Find broken promises, first of what the others depend on.

    Args:
        rules: an object that should be a ruleset.
    """
    if not isinstance(rules, Kernel):
        yield f"{rules!r} is not an instance of a Ruleset"
        return
    missing = [name for name in _DECLARED if not hasattr(rules, name)]
    if missing:
        yield f"it does not declare {', '.join(missing)}"
        return
    yield from _declarations(rules)  # type: ignore[arg-type]  # every ruleset is Rules
    yield from _columns(rules)  # type: ignore[arg-type]
    yield from (f"its state is not hashable: {fault}" for fault in _unhashable(inspect.type_info(rules.state), set()))


def _declarations(rules: AnyRules) -> Iterator[str]:
    if rules.kit != KIT:
        yield f"it is built for kit {rules.kit}, and this is kit {KIT}"
    if not _KEBAB.fullmatch(rules.id):
        yield f"its id {rules.id!r} is not in kebab case"
    least, most = rules.players
    if not 1 <= least <= most <= len(SEAT_IDS):
        yield f"it is for {least} to {most} players: at least 1, at most {len(SEAT_IDS)}"
    required = [field.name for field in msgspec.structs.fields(rules.options) if field.required]
    if required:
        yield f"its options have no default: {', '.join(required)}"
    taken = [kind.type for kind in rules.actions if kind.type in _LIFECYCLE]
    if taken:
        yield f"every game has events of these types: {', '.join(taken)}"


def _columns(rules: AnyRules) -> Iterator[str]:
    for columns in (rules.columns, rules.seat_columns):
        taken = set(RESERVED)
        for column in columns:
            if column.name in taken:
                yield f"it declares the column {column.name!r}, and there is one of that name"
            taken.add(column.name)


def _unhashable(info: inspect.Type, seen: set[type], path: str = "") -> Iterator[str]:
    """Find the members that can be changed: a cached state is shared by many readers.

    Args:
        seen: the structs that are checked already; those found here are added.
    """
    match info:
        case inspect.StructType(cls=cls, fields=fields) if cls not in seen:
            seen.add(cls)
            if not getattr(cls, "__origin__", cls).__struct_config__.frozen:
                yield f"{cls.__name__} is not frozen"
            for field in fields:
                yield from _unhashable(field.type, seen, f"{cls.__name__}.{field.name}")
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for each in types:
                yield from _unhashable(each, seen, path)
        case inspect.VarTupleType(item_type=each) | inspect.FrozenSetType(item_type=each):
            yield from _unhashable(each, seen, path)
        case inspect.DictType() | inspect.ListType() | inspect.SetType() | inspect.ByteArrayType():
            yield f"{path} is a {type(info).__name__.removesuffix('Type').lower()}"
