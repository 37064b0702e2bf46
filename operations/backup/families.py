"""Which keys there are, and which of them belong into a backup: what nothing else could make again.

What is made from the logs is left out, and so is what goes by itself within days: long work and its files.
"""

from __future__ import annotations

import re
from functools import cached_property

import msgspec

from store import keys

GAME_ID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")
"""A ULID in lower case, as games are called."""


class Family(msgspec.Struct, frozen=True, dict=True):
    """Keys that are named alike."""

    pattern: str
    """As `store.keys` lists it: what stands in angle brackets is any text, `<game>` the id of a game."""
    type: str
    """As Redis calls it."""
    is_kept: bool
    """Whether it belongs into a backup."""

    @property
    def is_of_a_game(self) -> bool:
        """Whether each game has such a key of its own."""
        return self.pattern.startswith("{<game>}")

    @cached_property
    def names(self) -> re.Pattern[str]:
        """What its keys are called; `game` is the game's id."""
        game = f"(?P<game>{GAME_ID.pattern})"
        parts = re.split(r"(<[a-z]+>)", self.pattern)
        told = (game if part == "<game>" else ".+" if part.startswith("<") else re.escape(part) for part in parts)
        return re.compile("".join(told), re.DOTALL)


# The first that fits: a tally is no index.
FAMILIES = (
    Family("{<game>}:events", "stream", is_kept=True),
    Family("{<game>}:meta", "hash", is_kept=True),
    Family("{<game>}:keys", "hash", is_kept=True),
    Family("{<game>}:audits", "hash", is_kept=True),
    Family("{<game>}:snapshots", "hash", is_kept=False),
    Family("{<game>}:turns", "hash", is_kept=False),
    Family("{signing}:ring", "list", is_kept=True),
    Family("{games}:openings", "hash", is_kept=True),
    Family("{games}:summaries", "hash", is_kept=False),
    Family("{games}:all", "zset", is_kept=False),
    Family("{games}:opened", "zset", is_kept=False),
    Family("{games}:length", "zset", is_kept=False),
    Family("{games}:vocabulary", "zset", is_kept=False),
    Family("{games}:players", "zset", is_kept=False),
    Family("{games}:aliases", "hash", is_kept=True),
    Family("{games}:sitters", "hash", is_kept=True),
    Family("{games}:said", "string", is_kept=True),
    # All games are listed anew from a backup.
    Family("{games}:unlisted", "zset", is_kept=False),
    Family("{games}:unplayable", "hash", is_kept=False),
    # A game that was archived comes back as one that is not.
    Family("{games}:archived", "set", is_kept=False),
    Family("{games}:deleted", "set", is_kept=True),
    Family("{games}:deleting", "hash", is_kept=True),
    Family("{games}:tally:standings", "hash", is_kept=False),
    Family("{games}:tally:ruleset:<id>", "hash", is_kept=False),
    Family("{games}:tally:player:<name>", "hash", is_kept=False),
    # No log has them; how they are found and counted is made from them.
    Family("{games}:plays:documents", "hash", is_kept=True),
    Family("{games}:plays:taken_out", "set", is_kept=True),
    Family("{games}:plays:entries", "hash", is_kept=False),
    Family("{games}:plays:unlisted", "zset", is_kept=False),
    Family("{games}:plays:all", "zset", is_kept=False),
    Family("{games}:plays:players", "zset", is_kept=False),
    Family("{games}:plays:tally:ruleset:<id>", "hash", is_kept=False),
    Family("{games}:plays:tally:player:<name>", "hash", is_kept=False),
    Family("{games}:plays:<field>:<value>", "zset", is_kept=False),
    Family("{games}:<field>:<value>", "zset", is_kept=False),
    Family("{openings:<xx>}:keys", "hash", is_kept=True),
    Family("{access}:tokens", "hash", is_kept=True),
    Family("{access}:names", "hash", is_kept=True),
    Family("{access}:all", "zset", is_kept=True),
    Family("{access}:of:<game>", "zset", is_kept=True),
    Family("{access}:given:<token>", "zset", is_kept=True),
    # It tells of this service's days, not of what is recorded.
    Family("{access}:log", "stream", is_kept=False),
    Family("{access}:log:others", "stream", is_kept=False),
    Family("{access}:noted", "string", is_kept=False),
    Family("{hidden}:names", "hash", is_kept=True),
    Family("{quotas}:opening", "zset", is_kept=False),
    Family("{quotas}:of:<token>", "zset", is_kept=True),
    Family("{quotas}:owners", "hash", is_kept=True),
    Family("{shares}:links", "hash", is_kept=True),
    Family("{shares}:of:<game>", "list", is_kept=True),
    Family("{feed}:entries", "stream", is_kept=False),
    # Else all that was ever recorded would be told as new.
    Family("{feed}:versions", "hash", is_kept=True),
    Family("{webhooks}:all", "hash", is_kept=True),
    Family("{webhooks}:makers", "hash", is_kept=True),
    Family("{webhooks}:key", "string", is_kept=True),
    Family("{webhooks}:read", "string", is_kept=False),
    Family("{webhooks}:owed:<webhook>", "hash", is_kept=False),
    Family("{webhooks}:due:<webhook>", "zset", is_kept=False),
    Family("{webhooks}:deliveries:<webhook>", "hash", is_kept=False),
    Family("{webhooks}:tried:<webhook>", "zset", is_kept=False),
    Family("{webhooks}:failing", "hash", is_kept=False),
    Family("{webhooks}:reached", "hash", is_kept=False),
    Family("{webhooks}:courier", "string", is_kept=False),
    Family("{probe:<number>}", "string", is_kept=False),
    Family("{jobs}:documents", "hash", is_kept=False),
    Family("{jobs}:unfinished", "set", is_kept=False),
    Family("{jobs}:keys", "hash", is_kept=False),
    Family("{jobs}:held", "hash", is_kept=False),
    Family("{jobs}:same", "hash", is_kept=False),
    Family("{jobs}:owners", "hash", is_kept=False),
    Family("{file:<name>}:about", "string", is_kept=False),
    Family("{file:<name>}:games", "set", is_kept=False),
    Family("{file:<name>}:<attempt>:<number>", "string", is_kept=False),
    Family("{restore}:stage", "hash", is_kept=False),
    Family("{restore}:lock", "string", is_kept=False),
)

LOG = ("events", "meta")
"""The ends of the names of those that hold a game itself, or what is left of it."""
BESIDE_LOG = tuple(
    family.pattern.removeprefix("{<game>}:")
    for family in FAMILIES
    if family.is_of_a_game and family.is_kept and family.pattern.removeprefix("{<game>}:") not in LOG
)
"""The ends of the names of what is kept beside a game's log."""


def family_of(name: str) -> Family | None:
    """The family of a key; None where it is of none: another program's, or a newer Driftlog's."""
    return next((family for family in FAMILIES if family.names.fullmatch(name)), None)


def kept_beside(game_id: str) -> list[str]:
    """The keys of what is kept beside a game's log."""
    return [f"{{{game_id}}}:{end}" for end in BESIDE_LOG]


def of_library(name: str) -> Family | None:
    """The family of a key that belongs into a backup, and to no one game; None where it does not."""
    family = family_of(name)
    return family if family is not None and family.is_kept and not family.is_of_a_game else None


def beside(name: str) -> str:
    """Where a key is written before it is put in place: of the same slot, and seen by nobody."""
    return f"{name}{keys.RESTORING}"
