"""Share links: made, listed and withdrawn; and as a QR code."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for
from flask.views import MethodView
from marshmallow import Schema

from api.plumbing.access import RECORDER, caller, gone
from api.plumbing.http import Blueprint, answer, now, optional_body, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import Problem, not_found
from schemas.sharing import Share as ShareSchema
from schemas.sharing import ShareList
from store.access.sharing import MOST, Share
from store.access.tokens import GiverGone

blueprint = Blueprint(
    "sharing", __name__, url_prefix="/v1/games/<string:game_id>/shares", description="Links to look at a game."
)


def describe(share: Share) -> dict[str, Any]:
    """A link as the API tells of it."""
    return {
        "token": share.token,
        "url": url_for("pages.shared.shared", token=share.token),
        "created_at": share.created_at,
        "expires_at": share.expires_at,
    }


@blueprint.route("")
class Shares(MethodView):
    """The links to a game."""

    @blueprint.operation("listShares", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, ShareList)
    def get(self, game_id: str) -> Response:
        """The links to a game

        Those that are open, oldest first.
        """
        store().events.head(game_id)
        return answer({"shares": [describe(share) for share in store().sharing.of(game_id)]})

    @blueprint.operation("shareGame", needs=RECORDER, limits=SMALL, refuses=["too-many-shares"])
    @blueprint.response(201, ShareSchema, headers=["Location"])
    def post(self, game_id: str) -> Response:
        """Make a link to a game

        Whoever has it may replay and watch the game, and nothing else, until it is withdrawn, or the token that gave it
        ends. There is nothing to choose: the body is empty.
        """
        optional_body(Schema())
        store().events.head(game_id)
        try:
            share = store().sharing.share(game_id, now(), caller().token, caller().expires_at)
        except GiverGone as error:
            raise gone() from error
        if share is None:
            raise Problem("too-many-shares", f"The game has {MOST} links: withdraw one first.")
        return answer(describe(share), 201, {"Location": f"/v1/games/{game_id}/shares/{share.token}"})


@blueprint.route("/<string:token>")
class OneShare(MethodView):
    """One link."""

    @blueprint.operation("getShare", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, ShareSchema)
    def get(self, game_id: str, token: str) -> Response:
        """A link

        While it is open.
        """
        return answer(describe(_share(game_id, token)))

    @blueprint.operation("withdrawShare", needs=RECORDER, limits=SMALL, refuses=["not-replicated"])
    @blueprint.response(204)
    def delete(self, game_id: str, token: str) -> Response:
        """Withdraw a link

        It leads nowhere from now on.
        """
        if not store().sharing.withdraw(game_id, token):
            raise not_found("such link")
        return Response(status=204)


def _share(game_id: str, token: str) -> Share:
    share = store().sharing.find(token)
    if share is None or share.game != game_id:
        raise not_found("such link")
    return share
