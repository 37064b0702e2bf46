"""The web pages: one blueprint with a blueprint for each group of pages, and the code that all pages share.

A page is a Jinja template that extends `base.html`. It uses only the public REST API. Its scripts are ES modules in
`api/static`. Templates create the addresses of pages with `url_for`, and of files with `asset`.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, g, make_response, render_template, request
from markupsafe import Markup, escape

from api.pages import (
    assets,
    audit,
    boxes,
    deals,
    end,
    enter,
    indexes,
    installing,
    languages,
    library,
    offline,
    playground,
    plays,
    record,
    replay,
    securing,
    seeds,
    shared,
    start,
    transcript,
    watch,
    words,
)
from api.plumbing.about import picture_of
from api.plumbing.error_handling import problem_of
from api.plumbing.hosts import public_url
from api.plumbing.problems import Problem, not_found, respond
from drawing import STYLE_SOURCE
from engine.core.text import escape_characters, visible
from exports.prose import sentences

blueprint = Blueprint("pages", __name__)
for group in (
    assets.blueprint,
    offline.blueprint,
    installing.blueprint,
    enter.blueprint,
    securing.blueprint,
    seeds.blueprint,
    languages.blueprint,
    library.blueprint,
    indexes.blueprint,
    shared.blueprint,
    start.blueprint,
    boxes.blueprint,
    record.blueprint,
    replay.blueprint,
    deals.blueprint,
    end.blueprint,
    watch.blueprint,
    audit.blueprint,
    transcript.blueprint,
    plays.blueprint,
    playground.blueprint,
):
    blueprint.register_blueprint(group)

POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {STYLE_SOURCE}; img-src 'self' data: blob:; "
    "font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Content security policy of pages.

Pages load files only from this service. The only inline style is the style sheet of the pictures of tables.
"""


def register(app: Flask) -> None:
    """Register the pages with the app."""
    settings = app.config["SETTINGS"]
    app.jinja_options = {**app.jinja_options, "finalize": displayable}
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(
        asset=assets.asset,
        imported_modules=assets.imported_modules,
        public_url=lambda: public_url(settings),
        picture_of=picture_of,
    )
    words.speak(app)
    app.jinja_env.filters.update(mark_code=mark_code, sentences=sentences)
    app.jinja_env.policies["json.dumps_function"] = lambda value, **_: escape_characters(app.json.dumps(value))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.register_error_handler(404, _nowhere)
    app.register_error_handler(Problem, lambda problem: problem_response(problem_of(problem)))
    app.after_request(_protect)


def _protect(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.setdefault("Content-Security-Policy", POLICY)
    return response


@blueprint.errorhandler(Exception)
def sorry(error: Exception) -> Response:
    """Return the page for an error."""
    return page_of(problem_of(error))


def _nowhere(error: Exception) -> Response:
    if wants_page():
        return page_of(not_found("such page"))
    return respond(problem_of(error))


def problem_response(problem: Problem) -> Response:
    """Return a problem: as a page for browsers, or as a document for other clients."""
    return page_of(problem) if wants_page() else respond(problem)


def page_of(problem: Problem) -> Response:
    """Return the page of a problem."""
    g.problem = problem.kind.slug
    texts = [words.capitalize_first(error["message"]) for error in problem.members.get("errors", ())] or [
        problem.detail
    ]
    page = make_response(render_template("sorry.html", problem=problem, texts=texts), problem.kind.status)
    page.headers.update(problem.headers)
    return page


def displayable(value: object) -> object:
    """Return a text for display, with forbidden characters replaced; return other values unchanged."""
    return visible(value) if type(value) is str else value


def mark_code(text: str) -> Markup:
    """Convert a text to HTML. Words between backticks become `code` elements."""
    parts = [
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part)
        for index, part in enumerate(text.split("`"))
    ]
    return Markup("").join(parts)


def wants_page() -> bool:
    """Return True if a browser requests an address outside the API."""
    if request.path.startswith("/v1/"):
        return False
    return request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) == "text/html"
