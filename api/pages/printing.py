"""The transcript as PDF. At this address a browser shows the PDF; the export `pdf` saves it."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from api.pages import problem_response
from api.plumbing.access import VIEWER
from api.plumbing.error_handling import problem_of
from api.plumbing.exported import ExportRequest, export_response, installed_format
from api.plumbing.http import Blueprint, store
from api.plumbing.limits import ORDER
from api.plumbing.sending import ASKS, TELLS
from exports import FORMATS, Animation
from schemas.jobs import Job
from service.viewing import look

blueprint = Blueprint(
    "printing", __name__, url_prefix="/games/<string:game_id>", description="The printable transcript of a game."
)
blueprint.register_error_handler(Exception, lambda error: problem_response(problem_of(error)))

MEDIA_TYPE = FORMATS["pdf"].media_type


@blueprint.route("/print.pdf")
class Transcript(MethodView):
    @blueprint.operation(
        "printGame",
        needs=VIEWER,
        limits=ORDER,
        asks=ASKS,
        refuses=["too-many-jobs", "too-many-own-jobs", "format-not-installed"],
    )
    @blueprint.file(
        "The transcript as a PDF.",
        {MEDIA_TYPE: {"schema": {"type": "string", "contentMediaType": MEDIA_TYPE}}},
        headers=["Link", "Content-Disposition", "Driftlog-Head", *TELLS],
        in_parts=True,
    )
    @blueprint.alt_response(
        202, schema=Job, description="The job of the worker that writes the PDF.", headers=["Location", "Retry-After"]
    )
    def get(self, game_id: str) -> Response:
        """Get the transcript as PDF

        Returns an A4 document with a picture of the table for every turn. A worker writes it: until then the response
        is 202, and you can poll the job in `Location`. With `Accept: text/html` you get a page that waits for it.
        """
        answer = export_response(
            ExportRequest(installed_format("pdf"), "public", Animation()), game_id, look(store(), game_id, None)
        )
        if "Content-Disposition" in answer.headers:
            answer.headers["Content-Disposition"] = f'inline; filename="{game_id}.pdf"'
        return answer
