"""Tokens: given, listed and withdrawn."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import RECORDER, caller, gone, is_local
from api.plumbing.http import Blueprint, answer, listed, now, store
from api.plumbing.limits import SMALL
from api.plumbing.noting import note
from api.plumbing.problems import Problem, invalid, not_found
from schemas.tokens import GivenToken, NewToken, TokenList, TokenQuery
from schemas.tokens import Token as TokenSchema
from service import tokens
from service.access import Role
from store.access.tokens import GiverGone, Token
from store.errors import NameTaken, TooManyTokens

blueprint = Blueprint("tokens", __name__, url_prefix="/v1/tokens", description="What lets callers in.")


def describe(token: Token) -> dict[str, Any]:
    """A token as the API tells of it."""
    return msgspec.structs.asdict(token)


@blueprint.route("")
class Tokens(MethodView):
    """All tokens."""

    @blueprint.operation("listTokens", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(TokenQuery, location="query", error_status_code=400)
    @blueprint.response(200, TokenList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """The tokens that one may withdraw

        An admin all of them (one of a single game those for that game), others those that they gave; newest first.
        """
        limit = query["limit"]
        found = tokens.page(store(), caller(), query.get("cursor"), limit + 1)
        return listed("tokens", found, limit, describe)

    @blueprint.operation("giveToken", needs=RECORDER, limits=SMALL, refuses=["too-many-tokens"])
    @blueprint.arguments(NewToken)
    @blueprint.response(201, GivenToken, headers=["Location", "Cache-Control"])
    def post(self, body: dict[str, Any]) -> Response:
        """Give a token

        Its text is told here and never again. Nobody gives more than they have: no higher role, no other game or seat,
        no later end. It ends when the token that gave it does. An open service gives them to its own machine alone.
        """
        role = Role(body.pop("role"))
        note(**{name: body.get(name) for name in ("game", "seat", "note")}, role=role.value)
        try:
            text, token = tokens.give(store(), caller(), role=role, created_at=now(), is_operator=is_local(), **body)
        except NameTaken as error:
            raise invalid("/note", "somebody else records under that name, or has") from error
        except TooManyTokens as error:
            raise Problem("too-many-tokens", "This token has given as many as one may: withdraw some.") from error
        except GiverGone as error:
            raise gone() from error
        headers = {"Location": f"/v1/tokens/{token.id}", "Cache-Control": "no-store"}
        return answer({**describe(token), "token": text}, 201, headers)


@blueprint.route("/<string:token_id>")
class OneToken(MethodView):
    """One token."""

    @blueprint.operation("getToken", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, TokenSchema)
    def get(self, token_id: str) -> Response:
        """A token

        Without its text.
        """
        return answer(describe(_found(token_id)))

    @blueprint.operation("withdrawToken", needs=RECORDER, limits=SMALL, refuses=["not-replicated"])
    @blueprint.response(204)
    def delete(self, token_id: str) -> Response:
        """Withdraw a token

        It ends at once, with its open streams and all that it gave. Whoever has one may withdraw it.
        """
        store().tokens.withdraw(_found(token_id).id)
        return Response(status=204)


def _found(token_id: str) -> Token:
    found = tokens.find(store(), caller(), token_id)
    if found is None:
        raise not_found("such token")
    return found
