"""Helpers for tests of corrections."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core.events import Event
from engine.play.fold import fold, history
from engine.review.audit import audit
from tests.recording import Recording


def entry(type_: str, actor: str | None = None, outcomes: tuple[Any, ...] = (), **params: Any) -> dict[str, Any]:
    return {"type": type_, "actor": actor, "params": params, "outcomes": list(outcomes)}


def line(recording: Recording) -> list[tuple[int, int, str | None]]:
    return [(slot.number, slot.source, slot.entry and slot.entry.type) for slot in history(recording.events).mainline]


def effects(recording: Recording) -> list[tuple[int, str]]:
    return [(one.seq, one.effect) for one in recording.history.impacts[recording.game.version]]


def pawn(recording: Recording, seat: int = 0) -> Any:
    return recording.game.state.pawns[seat]  # type: ignore[union-attr]


def round_trip(recording: Recording, *, drawn_again: tuple[int, ...] = ()) -> None:
    """Check that the log is complete: a replay leads to the same game, without findings except for repeated draws."""
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    report = audit(events)
    assert [(finding.seq, finding.kind) for finding in report.findings] == [(seq, "drawn_again") for seq in drawn_again]
