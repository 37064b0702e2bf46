"""Audits: checks before an audit is created."""

from __future__ import annotations

from engine.core.errors import EngineError
from engine.play.game import parse_header
from engine.review.versions import reader
from store import Store
from store.errors import Corrupt


def check_rules(store: Store, game_id: str, version: str) -> None:
    """Raise `Malformed` if these rules cannot read the record. The audit itself reports a damaged event 1."""
    try:
        header = parse_header(store.events.read(game_id, until=1)[0])
    except (IndexError, Corrupt, EngineError):
        return
    reader(header, version)
