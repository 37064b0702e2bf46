"""Audits: what has to be known before one is ordered."""

from __future__ import annotations

from engine.core.errors import EngineError
from engine.play.game import opened
from engine.review.versions import reader
from store import Store
from store.errors import Corrupt


def check_rules(store: Store, game_id: str, version: str) -> None:
    """Refuse rules that cannot read the record; where its beginning is broken, the report will tell.

    Raises:
        Malformed: they cannot.
    """
    try:
        header = opened(store.events.read(game_id, until=1)[0])
    except (IndexError, Corrupt, EngineError):
        return
    reader(header, version)
