"""Hidden names. Searches for games, players and tags neither find nor show them or their aliases.

Names are hidden when the list is read, but not deleted: the hashes of the logs depend on the names, and a hidden name
can be shown again.
"""

from __future__ import annotations

import msgspec

from engine.core.text import search_key
from store import keys
from store.documents import decode_text, is_readable, parser, readable
from store.errors import Corrupt
from store.library.aliases import AliasStore
from store.redis import connection
from store.redis.connection import Client


class HiddenName(msgspec.Struct, frozen=True):
    """A hidden name, compared case-insensitively."""

    name: str
    hidden_at: str
    hidden_by: str | None = None


parse = parser(HiddenName, "a hidden name")


class Hiding:
    """The hidden names, stored by search key."""

    def __init__(self, client: Client, aliases: AliasStore) -> None:
        self._client = client
        self._aliases = aliases

    def hide(self, name: str, *, at: str, by: str | None) -> HiddenName:
        """Hide a name; if it is hidden already, nothing changes, but a damaged entry is replaced."""
        hidden = HiddenName(name, at, by)
        field, document = search_key(name), msgspec.json.encode(hidden)
        _, kept = connection.pipe(
            self._client, [("HSETNX", keys.HIDDEN, field, document), ("HGET", keys.HIDDEN, field)]
        )
        try:
            return parse(kept)
        except Corrupt:
            connection.call(self._client, "HSET", keys.HIDDEN, field, document)
            return hidden

    def show(self, name: str) -> bool:
        """Show a hidden name again; return False if it was not hidden."""
        return bool(connection.call(self._client, "HDEL", keys.HIDDEN, search_key(name)))

    def all(self) -> list[HiddenName]:
        """Return all hidden names, sorted. Names with a damaged entry stay hidden, but are not returned."""
        found = connection.call(self._client, "HVALS", keys.HIDDEN)
        return sorted(readable(parse, found), key=lambda hidden: hidden.name)

    def find_damaged(self) -> list[str]:
        """Return the names (search_key) whose entry is damaged."""
        found = connection.call(self._client, "HGETALL", keys.HIDDEN)
        return sorted(decode_text(name) for name, document in found.items() if not is_readable(parse, document))

    def search_keys(self) -> frozenset[str]:
        """Return the hidden names as search keys, with all aliases of these people."""
        hidden = frozenset(decode_text(name) for name in connection.call(self._client, "HKEYS", keys.HIDDEN))
        return self._aliases.people().all_names(hidden) if hidden else hidden
