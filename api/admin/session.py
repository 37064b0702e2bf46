"""Sessions of browsers: sign in and out with a token in a cookie."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.about import page_for
from api.plumbing.access import ANYONE, VIEWER, begin_session, caller, caller_of, end_session, invalid_token
from api.plumbing.http import Blueprint, answer
from api.plumbing.limits import SMALL
from schemas.session import BeginSession
from schemas.session import Session as SessionSchema
from service.access import Caller

blueprint = Blueprint("session", __name__, url_prefix="/v1/session", description="Browser sessions.")


@blueprint.route("")
class Session(MethodView):
    @blueprint.operation("getSession", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, SessionSchema)
    def get(self) -> Response:
        """Get the current user

        Returns the user of the token in the request, whether in a cookie or a header.
        """
        return answer(_session_document(caller()))

    @blueprint.operation("beginSession", needs=ANYONE, limits=SMALL, refuses=["unauthenticated"], is_pure=True)
    @blueprint.arguments(BeginSession)
    @blueprint.response(200, SessionSchema, headers=["Set-Cookie", "Cache-Control"])
    def post(self, body: dict[str, Any]) -> Response:
        """Begin a session

        From now on the browser sends the token in a cookie that scripts cannot read, until the session ends. The page
        `/enter#<token>` does this.
        """
        who = caller_of(body["token"].strip())
        if who is None:
            raise invalid_token()
        response = answer(_session_document(who), headers={"Cache-Control": "no-store"})
        begin_session(response, body["token"].strip(), who)
        return response

    @blueprint.operation("endSession", needs=ANYONE, limits=SMALL)
    @blueprint.response(204, headers=["Set-Cookie"])
    def delete(self) -> Response:
        """End a session

        The browser deletes the token, which stays valid: `DELETE /v1/tokens/{id}` revokes it.
        """
        response = Response(status=204)
        end_session(response)
        return response


def _session_document(who: Caller) -> dict[str, Any]:
    return {
        "role": who.role,
        "token": who.token,
        "name": who.name,
        "game": who.game,
        "seat": who.seat,
        "expires_at": who.expires_at,
        "leads_to": page_for(who),
    }
