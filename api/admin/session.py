"""Sessions: how a browser comes to send a token by itself, and ceases to."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.about import page_for
from api.plumbing.access import ANYONE, VIEWER, begin_session, caller, caller_of, end_session, gone
from api.plumbing.http import Blueprint, answer
from api.plumbing.limits import SMALL
from schemas.session import BeginSession
from schemas.session import Session as SessionSchema
from service.access import Caller

blueprint = Blueprint("session", __name__, url_prefix="/v1/session", description="Who the browser is.")


@blueprint.route("")
class Session(MethodView):
    """The session of this browser."""

    @blueprint.operation("getSession", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, SessionSchema)
    def get(self) -> Response:
        """As whom one asks

        By the token that comes with the request, in a cookie or not.
        """
        return answer(_described(caller()))

    @blueprint.operation("beginSession", needs=ANYONE, limits=SMALL, refuses=["unauthenticated"])
    @blueprint.arguments(BeginSession)
    @blueprint.response(200, SessionSchema, headers=["Set-Cookie", "Cache-Control"])
    def post(self, body: dict[str, Any]) -> Response:
        """Begin a session

        The browser sends the token from now on, in a cookie that no script reads, until it ends. `/enter#<token>` is
        the page that does this.
        """
        who = caller_of(body["token"].strip())
        if who is None:
            raise gone()
        response = answer(_described(who), headers={"Cache-Control": "no-store"})
        begin_session(response, body["token"].strip(), who)
        return response

    @blueprint.operation("endSession", needs=ANYONE, limits=SMALL)
    @blueprint.response(204, headers=["Set-Cookie"])
    def delete(self) -> Response:
        """End a session

        The browser forgets the token, which is still one: `DELETE /v1/tokens/{id}` withdraws it.
        """
        response = Response(status=204)
        end_session(response)
        return response


def _described(who: Caller) -> dict[str, Any]:
    return {
        "role": who.role,
        "token": who.token,
        "name": who.name,
        "game": who.game,
        "seat": who.seat,
        "expires_at": who.expires_at,
        "leads_to": page_for(who),
    }
