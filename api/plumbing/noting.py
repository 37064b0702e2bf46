"""The access log, as requests write it: who used a right that not everybody has, noted before it is used."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from flask import current_app, request

from api.plumbing.access import caller
from schemas.events import rfc3339
from service.access import Role
from store import Store
from store.access.access_log import Use
from store.cache import Cache

LOOKING_SECONDS = 60.0
"""Whoever looks at a game as another seat asks often: a process notes it once in that time."""
_LOOKED: Cache[tuple[str, str, str], float] = Cache(10_000)
"""When it was noted last that a token looked at a game as a seat."""


def note(game: str | None = None, **about: str | None) -> None:
    """Note what the present request asks for.

    Args:
        game: on which one; None: on that of its address, if there is one.
        about: what else is to be known of it, besides what its address names; None is left out.

    Raises:
        StoreUnavailable: it is not noted, so it must not be done.
    """
    assert request.url_rule is not None
    named = {name: str(value) for name, value in (request.view_args or {}).items()}
    own = named.pop("game_id", None)
    path = request.url_rule.rule.replace("<string:", "{").replace("<path:", "{").replace("<int:", "{").replace(">", "}")
    who = caller()
    use = Use(
        at=rfc3339(datetime.now(UTC)),
        by=who.name,
        token=who.token,
        action=f"{request.method} {path}",
        game=game or own,
        about=named | {name: value for name, value in about.items() if value is not None},
    )
    store: Store = current_app.extensions["store"]
    store.access_log.note(use, by_admin=who.role is Role.ADMIN)


def note_look(game_id: str, viewer: str) -> None:
    """Note that the caller looks at a game as a seat, which takes more than everybody may; not each time.

    On an open service everybody may, and nothing is noted.

    Raises:
        As `note`.
    """
    token = caller().token
    if token is None:
        return
    looked, now = (token, game_id, viewer), time.monotonic()
    noted = _LOOKED.get(looked)
    if noted is None or now - noted > LOOKING_SECONDS:
        note(game_id, viewer=viewer)
        _LOOKED.put(looked, now)
