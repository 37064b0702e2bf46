"""Names of all Redis keys. Keys that a script uses together share a hash tag, so that a cluster keeps them together.

| key | type | holds |
| --- | --- | --- |
| `{<game>}:events` | stream | the log: entry `<seq>-0`, see `store.log.codec`; absent while the game is archived |
| `{<game>}:meta` | hash | `v` version, `head` last hash, `bytes`, `seed`, `archived` file, `restored`, `suspect` |
| `{<game>}:meta` | hash | if its first events were imported: `imported` count, `imported_head`, `imported_key` |
| `{<game>}:meta` | hash | of a deleted game: `gone_v`, `gone_head`, `gone_at`, `gone_by`, `gone_files` |
| `{<game>}:keys` | hash | idempotency key (8 bytes of its SHA-256) → body digest (6 bytes), `<first>:<count>` |
| `{<game>}:snapshots` | hash | seq → document of `engine.play.snapshots` |
| `{<game>}:turns` | hash | `v` projected version, `turns` JSON, `undos` `[[seq, to], …]`, `clock` `[ms, time]`, JSON |
| `{<game>}:audits` | hash | audit id → JSON |
| `{<game>}:analyses` | hash | `latest` analysis and `job` id, JSON with `…:version` |
| `{<game>}:skills` | hash | `<seat>:<number of earlier players>`: the viewers of that player's skill, JSON |
| `{playouts:<table>}` | string | rewards of playouts as JSON, for some days; empty while a worker plays them |
| `{signing}:ring` | list | the signing keys as JSON, oldest first: the last with its private key, the others without |
| `{games}:summaries` | hash | game → JSON of its `Summary` |
| `{games}:all`, `{games}:<field>:<value>` | sorted set | the games with that value, every score 0, so in order of id |
| `{games}:tally:ruleset:<id>`, `{games}:tally:player:<name>` | hash | statistics of ended games → counts |
| `{games}:tally:standings` | hash | ruleset, status and result of all games → number of games |
| `{games}:opened` | sorted set | the games by date of play, ms since 1970 |
| `{games}:length` | sorted set | the games by playing time in seconds |
| `{games}:archived` | set | the games whose logs are archived |
| `{games}:unplayable` | hash | game that is not projected, because its log does not replay here → its version then |
| `{games}:vocabulary` | sorted set | every word that has a `{games}:word:<word>` |
| `{games}:players` | sorted set | every player, folded, who has a `{games}:player:<name>` |
| `{games}:aliases` | hash | name (folded) → JSON of its `Alias` |
| `{games}:sitters` | hash | game → JSON of the players assigned to its seats |
| `{games}:said` | string | the revision of aliases and assigned players: 16 random bytes, new on each change |
| `{games}:unlisted` | sorted set | games to relist because of new aliases, every score 0 |
| `{games}:plays:documents` | hash | logged play → its JSON, as imported |
| `{games}:plays:taken_out` | set | removed logged plays, which are only imported again on request |
| `{games}:plays:entries` | hash | logged play → JSON of its list entry: the rows below are derived from it |
| `{games}:plays:unlisted` | sorted set | logged plays to relist, every score 0 |
| `{games}:plays:all`, `{games}:plays:<field>:<value>` | sorted set | logged plays by time, ms since 1970 |
| `{games}:plays:players` | sorted set | every player, folded, who has a `{games}:plays:player:<name>` |
| `{games}:plays:tally:ruleset:<id>`, `{games}:plays:tally:player:<name>` | hash | like the statistics of games |
| `{openings:<xx>}:keys` | hash | idempotency key of an opening, by its first byte → body digest, game |
| `{begun:<xx>}:games` | sorted set | `<hash of event 1> <game>`, by the hash's first byte; every score 0 |
| `{games}:openings` | hash | like `{openings:<xx>}:keys`, written by an earlier version; read only |
| `{quotas}:opening` | sorted set | games being opened, by start (s since 1970) |
| `{quotas}:of:<token>` | sorted set | the games that a token opened; score 0, or its start while being opened |
| `{quotas}:owners` | hash | game → the token that opened it |
| `{games}:deleted` | set | deleted games, including unfinished deletions: none is listed again |
| `{games}:deleting` | hash | game whose deletion is unfinished → JSON of its time and user |
| `{shares}:links` | hash | token → JSON of its `Share` |
| `{shares}:of:<game>` | list | the tokens of a game's links, oldest first |
| `{access}:tokens` | hash | token → JSON of it with the digest of its secret |
| `{access}:names` | hash | name of a recorder (folded) → JSON `{game or "*": true}` |
| `{access}:all`, `{access}:of:<game>`, `{access}:given:<token>` | sorted set | tokens, every score 0, so sorted by id |
| `{access}:log`, `{access}:log:others` | stream | uses of permissions, by admins and by others: JSON of a `Use` |
| `{access}:noted` | string | the id of the newest entry of both access logs |
| `{hidden}:names` | hash | a player's name (folded) → JSON of its `HiddenName` |
| `{feed}:entries` | stream | the last 50,000 appends: `g` game, `f` first event, `l` last |
| `{feed}:versions` | hash | game → the last event in the feed |
| `{webhooks}:all` | hash | webhook → its JSON, without the secret |
| `{webhooks}:makers` | hash | webhook → the token whose limit it uses; empty for an open service |
| `{webhooks}:key` | string | 32 bytes, from which a webhook's secret is derived with its id |
| `{webhooks}:read` | string | the last feed entry that was queued for delivery |
| `{webhooks}:owed:<webhook>` | hash | game, or a single event → `<next> <last> <attempts> <since>` |
| `{webhooks}:due:<webhook>` | sorted set | the same by time of the next attempt, ms since 1970 |
| `{webhooks}:deliveries:<webhook>` | hash | the last 200 attempts → JSON of a `Delivery` |
| `{webhooks}:tried:<webhook>` | sorted set | the same by time, ms since 1970 |
| `{webhooks}:failing`, `{webhooks}:reached` | hash | webhook → start of its failures; last success |
| `{webhooks}:courier` | string | lock of the sender; expires |
| `{probe:<number>}` | string | nothing; written to test if writes succeed |
| `{jobs}:documents` | hash | job → JSON |
| `{jobs}:unfinished` | set | the queued and running jobs |
| `{jobs}:keys` | hash | idempotency key → body digest, job |
| `{jobs}:held` | hash | unfinished job → size of its input, the file `payload-<job>` |
| `{jobs}:owners` | hash | unfinished job → the quota that it uses, unless others requested it, too |
| `{jobs}:same` | hash | key of a task that must not run twice at the same time → its unfinished job |
| `{file:<name>}:about` | string | JSON of a `PublishedFile`; expires |
| `{file:<name>}:games` | set | the games in it; expires |
| `{file:<name>}:<attempt>:<number>` | string | a piece of it; expires |
| `{mix:<mix>}:shares` | hash | `size`, `until`, `service` share, commitment → share or empty, `game`; expires |
| `{answer:<key>}:kept` | string | body digest of a request, and its encrypted response; expires |
| `{restore}:stage` | hash | of an unfinished restore: `stage`, and the `digest` of its file |
| `{restore}:lock` | string | lock of the restore; expires |

`operations.backup.families` lists those that belong in a backup. An unfinished restore writes each key under its usual
name with the suffix `:restoring`.
"""

from __future__ import annotations

from collections.abc import Callable


def append_channel(database: int) -> str:
    """Return the channel where an append publishes `<game> <version>`, as a hint: messages may be lost.

    Args:
        database: the store's database number. Unlike keys, channels belong to the server, not to a database.
    """
    return f"driftlog:appended:{database}"


def revocation_channel(database: int) -> str:
    """Return the channel for the ids of revoked tokens. Messages may be lost, as on `append_channel`."""
    return f"driftlog:withdrawn:{database}"


def feed_channel(database: int) -> str:
    """Return the channel for new feed entries and due deliveries. Messages may be lost, as on `append_channel`."""
    return f"driftlog:grown:{database}"


SUMMARIES = "{games}:summaries"
ALIASES = "{games}:aliases"
SITTERS = "{games}:sitters"
SAID = "{games}:said"
UNLISTED = "{games}:unlisted"
ALL_GAMES = "{games}:all"
OPENED = "{games}:opened"
LENGTH = "{games}:length"
ARCHIVED = "{games}:archived"
UNPLAYABLE = "{games}:unplayable"
VOCABULARY = "{games}:vocabulary"
PLAYERS = "{games}:players"
STANDINGS = "{games}:tally:standings"
DELETED = "{games}:deleted"
DELETING = "{games}:deleting"
PLAYS = "{games}:plays:documents"
PLAYS_TAKEN_OUT = "{games}:plays:taken_out"
PLAYS_ENTRIES = "{games}:plays:entries"
PLAYS_UNLISTED = "{games}:plays:unlisted"
ALL_PLAYS = "{games}:plays:all"
PLAYS_PLAYERS = "{games}:plays:players"
EARLIER_OPENINGS = "{games}:openings"
OPENING = "{quotas}:opening"
OWNERS = "{quotas}:owners"
SIGNING = "{signing}:ring"
SHARES = "{shares}:links"
ACCESS = "{access}:tokens"
ACCESS_NAMES = "{access}:names"
ACCESS_ALL = "{access}:all"
ACCESS_LOG = "{access}:log"
ACCESS_LOG_OF_OTHERS = "{access}:log:others"
ACCESS_NOTED = "{access}:noted"
HIDDEN = "{hidden}:names"
JOBS = "{jobs}:documents"
UNFINISHED = "{jobs}:unfinished"
JOB_KEYS = "{jobs}:keys"
HELD = "{jobs}:held"
SAME = "{jobs}:same"
JOB_OWNERS = "{jobs}:owners"
FEED = "{feed}:entries"
FED = "{feed}:versions"
WEBHOOKS = "{webhooks}:all"
WEBHOOK_MAKERS = "{webhooks}:makers"
WEBHOOK_KEY = "{webhooks}:key"
WEBHOOK_READ = "{webhooks}:read"
WEBHOOK_FAILING = "{webhooks}:failing"
WEBHOOK_REACHED = "{webhooks}:reached"
COURIER = "{webhooks}:courier"
RESTORE_STAGE = "{restore}:stage"
RESTORE_LOCK = "{restore}:lock"
RESTORING = ":restoring"

TALLY_PATTERN = "{games}:tally:*"
META_PATTERN = "{*}:meta"
GAMES_OF_FILES_PATTERN = "{file:*}:games"
LIST_PATTERN = "{games}:*"
PLAYS_PATTERN = "{games}:plays:*"
LASTING = frozenset(
    key.encode()
    for key in (
        EARLIER_OPENINGS,
        ARCHIVED,
        DELETED,
        DELETING,
        ALIASES,
        SITTERS,
        SAID,
        UNLISTED,
        PLAYS,
        PLAYS_TAKEN_OUT,
        PLAYS_UNLISTED,
    )
)
"""The keys that match the patterns above, but cannot be rebuilt from logs or logged plays."""


def _key(pattern: str) -> Callable[[str], str]:
    """Return a function that inserts an id, such as that of a game or token, into a pattern from the table above."""
    return lambda name: pattern % name


events = _key("{%s}:events")
meta = _key("{%s}:meta")
answer = _key("{answer:%s}:kept")
mix = _key("{mix:%s}:shares")
idempotency = _key("{%s}:keys")
snapshots = _key("{%s}:snapshots")
turns = _key("{%s}:turns")
audits = _key("{%s}:audits")
analyses = _key("{%s}:analyses")
skills = _key("{%s}:skills")
playouts = _key("{playouts:%s}")
opened_by = _key("{quotas}:of:%s")
shares_of = _key("{shares}:of:%s")
tokens_of = _key("{access}:of:%s")
tokens_given = _key("{access}:given:%s")
file = _key("{file:%s}:about")
games_of = _key("{file:%s}:games")
queue_of_webhook = _key("{webhooks}:owed:%s")
due_times = _key("{webhooks}:due:%s")
deliveries = _key("{webhooks}:deliveries:%s")
delivery_times = _key("{webhooks}:tried:%s")


def openings(field: bytes) -> str:
    """Return the key with the openings whose idempotency keys begin with the same byte as `field`.

    One key per byte spreads the openings over many cluster slots.
    """
    return f"{{openings:{field[:1].hex()}}}:keys"


def games_by_first_event(first: str) -> str:
    """Return the key with the games whose event 1 has a hash that begins with the same byte as `first`.

    Like `openings`, these keys are spread over many cluster slots.
    """
    return f"{{begun:{first[:2]}}}:games"


def of_game(game_id: str) -> list[str]:
    """Return all keys with a game's hash tag, except the key of its meta."""
    return [name(game_id) for name in (events, idempotency, snapshots, turns, audits, analyses, skills)]


def index(field: str, value: str) -> str:
    """Return the key of the games whose `field` is `value`."""
    return f"{{games}}:{field}:{value}"


def file_of(games_key: bytes) -> str:
    """Return the name of the file whose list of games is in `games_key`."""
    return games_key.decode().removeprefix("{file:").removesuffix("}:games")


def piece(name: str, attempt: str, number: int) -> str:
    """Return the key of a piece of a file, numbered from 0."""
    return f"{{file:{name}}}:{attempt}:{number}"


def tally(of: str, value: str) -> str:
    """Return the key of the statistics of a ruleset's or a player's ended games."""
    return f"{{games}}:tally:{of}:{value}"


def plays_by(field: str, value: str) -> str:
    """Return the key of the logged plays whose `field` is `value`."""
    return f"{{games}}:plays:{field}:{value}"


def tally_of_plays(of: str, value: str) -> str:
    """Return the key of the statistics of a ruleset's or a player's logged plays."""
    return f"{{games}}:plays:tally:{of}:{value}"


def is_of_plays(name: bytes) -> bool:
    """Return True if a key is about logged plays."""
    return name.startswith(PLAYS_PATTERN.rstrip("*").encode())


def game_of(meta_key: bytes) -> str:
    """Return the id of the game whose meta is in `meta_key`."""
    return meta_key.decode().removeprefix("{").removesuffix("}:meta")


def probe(number: int) -> str:
    """Return a key for a test write."""
    return f"{{probe:{number}}}"
