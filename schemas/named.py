"""Named schemas of the contract, each used in many bodies and queries: enumerations, and open objects.

A generated client would get a separate type for each use of an unnamed schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import msgspec
from marshmallow import fields, validate

from drawing import LAYOUTS
from engine.core.details import IfIllegal
from engine.core.events import ExplanationKind
from engine.core.lifecycle import MARKS
from engine.core.values import SEAT_IDS


class Named(msgspec.Struct, frozen=True):
    """A named schema, under `components` of openapi.yaml."""

    name: str
    schema: dict[str, Any]

    @property
    def words(self) -> tuple[str, ...]:
        """The allowed values."""
        return tuple(self.schema["enum"])


def _words(name: str, description: str, words: Sequence[str]) -> Named:
    return Named(name, {"type": "string", "enum": list(words), "description": description})


def _object(name: str, description: str) -> Named:
    return Named(name, {"type": "object", "additionalProperties": {}, "description": description})


SEAT_ID = _words("SeatId", "The id of a seat at the table: `p1`, `p2` and so on, in seat order.", SEAT_IDS)
VIEWER = _words("Viewer", "A seat that looks at the game, or `public` for anyone.", [*SEAT_IDS, "public"])
GAME_STATUS = _words("GameStatus", "The status of a game.", ["setup", "in_progress", "finished", "abandoned"])
GAME_RESULT = _words("GameResult", "The result of a game for the players.", ["won", "lost", "draw", "abandoned"])
GAME_ORDER = _words(
    "GameOrder",
    "The order of a list of games. `newest`, `oldest`: by opening time. `played_at`: by date of play. `longest`, "
    "`shortest`: by playing time. `outcome`: won, lost, drawn, abandoned, in progress, in setup. `title`: by the name "
    "of the game. Games that are equal in this order are sorted newest first.",
    ["newest", "oldest", "played_at", "longest", "shortest", "outcome", "title"],
)
CHANCE = _words(
    "Chance",
    "The kind of chance. `seeded`: the service draws. `observed`: the players draw and roll, and report the results.",
    ["seeded", "observed"],
)
SEED_STATUS = _words(
    "SeedStatus",
    "The status of a mixed seed. `committing`: some devices have yet to commit to a share. `revealing`: some devices "
    "have yet to reveal their share. `complete`: you can open a game with the seed. `used`: a game was opened with it.",
    ["committing", "revealing", "complete", "used"],
)
MODE = _words(
    "Mode",
    "The recording mode. `strict`: illegal actions are rejected. `as_played`: they are recorded with a verdict.",
    ["strict", "as_played"],
)
VERDICT = _words(
    "Verdict",
    "The verdict of the rules on an event. `unknowable`: it depends on an unknown result.",
    ["legal", "illegal", "unknowable"],
)
RULING_VERDICT = _words(
    "RulingVerdict",
    "The verdict of a version of the rules on an event. `unknowable`: it depends on an unknown "
    "result. `impossible`: the recorded result cannot have occurred.",
    ["legal", "illegal", "unknowable", "impossible"],
)
EFFECT = _words(
    "Effect",
    "The effect of a correction on a later event. `state_differs`: the event is still legal, but the state after it "
    "differs. `now_illegal`: the event now breaks a rule. `outcome_impossible`: its result can no longer occur.",
    ["unchanged", "state_differs", "now_illegal", "outcome_impossible"],
)
IF_ILLEGAL = _words(
    "IfIllegal",
    "The handling of an illegal action. `refuse` and `ask` reject it with its explanations; with `ask`, Driftlog's "
    "pages let the user choose one. `accept` records it with the first explanation that neither "
    "corrects the entry nor adds a house rule.",
    get_args(IfIllegal),
)
EXPLANATION_KIND = _words(
    "ExplanationKind", "A kind of slip that explains an illegal action.", get_args(ExplanationKind)
)
MARK = _words(
    "Mark", "The assessment of a move, in the signs of chess: `??` is a blunder, `!!` a brilliant move.", MARKS
)
CORRECTION_TYPE = _words("CorrectionType", "A kind of correction.", ["undo", "amend", "reveal"])
JOB_STATUS = _words("JobStatus", "The status of a job.", ["queued", "running", "done", "failed"])
AUDIT_VERDICT = _words(
    "AuditVerdict",
    "The verdict of an audit. `broken`: the chain is broken, or the log cannot be replayed to its end.",
    ["clean", "findings", "broken"],
)
LUCK_METHOD = _words(
    "LuckMethod", "An exact probability distribution.", ["binomial", "poisson_binomial", "hypergeometric"]
)
SWING_CAUSE = _words(
    "SwingCause", "The cause of a swing: a result, a choice, or a slip or correction.", ["luck", "skill", "other"]
)
SWING_UNIT = _words("SwingUnit", "The part of a game that has a value: a turn or a round.", ["turn", "round"])
LAYOUT = _words(
    "Layout",
    "The layout of a picture of the table. `wide`: 1200 units wide. `tall`: 360 units wide, for a "
    "phone. `board`: without hands, piles and meters. `panels`: only hands, piles and meters.",
    LAYOUTS,
)
INCLUDED = _words("Included", "A kind of further data in a response.", ["actions", "story", "board", "state"])
PATCH_OP = _words("PatchOp", "An operation of a JSON Patch.", ["add", "remove", "replace", "move", "copy", "test"])
EXPORT_FORMAT = _words(
    "ExportFormat",
    "A format of an exported log.",
    [
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
    ],
)
TAKEN_IN = _words(
    "PlayImportStatus",
    "The result of importing one play. `imported`: the play was added. `changed`: an existing play was updated. "
    "`there`: the play existed already. `taken_out`: a user had removed the play, so it was not added again. "
    "`recorded`: this service has a record of that game. `other_game`: no installed ruleset is for that game. "
    "`ignored`: the file marks the play as not counting. `broken`: the play is invalid; `why` has the error.",
    ["imported", "changed", "there", "taken_out", "recorded", "other_game", "ignored", "broken"],
)
READ = _words(
    "ReadStatus",
    "The result of reading a piece of text. `understood`: the piece is clear and legal. `incomplete`: a result is "
    "unknown, and is recorded as unknown. `irregular`: the piece is recorded, but it is illegal, or contradicts "
    "another part of the text. `wrong`: the piece has an open question. `unread`: the piece was not read, because of "
    "earlier questions or because the text takes too long to read.",
    ["understood", "incomplete", "irregular", "wrong", "unread"],
)
EXPORT_COLUMNS = _words(
    "ExportColumns",
    "The columns of a CSV file. `game`: columns with a value in this game. `all`: columns of all rulesets.",
    ["game", "all"],
)
FRAME_EACH = _words("FrameEach", "The unit that gets a frame in an animation.", ["turn", "event"])
EVENT_SOURCE = _words(
    "EventSource",
    "The origin of events. `recorded`: this service recorded them. `imported`: they come from a "
    "file. `adjusted`: they are manual changes of the table.",
    ["recorded", "imported", "adjusted"],
)
KEY_STATUS = _words(
    "KeyStatus",
    "The status of a signing key. `retired`: no longer used; its signatures stay valid.",
    ["active", "retired"],
)
DURABILITY = _words(
    "Durability",
    "The guarantee of a 201 response. `fsync`: the write is on disk. `everysec`: it is on disk "
    "within a second. `memory`: it is only in memory.",
    ["fsync", "everysec", "memory"],
)
WRITES = _words(
    "WritesState",
    "The status of writes. `stopped`: the store is full. Reads and deletions still work.",
    ["accepted", "stopped"],
)
ARCHIVE = _words(
    "ArchiveState",
    "The availability of archived logs. If it is `unavailable`, requests that do not need the archive still work.",
    ["usable", "unavailable"],
)

WEBHOOK_STATUS = _words(
    "WebhookStatus",
    "The status of a webhook. `failing`: the receiver has accepted nothing for days, or has "
    "unsubscribed. The service sends nothing more until the receiver accepts a retried delivery.",
    ["active", "failing"],
)
DELIVERY_STATUS = _words(
    "DeliveryStatus",
    "The status of a delivery. `waiting`: the service will try or retry it. `failed`: the service has stopped trying.",
    ["delivered", "waiting", "failed"],
)
WEBHOOK_FORMAT = _words(
    "WebhookFormat",
    "The format of a message. `game_event`: the event wrapped with its game. `cloudevents`: the "
    "event itself, with its attributes in headers (CloudEvents 1.0, binary mode).",
    ["game_event", "cloudevents"],
)
ROLE = _words(
    "Role",
    "The permissions of a user. `viewer`: reads public data. `recorder`: also appends events, and undoes its own. "
    "`arbiter`: also corrects anything, and sees what any seat sees. `admin`: everything.",
    ["viewer", "recorder", "arbiter", "admin"],
)
CORRECTIONS = _words(
    "Corrections",
    "The users who may correct the record, if callers have tokens. `anyone`: any recorder. `recorder`: the user who "
    "recorded the corrected event and all later ones, or an arbiter. `arbiter`: only an arbiter.",
    ["anyone", "recorder", "arbiter"],
)

PARAMS = _object("Params", "The params of an action, as its ruleset declares them.")
OPTIONS = _object("Options", "The options of a ruleset, by name.")
STATE_DOCUMENT = _object("StateDocument", "The state of the table, in the ruleset's format.")
JSON_SCHEMA = _object("JsonSchema", "A JSON Schema (2020-12).")
COMPONENTS = _object("Components", "The components in the box, as the ruleset lists them.")
FACT = _object("Fact", "A fact about a table: its kind under `fact`, the other members as the ruleset declares them.")
NEW_EVENT = Named("NewEvent", {})
"""An event to append; `schemas.events.new_event_schema` returns its schema."""
INSTEAD = Named(
    "Instead",
    {
        "oneOf": [
            {"type": "array", "items": {"$ref": "#/components/schemas/Fact"}},
            {"$ref": "#/components/schemas/InsteadEvent"},
        ],
        "description": "A suggestion: facts, or an event.",
    },
)
JOB_RESULT = _object(
    "JobResult", "The result of a job. Its member is `game`, `audit` or `file`, depending on the kind of job."
)


class Choice(fields.String):
    """A field for one of the values of an enumeration."""

    def __init__(self, named: Named, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(validate=validate.OneOf(named.words), metadata=metadata, **more)
        self.named = named


class Open(fields.Dict):
    """A field for an object whose members a ruleset or standard defines."""

    def __init__(self, named: Named, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(keys=fields.String(), metadata=metadata, **more)
        self.named = named


class Either(fields.Raw):
    """A field for a value that has one of several shapes."""

    def __init__(self, named: Named, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(metadata=metadata, **more)
        self.named = named
