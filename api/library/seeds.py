"""Mixed seeds: several devices each commit to a share, then all reveal theirs."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from marshmallow import ValidationError

from api.plumbing.access import ANYONE, OPENER
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import not_found
from schemas.seeds import COMMITMENT, BeginSeed, SeedShare
from schemas.seeds import Seed as SeedSchema
from service import mixing
from store.work.mixes import Mix

blueprint = Blueprint(
    "seeds", __name__, url_prefix="/v1/seeds", description="Seeds that several devices choose together."
)


def describe(mix: Mix) -> dict[str, Any]:
    """Return the API document of a mixed seed; it never contains a share."""
    return {
        "id": mix.id,
        "status": _status(mix),
        "shares": mix.size,
        "revealed": mix.revealed_count,
        "commitments": mix.commitments,
        "expires_at": mix.until,
        "game": mix.game,
    }


def _status(mix: Mix) -> str:
    if mix.game is not None:
        return "used"
    if mix.is_complete:
        return "complete"
    return "committing" if len(mix.shares) < mix.size else "revealing"


@blueprint.route("")
class Seeds(MethodView):
    @blueprint.operation("beginSeed", needs=OPENER, limits=SMALL, refuses=["not-replicated"])
    @blueprint.arguments(BeginSeed)
    @blueprint.response(201, SeedSchema, headers=["Location"])
    def post(self, body: dict[str, Any]) -> Response:
        """Begin to mix a seed

        The service commits to a share of its own. Give the id to the devices that contribute: each commits to a share,
        then all reveal theirs, and finally a new game uses the id as its `seed_mix`.
        """
        mix = store().mixes.begin(body["shares"])
        return answer(describe(mix), 201, {"Location": f"/v1/seeds/{mix.id}"})


@blueprint.route("/<string:seed_id>")
class OneSeed(MethodView):
    @blueprint.operation("getSeed", needs=ANYONE, limits=SMALL)
    @blueprint.response(200, SeedSchema)
    def get(self, seed_id: str) -> Response:
        """Get a mixed seed

        Returns the commitments and the status, which determines the next step. Anyone with the id can read the seed and
        contribute.
        """
        return answer(describe(mixing.find(store(), seed_id)))


@blueprint.route("/<string:seed_id>/shares/<string:commitment>")
class OneSeedShare(MethodView):
    @blueprint.operation("putSeedShare", needs=ANYONE, limits=SMALL, refuses=["seed-share-rejected", "not-replicated"])
    @blueprint.arguments(SeedShare)
    @blueprint.response(200, SeedSchema)
    def put(self, body: dict[str, Any], seed_id: str, commitment: str) -> Response:
        """Commit to a share, or reveal it

        To commit, send `{}`; the address contains the SHA-256 of the share, as lower-case hex. To reveal the share,
        send `{"share": …}` once every share is committed. Repeating a request changes nothing.
        """
        try:
            COMMITMENT(commitment)
        except ValidationError as error:
            raise not_found("such seed") from error
        return answer(describe(mixing.take(store(), seed_id, commitment, body.get("share"))))
