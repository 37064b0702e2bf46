"""Exports of many games: filters and formats."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_TIME, next_cursor
from schemas.events import Event
from schemas.games import GameFilter
from schemas.members import describe, optional, required
from schemas.named import CHANCE, EXPORT_FORMAT


class Draw(Schema):
    """A draw, with all possible results."""

    seq = required.integer("The `seq` of the event with the draw.", 2)
    position = required.integer("The index of the draw in the event's `outcomes`, from 0.", 0)
    name = required.text("The kind of draw, roll or turn.", "flood_card")
    options = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata=describe("The equally likely results, in ascending order.", ["bronze_gate", "gold_gate"]),
    )
    outcome = fields.Raw(
        required=True, metadata={**describe("The result.", "gold_gate"), "type": ["string", "integer"]}
    )


class Draws(Schema):
    """Every draw of a game, as written by the export format `draws`."""

    format = required.text("The name of the format.", "driftlog-draws", validate=validate.Equal("driftlog-draws"))
    format_version = required.integer("The version of the format.", 1)
    game = required.text("The game's id.", EXAMPLE_GAME)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    ruleset_version = required.text("The version of the game's rules.", "1")
    chance = required.choice(CHANCE, "The kind of chance.", "seeded")
    seed_commitment = required.text("Hex SHA-256 of the seed; null in an observed game.", allow_none=True)
    seeded_after = required.integer(
        "For a fork: the `seq` of the last event whose draws are the parent's; otherwise 0.", 0
    )
    draws = required.each(Draw, "The draws, in order.")
    seed = required.text("The seed, once the game is over; otherwise null.", "neap tide", allow_none=True)
    head = required.text("The hash of the last exported event.", EXAMPLE_HASH)
    version = required.integer("The `seq` of the last exported event.", 97)


class ListedFormat(Schema):
    """A format of exports."""

    format = required.choice(EXPORT_FORMAT, "The id of the format.", "csv")
    media_type = required.text(
        "The `Content-Type` of a file in this format.", "text/csv; charset=utf-8; header=present"
    )
    extension = required.text("The file extension, without the dot.", "csv")
    comes_back = required.flag("True if `POST /v1/imports` accepts a file in this format.", example=False)
    many = required.flag("True if `POST /v1/exports` can write many games in this format.", example=True)
    loses = required.text(
        "The parts of the log that a file in this format lacks; empty if it is complete.", "The types of params."
    )


class FormatList(Schema):
    """The formats of exports."""

    formats = required.each(ListedFormat, "The formats that this service can write.")
    next_cursor = next_cursor()


class CloudEvent(Schema):
    """An event as a CloudEvent (version 1.0), as written by the export format `cloudevents`."""

    specversion = required.text("The version of CloudEvents.", "1.0", validate=validate.Equal("1.0"))
    id = required.text("The event's `seq`, unique within `source`.", "42")
    source = required.text("The address of the game.", f"/games/{EXAMPLE_GAME}")
    type = required.text("The event type, with its ruleset.", "org.driftlog.forbidden-island.move.v1")
    subject = required.text("The turn, and the acting seat.", "turn/7/p2")
    time = required.text("The time of the action; if unknown, the same as `recordedtime`.")
    recordedtime = required.text("The time of recording.", EXAMPLE_TIME)
    sequence = required.text("The event's `seq` in nine digits, so that it sorts as text.", "000000042")
    partitionkey = required.text("The game's id.", EXAMPLE_GAME)
    datacontenttype = required.text("The media type of `data`.", "application/json")
    data = required.nested_field(Event, "The event.")


class Plays(Schema):
    """Plays in the form of BG Stats, as written by the export format `bgstats`."""

    about = required.text("The origin of the file.", "Plays recorded with Driftlog")
    games = fields.List(fields.Dict(), required=True, metadata={"description": "The games, in the form of BG Stats."})
    locations = fields.List(
        fields.Dict(), required=True, metadata={"description": "The locations, in the form of BG Stats."}
    )
    players = fields.List(
        fields.Dict(), required=True, metadata={"description": "The players, in the form of BG Stats."}
    )
    plays = fields.List(
        fields.Dict(), required=True, metadata={"description": "The plays; they refer to the other lists by `id`."}
    )
    user_info = fields.Dict(
        required=True,
        data_key="userInfo",
        metadata={"description": "The owner of the file: `meRefId` is 0, because there is none."},
    )


class OrderExport(GameFilter):
    """The games to export and the format; without a filter, all games."""

    format = optional.choice(
        EXPORT_FORMAT, "The format of each game's file (default: `json`).", "ndjson", load_default="json"
    )
