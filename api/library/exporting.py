"""Exports of many games: ordered here, made by a worker, fetched when they are done."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.exported import installed
from api.plumbing.filters import wanted
from api.plumbing.http import Blueprint, accepted, idempotency_key, order_job, store
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.problems import invalid, malformed, not_found
from api.plumbing.sending import ASKS, TELLS, kept
from engine.core.language import say
from schemas.exporting import OrderExport
from schemas.jobs import Job
from service.access import Role
from service.errors import Forbidden
from workers.archive import MEDIA_TYPE

blueprint = Blueprint("exporting", __name__, url_prefix="/v1/exports", description="Many games in one file.")


@blueprint.route("")
class Exports(MethodView):
    """Exports of many games."""

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

        A worker writes all that fit into one zip: a file a game, or files that have all of them, as the format is, and
        a `manifest.json` that says what became of each.
        `Location` is the job; when it is done, its `result.file` is where to fetch the zip, for 24 hours.
        """
        if caller().is_link:
            raise Forbidden(Role.VIEWER, "a share link orders no export of many games")
        if request.args:
            raise malformed(f"/{next(iter(request.args))}", "say in the body which games")
        if not installed(order["format"]).many:
            raise invalid("/format", "many games are not written in this format: export them one by one")
        arguments = {"format": order["format"], "filter": msgspec.to_builtins(wanted(order))}
        # Before tokens could be for one game, a filter had no `game`.
        before = {name: value for name, value in arguments["filter"].items() if name != "game"}
        key = idempotency_key(arguments, {**arguments, "filter": before})
        job = order_job("export", arguments, key=key)
        return accepted(job)


@blueprint.route("/<string:export_id>/file")
class ExportFile(MethodView):
    """The file of such an export."""

    @blueprint.operation("fetchExport", needs=VIEWER, limits=SMALL, asks=ASKS)
    @blueprint.file(
        "The zip.",
        {MEDIA_TYPE: {"schema": {"type": "string", "contentMediaType": MEDIA_TYPE}}},
        headers=["Content-Disposition", *TELLS],
        in_parts=True,
    )
    def get(self, export_id: str) -> Response:
        """Fetch an export of many games

        It is there from when its job is done, for 24 hours; `Range` asks for a part of it.
        """
        job = store().jobs.get(export_id)
        if job is None or job.kind != "export" or not caller().may_follow(job):
            raise not_found("such export")
        file = store().files.find(export_id)
        if file is None or store().deletions.is_to_go(export_id):
            raise not_found(say("file of this export: its job is {status}", status=job.status))
        named = {"Content-Disposition": f'attachment; filename="driftlog-{export_id}.zip"'}
        return kept(store().files, export_id, file, MEDIA_TYPE, named)
