"""Long work, done by workers: audits, imports of long logs, and the jobs by which one follows them."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, request
from flask.views import MethodView

from api.library import readings
from api.library.games import MADE, created
from api.plumbing.access import OPENER, VIEWER, caller
from api.plumbing.http import (
    Blueprint,
    accepted,
    answer,
    failure,
    idempotency_key,
    job_document,
    optional_body,
    order_job,
    require_media_type,
    store,
)
from api.plumbing.language import suffix
from api.plumbing.limits import IMPORT, ORDER, SMALL, TEXT
from api.plumbing.openapi import log_content
from api.plumbing.problems import Problem, not_found
from exports import FORMATS, read_any
from schemas.audits import Audit, OrderAudit
from schemas.jobs import Job
from schemas.readings import ImportedGame
from service import opening, written
from service.audits import check_rules
from store.log.idempotency import IdempotencyKey
from store.work.jobs import Job as JobDocument

blueprint = Blueprint("work", __name__, url_prefix="/v1", description="Long work: audits, imports, jobs.")

READABLE = [format_ for format_ in FORMATS.values() if format_.comes_back]
_LOGS = list(dict.fromkeys(one.media_type.split(";")[0] for one in READABLE if not one.is_retold))
IMPORTED_AT_ONCE = 512 * 1024
"""A log of up to so many bytes is imported while the caller waits, a longer one, unread, by a worker."""
"""Bytes."""


@blueprint.route("/games/<string:game_id>/audits")
class Audits(MethodView):
    """The audits of a game."""

    @blueprint.operation("auditGame", needs=VIEWER, limits=ORDER, refuses=["too-many-jobs", "too-many-own-jobs"])
    @blueprint.response(202, Audit, headers=["Location"])
    @blueprint.doc(requestBody={"required": False, "content": {"application/json": {"schema": OrderAudit}}})
    def post(self, game_id: str) -> Response:
        """Audit a game

        A worker replays all of it and judges every event; `Location` is where to look for the report. With `rules`,
        the report also tells where another version of the rules would have said something else.
        """
        version, _ = store().events.head(game_id)
        order = optional_body(OrderAudit())
        if "rules" in order:
            check_rules(store(), game_id, order["rules"])
        same = f"audit {game_id} {version} {order.get('rules', '')}{suffix()}"
        job = order_job("audit", {"game": game_id, **order}, same=same)
        return answer(_audit(game_id, job), 202, {"Location": f"/v1/games/{game_id}/audits/{job.id}"})


@blueprint.route("/games/<string:game_id>/audits/<string:audit_id>")
class OneAudit(MethodView):
    """One audit."""

    @blueprint.operation("getAudit", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, Audit)
    def get(self, game_id: str, audit_id: str) -> Response:
        """An audit's report

        Once `status` is `done`; until then how far it is.
        """
        report = store().audits.get(game_id, audit_id)
        if report is not None:
            return answer(report | {name: none for name, none in _NOTHING_YET.items() if name not in report})
        # Of a game that was deleted no report is kept, but the job that was to make it may be.
        store().events.head(game_id)
        job = store().jobs.get(audit_id)
        if job is None or job.kind != "audit" or job.args.get("game") != game_id:
            raise not_found("such audit of this game")
        return answer(_audit(game_id, job))


_NOTHING_YET: dict[str, Any] = {
    "verdict": None,
    "findings": [],
    "head": None,
    "events": 0,
    "message": None,
    "notes": [],
    "events_by_verdict": None,
    "rules_applied": [],
    "corrections": [],
    "adjustments": [],
    "determinism": None,
    "luck": None,
    "rules": None,
}
"""What an audit tells that has no report yet, and what a report lacks that was made before it was asked."""


def _audit(game_id: str, job: JobDocument) -> dict[str, Any]:
    """An audit that has no report yet."""
    return {
        "id": job.id,
        "game": game_id,
        "status": job.status,
        "progress": job.progress,
        "error": failure(job),
        **_NOTHING_YET,
    }


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
        job's `error` then. What was written by hand becomes a new record, and `items` says what became of each line.
        """
        require_media_type(request, *_LOGS, *written.MEDIA_TYPES)
        body = request.get_data()
        key = idempotency_key(hashlib.sha256(body).hexdigest())
        if request.mimetype not in _LOGS:
            return _write_up(body, key)
        is_old = store().events.has_opened(key)
        if len(body) > IMPORTED_AT_ONCE and not is_old:
            return _import_later(body, key)
        events = read_any(body)
        # Earlier versions bound the key to the log that the body holds.
        key = idempotency_key(hashlib.sha256(body).hexdigest(), [events[-1].hash, len(events)])
        if not (is_old or all(map(opening.is_quick, events))):
            return _import_later(body, key)
        return created(opening.import_record(store(), events, key=key, owner=caller().token))


def _write_up(body: bytes, key: IdempotencyKey | None) -> Response:
    """Make a record of what was written by hand."""
    if len(body) > TEXT.body:
        raise Problem(
            "content-too-large",
            f"A text of at most {TEXT.body} bytes.",
            limit=TEXT.body,
        )
    found = written.understood(readings.read(body))
    opened = opening.import_record(store(), found.events, key=key, owner=caller().token)
    return created(opened, items=readings.items(found))


def _import_later(body: bytes, key: IdempotencyKey | None) -> Response:
    job = order_job("import", {}, payload=body, key=key)
    return accepted(job)


@blueprint.route("/jobs/<string:job_id>")
class Jobs(MethodView):
    """One job."""

    @blueprint.operation("getJob", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, Job)
    def get(self, job_id: str) -> Response:
        """How far long work is

        Ask again until `status` is `done` or `failed`.
        """
        job = store().jobs.get(job_id)
        if job is None or not caller().may_follow(job):
            raise not_found("such job")
        return answer(job_document(job))
