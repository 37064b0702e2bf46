"""Readings: what was written by hand, told line by line before it becomes a record."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.plumbing.access import OPENER, caller
from api.plumbing.http import Blueprint, answer, now, require_media_type
from api.plumbing.limits import TEXT
from api.plumbing.openapi import log_content
from exports import FORMATS, notation, template
from schemas.readings import Reading
from service import written

blueprint = Blueprint("readings", __name__, url_prefix="/v1/readings", description="What was written by hand.")

WRITTEN: dict[str, Any] = {
    **log_content(kind for kind in FORMATS.values() if kind.is_retold),
    template.CSV: {"schema": {"type": "string"}},
    template.XLSX: {"schema": {"type": "string", "contentMediaType": template.XLSX}},
}
"""What is read in this way, as the contract tells it: by its media type."""


def read(body: bytes) -> notation.Reading:
    """What the body of this request becomes, recorded now by the caller."""
    return written.read(body, request.mimetype, recorded_at=now(), recorded_by=caller().name)


def items(found: notation.Reading) -> list[dict[str, Any]]:
    """What became of each piece, as the API tells it."""
    told: list[dict[str, Any]] = msgspec.to_builtins(found.items)
    return told


@blueprint.route("")
class Readings(MethodView):
    """Readings of texts."""

    @blueprint.operation("readText", needs=OPENER, limits=TEXT, refuses=["too-much-work"])
    @blueprint.response(200, Reading)
    @blueprint.doc(requestBody={"required": True, "content": WRITTEN})
    def post(self) -> Response:
        """Read a game that was written by hand

        In the notation, or in a sheet (`GET /v1/rulesets/{id}/template.xlsx`): what each line would become, in words,
        with what is missing, irregular or wrong; nothing is kept. An import of the same (`POST /v1/imports`) makes it a
        record.
        """
        require_media_type(request, *written.MEDIA_TYPES)
        found = read(request.get_data())
        game = found.game
        told = {
            "items": items(found),
            "is_whole": found.problem is None,
            "events": len(found.events),
            "ruleset": None if game is None else game.header.ruleset,
            "status": None if game is None else game.status,
            "turn": 0 if game is None else game.turn,
        }
        return answer(told)
