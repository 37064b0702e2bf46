"""What has a name of its own in the contract, however many bodies and queries refer to it: words, and open objects.

What is written into each place anew becomes a type of its own in a generated client, and one for each place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import msgspec
from marshmallow import fields, validate

from drawing import LAYOUTS
from engine.core.events import ExplanationKind, IfIllegal
from engine.core.lifecycle import MARKS
from engine.core.values import SEAT_IDS


class Named(msgspec.Struct, frozen=True):
    """A schema under `components` of openapi.yaml."""

    name: str
    schema: dict[str, Any]

    @property
    def words(self) -> tuple[str, ...]:
        """Those that it allows."""
        return tuple(self.schema["enum"])


def _words(name: str, description: str, words: Sequence[str]) -> Named:
    return Named(name, {"type": "string", "enum": list(words), "description": description})


def _object(name: str, description: str) -> Named:
    return Named(name, {"type": "object", "additionalProperties": {}, "description": description})


SEAT_ID = _words("SeatId", "A place at the table, in seat order.", SEAT_IDS)
VIEWER = _words("Viewer", "A seat that looks, or everyone.", [*SEAT_IDS, "public"])
GAME_STATUS = _words("GameStatus", "How far a game is.", ["setup", "in_progress", "finished", "abandoned"])
GAME_RESULT = _words("GameResult", "How a game ended for those who played.", ["won", "lost", "draw", "abandoned"])
GAME_ORDER = _words(
    "GameOrder",
    "`newest`, `oldest`: by when games were opened. `longest`, `shortest`: by how long they were played. `outcome`: "
    "won, lost, drawn, abandoned, going on, being set up. `title`: by the name of the game. Newest first in each.",
    ["newest", "oldest", "longest", "shortest", "outcome", "title"],
)
CHANCE = _words(
    "Chance", "`seeded`: the service draws. `observed`: the table reports what came up.", ["seeded", "observed"]
)
MODE = _words(
    "Mode",
    "`strict`: what the rules forbid is refused. `as_played`: it is recorded, with a verdict.",
    ["strict", "as_played"],
)
VERDICT = _words(
    "Verdict", "What the rules say of an event; `unknowable`: nobody can tell.", ["legal", "illegal", "unknowable"]
)
RULING_VERDICT = _words(
    "RulingVerdict",
    "The same; `impossible`: what came up cannot have come up.",
    ["legal", "illegal", "unknowable", "impossible"],
)
EFFECT = _words(
    "Effect",
    "What becomes of an event when one before it is corrected.",
    ["unchanged", "state_differs", "now_illegal", "outcome_impossible"],
)
IF_ILLEGAL = _words(
    "IfIllegal",
    "What becomes of an action that the rules forbid. `refuse` and `ask` refuse it with its explanations: `ask` means "
    "that a page asks its user. `accept` records it with the first explanation.",
    get_args(IfIllegal),
)
EXPLANATION_KIND = _words("ExplanationKind", "The kind of explanation of an illegal action.", get_args(ExplanationKind))
MARK = _words("Mark", "What somebody thinks of a move, in the signs of chess.", MARKS)
CORRECTION_TYPE = _words("CorrectionType", "A kind of correction.", ["undo", "amend", "reveal"])
JOB_STATUS = _words("JobStatus", "How far long work is.", ["queued", "running", "done", "failed"])
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
INCLUDED = _words("Included", "What an answer tells besides.", ["actions", "story", "board", "state"])
PATCH_OP = _words(
    "PatchOp", "What an operation of a JSON Patch does.", ["add", "remove", "replace", "move", "copy", "test"]
)
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
    "What became of a piece of a text.",
    ["understood", "incomplete", "irregular", "wrong", "unread"],
)
EXPORT_COLUMNS = _words(
    "ExportColumns", "`game`: those in which the game has a value; `all`: those of all rulesets.", ["game", "all"]
)
FRAME_EACH = _words("FrameEach", "What has a frame in a picture that moves.", ["turn", "event"])
EVENT_SOURCE = _words(
    "EventSource",
    "Where events come from. `recorded`: by this service. `imported`: from a file. `adjusted`: they changed the table "
    "by hand.",
    ["recorded", "imported", "adjusted"],
)
KEY_STATUS = _words("KeyStatus", "`retired`: it signs no more; what it signed stays valid.", ["active", "retired"])
DURABILITY = _words(
    "Durability",
    "What a 201 promises: on disk, on disk within a second, or in memory.",
    ["fsync", "everysec", "memory"],
)
WRITES = _words(
    "WritesState",
    "`stopped`: the store is full. Reads and deletions go on.",
    ["accepted", "stopped"],
)
ARCHIVE = _words(
    "ArchiveState",
    "Whether archived logs can be read and written; where not, all that needs none of them goes on.",
    ["usable", "unavailable"],
)

WEBHOOK_STATUS = _words(
    "WebhookStatus",
    "`failing`: nothing was taken for days, or its receiver wants nothing any more; nothing is sent until a delivery "
    "that is tried again is taken.",
    ["active", "failing"],
)
DELIVERY_STATUS = _words(
    "DeliveryStatus",
    "`waiting`: it is tried, or tried again; `failed`: it is not tried any more.",
    ["delivered", "waiting", "failed"],
)
WEBHOOK_FORMAT = _words(
    "WebhookFormat",
    "`game_event`: a letter that says of which game the event is. `cloudevents`: the event itself, and what is said of "
    "it in headers (CloudEvents 1.0, binary mode).",
    ["game_event", "cloudevents"],
)
ROLE = _words(
    "Role",
    "`viewer`: reads what is public. `recorder`: appends, and takes back what it recorded. `arbiter`: corrects "
    "anything, and sees what any seat sees. `admin`: all.",
    ["viewer", "recorder", "arbiter", "admin"],
)
CORRECTIONS = _words(
    "Corrections",
    "Who may correct the record, where callers have tokens. `anyone`: whoever records. `recorder`: whoever recorded "
    "what is corrected, and all that came after it; else an arbiter. `arbiter`: an arbiter alone.",
    ["anyone", "recorder", "arbiter"],
)

PARAMS = _object("Params", "The params of an action, as its ruleset says.")
OPTIONS = _object("Options", "The options of a ruleset, by name.")
STATE_DOCUMENT = _object("StateDocument", "The table, as its ruleset writes it down.")
JSON_SCHEMA = _object("JsonSchema", "A JSON Schema (2020-12).")
COMPONENTS = _object("Components", "What is in a game's box, as its ruleset lists it.")
FACT = _object("Fact", "What a table says of itself: its kind under `fact`, the rest as its ruleset says.")
NEW_EVENT = Named("NewEvent", {})
"""Its schema is `schemas.events.new_event_schema`."""
INSTEAD = Named(
    "Instead",
    {
        "oneOf": [
            {"type": "array", "items": {"$ref": "#/components/schemas/Fact"}},
            {"$ref": "#/components/schemas/InsteadEvent"},
        ],
        "description": "What would say it: facts, or an event.",
    },
)
JOB_RESULT = _object("JobResult", "What came of long work: `game`, `audit` or `file`, by its kind.")


class Choice(fields.String):
    """One of the words of `named`."""

    def __init__(self, named: Named, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(validate=validate.OneOf(named.words), metadata=metadata, **more)
        self.named = named


class Open(fields.Dict):
    """An object whose members something else than this contract gives their meaning."""

    def __init__(self, named: Named, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(keys=fields.String(), metadata=metadata, **more)
        self.named = named


class Either(fields.Raw):
    """What has one of several shapes."""

    def __init__(self, named: Named, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(metadata=metadata, **more)
        self.named = named
