"""What everyone sees on a table, and what does not show there (`Ruleset.unseen`, `Ruleset.face_down`)."""

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

Key = tuple["Look | None", tuple[Hashable, ...]]
"""What tells a table from all others: what everyone sees of it, and the parts of its state in which something does not
show. The look is None where the game is not set up yet. Tables that look alike are ordered by `spelled` of their parts.
"""

spelled = lru_cache(maxsize=4000)(canonical)
"""The canonical form of parts of a state: of the tables that there may be they stay as they are while pawns move."""


def covered(ruleset: AnyRuleset, state: State) -> Counter[Any]:
    """What does not show, wherever it is. It is shared: leave it as it is."""
    cover = _cover_of(ruleset, state)
    return _hidden(cover, cover.parts(state))


def look(ruleset: AnyRuleset, state: State) -> bytes:
    """The canonical form of what everyone sees on the table."""
    return Looks(ruleset).of(state)[0].board


class Look:
    """What everyone sees on a table: one object for all tables that look alike to the same `Looks`.

    Most looks are only told apart, so their documents are made when they are needed.
    """

    def __init__(self, ruleset: AnyRuleset, state: State, paths: Sequence[str], awaiting: Sequence[int]) -> None:
        self._ruleset, self._state, self._paths, self._awaiting = ruleset, state, paths, awaiting

    @cached_property
    def document(self) -> dict[str, Any]:
        """What it is, and of what does not show, how much."""
        document = self._ruleset.to_document(self._state)
        for path in self._paths:
            document = _counted(document, path.split("/"))
        return {**document, "awaiting": self._awaiting}

    @cached_property
    def board(self) -> bytes:
        """Its canonical form."""
        return canonical(self.document)


class Looks:
    """What the tables of a game look like: worked out once for all that look alike, and these may be many."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self._known: dict[Hashable, Look] = {}
        """By all that it depends on."""

    def of(self, state: State) -> tuple[Look, Key]:
        """What everyone sees on that table, and what tells it from all others."""
        ruleset = self.ruleset
        cover = _cover_of(ruleset, state)
        awaiting = ruleset.awaiting(state) if state.outcome is None else ()
        parts = cover.parts(state)
        seen = (cover.paths, awaiting, *cover.shown(state), *cover.sizes(parts))
        look = self._known.get(seen)
        if look is None:
            look = self._known[seen] = Look(ruleset, state, cover.paths, awaiting)
        return look, (look, parts)

    def key(self, state: State | None) -> Key:
        """What tells that table from all others; None is where the game is not set up yet."""
        return (None, ()) if state is None else self.of(state)[1]


class _Cover:
    """Where in the states of a kind something does not show.

    Args:
        paths: to all of it, as in `Ruleset.unseen`.
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
        """The fields of a state of which all shows."""

    def parts(self, state: State) -> tuple[Hashable, ...]:
        """Its other fields."""
        return tuple([getattr(state, name) for name in self._parts])

    def sizes(self, parts: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """What everyone sees of these."""
        return tuple([_measured(self, name, part) for name, part in zip(self._parts, parts, strict=True)])

    def size(self, name: str, part: Hashable) -> Hashable:
        """What everyone sees of one of these."""
        return _sizes(part, self._below[name])

    def leaves(self, parts: Sequence[Hashable]) -> Iterator[Any]:
        """What does not show in these."""
        for name, *steps in self._steps:
            yield from _found(parts[self._parts.index(name)], steps)


_cover = lru_cache(maxsize=1000)(_Cover)


def _cover_of(ruleset: AnyRuleset, state: State) -> _Cover:
    """Where in that state something does not show."""
    return _cover(type(state), (*ruleset.unseen, *sorted(ruleset.face_down(state))))


@lru_cache(maxsize=1000)
def _hidden(cover: _Cover, parts: tuple[Hashable, ...]) -> Counter[Any]:
    """What does not show in these fields: where an outcome went unseen, it is asked of the same table for each board
    that may come of it.
    """
    return Counter(cover.leaves(parts))


def _found(node: Any, steps: Sequence[str]) -> Iterator[Any]:
    """All leaves of a part of a state where `steps` lead."""
    if not steps:
        yield from _leaves(node)
        return
    key, *rest = steps
    if key == "*":
        for one in node:
            yield from _found(one, rest)
    else:
        yield from _found(node[int(key)] if key.isdigit() else getattr(node, key), rest)


@lru_cache(maxsize=4000)
def _measured(cover: _Cover, name: str, part: Hashable) -> Hashable:
    """What everyone sees of a field in which something does not show: most of them stay as they are from one of the
    tables that there may be to the next.
    """
    return cover.size(name, part)


def _sizes(node: Any, below: Mapping[str, Any]) -> Hashable:
    """What everyone sees of a part of a state: how much there is where `below` leads."""
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


def _counted(document: Any, path: Sequence[str]) -> Any:
    """`document` with how much there is in the place of what stands at `path`."""
    if not path:
        return _size(document)
    key, *rest = path
    if key == "*":
        return [_counted(one, rest) for one in document]
    if key.isdigit():
        at = int(key)
        return [*document[:at], _counted(document[at], rest), *document[at + 1 :]]
    return {**document, key: _counted(document[key], rest)}


def _size(node: Any) -> int:
    """How much there is in a document, or a part of a state."""
    return len(_leaves(node))


def _leaves(node: Any) -> list[Any]:
    """All that is in a document, or a part of a state, and holds nothing else."""
    if isinstance(node, dict):
        node = node.values()
    elif isinstance(node, msgspec.Struct):
        node = msgspec.structs.astuple(node)
    elif not isinstance(node, list | tuple | frozenset):
        return [node]
    # Of a pile without a call for each of its cards: it is asked of every table that there may be.
    found = []
    for one in node:
        if type(one) is str:
            found.append(one)
        else:
            found += _leaves(one)
    return found
