"""Facts about a recorded table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.errors import (
    UnsoundTable,
)
from engine.core.events import Event
from engine.kit.facts import Tableau
from engine.play.corrections import facts
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold
from engine.review.audit import audit
from tests.engine.recording import dealt
from tests.recording import Recording

Told = dict[str, Any]


def has(seat: str, card: str, count: int = 1) -> Told:
    return {"fact": "has_cards", "seat": seat, "card": card, "count": count}


def water(level: int) -> Told:
    return {"fact": "water_level", "level": level}


def tile(name: str, state: str) -> Told:
    return {"fact": "tile_is", "tile": name, "state": state}


def tell(recording: Recording, *told: Told, **more: Any) -> Any:
    """Append an event that reports the facts in `told`, and return its params."""
    event, *_ = recording.add("adjust", facts=list(told), reason="as it lies", **more)
    return event.params


def refusal(recording: Recording, *told: Told, **more: Any) -> UnsoundTable:
    with pytest.raises(UnsoundTable) as refused:
        tell(recording, *told, **more)
    return refused.value


def state(recording: Recording) -> Any:
    return recording.game.state


def photograph(recording: Recording) -> list[Told]:
    return [facts.document(fact) for fact in Tableau(recording.game.ruleset.facts, state(recording))]


def round_trip(recording: Recording) -> None:
    log = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(log) == recording.game
    assert audit(log).findings == ()


def unseen_card(**options: Any) -> Recording:
    """Return a game in which Ada has drawn a card that nobody noted, as event 3."""
    recording = dealt(**options)
    recording.add("draw_treasure_card", "p1", [None])
    return recording


def chances(recording: Recording) -> list[dict[Any, Fraction]]:
    found = unknowns(recording.history.rules, recording.history.mainline)
    return [one.point.probabilities() for one in found]
