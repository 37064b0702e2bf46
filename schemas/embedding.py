"""oEmbed: links to games on other sites."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import described


class EmbedQuery(Schema):
    """Which link, and how large."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, 2048),
        metadata=described("The address of a game's page, or of a share link.", "https://games.example.org/s/x"),
    )
    format = fields.String(
        load_default="json", validate=validate.Equal("json"), metadata=described("`json` alone.", "json")
    )
    maxwidth = fields.Integer(validate=validate.Range(1, 100_000), metadata=described("Pixels at the most.", 600))
    maxheight = fields.Integer(validate=validate.Range(1, 100_000), metadata=described("Pixels at the most.", 400))


class Embedded(Schema):
    """A picture in place of a link (oEmbed 1.0, `photo`)."""

    version = fields.String(required=True, validate=validate.Equal("1.0"), metadata=described("Of oEmbed.", "1.0"))
    type = fields.String(required=True, validate=validate.Equal("photo"), metadata=described("What it is.", "photo"))
    title = fields.String(required=True, metadata=described("What is played, and how it stands."))
    author_name = fields.String(required=True, metadata=described("Who plays.", "Ann and Bob"))
    provider_name = fields.String(required=True, metadata=described("What serves it.", "Driftlog"))
    provider_url = fields.String(required=True, metadata=described("Where that is.", "https://games.example.org/"))
    cache_age = fields.Integer(required=True, metadata=described("Seconds for which to keep it.", 300))
    url = fields.String(required=True, metadata=described("The picture of the table, SVG."))
    width = fields.Integer(required=True, metadata=described("How wide to show it.", 600))
    height = fields.Integer(required=True, metadata=described("How high.", 400))
