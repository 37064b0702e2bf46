"""How much work something takes: counted, and ended where it is more than may be spent on it.

What can take long tells `spend` as it goes on. By itself that ends nothing: whoever asks for the work may bring a
check, which looks at what the engine must not know, such as the time or whether anybody still waits for the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import TypeVar

T = TypeVar("T")

Check = Callable[[], None]
"""Called as work goes on; raises `Exhausted` to end it."""

AT_A_TIME = 100
"""Steps for which a long loop over small ones is counted once."""


class Exhausted(BaseException):
    """No more may be spent. As when a task is cancelled, nothing on the way takes it for an error of its own."""


class Effort:
    """What was spent so far, in steps: a rule carried out at a table, an event played, an operation of a patch."""

    __slots__ = ("_check", "spent")

    def __init__(self, check: Check | None) -> None:
        self.spent = 0
        self._check = check

    def add(self, steps: int) -> None:
        """So many more."""
        self.spent += steps
        if self._check is not None:
            self._check()

    def commit(self) -> None:
        """What was asked for is done: from now on it is only told, and nothing ends that."""
        self._check = None


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def counted(check: Check | None = None) -> Iterator[Effort]:
    """Count what is spent in this context, and let `check` end it."""
    effort = Effort(check)
    token = _EFFORT.set(effort)
    try:
        yield effort
    finally:
        _EFFORT.reset(token)


def spend(steps: int = 1) -> None:
    """This is work.

    Raises:
        Exhausted: the check that was brought says that it is too much.
    """
    effort = _EFFORT.get()
    if effort is not None:
        effort.add(steps)


def commit() -> None:
    """What was asked for is done, see `Effort.commit`."""
    effort = _EFFORT.get()
    if effort is not None:
        effort.commit()


def runs(items: Iterable[T]) -> Iterator[Iterator[T]]:
    """`items` in runs of `AT_A_TIME`, each of them counted as it begins, and to be taken whole before the next.

    Raises:
        Exhausted: as `spend`.
    """
    left = iter(items)
    for first in left:
        spend(AT_A_TIME)
        yield chain((first,), islice(left, AT_A_TIME - 1))


def each(items: Iterable[T]) -> Iterator[T]:
    """`items` one after the other, each of them a step.

    Raises:
        Exhausted: as `spend`.
    """
    return chain.from_iterable(runs(items))
