"""Pages for a mixed seed. Each phone contributes a part of the seed (a share), and a QR code invites more phones."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, render_template, url_for

from api.plumbing.access import ANYONE, needs
from api.plumbing.hosts import phone_url
from api.plumbing.http import store
from api.plumbing.qr import qr
from service import mixing

blueprint = Blueprint("seeds", __name__)


@blueprint.get("/seeds/<seed_id>")
@needs(ANYONE)
def seed(seed_id: str) -> Response:
    """Show the page for contributing to a seed."""
    found = mixing.find(store(), seed_id)
    page = make_response(render_template("seed.html", seed=found))
    page.headers["Cache-Control"] = "no-store"
    return page


@blueprint.get("/seeds/<seed_id>/qr.svg")
@needs(ANYONE)
def code(seed_id: str) -> Response:
    """Return the page's address as a QR code."""
    mixing.find(store(), seed_id)
    address = phone_url(current_app.config["SETTINGS"]) + url_for("pages.seeds.seed", seed_id=seed_id)
    return Response(qr(address), content_type="image/svg+xml", headers={"Cache-Control": "no-store"})
