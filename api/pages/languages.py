"""The choice of a language, stored in a cookie."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from api.plumbing.access import ANYONE, needs
from api.plumbing.language import COOKIE
from api.plumbing.problems import not_found
from engine.core.language import say
from service.languages import LANGUAGES

blueprint = Blueprint("languages", __name__)

YEAR = 365 * 24 * 60 * 60
"""Seconds in a year, the lifetime of the cookie."""


@blueprint.get("/language/<language>")
@needs(ANYONE)
def choose(language: str) -> Response:
    """Set the language of all pages, and return to the previous page."""
    if language not in LANGUAGES:
        raise not_found(say("language {name}", name=repr(language)))
    answer = redirect(_page_before())
    answer.set_cookie(COOKIE, language, max_age=YEAR, samesite="Lax", secure=request.is_secure)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _page_before() -> str:
    """Return the previous page, if it is a page of this service. Omit the query, because it may contain a token."""
    try:
        before = urlsplit(request.referrer or "")
    except ValueError:  # no address at all
        return url_for("pages.library.index")
    if before.netloc != request.host or not before.path.startswith("/") or before.path.startswith("//"):
        return url_for("pages.library.index")
    return f"{before.path}?{before.query}" if before.query else before.path
