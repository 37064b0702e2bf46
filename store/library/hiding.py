"""Names that are taken out of the list: whoever looks for games, players or tags finds no trace of them.

Where it is said that several names are one person's, all of them are hidden with the one.

They are hidden where the list is read, and nowhere taken away: the logs keep them, their hashes stand for them, and
what is hidden can be shown again.
"""

from __future__ import annotations

import msgspec

from engine.core.text import search_key
from store import keys
from store.library.aliases import Aliases
from store.redis import connection
from store.redis.connection import Client


class HiddenName(msgspec.Struct, frozen=True):
    """A name that is hidden, in any case."""

    name: str
    hidden_at: str
    hidden_by: str | None = None


_HIDDEN = msgspec.json.Decoder(HiddenName)


class Hiding:
    """The names that are hidden."""

    def __init__(self, client: Client, aliases: Aliases) -> None:
        self._client = client
        self._aliases = aliases

    def hide(self, name: str, *, at: str, by: str | None) -> HiddenName:
        """Hide a name; what is hidden already stays as it is.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        hidden = msgspec.json.encode(HiddenName(name, at, by))
        field = search_key(name)
        _, kept = connection.pipe(self._client, [("HSETNX", keys.HIDDEN, field, hidden), ("HGET", keys.HIDDEN, field)])
        return _HIDDEN.decode(kept)

    def show(self, name: str) -> bool:
        """Show a name again; whether it was hidden."""
        return bool(connection.call(self._client, "HDEL", keys.HIDDEN, search_key(name)))

    def all(self) -> list[HiddenName]:
        """All names that are hidden, by name."""
        found = connection.call(self._client, "HVALS", keys.HIDDEN)
        return sorted(map(_HIDDEN.decode, found), key=lambda hidden: hidden.name)

    def folded(self) -> frozenset[str]:
        """The same as they are compared, with all other names of those people."""
        hidden = frozenset(name.decode() for name in connection.call(self._client, "HKEYS", keys.HIDDEN))
        return self._aliases.people().all_names(hidden) if hidden else hidden
