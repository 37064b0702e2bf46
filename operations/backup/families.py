"""Families of keys. A backup contains the families whose data cannot be rebuilt.

A backup omits data derived from the logs, and data that expires within days, such as jobs and their files.
"""

from __future__ import annotations

import re
from functools import cached_property

import msgspec

from store import keys

GAME_ID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")
"""The id of a game: a ULID in lower case."""


class KeyFamily(msgspec.Struct, frozen=True, dict=True):
    """Keys with the same pattern."""

    pattern: str
    """The pattern, as in `store.keys`: text in angle brackets stands for any text, `<game>` for the id of a game."""
    type: str
    """The type of the keys' values in Redis."""
    is_kept: bool
    """True if the data belongs in a backup."""

    @property
    def is_of_a_game(self) -> bool:
        """True if each game has a separate key of this family."""
        return self.pattern.startswith("{<game>}")

    @cached_property
    def names(self) -> re.Pattern[str]:
        """The pattern as a regular expression. The group `game` matches the game's id."""
        game = f"(?P<game>{GAME_ID.pattern})"
        parts = re.split(r"(<[a-z]+>)", self.pattern)
        told = (game if part == "<game>" else ".+" if part.startswith("<") else re.escape(part) for part in parts)
        return re.compile("".join(told), re.DOTALL)


# The first family that matches counts. So tallies come before the general pattern of indexes.
FAMILIES = (
    KeyFamily("{<game>}:events", "stream", is_kept=True),
    KeyFamily("{<game>}:meta", "hash", is_kept=True),
    KeyFamily("{<game>}:keys", "hash", is_kept=True),
    KeyFamily("{<game>}:audits", "hash", is_kept=True),
    KeyFamily("{<game>}:skills", "hash", is_kept=True),
    KeyFamily("{<game>}:analyses", "hash", is_kept=False),
    KeyFamily("{<game>}:snapshots", "hash", is_kept=False),
    KeyFamily("{<game>}:turns", "hash", is_kept=False),
    KeyFamily("{signing}:ring", "list", is_kept=True),
    KeyFamily("{games}:openings", "hash", is_kept=True),
    KeyFamily("{games}:summaries", "hash", is_kept=False),
    KeyFamily("{games}:all", "zset", is_kept=False),
    KeyFamily("{games}:opened", "zset", is_kept=False),
    KeyFamily("{games}:length", "zset", is_kept=False),
    KeyFamily("{games}:vocabulary", "zset", is_kept=False),
    KeyFamily("{games}:players", "zset", is_kept=False),
    KeyFamily("{games}:aliases", "hash", is_kept=True),
    KeyFamily("{games}:sitters", "hash", is_kept=True),
    KeyFamily("{games}:said", "string", is_kept=True),
    # The list of games is rebuilt after a restore.
    KeyFamily("{games}:unlisted", "zset", is_kept=False),
    KeyFamily("{games}:unplayable", "hash", is_kept=False),
    # A restored game is not archived.
    KeyFamily("{games}:archived", "set", is_kept=False),
    KeyFamily("{games}:deleted", "set", is_kept=True),
    KeyFamily("{games}:deleting", "hash", is_kept=True),
    KeyFamily("{games}:tally:standings", "hash", is_kept=False),
    KeyFamily("{games}:tally:ruleset:<id>", "hash", is_kept=False),
    KeyFamily("{games}:tally:player:<name>", "hash", is_kept=False),
    # Logged plays cannot be rebuilt from logs. Their indexes and statistics are derived from them.
    KeyFamily("{games}:plays:documents", "hash", is_kept=True),
    KeyFamily("{games}:plays:taken_out", "set", is_kept=True),
    KeyFamily("{games}:plays:entries", "hash", is_kept=False),
    KeyFamily("{games}:plays:unlisted", "zset", is_kept=False),
    KeyFamily("{games}:plays:all", "zset", is_kept=False),
    KeyFamily("{games}:plays:players", "zset", is_kept=False),
    KeyFamily("{games}:plays:tally:ruleset:<id>", "hash", is_kept=False),
    KeyFamily("{games}:plays:tally:player:<name>", "hash", is_kept=False),
    KeyFamily("{games}:plays:<field>:<value>", "zset", is_kept=False),
    KeyFamily("{games}:<field>:<value>", "zset", is_kept=False),
    KeyFamily("{openings:<xx>}:keys", "hash", is_kept=True),
    KeyFamily("{begun:<xx>}:games", "zset", is_kept=False),
    KeyFamily("{access}:tokens", "hash", is_kept=True),
    KeyFamily("{access}:names", "hash", is_kept=True),
    KeyFamily("{access}:all", "zset", is_kept=True),
    KeyFamily("{access}:of:<game>", "zset", is_kept=True),
    KeyFamily("{access}:given:<token>", "zset", is_kept=True),
    # The access log belongs to this service, not to the records.
    KeyFamily("{access}:log", "stream", is_kept=False),
    KeyFamily("{access}:log:others", "stream", is_kept=False),
    KeyFamily("{access}:noted", "string", is_kept=False),
    KeyFamily("{hidden}:names", "hash", is_kept=True),
    KeyFamily("{quotas}:opening", "zset", is_kept=False),
    KeyFamily("{quotas}:of:<token>", "zset", is_kept=True),
    KeyFamily("{quotas}:owners", "hash", is_kept=True),
    KeyFamily("{shares}:links", "hash", is_kept=True),
    KeyFamily("{shares}:of:<game>", "list", is_kept=True),
    KeyFamily("{feed}:entries", "stream", is_kept=False),
    # Without this key, the feed would announce all recorded events as new.
    KeyFamily("{feed}:versions", "hash", is_kept=True),
    KeyFamily("{webhooks}:all", "hash", is_kept=True),
    KeyFamily("{webhooks}:makers", "hash", is_kept=True),
    KeyFamily("{webhooks}:key", "string", is_kept=True),
    KeyFamily("{webhooks}:read", "string", is_kept=False),
    KeyFamily("{webhooks}:owed:<webhook>", "hash", is_kept=False),
    KeyFamily("{webhooks}:due:<webhook>", "zset", is_kept=False),
    KeyFamily("{webhooks}:deliveries:<webhook>", "hash", is_kept=False),
    KeyFamily("{webhooks}:tried:<webhook>", "zset", is_kept=False),
    KeyFamily("{webhooks}:failing", "hash", is_kept=False),
    KeyFamily("{webhooks}:reached", "hash", is_kept=False),
    KeyFamily("{webhooks}:courier", "string", is_kept=False),
    KeyFamily("{probe:<number>}", "string", is_kept=False),
    KeyFamily("{playouts:<table>}", "string", is_kept=False),
    KeyFamily("{jobs}:documents", "hash", is_kept=False),
    KeyFamily("{jobs}:unfinished", "set", is_kept=False),
    KeyFamily("{jobs}:keys", "hash", is_kept=False),
    KeyFamily("{jobs}:held", "hash", is_kept=False),
    KeyFamily("{jobs}:same", "hash", is_kept=False),
    KeyFamily("{jobs}:owners", "hash", is_kept=False),
    KeyFamily("{file:<name>}:about", "string", is_kept=False),
    KeyFamily("{file:<name>}:games", "set", is_kept=False),
    KeyFamily("{file:<name>}:<attempt>:<number>", "string", is_kept=False),
    KeyFamily("{mix:<mix>}:shares", "hash", is_kept=False),
    KeyFamily("{answer:<key>}:kept", "string", is_kept=False),
    KeyFamily("{restore}:stage", "hash", is_kept=False),
    KeyFamily("{restore}:lock", "string", is_kept=False),
)

LOG = ("events", "meta")
"""The suffixes of the keys that hold a game's log, or the tombstone of a deleted game."""
BESIDE_LOG = tuple(
    family.pattern.removeprefix("{<game>}:")
    for family in FAMILIES
    if family.is_of_a_game and family.is_kept and family.pattern.removeprefix("{<game>}:") not in LOG
)
"""The suffixes of the other keys of a game that belong in a backup."""


def family_of(name: str) -> KeyFamily | None:
    """Return the family of a key; None for a key of another program or a newer Driftlog."""
    return next((family for family in FAMILIES if family.names.fullmatch(name)), None)


def companion_keys(game_id: str) -> list[str]:
    """Return the other keys of a game that belong in a backup."""
    return [f"{{{game_id}}}:{end}" for end in BESIDE_LOG]


def of_library(name: str) -> KeyFamily | None:
    """Return the family of a key that a backup contains for the whole library; None for any other key."""
    family = family_of(name)
    return family if family is not None and family.is_kept and not family.is_of_a_game else None


def temporary_name(name: str) -> str:
    """Return the temporary name of a key during a restore.

    The name is in the same cluster slot, and no other key has it.
    """
    return f"{name}{keys.RESTORING}"
