"""The export of one game."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.exported import answered, asked
from api.plumbing.http import Blueprint, look, look_at_log
from api.plumbing.limits import ORDER
from api.plumbing.noting import note
from api.plumbing.openapi import log_content
from api.plumbing.sending import ASKS, TELLS
from exports import FORMATS
from schemas.jobs import Job
from schemas.reading import (
    ExportQuery,
)

blueprint = Blueprint(
    "export", __name__, url_prefix="/v1/games/<string:game_id>", description="The log of a game as a file."
)


@blueprint.route("/export")
class Export(MethodView):
    """The log, in one of the formats."""

    @blueprint.operation(
        "exportGame",
        needs=VIEWER,
        limits=ORDER,
        asks=ASKS,
        refuses=["too-many-jobs", "format-not-installed", "invalid"],
    )
    @blueprint.arguments(ExportQuery, location="query", error_status_code=400)
    @blueprint.file(
        "The whole log, as a file.",
        log_content(FORMATS.values()),
        headers=["Link", "Content-Disposition", "Driftlog-Head", "Driftlog-Damaged", *TELLS],
        in_parts=True,
    )
    @blueprint.alt_response(202, schema=Job, description="A worker makes it.", headers=["Location", "Retry-After"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The whole log as a file

        `/v1/export-formats` lists the formats, and says which can be imported again. Without `format` it is the one
        that `Accept` would rather have; of those with one media type the first, and `json` where anything will do.
        Texts are streamed, by gzip if that is accepted. A binary file can be asked for in parts. Where a worker has to
        make a file first, the answer is 202, and `Location` the job to follow: then ask again. That is so for pictures
        and PDFs, for long games in binary formats, and for games of more than 5,000 events in all formats but `json`,
        `ndjson`, `cloudevents` and `cloudevents_ndjson`.
        """
        wanted = asked(query)
        seen = (look if wanted.kind.needs_rules else look_at_log)(game_id, query)
        if seen.seat is not None and caller().token is not None:
            note(format=wanted.kind.name, viewer=wanted.viewer)
        return answered(wanted, game_id, seen)
