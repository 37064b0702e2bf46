"""oEmbed: previews of links to games, for other sites."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import described


class EmbedQuery(Schema):
    """The link, and the size of its preview."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, 2048),
        metadata=described("The address of a game's page, or of a share link.", "https://games.example.org/s/x"),
    )
    format = fields.String(
        load_default="json",
        validate=validate.Equal("json"),
        metadata=described("The format of the response. Only `json` is available.", "json"),
    )
    maxwidth = fields.Integer(
        validate=validate.Range(1, 100_000), metadata=described("The maximum width in pixels.", 600)
    )
    maxheight = fields.Integer(
        validate=validate.Range(1, 100_000), metadata=described("The maximum height in pixels.", 400)
    )


class Embedded(Schema):
    """A picture that replaces a link (oEmbed 1.0, `photo`)."""

    version = fields.String(
        required=True, validate=validate.Equal("1.0"), metadata=described("The version of oEmbed.", "1.0")
    )
    type = fields.String(
        required=True, validate=validate.Equal("photo"), metadata=described("The oEmbed type of the preview.", "photo")
    )
    title = fields.String(required=True, metadata=described("The name of the game and its status."))
    author_name = fields.String(required=True, metadata=described("The players' names.", "Ann and Bob"))
    provider_name = fields.String(required=True, metadata=described("The name of the provider.", "Driftlog"))
    provider_url = fields.String(
        required=True, metadata=described("The provider's address.", "https://games.example.org/")
    )
    cache_age = fields.Integer(
        required=True, metadata=described("Number of seconds for which the response can be cached.", 300)
    )
    url = fields.String(required=True, metadata=described("The address of the picture of the table, as SVG."))
    width = fields.Integer(required=True, metadata=described("The width of the picture in pixels.", 600))
    height = fields.Integer(required=True, metadata=described("The height of the picture in pixels.", 400))
