"""What enters and leaves the API, by the names of its contract. Made from openapi.yaml by `make openapi`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

ArchiveState: TypeAlias = Literal["usable", "unavailable"]
"""Whether archived logs can be read and written; where not, all that needs none of them goes on."""
AuditVerdict: TypeAlias = Literal["clean", "findings", "broken"]
"""`broken`: the chain is broken, or the log cannot be replayed to its end."""
Chance: TypeAlias = Literal["seeded", "observed"]
"""`seeded`: the service draws. `observed`: the table reports what came up."""
Components: TypeAlias = dict[str, Any]
"""What is in a game's box, as its ruleset lists it."""
CorrectionType: TypeAlias = Literal["undo", "amend", "reveal"]
"""A kind of correction."""
Corrections: TypeAlias = Literal["anyone", "recorder", "arbiter"]
"""Who may correct the record, where callers have tokens. `anyone`: whoever records. `recorder`: whoever recorded
what is corrected, and all that came after it; else an arbiter. `arbiter`: an arbiter alone.
"""
DeliveryStatus: TypeAlias = Literal["delivered", "waiting", "failed"]
"""`waiting`: it is tried, or tried again; `failed`: it is not tried any more."""
Durability: TypeAlias = Literal["fsync", "everysec", "memory"]
"""What a 201 promises: on disk, on disk within a second, or in memory."""
Effect: TypeAlias = Literal["unchanged", "state_differs", "now_illegal", "outcome_impossible"]
"""What becomes of an event when one before it is corrected."""
ExportColumns: TypeAlias = Literal["game", "all"]
"""`game`: those in which the game has a value; `all`: those of all rulesets."""
ExportFormat: TypeAlias = Literal[
    "json",
    "ndjson",
    "csv",
    "markdown",
    "html",
    "pdf",
    "sheet",
    "draws",
    "cloudevents",
    "cloudevents_ndjson",
    "bgstats",
    "svg",
    "png",
    "gif",
    "sqlite",
    "parquet",
    "notation",
    "playthrough",
]
"""A format that logs are exported in."""
Fact: TypeAlias = dict[str, Any]
"""What a table says of itself: its kind under `fact`, the rest as its ruleset says."""
FrameEach: TypeAlias = Literal["turn", "event"]
"""What has a frame in a picture that moves."""
GameOrder: TypeAlias = Literal["newest", "oldest", "longest", "shortest", "outcome", "title"]
"""`newest`, `oldest`: by when games were opened. `longest`, `shortest`: by how long they were played. `outcome`:
won, lost, drawn, abandoned, going on, being set up. `title`: by the name of the game. Newest first in each.
"""
GameResult: TypeAlias = Literal["won", "lost", "draw", "abandoned"]
"""How a game ended for those who played."""
GameStatus: TypeAlias = Literal["setup", "in_progress", "finished", "abandoned"]
"""How far a game is."""
Included: TypeAlias = Literal["actions", "story", "board", "state"]
"""What an answer tells besides."""
Instead: TypeAlias = "list[Fact] | InsteadEvent"
"""What would say it: facts, or an event."""
JobResult: TypeAlias = dict[str, Any]
"""What came of long work: `game`, `audit` or `file`, by its kind."""
JobStatus: TypeAlias = Literal["queued", "running", "done", "failed"]
"""How far long work is."""
JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema (2020-12)."""
KeyStatus: TypeAlias = Literal["active", "retired"]
"""`retired`: it signs no more; what it signed stays valid."""
Layout: TypeAlias = Literal["wide", "tall", "board", "panels"]
"""`wide`, 1200 units across; `tall`, 360, for a phone; `board`, without hands, piles and meters; `panels`, these
alone.
"""
LuckMethod: TypeAlias = Literal["binomial", "poisson_binomial", "hypergeometric"]
"""An exact distribution."""
Mark: TypeAlias = Literal["!", "?", "!!", "??", "!?", "?!"]
"""What somebody thinks of a move, in the signs of chess."""
Mode: TypeAlias = Literal["strict", "as_played"]
"""`strict`: what the rules forbid is refused. `as_played`: it is recorded, with a verdict."""
Options: TypeAlias = dict[str, Any]
"""The options of a ruleset, by name."""
Params: TypeAlias = dict[str, Any]
"""The params of an action, as its ruleset says."""
PatchOp: TypeAlias = Literal["add", "remove", "replace", "move", "copy", "test"]
"""What an operation of a JSON Patch does."""
PlayTakenIn: TypeAlias = Literal[
    "imported", "changed", "there", "taken_out", "recorded", "other_game", "ignored", "broken"
]
"""What became of a play of a file. `imported`: it is new. `changed`: it was here, and is now as the file has it.
`there`: it was here. `taken_out`: it was here, and somebody took it out. `recorded`: its game is recorded here.
`other_game`: none of the rulesets is of that game. `ignored`: the file says that it does not count. `broken`:
it cannot be read; `why` says what is wrong.
"""
ReadStatus: TypeAlias = Literal["understood", "incomplete", "irregular", "wrong", "unread"]
"""What became of a piece of a text."""
Role: TypeAlias = Literal["viewer", "recorder", "arbiter", "admin"]
"""`viewer`: reads what is public. `recorder`: appends, and takes back what it recorded. `arbiter`: corrects
anything, and sees what any seat sees. `admin`: all.
"""
RulingVerdict: TypeAlias = Literal["legal", "illegal", "unknowable", "impossible"]
"""The same; `impossible`: what came up cannot have come up."""
SeatId: TypeAlias = Literal["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"]
"""A place at the table, in seat order."""
StateDocument: TypeAlias = dict[str, Any]
"""The table, as its ruleset writes it down."""
Verdict: TypeAlias = Literal["legal", "illegal", "unknowable"]
"""What the rules say of an event; `unknowable`: nobody can tell."""
Viewer: TypeAlias = Literal["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "public"]
"""A seat that looks, or everyone."""
WebhookFormat: TypeAlias = Literal["game_event", "cloudevents"]
"""`game_event`: a letter that says of which game the event is. `cloudevents`: the event itself, and what is said
of it in headers (CloudEvents 1.0, binary mode).
"""
WebhookStatus: TypeAlias = Literal["active", "failing"]
"""`failing`: nothing was taken for days, or its receiver wants nothing any more; nothing is sent until a delivery
that is tried again is taken.
"""


class ActionType(TypedDict):
    type: str
    """Its name in events."""
    title: str
    """What it is called, as a menu has it."""
    rule: str
    """The rulebook's heading."""
    summary: str
    """What it does."""
    asks_chance: bool
    """Whether chance has a part in it."""
    any_time: bool
    """Whether it is played when somebody likes, beside what is asked."""
    symbol: str | None
    """The name of a drawing that stands for it."""
    params: JsonSchema
    """JSON Schema of its params."""


class Adjustment(TypedDict):
    seq: int
    """Its place."""
    turn: int
    """The turn in which it stands."""
    reason: str
    """Why."""
    agreed: list[str]
    """The names of those who agreed."""
    facts: list[dict[str, Any]]
    """What it said that is so, as the ruleset declares it."""
    patch: list[Operation]
    """What it changed, where an earlier record or a ruleset without facts has that as a JSON Patch (RFC 6902)."""
    stands: bool
    """Whether it was not undone or amended since."""
    message: str
    """For people."""


Alias = TypedDict(
    "Alias",
    {
        "name": "str",
        "is": "str",
        "said_at": "str",
        "said_by": "str | None",
    },
)


class AliasList(TypedDict):
    aliases: list[Alias]
    """All of them."""


class Appended(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    events: NotRequired[list[Event]]
    """The events appended; the one that ends a game is followed by `game_closed`. Absent with `Prefer:
    return=minimal`.
    """
    head: NotRequired[str]
    """The hash of the game's last event; with `Prefer: return=minimal` alone."""
    impact: NotRequired[list[Impact]]
    """With an amend or a reveal, where it is told: what becomes of each follower."""
    stopped: NotRequired[Stopped]
    """What was not appended: absent where all of it was. The events before it stay, and the same request with its
    `Idempotency-Key` is answered the same.
    """
    actions: NotRequired[LegalActions | None]
    """With `include=actions`: what `GET …/actions` answers at `version`; null where there was no time for it: ask
    for it by itself.
    """
    story: NotRequired[Story | None]
    """With `include=story`: what `GET …/story?after={after}&limit=1000` answers at `version`; null where there was
    no time for it: ask for it by itself.
    """
    board: NotRequired[str | None]
    """With `include=board`: what `GET …/board.svg` answers at `version`; null where there was no time for it: ask
    for it by itself.
    """
    state: NotRequired[State | None]
    """With `include=state`: what `GET …/state` answers at `version`; null where there was no time for it: ask for
    it by itself.
    """


class Audit(TypedDict):
    id: str
    """The audit's id."""
    game: str
    """The game's id."""
    status: JobStatus
    """How far it is."""
    progress: float
    """From 0 to 1."""
    verdict: AuditVerdict | None
    """`broken`: the chain is broken, or the log cannot be replayed to its end."""
    findings: list[Finding]
    """What was found."""
    head: str | None
    """The hash of the last event audited."""
    events: int
    """How many events were audited."""
    message: str | None
    """For people."""
    notes: list[str]
    """What else is to be known."""
    events_by_verdict: Verdicts | None
    """How the events that stand are judged."""
    rules_applied: list[RuleVerdicts]
    """The same by rule, in the rulebook's order."""
    corrections: list[Correction]
    """Each undo, amend and reveal."""
    adjustments: list[Adjustment]
    """Each time the table was brought in line by hand."""
    determinism: Determinism | None
    """Whether the states are those that were recorded."""
    luck: Luck | None
    """What came up, against its probabilities."""
    rules: RulesComparison | None
    """What other rules would have said; null where that was not asked."""
    error: str | None
    """Why it failed, if it did."""


class AuditedPlace(TypedDict):
    seq: int
    """The event."""
    turn: int
    """The turn in which it stands."""


class BeginSession(TypedDict):
    token: str
    """The text of a token."""


class ChancePoint(TypedDict):
    name: str
    """What is drawn, rolled or turned."""
    position: NotRequired[int]
    """Its place among the outcomes of the event, from 0."""
    outcomes: list[PossibleOutcome]
    """All that can come up, in listed order."""


class CloudEvent(TypedDict):
    specversion: Literal["1.0"]
    """The version of CloudEvents."""
    id: str
    """The event's `seq`, which is its own within `source`."""
    source: str
    """The game."""
    type: str
    """What happened, in which ruleset."""
    subject: str
    """The turn, and who acted."""
    time: str
    """When it happened, as far as that is known: else as `recordedtime`."""
    recordedtime: str
    """When it was written down."""
    sequence: str
    """`seq` in nine digits."""
    partitionkey: str
    """The game's id."""
    datacontenttype: str
    """What `data` is."""
    data: Event
    """The event."""


class CommonPrefix(TypedDict):
    events: int
    """How many events their lines begin with that agree."""
    at: int
    """The last of them in the game; 0 where none agrees."""
    other_at: int
    """The last of them in the other one."""


class ComparedGame(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    state: StateDocument | None
    """The ruleset's state document; null before the game is set up."""
    state_hash: str | None
    """Hex SHA-256 of the whole state's canonical JSON (RFC 8785), without members that equal their default."""
    id: str
    """The game's id."""
    events: list[ToldEvent]
    """What stands after the common prefix."""
    has_more: bool
    """Whether more stands after the last of `events`."""


class Comparison(TypedDict):
    common: CommonPrefix
    """How far they are the same."""
    game: ComparedGame
    """The game that was asked for."""
    other: ComparedGame
    """The other one."""
    difference: list[Operation]
    """What makes the one state the other: a JSON Patch (RFC 6902)."""


Consistency = TypedDict(
    "Consistency",
    {
        "format": "Literal['driftlog-consistency']",
        "format_version": "int",
        "game": "str",
        "from": "OlderHead",
        "events": "list[Event]",
        "proof": "Envelope",
    },
)


class Correction(TypedDict):
    seq: int
    """The event that corrects."""
    turn: int
    """The turn in which it stands."""
    type: CorrectionType
    """The kind of correction."""
    took_off: list[int]
    """The places that do not stand after it any more."""
    brought_back: list[int]
    """The places that stand again after it."""
    impact: dict[str, int]
    """What it did to the events that follow: how many of each effect."""
    message: str
    """For people."""


class Deal(TypedDict):
    game: str
    """The game."""
    ruleset: str
    """The id of its ruleset."""
    options: Options
    """Every option with its value."""
    seats: int
    """For how many it is."""
    set_up: list[DealtPlace]
    """The set-up, in the rulebook's order."""
    decks: list[DealtDeck]
    """The decks as they lay then, until each was shuffled again. They tell what comes."""
    chances: list[Chance]
    """How a game can be opened from it (`deal` of `POST /v1/games`)."""
    games: list[str]
    """The other games of the same deal, the newest first: 50 at the most."""


class DealtDeck(TypedDict):
    name: str
    """What is drawn."""
    cards: list[str]
    """The top one first."""
    below: int
    """How many more there are, in any order."""


class DealtPlace(TypedDict):
    group: str
    """What it belongs to, where the ruleset says it."""
    label: str
    """Which one it is."""
    value: str | int
    """What came up."""
    said: str
    """It, as a player calls it."""


class Deed(TypedDict):
    type: str
    """The type of action."""
    label: str
    """The same in words."""
    symbol: str | None
    """What stands for it; null where nothing does."""
    count: int
    """How often."""


class Deletion(TypedDict):
    format: Literal["driftlog-deletion"]
    """What this is."""
    format_version: int
    """The version of the format."""
    game: str
    """The game's id."""
    version: int
    """The `seq` of the last event that it had."""
    head: str
    """The hash of that event."""
    deleted_at: str
    """When it was deleted."""
    signed_at: str
    """When this was signed."""


class Delivery(TypedDict):
    id: str
    """The `webhook-id` of its message."""
    game: str
    """Of which game it is."""
    seq: int
    """The event's `seq`."""
    type: str
    """The event's type."""
    status: DeliveryStatus
    """What came of it."""
    attempts: int
    """How often it was tried."""
    tried_at: str
    """When it was tried last."""
    next_at: str | None
    """When it is tried again; null: it is not."""
    answered: int | None
    """The status of the answer; null: there was none."""
    answer: str | None
    """How the answer's body begins."""
    error: str | None
    """Why there was no answer."""


class DeliveryList(TypedDict):
    deliveries: list[Delivery]
    """The last ones."""


class Determinism(TypedDict):
    recorded: int
    """How many events tell the state after them."""
    equal: int
    """After how many of them it is the same now."""
    differences: list[AuditedPlace]
    """Those after which it is another one now."""
    message: str
    """For people."""


class Draw(TypedDict):
    seq: int
    """The event that asked for it."""
    position: int
    """Its place among the outcomes of the event, from 0."""
    name: str
    """What is drawn, rolled or turned."""
    options: list[str | int]
    """What could come up, equally likely, in ascending order."""
    outcome: str | int
    """What came up."""


class Draws(TypedDict):
    format: Literal["driftlog-draws"]
    """What this is."""
    format_version: int
    """The version of the format."""
    game: str
    """The game's id."""
    ruleset: str
    """The id of its ruleset."""
    ruleset_version: str
    """The version of its rules."""
    chance: Chance
    """Who draws."""
    seed_commitment: str | None
    """Hex SHA-256 of the seed; null in an observed game."""
    seeded_after: int
    """Of a fork: what comes up to this event, its parent drew; else 0."""
    draws: list[Draw]
    """In order."""
    seed: str | None
    """The seed, once the game is over; else null."""
    head: str
    """The hash of the last event of these."""
    version: int
    """Its `seq`."""


class DueStep(TypedDict):
    id: str
    """The `step` of a `left_out`."""
    name: str
    """What players call it."""
    rule: str
    """The rulebook's heading that asks for it."""


class Embedded(TypedDict):
    version: Literal["1.0"]
    """Of oEmbed."""
    type: Literal["photo"]
    """What it is."""
    title: str
    """What is played, and how it stands."""
    author_name: str
    """Who plays."""
    provider_name: str
    """What serves it."""
    provider_url: str
    """Where that is."""
    cache_age: int
    """Seconds for which to keep it."""
    url: str
    """The picture of the table, SVG."""
    width: int
    """How wide to show it."""
    height: int
    """How high."""


class Envelope(TypedDict):
    payload: str
    """Base64 of the `Head` or the `Deletion` as JSON."""
    payloadType: str
    """What the payload is."""
    signatures: list[Signature]
    """Over type and payload (PAE)."""


class Event(TypedDict):
    seq: int
    """Gapless from 1."""
    type: str
    """What was done."""
    actor: SeatId | None
    """The seat that acted; null where nobody did."""
    params: Params
    """The action's parameters."""
    outcomes: list[str | int | None]
    """What chance did; null where nobody saw it."""
    turn: int
    """The turn in which it happened; 0 before the first."""
    recorded_at: str
    """When it was recorded."""
    occurred_at: str | None
    """When it happened, if somebody said."""
    recorded_by: str | None
    """Who recorded it, if known."""
    note: str | None
    """What the recorder said."""
    prev: str
    """The hash of the event before it; 64 zeros for the first."""
    hash: str
    """SHA-256 over the canonical JSON (RFC 8785) of the event without `hash`."""
    verdict: NotRequired[Verdict]
    """What the rules said of it, in a game recorded as played; not told while a player hides what it is of."""
    rule: NotRequired[str]
    """The rulebook's heading, where the verdict is not `legal`."""
    reason: NotRequired[str]
    """The reason, where the verdict is not `legal`."""
    state_hash: NotRequired[str]
    """The digest of the state after the event, where a turn begins or the game ends. Events of earlier versions
    cover every member of the state.
    """
    keeps_turn: NotRequired[bool]
    """True of an illegal act out of turn in a strict game: it leaves the turn as it is."""


class EventList(TypedDict):
    events: list[Event]
    """In order."""
    superseded: list[Superseded]
    """What of the log does not stand, as far as it, or what took it back, is among these."""
    version: int
    """The `seq` of the game's last event."""


class EventsGame(TypedDict):
    id: str
    """The game's id."""
    ruleset: str
    """The id of its ruleset."""
    link: str
    """Where it is."""


class Face(TypedDict):
    value: str | int
    """What to report."""
    symbol: str
    """The name of its drawing."""
    tint: str
    """The name of its colour."""
    text: str
    """What stands beside the symbol; empty: what a player calls it."""
    column: int
    """Its column, from 1."""
    row: int
    """Its row, from 1."""
    width: int
    """Over how many columns it goes."""


class FaceLayout(TypedDict):
    columns: int
    """How many columns there are."""
    faces: list[Face]
    """What has a cell."""


class FactList(TypedDict):
    facts: list[Fact]
    """All that is so, each in the shape that the ruleset declares."""
    sentences: list[str]
    """Each of them as a player says it, in the same order."""
    overview: list[OverviewRow]
    """What a player would look up on the table, in the ruleset's own rows."""
    version: int
    """The `seq` of the event after which it is so."""


class FactType(TypedDict):
    fact: str
    """Its name."""
    summary: str
    """What it says."""
    about: list[str]
    """The members that say of what it speaks: no two facts are about the same."""
    is_derived: bool
    """Whether it follows from others, as the size of a pile does: it is checked, never put."""
    schema: JsonSchema
    """JSON Schema of the whole fact."""


class FigureShare(TypedDict):
    value: str
    """Which: a month, an hour, a name, a ruleset."""
    games: int
    """How many ended."""
    won: int
    """How many of them the player won."""
    lost: int
    """How many of them the player lost."""


class Finding(TypedDict):
    seq: int
    """The event."""
    turn: int
    """The turn in which it stands."""
    kind: str
    """For programs."""
    rule: str
    """The rule it breaks."""
    message: str
    """For people."""


class ForkGame(TypedDict):
    at: int
    """The last event that the fork shares with its parent."""
    chance: NotRequired[Chance]
    """Who draws from there on (default: as in the parent)."""
    seed: NotRequired[str]
    """The seed of a seeded game (default: 32 random bytes); its hash is published now, itself at the end."""
    tags: NotRequired[list[str]]
    """Words to find it by (default: its parent's)."""


class ForkedFrom(TypedDict):
    game: str
    """The game it was forked from."""
    at: int
    """The last event that they share."""
    hash: str
    """The hash of that event there."""
    chance: NotRequired[Chance]
    """Who drew there, where it is not as in the fork."""
    fork: NotRequired[ForkedFrom]
    """Where that game was forked from, where chance was of another kind."""


class FormatList(TypedDict):
    formats: list[ListedFormat]
    """Every format that can be written here."""


class Game(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    id: str
    """The game's id."""
    ruleset: str
    """The id of its ruleset."""
    ruleset_version: str
    """The version of its rules."""
    seats: list[Seat]
    """Who plays, in seat order."""
    options: Options
    """Every option with its value."""
    chance: Chance
    """Who draws."""
    mode: Mode
    """How it is recorded."""
    corrections: Corrections
    """Who may correct the record, where callers have tokens."""
    tags: list[str]
    """Words to find it by."""
    seed_commitment: str | None
    """Hex SHA-256 of a seeded game's seed; null in an observed game."""
    fork: ForkedFrom | None
    """Where a fork comes from, else null."""
    parent_deleted_at: NotRequired[str]
    """Of a fork, where the game that it was forked from was deleted: when."""
    status: GameStatus
    """How far it is."""
    is_installed: bool
    """Whether its rules are installed here. If not, `status`, `turn` and `outcome` are as the list has them, and
    `phase` is `unknown` while the game is not over.
    """
    head: str
    """The hash of the last event."""
    opened_at: str
    """When it was opened."""
    links: Links
    """Where to go on."""


class GameList(TypedDict):
    games: list[ListedGame]
    """One page of them."""
    next_cursor: str | None
    """Where the next page begins; null on the last."""


class GameOutcome(TypedDict):
    result: GameResult
    """How it ended for those who played."""
    winners: list[SeatId]
    """The seats that won."""
    reason: str
    """The ruleset's id of the ending."""
    rule: str
    """The rulebook's heading under which it stands."""
    superior: NotRequired[list[SeatId]]
    """Those of the winners who won better than the others, where the rulebook knows that; absent if nobody did."""


class GivenToken(TypedDict):
    id: str
    """By which it is withdrawn."""
    role: Role
    """What it may do."""
    game: str | None
    """The only game that it is for (default: all)."""
    seat: SeatId | None
    """The only seat that it acts and sees as, of that game."""
    note: str | None
    """Whose it is: what it records is recorded by that name."""
    created_at: str
    """When it was made."""
    expires_at: str | None
    """When it ends by itself, in RFC 3339 (default: as the token that gives it)."""
    given_by: str | None
    """The token that gave it, with which it ends; null: the operator."""
    is_link: bool
    """Whether it is a game's share link."""
    token: str
    """The text: `Authorization: Bearer` and a link to `/enter#` take it."""


class Head(TypedDict):
    format: Literal["driftlog-head"]
    """What this is."""
    format_version: int
    """The version of the format."""
    game: str
    """The game's id."""
    version: int
    """The `seq` of the last event."""
    head: str
    """The hash of that event."""
    signed_at: str
    """When it was signed."""
    ruleset: str
    """The game's ruleset."""
    ruleset_version: str
    """And its version."""
    hashes: list[str]
    """The hash of every event, from 1 on."""


class Health(TypedDict):
    status: str
    """Always `ok`."""


class HiddenName(TypedDict):
    name: str
    """The name."""
    hidden_at: str
    """Since when."""
    hidden_by: str | None
    """Who hid it; null on an open service."""


class HiddenNameList(TypedDict):
    hidden_names: list[HiddenName]
    """All of them."""


class Impact(TypedDict):
    seq: int
    """The event's place on the line."""
    effect: Effect
    """What becomes of it."""
    rule: NotRequired[str]
    """The rulebook's heading, where it is broken."""
    reason: NotRequired[str]
    """Why it is broken."""
    differences: NotRequired[list[Operation]]
    """How the state after it differs: a JSON Patch (RFC 6902)."""


class ImportedGame(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    id: str
    """The game's id."""
    ruleset: str
    """The id of its ruleset."""
    ruleset_version: str
    """The version of its rules."""
    seats: list[Seat]
    """Who plays, in seat order."""
    options: Options
    """Every option with its value."""
    chance: Chance
    """Who draws."""
    mode: Mode
    """How it is recorded."""
    corrections: Corrections
    """Who may correct the record, where callers have tokens."""
    tags: list[str]
    """Words to find it by."""
    seed_commitment: str | None
    """Hex SHA-256 of a seeded game's seed; null in an observed game."""
    fork: ForkedFrom | None
    """Where a fork comes from, else null."""
    parent_deleted_at: NotRequired[str]
    """Of a fork, where the game that it was forked from was deleted: when."""
    status: GameStatus
    """How far it is."""
    is_installed: bool
    """Whether its rules are installed here. If not, `status`, `turn` and `outcome` are as the list has them, and
    `phase` is `unknown` while the game is not over.
    """
    head: str
    """The hash of the last event."""
    opened_at: str
    """When it was opened."""
    links: Links
    """Where to go on."""
    items: NotRequired[list[ReadItem]]
    """Of what was written by hand: what became of it, piece by piece."""


class InsteadEvent(TypedDict):
    message: str
    """For people."""
    event: NewEvent
    """The event that says it, as far as it is known."""


class Job(TypedDict):
    id: str
    """The job's id."""
    kind: str
    """What it does."""
    status: JobStatus
    """How far it is."""
    progress: float
    """From 0 to 1."""
    result: JobResult | None
    """What came of it."""
    error: str | None
    """Why it failed, if it did."""
    created_at: str
    """When it was asked for."""


class KeySet(TypedDict):
    keys: list[SigningKey]
    """Oldest first; the last one signs."""


class KindLuck(TypedDict):
    name: str
    """Its name."""
    draws: int
    """How often it might have gone another way."""
    method: LuckMethod
    """The exact distribution by which it is judged."""
    message: str
    """For people."""
    values: list[ValueLuck]
    """Each value that may have come up more or less often."""


class LeftOutStep(TypedDict):
    seat: SeatId
    """Whose step it is."""
    step: str
    """Which: one of the ruleset's `steps`; params of a `left_out`."""
    rule: str
    """The rulebook's heading that asks for it."""
    label: str
    """What a button says."""
    message: str
    """The sentence a player reads."""


class LegalAction(TypedDict):
    type: str
    """The kind of action."""
    actor: SeatId | None
    """Who may do it; null where it is nobody's."""
    params: Params
    """Its parameters."""
    label: str
    """What a button says."""
    warning: str | None
    """What to ask before it is recorded; null where there is nothing to ask."""
    rule: str
    """The rulebook's heading."""
    chance: list[ChancePoint]
    """What it asks chance first, with all that can come up."""


class LegalActions(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    ranges: list[LegalRange]
    """Where a full list would be too long: then `actions` has examples of these."""
    actions: list[LegalAction]
    """Complete and exact."""
    possible: list[PossibleAction]
    """What may be legal besides, as it depends on what nobody saw."""
    timer: Timer | None
    """What the players have only so long for now; null where they may take their time."""


class LegalRange(TypedDict):
    type: str
    """The kind of action."""
    actor: SeatId
    """Who may do it."""
    rule: str
    """The rulebook's heading."""
    params: JsonSchema
    """JSON Schema of all params that are legal now."""


class LibraryEvent(TypedDict):
    type: Literal["game.event"]
    """What this is."""
    timestamp: str
    """When it was recorded."""
    data: LibraryEventData
    """What it is about."""


class LibraryEventData(TypedDict):
    game: EventsGame
    """Of which game."""
    event: Event
    """The event, as everybody may see it then."""


class Links(TypedDict):
    self: str
    """This game."""
    actions: str
    """What may be done now."""
    events: str
    """Its log."""
    stream: str
    """Its log as it grows."""
    state: str
    """The table."""
    turns: str
    """Its turns."""
    story: str
    """It, told."""
    notes: str
    """What was said of it."""
    audits: str
    """Its audits."""
    export: str
    """Its log as a file."""
    proof: str
    """Its head, signed."""
    forks: str
    """Its forks."""
    parent: NotRequired[str]
    """Of a fork: the game it was forked from."""
    ruleset: str
    """What it is played by."""


class ListedFormat(TypedDict):
    format: ExportFormat
    """Its name."""
    media_type: str
    """What Content-Type says of it."""
    extension: str
    """Of a file, without the dot."""
    comes_back: bool
    """Whether `POST /v1/imports` takes it."""
    many: bool
    """Whether `POST /v1/exports` writes many games in it."""
    loses: str
    """What of the log is not in it; empty: nothing."""


class ListedGame(TypedDict):
    id: str
    """The game's id."""
    ruleset: str
    """The id of its ruleset."""
    ruleset_version: str
    """The version of its rules."""
    seats: list[Seat]
    """Who plays."""
    status: GameStatus
    """How far it is."""
    version: int
    """The `seq` of the last event listed."""
    turn: int
    """The turn it was in."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    chance: Chance
    """Who draws."""
    mode: Mode
    """How it is recorded."""
    tags: list[str]
    """Words to find it by."""
    fork: ForkedFrom | None
    """Where a fork comes from, else null."""
    opened_at: str
    """When it was opened."""
    updated_at: str
    """When its last event was recorded."""
    seconds: int
    """How long it was played, breaks left out."""
    head: str
    """The hash of that event."""
    is_installed: bool
    """Whether its rules are installed here. If not, its log can be read and exported, and what takes the rules is
    503 `ruleset-not-installed`.
    """
    link: str
    """The game."""


class ListedRuleset(TypedDict):
    id: str
    """Its id."""
    version: str
    """The version of its rules."""
    name: str
    """Its name."""
    players: Players
    """How many may play."""
    link: str
    """The ruleset."""


class Log(TypedDict):
    format: Literal["driftlog"]
    """What this is."""
    format_version: int
    """The version of the format."""
    game: str
    """The id of the game that was exported."""
    ruleset: str
    """As in event 1."""
    ruleset_version: str
    """As in event 1."""
    seats: list[Seat]
    """As in event 1."""
    options: Options
    """As in event 1."""
    events: list[Event]
    """The whole log, in order."""
    head: str
    """The hash of the last event."""
    version: int
    """The `seq` of the last event."""
    proof: NotRequired[Envelope]
    """The signed head; a log may come without."""


class Luck(TypedDict):
    message: str
    """For people."""
    tested: int
    """How many values each p is corrected for."""
    kinds: list[KindLuck]
    """By kind of chance."""


class MadeWebhook(TypedDict):
    id: str
    """By which it is found."""
    url: str
    """Where events are sent to: `https://` or `http://`."""
    events: list[str]
    """Types of events, or `"*"` for all of them."""
    game: str | None
    """The only game whose events are sent (default: all that the token is for)."""
    ruleset: str | None
    """The only ruleset whose games' events are sent (default: all)."""
    format: WebhookFormat
    """How an event is sent."""
    status: WebhookStatus
    """How it goes with it."""
    failing_since: str | None
    """Since when nothing is sent; null while it is."""
    reached_at: str | None
    """When its receiver took something last."""
    created_at: str
    """When it was made."""
    made_by: str | None
    """The token that made it, with which it ends; null: the service was open."""
    secret: str
    """By which its messages are signed (Standard Webhooks)."""


NewAlias = TypedDict(
    "NewAlias",
    {
        "is": "str",
    },
)


class NewEvent(TypedDict):
    """An event to append."""

    type: str
    """An action of the game's ruleset, or one that every record knows: `undo`, …"""
    actor: NotRequired[str | None]
    """The seat that acts; null where nobody does."""
    params: NotRequired[dict[str, Any]]
    """What the action needs, as its ruleset says; nothing where it is left out."""
    outcomes: NotRequired[list[str | int | None]]
    """What chance did, in the order in which the rules ask, null where nobody saw it; none if seeded."""
    occurred_at: NotRequired[str | None]
    """When it happened, RFC 3339."""
    note: NotRequired[str | None]
    """What the recorder has to say."""


class NewSitter(TypedDict):
    person: str
    """Who that was."""


class NewToken(TypedDict):
    role: Role
    """What it may do."""
    game: NotRequired[str]
    """The only game that it is for (default: all)."""
    seat: NotRequired[SeatId]
    """The only seat that it acts and sees as, of that game."""
    expires_at: NotRequired[str]
    """When it ends by itself, in RFC 3339 (default: as the token that gives it)."""
    note: NotRequired[str]
    """Whose it is: what it records is recorded by that name."""


class NewWebhook(TypedDict):
    url: str
    """Where events are sent to: `https://` or `http://`."""
    events: list[str]
    """Types of events, or `"*"` for all of them."""
    game: NotRequired[str]
    """The only game whose events are sent (default: all that the token is for)."""
    ruleset: NotRequired[str]
    """The only ruleset whose games' events are sent (default: all)."""
    format: NotRequired[WebhookFormat]
    """How an event is sent."""


class Note(TypedDict):
    seq: int
    """The event in which it was said."""
    about: int
    """The event that it is about."""
    turn: int
    """The turn of that event."""
    sentence: str
    """That event, told."""
    text: str | None
    """What was said."""
    mark: Mark | None
    """Its mark."""
    bookmark: str | None
    """The bookmark's name."""
    recorded_at: str
    """When it was recorded."""
    occurred_at: str | None
    """When it was said, if somebody told."""
    recorded_by: str | None
    """Who recorded it, if known."""
    superseded_by: int | None
    """The event that took it back; null where it stands."""


class NoteList(TypedDict):
    notes: list[Note]
    """As they were written."""
    version: int
    """The `seq` of the game's last event."""


class OlderHead(TypedDict):
    version: int
    """The `seq` of that event."""
    head: str
    """Its hash."""


class OpenGame(TypedDict):
    ruleset: str
    """The id of a ruleset."""
    seats: list[Seat]
    """Who plays, in seat order."""
    options: NotRequired[dict[str, Any]]
    """The ruleset's options that differ from their defaults."""
    chance: Chance
    """`seeded`: the service draws. `observed`: the table reports what came up."""
    seed: NotRequired[str]
    """The seed of a seeded game (default: 32 random bytes); its hash is published now, itself at the end."""
    mode: NotRequired[Mode]
    """`strict` (the default): what the rules forbid is refused. `as_played`: it is recorded, with a verdict."""
    corrections: NotRequired[Corrections]
    """Who may correct the record, where callers have tokens (default: `recorder`)."""
    position: NotRequired[dict[str, Any]]
    """The record begins in the middle of a game, with what the table looks like: `{"facts": […]}`, as `GET
    …/facts` has them, or a state's document, as `GET …/state` has it.
    """
    deal: NotRequired[str]
    """A game that this one has the same set-up as: its ruleset and as many seats; options and seed are its own. An
    observed game is set up so at once. A seeded one has the same seed, so it takes one that has ended.
    """
    tags: NotRequired[list[str]]
    """Words to find it by."""


Operation = TypedDict(
    "Operation",
    {
        "op": "PatchOp",
        "path": "str",
        "from": "NotRequired[str]",
        "value": "NotRequired[Any]",
    },
)


class OrderAudit(TypedDict):
    rules: NotRequired[str]
    """A version of its rules to compare with: it has to read records of this one."""


OrderExport = TypedDict(
    "OrderExport",
    {
        "ruleset": "NotRequired[str]",
        "status": "NotRequired[GameStatus]",
        "result": "NotRequired[GameResult]",
        "player": "NotRequired[str]",
        "tag": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "q": "NotRequired[str]",
        "parent": "NotRequired[str]",
        "format": "NotRequired[ExportFormat]",
    },
)


class OverviewRow(TypedDict):
    label: str
    """What it is about."""
    text: str
    """How it is, in words."""


class PastPlay(TypedDict):
    id: str
    """The UUID that it has where it comes from, in lower case."""
    ruleset: str
    """The id of its ruleset."""
    result: GameResult
    """`won`: somebody won; `lost`: nobody did."""
    parts: list[PlayPart]
    """Who played, in seat order."""
    played_at: str
    """When it began."""
    minutes: int | None
    """How long it was played; null: nobody said it."""
    place: str
    """Where; empty: nobody said it."""
    variant: str
    """What was chosen for it, in words."""
    comments: str
    """What was said of it."""


class PastPlayList(TypedDict):
    plays: list[PastPlay]
    """One page of them."""
    next_cursor: str | None
    """Where the next page begins; null on the last."""


class Pile(TypedDict):
    returns: bool
    """Whether what came up can come up again: a die."""
    is_open: bool
    """Whether it depends on what comes up what else is asked for: then ask again."""
    outcomes: list[PossibleOutcome]
    """All that can come up at the first of its places. What lies does not come up again."""


class Place(TypedDict):
    group: str
    """What it belongs to."""
    label: str
    """Which one it is."""
    at: list[int] | None
    """Column and row, from 1, where the group lies in a grid; else null. Where column plus row is even for all (or
    odd), it is a grid of hexes, each two columns wide.
    """
    pile: int | None
    """Which of the `piles` it comes from, from 0; null where that is not known yet."""


class PlayPart(TypedDict):
    name: str
    """The player's name."""
    role: str
    """What they played; empty: nobody said it."""
    has_won: bool
    """Whether they won."""
    has_begun: bool
    """Whether they went first."""


class PlayerFigures(TypedDict):
    name: str
    """The name, as it was written last."""
    games: int
    """How many games ended."""
    won: int
    """How many of them the player won."""
    lost: int
    """How many of them the player lost."""
    minutes: int
    """How long all of them took, breaks left out."""
    longest: int
    """How long the longest of them took."""
    streak: Streak | None
    """Of the newest 100 games; null where none ended."""
    rulesets: list[FigureShare]
    """By ruleset (its id)."""
    months: list[FigureShare]
    """By the month in which they were opened, UTC, in order."""
    hours: list[FigureShare]
    """By the hour of the day at which they were opened, 0 to 23, UTC; hours without a game are left out."""
    partners: list[FigureShare]
    """By who else was at the table, the most frequent first; names are folded as they are compared."""


class Players(TypedDict):
    min: int
    """At least."""
    max: int
    """At most."""


class Plays(TypedDict):
    about: str
    """Where they come from."""
    games: list[dict[str, Any]]
    """What was played."""
    locations: list[dict[str, Any]]
    """Where."""
    players: list[dict[str, Any]]
    """Who played."""
    plays: list[dict[str, Any]]
    """The plays; the rest by its `id` in these lists."""
    userInfo: dict[str, Any]
    """Which of the players it is about: none (`meRefId` is 0)."""


class PlaysTakenIn(TypedDict):
    counts: dict[str, int]
    """How many there are of each status."""
    plays: list[TakenIn]
    """All of them, in order."""


class PossibleAction(TypedDict):
    type: str
    """The kind of action."""
    actor: SeatId | None
    """Who may do it; null where it is nobody's."""
    params: Params
    """Its parameters."""
    label: str
    """What a button says."""
    warning: str | None
    """What to ask before it is recorded; null where there is nothing to ask."""
    rule: str
    """The rulebook's heading."""
    chance: list[ChancePoint]
    """What it asks chance first, with all that can come up."""
    p: float
    """The probability that it is legal."""
    p_exact: str
    """The same as a fraction in lowest terms."""


class PossibleOutcome(TypedDict):
    value: str | int
    """What to report."""
    label: str
    """What a player calls it."""
    count: NotRequired[int]
    """How many of them there are, where that is known: 3 of 8 cards."""
    p: float
    """Its probability."""
    p_exact: str
    """The same as a fraction in lowest terms."""
    more: NotRequired[int]
    """In a pile of a `set_up`: how many more places it brings, as a card that is drawn again."""
    at: NotRequired[list[int] | None]
    """In a `set_up`: column and row, from 1, where it is a space of a grid; else null."""


class Problem(TypedDict):
    type: str
    """Which problem; GET it for an explanation."""
    title: str
    """The problem's name."""
    status: int
    """The HTTP status."""
    detail: str
    """What happened here."""
    errors: NotRequired[list[ProblemError]]
    """`malformed`, `invalid`: each error."""
    rule: NotRequired[str]
    """`illegal-action`: the rulebook's heading."""
    message: NotRequired[str]
    """`illegal-action`: the sentence a player reads."""
    left_out: NotRequired[list[LeftOutStep]]
    """`illegal-action`, in a game recorded as played: what would have to be left out before, in this order, for
    the action to be legal.
    """
    violations: NotRequired[list[Violation]]
    """`unsound-table`: what stands against what was told."""
    needs: NotRequired[Role]
    """`forbidden`: the role that it takes."""
    limit: NotRequired[int]
    """How many there may be: bytes of a body, requests, streams, or what `quota` names."""
    quota: NotRequired[str]
    """`too-many-requests`, `too-many-streams`, `quota-exceeded`: of what there are too many."""
    used: NotRequired[int]
    """`quota-exceeded`: how much of it is used."""
    seconds: NotRequired[int]
    """`too-many-requests`: in which time there were too many."""
    replicas: NotRequired[int]
    """`not-replicated`: how many replicas have to have it."""
    reached: NotRequired[int]
    """`not-replicated`: how many do."""
    index: NotRequired[int]
    """The place in a list of events of the one that is refused, from 0."""
    impact: NotRequired[list[Impact] | None]
    """`illegal-action`, of an amend or a reveal that later events do not stand: what becomes of each; null where
    telling it would tell too much.
    """
    instead: NotRequired[Instead]
    """`unsound-table`: the facts that can be, where that is known. `illegal-action`: where its effect is not
    clear, what to record.
    """
    look: NotRequired[list[str]]
    """Where it depends on what nobody saw: the parts of the state that tell."""
    chance: NotRequired[ChancePoint]
    """`outcome-required`, `impossible-outcome`: what chance is asked for."""
    places: NotRequired[list[Place]]
    """The same of a `set_up`: all that it asks, in order, as far as can be foreseen."""
    piles: NotRequired[list[Pile]]
    """With `places`: what they come from, so that nobody need ask again at each place."""
    given: NotRequired[str | int]
    """`impossible-outcome`: what was reported."""
    version: NotRequired[int]
    """`version-conflict`: the game's version now; `gone`: the one that it had."""
    head: NotRequired[str]
    """`gone`: the hash of the last event that the game had."""
    deleted_at: NotRequired[str]
    """`gone`: when it was deleted."""
    proof: NotRequired[Envelope]
    """`gone`: the same, signed; its payload is a `Deletion`."""
    outcome: NotRequired[GameOutcome]
    """`game-over`: how the game ended."""
    ruleset: NotRequired[str]
    """`ruleset-not-installed`: the id of the rules that are lacking."""
    ruleset_version: NotRequired[str]
    """`ruleset-not-installed`: and their version."""
    seq: NotRequired[int]
    """`log-does-not-verify`, `damaged-record`: the first event that fails."""
    reason: NotRequired[str]
    """`log-does-not-verify`: why."""
    items: NotRequired[list[ReadItem]]
    """`not-understood`: what became of each piece of the text."""


class ProblemError(TypedDict):
    pointer: str
    """RFC 6901 pointer into the body; for a bad query, `/<parameter>`."""
    message: str
    """What is wrong."""


class ReadItem(TypedDict):
    line: int
    """Its line, from 1; of a spreadsheet the row."""
    column: int
    """Where in it the piece begins, from 1."""
    text: str
    """As it stands there."""
    status: ReadStatus
    """`understood`. `incomplete`: what came up is not known, and entered so. `irregular`: entered, and not by the
    rules, or not as is written beside it. `wrong`: it cannot be entered. `unread`: what is before it has to be
    mended first.
    """
    said: str | None
    """What was understood, as a player says it."""
    problem: str | None
    """What is not known, irregular or wrong."""
    events: list[int]
    """The events that it became, by their `seq`."""


class Readiness(TypedDict):
    status: str
    """Always `ready`."""
    durability: Durability
    """What a 201 promises where it is written: on disk, on disk within a second, or in memory."""
    replicas: int
    """How many replicas have what a 201 promises, besides the server that wrote it."""
    workers: int
    """How many workers are alive."""
    archive: ArchiveState
    """Whether archived logs can be read and written here; the log says why not."""


class Reading(TypedDict):
    items: list[ReadItem]
    """Piece by piece; nothing is left out."""
    is_whole: bool
    """Whether all of it can be entered: nothing is `wrong`."""
    events: int
    """How many events it becomes."""
    ruleset: str | None
    """The ruleset, as far as it is known."""
    status: str | None
    """How far the game is by the end of it."""
    turn: int
    """The turn that it is in then; 0 before the first."""


class Recap(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    standing: str
    """How it stands, in a few words."""
    ending: str | None
    """How it ended, in a sentence; null while it goes on."""
    turns: int
    """How many turns there were."""
    seconds: int
    """How long it was played: the time between its events, where that is no more than an hour."""
    curve: RecapCurve | None
    """How it went; null where nothing tells."""
    players: list[RecapPlayer]
    """By seat; none before the set-up."""
    luck: str | None
    """What came up farthest from what was to be expected, in a line; null while the game goes on, and of a log of
    more than 3,000 events, of which an audit tells.
    """


class RecapCurve(TypedDict):
    title: str
    """What it counts."""
    points: list[RecapPoint]
    """One for each turn, from the set-up on."""


class RecapPlayer(TypedDict):
    seat: SeatId
    """Whose seat."""
    name: str
    """The player's name."""
    part: dict[str, str]
    """What the seat played, in words."""
    deeds: list[Deed]
    """All that it did, the most frequent first."""


class RecapPoint(TypedDict):
    turn: int
    """The turn; 0 is the set-up."""
    seq: int
    """Its last event."""
    level: int
    """What it stood at then."""


class Retried(TypedDict):
    id: str
    """The `webhook-id` of its message."""
    status: DeliveryStatus
    """That it is about to be."""


class RuleVerdicts(TypedDict):
    legal: int
    """By the rules."""
    illegal: int
    """Against the rules."""
    unknowable: int
    """It depends on what nobody saw."""
    rule: str
    """The rulebook's heading."""


class RulesComparison(TypedDict):
    recorded: str
    """The version by which it was recorded."""
    replayed: str
    """The version that was asked for."""
    message: str
    """For people."""
    first: RulesDifference | None
    """Where the two part; null: nowhere."""
    verdicts: int
    """How many events are judged otherwise."""
    states: int
    """After how many events the table is another one."""
    differences: list[RulesDifference]
    """Each event that is judged otherwise, or after which the difference of the tables is not what it was before."""


RulesDifference = TypedDict(
    "RulesDifference",
    {
        "seq": "int",
        "turn": "int",
        "was": "Ruling",
        "is": "Ruling",
        "patch": "list[Operation]",
        "message": "str",
    },
)


class Ruleset(TypedDict):
    id: str
    """Its id."""
    version: str
    """The version of its rules."""
    name: str
    """Its name."""
    players: Players
    """How many may play."""
    link: str
    """The ruleset."""
    versions: list[str]
    """The versions of its rules that are installed, for audits to compare with."""
    options: JsonSchema
    """JSON Schema of its options."""
    actions: list[ActionType]
    """Every kind of action, in the rulebook's order."""
    record_actions: list[ActionType]
    """What every game knows besides."""
    steps: list[DueStep]
    """What a table may forget, and go on: what a `left_out` may name."""
    facts: list[FactType]
    """What a table of it can say of itself."""
    words: dict[str, str]
    """What a player calls each value that a fact or a param can be one of, but for seats and what is theirs."""
    phases: dict[str, str]
    """What a player says of each phase that `phase` may tell while a game goes on."""
    faces: dict[str, FaceLayout]
    """By the name of a question to chance: where a page has what can come up."""
    sections: list[str]
    """The rulebook's headings."""
    curve: str | None
    """What the `level` of each of a game's turns counts; null where nothing does."""
    endings: dict[str, str]
    """Each way to end: its id and sentence."""
    components: Components
    """What is in the box."""


class RulesetList(TypedDict):
    rulesets: list[ListedRuleset]
    """Every ruleset."""


class Ruling(TypedDict):
    verdict: RulingVerdict
    """`impossible`: what came up cannot have come up."""
    rule: NotRequired[str]
    """The rulebook's heading, where it is not legal."""
    reason: NotRequired[str]
    """Why, where it is not legal."""


class Seat(TypedDict):
    name: str
    """The player's name."""


class Session(TypedDict):
    role: Role
    """What one may do."""
    token: str | None
    """The id of the token; null where the service is open."""
    name: str | None
    """By which name one records."""
    game: str | None
    """The only game that it is for."""
    seat: SeatId | None
    """The only seat."""
    expires_at: str | None
    """When it ends."""
    leads_to: str
    """The page to go on with."""


class Share(TypedDict):
    token: str
    """What it is known by."""
    url: str
    """Its address on this service."""
    created_at: str
    """When it was made."""
    expires_at: str | None
    """When it ends by itself, in RFC 3339: as the token that gave it."""


class ShareList(TypedDict):
    shares: list[Share]
    """All of them."""


class Signature(TypedDict):
    keyid: str
    """The key that made it: see `/v1/keys`."""
    sig: str
    """Base64 of the Ed25519 signature."""


class SigningKey(TypedDict):
    kty: Literal["OKP"]
    """The family of keys."""
    crv: Literal["Ed25519"]
    """The curve."""
    x: str
    """The key: base64url of 32 bytes."""
    kid: str
    """What proofs call it: the same as `x`."""
    use: Literal["sig"]
    """What it is for."""
    alg: Literal["EdDSA"]
    """How it signs."""
    created_at: str
    """Since when it signs."""
    retired_at: str | None
    """Since when another one signs."""
    status: KeyStatus
    """`retired`: it signs no more; what it signed stays valid."""
    pem: str
    """The same key as a PEM file."""


class Sitter(TypedDict):
    game: str
    """Which game."""
    seat: SeatId
    """Which seat."""
    written: str
    """The name in its log, which stays."""
    person: str
    """Who that was."""
    said_at: str
    """Since when."""
    said_by: str | None
    """Who said so; null on an open service."""


class State(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    state: StateDocument | None
    """The ruleset's state document; null before the game is set up."""
    state_hash: str | None
    """Hex SHA-256 of the whole state's canonical JSON (RFC 8785), without members that equal their default."""


class Stopped(TypedDict):
    index: int
    """The place in the list of the event that was refused, from 0."""
    problem: Problem
    """Why: the whole problem document."""


class Story(TypedDict):
    version: int
    """The `seq` of the last event."""
    turn: int
    """The turn that is being played; 0 before the first."""
    phase: str
    """The part of the turn, of the ruleset's `phases`; `setup` before, `over` after."""
    awaiting: list[SeatId]
    """The seats that the game waits for."""
    outcome: GameOutcome | None
    """How it ended; null while it goes on."""
    story: list[StoryLine]
    """In order."""


class StoryLine(TypedDict):
    seq: int
    """The event."""
    turn: int
    """The turn in which it happened; 0 before the first."""
    seat: SeatId | None
    """Whose turn it is; null for turn 0."""
    type: str
    """What was done."""
    actor: SeatId | None
    """The seat that acted; null where nobody did."""
    sentence: str
    """What a player would say of it."""
    is_undone: bool
    """Whether an undo took it back. What an amend took off the line is told by `superseded_by`."""
    recorded_at: str
    """When it was recorded."""
    occurred_at: str | None
    """When it happened, if somebody said."""
    recorded_by: NotRequired[str]
    """Who recorded it, if known."""
    note: NotRequired[str]
    """What the recorder said."""
    to: NotRequired[int]
    """Of an undo: the event that it goes back to."""
    about: NotRequired[int]
    """Of an annotation: the event that it is about."""
    text: NotRequired[str]
    """Of an annotation: its text."""
    mark: NotRequired[Mark]
    """Of an annotation: its mark."""
    bookmark: NotRequired[str]
    """Of an annotation: the bookmark's name."""
    superseded_by: NotRequired[int]
    """The later event that took it back or wrote it anew, where one did."""
    draws_again: NotRequired[int]
    """The event whose draw was taken back, where the service drew it once more in this one."""
    verdict: NotRequired[Verdict]
    """What the rules said of it, in a game recorded as played."""
    rule: NotRequired[str]
    """The rulebook's heading, where the verdict is not `legal`."""
    reason: NotRequired[str]
    """The reason, where the verdict is not `legal`."""


class Streak(TypedDict):
    result: str
    """How."""
    games: int
    """How many of them."""


class Superseded(TypedDict):
    first: int
    """The first of them."""
    last: int
    """The last of them."""
    by: int
    """The undo or amend because of which."""


class TakenIn(TypedDict):
    number: int
    """Its place among the plays of the file, from 1."""
    title: str
    """What was played, as the file says."""
    status: PlayTakenIn
    """What became of it."""
    why: str
    """Of a broken one: what is wrong with it; else empty."""
    id: str | None
    """The past play; where its game is recorded here, that game; else null."""


class Timer(TypedDict):
    title: str
    """What it is for."""
    seconds: int
    """How long they have."""
    type: str
    """The kind of the action."""
    actor: SeatId
    """Who says it."""


class Token(TypedDict):
    id: str
    """By which it is withdrawn."""
    role: Role
    """What it may do."""
    game: str | None
    """The only game that it is for (default: all)."""
    seat: SeatId | None
    """The only seat that it acts and sees as, of that game."""
    note: str | None
    """Whose it is: what it records is recorded by that name."""
    created_at: str
    """When it was made."""
    expires_at: str | None
    """When it ends by itself, in RFC 3339 (default: as the token that gives it)."""
    given_by: str | None
    """The token that gave it, with which it ends; null: the operator."""
    is_link: bool
    """Whether it is a game's share link."""


class TokenList(TypedDict):
    tokens: list[Token]
    """Those in force, or ended."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last."""


class ToldEvent(TypedDict):
    seq: int
    """Gapless from 1."""
    type: str
    """What was done."""
    actor: SeatId | None
    """The seat that acted; null where nobody did."""
    params: Params
    """The action's parameters."""
    outcomes: list[str | int | None]
    """What chance did; null where nobody saw it."""
    turn: int
    """The turn in which it happened; 0 before the first."""
    recorded_at: str
    """When it was recorded."""
    occurred_at: str | None
    """When it happened, if somebody said."""
    recorded_by: str | None
    """Who recorded it, if known."""
    note: str | None
    """What the recorder said."""
    prev: str
    """The hash of the event before it; 64 zeros for the first."""
    hash: str
    """SHA-256 over the canonical JSON (RFC 8785) of the event without `hash`."""
    verdict: NotRequired[Verdict]
    """What the rules said of it, in a game recorded as played; not told while a player hides what it is of."""
    rule: NotRequired[str]
    """The rulebook's heading, where the verdict is not `legal`."""
    reason: NotRequired[str]
    """The reason, where the verdict is not `legal`."""
    state_hash: NotRequired[str]
    """The digest of the state after the event, where a turn begins or the game ends. Events of earlier versions
    cover every member of the state.
    """
    keeps_turn: NotRequired[bool]
    """True of an illegal act out of turn in a strict game: it leaves the turn as it is."""
    sentence: str
    """It, told."""


class Turn(TypedDict):
    turn: int
    """Its number; 0 is opening and set-up."""
    seat: SeatId | None
    """Whose turn it is; null for turn 0."""
    first: int
    """The `seq` of its first event."""
    last: int
    """The `seq` of its last event."""
    account: str
    """What happened, in a line."""
    level: int | None
    """What its ruleset's `curve` stood at when it was over; null where there is none."""
    deeds: dict[str, dict[str, int]]
    """Who did what: by seat and type of action, how often."""


class TurnList(TypedDict):
    turns: list[Turn]
    """In order."""
    version: int
    """The `seq` of the game's last event."""


class Unknown(TypedDict):
    name: str
    """What is drawn, rolled or turned."""
    position: NotRequired[int]
    """Its place among the outcomes of the event, from 0."""
    outcomes: list[PossibleOutcome]
    """All that can come up, in listed order."""
    seq: int
    """The place of its event."""


class UnknownList(TypedDict):
    unknowns: list[Unknown]
    """In order."""
    version: int
    """The `seq` of the game's last event."""


class Use(TypedDict):
    id: str
    """Which."""
    at: str
    """When."""
    by: str | None
    """Who; null on an open service."""
    token: str | None
    """The id of that token, never the token itself."""
    action: str
    """What was asked for: a route, or a command."""
    game: str | None
    """On which game."""
    about: dict[str, str]
    """What else was asked for."""


class UseList(TypedDict):
    access_log: list[Use]
    """One page of them."""
    next_cursor: str | None
    """Where the next page begins; null on the last."""


class ValueLuck(TypedDict):
    value: str | int
    """The card, tile or number."""
    label: str
    """What a player calls it."""
    count: int
    """How often it came up."""
    expected: float
    """How often it was to be expected."""
    p: float | None
    """How likely chance alone leads as far from that; null where that is too few to say."""
    p_exact: str | None
    """The same as a fraction in lowest terms; null, too, where more was drawn than that is worked out for."""
    adjusted: float | None
    """The same, corrected for how many values were looked at (Holm)."""
    message: str
    """For people."""


class Verdicts(TypedDict):
    legal: int
    """By the rules."""
    illegal: int
    """Against the rules."""
    unknowable: int
    """It depends on what nobody saw."""


class Violation(TypedDict):
    message: str
    """The sentence."""
    rule: NotRequired[str]
    """The rulebook's heading, where one says it."""


class Webhook(TypedDict):
    id: str
    """By which it is found."""
    url: str
    """Where events are sent to: `https://` or `http://`."""
    events: list[str]
    """Types of events, or `"*"` for all of them."""
    game: str | None
    """The only game whose events are sent (default: all that the token is for)."""
    ruleset: str | None
    """The only ruleset whose games' events are sent (default: all)."""
    format: WebhookFormat
    """How an event is sent."""
    status: WebhookStatus
    """How it goes with it."""
    failing_since: str | None
    """Since when nothing is sent; null while it is."""
    reached_at: str | None
    """When its receiver took something last."""
    created_at: str
    """When it was made."""
    made_by: str | None
    """The token that made it, with which it ends; null: the service was open."""


class WebhookList(TypedDict):
    webhooks: list[Webhook]
    """All that are there."""
    next_cursor: str | None
    """The `cursor` of the next page; null on the last."""
