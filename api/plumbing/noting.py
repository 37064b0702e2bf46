"""Write requests with special permissions to the access log, before they take effect."""

from __future__ import annotations

import time

from flask import current_app, request

from api.plumbing.access import caller
from schemas.times import now
from service.access import Role
from store import Store
from store.access.access_log import Use
from store.cache import Cache

LOOKING_SECONDS = 60.0
"""Minimum seconds between two log entries of a process about the same seat and game. Viewers poll often."""
_LOOKED: Cache[tuple[str, str, str], float] = Cache(10_000)
"""The last time that a view was logged, by token, game and seat."""


def note(game: str | None = None, **about: str | None) -> None:
    """Write the current request to the access log. If that fails, the request must not be carried out.

    Args:
        game: the id of the request's game; None: the game in the request's address, if any.
        about: details that are not in the address; None values are omitted.
    """
    assert request.url_rule is not None
    named = {name: str(value) for name, value in (request.view_args or {}).items()}
    own = named.pop("game_id", None)
    path = request.url_rule.rule.replace("<string:", "{").replace("<path:", "{").replace("<int:", "{").replace(">", "}")
    who = caller()
    use = Use(
        at=now(),
        by=who.name,
        token=who.token,
        action=f"{request.method} {path}",
        game=game or own,
        about=named | {name: value for name, value in about.items() if value is not None},
    )
    store: Store = current_app.extensions["store"]
    store.access_log.note(use, by_admin=who.role is Role.ADMIN)


def note_look(game_id: str, viewer: str) -> None:
    """Write to the access log that the caller views a game as a seat, which not everyone may do. Skip repeated views.

    On an open service everyone may do this, so nothing is logged.
    """
    token = caller().token
    if token is None:
        return
    looked, now = (token, game_id, viewer), time.monotonic()
    noted = _LOOKED.get(looked)
    if noted is None or now - noted > LOOKING_SECONDS:
        note(game_id, viewer=viewer)
        _LOOKED.put(looked, now)
