"""Snapshots: a folded game as a JSON document, for caches. Snapshots can be deleted, because the log has all data."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Header
from engine.core.values import State
from engine.play import registry
from engine.play.beliefs.belief import Belief, Pooled, World, shared_members
from engine.play.beliefs.hands import Hand, Row
from engine.play.beliefs.places import TOP
from engine.play.game import Game

FORMAT = 7
"""Version of the format. Increase it whenever the shape of the document or of any state changes."""


class _Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    header: Header
    version: int
    head: str
    state: msgspec.Raw


def dump(game: Game) -> bytes:
    """Return the snapshot of `game` as a JSON document."""
    raw = msgspec.Raw(msgspec.json.encode(game.state, order="sorted"))
    snapshot = _Snapshot(format=FORMAT, header=game.header, version=game.version, head=game.head, state=raw)
    return msgspec.json.encode(snapshot)


def load(document: bytes) -> Game:
    """Return the game in a snapshot, which is equal to the game that was dumped.

    Raises:
        Malformed: the document is not a snapshot in the current format.
        UnknownRuleset: the ruleset is not installed.
    """
    try:
        snapshot = msgspec.json.decode(document, type=_Snapshot)
        if snapshot.format != FORMAT:
            raise Malformed("/format", f"the snapshot has format {snapshot.format}, not {FORMAT}")
        rules = registry.of(snapshot.header)
        state = _state(snapshot.state, rules.state)
    except msgspec.DecodeError as error:
        raise Malformed("", str(error)) from None
    return Game(header=snapshot.header, version=snapshot.version, head=snapshot.head, state=state)


_COUNTED = ("fields", "rows", "stock", "is_exact", "unknown_layers", "sorts")
"""The members of a counted belief that are loaded without conversion."""


class _Worlds(State, frozen=True, kw_only=True):
    worlds: tuple[tuple[int, msgspec.Raw], ...] | None = None
    fields: tuple[str, str] | None = None
    rows: tuple[Row, ...] = ()
    stock: Hand = ()
    is_exact: bool = True
    unknown_layers: tuple[int, ...] = TOP
    sorts: tuple[tuple[str, Hand], ...] = ()
    beside: msgspec.Raw = msgspec.Raw(b"null")


def _state(document: msgspec.Raw, kind: Any) -> State | None:
    if bytes(document) == b"null":
        return None
    known = msgspec.json.decode(document, type=_Worlds)
    if known.worlds is None:
        state: State = msgspec.json.decode(document, type=kind)
        return state
    worlds = tuple(World(weight, msgspec.json.decode(raw, type=kind)) for weight, raw in known.worlds)
    belief = Belief(**shared_members(known), worlds=worlds)
    if known.fields is None:
        return belief
    counted = {name: getattr(known, name) for name in _COUNTED}
    beside = _state(known.beside, kind)
    assert beside is None or isinstance(beside, Belief)
    return Pooled(**msgspec.structs.asdict(belief), **counted, beside=beside)
