"""Formats: in which a log leaves, and which of them it comes back from."""

from __future__ import annotations

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import ANYONE
from api.plumbing.http import Blueprint, constant
from api.plumbing.limits import SMALL
from exports import FORMATS
from schemas.exporting import FormatList

blueprint = Blueprint("formats", __name__, url_prefix="/v1/export-formats", description="What logs are exported in.")


@blueprint.route("")
class Formats(MethodView):
    """All formats."""

    @blueprint.operation("listExportFormats", needs=ANYONE, limits=SMALL)
    @blueprint.response(200, FormatList, headers=["ETag"])
    def get(self) -> Response:
        """What a log can be exported in

        Every format that this service can write: those that take an extra are missing where it is not installed.
        """
        return constant("formats", _described)


def _described() -> bytes:
    formats = [
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
    return msgspec.json.encode({"formats": formats})
