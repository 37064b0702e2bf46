"""Share links: a token by which anyone may look at a game, until it is withdrawn."""

from __future__ import annotations

from secrets import token_urlsafe

import msgspec

from store import connection, keys, scripts
from store.connection import Client, Script
from store.errors import Corrupt

TOKEN_BYTES = 15
"""Nobody finds 120 bits by trying."""
MOST = 100
"""Links of a game that are open at a time."""


class Share(msgspec.Struct, frozen=True):
    """A link."""

    token: str
    game: str
    created_at: str


_SHARE = msgspec.json.Decoder(Share)


class Sharing:
    """The share links of all games. They are no projection: what was given away cannot be made again from a log."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._add = Script(client, scripts.ADD_SHARE)

    def share(self, game_id: str, created_at: str) -> Share | None:
        """A new link to a game; None where it has as many as a game may have.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        share = Share(token_urlsafe(TOKEN_BYTES), game_id, created_at)
        arguments = (share.token, msgspec.json.encode(share), MOST)
        return share if self._add([keys.SHARES, keys.shares_of(game_id)], arguments) else None

    def find(self, token: str) -> Share | None:
        """The link with that token; None where there is none, or none any more."""
        document = connection.call(self._client, "HGET", keys.SHARES, token)
        return None if document is None else _parse(document)

    def of(self, game_id: str) -> list[Share]:
        """The links to a game that are open, oldest first."""
        tokens = connection.call(self._client, "LRANGE", keys.shares_of(game_id), 0, -1)
        if not tokens:
            return []
        found = connection.call(self._client, "HMGET", keys.SHARES, *tokens)
        return [_parse(document) for document in found if document is not None]

    def withdraw(self, game_id: str, token: str) -> bool:
        """End a link; whether it was one to that game."""
        share = self.find(token)
        if share is None or share.game != game_id:
            return False
        # First the link itself: where the second is lost, the list names one that is none any more.
        removed = connection.call(self._client, "HDEL", keys.SHARES, token)
        connection.call(self._client, "LREM", keys.shares_of(game_id), 0, token)
        return bool(removed)


def _parse(document: bytes) -> Share:
    try:
        return _SHARE.decode(document)
    except msgspec.DecodeError as error:
        raise Corrupt(f"a share link cannot be read: {error}") from error
