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
    fraction,
    limit,
    next_cursor,
    seat_id,
)
from schemas.events import Viewed, after
from schemas.members import describe, optional, required
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
    Open,
)
from schemas.problems import ChancePoint


class LegalAction(Schema):
    """An action that can be appended now: send its `type`, `actor` and `params`."""

    type = required.text("The type of the action.", "move")
    actor = seat_id("The seat that can take the action; null if it belongs to no seat.", required=True, allow_none=True)
    params = required.document(PARAMS, "The params of the action.", {"to": "coral_palace"})
    label = required.text("The label for a button.", "Move to Coral Palace")
    warning = required.text(
        "A question to ask the user before you record the action; null if there is none.", None, allow_none=True
    )
    rule = required.text("The heading of the rule in the rulebook.", "Move")
    chance = required.each(
        ChancePoint, "The draws and rolls that the action needs first, with all possible results.", []
    )


class PossibleAction(LegalAction):
    """An action that may be legal, depending on an unknown result."""

    p = required.number("The probability that the action is legal; null if unknown.", 0.25, allow_none=True)
    p_exact = fraction("`p` as a fraction in lowest terms; null if unknown.", "1/4", allow_none=True)


class LegalRange(Schema):
    """A type of action that can be appended now with any params that match a schema."""

    type = required.text("The type of the action.", "offer_exchange")
    actor = seat_id("The first seat that can take the action.", required=True)
    seats = fields.List(
        seat_id("A seat."),
        required=True,
        metadata=describe("All seats that can take the action, `actor` first.", ["p1", "p2"]),
    )
    rule = required.text("The heading of the rule in the rulebook.", "Exchange")
    params = required.document(JSON_SCHEMA, "The JSON Schema of all params that are legal now.", {"type": "object"})


class Timer(Schema):
    """A time limit. The players keep the time, and append the action when the time is up."""

    title = required.text("The title of the time limit.", "Planning")
    seconds = required.integer("The time limit in seconds.", 90)
    type = required.text("The type of the action to append when the time is up.", "timer_runs_out")
    actor = seat_id("The seat to append the action for.", required=True)


class PlayOn(Schema):
    """The event that continues a game past an ending that the players did not notice."""

    type = required.text("The type of the event.", "left_out")
    actor = seat_id("Always null, because the event belongs to no seat.", required=True, allow_none=True)
    params = required.document(PARAMS, "The params of the event.", {"seat": "p1", "step": "ending"})


class LegalActions(Moment):
    """All actions that can be appended now."""

    ask = required.text(
        "A sentence that tells the players what to do now; empty before the setup and after the end.",
        "Two actions left: move, shore up, or draw cards.",
    )
    ranges = required.each(
        LegalRange, "The types of actions that have too many variants to list. `actions` contains examples of them."
    )
    actions = required.each(LegalAction, "All legal actions; for the types in `ranges`, only examples.")
    possible = required.each(PossibleAction, "Further actions that may be legal, depending on an unknown result.")
    timer = required.nested_field(
        Timer, "The current time limit of the players; null if there is none.", allow_none=True
    )
    play_on = required.nested_field(
        PlayOn,
        "The event that continues the game after an ending that nobody noticed; null while "
        "the game continues, and after an ending that nobody can miss.",
        allow_none=True,
    )


class Unknown(ChancePoint):
    """An unknown result, with its possible values."""

    seq = required.integer("The `seq` of the event.", 12)


class UnknownList(Schema):
    """Unknown results."""

    unknowns = required.each(Unknown, "The unknown results, in log order.")
    version = required.integer("The `seq` of the game's last event.", 97)
    next_cursor = next_cursor()


class ActionQuery(Viewed):
    """The acting seat, the viewer, and the last event of the view."""

    actor = seat_id("Only the actions of this seat.")


class State(Position):
    """The table after an event."""

    state = required.document(
        STATE_DOCUMENT,
        "The ruleset's state document; null before the game is set up.",
        {"water_level": 3},
        allow_none=True,
    )
    state_hash = required.text(
        "The hex SHA-256 of the complete state's canonical JSON (RFC 8785), without members that equal "
        "their default; null before the setup.",
        EXAMPLE_HASH,
        allow_none=True,
    )


class StateQuery(Viewed):
    """The point in time and the viewer of a state."""

    at = optional.seq("The `seq` of the event after which to show the table (default: the last event).", 42)
    turn = optional.seq(
        "The turn at the end of which to show the table; for an unfinished turn, the table after its latest event.",
        7,
        least=0,
    )


def changes() -> fields.String:
    """Return a field for the changes that a picture marks."""
    return optional.text(
        "Marks everything that has changed since this event (its `seq`), or since the `previous` event.",
        "previous",
        load_default=None,
        validate=validate.Regexp(
            r"^(previous|[1-9][0-9]{0,8})$(?!\n)", error="Must be `previous` or the `seq` of an event."
        ),
    )


class PictureQuery(Viewed):
    """The point in time, the viewer, and the options of a picture."""

    at = optional.seq("The `seq` of the event after which to show the table (default: the last event).", 42)
    changes = changes()
    layout = optional.choice(LAYOUT, "The layout of the picture.", "tall", load_default="wide")
    plain = optional.flag(
        "True for light colours without a style sheet, for converters to other formats.",
        example=False,
        load_default=False,
    )


class Turn(Schema):
    """A turn in effect."""

    turn = required.integer("The number of the turn; 0 for opening and setup.", 7)
    seat = seat_id("The seat whose turn it is; null for turn 0.", required=True, allow_none=True)
    first = required.integer("The `seq` of the first event of the turn.", 40)
    last = required.integer("The `seq` of the last event of the turn.", 47)
    account = required.text(
        "A summary of the turn, in one line.", "Bob moves to Coral Palace. Watchtower floods.", attribute="summary"
    )
    level = required.integer(
        "The value of the ruleset's `curve` after the turn; null if the ruleset has no curve.", 17, allow_none=True
    )
    deeds = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Integer()),
        required=True,
        metadata=describe("The number of actions by seat and type.", {"p2": {"move": 2, "shore_up": 1}}),
    )


class TurnList(Schema):
    """The turns of a game."""

    turns = required.each(Turn, "The turns, in order.")
    version = required.integer("The `seq` of the game's last event.", 47)
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

    seq = required.integer("The `seq` of the event.", 42)
    turn = required.integer("The turn of the event; 0 before the first.", 7)
    seat = seat_id("The seat whose turn it is; null for turn 0.", required=True, allow_none=True)
    type = required.text("The type of the event.", "move")
    actor = seat_id("The acting seat; null if there is none.", required=True, allow_none=True)
    sentence = required.text("The event, as a sentence.", "Bob moves to Coral Palace.")
    is_undone = required.flag(
        "True if an undo took the event out of effect. For an amend, see `superseded_by`.", example=False
    )
    recorded_at = required.text("The time of recording.", EXAMPLE_TIME)
    occurred_at = required.text("The time of the action; null if nobody gave it.", EXAMPLE_TIME, allow_none=True)
    recorded_by = optional.text("The name of the user who recorded the event; absent if unknown.", "Ann")
    note = optional.text("The recorder's note; absent if there is none.", "a bold move")
    to = optional.integer("For an undo: the `seq` of the event to which it returns.", 40)
    about = optional.integer("For an annotation: the `seq` of the event that it is about.", 41)
    text = optional.text("For an annotation: its text.", "Here the game was lost.")
    mark = optional.choice(MARK, "For an annotation: its mark.", "?!")
    bookmark = optional.text("For an annotation: the name of its bookmark.", "The last shore")
    superseded_by = optional.integer(
        "The `seq` of the later event that undid or amended this one; absent if none did.", 44
    )
    draws_again = optional.integer(
        "The `seq` of the undone event whose draw the service repeated in this one; absent if it repeated none.", 40
    )
    verdict = optional.choice(VERDICT, "The verdict of the rules, in a game recorded as played.", "legal")
    rule = optional.text("The heading of the rule in the rulebook, if the verdict is not `legal`.", "Move")
    reason = optional.text("The reason, if the verdict is not `legal`.", "The Pilot flies once per turn.")


class Story(Position):
    """The story of a game, in sentences."""

    story = required.each(StoryLine, "The events as sentences, in order.")
    next_cursor = next_cursor()


class ExportQuery(Viewed):
    """The format, the viewer, and the last event of the view."""

    format = optional.choice(
        EXPORT_FORMAT, "The format (default: the one that `Accept` selects, otherwise `json`).", "ndjson"
    )
    first = optional.seq(
        "For `gif`: the `seq` of the event with which the animation begins (default: the first event).",
        42,
        data_key="from",
    )
    each = optional.choice(FRAME_EACH, "For `gif`: the unit that gets a frame (default: `turn`).", "event")
    delay = optional.integer(
        "For `gif`: the time for which each frame is shown, in milliseconds (default: 1000).",
        600,
        validate=validate.Range(min=20, max=10_000),
    )
    hold = optional.integer(
        "For `gif`: the time for which the last frame is shown, in milliseconds (default: 5000).",
        3000,
        validate=validate.Range(min=20, max=60_000),
    )
    columns = optional.choice(EXPORT_COLUMNS, "For `csv`: the columns for params (default: `game`).", "all")


class OverviewRow(Schema):
    """A row of the overview of the table."""

    label = required.text("The subject of the row.", "Water level")
    text = required.text("The current value, in words.", "3 (draw 3 cards)")


class FactList(Schema):
    """The facts of the table."""

    facts = fields.List(
        Open(FACT, metadata={}),
        required=True,
        metadata=describe(
            "All facts, each in the form that the ruleset declares.", [{"fact": "water_level", "level": 3}]
        ),
    )
    sentences = required.texts("The facts as sentences, in the same order.", ["The water is at 3."])
    overview = required.each(OverviewRow, "A summary of the table, in rows that the ruleset defines.")
    version = required.integer("The `seq` of the event after which the facts are true.", 97)


class FactQuery(Viewed):
    """The event, viewer and point in time."""

    at = optional.seq("The `seq` of the event after which to list the facts (default: the last event).", 42)
