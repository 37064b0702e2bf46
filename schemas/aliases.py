"""Aliases of players."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, described, next_cursor
from schemas.named import SEAT_ID, Choice

_IS = described("The name of the person.", "Mia K.")
_PERSON = described("The name of the player.", "Mia (Berlin)")
_SAID_AT = described("Since when.", EXAMPLE_TIME)
_SAID_BY = described("The user who set it; null on an open service.", "Eve's laptop")


class NewAlias(Schema):
    """The person that an alias refers to."""

    person = fields.String(required=True, validate=NAME, data_key="is", metadata=_IS)


class Alias(Schema):
    """An alias: another name of the same person."""

    name = fields.String(required=True, metadata=described("The name, in any case.", "Mia"))
    person = fields.String(required=True, data_key="is", metadata=_IS)
    said_at = fields.String(required=True, metadata=_SAID_AT)
    said_by = fields.String(required=True, allow_none=True, metadata=_SAID_BY)


class AliasList(Schema):
    """All aliases, by name."""

    aliases = fields.List(fields.Nested(Alias), required=True, metadata={"description": "The complete list."})
    next_cursor = next_cursor()


class NewSitter(Schema):
    """The player of a seat."""

    person = fields.String(required=True, validate=NAME, metadata=_PERSON)


class Sitter(Schema):
    """The player assigned to a seat of a game."""

    game = fields.String(required=True, metadata=described("Which game.", EXAMPLE_GAME))
    seat = Choice(SEAT_ID, required=True, metadata=described("Which seat.", "p2"))
    written = fields.String(required=True, metadata=described("The name in the log, which does not change.", "Mia"))
    person = fields.String(required=True, metadata=_PERSON)
    said_at = fields.String(required=True, metadata=_SAID_AT)
    said_by = fields.String(required=True, allow_none=True, metadata=_SAID_BY)
