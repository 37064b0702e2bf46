"""Recaps of games."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import Position, seat_id
from schemas.events import until
from schemas.members import describe, required


class AsOf(Schema):
    """The point in time of a recap."""

    until = until()


class RecapPoint(Schema):
    """A turn and the value of the game's curve after it."""

    turn = required.integer("The turn; 0 for the setup.", 7)
    seq = required.integer("The `seq` of the last event of the turn.", 47)
    level = required.integer("The value of the curve after the turn.", 17)


class RecapCurve(Schema):
    """A number that shows the course of a game, such as the tiles above water, after each turn."""

    title = required.text("The name of the number.", "Tiles above water")
    points = required.each(RecapPoint, "The values, one for each turn, from the setup on.")


class Deed(Schema):
    """An action type, and how often a player used it."""

    type = required.text("The type of action.", "shore_up")
    label = required.text("The players' name for the action type.", "shore up")
    symbol = required.text("The name of the symbol for the action type; null if it has none.", "shore", allow_none=True)
    count = required.integer("Number of times that the player used the action type.", 9)


class RecapPlayer(Schema):
    """Statistics of one seat."""

    seat = seat_id("The seat's id.", required=True)
    name = required.text("The player's name.", "Ann")
    part = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=describe("The role of the seat, as labels and values in words.", {"Role": "Diver"}),
    )
    deeds = required.each(Deed, "The action types that the player used, most frequent first.")


class Recap(Position):
    """The recap of a game. Undone events do not count, except for their playing time."""

    standing = required.text("The status or the result, in a few words.", "won in turn 19")
    ending = required.text(
        "The ending, in a sentence; null while the game continues.", "Fools' Landing sinks.", allow_none=True
    )
    turns = required.integer("Number of turns.", 19)
    seconds = required.integer(
        "The playing time in seconds: the sum of the times between events, without breaks of more than an hour.", 3120
    )
    curve = required.nested_field(
        RecapCurve,
        "The course of the game as a number after each turn; null if the ruleset has no curve.",
        allow_none=True,
    )
    players = required.each(RecapPlayer, "The statistics of each player, in seat order; empty before the setup.")
    luck = required.text(
        "The least expected result, in a sentence; null while the game continues, and for a log of "
        "more than 3,000 events, for which an audit computes it.",
        "Ordinary luck; largest difference: Waters Rise! came up 5 times, 3.1 expected",
        allow_none=True,
    )
    turning_point = required.text(
        "The turn that changed the win chance most, in a sentence; null before the end, and without an analysis of "
        "all events.",
        "The turning point was turn 14: the win chance went from 27 % to 58 %.",
        allow_none=True,
    )
