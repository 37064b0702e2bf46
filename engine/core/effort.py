"""Count the work that a request takes, and stop it at a limit.

Slow code calls `spend`, which counts the steps. A caller of the engine can also install a check. The check stops the
work for reasons outside the engine, such as a time limit or a closed connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import TypeVar

T = TypeVar("T")

Check = Callable[[], None]
"""Function that is called during long computations, and raises `Exhausted` to end them."""

AT_A_TIME = 100
"""Number of small steps that are counted together."""


class Exhausted(BaseException):
    """The budget is used up. Like a cancellation, this error may be caught only by the caller that set the limit."""


class Effort:
    """Counter of steps. A step is a rule applied to a table, a replayed event, or an operation of a patch."""

    __slots__ = ("_check", "spent")

    def __init__(self, check: Check | None) -> None:
        self.spent = 0
        self._check = check

    def add(self, steps: int) -> None:
        """Count steps, and run the check."""
        self.spent += steps
        if self._check is not None:
            self._check()

    def commit(self) -> None:
        """Mark the requested work as done: count later steps, but no longer call the check."""
        self._check = None


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def count_steps(check: Check | None = None) -> Iterator[Effort]:
    """Count the steps spent in this context; `check` can stop the work."""
    effort = Effort(check)
    token = _EFFORT.set(effort)
    try:
        yield effort
    finally:
        _EFFORT.reset(token)


def spend(steps: int = 1) -> None:
    """Count steps of work.

    Raises:
        Exhausted: the budget is used up.
    """
    effort = _EFFORT.get()
    if effort is not None:
        effort.add(steps)


def commit() -> None:
    """Mark the requested work as done (see `Effort.commit`)."""
    effort = _EFFORT.get()
    if effort is not None:
        effort.commit()


def runs(items: Iterable[T]) -> Iterator[Iterator[T]]:
    """Yield `items` in runs of up to `AT_A_TIME`, each counted as `AT_A_TIME` steps. Consume a run before the next one.

    Raises:
        Exhausted: as in `spend`.
    """
    left = iter(items)
    for first in left:
        spend(AT_A_TIME)
        yield chain((first,), islice(left, AT_A_TIME - 1))


def each(items: Iterable[T]) -> Iterator[T]:
    """Yield `items`, counted as in `runs`.

    Raises:
        Exhausted: as in `spend`.
    """
    return chain.from_iterable(runs(items))
