"""The web pages: a blueprint per group, all under one, and what every page has.

A page is a Jinja template that extends `base.html`. It works with the public REST API only; its scripts are ES modules
in `api/static`, its addresses are made by `url_for`, and its files by `asset`.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, make_response, render_template, request
from markupsafe import Markup, escape

from api.pages import assets, audit, library, record, replay, shared, start, transcript, watch
from api.problems import Problem, not_found, problem_of, respond
from drawing import STYLE_SOURCE

blueprint = Blueprint("pages", __name__)
for group in (
    assets.blueprint,
    library.blueprint,
    shared.blueprint,
    start.blueprint,
    record.blueprint,
    replay.blueprint,
    watch.blueprint,
    audit.blueprint,
    transcript.blueprint,
):
    blueprint.register_blueprint(group)

POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {STYLE_SOURCE}; img-src 'self' data: blob:; "
    "font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may load: what this service serves, and of scripts and styles that stand in the page itself only the
style sheet of the pictures of tables."""


def register(app: Flask) -> None:
    """Put the pages into the app."""
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(asset=assets.asset, imported=assets.imported)
    app.jinja_env.filters["coded"] = coded
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.register_error_handler(404, _nowhere)
    app.after_request(_protect)


def _protect(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-cache")
    return response


@blueprint.errorhandler(Exception)
def sorry(error: Exception) -> Response:
    """What went wrong, as a page."""
    return page_of(problem_of(error))


def _nowhere(error: Exception) -> Response:
    if wants_page():
        return page_of(not_found("such page"))
    return respond(problem_of(error))


def page_of(problem: Problem) -> Response:
    """The page of a problem."""
    page = make_response(render_template("sorry.html", problem=problem), problem.kind.status)
    page.headers.update(problem.headers)
    return page


def coded(text: str) -> Markup:
    """A text with its `words` between backticks as code."""
    parts = [
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part)
        for index, part in enumerate(text.split("`"))
    ]
    return Markup("").join(parts)


def wants_page() -> bool:
    """Whether it is a browser that came to an address where nothing is."""
    if request.path.startswith("/v1/"):
        return False
    return request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) == "text/html"
