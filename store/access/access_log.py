"""The access log: who used rights that not everybody has, when, and for what. It knows no secrets.

What admins do is kept apart from what others do, so that nobody else can fill it until that is gone.
"""

from __future__ import annotations

import re

import msgspec

from store import keys
from store.access.scripts import NOTE
from store.log.codec import entries_of
from store.redis import connection
from store.redis.connection import Client, Command, Script

MOST = 10_000
"""Entries of either kind: older ones go."""
_STREAMS = (keys.ACCESS_LOG, keys.ACCESS_LOG_OF_OTHERS)
_ID = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")


class Use(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One use of the rights."""

    id: str = ""
    at: str
    """RFC 3339 in UTC."""
    by: str | None = None
    """The name of whoever did it; None where the service is open, and nobody is known by name."""
    token: str | None = None
    """The id of its token."""
    action: str
    """What was asked for: a method and the address of a route, or a command."""
    game: str | None = None
    about: dict[str, str] = {}
    """What else the address or the command named."""


_USE = msgspec.json.Decoder(Use)


class AccessLog:
    """The uses of all processes, in the order in which they were noted."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._note = Script(client, NOTE)

    def note(self, use: Use, *, by_admin: bool = True) -> None:
        """Note a use, before it is made: none goes unnoted.

        Args:
            by_admin: whether it is an admin's, or the operator's.

        Raises:
            StoreUnavailable: it is not noted.
        """
        document = msgspec.json.encode(msgspec.structs.replace(use, id=""))
        self._note([_STREAMS[not by_admin], keys.ACCESS_NOTED], [document, MOST])

    def page(self, *, before: str | None = None, limit: int = 50) -> list[Use]:
        """Uses, newest first.

        Args:
            before: the id of the last one of the page before.

        Raises:
            ValueError: `before` is no id.
        """
        if before is not None and not _ID.fullmatch(before):
            raise ValueError(f"{before!r} is no id of an entry")
        start = "+" if before is None else f"({before}"
        commands: list[Command] = [("XREVRANGE", name, start, "-", "COUNT", limit) for name in _STREAMS]
        found = [entry for page in connection.pipe(self._client, commands) for entry in entries_of(page)]
        found.sort(key=lambda entry: int(entry[0].partition(b"-")[0]), reverse=True)
        return [msgspec.structs.replace(_USE.decode(fields[1]), id=id_.decode()) for id_, fields in found[:limit]]
