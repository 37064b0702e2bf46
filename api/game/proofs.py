"""Proofs for third parties: signing keys, signed heads, and consistency with an older head."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import ANYONE, VIEWER
from api.plumbing.http import TEXT, Blueprint, answer, look_at_log, store, streamed_response
from api.plumbing.limits import SMALL
from api.plumbing.problems import Problem, not_found
from engine.core.events import Event
from engine.play.game import Game
from proofs.consistency import Consistency, RecordPoint
from proofs.dsse import Envelope
from schemas.common import Envelope as EnvelopeSchema
from schemas.proofs import Consistency as ConsistencySchema
from schemas.proofs import ConsistencyQuery, KeySet, ProofQuery
from service import viewing
from service.logs import signed_head
from store.access.signing import PublishedKey
from store.errors import LacksRuleset, UnknownEvent

blueprint = Blueprint("proofs", __name__, url_prefix="/v1", description="Signatures and proofs that others can verify.")


@blueprint.route("/keys")
class Keys(MethodView):
    @blueprint.operation("listKeys", needs=ANYONE, limits=SMALL)
    @blueprint.response(200, KeySet)
    def get(self) -> Response:
        """List the signing keys

        Returns a JWK set. It includes earlier keys, so that you can still verify their signatures.
        """
        return answer(key_set(store().signing.published_keys()))


@blueprint.route("/keys/<string:key_id>.pem")
class KeyFile(MethodView):
    @blueprint.operation("getKeyFile", needs=ANYONE, limits=SMALL)
    @blueprint.file("The public key as SubjectPublicKeyInfo in PEM.", {"application/x-pem-file": TEXT})
    def get(self, key_id: str) -> Response:
        """Get a public key as a PEM file

        PEM is the format that `openssl` and most libraries read.
        """
        for one in store().signing.published_keys():
            if one.key.id == key_id:
                return Response(one.key.pem(), content_type="application/x-pem-file")
        raise not_found("such key")


def key_set(published: list[PublishedKey]) -> dict[str, Any]:
    """Return the keys as a JWK set."""
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
    @blueprint.operation("getProof", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ProofQuery, location="query", error_status_code=400)
    @blueprint.response(200, EnvelopeSchema)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Get the signed head

        Returns a DSSE envelope; its payload is a `Head`. With it, you can verify a log without this service.
        """
        game = _signable(game_id)
        at = query.get("at", game.version)
        if at > game.version:
            raise UnknownEvent(at, game.version)
        return answer(signed_head(store(), game_id, game, at))


@blueprint.route("/games/<string:game_id>/proof/consistency")
class OlderHead(MethodView):
    @blueprint.operation("proveConsistency", needs=VIEWER, limits=SMALL, refuses=["not-a-prefix"])
    @blueprint.arguments(ConsistencyQuery, location="query", error_status_code=400)
    @blueprint.response(200, ConsistencySchema)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Prove consistency with an older head

        Returns the events after the older head, and the current head, newly signed. If you have the older head, you can
        verify that the current head continues from it.
        """
        game = _signable(game_id)
        version, head = query["from_"], query["head"]
        if version > game.version:
            raise _not_a_prefix(
                f"You sent the head of event {version}, but the record has only {game.version} events.", game.version
            )
        (event,) = store().events.read(game_id, after=version - 1, limit=1)
        if event.hash != head:
            raise _not_a_prefix(
                f"Event {version} of the record has a different hash than the head that you sent.", game.version
            )
        proof = signed_head(store(), game_id, game, game.version)
        show = look_at_log(game_id, {"viewer": None}).show
        return streamed_response(_consistency(game_id, game, RecordPoint(version, head), proof, show))


def _signable(game_id: str) -> Game:
    """Return the game whose head will be signed.

    The rules of the game need not be installed. But the log must not be known as damaged.
    """
    try:
        return store().games.latest(game_id)
    except LacksRuleset:
        return viewing.as_stored(store(), game_id).game


def _consistency(
    game_id: str, game: Game, older: RecordPoint, proof: Envelope, show: Callable[[Event], Event]
) -> Iterator[bytes]:
    """Yield `Consistency` as JSON, with its events as the caller may see them."""
    encode = msgspec.json.Encoder().encode
    start, end = encode(Consistency(game=game_id, from_=older, events=[], proof=proof)).split(b'"events":[]')
    yield start + b'"events":['
    separator = b""
    for page in store().events.pages(game_id, older.version, game.version):
        for event in page:
            yield separator + encode(show(event))
            separator = b","
    yield b"]" + end


def _not_a_prefix(detail: str, version: int) -> Problem:
    return Problem("not-a-prefix", detail, version=version)
