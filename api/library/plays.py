"""Past plays: what another program knows of games that were played, and of which there is no log."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.plumbing.access import ADMIN, OPENER, READER
from api.plumbing.http import (
    Blueprint,
    accepted,
    answer,
    idempotency_key,
    next_page,
    order_job,
    require_media_type,
    store,
)
from api.plumbing.limits import PLAYS, SMALL
from api.plumbing.openapi import log_content
from api.plumbing.problems import not_found
from api.plumbing.sending import packed
from engine.core.plays import PastPlay
from exports import FORMATS, bgstats_reading
from schemas.jobs import Job
from schemas.plays import PastPlay as PastPlaySchema
from schemas.plays import PastPlayList, PlayFilter, PlayQuery, PlaysTakenIn, TakeInQuery
from service import plays
from store.library.plays import WantedPlays

blueprint = Blueprint("plays", __name__, url_prefix="/v1/plays", description="Games that were played, without a log.")

FORMAT = FORMATS["bgstats"]
MEDIA_TYPE = FORMAT.media_type
AT_ONCE = 256 * 1024
"""A file of up to so many bytes is taken in while the caller waits, a longer one, unread, by a worker."""
PLAYS_AT_ONCE = 50
"""The same of the plays in it: each is on disk before the next."""


@blueprint.route("")
class Plays(MethodView):
    """All past plays."""

    @blueprint.operation("findPlays", needs=READER, limits=SMALL)
    @blueprint.arguments(PlayQuery, location="query", error_status_code=400)
    @blueprint.response(200, PastPlayList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """Find past plays

        Newest first. They count in the figures of their rulesets and players, as games that have ended do.
        """
        asked = _wanted(query)
        found, cursor = store().plays.page(asked, after=query.get("cursor"), limit=query["limit"])
        headers = {} if cursor is None else next_page(cursor=cursor)
        return answer({"plays": list(map(_told, found)), "next_cursor": cursor}, headers=headers)

    @blueprint.operation(
        "importPlays",
        needs=OPENER,
        limits=PLAYS,
        asks=["Idempotency-Key"],
        refuses=["quota-exceeded", "too-many-jobs", "too-many-own-jobs"],
    )
    @blueprint.arguments(TakeInQuery, location="query", error_status_code=400)
    @blueprint.response(200, PlaysTakenIn)
    @blueprint.alt_response(202, schema=Job, headers=["Location"])
    @blueprint.doc(requestBody={"required": True, "content": log_content([FORMAT])})
    def post(self, query: dict[str, Any]) -> Response:
        """Import plays of BG Stats

        A `.bgsplay` file, or the app's own export of everything. Each play of a game that is known here becomes a past
        play, once, however often it comes: who played, who won, when, how long and where. The answer says what became
        of each. A file of more than 50 plays, or a long one, is taken in by a worker (202), which `Location` follows;
        the job's `result` is the same.
        """
        require_media_type(request, MEDIA_TYPE)
        body = request.get_data()
        items = list(bgstats_reading.read(body)) if len(body) <= AT_ONCE else None
        if items is None or len(items) > PLAYS_AT_ONCE:
            key = idempotency_key([hashlib.sha256(body).hexdigest(), query])
            return accepted(order_job("plays", query, payload=body, key=key))
        return answer(plays.take_in(store(), items, **query))


@blueprint.route("/export")
class Export(MethodView):
    """Past plays as a file."""

    @blueprint.operation("exportPlays", needs=READER, limits=SMALL)
    @blueprint.arguments(PlayFilter, location="query", error_status_code=400)
    @blueprint.file("A file of BG Stats.", log_content([FORMAT]), headers=["Content-Disposition"])
    def get(self, query: dict[str, Any]) -> Response:
        """Export past plays

        As BG Stats takes them in, each under the UUID with which it came.
        """
        assert FORMAT.write_past is not None
        found = store().plays.all(_wanted(query))
        headers = {"Content-Disposition": f'attachment; filename="past-plays.{FORMAT.extension}"'}
        return packed(b"".join(FORMAT.write_past(found)), MEDIA_TYPE, headers)


@blueprint.route("/<string:play_id>")
class OnePlay(MethodView):
    """One past play."""

    @blueprint.operation("getPlay", needs=READER, limits=SMALL)
    @blueprint.response(200, PastPlaySchema)
    def get(self, play_id: str) -> Response:
        """What a past play is

        By its UUID, in lower case.
        """
        found = store().plays.get(play_id)
        if found is None:
            raise not_found("such logged play")
        return answer(_told(found))

    @blueprint.operation("takeOutPlay", needs=ADMIN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, play_id: str) -> Response:
        """Take a past play out

        It counts no more, and an import of the same file does not bring it back, unless that is asked for (`again`).
        """
        if not store().plays.take_out(play_id):
            raise not_found("such logged play")
        return Response(status=204)


def _wanted(query: dict[str, Any]) -> WantedPlays:
    return WantedPlays(ruleset=query.get("ruleset"), player=query.get("player"))


def _told(play: PastPlay) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(play)
    return told
