"""Exports of many games: which games, in which format."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_TIME, described
from schemas.events import Event
from schemas.games import GameFilter
from schemas.named import CHANCE, EXPORT_FORMAT, Choice


class Draw(Schema):
    """A draw of chance, and all that could come up."""

    seq = fields.Integer(required=True, metadata=described("The event that asked for it.", 2))
    position = fields.Integer(
        required=True, metadata=described("Its place among the outcomes of the event, from 0.", 0)
    )
    name = fields.String(required=True, metadata=described("What is drawn, rolled or turned.", "flood_card"))
    options = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata=described("What could come up, equally likely, in ascending order.", ["bronze_gate", "gold_gate"]),
    )
    outcome = fields.Raw(
        required=True, metadata={**described("What came up.", "gold_gate"), "type": ["string", "integer"]}
    )


class Draws(Schema):
    """Every draw of a game: what the export format `draws` writes."""

    format = fields.String(
        required=True, validate=validate.Equal("driftlog-draws"), metadata=described("What this is.", "driftlog-draws")
    )
    format_version = fields.Integer(required=True, metadata=described("The version of the format.", 1))
    game = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    chance = Choice(CHANCE, required=True, metadata=described("Who draws.", "seeded"))
    seed_commitment = fields.String(
        required=True, allow_none=True, metadata=described("Hex SHA-256 of the seed; null in an observed game.")
    )
    seeded_after = fields.Integer(
        required=True, metadata=described("Of a fork: what comes up to this event, its parent drew; else 0.", 0)
    )
    draws = fields.List(fields.Nested(Draw), required=True, metadata={"description": "In order."})
    seed = fields.String(
        required=True, allow_none=True, metadata=described("The seed, once the game is over; else null.", "neap tide")
    )
    head = fields.String(required=True, metadata=described("The hash of the last event of these.", EXAMPLE_HASH))
    version = fields.Integer(required=True, metadata=described("Its `seq`.", 97))


class ListedFormat(Schema):
    """A format that logs are exported in."""

    format = Choice(EXPORT_FORMAT, required=True, metadata=described("Its name.", "csv"))
    media_type = fields.String(
        required=True, metadata=described("What Content-Type says of it.", "text/csv; charset=utf-8; header=present")
    )
    extension = fields.String(required=True, metadata=described("Of a file, without the dot.", "csv"))
    comes_back = fields.Boolean(
        required=True, metadata=described("Whether `POST /v1/imports` takes it.", example=False)
    )
    many = fields.Boolean(
        required=True, metadata=described("Whether `POST /v1/exports` writes many games in it.", example=True)
    )
    loses = fields.String(
        required=True, metadata=described("What of the log is not in it; empty: nothing.", "The types of params.")
    )


class FormatList(Schema):
    """The formats that logs are exported in."""

    formats = fields.List(
        fields.Nested(ListedFormat), required=True, metadata={"description": "Every format that can be written here."}
    )


class CloudEvent(Schema):
    """An event of a log as a CloudEvent (version 1.0): one of what the export format `cloudevents` writes."""

    specversion = fields.String(
        required=True, validate=validate.Equal("1.0"), metadata=described("The version of CloudEvents.", "1.0")
    )
    id = fields.String(required=True, metadata=described("The event's `seq`, which is its own within `source`.", "42"))
    source = fields.String(required=True, metadata=described("The game.", f"/games/{EXAMPLE_GAME}"))
    type = fields.String(
        required=True, metadata=described("What happened, in which ruleset.", "org.driftlog.forbidden-island.move.v1")
    )
    subject = fields.String(required=True, metadata=described("The turn, and who acted.", "turn/7/p2"))
    time = fields.String(
        required=True, metadata=described("When it happened, as far as that is known: else as `recordedtime`.")
    )
    recordedtime = fields.String(required=True, metadata=described("When it was written down.", EXAMPLE_TIME))
    sequence = fields.String(required=True, metadata=described("`seq` in nine digits.", "000000042"))
    partitionkey = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    datacontenttype = fields.String(required=True, metadata=described("What `data` is.", "application/json"))
    data = fields.Nested(Event, required=True, metadata={"description": "The event."})


class Plays(Schema):
    """Plays as BG Stats takes them in: what the export format `bgstats` writes."""

    about = fields.String(required=True, metadata=described("Where they come from.", "Plays recorded with Driftlog"))
    games = fields.List(fields.Dict(), required=True, metadata={"description": "What was played."})
    locations = fields.List(fields.Dict(), required=True, metadata={"description": "Where."})
    players = fields.List(fields.Dict(), required=True, metadata={"description": "Who played."})
    plays = fields.List(
        fields.Dict(), required=True, metadata={"description": "The plays; the rest by its `id` in these lists."}
    )
    user_info = fields.Dict(
        required=True,
        data_key="userInfo",
        metadata={"description": "Which of the players it is about: none (`meRefId` is 0)."},
    )


class OrderExport(GameFilter):
    """Which games, and as what; without any filter all of them."""

    format = Choice(
        EXPORT_FORMAT,
        load_default="json",
        metadata=described("The format of each game's file (default: `json`).", "ndjson"),
    )
