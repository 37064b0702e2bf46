"""The contract, its reference page, and a page for each kind of problem."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Response, current_app, make_response, render_template

from api.plumbing import openapi, reference
from api.plumbing.access import ANYONE
from api.plumbing.http import TEXT, Blueprint, constant, find_ruleset
from api.plumbing.limits import SMALL
from api.plumbing.problem_kinds import KINDS
from api.plumbing.problems import not_found
from engine.core.language import say
from schemas.service import ContractQuery

blueprint = Blueprint("contract", __name__, description="This contract.")
problems = Blueprint("problems", __name__, url_prefix="/problems", description="Explanations of the kinds of problems.")


@blueprint.route("/openapi.yaml")
@blueprint.operation("getContract", needs=ANYONE, limits=SMALL, refuses=["not-found"])
@blueprint.arguments(ContractQuery, location="query", error_status_code=400)
@blueprint.file("The contract in OpenAPI 3.1.", {"application/yaml": TEXT}, headers=["ETag"])
def contract(query: dict[str, Any]) -> Response:
    """Get the contract

    Returns this document. With `ruleset`, it types that ruleset's action params, facts, options and state, using the
    JSON Schemas that `GET /v1/rulesets/{id}` also returns.
    """
    made: openapi.Contract = current_app.extensions["contract"]
    if "ruleset" not in query:
        return constant(made, lambda: openapi.as_yaml(made).encode(), "application/yaml")
    rules = find_ruleset(query["ruleset"])
    key = (made, rules.id, rules.version)
    return constant(key, lambda: openapi.as_yaml(made, rules).encode(), "application/yaml")


@blueprint.route("/docs")
@blueprint.operation("readContract", needs=ANYONE, limits=SMALL)
@blueprint.file("The contract as a page for people.", {"text/html": TEXT})
def docs() -> Response:
    """Read and try the contract on a page

    The page loads nothing from other hosts.
    """
    return make_response(render_template("docs.html", reference=_reference(current_app.extensions["contract"])))


@cache
def _reference(contract: openapi.Contract) -> str:
    """Return the part of the page that is the same for every caller, cached because creating it takes a second."""
    document = openapi.document(contract)
    return render_template("_reference.html", contract=document, sections=reference.sections(document))


@problems.route("/<string:slug>")
@problems.operation("explainProblem", needs=ANYONE, limits=SMALL)
@problems.file("The explanation as a page for people.", {"text/html": TEXT})
def page(slug: str) -> Response:
    """Explain a kind of problem

    The `type` of a problem document is the URL of this page.
    """
    kind = KINDS.get(slug)
    if kind is None:
        raise not_found(say("problem type {name}", name=repr(slug)))
    return make_response(render_template("problem.html", kind=kind))
