"""Recaps of games."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import Position, described, seat_id
from schemas.events import until


class AsOf(Schema):
    """The point in time of a recap."""

    until = until()


class RecapPoint(Schema):
    """A turn and the value of the game's curve after it."""

    turn = fields.Integer(required=True, metadata=described("The turn; 0 is the set-up.", 7))
    seq = fields.Integer(required=True, metadata=described("Its last event.", 47))
    level = fields.Integer(required=True, metadata=described("What it stood at then.", 17))


class RecapCurve(Schema):
    """A number that shows the course of a game, such as the tiles above water, after each turn."""

    title = fields.String(required=True, metadata=described("What it counts.", "Tiles above water"))
    points = fields.List(
        fields.Nested(RecapPoint), required=True, metadata={"description": "One for each turn, from the set-up on."}
    )


class Deed(Schema):
    """An action type, and how often a player used it."""

    type = fields.String(required=True, metadata=described("The type of action.", "shore_up"))
    label = fields.String(required=True, metadata=described("The same in words.", "shore up"))
    symbol = fields.String(
        required=True, allow_none=True, metadata=described("What stands for it; null where nothing does.", "shore")
    )
    count = fields.Integer(required=True, metadata=described("How often.", 9))


class RecapPlayer(Schema):
    """Statistics of one seat."""

    seat = seat_id("Whose seat.", required=True)
    name = fields.String(required=True, metadata=described("The player's name.", "Ann"))
    part = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("What the seat played, in words.", {"Role": "Diver"}),
    )
    deeds = fields.List(
        fields.Nested(Deed), required=True, metadata={"description": "All that it did, the most frequent first."}
    )


class Recap(Position):
    """The recap of a game, counted over its events in effect."""

    standing = fields.String(required=True, metadata=described("How it stands, in a few words.", "won in turn 19"))
    ending = fields.String(
        required=True,
        allow_none=True,
        metadata=described("How it ended, in a sentence; null while it goes on.", "Fools' Landing sinks."),
    )
    turns = fields.Integer(required=True, metadata=described("How many turns there were.", 19))
    seconds = fields.Integer(
        required=True,
        metadata=described(
            "How long it was played: the time between its events, where that is no more than an hour.", 3120
        ),
    )
    curve = fields.Nested(
        RecapCurve, required=True, allow_none=True, metadata={"description": "How it went; null where nothing tells."}
    )
    players = fields.List(
        fields.Nested(RecapPlayer), required=True, metadata={"description": "By seat; none before the set-up."}
    )
    luck = fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "What came up farthest from what was to be expected, in a line; null while the game goes on, and of a log "
            "of more than 3,000 events, of which an audit tells.",
            "Ordinary luck; largest difference: Waters Rise! came up 5 times, 3.1 expected",
        ),
    )
