"""What everyone sees on a table, and what does not show there (`Ruleset.unseen`, `Ruleset.face_down`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from engine.core.canonical import canonical
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset

Key = tuple[bytes, bytes]
"""What tells a table from all others: what everyone sees of it, and the parts of its state in which something does not
show, each in its canonical form. Tables that look alike come in the order of their own canonical forms.
"""


def covered(ruleset: AnyRuleset, state: State) -> Counter[Any]:
    """What does not show, wherever it is."""
    document = ruleset.to_document(state)
    paths = (*ruleset.unseen, *ruleset.face_down(state))
    return Counter(leaf for path in paths for leaf in _leaves(document, path.split("/")))


def _leaves(document: Any, path: Sequence[str] = ()) -> Iterator[Any]:
    if path:
        key, *rest = path
        found = document if key == "*" else [document[int(key) if key.isdigit() else key]]
        for one in found:
            yield from _leaves(one, rest)
    elif isinstance(document, dict | list | tuple):
        for one in document.values() if isinstance(document, dict) else document:
            yield from _leaves(one)
    else:
        yield document


def look(ruleset: AnyRuleset, state: State) -> bytes:
    """The canonical form of what everyone sees on the table."""
    return Looks(ruleset).key(state)[0]


class Look(msgspec.Struct, frozen=True):
    """What everyone sees on a table."""

    document: dict[str, Any]
    """Of what does not show, how much it is."""
    board: bytes
    """Its canonical form."""


class Looks:
    """What the tables of a game look like: worked out once for all that look alike, and these may be many."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self._known: dict[Hashable, Look] = {}
        """By all that it depends on."""

    def of(self, state: State) -> tuple[Look, Key]:
        """What everyone sees on that table, and what tells it from all others."""
        ruleset = self.ruleset
        cover = _cover(type(state), (*ruleset.unseen, *ruleset.face_down(state)))
        awaiting = ruleset.awaiting(state) if state.outcome is None else ()
        parts = cover.parts(state)
        sizes, hidden = _measured(cover, parts)
        seen = (cover.paths, awaiting, *cover.shown(state), *sizes)
        look = self._known.get(seen)
        if look is None:
            document = ruleset.to_document(state)
            for path in cover.paths:
                document = _counted(document, path.split("/"))
            document = {**document, "awaiting": awaiting}
            look = self._known[seen] = Look(document, canonical(document))
        return look, (look.board, hidden)

    def key(self, state: State | None) -> Key:
        """What tells that table from all others; None is where the game is not set up yet."""
        return (b"", b"") if state is None else self.of(state)[1]


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
        self.shown = attrgetter(*(name for name in kind.__struct_fields__ if name not in self._below))
        """The fields of a state of which all shows."""

    def parts(self, state: State) -> tuple[Hashable, ...]:
        """Its other fields."""
        return tuple([getattr(state, name) for name in self._parts])

    def sizes(self, parts: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """What everyone sees of these."""
        return tuple(_sizes(part, self._below[name]) for name, part in zip(self._parts, parts, strict=True))


_cover = lru_cache(maxsize=1000)(_Cover)


@lru_cache(maxsize=4000)
def _measured(cover: _Cover, parts: tuple[Hashable, ...]) -> tuple[tuple[Hashable, ...], bytes]:
    """What everyone sees of the fields in which something does not show, and their canonical form.

    Of the tables that there may be they stay as they are while pawns move.
    """
    return cover.sizes(parts), canonical(parts)


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
    return tuple(_sizes(one, below[str(at)]) if str(at) in below else one for at, one in enumerate(node))


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
    if isinstance(node, dict):
        node = node.values()
    elif isinstance(node, msgspec.Struct):
        node = msgspec.structs.astuple(node)
    elif not isinstance(node, list | tuple | frozenset):
        return 1
    # Of a pile without a call for each of its cards: it is asked of every table that there may be.
    size = 0
    for one in node:
        size += 1 if type(one) is str else _size(one)
    return size
