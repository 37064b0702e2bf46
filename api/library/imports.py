"""Imports of exported logs and of handwritten games."""

from __future__ import annotations

import hashlib

from flask import Response, request
from flask.views import MethodView

from api.library import readings
from api.library.games import MADE, created_response, describe
from api.plumbing.access import OPENER, caller
from api.plumbing.http import Blueprint, answer, earlier_job, etag, require_media_type, store, submit_job
from api.plumbing.idempotency import idempotency_key, register_key
from api.plumbing.limits import IMPORT, TEXT
from api.plumbing.openapi import log_content
from api.plumbing.problems import LIMITED, Problem
from engine.core.language import say
from exports import FORMATS, read_file
from schemas.jobs import Job
from schemas.readings import ImportedGame
from service import handwritten, opening
from service.provenance import find_origin, signer
from store.log.idempotency import IdempotencyKey

blueprint = Blueprint("imports", __name__, url_prefix="/v1", description="Imports of logs.")

READABLE = [format_ for format_ in FORMATS.values() if format_.comes_back]
_LOGS = list(dict.fromkeys(one.media_type.split(";")[0] for one in READABLE if not one.is_retold))
IMPORTED_AT_ONCE = 512 * 1024
"""Maximum bytes of a log that is imported within the request. A worker imports longer logs."""


@blueprint.route("/imports")
class Imports(MethodView):
    @blueprint.operation(
        "importGame",
        needs=OPENER,
        limits=IMPORT,
        asks=["Idempotency-Key"],
        refuses=[
            "gone",
            "log-does-not-verify",
            "not-understood",
            "quota-exceeded",
            "too-much-work",
            "too-many-jobs",
            "too-many-own-jobs",
            "not-replicated",
        ],
    )
    @blueprint.response(201, ImportedGame, headers=MADE)
    @blueprint.alt_response(200, schema=ImportedGame, headers=["Location", "ETag"])
    @blueprint.alt_response(202, schema=Job, headers=["Location"])
    @blueprint.doc(
        requestBody={
            "required": True,
            "content": {**log_content(READABLE), **readings.WRITTEN},
        }
    )
    def post(self) -> Response:
        """Import an exported log

        The log becomes a new game with the same events, after the service has replayed and verified each of them. A
        worker imports a long log, or one whose corrections are slow to replay (202): poll `Location`; `error` of the
        job has the errors. If a game here has the same log already, the response is that game (200). A handwritten game
        becomes a new record, and `items` has the result of each line.
        """
        require_media_type(request, *_LOGS, *handwritten.MEDIA_TYPES)
        body = request.get_data()
        key = idempotency_key(hashlib.sha256(body).hexdigest())
        earlier = earlier_job(key)
        if earlier is not None:
            return earlier
        if request.mimetype not in _LOGS:
            return _write_up(body, key)
        is_opened = store().events.has_opened(key)
        if len(body) > IMPORTED_AT_ONCE and not is_opened:
            return _import_later(body, key)
        file = read_file(body)
        events = file.whole()
        # Earlier versions of Driftlog digested the log in the body, not the body itself.
        key = idempotency_key(hashlib.sha256(body).hexdigest(), [events[-1].hash, len(events)])
        there = None if is_opened else find_origin(store(), file)
        if there is not None and caller().knows(there):
            game = store().games.latest(there)
            headers = {"Location": f"/v1/games/{there}", "ETag": etag(game.version), **register_key(key)}
            return answer(describe(there, game, store().games.opened_at(there)), headers=headers)
        if not (is_opened or all(map(opening.is_quick, events))):
            return _import_later(body, key)
        return created_response(
            opening.import_record(store(), events, signed_by=signer(file), key=key, owner=caller().token)
        )


def _write_up(body: bytes, key: IdempotencyKey | None) -> Response:
    if len(body) > TEXT.body:
        raise Problem(
            "content-too-large",
            say(LIMITED, limit=TEXT.body),
            limit=TEXT.body,
        )
    found = handwritten.require_understood(readings.read(body))
    opened = opening.import_record(store(), found.events, key=key, owner=caller().token)
    return created_response(opened, items=readings.items(found))


def _import_later(body: bytes, key: IdempotencyKey | None) -> Response:
    return submit_job("import", {}, payload=body, key=key)
