"""Analyses of a game, which workers carry out."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, answer, job_document, order_job, store
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.problems import Problem, not_found
from engine.core.values import SEAT_IDS
from engine.players.protocol import NotPlayable
from schemas.analyses import Analysis, SkillViewers
from service import analyses
from store.work.jobs import Job as JobDocument

blueprint = Blueprint("analyses", __name__, url_prefix="/v1/games/<string:game_id>", description="Analyses of a game.")

_NOTHING_YET: dict[str, Any] = {
    "player": None,
    "player_version": None,
    "version": None,
    "unit": None,
    "sides": [],
    "stale_from": None,
    "points": [],
    "events": [],
    "skills": [],
    "marks": [],
}


@blueprint.route("/analyses")
class Analyses(MethodView):
    @blueprint.operation(
        "analyseGame", needs=VIEWER, limits=ORDER, refuses=["cannot-analyse", "too-many-jobs", "too-many-own-jobs"]
    )
    @blueprint.response(202, Analysis, headers=["Location"])
    def post(self, game_id: str) -> Response:
        """Analyse a game

        A worker estimates the chance to win at each turn, and finds the draws and choices that reduced it most. Poll
        `Location` for the result. Only games with a computer player can be analysed, and those with seeded chance only
        after their end.
        """
        try:
            version = analyses.check(store(), game_id)
        except NotPlayable as error:
            raise Problem("cannot-analyse", str(error)) from None
        job = order_job("analysis", {"game": game_id, "version": version}, same=f"analysis {game_id} {version}")
        store().analyses.save_newest(game_id, analyses.JOB, job.id, version)
        return answer(_document(game_id, job), 202, {"Location": f"/v1/games/{game_id}/analyses/latest"})


@blueprint.route("/analyses/latest")
class LatestAnalysis(MethodView):
    @blueprint.operation("getLatestAnalysis", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, Analysis)
    def get(self, game_id: str) -> Response:
        """Get the latest analysis of a game

        `status` and `progress` describe the last request. The result is the latest completed one; `stale_from` is
        the first event since then.
        """
        store().events.head(game_id)
        job_id = store().analyses.get(game_id, analyses.JOB)
        job = None if job_id is None else store().jobs.get(job_id)
        if job is None:
            raise not_found("analysis of this game")
        return answer(_document(game_id, job))


@blueprint.route("/analyses/skills/<string:seat>")
class OneSkill(MethodView):
    @blueprint.operation("showSkill", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(SkillViewers)
    @blueprint.response(204)
    def put(self, body: dict[str, Any], game_id: str, seat: str) -> Response:
        """Show a seat's skill to others

        Only the token for the seat can do this; on an open service, everyone can. By default, analyses show the skill
        of a seat only to its player. Send an empty list to hide the skill again.
        """
        if seat not in SEAT_IDS[: len(store().games.get(game_id).names)]:
            raise not_found("such seat in this game")
        analyses.show_skill(store(), game_id, caller(), seat, body["shown_to"])
        return Response(status=204)


def _document(game_id: str, job: JobDocument) -> dict[str, Any]:
    found = {**_NOTHING_YET, **(analyses.latest(store(), game_id) or {})}
    found["skills"] = analyses.skills(store(), game_id, caller(), found)
    return {**job_document(job), "game": game_id, **found}
