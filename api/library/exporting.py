"""Exports of many games: requested here, written by a worker, then downloaded."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.exported import installed_format
from api.plumbing.filters import parse_filter
from api.plumbing.http import Blueprint, store, submit_job
from api.plumbing.idempotency import idempotency_key
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.problems import invalid, not_found
from api.plumbing.sending import ASKS, TELLS, stored_response
from engine.core.language import say
from schemas.exporting import OrderExport
from schemas.jobs import Job
from service.access import Role
from service.errors import Forbidden
from workers.archive import MEDIA_TYPE

blueprint = Blueprint("exporting", __name__, url_prefix="/v1/exports", description="Exports of many games in one file.")


@blueprint.route("")
class Exports(MethodView):
    @blueprint.operation(
        "exportGames",
        needs=VIEWER,
        limits=ORDER,
        asks=["Idempotency-Key"],
        refuses=["too-many-jobs", "too-many-own-jobs", "format-not-installed"],
    )
    @blueprint.arguments(OrderExport)
    @blueprint.response(202, Job, headers=["Location"])
    def post(self, order: dict[str, Any]) -> Response:
        """Export many games

        A worker writes all matching games to one zip. Depending on the format, the zip has one file per game, or common
        files for all games. Its `manifest.json` has the result of each game. `Location` is the job. When it is done,
        `result.file` in it is the address of the zip, which is available for 24 hours.
        """
        if caller().is_link:
            raise Forbidden(Role.VIEWER, "a share link is for one game: export this game alone")
        if not installed_format(order["format"]).many:
            raise invalid("/format", "This format cannot hold many games. Export them one by one.")
        arguments = {"format": order["format"], "filter": msgspec.to_builtins(parse_filter(order))}
        # Earlier versions of Driftlog had no tokens for one game, and no `game` in the filter.
        before = {name: value for name, value in arguments["filter"].items() if name != "game"}
        key = idempotency_key(arguments, {**arguments, "filter": before})
        return submit_job("export", arguments, key=key)


@blueprint.route("/<string:export_id>/file")
class ExportFile(MethodView):
    @blueprint.operation("fetchExport", needs=VIEWER, limits=SMALL, asks=ASKS)
    @blueprint.file(
        "The zip file.",
        {MEDIA_TYPE: {"schema": {"type": "string", "contentMediaType": MEDIA_TYPE}}},
        headers=["Content-Disposition", *TELLS],
        in_parts=True,
    )
    def get(self, export_id: str) -> Response:
        """Download an export of many games

        The file is available for 24 hours after its job is done. Use `Range` to download a part.
        """
        job = store().jobs.get(export_id)
        if job is None or job.kind != "export" or not caller().may_follow(job):
            raise not_found("such export")
        file = store().files.find(export_id)
        if file is None or store().deletions.is_to_go(export_id):
            raise not_found(say("file of this export yet; its job is {status}", status=job.status))
        named = {"Content-Disposition": f'attachment; filename="driftlog-{export_id}.zip"'}
        return stored_response(store().files, export_id, file, MEDIA_TYPE, named)
