"""Check a request for an audit."""

from __future__ import annotations

from engine.core.errors import EngineError
from engine.play.game import parse_header
from engine.review.versions import reader
from store import Store
from store.errors import Corrupt


def check_rules(store: Store, game_id: str, version: str) -> None:
    """Raise `Malformed` if the version `version` of the rules cannot read the record.

    If event 1 is damaged, do nothing: the audit reports that.
    """
    try:
        header = parse_header(store.events.read(game_id, until=1)[0])
    except (IndexError, Corrupt, EngineError):
        return
    reader(header, version)
