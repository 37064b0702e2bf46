"""Audits of a game, made by a worker."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import (
    Blueprint,
    answer,
    failure,
    optional_body,
    order_job,
    store,
)
from api.plumbing.language import suffix
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.problems import not_found
from schemas.audits import Audit, OrderAudit
from service.audits import check_rules
from store.work.jobs import Job as JobDocument

blueprint = Blueprint("audits", __name__, url_prefix="/v1/games/<string:game_id>", description="Audits of a game.")


@blueprint.route("/audits")
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


@blueprint.route("/audits/<string:audit_id>")
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
