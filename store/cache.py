"""A bounded, thread-safe LRU mapping."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """An LRU cache whose values weigh at most `size` in total.

    Args:
        weigh: returns the weight of a value, such as its bytes (default: 1). Values heavier than `size` are not cached.
    """

    def __init__(self, size: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        self._size = size
        self._weigh = weigh
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._making: dict[K, _Making[V]] = {}
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return the cached value; None if there is none."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V) -> None:
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
        """Return the value of `key`. If it is missing, one thread computes it, and other threads with this key wait.

        If `make` raises an error, the next waiting thread tries again.
        """
        with self._lock:
            making = self._making.setdefault(key, _Making())
            making.threads += 1
        try:
            with making.lock:
                # A value too large for the cache is still returned to the waiting threads.
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
        with self._lock:
            self._drop(key)

    def _drop(self, key: K) -> None:
        _, weight = self._values.pop(key, (None, 0))
        self._weight -= weight


class _Making(Generic[V]):
    """A value that one thread computes, and the number of `threads` that wait for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.threads = 0
        self.value: V | None = None
