"""Exports of many games: ordered here, made by a worker, fetched when they are done."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.games import wanted
from api.http import Blueprint, answer, idempotency_key, queue, store
from api.problems import invalid, malformed, not_found
from api.work import job_document
from exports import FORMATS
from schemas.exporting import OrderExport
from schemas.reading import Job
from workers.archive import MEDIA_TYPE
from workers.queue import submit

blueprint = Blueprint("exporting", __name__, url_prefix="/v1/exports", description="Many games in one file.")


@blueprint.route("")
class Exports(MethodView):
    @blueprint.arguments(OrderExport)
    @blueprint.response(202, Job)
    def post(self, order: dict[str, Any]) -> Response:
        """Export many games

        A worker writes all that fit into one zip: a file a game, and a `manifest.json` that says what became of each.
        `Location` is the job; when it is done, its `result.file` is where to fetch the zip, for 24 hours.
        """
        if request.args:
            raise malformed(f"/{next(iter(request.args))}", "say in the body which games")
        if order["format"] not in FORMATS:
            raise invalid("/format", f"one of {', '.join(FORMATS)}")
        arguments = {"format": order["format"], "filter": msgspec.to_builtins(wanted(order))}
        job = submit(store(), queue(), "export", arguments, key=idempotency_key(arguments))
        return answer(job_document(job), 202, {"Location": f"/v1/jobs/{job.id}"})


@blueprint.route("/<string:export_id>/file")
class ExportFile(MethodView):
    @blueprint.doc(
        responses={
            "200": {
                "description": "The zip.",
                "content": {MEDIA_TYPE: {"schema": {"type": "string", "contentMediaType": MEDIA_TYPE}}},
            }
        }
    )
    def get(self, export_id: str) -> Response:
        """Fetch an export of many games

        It is there from when its job is done, for 24 hours.
        """
        file = store().files.find(export_id)
        if file is None:
            job = store().jobs.get(export_id)
            if job is None or job.kind != "export":
                raise not_found("such export")
            raise not_found(f"file of this export (any more, or yet): its job is {job.status}")
        return Response(
            store().files.read(export_id, file),
            content_type=MEDIA_TYPE,
            headers={
                "Content-Length": str(file.size),
                "Content-Disposition": f'attachment; filename="driftlog-{export_id}.zip"',
            },
        )
