"""Create, list and revoke share links; get one as a QR code."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for
from flask.views import MethodView
from marshmallow import Schema

from api.plumbing.access import RECORDER, caller, invalid_token
from api.plumbing.http import Blueprint, answer, optional_body, store
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_place, next_page
from api.plumbing.problems import Problem, not_found
from schemas.common import Paged
from schemas.sharing import Share as ShareSchema
from schemas.sharing import ShareList
from schemas.times import now
from store.access.sharing import MOST, Share
from store.access.tokens import GiverGone

blueprint = Blueprint(
    "sharing",
    __name__,
    url_prefix="/v1/games/<string:game_id>/shares",
    description="Share links, with which anyone can watch a game.",
)


def describe(share: Share) -> dict[str, Any]:
    """Convert a share link to its API document."""
    return {
        "token": share.token,
        "url": url_for("pages.shared.show_game", token=share.token),
        "created_at": share.created_at,
        "expires_at": share.expires_at,
    }


@blueprint.route("")
class Shares(MethodView):
    @blueprint.operation("listShares", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(Paged, location="query", error_status_code=400)
    @blueprint.response(200, ShareList, headers=["Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """List the share links of a game

        Lists the active links, oldest first.
        """
        store().events.head(game_id)
        found, cursor = by_place(store().sharing.of(game_id), query)
        return answer({"shares": list(map(describe, found)), "next_cursor": cursor}, headers=next_page(cursor))

    @blueprint.operation("shareGame", needs=RECORDER, limits=SMALL, refuses=["too-many-shares"])
    @blueprint.response(201, ShareSchema, headers=["Location"])
    def post(self, game_id: str) -> Response:
        """Create a share link

        Anyone with the link can watch and replay the game, but not change it. The link ends when you revoke it, or when
        its creator's token ends. There are no options: the body is empty.
        """
        optional_body(Schema())
        store().events.head(game_id)
        try:
            share = store().sharing.share(game_id, now(), caller().token, caller().expires_at)
        except GiverGone as error:
            raise invalid_token() from error
        if share is None:
            raise Problem(
                "too-many-shares",
                f"This game has reached its limit of {MOST} share links. Revoke one you no longer need.",
            )
        return answer(describe(share), 201, {"Location": f"/v1/games/{game_id}/shares/{share.token}"})


@blueprint.route("/<string:token>")
class OneShare(MethodView):
    @blueprint.operation("getShare", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, ShareSchema)
    def get(self, game_id: str, token: str) -> Response:
        """Get a share link

        A revoked or expired link is not found (404).
        """
        return answer(describe(_share(game_id, token)))

    @blueprint.operation("revokeShare", needs=RECORDER, limits=SMALL, refuses=["not-replicated"])
    @blueprint.response(204)
    def delete(self, game_id: str, token: str) -> Response:
        """Revoke a share link

        The link stops working at once.
        """
        if not store().sharing.withdraw(game_id, token):
            raise not_found("such link")
        return Response(status=204)


def _share(game_id: str, token: str) -> Share:
    share = store().sharing.find(token)
    if share is None or share.game != game_id:
        raise not_found("such link")
    return share
