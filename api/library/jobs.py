"""Jobs of workers."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, answer, job_document, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import not_found
from schemas.jobs import Job

blueprint = Blueprint("jobs", __name__, url_prefix="/v1", description="Jobs that workers run.")


@blueprint.route("/jobs/<string:job_id>")
class Jobs(MethodView):
    @blueprint.operation("getJob", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, Job)
    def get(self, job_id: str) -> Response:
        """Get the status of a job

        Poll until `status` is `done` or `failed`.
        """
        job = store().jobs.get(job_id)
        if job is None or not caller().may_follow(job):
            raise not_found("such job")
        return answer(job_document(job))
