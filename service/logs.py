"""A game's log as it leaves: read page by page, and its head, signed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from engine.core.errors import UnknownRuleset
from engine.core.events import Event
from engine.play.game import Game
from exports import Format, Log, Rereadable
from proofs import deletion, heads
from proofs.deletion import Deletion
from proofs.dsse import Envelope
from proofs.heads import Head
from schemas.events import rfc3339
from service import viewing
from service.provenance import provenance
from store import Store
from store.errors import GameDeleted


def signed_head(store: Store, game_id: str, game: Game, at: int) -> Envelope:
    """The head of `game` after its event `at`, signed now."""
    if game.state is not None and at != game.version:
        game = store.games.get(game_id, at)
    hashes = store.events.hashes(game_id, at)
    head = Head(
        game=game_id,
        version=at,
        head=hashes[-1],
        signed_at=rfc3339(datetime.now(UTC)),
        ruleset=game.header.ruleset,
        ruleset_version=game.header.ruleset_version,
        hashes=tuple(hashes),
        provenance=provenance(store, game_id, at),
        by_hand=game.by_hand,
    )
    return heads.sign(head, store.signing.active())


def signed_deletion(store: Store, gone: GameDeleted) -> Envelope:
    """That a game was deleted, signed now."""
    return deletion.sign(
        Deletion(
            game=gone.game_id,
            version=gone.version,
            head=gone.head,
            deleted_at=gone.at,
            signed_at=rfc3339(datetime.now(UTC)),
        ),
        store.signing.active(),
    )


def whole(store: Store, game_id: str, game: Game) -> Log:
    """The log up to the version of `game`: read page by page, whenever it is asked for.

    Reading it raises `Damaged` where an event is not there.
    """
    return Log(game_id=game_id, events=_events(store, game_id, game.version), game=game)


def _events(store: Store, game_id: str, until: int, *, is_raw: bool = False) -> Rereadable:
    return Rereadable(partial(store.events.verified, game_id, until, is_raw=is_raw))


def as_stored(store: Store, game_id: str, *, sees_all: bool) -> tuple[Log, int, str] | None:
    """The log as everybody may see it, with its version and head, without playing it; None where its players can hide
    something.

    Args:
        sees_all: whether it is for somebody who may see what players hide.

    Raises:
        UnknownRuleset: nobody here knows whether they can, and it matters.
        UnknownGame, Damaged: it is not there, or its beginning cannot be read.
    """
    game = viewing.as_stored(store, game_id).game
    try:
        if game.ruleset.has_secrets:
            return None
    except UnknownRuleset:
        if not sees_all:
            raise
    events = _events(store, game_id, game.version)
    return Log(game_id=game_id, events=events, opening=game.header), game.version, game.head


def log(
    store: Store,
    game_id: str,
    game: Game,
    kind: Format,
    show: Callable[[Event], Event],
    *,
    seat: int | None = None,
    is_damaged: bool = False,
) -> Log:
    """The same, to be written as `kind`, as `seat` (None: the public) may see it.

    Args:
        is_damaged: whether it is written as it is stored: what does not replay is no record to sign.
    """
    proof = signed_head(store, game_id, game, game.version) if kind.name == "json" and not is_damaged else None
    events = _events(store, game_id, game.version, is_raw=is_damaged)
    return Log(game_id=game_id, events=events, game=game, show=show, seat=seat, proof=proof)
