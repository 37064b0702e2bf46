"""Hints: a game has more events, a token has ended, or the feed has grown.

A hint may be lost, so it is never the truth: the store is.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec

from store import keys
from store.errors import StoreError
from store.redis.connection import SOCKET_TIMEOUT, Client, database, translated

_POLL_SECONDS = 0.5
"""How soon a listener notices that it is to stop."""
_AGAIN_SECONDS = 1.0
"""How long to wait before Redis is asked again, when it did not answer."""


class Withdrawn(msgspec.Struct, frozen=True):
    """A token has ended."""

    token: str
    """Its id."""


class Grown(msgspec.Struct, frozen=True):
    """The feed has grown, or something is to be sent at once."""


Hint = tuple[str, int] | Withdrawn | Grown
"""The game that was appended to, with its version; the token that was withdrawn; or that there is more to tell."""


class Hints:
    """Listens to what all processes do, until it is stopped."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._database = database(client)
        self._stopping = threading.Event()

    def listen(self) -> Iterator[Hint | None]:
        """Each hint; None whenever some may have been missed.

        It begins with None, and gives None again after Redis did not answer for a while.
        """
        while not self._stopping.is_set():
            try:
                yield from self._subscribed()
            except StoreError:
                self._stopping.wait(_AGAIN_SECONDS)

    def _subscribed(self) -> Iterator[Hint | None]:
        with translated(), self._client.pubsub() as subscription:  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
            channels = [channel(self._database) for channel in (keys.appended, keys.withdrawn, keys.grown)]
            subscription.subscribe(*channels)
            for _ in channels:
                # Before Redis says that it has them, whoever looks now may miss what comes next.
                if subscription.get_message(timeout=SOCKET_TIMEOUT) is None:
                    return
            yield None
            while not self._stopping.is_set():
                message = subscription.get_message(ignore_subscribe_messages=True, timeout=_POLL_SECONDS)
                if message is not None:
                    yield self._heard(message["channel"].decode(), message["data"].decode())

    def stop(self) -> None:
        """End `listen`, wherever it is waiting."""
        self._stopping.set()

    def _heard(self, channel: str, told: str) -> Hint:
        if channel == keys.withdrawn(self._database):
            return Withdrawn(told)
        if channel == keys.grown(self._database):
            return Grown()
        game_id, _, version = told.partition(" ")
        return game_id, int(version)
