"""Exports of many games: which games, in which format."""

from __future__ import annotations

from marshmallow import fields

from schemas.common import described
from schemas.games import GameFilter


class OrderExport(GameFilter):
    """Which games, and as what; without any filter all of them."""

    format = fields.String(load_default="json", metadata=described("The format of each game's file.", "ndjson"))
