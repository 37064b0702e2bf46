"""What is read of a game: legal actions, states, turns, audits; and rulesets."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from drawing import LAYOUTS
from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_TIME, JOB_STATUS, Moment, Position, described, seat_id
from schemas.events import LARGEST_SEQ, Viewed
from schemas.problems import ChancePoint


class LegalAction(Schema):
    """Something that may be appended now: `type`, `actor` and `params` are the body to send."""

    type = fields.String(required=True, metadata=described("The kind of action.", "move"))
    actor = seat_id("Who may do it; null where it is nobody's.", required=True, allow_none=True)
    params = fields.Dict(required=True, metadata=described("Its parameters.", {"to": "coral_palace"}))
    label = fields.String(required=True, metadata=described("What a button says.", "Move to Coral Palace"))
    rule = fields.String(required=True, metadata=described("The rulebook's heading.", "Move"))
    chance = fields.List(
        fields.Nested(ChancePoint),
        required=True,
        metadata=described("What it asks chance first, with all that can come up.", []),
    )


class PossibleAction(LegalAction):
    """Something that may be legal now: it depends on what nobody saw."""

    p = fields.Float(required=True, metadata=described("The probability that it is legal.", 0.25))


class LegalRange(Schema):
    """A kind of action that may be appended now with any params that fit a schema."""

    type = fields.String(required=True, metadata=described("The kind of action.", "offer_exchange"))
    actor = seat_id("Who may do it.", required=True)
    rule = fields.String(required=True, metadata=described("The rulebook's heading.", "Exchange"))
    params = fields.Dict(
        required=True, metadata=described("JSON Schema of all params that are legal now.", {"type": "object"})
    )


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

    state = fields.Dict(
        required=True,
        allow_none=True,
        metadata=described("The ruleset's state document; null before the game is set up.", {"water_level": 3}),
    )
    state_hash = fields.String(
        required=True,
        allow_none=True,
        metadata=described("Hex SHA-256 of the whole state's canonical JSON (RFC 8785).", EXAMPLE_HASH),
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


class PictureQuery(Viewed):
    """Which table, how it is drawn, and who looks."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ), metadata=described("After this event (default: the last).", 42)
    )
    changes = fields.String(
        load_default=None,
        validate=validate.Regexp(r"^(previous|[1-9][0-9]{0,8})$(?!\n)", error="`previous`, or the `seq` of an event."),
        metadata=described("Mark what is not as it was after this event, or after the `previous` one.", "previous"),
    )
    layout = fields.String(
        load_default="wide",
        validate=validate.OneOf(LAYOUTS),
        metadata=described(
            "`wide`, 1200 units across; `tall`, 360, for a phone; `board`, without hands, piles and meters; `panels`, "
            "these alone.",
            "tall",
        ),
    )
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
        required=True, metadata=described("What happened, in a line.", "Bob moves to Coral Palace. Watchtower floods.")
    )


class TurnList(Schema):
    """The turns of a game."""

    turns = fields.List(fields.Nested(Turn), required=True, metadata={"description": "In order."})
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 47))


class StoryQuery(Viewed):
    """Which part of the story, as of when, and who looks."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=LARGEST_SEQ),
        metadata=described("The events after this `seq`.", 0),
    )
    limit = fields.Integer(
        load_default=100, validate=validate.Range(min=1, max=1000), metadata=described("How many at the most.", 100)
    )


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
    is_undone = fields.Boolean(required=True, metadata=described("Whether a later event took it back.", example=False))
    recorded_at = fields.String(required=True, metadata=described("When it was recorded.", EXAMPLE_TIME))
    occurred_at = fields.String(
        required=True, allow_none=True, metadata=described("When it happened, if somebody said.", EXAMPLE_TIME)
    )
    recorded_by = fields.String(metadata=described("Who recorded it, if known.", "Ann"))
    note = fields.String(metadata=described("What the recorder said.", "a bold move"))
    to = fields.Integer(metadata=described("Of an undo: the event that it goes back to.", 40))
    about = fields.Integer(metadata=described("Of an annotation: the event that it is about.", 41))
    text = fields.String(metadata=described("Of an annotation: its text.", "Here the game was lost."))
    mark = fields.String(metadata=described("Of an annotation: its mark.", "?!"))
    bookmark = fields.String(metadata=described("Of an annotation: the bookmark's name.", "The last shore"))
    superseded_by = fields.Integer(
        metadata=described("The later event that took it back or wrote it anew, where one did.", 44)
    )
    verdict = fields.String(
        validate=validate.OneOf(["legal", "illegal", "unknowable"]),
        metadata=described("What the rules said of it, in a game recorded as played.", "legal"),
    )
    rule = fields.String(metadata=described("The rulebook's heading, where the verdict is not `legal`.", "Move"))
    reason = fields.String(
        metadata=described("The reason, where the verdict is not `legal`.", "The Pilot flies once per turn.")
    )


class Story(Position):
    """What happened, in sentences."""

    story = fields.List(fields.Nested(StoryLine), required=True, metadata={"description": "In order."})


class Job(Schema):
    """Any long work."""

    id = fields.String(required=True, metadata=described("The job's id.", EXAMPLE_GAME))
    kind = fields.String(required=True, metadata=described("What it does.", "import"))
    status = fields.String(required=True, validate=JOB_STATUS, metadata=described("How far it is.", "running"))
    progress = fields.Float(required=True, metadata=described("From 0 to 1.", 0.4))
    result = fields.Dict(required=True, allow_none=True, metadata=described("What came of it.", {"game": EXAMPLE_GAME}))
    error = fields.String(required=True, allow_none=True, metadata=described("Why it failed, if it did."))
    created_at = fields.String(required=True, metadata=described("When it was asked for.", EXAMPLE_TIME))


class ExportQuery(Viewed):
    """Which format, who looks, and as of when."""

    format = fields.String(load_default="json", metadata=described("The format's name.", "ndjson"))


class ActionType(Schema):
    """A kind of action."""

    type = fields.String(required=True, metadata=described("Its name in events.", "move"))
    rule = fields.String(required=True, metadata=described("The rulebook's heading.", "Move"))
    summary = fields.String(required=True, metadata=described("What it does.", "Move your pawn."))
    asks_chance = fields.Boolean(required=True, metadata=described("Whether chance has a part in it.", example=False))
    params = fields.Dict(required=True, metadata=described("JSON Schema of its params.", {"type": "object"}))


class Players(Schema):
    """How many may play."""

    min = fields.Integer(required=True, metadata=described("At least.", 2))
    max = fields.Integer(required=True, metadata=described("At most.", 4))


class ListedRuleset(Schema):
    """A game that can be recorded."""

    id = fields.String(required=True, metadata=described("Its id.", "forbidden-island"))
    version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    name = fields.String(required=True, metadata=described("Its name.", "Forbidden Island"))
    players = fields.Nested(Players, required=True, metadata={"description": "How many may play."})
    link = fields.String(required=True, metadata=described("The ruleset.", "/v1/rulesets/forbidden-island"))


class RulesetList(Schema):
    """All that can be recorded."""

    rulesets = fields.List(fields.Nested(ListedRuleset), required=True, metadata={"description": "Every ruleset."})


class Ruleset(ListedRuleset):
    """A game that can be recorded, whole."""

    versions = fields.List(
        fields.String(),
        required=True,
        metadata=described("The versions of its rules that are installed, for audits to compare with.", ["1"]),
    )
    options = fields.Dict(required=True, metadata=described("JSON Schema of its options.", {"type": "object"}))
    actions = fields.List(
        fields.Nested(ActionType),
        required=True,
        metadata={"description": "Every kind of action, in the rulebook's order."},
    )
    record_actions = fields.List(
        fields.Nested(ActionType), required=True, metadata={"description": "What every game knows besides."}
    )
    sections = fields.List(fields.String(), required=True, metadata=described("The rulebook's headings.", ["Move"]))
    endings = fields.Dict(
        required=True,
        metadata=described("Each way to end: its id and sentence.", {"skull": "The water has risen: lost."}),
    )
    components = fields.Dict(required=True, metadata=described("What is in the box.", {"flood_cards": 24}))
