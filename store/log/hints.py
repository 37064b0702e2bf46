"""Hints from other processes: a game has more events, a token was revoked, or the feed has grown.

A hint may be lost, so a listener must still read the store.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec

from store import keys
from store.documents import decode_text
from store.errors import StoreError
from store.redis.connection import SOCKET_TIMEOUT, Client, database, translate_errors

_POLL_SECONDS = 0.5
"""Maximum delay until a stopped listener ends."""
_AGAIN_SECONDS = 1.0
"""Pause after Redis did not answer."""


class TokenRevoked(msgspec.Struct, frozen=True):
    """A token was revoked."""

    token: str
    """The id of the token."""


class FeedGrown(msgspec.Struct, frozen=True):
    """The feed has grown, or a delivery is due."""


Hint = tuple[str, int] | TokenRevoked | FeedGrown
"""A hint: a game has new events, a token was revoked, or the feed has new entries."""


class Hints:
    """Listens to the hints of all processes, until its owner calls `stop`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._database = database(client)
        self._stopping = threading.Event()

    def listen(self) -> Iterator[Hint | None]:
        """Yield each hint, and None whenever hints may have been missed.

        The first hint is None. Another None follows each time that Redis did not answer for a while.
        """
        while not self._stopping.is_set():
            try:
                yield from self._subscribe()
            except StoreError:
                self._stopping.wait(_AGAIN_SECONDS)

    def _subscribe(self) -> Iterator[Hint | None]:
        with translate_errors(), self._client.pubsub() as subscription:  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
            channels = [
                channel(self._database) for channel in (keys.append_channel, keys.revocation_channel, keys.feed_channel)
            ]
            subscription.subscribe(*channels)
            for _ in channels:
                # Wait for Redis to confirm the subscription. Callers read the store afterwards, so that they miss no
                # hint.
                if subscription.get_message(timeout=SOCKET_TIMEOUT) is None:
                    return
            yield None
            while not self._stopping.is_set():
                message = subscription.get_message(ignore_subscribe_messages=True, timeout=_POLL_SECONDS)
                if message is not None:
                    yield self._parse(decode_text(message["channel"]), decode_text(message["data"]))

    def stop(self) -> None:
        """End `listen`, even while it waits."""
        self._stopping.set()

    def _parse(self, channel: str, told: str) -> Hint | None:
        """Return the hint in a message.

        Return None for a message of another program, because it may stand for any hint.
        """
        if channel == keys.revocation_channel(self._database):
            return TokenRevoked(told)
        if channel == keys.feed_channel(self._database):
            return FeedGrown()
        game_id, _, version = told.partition(" ")
        return (game_id, int(version)) if version.isdecimal() else None
