"""What an effect needs: where a table did what the rules forbid, it may not be there.

An `apply` that looks for it by these says so with the declared error, which a plain lookup would not (see
`engine.kit.actions.Action.apply`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.core.errors import Unclear

T = TypeVar("T")


def needed(found: T | None) -> T:
    """What was looked for.

    Raises:
        Unclear: it is not there.
    """
    if found is None:
        raise Unclear
    return found


def needed_at(items: Sequence[T], index: int) -> T:
    """The one of `items` at `index`, from 0.

    Raises:
        Unclear: there are not so many.
    """
    if not 0 <= index < len(items):
        raise Unclear
    return items[index]


def place_of(item: T, items: Sequence[T]) -> int:
    """The index of the first of `items` that equals `item`.

    Raises:
        Unclear: none does.
    """
    try:
        return items.index(item)
    except ValueError:
        raise Unclear from None
