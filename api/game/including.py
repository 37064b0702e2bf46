"""Included members: data that a response adds, so that the client need not request it next."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import current_app, request

from api.game.board import compared_version, draw
from api.game.states import state
from api.game.story import story_document
from api.plumbing import budget
from api.plumbing.access import caller
from api.plumbing.http import look, store
from api.plumbing.problems import malformed_request
from engine.core.errors import EngineError
from engine.play.game import Game
from schemas.including import MOST_LINES
from service import viewing
from service.table import legal_actions
from store.errors import StoreError


def check(game_id: str, query: dict[str, Any]) -> None:
    """Raise an error if `include` names members that the response to this append cannot have.

    Call this before the append.
    """
    if "include" in query and query["dry_run"]:
        raise malformed_request("/include", "`include` is not available with `dry_run`.")
    if query["viewer"] is not None:
        look(game_id, query)


def requested_members(game_id: str, query: dict[str, Any], game: Game, after: int) -> dict[str, Any]:
    """Return the members that `include` requests. Without `after` in the query, the story begins after event `after`.

    All members together may take as long as one request. A member that takes longer, or is unavailable, is None,
    because the response must report the append in any case.
    """
    names = query.get("include", ())
    found: dict[str, Any] = dict.fromkeys(names)
    if not names:
        return found
    seen = viewing.at(store(), game_id, game, query["viewer"])
    after = query.get("after", after)

    def board() -> str:
        compared = compared_version(query["changes"], game.version, game.version)
        return draw(game_id, seen, game.version, compared, layout=query["layout"]).decode()

    make: dict[str, Callable[[], Any]] = {
        "actions": lambda: legal_actions(game, caller()),
        "story": lambda: story_document(game_id, game, after, min(after + MOST_LINES, game.version)),
        "board": board,
        "state": lambda: state(seen, game),
    }
    # `TooMuchWork` is an `EngineError`, too.
    with (
        suppress(EngineError, StoreError),
        budget.of_request(request.environ, current_app.config["SETTINGS"].request_seconds),
    ):
        for name in names:
            found[name] = make[name]()
    return found
