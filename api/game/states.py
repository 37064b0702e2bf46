"""The state of a game after any event, and the facts of its table."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, store, versioned_response
from api.plumbing.limits import SMALL
from api.plumbing.problems import malformed_request
from engine.core.digests import state_digest
from engine.play.beliefs import belief, telling
from engine.play.corrections import facts
from engine.play.game import Game
from schemas.reading import FactList, FactQuery, State, StateQuery
from service.table import position
from service.viewing import SeenGame, after_event, after_turn

blueprint = Blueprint(
    "states", __name__, url_prefix="/v1/games/<string:game_id>", description="The state of the table after any event."
)


@blueprint.route("/state")
class States(MethodView):
    @blueprint.operation("getState", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(StateQuery, location="query", error_status_code=400)
    @blueprint.response(200, State, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Get the state after an event

        Returns the table after the last event, after the event `at`, or after the last event in effect of `turn`. The
        table after event `at` is as it was at that time, without later amends.
        """
        if "at" in query and "turn" in query:
            raise malformed_request("/turn", "Send either `at` or `turn`, not both.")
        seen = look(game_id, query)
        game, is_rewritten = seen.game, False
        if "turn" in query:
            game, is_rewritten = after_turn(store(), game_id, game, query["turn"])
        elif "at" in query:
            game = after_event(store(), game_id, game, query["at"])
        tag = f"{game.version}-{seen.game.version}" if is_rewritten else game.version
        return versioned_response(state(seen, game), tag)


def state(seen: SeenGame, game: Game) -> dict[str, Any]:
    """Return the response with the state of `game` for the viewer of `seen`."""
    whole = None if game.state is None else state_digest(game.state)
    return {**position(game), "state": seen.state(game), "state_hash": whole}


@blueprint.route("/facts")
class Facts(MethodView):
    @blueprint.operation("listFacts", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(FactQuery, location="query", error_status_code=400)
    @blueprint.response(200, FactList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """List the facts of the table

        Lists all facts that are certain after the last event or the event `at`, as far as the viewer may see them. To
        correct the record, append an `adjust` with other `facts` in the same form.
        """
        seen = look(game_id, query)
        game = after_event(store(), game_id, seen.game, query["at"]) if "at" in query else seen.game
        told = [] if game.state is None else telling.known_facts(game.ruleset, game.state, seen.seat)
        rows = {} if game.state is None else belief.overview(game.ruleset, game.state, game.names)
        document = {
            "facts": list(map(facts.document, told)),
            "sentences": [fact.sentence(game.names) for fact in told],
            "overview": [{"label": label, "text": text} for label, text in rows.items()],
            "version": game.version,
        }
        return versioned_response(document, game.version)
