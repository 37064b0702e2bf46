"""Lookups for the effects of actions. If an action is illegal, a component may be missing.

Use these in `Action.apply`: they raise `Unclear` for a missing component, where a plain lookup would fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.core.errors import Unclear

T = TypeVar("T")


def needed(found: T | None) -> T:
    """Return `found`, the component that was looked up.

    Raises:
        Unclear: `found` is None.
    """
    if found is None:
        raise Unclear
    return found


def needed_at(items: Sequence[T], index: int) -> T:
    """Return the item at `index`, from 0.

    Raises:
        Unclear: there are fewer items.
    """
    if not 0 <= index < len(items):
        raise Unclear
    return items[index]


def place_of(item: T, items: Sequence[T]) -> int:
    """Return the index of the first item that equals `item`.

    Raises:
        Unclear: there is none.
    """
    try:
        return items.index(item)
    except ValueError:
        raise Unclear from None
