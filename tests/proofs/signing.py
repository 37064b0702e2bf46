"""A key for signatures in tests, and logs to sign."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Event
from proofs import heads
from proofs.dsse import Envelope
from proofs.heads import Head
from proofs.keys import PrivateKey
from tests.playouts import clock

KEY = PrivateKey(bytes(range(32)))
OTHER = PrivateKey(bytes(range(1, 33)))
GAME = "01kaj5x9f3q8w7e2r4t6y8u0pz"


def head(events: Sequence[Event], game: str = GAME) -> Head:
    """Return the head of a log."""
    return Head(
        game=game,
        version=len(events),
        head=events[-1].hash,
        signed_at=clock(len(events) + 1),
        ruleset="forbidden-island",
        ruleset_version="1",
        hashes=tuple(event.hash for event in events),
    )


def sign_head(events: Sequence[Event], key: PrivateKey = KEY, game: str = GAME) -> Envelope:
    """Return the signed head of a log."""
    return heads.sign(head(events, game), key)
