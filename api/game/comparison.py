"""Comparing: a game beside another one of the same ruleset, such as a fork beside its parent."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, position, store, versioned
from api.plumbing.limits import SMALL
from engine.core.differences import differences
from engine.core.digests import state_digest
from schemas.comparing import CompareQuery, Comparison
from service.comparing import Line, shared

blueprint = Blueprint(
    "comparing", __name__, url_prefix="/v1/games/<string:game_id>/compare", description="Two games side by side."
)


@blueprint.route("/<string:other_id>")
class Compared(MethodView):
    """Two games, compared."""

    @blueprint.operation("compareGames", needs=VIEWER, limits=SMALL, refuses=["invalid"])
    @blueprint.arguments(CompareQuery, location="query", error_status_code=400)
    @blueprint.response(200, Comparison, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str, other_id: str) -> Response:
        """Compare two games

        What they have in common from the beginning, both lines after that, and both states. Of the lines that stand:
        what was taken back has no part in it, and neither has what was only said about the game. `at` and `other_at`
        compare them as they were when those events were the last. Of each line `limit` events are told; where it
        `has_more`, they are read on as its story.
        """
        one, other = _line(game_id, query, "at"), _line(other_id, query, "other_at")
        both, limit = shared(one, other), query["limit"]
        document = {
            "common": both,
            "game": _document(one, both.events, both.at, limit),
            "other": _document(other, both.events, both.other_at, limit),
            "difference": differences(one.seen.state(), other.seen.state()),
        }
        return versioned(document, f"{one.game.version}-{other.game.version}")


def _line(game_id: str, query: dict[str, Any], until: str) -> Line:
    """What is asked of one of the two games, up to the event that `query` names as `until`."""
    asked = {"viewer": query["viewer"], **({"until": query[until]} if until in query else {})}
    return Line(store(), game_id, look(game_id, asked))


def _document(line: Line, shared: int, at: int, limit: int) -> dict[str, Any]:
    """Where the game stands, and what stands after the `shared` events, the last of them `at`, told."""
    events, has_more = line.after(shared, at, limit)
    return {
        "id": line.game_id,
        **position(line.game),
        "events": [{**msgspec.to_builtins(event), "sentence": sentence} for event, sentence in events],
        "has_more": has_more,
        "state": line.seen.state(),
        "state_hash": None if line.game.state is None else state_digest(line.game.state),
    }
