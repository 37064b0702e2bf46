"""The contract, its reference page, and the pages about problems."""

from __future__ import annotations

from functools import cache

from flask import Response, current_app, make_response, render_template

from api.plumbing import openapi, reference
from api.plumbing.access import ANYONE
from api.plumbing.http import TEXT, Blueprint, constant
from api.plumbing.limits import SMALL
from api.plumbing.problem_kinds import KINDS
from api.plumbing.problems import not_found
from engine.core.language import say

blueprint = Blueprint("contract", __name__, description="The contract.")
problems = Blueprint("problems", __name__, url_prefix="/problems", description="What the problems mean.")


@blueprint.route("/openapi.yaml")
@blueprint.operation("getContract", needs=ANYONE, limits=SMALL)
@blueprint.file("OpenAPI 3.1.", {"application/yaml": TEXT}, headers=["ETag"])
def contract() -> Response:
    """The contract

    This document.
    """
    made: openapi.Contract = current_app.extensions["contract"]
    return constant(made, lambda: openapi.as_yaml(made).encode(), "application/yaml")


@blueprint.route("/docs")
@blueprint.operation("readContract", needs=ANYONE, limits=SMALL)
@blueprint.file("A page for people.", {"text/html": TEXT})
def docs() -> Response:
    """A page to read and try the contract

    It asks no other host.
    """
    return make_response(render_template("docs.html", reference=_reference(current_app.extensions["contract"])))


@cache
def _reference(contract: openapi.Contract) -> str:
    """Return the part of the page that is the same for every caller: it takes a second to make."""
    document = openapi.document(contract)
    return render_template("_reference.html", contract=document, sections=reference.sections(document))


@problems.route("/<string:slug>")
@problems.operation("explainProblem", needs=ANYONE, limits=SMALL)
@problems.file("A page for people.", {"text/html": TEXT})
def page(slug: str) -> Response:
    """What a kind of problem means

    The `type` of a problem document leads here.
    """
    kind = KINDS.get(slug)
    if kind is None:
        raise not_found(say("problem {name}", name=repr(slug)))
    return make_response(render_template("problem.html", kind=kind))
