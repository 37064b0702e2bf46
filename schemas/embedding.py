"""oEmbed: previews of links to games, for other sites."""

from __future__ import annotations

from marshmallow import Schema, validate

from schemas.members import optional, required


class EmbedQuery(Schema):
    """The link, and the size of its preview."""

    url = required.text(
        "The address of a game's page, or of a share link.",
        "https://games.example.org/s/x",
        validate=validate.Length(1, 2048),
    )
    format = optional.text(
        "The format of the response. Only `json` is available.",
        "json",
        load_default="json",
        validate=validate.Equal("json"),
    )
    maxwidth = optional.integer("The maximum width in pixels.", 600, validate=validate.Range(1, 100_000))
    maxheight = optional.integer("The maximum height in pixels.", 400, validate=validate.Range(1, 100_000))


class Embedded(Schema):
    """A picture that replaces a link (oEmbed 1.0, `photo`)."""

    version = required.text("The version of oEmbed.", "1.0", validate=validate.Equal("1.0"))
    type = required.text("The oEmbed type of the preview.", "photo", validate=validate.Equal("photo"))
    title = required.text("The name of the game and its status.")
    author_name = required.text("The players' names.", "Ann and Bob")
    provider_name = required.text("The name of the provider.", "Driftlog")
    provider_url = required.text("The provider's address.", "https://games.example.org/")
    cache_age = required.integer("Number of seconds for which the response can be cached.", 300)
    url = required.text("The address of the picture of the table, as SVG.")
    width = required.integer("The width of the picture in pixels.", 600)
    height = required.integer("The height of the picture in pixels.", 400)
