"""Who is meant by a name."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, described
from schemas.named import SEAT_ID, Choice

_IS = described("Whose other name it is.", "Mia K.")
_PERSON = described("Who that was.", "Mia (Berlin)")
_SAID_AT = described("Since when.", EXAMPLE_TIME)
_SAID_BY = described("Who said so; null on an open service.", "Eve's laptop")


class NewAlias(Schema):
    """Whose other name a name is."""

    person = fields.String(required=True, validate=NAME, data_key="is", metadata=_IS)


class Alias(Schema):
    """A name that is another name of somebody."""

    name = fields.String(required=True, metadata=described("The name, in any case.", "Mia"))
    person = fields.String(required=True, data_key="is", metadata=_IS)
    said_at = fields.String(required=True, metadata=_SAID_AT)
    said_by = fields.String(required=True, allow_none=True, metadata=_SAID_BY)


class AliasList(Schema):
    """All such names, by name."""

    aliases = fields.List(fields.Nested(Alias), required=True, metadata={"description": "All of them."})


class NewSitter(Schema):
    """Who sat in a seat."""

    person = fields.String(required=True, validate=NAME, metadata=_PERSON)


class Sitter(Schema):
    """Who is said to have sat in a seat of a game."""

    game = fields.String(required=True, metadata=described("Which game.", EXAMPLE_GAME))
    seat = Choice(SEAT_ID, required=True, metadata=described("Which seat.", "p2"))
    written = fields.String(required=True, metadata=described("The name in its log, which stays.", "Mia"))
    person = fields.String(required=True, metadata=_PERSON)
    said_at = fields.String(required=True, metadata=_SAID_AT)
    said_by = fields.String(required=True, allow_none=True, metadata=_SAID_BY)
