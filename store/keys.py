"""The names of all keys. What a script touches together stands under one hash tag, so that a cluster keeps it together.

| key | type | holds |
| --- | --- | --- |
| `{<game>}:events` | stream | the log: entry `<seq>-0`, see `store.codec` |
| `{<game>}:meta` | hash | `v` version, `head` hash of the last event (32 bytes), `seed` of a seeded game |
| `{<game>}:keys` | hash | idempotency key (8 bytes of its SHA-256) → body digest (6 bytes), `<first>:<count>` |
| `{<game>}:snapshots` | hash | seq → document of `engine.snapshots` |
| `{<game>}:turns` | hash | `v` projected version, `turns` JSON, `undos` JSON `[[seq, to], …]` |
| `{<game>}:audits` | hash | audit id → JSON |
| `{signing}:ring` | list | the signing keys as JSON, oldest first: whole the last one, of the others the public half |
| `{games}:summaries` | hash | game → JSON of its `Summary` |
| `{games}:all`, `{games}:<field>:<value>` | sorted set | the games that a filter finds, every score 0: by id |
| `{games}:tally:ruleset:<id>`, `{games}:tally:player:<name>` | hash | what was so in ended games → how many |
| `{games}:opened` | sorted set | the games by the time of opening, ms since 1970 |
| `{games}:vocabulary` | sorted set | every word that has a `{games}:word:<word>` |
| `{games}:openings` | hash | idempotency key of an opening → body digest, game |
| `{shares}:links` | hash | token → JSON of its `Share` |
| `{shares}:of:<game>` | list | the tokens of a game's links, oldest first |
| `{jobs}:documents` | hash | job → JSON |
| `{jobs}:unfinished` | set | the jobs that are not done and have not failed |
| `{jobs}:keys` | hash | idempotency key → body digest, job |
| `{jobs}:payloads` | hash | unfinished job → what it works on |
| `{file:<name>}:about` | string | JSON of a `File` that is whole; goes after a while |
| `{file:<name>}:<attempt>:<number>` | string | a piece of it; goes after a while |
"""

from __future__ import annotations

APPENDED = "driftlog:appended"
"""The channel on which an append says `<game> <version>`: a hint, never the truth."""

SUMMARIES = "{games}:summaries"
ALL_GAMES = "{games}:all"
OPENED = "{games}:opened"
VOCABULARY = "{games}:vocabulary"
OPENINGS = "{games}:openings"
SIGNING = "{signing}:ring"
SHARES = "{shares}:links"
JOBS = "{jobs}:documents"
UNFINISHED = "{jobs}:unfinished"
JOB_KEYS = "{jobs}:keys"
PAYLOADS = "{jobs}:payloads"

TALLY_PATTERN = "{games}:tally:*"
EVENTS_PATTERN = "{*}:events"
LIST_PATTERN = "{games}:*"


def events(game_id: str) -> str:
    """The game's log."""
    return f"{{{game_id}}}:events"


def meta(game_id: str) -> str:
    """The game's version, head and seed."""
    return f"{{{game_id}}}:meta"


def idempotency(game_id: str) -> str:
    """The game's idempotency keys."""
    return f"{{{game_id}}}:keys"


def snapshots(game_id: str) -> str:
    """The game's snapshots."""
    return f"{{{game_id}}}:snapshots"


def turns(game_id: str) -> str:
    """The game's turn index, and how far it is projected."""
    return f"{{{game_id}}}:turns"


def audits(game_id: str) -> str:
    """The game's audits."""
    return f"{{{game_id}}}:audits"


def index(field: str, value: str) -> str:
    """The games whose `field` is `value`."""
    return f"{{games}}:{field}:{value}"


def shares_of(game_id: str) -> str:
    """The tokens of a game's share links."""
    return f"{{shares}}:of:{game_id}"


def file(name: str) -> str:
    """What there is to know of a file."""
    return f"{{file:{name}}}:about"


def piece(name: str, attempt: str, number: int) -> str:
    """A piece of a file, from 0 on."""
    return f"{{file:{name}}}:{attempt}:{number}"


def tally(of: str, value: str) -> str:
    """What the ended games of a ruleset or a player had, counted."""
    return f"{{games}}:tally:{of}:{value}"


def game_of(events_key: bytes) -> str:
    """The game whose log stands under `events_key`."""
    return events_key.decode().removeprefix("{").removesuffix("}:events")
