"""Create, list and revoke tokens."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import RECORDER, caller, invalid_token, is_local
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from api.plumbing.noting import note
from api.plumbing.paging import by_id, next_page
from api.plumbing.problems import Problem, invalid, not_found
from schemas.times import now
from schemas.tokens import CreatedToken, NewToken, TokenList, TokenQuery
from schemas.tokens import Token as TokenSchema
from service import tokens
from service.access import Role
from store.access.tokens import GiverGone, Token
from store.errors import NameTaken, TooManyTokens

blueprint = Blueprint("tokens", __name__, url_prefix="/v1/tokens", description="Access tokens.")


def describe(token: Token) -> dict[str, Any]:
    """Convert a token to its API document."""
    return msgspec.structs.asdict(token)


@blueprint.route("")
class Tokens(MethodView):
    @blueprint.operation("listTokens", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(TokenQuery, location="query", error_status_code=400)
    @blueprint.response(200, TokenList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List tokens

        Lists the tokens that you may revoke, newest first: for an admin, all of them (for an admin of one game, those
        of that game); for others, those that they created.
        """
        limit = query["limit"]
        found = tokens.page(store(), caller(), query.get("cursor"), limit + 1)
        page, cursor = by_id(found, limit)
        return answer({"tokens": list(map(describe, page)), "next_cursor": cursor}, headers=next_page(cursor))

    @blueprint.operation("createToken", needs=RECORDER, limits=SMALL, refuses=["too-many-tokens"])
    @blueprint.arguments(NewToken)
    @blueprint.response(201, CreatedToken, headers=["Location", "Cache-Control"])
    def post(self, body: dict[str, Any]) -> Response:
        """Create a token

        Only this response contains the token's secret text. A token cannot have more permissions than its creator: no
        higher role, no other game or seat, no later expiry. When its creator is revoked, it is revoked, too. An open
        service creates tokens only for requests from its own machine.
        """
        role = Role(body.pop("role"))
        note(**{name: body.get(name) for name in ("game", "seat", "note")}, role=role.value)
        try:
            text, token = tokens.give(store(), caller(), role=role, created_at=now(), is_operator=is_local(), **body)
        except NameTaken as error:
            raise invalid("/note", "another recorder uses this name: choose a different name") from error
        except TooManyTokens as error:
            raise Problem(
                "too-many-tokens",
                "This token has created the maximum number of active tokens. Revoke one you no longer need.",
            ) from error
        except GiverGone as error:
            raise invalid_token() from error
        headers = {"Location": f"/v1/tokens/{token.id}", "Cache-Control": "no-store"}
        return answer({**describe(token), "token": text}, 201, headers)


@blueprint.route("/<string:token_id>")
class OneToken(MethodView):
    @blueprint.operation("getToken", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, TokenSchema)
    def get(self, token_id: str) -> Response:
        """Get a token

        The response does not contain the token's secret text.
        """
        return answer(describe(_find_token(token_id)))

    @blueprint.operation("revokeToken", needs=RECORDER, limits=SMALL, refuses=["not-replicated"])
    @blueprint.response(204)
    def delete(self, token_id: str) -> Response:
        """Revoke a token

        The token ends at once, with its open streams and all tokens and links that it created. Its owner may revoke it,
        too.
        """
        if not tokens.revoke(store(), caller(), token_id):
            raise _unknown()
        return Response(status=204)


def _find_token(token_id: str) -> Token:
    found = tokens.find(store(), caller(), token_id)
    if found is None:
        raise _unknown()
    return found


def _unknown() -> Problem:
    return not_found("such token")
