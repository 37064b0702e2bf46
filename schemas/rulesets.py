"""Rulesets: the actions, facts, steps and words that each declares."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import described, next_cursor
from schemas.named import COMPONENTS, JSON_SCHEMA, Open


def _labels(description: str, example: dict[str, str]) -> fields.Dict:
    """Return a field for the display names of some ids."""
    return fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata=described(description, example)
    )


class ActionType(Schema):
    """A type of action."""

    type = fields.String(required=True, metadata=described("Its name in events.", "move"))
    title = fields.String(required=True, metadata=described("What it is called, as a menu has it.", "Move"))
    rule = fields.String(required=True, metadata=described("The rulebook heading.", "Move"))
    summary = fields.String(required=True, metadata=described("The kind of job.", "Move your pawn."))
    asks_chance = fields.Boolean(required=True, metadata=described("Whether chance has a part in it.", example=False))
    any_time = fields.Boolean(
        required=True,
        metadata=described("Whether it is played when somebody likes, beside what is asked.", example=False),
    )
    symbol = fields.String(
        required=True, allow_none=True, metadata=described("The name of a drawing that stands for it.", "walk")
    )
    params = Open(JSON_SCHEMA, required=True, metadata=described("JSON Schema of its params.", {"type": "object"}))


class FactType(Schema):
    """A type of fact."""

    fact = fields.String(required=True, metadata=described("Its name.", "has_cards"))
    summary = fields.String(
        required=True, metadata=described("The text of the rule.", "How many of a card a player has.")
    )
    about = fields.List(
        fields.String(),
        required=True,
        metadata=described(
            "The members that say of what it speaks: no two facts are about the same.", ["seat", "card"]
        ),
    )
    is_derived = fields.Boolean(
        required=True,
        metadata=described("Whether it follows from others, as the size of a pile does: it is checked, never put."),
    )
    can_be_absent = fields.Boolean(
        required=True,
        metadata=described(
            "True if its subject can be absent, as cards of a hand: of the `rest` only that can be reported."
        ),
    )
    schema = Open(
        JSON_SCHEMA,
        required=True,
        metadata=described(
            "JSON Schema of the whole fact. `rest` stands for everything that no other fact names.", {"type": "object"}
        ),
    )


class Players(Schema):
    """Range of the number of players."""

    min = fields.Integer(required=True, metadata=described("At least.", 2))
    max = fields.Integer(required=True, metadata=described("At most.", 4))


class ListedRuleset(Schema):
    """A ruleset that games can be recorded with."""

    id = fields.String(required=True, metadata=described("Its id.", "forbidden-island"))
    version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    name = fields.String(required=True, metadata=described("Its name.", "Forbidden Island"))
    players = fields.Nested(Players, required=True, metadata={"description": "How many may play."})
    link = fields.String(required=True, metadata=described("The ruleset.", "/v1/rulesets/forbidden-island"))


class RulesetList(Schema):
    """All rulesets that games can be recorded with."""

    rulesets = fields.List(fields.Nested(ListedRuleset), required=True, metadata={"description": "Every ruleset."})
    next_cursor = next_cursor()


class DueStep(Schema):
    """A step that a table may skip."""

    id = fields.String(required=True, metadata=described("The `step` of a `left_out`.", "flood_cards"))
    name = fields.String(required=True, metadata=described("What players call it.", "Flood cards"))
    rule = fields.String(
        required=True, metadata=described("The rulebook heading that requires it.", "3. Draw Flood Cards")
    )


class Face(Schema):
    """A possible result, with its cell in the layout."""

    value = fields.Raw(
        required=True, metadata={**described("The value to report.", "earth_stone"), "type": ["string", "integer"]}
    )
    symbol = fields.String(required=True, metadata=described("The name of its drawing.", "stone"))
    tint = fields.String(required=True, metadata=described("The name of its colour.", "earth"))
    text = fields.String(
        required=True, metadata=described("What stands beside the symbol; empty: what a player calls it.", "2")
    )
    column = fields.Integer(required=True, metadata=described("Its column, from 1.", 2))
    row = fields.Integer(required=True, metadata=described("Its row, from 1.", 1))
    width = fields.Integer(required=True, metadata=described("Over how many columns it goes.", 1))


class FaceLayout(Schema):
    """The fixed layout of the possible results of a chance point."""

    columns = fields.Integer(required=True, metadata=described("How many columns there are.", 4))
    faces = fields.List(fields.Nested(Face), required=True, metadata={"description": "What has a cell."})


class Ruleset(ListedRuleset):
    """A ruleset with all its declarations."""

    versions = fields.List(
        fields.String(),
        required=True,
        metadata=described("The versions of its rules that are installed, for audits to compare with.", ["1"]),
    )
    options = Open(JSON_SCHEMA, required=True, metadata=described("JSON Schema of its options.", {"type": "object"}))
    actions = fields.List(
        fields.Nested(ActionType),
        required=True,
        metadata={"description": "Every kind of action, in the rulebook's order."},
    )
    record_actions = fields.List(
        fields.Nested(ActionType), required=True, metadata={"description": "What every game knows besides."}
    )
    steps = fields.List(
        fields.Nested(DueStep),
        required=True,
        metadata={"description": "What a table may forget, and go on: what a `left_out` may name."},
    )
    facts = fields.List(
        fields.Nested(FactType), required=True, metadata={"description": "What a table of it can say of itself."}
    )
    words = _labels(
        "What a player calls each value that a fact or a param can be one of. Seats are omitted, and what belongs "
        "to one is listed without it: `hut_1` for `p2_hut_1`.",
        {"oceans_chalice": "Ocean's Chalice"},
    )
    titles = _labels(
        "What a player calls each question to chance, each param of an action and each member of a fact: by its "
        "`title` in the JSON Schema, or else by its name.",
        {"flood_card": "Flood card"},
    )
    phases = _labels(
        "What a player says of each phase that `phase` may tell while a game goes on.",
        {"draw_flood": "drawing Flood cards"},
    )
    faces = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(FaceLayout),
        required=True,
        metadata={"description": "By the name of a question to chance: where a page has what can come up."},
    )
    menu = fields.List(
        fields.String(),
        required=True,
        metadata=described("The types of actions whose buttons keep their places, in this order.", ["travel"]),
    )
    sections = fields.List(fields.String(), required=True, metadata=described("The rulebook's headings.", ["Move"]))
    curve = fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "What the `level` of each of a game's turns counts; null where nothing does.", "Tiles above water"
        ),
    )
    endings = _labels("Each way to end: its id and sentence.", {"skull": "The water has risen: lost."})
    components = Open(COMPONENTS, required=True, metadata=described("What is in the box.", {"flood_cards": 24}))
