"""What an answer to an append brings besides: what the reads would answer after it, so that a tap is one request."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import current_app, request

from api.game.actions import legal_actions
from api.game.board import compared_with, drawn
from api.game.states import state
from api.game.story import narrated
from api.plumbing import budget
from api.plumbing.http import look, store
from api.plumbing.problems import malformed
from engine.core.errors import EngineError
from engine.core.events import Event
from engine.play.game import Game
from schemas.appending import MOST_LINES
from service import viewing
from store.errors import StoreError


def check(game_id: str, query: dict[str, Any]) -> None:
    """Refuse, before anything is appended, what could not be told afterwards.

    Raises:
        Problem: `include` makes no sense here.
        Forbidden, UnknownViewer: the caller may not see what that viewer sees, or there is none.
        StoreError: there is no such game.
    """
    if "include" in query and query["dry_run"]:
        raise malformed("/include", "nothing with `dry_run`, after which all is as it was")
    if query["viewer"] is not None:
        look(game_id, query)


def included(game_id: str, query: dict[str, Any], game: Game, events: list[Event]) -> dict[str, Any]:
    """What `query` asks to be told of the game as it is after `events` were appended.

    It has the time of one request for it; what there is no time for, or what cannot be had, is None: that the events
    are in the log has to be told all the same.
    """
    names = query.get("include", ())
    found: dict[str, Any] = dict.fromkeys(names)
    if not names:
        return found
    seen = viewing.at(store(), game_id, game, query["viewer"])
    after = query.get("after", events[0].seq - 1 if events else game.version)

    def board() -> str:
        compared = compared_with(query["changes"], game.version, game.version)
        return drawn(game_id, seen, game.version, compared, layout=query["layout"]).decode()

    make: dict[str, Callable[[], Any]] = {
        "actions": lambda: legal_actions(game),
        "story": lambda: narrated(game_id, game, after, min(after + MOST_LINES, game.version)),
        "board": board,
        "state": lambda: state(seen, game),
    }
    # Too much work is an error of the engine, too.
    with (
        suppress(EngineError, StoreError),
        budget.of_request(request.environ, current_app.config["SETTINGS"].request_seconds),
    ):
        for name in names:
            found[name] = make[name]()
    return found
