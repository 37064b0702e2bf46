"""Audits of a game, which workers carry out."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from ulid import ULID

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, answer, job_document, optional_body, order_job, store
from api.plumbing.language import suffix
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.problems import not_found
from schemas.audits import Audit, OrderAudit
from schemas.times import rfc3339
from service.audits import check_rules
from store.work.jobs import Job as JobDocument

blueprint = Blueprint("audits", __name__, url_prefix="/v1/games/<string:game_id>", description="Audits of a game.")


@blueprint.route("/audits")
class Audits(MethodView):
    @blueprint.operation("auditGame", needs=VIEWER, limits=ORDER, refuses=["too-many-jobs", "too-many-own-jobs"])
    @blueprint.response(202, Audit, headers=["Location"])
    @blueprint.doc(requestBody={"required": False, "content": {"application/json": {"schema": OrderAudit}}})
    def post(self, game_id: str) -> Response:
        """Audit a game

        A worker replays the game and judges every event; poll `Location` for the report. With `rules`, the report also
        lists the events that another version of the rules judges differently.
        """
        version, _ = store().events.head(game_id)
        order = optional_body(OrderAudit())
        if "rules" in order:
            check_rules(store(), game_id, order["rules"])
        same = f"audit {game_id} {version} {order.get('rules', '')}{suffix()}"
        job = order_job("audit", {"game": game_id, **order}, same=same)
        return answer(_audit(game_id, job), 202, {"Location": f"/v1/games/{game_id}/audits/{job.id}"})


@blueprint.route("/audits/<string:audit_id>")
class OneAudit(MethodView):
    @blueprint.operation("getAudit", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, Audit)
    def get(self, game_id: str, audit_id: str) -> Response:
        """Get the report of an audit

        The report is complete once `status` is `done`; until then it has only the progress.
        """
        report = store().audits.get(game_id, audit_id)
        # The report of a deleted game is gone, but its audit job may still exist.
        job = None if report is not None else store().jobs.get(audit_id)
        if job is not None and job.status == "done":
            # A worker has stored the report since the first check.
            report = store().audits.get(game_id, audit_id)
        if report is not None:
            done = {
                "kind": "audit",
                "result": {"game": game_id, "verdict": report["verdict"]},
                "created_at": rfc3339(ULID.from_str(audit_id).datetime),
            }
            return answer({**_NOTHING_YET, **done, **report})
        store().events.head(game_id)
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
"""Default members of an audit that has no report, or a report by an earlier version of Driftlog."""


def _audit(game_id: str, job: JobDocument) -> dict[str, Any]:
    return {**job_document(job), "game": game_id, **_NOTHING_YET}
