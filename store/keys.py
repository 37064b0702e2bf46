"""The names of all keys. What a script touches together stands under one hash tag, so that a cluster keeps it together.

| key | type | holds |
| --- | --- | --- |
| `{<game>}:events` | stream | the log: entry `<seq>-0`, see `store.log.codec`; not there while the game is archived |
| `{<game>}:meta` | hash | `v` version, `head` last hash, `bytes`, `seed`, `archived` file, `restored` |
| `{<game>}:meta` | hash | if its first events come from a file: `imported` count, `imported_head`, `imported_key` |
| `{<game>}:meta` | hash | of a deleted game: `gone_v`, `gone_head`, `gone_at`, `gone_by`, `gone_files` |
| `{<game>}:keys` | hash | idempotency key (8 bytes of its SHA-256) → body digest (6 bytes), `<first>:<count>` |
| `{<game>}:snapshots` | hash | seq → document of `engine.play.snapshots` |
| `{<game>}:turns` | hash | `v` projected version, `turns` JSON, `undos` `[[seq, to], …]`, `clock` `[ms, time]`, JSON |
| `{<game>}:audits` | hash | audit id → JSON |
| `{signing}:ring` | list | the signing keys as JSON, oldest first: whole the last one, of the others the public half |
| `{games}:summaries` | hash | game → JSON of its `Summary` |
| `{games}:all`, `{games}:<field>:<value>` | sorted set | the games that a filter finds, every score 0: by id |
| `{games}:tally:ruleset:<id>`, `{games}:tally:player:<name>` | hash | what was so in ended games → how many |
| `{games}:tally:standings` | hash | ruleset, status and result of all games → how many |
| `{games}:opened` | sorted set | the games by the time of opening, ms since 1970 |
| `{games}:length` | sorted set | the games by how long they were played, in seconds |
| `{games}:archived` | set | the games whose logs are archived, for whoever looks for some to archive |
| `{games}:unplayable` | hash | game whose log does not replay here → its version then: nothing is made from it |
| `{games}:vocabulary` | sorted set | every word that has a `{games}:word:<word>` |
| `{games}:players` | sorted set | every player, folded, who has a `{games}:player:<name>` |
| `{games}:aliases` | hash | a name as it is compared → JSON of its `Alias` |
| `{games}:sitters` | hash | game → JSON of who is said to have sat in which of its seats |
| `{games}:said` | string | the revision of both: 16 bytes of chance, others whenever something else is said |
| `{games}:unlisted` | sorted set | the games that are to be listed anew for what was said, every score 0 |
| `{games}:plays:documents` | hash | past play → JSON of it, as it came in |
| `{games}:plays:taken_out` | set | the past plays that were taken out: none comes in again unasked |
| `{games}:plays:entries` | hash | past play → JSON of what it is listed by: all below follows from it |
| `{games}:plays:unlisted` | sorted set | the past plays that are to be listed anew, every score 0 |
| `{games}:plays:all`, `{games}:plays:<field>:<value>` | sorted set | past plays by when they were, ms since 1970 |
| `{games}:plays:players` | sorted set | every player, folded, who has a `{games}:plays:player:<name>` |
| `{games}:plays:tally:ruleset:<id>`, `{games}:plays:tally:player:<name>` | hash | as those of games |
| `{openings:<xx>}:keys` | hash | idempotency key of an opening, which begins with that byte → body digest, game |
| `{games}:openings` | hash | the same of all openings, as an earlier version wrote it; only read |
| `{quotas}:opening` | sorted set | the games that are being opened, by when that began (s since 1970) |
| `{quotas}:of:<token>` | sorted set | the games that a token opened: 0, or while they are opened since when |
| `{quotas}:owners` | hash | game → the token that opened it |
| `{games}:deleted` | set | the games that were deleted, or are being: none of them comes into the list again |
| `{games}:deleting` | hash | game of which not everything is gone yet → JSON of when and by whom it is deleted |
| `{shares}:links` | hash | token → JSON of its `Share` |
| `{shares}:of:<game>` | list | the tokens of a game's links, oldest first |
| `{access}:tokens` | hash | token → JSON of it with the digest of its secret |
| `{access}:names` | hash | name (folded) under which somebody records → JSON `{game or "*": true}` |
| `{access}:all`, `{access}:of:<game>`, `{access}:given:<token>` | sorted set | tokens, every score 0: by id |
| `{access}:log`, `{access}:log:others` | stream | uses of rights, by admins and by others: JSON of a `Use` |
| `{access}:noted` | string | the id of the newest of them |
| `{hidden}:names` | hash | a player's name as it is compared → JSON of its `HiddenName` |
| `{feed}:entries` | stream | how far which game has come, the last 50,000 times: `g` game, `f` first event, `l` last |
| `{feed}:versions` | hash | game → how far the feed has told of it |
| `{webhooks}:all` | hash | webhook → JSON of it, without its secret |
| `{webhooks}:makers` | hash | webhook → the token that made it; empty where the service was open |
| `{webhooks}:key` | string | 32 bytes, from which with a webhook's id its secret is made |
| `{webhooks}:read` | string | the entry of the feed up to which it is noted what is owed |
| `{webhooks}:owed:<webhook>` | hash | game, or one event of it → `<next> <last> <attempts> <since>` |
| `{webhooks}:due:<webhook>` | sorted set | the same by when it is tried next, ms since 1970 |
| `{webhooks}:deliveries:<webhook>` | hash | the last 200 that were tried → JSON of a `Delivery` |
| `{webhooks}:tried:<webhook>` | sorted set | the same by when that was, ms since 1970 |
| `{webhooks}:failing`, `{webhooks}:reached` | hash | webhook → since when it fails; when it was reached last |
| `{webhooks}:courier` | string | who sends; goes after a while |
| `{probe:<number>}` | string | nothing: written to see whether it can be |
| `{jobs}:documents` | hash | job → JSON |
| `{jobs}:unfinished` | set | the jobs that are not done and have not failed |
| `{jobs}:keys` | hash | idempotency key → body digest, job |
| `{jobs}:held` | hash | unfinished job → how many bytes it works on: they are the file `payload-<job>` |
| `{jobs}:owners` | hash | unfinished job → the token whose share it takes, unless others asked for the same |
| `{jobs}:same` | hash | what is not to be done twice at a time → the unfinished job that does it |
| `{file:<name>}:about` | string | JSON of a `File` that is whole; goes after a while |
| `{file:<name>}:games` | set | the games that it tells of; goes after a while |
| `{file:<name>}:<attempt>:<number>` | string | a piece of it; goes after a while |
| `{restore}:stage` | hash | of a restore that is not done: `stage`, and the `digest` of its file |
| `{restore}:lock` | string | who restores; goes after a while |

`operations.backup.families` says which of them belong into a backup. What a restore has written and not put in place
yet stands beside its place, under the same name and `:restoring`.
"""

from __future__ import annotations


def appended(database: int) -> str:
    """The channel on which an append says `<game> <version>`: a hint, never the truth.

    Args:
        database: the number of the store's own. Keys are a database's, channels are the server's.
    """
    return f"driftlog:appended:{database}"


def withdrawn(database: int) -> str:
    """The channel on which a token's end says its id: a hint as well."""
    return f"driftlog:withdrawn:{database}"


def grown(database: int) -> str:
    """The channel on which the feed says that it has grown, or a webhook's line that it is due: a hint as well."""
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
"""Those of these patterns that cannot be made again, from the logs or from the past plays."""


def events(game_id: str) -> str:
    """The game's log."""
    return f"{{{game_id}}}:events"


def meta(game_id: str) -> str:
    """The game's version, head and seed."""
    return f"{{{game_id}}}:meta"


def idempotency(game_id: str) -> str:
    """The game's idempotency keys."""
    return f"{{{game_id}}}:keys"


def openings(field: bytes) -> str:
    """The idempotency keys of openings among which that one is: in many slots, as nothing else is needed to open."""
    return f"{{openings:{field[:1].hex()}}}:keys"


def snapshots(game_id: str) -> str:
    """The game's snapshots."""
    return f"{{{game_id}}}:snapshots"


def turns(game_id: str) -> str:
    """The game's turn index, and how far it is projected."""
    return f"{{{game_id}}}:turns"


def audits(game_id: str) -> str:
    """The game's audits."""
    return f"{{{game_id}}}:audits"


def of_game(game_id: str) -> list[str]:
    """Everything that stands under the game's own hash tag, but for its meta."""
    return [name(game_id) for name in (events, idempotency, snapshots, turns, audits)]


def opened_by(token_id: str) -> str:
    """The games that a token has opened."""
    return f"{{quotas}}:of:{token_id}"


def index(field: str, value: str) -> str:
    """The games whose `field` is `value`."""
    return f"{{games}}:{field}:{value}"


def shares_of(game_id: str) -> str:
    """The tokens of a game's share links."""
    return f"{{shares}}:of:{game_id}"


def tokens_of(game_id: str) -> str:
    """The tokens that are for one game alone."""
    return f"{{access}}:of:{game_id}"


def tokens_given(token_id: str) -> str:
    """The tokens that one has given."""
    return f"{{access}}:given:{token_id}"


def file(name: str) -> str:
    """What there is to know of a file."""
    return f"{{file:{name}}}:about"


def games_of(name: str) -> str:
    """The games that a file tells of."""
    return f"{{file:{name}}}:games"


def file_of(games_key: bytes) -> str:
    """The file whose games stand under `games_key`."""
    return games_key.decode().removeprefix("{file:").removesuffix("}:games")


def piece(name: str, attempt: str, number: int) -> str:
    """A piece of a file, from 0 on."""
    return f"{{file:{name}}}:{attempt}:{number}"


def owed(webhook_id: str) -> str:
    """What is to be sent to a webhook."""
    return f"{{webhooks}}:owed:{webhook_id}"


def due(webhook_id: str) -> str:
    """When it is."""
    return f"{{webhooks}}:due:{webhook_id}"


def deliveries(webhook_id: str) -> str:
    """What was sent to a webhook, or tried."""
    return f"{{webhooks}}:deliveries:{webhook_id}"


def tried(webhook_id: str) -> str:
    """When that was."""
    return f"{{webhooks}}:tried:{webhook_id}"


def tally(of: str, value: str) -> str:
    """What the ended games of a ruleset or a player had, counted."""
    return f"{{games}}:tally:{of}:{value}"


def plays_by(field: str, value: str) -> str:
    """The past plays whose `field` is `value`."""
    return f"{{games}}:plays:{field}:{value}"


def tally_of_plays(of: str, value: str) -> str:
    """What the past plays of a ruleset or a player had, counted."""
    return f"{{games}}:plays:tally:{of}:{value}"


def is_of_plays(name: bytes) -> bool:
    """Whether a key is about past plays."""
    return name.startswith(PLAYS_PATTERN.rstrip("*").encode())


def game_of(meta_key: bytes) -> str:
    """The game whose version and head stand under `meta_key`."""
    return meta_key.decode().removeprefix("{").removesuffix("}:meta")


def probe(number: int) -> str:
    """One of the keys that are written to see whether it can be."""
    return f"{{probe:{number}}}"
