"""The formats of exports and imports."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import ANYONE
from api.plumbing.http import Blueprint, fixed_response
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_place, next_page
from exports import FORMATS
from schemas.common import Paged
from schemas.exporting import FormatList

blueprint = Blueprint("formats", __name__, url_prefix="/v1/export-formats", description="The formats of exports.")


@blueprint.route("")
class Formats(MethodView):
    @blueprint.operation("listExportFormats", needs=ANYONE, limits=SMALL)
    @blueprint.arguments(Paged, location="query", error_status_code=400)
    @blueprint.response(200, FormatList, headers=["ETag", "Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List export formats

        Lists all formats that this service can write. A format is missing if the optional package for it is not
        installed.
        """
        found, cursor = by_place(_format_documents(), query)
        return fixed_response({"formats": found, "next_cursor": cursor}, next_page(cursor))


def _format_documents() -> list[dict[str, Any]]:
    return [
        {
            "format": kind.name,
            "media_type": kind.media_type,
            "extension": kind.extension,
            "comes_back": kind.comes_back,
            "many": kind.many,
            "loses": kind.loses,
        }
        for kind in FORMATS.values()
        if kind.is_installed
    ]
