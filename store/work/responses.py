"""Responses to requests with an idempotency key, kept for a day, so that a repeated request gets the first response."""

from __future__ import annotations

import hashlib

from store import keys
from store.log.idempotency import IdempotencyKey
from store.redis import connection
from store.redis.connection import Client

RUNNING_SECONDS = 60
"""Seconds after which an unanswered request counts as lost. No request may take that long."""
KEPT_SECONDS = 24 * 60 * 60


class Answers:
    """The stored responses by idempotency key.

    Callers encrypt the responses, so that the data in the store does not reveal them.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def claim(self, key: IdempotencyKey) -> bytes | None:
        """Begin the request with this key.

        Returns:
            None for a new request; otherwise its stored response, which is empty while the request runs.

        Raises:
            KeyReused: the key was already used for a different request.
            Corrupt: the stored value is incomplete.
        """
        name = _name(key)
        while True:
            if connection.call(self._client, "SET", name, key.mark, "NX", "EX", RUNNING_SECONDS):
                return None
            kept = connection.call(self._client, "GET", name)
            if kept is not None:
                return key.content_of(kept)

    def check(self, key: IdempotencyKey) -> None:
        """Check that this key has no stored response to a different request.

        Raises:
            KeyReused: it has one.
            Corrupt: the stored value is incomplete.
        """
        kept = connection.call(self._client, "GET", _name(key))
        if kept is not None:
            key.content_of(kept)

    def keep(self, key: IdempotencyKey, answer: bytes) -> None:
        """Store the response to the request with this key."""
        connection.call(self._client, "SET", _name(key), key.mark + answer, "EX", KEPT_SECONDS)

    def release(self, key: IdempotencyKey) -> None:
        """Forget the request with this key, because the request was rejected."""
        connection.call(self._client, "DEL", _name(key))


def _name(key: IdempotencyKey) -> str:
    return keys.answer(hashlib.sha256(key.key.encode()).hexdigest())
