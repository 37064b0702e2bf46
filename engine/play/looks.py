"""What everyone sees on a table, and what does not show there (`Ruleset.unseen`, `Ruleset.face_down`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.canonical import canonical
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset


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


def shown(ruleset: AnyRuleset, state: State) -> dict[str, Any]:
    """The document of what everyone sees on the table: of what does not show, how much it is."""
    seen = ruleset.to_document(state)
    for path in (*ruleset.unseen, *ruleset.face_down(state)):
        seen = _counted(seen, path.split("/"))
    return {**seen, "awaiting": ruleset.awaiting(state) if state.outcome is None else ()}


def look(ruleset: AnyRuleset, state: State) -> bytes:
    """The canonical form of what everyone sees on the table."""
    return canonical(shown(ruleset, state))


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


def _size(document: Any) -> int:
    kind = type(document)
    if kind is dict:
        document = document.values()
    elif kind is not list and kind is not tuple:
        return 1
    # Of a pile without a call for each of its cards: it is asked of every table that there may be.
    size = 0
    for one in document:
        kind = type(one)
        size += _size(one) if kind is dict or kind is list or kind is tuple else 1
    return size
