"""Rulesets: the actions, facts, steps and words that each declares."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import next_cursor
from schemas.members import describe, required
from schemas.named import COMPONENTS, JSON_SCHEMA


def _labels(description: str, example: dict[str, str]) -> fields.Dict:
    """Return a field for the display names of some ids."""
    return fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata=describe(description, example)
    )


class ActionType(Schema):
    """A type of action."""

    type = required.text("The type, as in events.", "move")
    title = required.text("The name of the action type, for a menu.", "Move")
    rule = required.text("The heading of the rule in the rulebook.", "Move")
    summary = required.text("A sentence that describes the action.", "Move your pawn.")
    asks_chance = required.flag("True if the action needs a draw or a roll.", example=False)
    any_time = required.flag(
        "True if players can take the action at any time, in addition to what the game asks for.", example=False
    )
    symbol = required.text("The name of the symbol for the action type; null if it has none.", "walk", allow_none=True)
    params = required.document(JSON_SCHEMA, "The JSON Schema of the action's params.", {"type": "object"})


class FactType(Schema):
    """A type of fact."""

    fact = required.text("The name of the fact type.", "has_cards")
    summary = required.text("A sentence that describes the fact.", "How many of a card a player has.")
    about = required.texts(
        "The members that identify the subject of the fact. A table has at most one fact of this type about a subject.",
        ["seat", "card"],
    )
    is_derived = required.flag(
        "True if the fact follows from other facts, as the size of a pile does. It is checked, but cannot be set."
    )
    can_be_absent = required.flag(
        "True if the subject can be absent, such as a card that is not in a hand. About the subject `rest`, "
        "you can only report absence."
    )
    schema = required.document(
        JSON_SCHEMA,
        "The JSON Schema of the whole fact. The subject `rest` means everything that no other fact names.",
        {"type": "object"},
    )


class Players(Schema):
    """Range of the number of players."""

    min = required.integer("The minimum number of players.", 2)
    max = required.integer("The maximum number of players.", 4)


class ListedRuleset(Schema):
    """A ruleset that games can be recorded with."""

    id = required.text("The ruleset's id.", "forbidden-island")
    version = required.text("The version of the rules.", "1")
    name = required.text("The name of the game.", "Forbidden Island")
    players = required.nested_field(Players, "The possible numbers of players.")
    link = required.text("The address of the ruleset.", "/v1/rulesets/forbidden-island")


class RulesetList(Schema):
    """All rulesets that games can be recorded with."""

    rulesets = required.each(ListedRuleset, "The rulesets.")
    next_cursor = next_cursor()


class DueStep(Schema):
    """A required step, which players can forget."""

    id = required.text("The id of the step, as in the `step` of a `left_out`.", "flood_cards")
    name = required.text("The players' name for the step.", "Flood cards")
    rule = required.text("The rulebook heading that requires the step.", "3. Draw Flood Cards")


class Face(Schema):
    """A possible result, with its cell in the layout."""

    value = fields.Raw(
        required=True, metadata={**describe("The value to report.", "earth_stone"), "type": ["string", "integer"]}
    )
    symbol = required.text("The name of the cell's symbol.", "stone")
    tint = required.text("The name of the cell's colour.", "earth")
    text = required.text("The text beside the symbol; if it is empty, show the players' name for the result.", "2")
    column = required.integer("The column of the cell, from 1.", 2)
    row = required.integer("The row of the cell, from 1.", 1)
    width = required.integer("Number of columns that the cell spans.", 1)


class FaceLayout(Schema):
    """The fixed layout of the possible results of a chance point."""

    columns = required.integer("Number of columns.", 4)
    faces = required.each(Face, "The results that have a cell.")
    is_beside = required.flag(
        "True if a page shows the results beside the other legal actions: one tap records both.", example=False
    )


class Ruleset(ListedRuleset):
    """A ruleset with all its declarations."""

    versions = required.texts(
        "The installed versions of the rules. An audit can compare a record with each of them.", ["1"]
    )
    options = required.document(JSON_SCHEMA, "The JSON Schema of the ruleset's options.", {"type": "object"})
    actions = required.each(ActionType, "All types of actions, in the rulebook's order.")
    record_actions = required.each(ActionType, "The event types that every game has in addition, such as `undo`.")
    steps = required.each(DueStep, "The steps that players may skip by mistake. A `left_out` event names one of them.")
    facts = required.each(FactType, "The types of facts about a table of this game.")
    words = _labels(
        "The players' names for the values of facts and params. Seats are omitted, and a value that "
        "belongs to a seat is listed without it: `hut_1` for `p2_hut_1`.",
        {"oceans_chalice": "Ocean's Chalice"},
    )
    titles = _labels(
        "The players' names for the kinds of draws and rolls, for the params of actions and for the "
        "members of facts. A key is the `title` in the JSON Schema; if there is none, it is the name.",
        {"flood_card": "Flood card"},
    )
    phases = _labels(
        "The players' names for the phases of a game in progress.",
        {"draw_flood": "drawing Flood cards"},
    )
    faces = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(FaceLayout),
        required=True,
        metadata={
            "description": "The layout of the buttons for the possible results of each kind of draw or roll, by "
            "its name."
        },
    )
    menu = required.texts("The action types whose buttons have fixed places, in this order.", ["travel"])
    sections = required.texts("The headings of the rulebook.", ["Move"])
    curve = required.text(
        "The name of the number that `level` of a turn contains; null if the ruleset has no curve.",
        "Tiles above water",
        allow_none=True,
    )
    endings = _labels(
        "A sentence for each way in which the game can end, by its id (`reason` of an outcome).",
        {"skull": "The water has risen: lost."},
    )
    components = required.document(COMPONENTS, "The components in the box.", {"flood_cards": 24})
