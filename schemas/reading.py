"""Views of a game: legal actions, states, turns, facts and the story."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import (
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    Moment,
    Paged,
    Position,
    cursor,
    described,
    fraction,
    limit,
    next_cursor,
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
    """An action that can be appended now: send its `type`, `actor` and `params`."""

    type = fields.String(required=True, metadata=described("The kind of action.", "move"))
    actor = seat_id("Who may do it; null where it is nobody's.", required=True, allow_none=True)
    params = Open(PARAMS, required=True, metadata=described("Its parameters.", {"to": "coral_palace"}))
    label = fields.String(required=True, metadata=described("The label of its button.", "Move to Coral Palace"))
    warning = fields.String(
        required=True,
        allow_none=True,
        metadata=described("What to ask before it is recorded; null where there is nothing to ask.", None),
    )
    rule = fields.String(required=True, metadata=described("The rulebook heading.", "Move"))
    chance = fields.List(
        fields.Nested(ChancePoint),
        required=True,
        metadata=described("What it asks chance first, with all that can come up.", []),
    )


class PossibleAction(LegalAction):
    """An action that may be legal, depending on an unknown result."""

    p = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("The probability that it is legal; null where that is not known.", 0.25),
    )
    p_exact = fraction("The same as a fraction in lowest terms.", "1/4", allow_none=True)


class LegalRange(Schema):
    """A type of action that can be appended now with any params that match a schema."""

    type = fields.String(required=True, metadata=described("The kind of action.", "offer_exchange"))
    actor = seat_id("Who may do it.", required=True)
    seats = fields.List(
        seat_id("A seat."), required=True, metadata=described("All seats that may do it, `actor` first.", ["p1", "p2"])
    )
    rule = fields.String(required=True, metadata=described("The rulebook heading.", "Exchange"))
    params = Open(
        JSON_SCHEMA,
        required=True,
        metadata=described("JSON Schema of all params that are legal now.", {"type": "object"}),
    )


class Timer(Schema):
    """A time limit. The table keeps the time, and appends the action when it is up."""

    title = fields.String(required=True, metadata=described("What it is for.", "Planning"))
    seconds = fields.Integer(required=True, metadata=described("How long they have.", 90))
    type = fields.String(required=True, metadata=described("The kind of the action.", "timer_runs_out"))
    actor = seat_id("Who says it.", required=True)


class PlayOn(Schema):
    """The event that continues a game past an ending that the table did not notice."""

    type = fields.String(required=True, metadata=described("The kind of event.", "left_out"))
    actor = seat_id("Null: it is nobody's action.", required=True, allow_none=True)
    params = Open(PARAMS, required=True, metadata=described("Its parameters.", {"seat": "p1", "step": "ending"}))


class LegalActions(Moment):
    """All actions that can be appended now."""

    ask = fields.String(
        required=True,
        metadata=described(
            "A sentence that says what to do now; empty before the setup and after the end.",
            "Two actions left: move, shore up, or draw cards.",
        ),
    )
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
    play_on = fields.Nested(
        PlayOn,
        required=True,
        allow_none=True,
        metadata={
            "description": "The event that continues the game after an ending that nobody noticed; null while the game "
            "goes on, and after an ending that nobody can miss."
        },
    )


class Unknown(ChancePoint):
    """An unknown result, with its possible values."""

    seq = fields.Integer(required=True, metadata=described("The place of its event.", 12))


class UnknownList(Schema):
    """Unknown results."""

    unknowns = fields.List(fields.Nested(Unknown), required=True, metadata={"description": "In order."})
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 97))
    next_cursor = next_cursor()


class ActionQuery(Viewed):
    """The acting seat, the viewer, and the last event of the view."""

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
    """The point in time and the viewer of a state."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ), metadata=described("After this event (default: the last).", 42)
    )
    turn = fields.Integer(
        validate=validate.Range(min=0, max=LARGEST_SEQ),
        metadata=described("At the end of this turn, or as far as it is.", 7),
    )


def changes() -> fields.String:
    """Return a field for the changes that a picture marks."""
    return fields.String(
        load_default=None,
        validate=validate.Regexp(r"^(previous|[1-9][0-9]{0,8})$(?!\n)", error="`previous`, or the `seq` of an event."),
        metadata=described("Mark what is not as it was after this event, or after the `previous` one.", "previous"),
    )


class PictureQuery(Viewed):
    """The point in time, the viewer, and the options of a picture."""

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
    """A turn in effect."""

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
    next_cursor = next_cursor()


class ListQuery(Viewed, Paged):
    """The page, the viewer and the point in time."""


class StoryQuery(Viewed):
    """The part of the story, the last event of the view, and the viewer."""

    after = after()
    limit = limit(100, most=1000)
    cursor = cursor()


class StoryLine(Schema):
    """A narrated event."""

    seq = fields.Integer(required=True, metadata=described("The event.", 42))
    turn = fields.Integer(required=True, metadata=described("The turn of the event; 0 before the first.", 7))
    seat = seat_id("Whose turn it is; null for turn 0.", required=True, allow_none=True)
    type = fields.String(required=True, metadata=described("The type of the event.", "move"))
    actor = seat_id("The acting seat; null if there is none.", required=True, allow_none=True)
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
        required=True, allow_none=True, metadata=described("The time of the action, if given.", EXAMPLE_TIME)
    )
    recorded_by = fields.String(metadata=described("The user who recorded it, if known.", "Ann"))
    note = fields.String(metadata=described("The recorder's note.", "a bold move"))
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
    """The story of a game, in sentences."""

    story = fields.List(fields.Nested(StoryLine), required=True, metadata={"description": "In order."})
    next_cursor = next_cursor()


class ExportQuery(Viewed):
    """The format, the viewer, and the last event of the view."""

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
    """A row of the overview."""

    label = fields.String(required=True, metadata=described("What it is about.", "Water level"))
    text = fields.String(required=True, metadata=described("How it is, in words.", "3 (draw 3 cards)"))


class FactList(Schema):
    """The facts of the table."""

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
    """The event, viewer and point in time."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ), metadata=described("After this event (default: the last).", 42)
    )
