"""The access log: each use of special permissions, with the user, time and target, but no secrets.

If a stream is full, its oldest entries are dropped. Uses by admins have a separate stream, so that uses by others do
not displace them.
"""

from __future__ import annotations

import re

import msgspec

from store import keys
from store.access.scripts import NOTE
from store.documents import decode_text, parser, readable
from store.log.codec import Entry, entries_of
from store.redis import connection
from store.redis.connection import Client, Command, Script

MOST = 10_000
"""Maximum number of entries in each stream; the oldest are deleted."""
_STREAMS = (keys.ACCESS_LOG, keys.ACCESS_LOG_OF_OTHERS)
_ID = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")


class Use(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One use of a permission."""

    id: str = ""
    at: str
    """RFC 3339 in UTC."""
    by: str | None = None
    """The user's name; None if the service is open and the user unknown."""
    token: str | None = None
    """The id of the user's token."""
    action: str
    """The method and route of a request, or a command."""
    game: str | None = None
    about: dict[str, str] = {}
    """Other parameters of the path or the command, by name."""


_parse_use = parser(Use, "a use of permissions")


class AccessLog:
    """The uses of special permissions, logged by all processes, in order."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._note = Script(client, NOTE)

    def note(self, use: Use, *, by_admin: bool = True) -> None:
        """Log a use. Call this before the action: then a crash cannot leave the action unlogged.

        Args:
            by_admin: True for a use by an admin or the operator.
        """
        document = msgspec.json.encode(msgspec.structs.replace(use, id=""))
        self._note([_STREAMS[not by_admin], keys.ACCESS_NOTED], [document, MOST])

    def page(self, *, before: str | None = None, limit: int = 50) -> list[Use]:
        """Return a page of uses, newest first, before the entry `before`; raise a `ValueError` if that is not an id."""
        if before is not None and not _ID.fullmatch(before):
            raise ValueError(f"{before!r} is not the id of an entry")
        start = "+" if before is None else f"({before}"
        commands: list[Command] = [("XREVRANGE", name, start, "-", "COUNT", limit) for name in _STREAMS]
        found = [entry for page in connection.pipe(self._client, commands) for entry in entries_of(page)]
        found.sort(key=lambda entry: int(entry[0].partition(b"-")[0]), reverse=True)
        return readable(_parse, found[:limit])


def _parse(entry: Entry) -> Use:
    id_, fields = entry
    return msgspec.structs.replace(_parse_use(fields[1]), id=decode_text(id_))
