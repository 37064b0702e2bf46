"""Proofs for outsiders: the keys that sign, signed heads, and that an older head is a beginning of the record."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.http import Blueprint, answer, store
from api.problems import Problem, not_found
from proofs.consistency import Consistency, Position
from schemas.common import Envelope as EnvelopeSchema
from schemas.proofs import Consistency as ConsistencySchema
from schemas.proofs import ConsistencyQuery, KeySet, ProofQuery
from store.signing import Published
from workers.logs import shown, signed_head

blueprint = Blueprint("proofs", __name__, url_prefix="/v1", description="Proofs that need no trust in this service.")


@blueprint.route("/keys")
class Keys(MethodView):
    @blueprint.response(200, KeySet)
    def get(self) -> Response:
        """The keys that sign

        A JWK set. A key that was rotated out stays here, so that what it signed can still be checked.
        """
        return answer(key_set(store().signing.published()))


@blueprint.route("/keys/<string:key_id>.pem")
class KeyFile(MethodView):
    @blueprint.doc(
        responses={
            "200": {
                "description": "SubjectPublicKeyInfo in PEM.",
                "content": {"application/x-pem-file": {"schema": {"type": "string"}}},
            }
        }
    )
    def get(self, key_id: str) -> Response:
        """A public key as a PEM file"""
        for one in store().signing.published():
            if one.key.id == key_id:
                return Response(one.key.pem(), content_type="application/x-pem-file")
        raise not_found("such key")


def key_set(published: list[Published]) -> dict[str, Any]:
    """The keys as a JWK set."""
    return {
        "keys": [
            {
                **one.key.jwk(),
                "created_at": one.created_at,
                "retired_at": one.retired_at,
                "status": one.status,
                "pem": one.key.pem(),
            }
            for one in published
        ]
    }


@blueprint.route("/games/<string:game_id>/proof")
class Proof(MethodView):
    @blueprint.arguments(ProofQuery, location="query", error_status_code=400)
    @blueprint.response(200, EnvelopeSchema)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The head, signed

        A DSSE envelope; its payload is a `Head`. With it, a log can be checked without this service.
        """
        game = store().games.latest(game_id)
        at = query.get("at", game.version)
        if at > game.version:
            raise not_found(f"event {at} in this game: its last is {game.version}")
        return answer(signed_head(store(), game_id, game, at))


@blueprint.route("/games/<string:game_id>/proof/consistency")
class OlderHead(MethodView):
    @blueprint.arguments(ConsistencyQuery, location="query", error_status_code=400)
    @blueprint.response(200, ConsistencySchema)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """That an older head is a beginning of the record

        The events after it, and the head as it is signed now: whoever has the older head chains the one to the other.
        """
        game = store().games.latest(game_id)
        version, head = query["from_"], query["head"]
        if version > game.version:
            raise _not_a_prefix(f"The record has {game.version} events.", game.version)
        (event,) = store().events.read(game_id, after=version - 1, limit=1)
        if event.hash != head:
            raise _not_a_prefix(f"Event {version} of the record has another hash.", game.version)
        show = shown(store(), game_id, game, None)
        events = store().events.read(game_id, after=version, until=game.version)
        return answer(
            Consistency(
                game=game_id,
                from_=Position(version, head),
                events=list(map(show, events)),
                proof=signed_head(store(), game_id, game, game.version),
            )
        )


def _not_a_prefix(detail: str, version: int) -> Problem:
    return Problem("not-a-prefix", detail, version=version)
