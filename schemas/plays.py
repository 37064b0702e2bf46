"""Logged plays: games that were played but have no log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_TIME, cursor, limit, next_cursor
from schemas.members import describe, optional, required
from schemas.named import GAME_RESULT, TAKEN_IN

EXAMPLE_PLAY = "0b9f3a4f-6b1d-5d0d-8c8a-6e2f7b1c1f0b"


class PlayPart(Schema):
    """A player and their result."""

    name = required.text("The player's name.", "Ann")
    role = required.text("The player's role in the game; empty if unknown.", "Pilot")
    has_won = required.flag("True if the player won.", example=True)
    has_begun = required.flag("True if the player went first.", example=False)


class PastPlay(Schema):
    """A logged play: the result of a game without a log."""

    id = required.text("The UUID of the play in its source, in lower case.", EXAMPLE_PLAY)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    result = required.choice(GAME_RESULT, "The result for the players. `won`: somebody won. `lost`: nobody won.", "won")
    parts = required.each(PlayPart, "The players, in seat order.")
    played_at = required.text("The start time.", EXAMPLE_TIME)
    minutes = required.integer("The playing time in minutes; null if unknown.", 36, allow_none=True)
    place = required.text("The location; empty if unknown.", "At Ann's")
    variant = required.text("The chosen options of the game, in words.", "Legendary")
    comments = required.text("The comment on the play.", "The pilot was late.")


class PastPlayList(Schema):
    """Logged plays, newest first."""

    plays = required.each(PastPlay, "The logged plays of this page.")
    next_cursor = next_cursor()


class PlayFilter(Schema):
    """A filter for logged plays."""

    ruleset = optional.text("Only plays with this ruleset: its id.", "forbidden-island")
    player = optional.text(
        "Only plays of this player: the full name. Letter case is ignored.", "ann", validate=validate.Length(min=1)
    )


class PlayQuery(PlayFilter):
    """Filter and page of a search."""

    limit = limit(50, most=200)
    cursor = cursor()


class PlayImportQuery(Schema):
    """Options of an import."""

    again = optional.flag("True to import plays that were deleted here as well.", example=False, load_default=False)


class PlayImport(Schema):
    """The result of importing one play of a file."""

    number = required.integer("The index of the play in the file, from 1.", 1)
    title = required.text("The name of the game in the file.", "Forbidden Island")
    status = required.choice(TAKEN_IN, "The result of importing the play.", "imported")
    why = required.text("The error, if `status` is `broken`; otherwise empty.", "")
    id = required.text(
        "The id of the logged play or of the recorded game; null if there is none.", EXAMPLE_PLAY, allow_none=True
    )


class PlayImportReport(Schema):
    """The result of importing a file of plays."""

    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=describe("Number of plays with each status.", {"imported": 1}),
    )
    plays = required.each(PlayImport, "The result of each play, in the order of the file.")
