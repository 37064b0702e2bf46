"""Snapshots: a folded game as a JSON document and back, equal. Always disposable: the log is the truth."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import registry
from engine.errors import Malformed
from engine.events import Header
from engine.fold import Game

FORMAT = 2
"""Goes up whenever the document's shape or any state's shape changes."""


class _Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    header: Header
    version: int
    head: str
    state: msgspec.Raw


def dump(game: Game) -> bytes:
    """The snapshot of `game`: one JSON document."""
    raw = msgspec.Raw(msgspec.json.encode(game.state, order="sorted"))
    snapshot = _Snapshot(format=FORMAT, header=game.header, version=game.version, head=game.head, state=raw)
    return msgspec.json.encode(snapshot)


def load(document: bytes) -> Game:
    """The game that `dump` was given.

    Raises:
        Malformed: it is not such a document, or one of another format.
        UnknownRuleset: its ruleset is not installed.
    """
    try:
        snapshot = msgspec.json.decode(document, type=_Snapshot)
        if snapshot.format != FORMAT:
            raise Malformed("/format", f"this is format {snapshot.format}, not {FORMAT}")
        rules = registry.ruleset(snapshot.header.ruleset, snapshot.header.ruleset_version)
        kind: Any = rules.state | None
        state = msgspec.json.decode(snapshot.state, type=kind)
    except msgspec.DecodeError as error:
        raise Malformed("", str(error)) from None
    return Game(header=snapshot.header, version=snapshot.version, head=snapshot.head, state=state)
