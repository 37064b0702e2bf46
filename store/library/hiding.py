"""Hidden names: a search for games, players or tags does not find them or show them.

Hiding a name hides all aliases of the same person.

Names are hidden when the list is read, but not deleted: the hashes of the logs depend on them, and a hidden name can be
shown again.
"""

from __future__ import annotations

import msgspec

from engine.core.text import search_key
from store import keys
from store.library.aliases import AliasStore
from store.redis import connection
from store.redis.connection import Client


class HiddenName(msgspec.Struct, frozen=True):
    """A hidden name, compared case-insensitively."""

    name: str
    hidden_at: str
    hidden_by: str | None = None


_HIDDEN = msgspec.json.Decoder(HiddenName)


class Hiding:
    """The hidden names."""

    def __init__(self, client: Client, aliases: AliasStore) -> None:
        self._client = client
        self._aliases = aliases

    def hide(self, name: str, *, at: str, by: str | None) -> HiddenName:
        """Hide a name; if it is hidden already, nothing changes.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        hidden = msgspec.json.encode(HiddenName(name, at, by))
        field = search_key(name)
        _, kept = connection.pipe(self._client, [("HSETNX", keys.HIDDEN, field, hidden), ("HGET", keys.HIDDEN, field)])
        return _HIDDEN.decode(kept)

    def show(self, name: str) -> bool:
        """Show a hidden name again; return False if it was not hidden."""
        return bool(connection.call(self._client, "HDEL", keys.HIDDEN, search_key(name)))

    def all(self) -> list[HiddenName]:
        """Return all hidden names, by name."""
        found = connection.call(self._client, "HVALS", keys.HIDDEN)
        return sorted(map(_HIDDEN.decode, found), key=lambda hidden: hidden.name)

    def search_keys(self) -> frozenset[str]:
        """Return the hidden names as search keys, with all aliases of these people."""
        hidden = frozenset(name.decode() for name in connection.call(self._client, "HKEYS", keys.HIDDEN))
        return self._aliases.people().all_names(hidden) if hidden else hidden
