"""A bounded mapping that threads share: what was not used for the longest time goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Values that weigh `size` together at the most.

    Args:
        weigh: how much a value weighs, such as its bytes; by default all are counted alike. One that weighs more than
            `size` is not kept.
    """

    def __init__(self, size: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        self._size = size
        self._weigh = weigh
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._making: dict[K, _Making[V]] = {}
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value that was put last, if it is still there."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V) -> None:
        """Keep `value`."""
        weight = self._weigh(value)
        with self._lock:
            self._drop(key)
            if weight > self._size:
                return
            self._values[key] = value, weight
            self._weight += weight
            while self._weight > self._size:
                _, (_, least) = self._values.popitem(last=False)
                self._weight -= least

    def once(self, key: K, make: Callable[[], V]) -> V:
        """The value of `key`, made where it is missing: by one thread, while those that ask for the same wait for it.

        Raises:
            What `make` raises, to the thread that made it; the next one that waits tries again.
        """
        with self._lock:
            making = self._making.setdefault(key, _Making())
            making.threads += 1
        try:
            with making.lock:
                # It may weigh too much to be kept: those who waited have it all the same.
                value = making.value if making.value is not None else self.get(key)
                if value is None:
                    value = making.value = make()
                    self.put(key, value)
                return value
        finally:
            with self._lock:
                making.threads -= 1
                if making.threads == 0:
                    del self._making[key]

    def drop(self, key: K) -> None:
        """Forget what was put, if anything."""
        with self._lock:
            self._drop(key)

    def _drop(self, key: K) -> None:
        _, weight = self._values.pop(key, (None, 0))
        self._weight -= weight


class _Making(Generic[V]):
    """A value that is asked for, by `threads` threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.threads = 0
        self.value: V | None = None
