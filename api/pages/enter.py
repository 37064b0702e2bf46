"""The sign-in page. A link or a QR code with a token opens the page, which also has a sign-out button."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, Response, current_app, g, make_response, render_template, request

from api.plumbing.about import page_for
from api.plumbing.access import ANYONE, RECORDER, caller_of, needs
from api.plumbing.foreseen import COOKIE
from api.plumbing.hosts import entry, phone_url
from api.plumbing.http import require_media_type
from api.plumbing.problems import invalid
from api.plumbing.qr import qr
from engine.core.language import marked, say
from engine.review.dates import long_date
from schemas.drafts import parse
from service.access import Role

blueprint = Blueprint("enter", __name__)

LONGEST_TOKEN = 200
MAY = {
    Role.VIEWER: marked("You can watch and replay"),
    Role.RECORDER: marked("You can record"),
    Role.ARBITER: marked("You can record events, and correct those that others recorded"),
    Role.ADMIN: marked("You have full access"),
}


@blueprint.get("/enter")
@needs(ANYONE)
def enter() -> Response:
    """Show the sign-in page, with the current user and a sign-out button.

    The page takes a token from its address or from a form.
    """
    text = request.cookies.get(COOKIE)
    who = caller_of(text) if text and g.get("caller") is None else g.get("caller")
    ends = None if who is None or who.expires_at is None else datetime.fromisoformat(who.expires_at)
    page = make_response(
        render_template(
            "enter.html",
            who=who,
            may=None if who is None else say(MAY[who.role]),
            ends=ends and long_date(ends.date()),
            leads_to=None if who is None else page_for(who),
        )
    )
    page.headers["Cache-Control"] = "no-store"
    return page


@blueprint.post("/enter/qr.svg")
@needs(RECORDER)
def code() -> Response:
    """Return the QR code of a sign-in link. The token is sent in the body, so that no URL contains it."""
    require_media_type(request, "application/json")
    body = parse(request.get_data())
    token = body.get("token") if isinstance(body, dict) else None
    if not isinstance(token, str) or not 0 < len(token) <= LONGEST_TOKEN:
        raise invalid("/token", f"must be a text of 1 to {LONGEST_TOKEN} characters")
    picture = qr(entry(phone_url(current_app.config["SETTINGS"]), token))
    return Response(picture, content_type="image/svg+xml", headers={"Cache-Control": "no-store"})
