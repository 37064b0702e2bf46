"""Pages about the certificate authority of this service. With it, a phone can trust the service and use TLS."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, current_app, make_response, render_template

from api.plumbing.access import ANYONE, needs
from api.plumbing.settings import Settings

blueprint = Blueprint("securing", __name__)

AUTHORITY = "/secure/driftlog.crt"
CERTIFICATE = "application/x-x509-ca-cert"
"""The media type for which phones offer to install the certificate."""


@blueprint.get("/secure")
@needs(ANYONE)
def secure() -> Response:
    """Show how to install the authority's certificate on each kind of phone, with a link to the HTTPS address."""
    _authority()
    page = make_response(render_template("secure.html", authority=AUTHORITY))
    page.headers["Cache-Control"] = "no-store"
    return page


@blueprint.get(AUTHORITY)
@needs(ANYONE)
def authority() -> Response:
    """Send the authority's certificate."""
    return Response(
        _authority().read_bytes(),
        content_type=CERTIFICATE,
        headers={"Cache-Control": "no-cache", "Content-Disposition": 'attachment; filename="driftlog.crt"'},
    )


def _authority() -> Path:
    settings: Settings = current_app.config["SETTINGS"]
    if not settings.authority:
        abort(404)
    return Path(settings.authority)
