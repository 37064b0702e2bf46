"""Hints of appends: a game has more events. A hint may be lost, so it is never the truth: the log is."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from store import keys
from store.connection import Client, translated
from store.errors import StoreError

_POLL_SECONDS = 0.5
"""How soon a listener notices that it is to stop."""
_AGAIN_SECONDS = 1.0
"""How long to wait before Redis is asked again, when it did not answer."""


class Hints:
    """Listens to the appends of all processes, until it is stopped."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stopping = threading.Event()

    def listen(self) -> Iterator[tuple[str, int] | None]:
        """Each game that was appended to, with its version; None whenever hints may have been missed.

        It begins with None, and gives None again after Redis did not answer for a while.
        """
        while not self._stopping.is_set():
            try:
                yield from self._subscribed()
            except StoreError:
                self._stopping.wait(_AGAIN_SECONDS)

    def _subscribed(self) -> Iterator[tuple[str, int] | None]:
        with translated(), self._client.pubsub(ignore_subscribe_messages=True) as subscription:  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
            subscription.subscribe(keys.APPENDED)
            yield None
            while not self._stopping.is_set():
                message = subscription.get_message(timeout=_POLL_SECONDS)
                if message is not None:
                    game_id, _, version = message["data"].decode().partition(" ")
                    yield game_id, int(version)

    def stop(self) -> None:
        """End `listen`, wherever it is waiting."""
        self._stopping.set()
