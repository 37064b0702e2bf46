"""Aliases of players."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, next_cursor
from schemas.members import describe, required
from schemas.named import SEAT_ID

_IS = describe("The main name of the player, to which the alias refers.", "Mia K.")
_PERSON = describe("The name under which lists and statistics count this game for the player.", "Mia (Berlin)")
_SAID_AT = describe("The time at which this entry was made.", EXAMPLE_TIME)
_SAID_BY = describe("The user who made this entry; null on an open service.", "Eve's laptop")


class NewAlias(Schema):
    """The player that an alias refers to."""

    person = fields.String(required=True, validate=NAME, data_key="is", metadata=_IS)


class Alias(Schema):
    """An alias: another name of the same person."""

    name = required.text("The alias. Letter case is ignored.", "Mia")
    person = fields.String(required=True, data_key="is", metadata=_IS)
    said_at = fields.String(required=True, metadata=_SAID_AT)
    said_by = fields.String(required=True, allow_none=True, metadata=_SAID_BY)


class AliasList(Schema):
    """All aliases, by name."""

    aliases = required.each(Alias, "The aliases, sorted by name.")
    next_cursor = next_cursor()


class NewAssignedPlayer(Schema):
    """The player to assign to a seat."""

    person = fields.String(required=True, validate=NAME, metadata=_PERSON)


class AssignedPlayer(Schema):
    """The player assigned to a seat of a game."""

    game = required.text("The game's id.", EXAMPLE_GAME)
    seat = required.choice(SEAT_ID, "The seat's id.", "p2")
    written = required.text("The player's name in the log, which does not change.", "Mia")
    person = fields.String(required=True, metadata=_PERSON)
    said_at = fields.String(required=True, metadata=_SAID_AT)
    said_by = fields.String(required=True, allow_none=True, metadata=_SAID_BY)
