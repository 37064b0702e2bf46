"""Comparison of two games of the same ruleset, such as a fork and its parent."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, store, versioned_response
from api.plumbing.limits import SMALL
from engine.core.differences import differences
from engine.core.digests import state_digest
from engine.play.tables import differing_facts
from schemas.comparing import CompareQuery, Comparison
from service.comparing import ComparedLine, common_beginning
from service.table import position

blueprint = Blueprint(
    "comparing", __name__, url_prefix="/v1/games/<string:game_id>/compare", description="Two games side by side."
)


@blueprint.route("/<string:other_id>")
class GameComparison(MethodView):
    @blueprint.operation("compareGames", needs=VIEWER, limits=SMALL, refuses=["invalid"])
    @blueprint.arguments(CompareQuery, location="query", error_status_code=400)
    @blueprint.response(200, Comparison, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str, other_id: str) -> Response:
        """Compare two games

        Returns the common beginning of both games, the events after it in each game, and both states. Only events in
        effect are included: no undone events, and no comments. With `at` and `other_at`, the games are compared as they
        were after those events. The response has up to `limit` events of each game. If a game `has_more`, read the rest
        from its story.
        """
        one, other = _line(game_id, query, "at"), _line(other_id, query, "other_at")
        both, limit = common_beginning(one, other), query["limit"]
        document = {
            "common": both,
            "game": _document(one, both.events, both.at, limit),
            "other": _document(other, both.events, both.other_at, limit),
            "difference": differences(one.seen.state(), other.seen.state()),
            "facts": _facts(one, other),
        }
        return versioned_response(document, f"{one.game.version}-{other.game.version}")


def _facts(one: ComparedLine, other: ComparedLine) -> tuple[str, ...]:
    """Return the facts, in words, that are true of the first table but not of the second."""
    was, now = one.game.state, other.game.state
    if was is None or now is None:
        return ()
    return differing_facts(other.game.ruleset, was, now, other.game.names, other.seen.seat)


def _line(game_id: str, query: dict[str, Any], until: str) -> ComparedLine:
    asked = {"viewer": query["viewer"], **({"until": query[until]} if until in query else {})}
    return ComparedLine(store(), game_id, look(game_id, asked))


def _document(line: ComparedLine, shared: int, at: int, limit: int) -> dict[str, Any]:
    """Return the status of a game, and its events after event `at`, the last of the `shared` common events."""
    events, has_more = line.after(shared, at, limit)
    return {
        "id": line.game_id,
        **position(line.game),
        "events": [{**msgspec.to_builtins(event), "sentence": sentence} for event, sentence in events],
        "has_more": has_more,
        "state": line.seen.state(),
        "state_hash": None if line.game.state is None else state_digest(line.game.state),
    }
