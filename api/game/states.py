"""The state of a game after any event, and the facts of its table."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, position, store, versioned
from api.plumbing.limits import SMALL
from api.plumbing.problems import malformed
from engine.core.digests import state_digest
from engine.play.beliefs import belief
from engine.play.corrections import facts
from engine.play.game import Game
from schemas.reading import (
    FactList,
    FactQuery,
    State,
    StateQuery,
)
from service.viewing import Seen, after_event, after_turn

blueprint = Blueprint(
    "states", __name__, url_prefix="/v1/games/<string:game_id>", description="The table, now and at any event."
)


@blueprint.route("/state")
class States(MethodView):
    """The states of a game."""

    @blueprint.operation("getState", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(StateQuery, location="query", error_status_code=400)
    @blueprint.response(200, State, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The table after an event

        The last one, the one that `at` names, or the last of `turn` on the line that stands. After event `at` the table
        is as it was then, whatever was amended since.
        """
        if "at" in query and "turn" in query:
            raise malformed("/turn", "either `at` or `turn`")
        seen = look(game_id, query)
        game, is_rewritten = seen.game, False
        if "turn" in query:
            game, is_rewritten = after_turn(store(), game_id, game, query["turn"])
        elif "at" in query:
            game = after_event(store(), game_id, game, query["at"])
        tag = f"{game.version}-{seen.game.version}" if is_rewritten else game.version
        return versioned(state(seen, game), tag)


def state(seen: Seen, game: Game) -> dict[str, Any]:
    """The state of `game` as it is told to whoever sees it as `seen`."""
    whole = None if game.state is None else state_digest(game.state)
    return {**position(game), "state": seen.state(game), "state_hash": whole}


@blueprint.route("/facts")
class Facts(MethodView):
    """What the table says of itself."""

    @blueprint.operation("listFacts", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(FactQuery, location="query", error_status_code=400)
    @blueprint.response(200, FactList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The facts of the table after an event

        The last one, or the one that `at` names: all that is so whatever nobody saw, as whoever looks may see it. An
        `adjust` with other `facts` puts right what the record has otherwise; each of these is one to tell.
        """
        seen = look(game_id, query)
        game = after_event(store(), game_id, seen.game, query["at"]) if "at" in query else seen.game
        told = [] if game.state is None else facts.known(game.ruleset, game.state, seen.seat)
        rows = {} if game.state is None else belief.overview(game.ruleset, game.state, game.header.names)
        document = {
            "facts": list(map(facts.document, told)),
            "sentences": [fact.sentence(game.header.names) for fact in told],
            "overview": [{"label": label, "text": text} for label, text in rows.items()],
            "version": game.version,
        }
        return versioned(document, game.version)
