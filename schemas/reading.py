"""What is read of a game: legal actions, states, turns, facts and the story."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import (
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    Moment,
    Position,
    described,
    fraction,
    limit,
    seat_id,
)
from schemas.events import LARGEST_SEQ, Viewed, after
from schemas.named import (
    EXPORT_COLUMNS,
    EXPORT_FORMAT,
    FACT,
    FRAME_EACH,
    JSON_SCHEMA,
    LAYOUT,
    MARK,
    PARAMS,
    STATE_DOCUMENT,
    VERDICT,
    Choice,
    Open,
)
from schemas.problems import ChancePoint


class LegalAction(Schema):
    """Something that may be appended now: `type`, `actor` and `params` are the body to send."""

    type = fields.String(required=True, metadata=described("The kind of action.", "move"))
    actor = seat_id("Who may do it; null where it is nobody's.", required=True, allow_none=True)
    params = Open(PARAMS, required=True, metadata=described("Its parameters.", {"to": "coral_palace"}))
    label = fields.String(required=True, metadata=described("What a button says.", "Move to Coral Palace"))
    warning = fields.String(
        required=True,
        allow_none=True,
        metadata=described("What to ask before it is recorded; null where there is nothing to ask.", None),
    )
    rule = fields.String(required=True, metadata=described("The rulebook's heading.", "Move"))
    chance = fields.List(
        fields.Nested(ChancePoint),
        required=True,
        metadata=described("What it asks chance first, with all that can come up.", []),
    )


class PossibleAction(LegalAction):
    """Something that may be legal now: it depends on what nobody saw."""

    p = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("The probability that it is legal; null where that is not known.", 0.25),
    )
    p_exact = fraction("The same as a fraction in lowest terms.", "1/4", allow_none=True)


class LegalRange(Schema):
    """A kind of action that may be appended now with any params that fit a schema."""

    type = fields.String(required=True, metadata=described("The kind of action.", "offer_exchange"))
    actor = seat_id("Who may do it.", required=True)
    rule = fields.String(required=True, metadata=described("The rulebook's heading.", "Exchange"))
    params = Open(
        JSON_SCHEMA,
        required=True,
        metadata=described("JSON Schema of all params that are legal now.", {"type": "object"}),
    )


class Timer(Schema):
    """What players have only so long for. The table holds the watch; the action says that the time is up."""

    title = fields.String(required=True, metadata=described("What it is for.", "Planning"))
    seconds = fields.Integer(required=True, metadata=described("How long they have.", 90))
    type = fields.String(required=True, metadata=described("The kind of the action.", "timer_runs_out"))
    actor = seat_id("Who says it.", required=True)


class LegalActions(Moment):
    """All that may be appended now."""

    ranges = fields.List(
        fields.Nested(LegalRange),
        required=True,
        metadata={"description": "Where a full list would be too long: then `actions` has examples of these."},
    )
    actions = fields.List(fields.Nested(LegalAction), required=True, metadata={"description": "Complete and exact."})
    possible = fields.List(
        fields.Nested(PossibleAction),
        required=True,
        metadata={"description": "What may be legal besides, as it depends on what nobody saw."},
    )
    timer = fields.Nested(
        Timer,
        required=True,
        allow_none=True,
        metadata={"description": "What the players have only so long for now; null where they may take their time."},
    )


class Unknown(ChancePoint):
    """An outcome that nobody saw, and what it may have been."""

    seq = fields.Integer(required=True, metadata=described("The place of its event.", 12))


class UnknownList(Schema):
    """What nobody saw."""

    unknowns = fields.List(fields.Nested(Unknown), required=True, metadata={"description": "In order."})
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 97))


class ActionQuery(Viewed):
    """Whose actions, who looks, and as of when."""

    actor = seat_id("Only those of this seat.")


class State(Position):
    """The table after an event."""

    state = Open(
        STATE_DOCUMENT,
        required=True,
        allow_none=True,
        metadata=described("The ruleset's state document; null before the game is set up.", {"water_level": 3}),
    )
    state_hash = fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "Hex SHA-256 of the whole state's canonical JSON (RFC 8785), without members that equal their default.",
            EXAMPLE_HASH,
        ),
    )


class StateQuery(Viewed):
    """Which state, who looks, and as of when."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ), metadata=described("After this event (default: the last).", 42)
    )
    turn = fields.Integer(
        validate=validate.Range(min=0, max=LARGEST_SEQ),
        metadata=described("At the end of this turn, or as far as it is.", 7),
    )


def changes() -> fields.String:
    """A field that says what a picture marks."""
    return fields.String(
        load_default=None,
        validate=validate.Regexp(r"^(previous|[1-9][0-9]{0,8})$(?!\n)", error="`previous`, or the `seq` of an event."),
        metadata=described("Mark what is not as it was after this event, or after the `previous` one.", "previous"),
    )


class PictureQuery(Viewed):
    """Which table, how it is drawn, and who looks."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ), metadata=described("After this event (default: the last).", 42)
    )
    changes = changes()
    layout = Choice(LAYOUT, load_default="wide", metadata=described("How it is laid out.", "tall"))
    plain = fields.Boolean(
        load_default=False,
        metadata=described("Light colours without a style sheet, for converters to other formats.", example=False),
    )


class Turn(Schema):
    """One turn of the line that stands."""

    turn = fields.Integer(required=True, metadata=described("Its number; 0 is opening and set-up.", 7))
    seat = seat_id("Whose turn it is; null for turn 0.", required=True, allow_none=True)
    first = fields.Integer(required=True, metadata=described("The `seq` of its first event.", 40))
    last = fields.Integer(required=True, metadata=described("The `seq` of its last event.", 47))
    account = fields.String(
        attribute="summary",
        required=True,
        metadata=described("What happened, in a line.", "Bob moves to Coral Palace. Watchtower floods."),
    )
    level = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("What its ruleset's `curve` stood at when it was over; null where there is none.", 17),
    )
    deeds = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Integer()),
        required=True,
        metadata=described("Who did what: by seat and type of action, how often.", {"p2": {"move": 2, "shore_up": 1}}),
    )


class TurnList(Schema):
    """The turns of a game."""

    turns = fields.List(fields.Nested(Turn), required=True, metadata={"description": "In order."})
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 47))


class StoryQuery(Viewed):
    """Which part of the story, as of when, and who looks."""

    after = after()
    limit = limit(100, most=1000)


class StoryLine(Schema):
    """One event, told."""

    seq = fields.Integer(required=True, metadata=described("The event.", 42))
    turn = fields.Integer(required=True, metadata=described("The turn in which it happened; 0 before the first.", 7))
    seat = seat_id("Whose turn it is; null for turn 0.", required=True, allow_none=True)
    type = fields.String(required=True, metadata=described("What was done.", "move"))
    actor = seat_id("The seat that acted; null where nobody did.", required=True, allow_none=True)
    sentence = fields.String(
        required=True, metadata=described("What a player would say of it.", "Bob moves to Coral Palace.")
    )
    is_undone = fields.Boolean(
        required=True,
        metadata=described(
            "Whether an undo took it back. What an amend took off the line is told by `superseded_by`.", example=False
        ),
    )
    recorded_at = fields.String(required=True, metadata=described("When it was recorded.", EXAMPLE_TIME))
    occurred_at = fields.String(
        required=True, allow_none=True, metadata=described("When it happened, if somebody said.", EXAMPLE_TIME)
    )
    recorded_by = fields.String(metadata=described("Who recorded it, if known.", "Ann"))
    note = fields.String(metadata=described("What the recorder said.", "a bold move"))
    to = fields.Integer(metadata=described("Of an undo: the event that it goes back to.", 40))
    about = fields.Integer(metadata=described("Of an annotation: the event that it is about.", 41))
    text = fields.String(metadata=described("Of an annotation: its text.", "Here the game was lost."))
    mark = Choice(MARK, metadata=described("Of an annotation: its mark.", "?!"))
    bookmark = fields.String(metadata=described("Of an annotation: the bookmark's name.", "The last shore"))
    superseded_by = fields.Integer(
        metadata=described("The later event that took it back or wrote it anew, where one did.", 44)
    )
    draws_again = fields.Integer(
        metadata=described("The event whose draw was taken back, where the service drew it once more in this one.", 40)
    )
    verdict = Choice(VERDICT, metadata=described("What the rules said of it, in a game recorded as played.", "legal"))
    rule = fields.String(metadata=described("The rulebook's heading, where the verdict is not `legal`.", "Move"))
    reason = fields.String(
        metadata=described("The reason, where the verdict is not `legal`.", "The Pilot flies once per turn.")
    )


class Story(Position):
    """What happened, in sentences."""

    story = fields.List(fields.Nested(StoryLine), required=True, metadata={"description": "In order."})


class ExportQuery(Viewed):
    """Which format, who looks, and as of when."""

    format = Choice(EXPORT_FORMAT, metadata=described("Which format (default: by `Accept`, else `json`).", "ndjson"))
    first = fields.Integer(
        data_key="from",
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("Of a `gif`: the event with which it begins (default: the first).", 42),
    )
    each = Choice(FRAME_EACH, metadata=described("Of a `gif`: what has a frame (default: `turn`).", "event"))
    delay = fields.Integer(
        validate=validate.Range(min=20, max=10_000),
        metadata=described("Of a `gif`: for how many milliseconds a frame is shown (default: 1000).", 600),
    )
    hold = fields.Integer(
        validate=validate.Range(min=20, max=60_000),
        metadata=described("Of a `gif`: the same of its last frame (default: 5000).", 3000),
    )
    columns = Choice(
        EXPORT_COLUMNS,
        metadata=described("Of a `csv`: which columns of params it has (default: `game`).", "all"),
    )


class OverviewRow(Schema):
    """A row of what lies on the table."""

    label = fields.String(required=True, metadata=described("What it is about.", "Water level"))
    text = fields.String(required=True, metadata=described("How it is, in words.", "3 (draw 3 cards)"))


class FactList(Schema):
    """What the table says of itself."""

    facts = fields.List(
        Open(FACT, metadata={}),
        required=True,
        metadata=described(
            "All that is so, each in the shape that the ruleset declares.", [{"fact": "water_level", "level": 3}]
        ),
    )
    sentences = fields.List(
        fields.String(),
        required=True,
        metadata=described("Each of them as a player says it, in the same order.", ["The water is at 3."]),
    )
    overview = fields.List(
        fields.Nested(OverviewRow),
        required=True,
        metadata={"description": "What a player would look up on the table, in the ruleset's own rows."},
    )
    version = fields.Integer(required=True, metadata=described("The `seq` of the event after which it is so.", 97))


class FactQuery(Viewed):
    """After which event, who looks, and as of when."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ), metadata=described("After this event (default: the last).", 42)
    )
