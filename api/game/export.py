"""The export of a game."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.exported import export_response, requested_export
from api.plumbing.http import Blueprint, look, look_at_log
from api.plumbing.limits import ORDER
from api.plumbing.noting import note
from api.plumbing.openapi import log_content
from api.plumbing.sending import ASKS, TELLS
from exports import FORMATS
from schemas.jobs import Job
from schemas.reading import ExportQuery

blueprint = Blueprint(
    "export", __name__, url_prefix="/v1/games/<string:game_id>", description="The log of a game as a file."
)


@blueprint.route("/export")
class Export(MethodView):
    @blueprint.operation(
        "exportGame",
        needs=VIEWER,
        limits=ORDER,
        asks=ASKS,
        refuses=["too-many-jobs", "format-not-installed", "invalid"],
    )
    @blueprint.arguments(ExportQuery, location="query", error_status_code=400)
    @blueprint.file(
        "The exported file.",
        log_content(FORMATS.values()),
        headers=["Link", "Content-Disposition", "Driftlog-Head", "Driftlog-Damaged", *TELLS],
        in_parts=True,
    )
    @blueprint.alt_response(
        202, schema=Job, description="The job of the worker that writes the file.", headers=["Location", "Retry-After"]
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Export a game

        `/v1/export-formats` lists the formats, and which of them can be imported. Without `format`, the header `Accept`
        selects the format. If several formats have that media type, the first one is used. If `Accept` allows any type,
        the format is `json`. Text formats are streamed, and compressed with gzip if the client accepts it. You can
        request parts of a binary file. If a worker has to write the file first, the response is 202: poll the job in
        `Location`, then repeat the request. A worker writes pictures, PDFs and Parquet files, long games in other
        binary formats, and games of more than 5,000 events in all formats except `json`, `ndjson`, `cloudevents` and
        `cloudevents_ndjson`.
        """
        wanted = requested_export(query)
        seen = (look if wanted.kind.needs_rules else look_at_log)(game_id, query)
        if seen.seat is not None and caller().token is not None:
            note(format=wanted.kind.name, viewer=wanted.viewer)
        return export_response(wanted, game_id, seen)
