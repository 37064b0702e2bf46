"""The visible and hidden parts of a table (`Ruleset.unseen`, `Ruleset.face_down`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from engine.core.canonical import canonical
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset

Key = tuple["VisibleTable | None", tuple[Hashable, ...]]
"""Identifies a table: its visible part, and the fields of its state that hide something.

The visible part is None before the setup. Tables with the same visible part are sorted by `cached_canonical` of these
fields.
"""

cached_canonical = lru_cache(maxsize=4000)(canonical)
"""Return the canonical form of a part of a state, from a cache. Most parts are the same on many possible tables."""


def count_hidden(ruleset: AnyRuleset, state: State) -> Counter[Any]:
    """Count the hidden components, wherever they are. Do not change the returned object, because it is shared."""
    cover = _cover_of(ruleset, state)
    return _count_parts(cover, cover.parts(state))


def look(ruleset: AnyRuleset, state: State) -> bytes:
    """Return the canonical form of the visible part of the table."""
    return Looks(ruleset).of(state)[0].board


class VisibleTable:
    """The visible part of a table. All tables that look alike share one object.

    Most objects are only compared, so `document` is computed on demand.
    """

    def __init__(self, ruleset: AnyRuleset, state: State, paths: Sequence[str], awaiting: Sequence[int]) -> None:
        self._ruleset, self._state, self._paths, self._awaiting = ruleset, state, paths, awaiting

    @cached_property
    def document(self) -> dict[str, Any]:
        """The visible part as a document, with counts in place of the hidden components."""
        document = self._ruleset.to_document(self._state)
        for path in self._paths:
            document = _with_count(document, path.split("/"))
        return {**document, "awaiting": self._awaiting}

    @cached_property
    def board(self) -> bytes:
        """The canonical form of the document."""
        return canonical(self.document)


class Looks:
    """A cache of the visible parts of a game's possible tables. Tables that look alike share one visible part."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self._known: dict[Hashable, VisibleTable] = {}
        """Cached visible parts of tables. The key is the part of the state that determines the visible part."""

    def of(self, state: State) -> tuple[VisibleTable, Key]:
        """Return the visible part of the table in this state, and the key that identifies the whole table."""
        ruleset = self.ruleset
        cover = _cover_of(ruleset, state)
        awaiting = ruleset.awaiting(state) if state.outcome is None else ()
        parts = cover.parts(state)
        seen = (cover.paths, awaiting, *cover.shown(state), *cover.sizes(parts))
        look = self._known.get(seen)
        if look is None:
            look = self._known[seen] = VisibleTable(ruleset, state, cover.paths, awaiting)
        return look, (look, parts)

    def key(self, state: State | None) -> Key:
        """Return the key that identifies a table; None stands for a game before its setup."""
        return (None, ()) if state is None else self.of(state)[1]


class _Cover:
    """The hidden parts of states of one type.

    Args:
        paths: the paths to all hidden parts, as in `Ruleset.unseen`.
    """

    def __init__(self, kind: type[State], paths: tuple[str, ...]) -> None:
        self.paths = paths
        self._below: dict[str, Any] = {}
        for path in paths:
            below = self._below
            for key in path.split("/"):
                below = below.setdefault(key, {})
        self._parts = sorted(self._below)
        self._steps = [path.split("/") for path in paths]
        self.shown = attrgetter(*(name for name in kind.__struct_fields__ if name not in self._below))
        """The fully visible fields of a state."""

    def parts(self, state: State) -> tuple[Hashable, ...]:
        """Return the fields of a state that hide something."""
        return tuple([getattr(state, name) for name in self._parts])

    def sizes(self, parts: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """Return the visible part of each of `parts`."""
        return tuple([_visible_part(self, name, part) for name, part in zip(self._parts, parts, strict=True)])

    def size(self, name: str, part: Hashable) -> Hashable:
        """Return the visible part of the field `name`."""
        return _sizes(part, self._below[name])

    def leaves(self, parts: Sequence[Hashable]) -> Iterator[Any]:
        """Yield the hidden components in these fields."""
        for name, *steps in self._steps:
            yield from _leaf_values(parts[self._parts.index(name)], steps)


_cover = lru_cache(maxsize=1000)(_Cover)


def _cover_of(ruleset: AnyRuleset, state: State) -> _Cover:
    return _cover(type(state), (*ruleset.unseen, *sorted(ruleset.face_down(state))))


@lru_cache(maxsize=1000)
def _count_parts(cover: _Cover, parts: tuple[Hashable, ...]) -> Counter[Any]:
    """Count the hidden components in these fields of a state.

    Cached, because after an unknown result every possible table needs the same count.
    """
    return Counter(cover.leaves(parts))


def _leaf_values(node: Any, steps: Sequence[str]) -> Iterator[Any]:
    if not steps:
        yield from _leaves(node)
        return
    key, *rest = steps
    if key == "*":
        for one in node:
            yield from _leaf_values(one, rest)
    else:
        yield from _leaf_values(node[int(key)] if key.isdigit() else getattr(node, key), rest)


@lru_cache(maxsize=4000)
def _visible_part(cover: _Cover, name: str, part: Hashable) -> Hashable:
    """Return the visible part of a partly hidden field, from a cache, because many possible tables share it."""
    return cover.size(name, part)


def _sizes(node: Any, below: Mapping[str, Any]) -> Hashable:
    """Return `node`, a part of a state, with counts in place of the hidden values.

    The paths in `below` lead to these values.
    """
    if not below:
        return _size(node)
    if isinstance(node, msgspec.Struct):
        names = node.__struct_fields__
        return tuple(_sizes(getattr(node, one), below[one]) if one in below else getattr(node, one) for one in names)
    each = below.get("*")
    if each is not None:
        return tuple(_sizes(one, each) for one in node)
    seen = list(node)
    for at, inner in below.items():
        seen[int(at)] = _sizes(node[int(at)], inner)
    return tuple(seen)


def _with_count(document: Any, path: Sequence[str]) -> Any:
    if not path:
        return _size(document)
    key, *rest = path
    if key == "*":
        return [_with_count(one, rest) for one in document]
    if key.isdigit():
        at = int(key)
        return [*document[:at], _with_count(document[at], rest), *document[at + 1 :]]
    return {**document, key: _with_count(document[key], rest)}


def _size(node: Any) -> int:
    return len(_leaves(node))


def _leaves(node: Any) -> list[Any]:
    if isinstance(node, dict):
        node = node.values()
    elif isinstance(node, msgspec.Struct):
        node = msgspec.structs.astuple(node)
    elif not isinstance(node, list | tuple | frozenset):
        return [node]
    # Avoid a call for each card of a pile, because this runs for every possible table.
    found = []
    for one in node:
        if type(one) is str:
            found.append(one)
        else:
            found += _leaves(one)
    return found
