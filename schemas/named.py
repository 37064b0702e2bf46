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


SEAT_ID = _words("SeatId", "A seat at the table, in seat order.", SEAT_IDS)
VIEWER = _words("Viewer", "A viewing seat, or everyone.", [*SEAT_IDS, "public"])
GAME_STATUS = _words("GameStatus", "The status of a game.", ["setup", "in_progress", "finished", "abandoned"])
GAME_RESULT = _words("GameResult", "The result of a game for the players.", ["won", "lost", "draw", "abandoned"])
GAME_ORDER = _words(
    "GameOrder",
    "`newest`, `oldest`: by opening time. `played_at`: by date of play. `longest`, `shortest`: by playing time. "
    "`outcome`: won, lost, drawn, abandoned, in progress, in setup. `title`: by the name of the game. "
    "Ties: newest first.",
    ["newest", "oldest", "played_at", "longest", "shortest", "outcome", "title"],
)
CHANCE = _words(
    "Chance", "`seeded`: the service draws. `observed`: the table reports what came up.", ["seeded", "observed"]
)
SEED_STATUS = _words(
    "SeedStatus",
    "`committing`: shares are still missing. `revealing`: all are committed, not all revealed. `complete`: a game can "
    "be opened. `used`: it was.",
    ["committing", "revealing", "complete", "used"],
)
MODE = _words(
    "Mode",
    "`strict`: illegal actions are rejected. `as_played`: they are recorded with a verdict.",
    ["strict", "as_played"],
)
VERDICT = _words(
    "Verdict",
    "The verdict of the rules on an event; `unknowable`: it depends on an unknown result.",
    ["legal", "illegal", "unknowable"],
)
RULING_VERDICT = _words(
    "RulingVerdict",
    "The same; `impossible`: the result cannot have occurred.",
    ["legal", "illegal", "unknowable", "impossible"],
)
EFFECT = _words(
    "Effect",
    "The effect of a correction on a later event.",
    ["unchanged", "state_differs", "now_legal", "now_illegal", "outcome_impossible"],
)
IF_ILLEGAL = _words(
    "IfIllegal",
    "The handling of an illegal action. `refuse` and `ask` reject it with its explanations; "
    "with `ask`, pages ask the user. `accept` records it with the first explanation.",
    get_args(IfIllegal),
)
EXPLANATION_KIND = _words("ExplanationKind", "The kind of explanation of an illegal action.", get_args(ExplanationKind))
MARK = _words("Mark", "The assessment of a move, in the signs of chess.", MARKS)
CORRECTION_TYPE = _words("CorrectionType", "A kind of correction.", ["undo", "amend", "reveal"])
JOB_STATUS = _words("JobStatus", "The status of a job.", ["queued", "running", "done", "failed"])
AUDIT_VERDICT = _words(
    "AuditVerdict",
    "`broken`: the chain is broken, or the log cannot be replayed to its end.",
    ["clean", "findings", "broken"],
)
LUCK_METHOD = _words("LuckMethod", "An exact distribution.", ["binomial", "poisson_binomial", "hypergeometric"])
LAYOUT = _words(
    "Layout",
    "`wide`, 1200 units across; `tall`, 360, for a phone; `board`, without hands, piles and meters; `panels`, these "
    "alone.",
    LAYOUTS,
)
INCLUDED = _words("Included", "Further data of a response.", ["actions", "story", "board", "state"])
PATCH_OP = _words("PatchOp", "The operation of a JSON Patch.", ["add", "remove", "replace", "move", "copy", "test"])
EXPORT_FORMAT = _words(
    "ExportFormat",
    "A format that logs are exported in.",
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
    "PlayTakenIn",
    "What became of a play of a file. `imported`: it is new. `changed`: it was here, and is now as the file has it. "
    "`there`: it was here. `taken_out`: it was here, and somebody took it out. `recorded`: its game is recorded here. "
    "`other_game`: none of the rulesets is of that game. `ignored`: the file says that it does not count. `broken`: "
    "it cannot be read; `why` says what is wrong.",
    ["imported", "changed", "there", "taken_out", "recorded", "other_game", "ignored", "broken"],
)
READ = _words(
    "ReadStatus",
    "The result of reading a piece of text.",
    ["understood", "incomplete", "irregular", "wrong", "unread"],
)
EXPORT_COLUMNS = _words(
    "ExportColumns", "`game`: columns with a value in this game; `all`: those of all rulesets.", ["game", "all"]
)
FRAME_EACH = _words("FrameEach", "The frames of an animation.", ["turn", "event"])
EVENT_SOURCE = _words(
    "EventSource",
    "The origin of events. `recorded`: by this service. `imported`: from a file. `adjusted`: "
    "manual changes of the table.",
    ["recorded", "imported", "adjusted"],
)
KEY_STATUS = _words("KeyStatus", "`retired`: no longer used; its signatures stay valid.", ["active", "retired"])
DURABILITY = _words(
    "Durability",
    "The guarantee of a 201: on disk, on disk within a second, or in memory.",
    ["fsync", "everysec", "memory"],
)
WRITES = _words(
    "WritesState",
    "`stopped`: the store is full. Reads and deletions still work.",
    ["accepted", "stopped"],
)
ARCHIVE = _words(
    "ArchiveState",
    "The availability of archived logs. Without the archive, requests that do not need it still work.",
    ["usable", "unavailable"],
)

WEBHOOK_STATUS = _words(
    "WebhookStatus",
    "`failing`: the receiver has accepted nothing for days, or has unsubscribed. Nothing is "
    "sent until it accepts a retried delivery.",
    ["active", "failing"],
)
DELIVERY_STATUS = _words(
    "DeliveryStatus",
    "`waiting`: an attempt or retry is due; `failed`: there are no more attempts.",
    ["delivered", "waiting", "failed"],
)
WEBHOOK_FORMAT = _words(
    "WebhookFormat",
    "`game_event`: the event wrapped with its game. `cloudevents`: the event itself, with "
    "its attributes in headers (CloudEvents 1.0, binary mode).",
    ["game_event", "cloudevents"],
)
ROLE = _words(
    "Role",
    "`viewer`: reads public data. `recorder`: also appends, and undoes its own events. "
    "`arbiter`: also corrects anything, and sees what any seat sees. `admin`: everything.",
    ["viewer", "recorder", "arbiter", "admin"],
)
CORRECTIONS = _words(
    "Corrections",
    "The users who may correct the record, if callers have tokens. `anyone`: any recorder. "
    "`recorder`: the one who recorded the corrected event and all later ones, or an arbiter. "
    "`arbiter`: only an arbiter.",
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
JOB_RESULT = _object("JobResult", "The result of a job: `game`, `audit` or `file`, by its kind.")


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
