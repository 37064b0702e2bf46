"""Imports of exported logs and of written evenings."""

from __future__ import annotations

import hashlib

from flask import Response, request
from flask.views import MethodView

from api.library import readings
from api.library.games import MADE, created, describe
from api.plumbing.access import OPENER, caller
from api.plumbing.http import (
    Blueprint,
    accepted,
    answer,
    etag,
    idempotency_key,
    order_job,
    require_media_type,
    store,
)
from api.plumbing.limits import IMPORT, TEXT
from api.plumbing.openapi import log_content
from api.plumbing.problems import LIMITED, Problem
from engine.core.language import say
from exports import FORMATS, read_file
from schemas.jobs import Job
from schemas.readings import ImportedGame
from service import opening, written
from service.provenance import known, signer
from store.log.idempotency import IdempotencyKey

blueprint = Blueprint("imports", __name__, url_prefix="/v1", description="Imports of logs.")

READABLE = [format_ for format_ in FORMATS.values() if format_.comes_back]
_LOGS = list(dict.fromkeys(one.media_type.split(";")[0] for one in READABLE if not one.is_retold))
IMPORTED_AT_ONCE = 512 * 1024
"""A log of up to so many bytes is imported while the caller waits, a longer one, unread, by a worker."""


@blueprint.route("/imports")
class Imports(MethodView):
    """Imports of logs."""

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

        It comes back as a new game with the same events. Every event is replayed and verified first; a long log, and
        one that plays parts of itself again, by a worker (202), which `Location` follows. What is wrong with it is the
        job's `error` then. If a game here has the same log already, that game is the answer (200). What was written by
        hand becomes a new record, and `items` says what became of each line.
        """
        require_media_type(request, *_LOGS, *written.MEDIA_TYPES)
        body = request.get_data()
        key = idempotency_key(hashlib.sha256(body).hexdigest())
        if request.mimetype not in _LOGS:
            return _write_up(body, key)
        is_old = store().events.has_opened(key)
        if len(body) > IMPORTED_AT_ONCE and not is_old:
            return _import_later(body, key)
        file = read_file(body)
        events = file.whole()
        # Earlier versions bound the key to the log that the body holds.
        key = idempotency_key(hashlib.sha256(body).hexdigest(), [events[-1].hash, len(events)])
        there = None if is_old else known(store(), file)
        if there is not None and caller().knows(there):
            game = store().games.latest(there)
            headers = {"Location": f"/v1/games/{there}", "ETag": etag(game.version)}
            return answer(describe(there, game, store().games.opened_at(there)), headers=headers)
        if not (is_old or all(map(opening.is_quick, events))):
            return _import_later(body, key)
        return created(opening.import_record(store(), events, signed_by=signer(file), key=key, owner=caller().token))


def _write_up(body: bytes, key: IdempotencyKey | None) -> Response:
    """Make a record of what was written by hand."""
    if len(body) > TEXT.body:
        raise Problem(
            "content-too-large",
            say(LIMITED, limit=TEXT.body),
            limit=TEXT.body,
        )
    found = written.understood(readings.read(body))
    opened = opening.import_record(store(), found.events, key=key, owner=caller().token)
    return created(opened, items=readings.items(found))


def _import_later(body: bytes, key: IdempotencyKey | None) -> Response:
    job = order_job("import", {}, payload=body, key=key)
    return accepted(job)
