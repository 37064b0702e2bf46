"""A game's log as it leaves: what a viewer may see of it, and its head, signed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from engine.events import Event
from engine.fold import Game
from engine.secrets import mask
from exports import Format, Log, Rereadable
from proofs import heads
from proofs.dsse import Envelope
from proofs.heads import Head
from schemas.events import rfc3339
from store import Store


def shown(
    kept: Store, game_id: str, game: Game, seat: int | None, *, is_live: bool = False
) -> Callable[[Event], Event]:
    """Shows an event of the game as `seat` (None: the public) may see it when the game stands where it does.

    Args:
        is_live: whether what is appended later may reveal it, too.
    """
    if not game.ruleset.has_secrets:
        return lambda event: event
    events, until = kept.events, None if is_live else game.version
    return mask(game.ruleset, seat, lambda seq: itertools.chain.from_iterable(events.pages(game_id, seq, until)))


def signed_head(kept: Store, game_id: str, game: Game, at: int) -> Envelope:
    """The head of `game` after its event `at`, signed now."""
    hashes = kept.events.hashes(game_id, at)
    head = Head(
        game=game_id,
        version=at,
        head=hashes[-1],
        signed_at=rfc3339(datetime.now(UTC)),
        ruleset=game.header.ruleset,
        ruleset_version=game.header.ruleset_version,
        hashes=tuple(hashes),
    )
    return heads.sign(head, kept.signing.active())


def log(kept: Store, game_id: str, game: Game, kind: Format, show: Callable[[Event], Event]) -> Log:
    """The log up to the version of `game`, to be written as `kind`: read page by page, whenever it is asked for."""

    def read() -> Iterator[Event]:
        return itertools.chain.from_iterable(kept.events.pages(game_id, until=game.version))

    proof = signed_head(kept, game_id, game, game.version) if kind.name == "json" else None
    return Log(game_id=game_id, events=Rereadable(read), show=show, proof=proof)
