"""A bounded mapping that threads share: what was not used for the longest time goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """At most `size` values."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()
        self._making = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value that was put last, if it is still there."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> None:
        """Keep `value`."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)

    def once(self, key: K, make: Callable[[], V]) -> V:
        """The value of `key`, made where it is missing. One is made at a time: those who wait may ask for the same."""
        with self._making:
            value = self.get(key)
            if value is None:
                value = make()
                self.put(key, value)
        return value

    def drop(self, key: K) -> None:
        """Forget what was put, if anything."""
        with self._lock:
            self._values.pop(key, None)
