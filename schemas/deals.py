"""Deals: what chance brought a table before anybody did anything."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, described
from schemas.named import CHANCE, OPTIONS, Choice, Open


class DealtPlace(Schema):
    """What came up in one place of the set-up."""

    group = fields.String(required=True, metadata=described("What it belongs to, where the ruleset says it.", "Floods"))
    label = fields.String(required=True, metadata=described("Which one it is.", "card 1"))
    value = fields.Raw(
        required=True, metadata={**described("What came up.", "gold_gate"), "type": ["string", "integer"]}
    )
    said = fields.String(required=True, metadata=described("It, as a player calls it.", "Gold Gate"))


class DealtDeck(Schema):
    """What lies on top of a deck, as far as the game has shown it."""

    name = fields.String(required=True, metadata=described("What is drawn.", "Flood card"))
    cards = fields.List(
        fields.String(), required=True, metadata=described("The top one first.", ["Gold Gate", "Lost Lagoon"])
    )
    below = fields.Integer(required=True, metadata=described("How many more there are, in any order.", 16))


class Deal(Schema):
    """What a table was dealt."""

    game = fields.String(required=True, metadata=described("The game.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    options = Open(OPTIONS, required=True, metadata=described("Every option with its value.", {"difficulty": "normal"}))
    seats = fields.Integer(required=True, metadata=described("For how many it is.", 2))
    set_up = fields.List(
        fields.Nested(DealtPlace), required=True, metadata={"description": "The set-up, in the rulebook's order."}
    )
    decks = fields.List(
        fields.Nested(DealtDeck),
        required=True,
        metadata={"description": "The decks as they lay then, until each was shuffled again. They tell what comes."},
    )
    chances = fields.List(
        Choice(CHANCE, metadata=described("Who draws.", "observed")),
        required=True,
        metadata=described("How a game can be opened from it (`deal` of `POST /v1/games`).", ["observed"]),
    )
    games = fields.List(
        fields.String(metadata=described("The id of a game.", EXAMPLE_GAME)),
        required=True,
        metadata={"description": "The other games of the same deal, the newest first: 50 at the most."},
    )
