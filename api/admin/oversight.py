"""Oversight by an admin: hidden names, and the log of uses of special permissions.

Every use is logged before it happens, whatever its result. Only reads of `/metrics` are not logged, because Prometheus
reads them every few seconds. Views log details that are not in the address: the id of a new token, the seat whose
secrets are viewed, or a correction that requires an arbiter.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response
from flask.views import MethodView
from marshmallow import ValidationError

from api.plumbing.access import ADMIN, Rule, caller, rules_of
from api.plumbing.current_request import present
from api.plumbing.hosts import SAFE
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from api.plumbing.noting import note
from api.plumbing.paging import by_id, by_key, next_page
from api.plumbing.problems import malformed_request, not_found
from schemas.common import NAME, Paged
from schemas.oversight import HiddenName, HiddenNameList, UseList, UseQuery
from schemas.times import now
from service.access import Role
from store.access.access_log import Use

blueprint = Blueprint("oversight", __name__, url_prefix="/v1", description="Administration.")

_ELSEWHERE = frozenset({("tokens.Tokens", "POST")})
"""Operations whose views log their own uses, with details from the request body."""
_GIVING = frozenset({"sharing", "webhooks"})
"""Blueprints whose writes give permissions of the caller to others."""


def watch(app: Flask) -> None:
    """Make the app log every use of a special permission. Call it after registering routes and authentication."""
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
    @blueprint.operation("readAccessLog", needs=ADMIN, limits=SMALL)
    @blueprint.arguments(UseQuery, location="query", error_status_code=400)
    @blueprint.response(200, UseList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List uses of special permissions

        Lists the uses of permissions that not everyone has, such as creating a token, viewing another seat's secrets,
        or correcting other people's events. The list is sorted newest first; it has the last 10,000 uses by admins, and
        as many by others. The service logs a request before it carries it out, whatever its result.
        """
        limit = query["limit"]
        try:
            found = store().access_log.page(before=query.get("cursor"), limit=limit + 1)
        except ValueError:
            raise malformed_request(
                "/cursor", "this cursor does not belong to this list: use the `next_cursor` of the previous page"
            ) from None
        uses, cursor = by_id(found, limit)
        told = [{name: getattr(use, name) for name in Use.__struct_fields__} for use in uses]
        return answer({"access_log": told, "next_cursor": cursor}, headers=next_page(cursor))


@blueprint.route("/hidden-names")
class HiddenNames(MethodView):
    @blueprint.operation("listHiddenNames", needs=ADMIN, limits=SMALL)
    @blueprint.arguments(Paged, location="query", error_status_code=400)
    @blueprint.response(200, HiddenNameList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List hidden names

        The list is sorted by name.
        """
        found, cursor = by_key(store().hiding.all(), query, lambda hidden: hidden.name)
        return answer({"hidden_names": found, "next_cursor": cursor}, headers=next_page(cursor))


@blueprint.route("/hidden-names/<path:name>")
class OneHiddenName(MethodView):
    @blueprint.operation("hideName", needs=ADMIN, limits=SMALL)
    @blueprint.response(200, HiddenName)
    def put(self, name: str) -> Response:
        """Hide a name

        Letter case is ignored. Lists, search, player pages and statistics no longer show the name: a list shows `…`
        instead, and omits tags that contain the name as separate words. The logs keep the name, because their hashes
        depend on it. So anyone who may open a game still sees its players.
        """
        try:
            NAME(name)
        except ValidationError as error:
            raise malformed_request("/name", str(error.messages[0])) from None
        return answer(store().hiding.hide(name, at=now(), by=caller().name))

    @blueprint.operation("unhideName", needs=ADMIN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, name: str) -> Response:
        """Show a hidden name again

        From now on, lists show the name again.
        """
        if not store().hiding.show(name):
            raise not_found("such hidden name")
        return Response(status=204)
