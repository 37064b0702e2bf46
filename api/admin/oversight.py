"""What an admin looks after: names that are taken out of the list, and who used rights that not everybody has.

Every use is noted before it is made, whatever comes of it; only who reads figures at `/metrics` is not, since a program
does so every few seconds. What a route alone does not tell, its view notes: a token that is given, what a seat hides
that is looked at or taken away as a file, a correction that takes an arbiter.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response
from flask.views import MethodView
from marshmallow import ValidationError

from api.plumbing.access import ADMIN, Rule, caller, rules_of
from api.plumbing.hosts import SAFE
from api.plumbing.http import Blueprint, answer, listed, now, store
from api.plumbing.limits import SMALL
from api.plumbing.noting import note
from api.plumbing.present import present
from api.plumbing.problems import malformed, not_found
from schemas.common import NAME
from schemas.oversight import HiddenName, HiddenNameList, UseList, UseQuery
from service.access import Role
from store.access.access_log import Use

blueprint = Blueprint("oversight", __name__, url_prefix="/v1", description="What an admin looks after.")

_ELSEWHERE = frozenset({("tokens.Tokens", "POST")})
"""Uses that their views note, with what the body says."""
_GIVING = frozenset({"sharing", "webhooks"})
"""Blueprints whose writes give others what the caller may see."""


def watch(app: Flask) -> None:
    """Have the app note every use; its routes have to be there, and callers be known."""
    uses = {route for route, rule in rules_of(app).items() if _is_use(route, rule)} - _ELSEWHERE

    def look() -> None:
        incoming = present()
        if incoming.url_rule is not None and (incoming.url_rule.endpoint, incoming.method) in uses:
            note()

    app.before_request(look)


def _is_use(route: tuple[str, str], rule: Rule) -> bool:
    if rule.role is Role.ADMIN:
        return not rule.is_local
    (endpoint, method) = route
    of = endpoint.rpartition(".")[0]
    return of == "tokens" or (of in _GIVING and method not in SAFE)


@blueprint.route("/access-log")
class AccessLog(MethodView):
    """Who used what rights."""

    @blueprint.operation("readAccessLog", needs=ADMIN, limits=SMALL)
    @blueprint.arguments(UseQuery, location="query", error_status_code=400)
    @blueprint.response(200, UseList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """Who used an admin's rights

        Or others that not everybody has: gave a token, looked at what another seat hides, corrected what somebody else
        recorded. Newest first; of admins the last 10,000 are kept, and as many of others. What was asked for stands
        there before it is done, and whatever came of it.
        """
        limit = query["limit"]
        try:
            found = store().access_log.page(before=query.get("cursor"), limit=limit + 1)
        except ValueError:
            raise malformed("/cursor", "not a cursor of this list") from None
        return listed(
            "access_log", found, limit, lambda use: {name: getattr(use, name) for name in Use.__struct_fields__}
        )


@blueprint.route("/hidden-names")
class HiddenNames(MethodView):
    """The names that are hidden."""

    @blueprint.operation("listHiddenNames", needs=ADMIN, limits=SMALL)
    @blueprint.response(200, HiddenNameList)
    def get(self) -> Response:
        """The names that are taken out of the list

        By name.
        """
        return answer({"hidden_names": store().hiding.all()})


@blueprint.route("/hidden-names/<path:name>")
class OneHiddenName(MethodView):
    """One name."""

    @blueprint.operation("hideName", needs=ADMIN, limits=SMALL)
    @blueprint.response(200, HiddenName)
    def put(self, name: str) -> Response:
        """Take a name out of the list

        In any case of its letters. Lists, search, players' pages and their figures do not tell it any more: in a list
        `…` stands in its place, and a tag in which it stands as words of its own is left out. The logs keep it, with
        their hashes: whoever may open a game still reads who played.
        """
        try:
            NAME(name)
        except ValidationError as error:
            raise malformed("/name", str(error.messages[0])) from None
        return answer(store().hiding.hide(name, at=now(), by=caller().name))

    @blueprint.operation("showName", needs=ADMIN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, name: str) -> Response:
        """Put a name into the list again

        As if it had never been hidden.
        """
        if not store().hiding.show(name):
            raise not_found("such hidden name")
        return Response(status=204)
