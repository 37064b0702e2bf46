"""Tokens: credentials of callers. The store has only digests of them; a token's text is shown once, on creation.

A token's text is `driftlog_<id>_<secret>`. The id identifies the token. The secret has 256 random bits, and its digest
is compared in constant time. Revoking a token also revokes the tokens and links that the token created.

After a process has checked a token, it trusts the token for `LEASE` seconds without asking Redis. A revocation waits
for this time before its response. So after the response, no process accepts the token.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal

import msgspec
from ulid import ULID

from engine.core.text import search_key
from store import keys
from store.access.scripts import LET_IN, SHUT_OUT, TAKE_NAMES
from store.cache import Cache
from store.documents import decode_text, is_readable, parser, readable, readable_one
from store.errors import NameTaken, StoreError, StoreUnavailable, TooManyTokens
from store.redis import connection
from store.redis.connection import Client, Script

SECRET_BYTES = 32
LEASE = 0.1
"""Seconds for which a process trusts a checked token."""
_KNOWN = 4096
"""Maximum number of checked tokens that a process remembers."""
_NAMES_AT_ONCE = 1000
_ID = "[0-9a-hjkmnp-tv-z]{26}"
_TEXT = re.compile(rf"driftlog_({_ID})_([A-Za-z0-9_-]{{43}})")

RoleName = Literal["viewer", "recorder", "arbiter", "admin"]


class Token(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A token, without its secret."""

    id: str
    role: RoleName
    game: str | None = None
    """The only game that the token gives access to; None: all games."""
    seat: str | None = None
    """The only seat that the token gives access to; None: no particular seat."""
    note: str | None = None
    created_at: str
    expires_at: str | None = None
    """The expiry, RFC 3339 in UTC."""
    given_by: str | None = None
    """The id of the token that created this one; None if the operator or an open service created it."""
    is_link: bool = False
    """True for the token of a share link, which is listed with its game."""

    def is_in_force(self, now: datetime | None = None) -> bool:
        """Return True if the token has not expired by `now` (default: the current time)."""
        if self.expires_at is None:
            return True
        return datetime.fromisoformat(self.expires_at) > (now or datetime.now(UTC))


class _StoredToken(msgspec.Struct, frozen=True):
    digest: bytes
    token: Token


_parse = parser(_StoredToken, "a token")


def is_like_an_id(name: str) -> bool:
    """Return True if a name looks like a token's id. (The id of a token without a note is the name of its recorder.)"""
    return re.fullmatch(_ID, search_key(name)) is not None


class GiverGone(StoreError):
    """The token of the creator was revoked while the new token was being created."""


class TokenStore:
    """All active and expired tokens."""

    def __init__(
        self, client: Client, ended: Callable[[Collection[str]], None] = lambda _: None, replicas: int = 0
    ) -> None:
        """
        Args:
            ended: called with the ids of revoked tokens.
        """
        self._client = client
        self._replicas = replicas
        self._ended = ended
        self._create = Script(client, LET_IN)
        self._take_names = Script(client, TAKE_NAMES)
        self._withdraw = Script(client, SHUT_OUT)
        self._found: Cache[str, tuple[Token, float]] = Cache(_KNOWN)

    def create(
        self,
        role: RoleName,
        *,
        created_at: str,
        game: str | None = None,
        seat: str | None = None,
        note: str | None = None,
        expires_at: str | None = None,
        given_by: str | None = None,
        most: int | None = None,
        may_share_name: bool = True,
        is_link: bool = False,
    ) -> tuple[str, Token]:
        """Create a token. Return its text, which is not stored, and the token.

        Args:
            most: maximum number of active tokens of `given_by`; None: no limit.
            may_share_name: True to accept a `note` that another recorder already uses as a name.

        Raises:
            NameTaken: another recorder uses the name, and the names must differ.
            TooManyTokens: `given_by` has reached `most`.
            GiverGone: `given_by` is no longer active.
            StoreUnavailable: too few replicas have the token, so it was not created.
        """
        token = Token(
            id=str(ULID()).lower(),
            role=role,
            game=game,
            seat=seat,
            note=note,
            created_at=created_at,
            expires_at=expires_at,
            given_by=given_by,
            is_link=is_link,
        )
        secret = secrets.token_urlsafe(SECRET_BYTES)
        name = "" if note is None or role == "viewer" else search_key(note)
        answer, reached = self._create.run_replicated(
            [
                keys.ACCESS,
                keys.ACCESS_NAMES,
                keys.ACCESS_ALL,
                *([keys.tokens_of(game)] if game else []),
                *([keys.tokens_given(given_by)] if given_by else []),
            ],
            [
                token.id,
                msgspec.json.encode(_StoredToken(_digest(secret), token)),
                name,
                game or "*",
                "1" if may_share_name else "0",
                given_by or "",
                "inf" if most is None else most,
            ],
            self._replicas,
        )
        match answer:
            case b"taken":
                raise NameTaken(note or "")
            case b"many":
                raise TooManyTokens
            case b"gone":
                raise GiverGone
        if reached < self._replicas:
            # Nobody received the token's text, so a token that remains is useless.
            self._end(token.id)
            raise StoreUnavailable(f"{reached} of {self._replicas} replicas have the token, so it was not created")
        return f"driftlog_{token.id}_{secret}", token

    def take_names(self, game_id: str, names: Iterable[str]) -> None:
        """Reserve the names of a game's recorders. From then on, only arbiters may create tokens with these names."""
        all_ = sorted(set(map(search_key, names)))
        for at in range(0, len(all_), _NAMES_AT_ONCE):
            self._take_names([keys.ACCESS_NAMES], [game_id, *all_[at : at + _NAMES_AT_ONCE]])

    def find(self, text: str) -> Token | None:
        """Return the token with that text if it is active; None otherwise."""
        began = time.monotonic()
        found = self._found.get(text)
        if found is not None and began < found[1]:
            return found[0] if found[0].is_in_force() else None
        token = self._read(text)
        if token is not None:
            self._found.put(text, (token, began + LEASE))
        return token

    def _read(self, text: str) -> Token | None:
        match = _TEXT.fullmatch(text)
        if match is None:
            return None
        kept = self._stored_token(match[1])
        # Compare digests even if there is no such token, so that the duration does not reveal it.
        is_same = hmac.compare_digest(_NOTHING if kept is None else kept.digest, _digest(match[2]))
        return kept.token if kept is not None and is_same and kept.token.is_in_force() else None

    def get(self, token_id: str) -> Token | None:
        """Return the token with that id, even if expired; None if there is no such token, or it is damaged."""
        kept = self._stored_token(token_id)
        return None if kept is None else kept.token

    def is_revoked(self, token_id: str) -> bool:
        """Return True if there is no token with that id, not even an expired or damaged one."""
        return not connection.call(self._client, "HEXISTS", keys.ACCESS, token_id)

    def is_given_by(self, token_id: str, giver: str) -> bool:
        """Return True if the token `giver` created the token `token_id`, even if the latter is damaged."""
        return connection.call(self._client, "ZSCORE", keys.tokens_given(giver), token_id) is not None

    def find_damaged(self) -> list[str]:
        """Return the ids of the damaged tokens."""
        found = connection.call(self._client, "HGETALL", keys.ACCESS)
        return sorted(decode_text(id_) for id_, document in found.items() if not is_readable(_parse, document))

    def is_in_force(self, token_id: str) -> bool:
        """Return True if there is a token with that id and it has not expired."""
        token = self.get(token_id)
        return token is not None and token.is_in_force()

    def in_force(self, token_ids: Sequence[str]) -> set[str]:
        """Return the ids among `token_ids` whose tokens are active."""
        if not token_ids:
            return set()
        found = connection.call(self._client, "HMGET", keys.ACCESS, *token_ids)
        return {kept.token.id for kept in readable(_parse, found) if kept.token.is_in_force()}

    def any(self) -> bool:
        """Return True if any token exists."""
        return bool(connection.call(self._client, "EXISTS", keys.ACCESS))

    def page(
        self, *, game: str | None = None, given_by: str | None = None, before: str | None = None, limit: int = 50
    ) -> list[Token]:
        """Return a page of tokens, newest first: the tokens for `game`, the tokens that `given_by` created, or all.

        Damaged tokens are left out.

        Args:
            before: the id of the last token of the previous page.
        """
        index = keys.ACCESS_ALL
        if given_by is not None:
            index = keys.tokens_given(given_by)
        elif game is not None:
            index = keys.tokens_of(game)
        end = b"+" if before is None else b"(" + before.encode()
        found: list[Token] = []
        while len(found) < limit:
            ids = connection.call(self._client, "ZRANGE", index, end, "-", "BYLEX", "REV", "LIMIT", 0, limit)
            if not ids:
                break
            end = b"(" + ids[-1]
            documents = connection.call(self._client, "HMGET", keys.ACCESS, *ids)
            found += (kept.token for kept in readable(_parse, documents))
        return found[:limit]

    def givers(self, token: Token) -> list[str]:
        """Return the ids of the token's creator, of the creator's creator, and so on."""
        found: list[str] = []
        one: Token | None = token
        while one is not None and one.given_by is not None:
            found.append(one.given_by)
            one = self.get(one.given_by)
        return found

    def withdraw(self, token_id: str) -> Sequence[str]:
        """Revoke a token and all tokens that it created; return their ids. Afterwards no process accepts these tokens.

        Raises:
            NotReplicated: too few replicas have the revocation, so a failover may undo it.
        """
        ended, reached = self._end(token_id, self._replicas)
        if ended:
            time.sleep(LEASE)
            connection.require(reached, self._replicas)
        return ended

    def withdraw_all(self, game_id: str) -> None:
        """Revoke all tokens that are limited to a deleted game, without waiting for replicas."""
        for token_id in connection.call(self._client, "ZRANGE", keys.tokens_of(game_id), 0, -1):
            self._end(decode_text(token_id))
        connection.call(self._client, "DEL", keys.tokens_of(game_id))
        time.sleep(LEASE)

    def _end(self, token_id: str, replicas: int = 0) -> tuple[list[str], int]:
        """Revoke a token and all tokens that it created.

        Return their ids, and the number of replicas that have the revocation.
        """
        told = keys.revocation_channel(connection.database(self._client))
        ids, reached = self._withdraw.run_replicated([keys.ACCESS, keys.ACCESS_ALL], [token_id, told], replicas)
        ended = [decode_text(id_) for id_ in ids]
        # Even if this fails, the tokens are revoked. Workers look for jobs of revoked tokens again.
        with suppress(StoreError):
            self._ended(ended)
        return ended, reached

    def _stored_token(self, token_id: str) -> _StoredToken | None:
        document = connection.call(self._client, "HGET", keys.ACCESS, token_id)
        return readable_one(_parse, document)


_NOTHING = bytes(hashlib.sha256().digest_size)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
