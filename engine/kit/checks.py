"""Checks of a ruleset when it is installed, before any game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect

from engine.core.lifecycle import GAME_OPENED, KINDS
from engine.core.values import SEAT_IDS
from engine.kit.columns import RESERVED, Kind
from engine.kit.kernel import Kernel
from engine.kit.rules import KIT, AnyRules

_LIFECYCLE = {GAME_OPENED, *KINDS}
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_KINDS = {get_args(kind)[0] for kind in get_args(Kind)}
LONGEST = 64
"""Maximum number of characters in an id, version or name."""
_DECLARED = ("id", "version", "name", "players", "options", "state", "actions", "sections", "components", "max_events")


def faults(rules: Any) -> Iterator[str]:
    """Yield the problems of a ruleset, as sentences about it. A problem that prevents later checks ends the list.

    Args:
        rules: any object; it should be a ruleset.
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
    for member in ("id", "version", "name"):
        if not 1 <= len(getattr(rules, member)) <= LONGEST:
            yield f"its {member} has {len(getattr(rules, member))} characters: at least 1, at most {LONGEST}"
    least, most = rules.players
    if not 1 <= least <= most <= len(SEAT_IDS):
        yield f"it is for {least} to {most} players: at least 1, at most {len(SEAT_IDS)}"
    required = [field.name for field in msgspec.structs.fields(rules.options) if field.required]
    if required:
        yield f"its options have no default: {', '.join(required)}"
    taken = [kind.type for kind in rules.actions if kind.type in _LIFECYCLE]
    if taken:
        yield f"every game has events of these types: {', '.join(taken)}"
    repeated = [name for name, count in Counter(kind.type for kind in rules.actions).items() if count > 1]
    if repeated:
        yield f"several of its actions have the same type: {', '.join(repeated)}"


def _columns(rules: AnyRules) -> Iterator[str]:
    for columns in (rules.columns, rules.seat_columns):
        taken = set(RESERVED)
        for column in columns:
            if column.name in taken:
                yield f"it declares the column {column.name!r}, but another column already has this name"
            taken.add(column.name)
            # Snake case, because databases ignore the case of a column name.
            if not _SNAKE.fullmatch(column.name):
                yield f"its column {column.name!r} is not in snake case"
            if column.kind not in _KINDS:
                yield f"its column {column.name!r} is neither int, bool nor str"


def _unhashable(info: inspect.Type, seen: set[type], path: str = "") -> Iterator[str]:
    """Yield the mutable members of a type. Cached states are shared between threads, so they must be immutable.

    Args:
        seen: the structs that are already checked; this function adds more.
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
