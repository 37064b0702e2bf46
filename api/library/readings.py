"""Readings: check handwritten text line by line before it becomes a record."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.plumbing.access import OPENER, caller
from api.plumbing.http import Blueprint, answer, require_media_type
from api.plumbing.limits import TEXT
from api.plumbing.openapi import log_content
from exports import FORMATS, notation, template
from schemas.readings import Reading
from schemas.times import now
from service import handwritten

blueprint = Blueprint("readings", __name__, url_prefix="/v1/readings", description="Reading of handwritten games.")

WRITTEN: dict[str, Any] = {
    **log_content(kind for kind in FORMATS.values() if kind.is_retold),
    template.CSV: {"schema": {"type": "string"}},
    template.XLSX: {"schema": {"type": "string", "contentMediaType": template.XLSX}},
}
"""Accepted bodies by media type, for the contract."""


def read(body: bytes) -> notation.TextReading:
    """Parse the handwritten game in this request. Its events get the current time, and the caller as their author."""
    return handwritten.read(body, request.mimetype, recorded_at=now(), recorded_by=caller().name)


def items(found: notation.TextReading) -> list[dict[str, Any]]:
    """Return the result of each line of the text as an API document."""
    told: list[dict[str, Any]] = msgspec.to_builtins(found.items)
    return told


def questions(found: notation.TextReading) -> list[dict[str, Any]]:
    """Return the questions about unclear lines as API documents."""
    told: list[dict[str, Any]] = msgspec.to_builtins(found.questions)
    return told


@blueprint.route("")
class Readings(MethodView):
    @blueprint.operation("readText", needs=OPENER, limits=TEXT, refuses=["too-much-work"], is_pure=True)
    @blueprint.response(200, Reading)
    @blueprint.doc(requestBody={"required": True, "content": WRITTEN})
    def post(self) -> Response:
        """Read a handwritten game

        Send the game in the notation, in free handwriting, or in a sheet (`GET /v1/rulesets/{id}/template.xlsx`). The
        response has the result of each line, and a question for each unclear line, with the most likely answers.
        Nothing is stored. Put the answers into `text` and send the text again. When no question is left, import the
        text (`POST /v1/imports`). If a text takes too long to read, its last lines are `unread`: import the lines
        before them, and record the rest in the game.
        """
        require_media_type(request, *handwritten.MEDIA_TYPES)
        found = read(request.get_data())
        game = found.game
        told = {
            "items": items(found),
            "questions": questions(found),
            "text": found.text,
            "is_whole": found.problem is None,
            "events": len(found.events),
            "ruleset": None if game is None else game.header.ruleset,
            "status": None if game is None else game.status,
            "turn": 0 if game is None else game.turn,
        }
        return answer(told)
