"""Deals: the results of chance in the setup."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME
from schemas.members import describe, optional, required
from schemas.named import CHANCE, OPTIONS


class DealtPlace(Schema):
    """The result for one place of the setup."""

    group = required.text("The group of the place; empty if the ruleset has no groups.", "Floods")
    label = required.text("The place within its group.", "card 1")
    value = fields.Raw(
        required=True, metadata={**describe("The result for this place.", "gold_gate"), "type": ["string", "integer"]}
    )
    said = required.text("The players' name for the result.", "Gold Gate")


class DealtDeck(Schema):
    """The top cards of a deck, as far as the game has revealed them."""

    name = required.text("The kind of draw.", "Flood card")
    cards = required.texts("The players' names for the revealed cards, top card first.", ["Gold Gate", "Lost Lagoon"])
    below = required.integer("Number of further cards, whose order is unknown.", 16)


class Deal(Schema):
    """The deal of a game."""

    game = required.text("The game's id.", EXAMPLE_GAME)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    options = required.document(OPTIONS, "Every option with its value.", {"difficulty": "normal"})
    seats = required.integer("Number of players.", 2)
    set_up = required.each(DealtPlace, "The result for each place of the setup, in the rulebook's order.")
    decks = required.each(
        DealtDeck,
        "The decks after the setup: the cards of each that were drawn before its first reshuffle. "
        "This reveals the draws of the game.",
    )
    chances = fields.List(
        optional.choice(CHANCE, "A kind of chance.", "observed"),
        required=True,
        metadata=describe(
            "The kinds of chance that a new game with this deal can have (`deal` of `POST /v1/games`).", ["observed"]
        ),
    )
    games = fields.List(
        optional.text("The id of a game.", EXAMPLE_GAME),
        required=True,
        metadata={"description": "The other games from the same deal, newest first, at most 50."},
    )
