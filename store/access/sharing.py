"""Share links: tokens to view one game. A link ends with the token of its creator, or when it is revoked."""

from __future__ import annotations

import hashlib

import msgspec

from store import keys
from store.access.scripts import ADD_SHARE
from store.access.tokens import Token, TokenStore
from store.documents import decode_text, is_readable, parser, readable_one
from store.errors import StoreUnavailable
from store.redis import connection
from store.redis.connection import Client, Script

MOST = 100
"""Maximum active links of a game."""


class Share(msgspec.Struct, frozen=True, omit_defaults=True):
    """A share link."""

    token: str
    """The text of its token, visible to everyone who may list the links of the game."""
    game: str
    created_at: str
    id: str | None = None
    """The id of its token; None for links that an earlier version of Driftlog created without tokens."""
    expires_at: str | None = None
    """The expiry of the link, RFC 3339 in UTC; None: no expiry."""


_parse = parser(Share, "a share link")


class Sharing:
    """The share links of all games. They cannot be rebuilt from the logs."""

    def __init__(self, client: Client, tokens: TokenStore, replicas: int = 0) -> None:
        self._client = client
        self._replicas = replicas
        self._tokens = tokens
        self._add = Script(client, ADD_SHARE)

    def share(
        self, game_id: str, created_at: str, given_by: str | None = None, expires_at: str | None = None
    ) -> Share | None:
        """Create a link to a game; return None if the game has the maximum number of links.

        Args:
            given_by: the id of the creator's token; revoking it revokes the link.
            expires_at: expiry of the token `given_by`, and thus of the link.

        Raises:
            GiverGone: the token `given_by` is no longer active.
            StoreUnavailable: too few replicas have the link, so it was not created.
        """
        text, token = self._tokens.create(
            "viewer", game=game_id, created_at=created_at, expires_at=expires_at, given_by=given_by, is_link=True
        )
        share = Share(text, game_id, created_at, token.id, expires_at)
        arguments = (share.token, msgspec.json.encode(share), MOST)
        is_added, reached = self._add.run_replicated([keys.SHARES, keys.shares_of(game_id)], arguments, self._replicas)
        if is_added and reached >= self._replicas:
            return share
        self._tokens.withdraw(token.id)
        if is_added:
            raise StoreUnavailable(f"{reached} of {self._replicas} replicas have the link, so it was not created")
        return None

    def find(self, text: str) -> Share | None:
        """Return the active link with this text; None if there is none."""
        document = connection.call(self._client, "HGET", keys.SHARES, text)
        share = None if document is None else self._read(text, document)
        return share if share is not None and self._is_open(share) else None

    def token(self, text: str) -> Token | None:
        """Return the token of the active link with this text; None if there is no such link."""
        token = self._tokens.find(text)
        if token is not None:
            return token if token.is_link else None
        share = self.find(text)
        if share is None or share.id is not None:
            return None
        return Token(id=_id(text), role="viewer", game=share.game, created_at=share.created_at, is_link=True)

    def of(self, game_id: str) -> list[Share]:
        """Return the active links of a game, oldest first. Omit unreadable links."""
        tokens = connection.call(self._client, "LRANGE", keys.shares_of(game_id), 0, -1)
        if not tokens:
            return []
        found = connection.call(self._client, "HMGET", keys.SHARES, *tokens)
        listed = [(text, document) for text, document in zip(tokens, found, strict=True) if document is not None]
        shares = [share for text, document in listed if (share := self._read(decode_text(text), document)) is not None]
        in_force = self._tokens.in_force([share.id for share in shares if share.id is not None])
        open_ = [share for share in shares if share.id is None or share.id in in_force]
        for share in shares:
            if share not in open_:
                # The link's token has expired. Delete the link, so that it does not count towards the game's limit.
                self._forget(share)
        return open_

    def find_damaged(self) -> list[str]:
        """Return the games with a damaged link."""
        links = connection.call(self._client, "HGETALL", keys.SHARES)
        broken = {text for text, document in links.items() if not is_readable(_parse, document)}
        if not broken:
            return []
        names = list(map(decode_text, connection.scan(self._client, keys.shares_of("*"))))
        lists = connection.pipe_or_none(self._client, [("LRANGE", name, 0, -1) for name in names])
        return sorted(
            name.removeprefix(keys.shares_of(""))
            for name, texts in zip(names, lists, strict=True)
            if broken & {*(texts or ())}
        )

    def forget(self, game_id: str) -> None:
        """Revoke all links to a game."""
        tokens = connection.call(self._client, "LRANGE", keys.shares_of(game_id), 0, -1)
        if tokens:
            connection.call(self._client, "HDEL", keys.SHARES, *tokens)
        connection.call(self._client, "DEL", keys.shares_of(game_id))

    def withdraw(self, game_id: str, text: str) -> bool:
        """Revoke a link; return False if the game has no such link."""
        document = connection.call(self._client, "HGET", keys.SHARES, text)
        # A link may be damaged while its token is revoked. Then only the text of the link is known.
        share = None if document is None else self._read(text, document) or Share(text, game_id, "")
        texts = connection.call(self._client, "LRANGE", keys.shares_of(game_id), 0, -1)
        if share is None or text.encode() not in texts or not self._is_open(share):
            return False
        # Revoke the token first. If the process then stops, the link that remains is invalid.
        if share.id is not None:
            self._tokens.withdraw(share.id)
        removed = self._forget(share)
        if share.id is None:
            connection.call(
                self._client, "PUBLISH", keys.revocation_channel(connection.database(self._client)), _id(text)
            )
        return removed

    def _forget(self, share: Share) -> bool:
        removed = connection.call(self._client, "HDEL", keys.SHARES, share.token)
        connection.call(self._client, "LREM", keys.shares_of(share.game), 0, share.token)
        return bool(removed)

    def _is_open(self, share: Share) -> bool:
        return share.id is None or self._tokens.is_in_force(share.id)

    def _read(self, text: str, document: bytes) -> Share | None:
        """Decode a link. If the link is damaged, rebuild it from its token; return None if the token is not active."""
        share = readable_one(_parse, document)
        if share is not None:
            return share
        token = self._tokens.find(text)
        if token is None or token.game is None or not token.is_link:
            return None
        return Share(text, token.game, token.created_at, token.id, token.expires_at)


def _id(text: str) -> str:
    return f"link-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
