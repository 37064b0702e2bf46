"""Logged plays: finished games from another app, which have no log."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.plumbing.access import ADMIN, OPENER, READER
from api.plumbing.http import Blueprint, answer, require_media_type, store, submit_job
from api.plumbing.idempotency import idempotency_key
from api.plumbing.limits import PLAYS, SMALL
from api.plumbing.openapi import log_content
from api.plumbing.paging import next_page
from api.plumbing.problems import not_found
from api.plumbing.sending import compressed_response
from engine.core.plays import PastPlay
from exports import FORMATS, bgstats_reading
from schemas.jobs import Job
from schemas.plays import PastPlay as PastPlaySchema
from schemas.plays import PastPlayList, PlayFilter, PlayImportQuery, PlayImportReport, PlayQuery
from service import plays
from store.library.plays import WantedPlays

blueprint = Blueprint(
    "plays", __name__, url_prefix="/v1/plays", description="Logged plays: results of games without a log."
)

FORMAT = FORMATS["bgstats"]
MEDIA_TYPE = FORMAT.media_type
AT_ONCE = 256 * 1024
"""Maximum bytes of a file that is imported within the request. A worker imports longer files."""
PLAYS_AT_ONCE = 50
"""Maximum plays in a file that is imported within the request, because each is written to disk before the next."""


@blueprint.route("")
class Plays(MethodView):
    @blueprint.operation("findPlays", needs=READER, limits=SMALL)
    @blueprint.arguments(PlayQuery, location="query", error_status_code=400)
    @blueprint.response(200, PastPlayList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """Find logged plays

        A logged play is the result of a game without a log. The plays are sorted newest first. They count in the
        statistics of their rulesets and players, like finished games.
        """
        asked = _parse_filter(query)
        found, cursor = store().plays.page(asked, after=query.get("cursor"), limit=query["limit"])
        return answer({"plays": list(map(_play_document, found)), "next_cursor": cursor}, headers=next_page(cursor))

    @blueprint.operation(
        "importPlays",
        needs=OPENER,
        limits=PLAYS,
        refuses=["quota-exceeded", "too-many-jobs", "too-many-own-jobs"],
    )
    @blueprint.arguments(PlayImportQuery, location="query", error_status_code=400)
    @blueprint.response(200, PlayImportReport)
    @blueprint.alt_response(202, schema=Job, headers=["Location"])
    @blueprint.doc(requestBody={"required": True, "content": log_content([FORMAT])})
    def post(self, query: dict[str, Any]) -> Response:
        """Import plays from BG Stats

        Send a `.bgsplay` file, or the full export of BG Stats. Each play of a known game becomes a logged play with
        players, winners, date, duration and location. Importing a play again adds no second one. The response has the
        result of each play. A worker imports a file of more than 50 plays, or a large one (202): poll `Location`;
        `result` of the job is the same.
        """
        require_media_type(request, MEDIA_TYPE)
        body = request.get_data()
        items = list(bgstats_reading.read(body)) if len(body) <= AT_ONCE else None
        if items is None or len(items) > PLAYS_AT_ONCE:
            key = idempotency_key([hashlib.sha256(body).hexdigest(), query])
            return submit_job("plays", query, payload=body, key=key)
        return answer(plays.take_in(store(), items, **query))


@blueprint.route("/export")
class Export(MethodView):
    @blueprint.operation("exportPlays", needs=READER, limits=SMALL)
    @blueprint.arguments(PlayFilter, location="query", error_status_code=400)
    @blueprint.file("The plays as a file of BG Stats.", log_content([FORMAT]), headers=["Content-Disposition"])
    def get(self, query: dict[str, Any]) -> Response:
        """Export logged plays

        The file is in the format of BG Stats. Each play keeps its original UUID.
        """
        assert FORMAT.write_past is not None
        found = store().plays.all(_parse_filter(query))
        headers = {"Content-Disposition": f'attachment; filename="past-plays.{FORMAT.extension}"'}
        return compressed_response(b"".join(FORMAT.write_past(found)), MEDIA_TYPE, headers)


@blueprint.route("/<string:play_id>")
class OnePlay(MethodView):
    @blueprint.operation("getPlay", needs=READER, limits=SMALL)
    @blueprint.response(200, PastPlaySchema)
    def get(self, play_id: str) -> Response:
        """Get a logged play

        `play_id` is the UUID of the play in lower case.
        """
        found = store().plays.get(play_id)
        if found is None:
            raise not_found("such logged play")
        return answer(_play_document(found))

    @blueprint.operation("deletePlay", needs=ADMIN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, play_id: str) -> Response:
        """Remove a logged play

        The play no longer counts in statistics. Importing the same file again does not restore it, unless you request
        that (`again`).
        """
        if not store().plays.take_out(play_id):
            raise not_found("such logged play")
        return Response(status=204)


def _parse_filter(query: dict[str, Any]) -> WantedPlays:
    return WantedPlays(ruleset=query.get("ruleset"), player=query.get("player"))


def _play_document(play: PastPlay) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(play)
    return told
