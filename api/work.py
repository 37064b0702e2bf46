"""Long work, done by workers: audits, imports of long logs, and the jobs by which one follows them."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask.views import MethodView
from marshmallow import ValidationError
from webargs.flaskparser import abort

from api.games import open_record
from api.http import Blueprint, answer, idempotency_key, queue, require_media_type, store
from api.openapi import log_content
from api.problems import invalid, not_found
from engine.audit import verify
from engine.errors import EngineError, Malformed
from engine.fold import opened
from engine.versions import reader
from exports import FORMATS, read_any
from schemas.audits import Audit, OrderAudit
from schemas.events import parse
from schemas.games import Game
from schemas.reading import Job
from store.errors import Corrupt
from store.jobs import Job as JobDocument
from workers.queue import submit

blueprint = Blueprint("work", __name__, url_prefix="/v1", description="Long work: audits, imports, jobs.")

READABLE = [format_ for format_ in FORMATS.values() if format_.read is not None]
VERIFIED_AT_ONCE = 2000
"""A log of up to so many events is imported while the caller waits; a longer one by a worker."""
LONGEST_IMPORT = 64 * 1024 * 1024
"""Bytes."""


@blueprint.route("/games/<string:game_id>/audits")
class Audits(MethodView):
    @blueprint.response(202, Audit)
    @blueprint.doc(requestBody={"required": False, "content": {"application/json": {"schema": OrderAudit}}})
    def post(self, game_id: str) -> Response:
        """Audit a game

        A worker replays all of it and judges every event; `Location` is where to look for the report. With `rules`,
        the report also tells where another version of the rules would have said something else.
        """
        store().events.head(game_id)
        order = _order()
        if "rules" in order:
            _check_rules(game_id, order["rules"])
        job = submit(store(), queue(), "audit", {"game": game_id, **order})
        return answer(_audit(game_id, job), 202, {"Location": f"/v1/games/{game_id}/audits/{job.id}"})


def _check_rules(game_id: str, version: str) -> None:
    """Refuse rules that cannot read the record; where its beginning is broken, the report will tell.

    Raises:
        Malformed: they cannot.
    """
    try:
        header = opened(store().events.read(game_id, until=1)[0])
    except (IndexError, Corrupt, EngineError):
        return
    reader(header, version)


def _order() -> dict[str, Any]:
    """The body, which may be left out."""
    if not request.get_data():
        return {}
    require_media_type(request, "application/json")
    try:
        order: dict[str, Any] = OrderAudit().load(parse(request.get_data()))
    except ValidationError as error:
        abort(422, messages={"json": error.messages})
    return order


@blueprint.route("/games/<string:game_id>/audits/<string:audit_id>")
class OneAudit(MethodView):
    @blueprint.response(200, Audit)
    def get(self, game_id: str, audit_id: str) -> Response:
        """An audit's report"""
        report = store().projections.audit(game_id, audit_id)
        if report is not None:
            return answer(report | {name: none for name, none in _NOTHING_YET.items() if name not in report})
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
        "error": job.error,
        **_NOTHING_YET,
    }


@blueprint.route("/imports")
class Imports(MethodView):
    @blueprint.response(201, Game)
    @blueprint.alt_response(202, schema=Job)
    @blueprint.doc(
        requestBody={
            "required": True,
            "content": log_content(READABLE),
        }
    )
    def post(self) -> Response:
        """Import an exported log

        It comes back as a new game with the same events. Every event is replayed and verified first; a long log by a
        worker (202), which `Location` follows.
        """
        require_media_type(request, *(format_.media_type for format_ in READABLE))
        request.max_content_length = LONGEST_IMPORT
        body = request.get_data()
        try:
            events = read_any(body)
        except Malformed as error:
            raise invalid(error.pointer, error.message) from error
        key = idempotency_key([events[-1].hash, len(events)])
        if len(events) > VERIFIED_AT_ONCE:
            job = submit(store(), queue(), "import", {}, payload=body, key=key)
            return answer(job_document(job), 202, {"Location": f"/v1/jobs/{job.id}"})
        game = verify(events)
        return open_record(game, events, None, key)


@blueprint.route("/jobs/<string:job_id>")
class Jobs(MethodView):
    @blueprint.response(200, Job)
    def get(self, job_id: str) -> Response:
        """How far long work is"""
        job = store().jobs.get(job_id)
        if job is None:
            raise not_found("such job")
        return answer(job_document(job))


def job_document(job: JobDocument) -> dict[str, Any]:
    """A job as the API tells of it."""
    return {
        "id": job.id,
        "kind": job.kind,
        "status": job.status,
        "progress": job.progress,
        "result": job.result,
        "error": job.error,
        "created_at": job.created_at,
    }
