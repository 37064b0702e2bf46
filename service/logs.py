"""Logs for export: read in pages, with a signed head."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.errors import UnknownRuleset
from engine.core.events import Event
from engine.play.game import Game
from exports import Format, Log, Rereadable
from proofs import deletion, heads
from proofs.deletion import Deletion
from proofs.dsse import Envelope
from proofs.heads import Head
from schemas.times import now
from service import analyses, viewing
from service.provenance import provenance
from store import Store
from store.errors import GameDeleted

_WITH_CHANCES = frozenset({"csv", "parquet", "sqlite"})
"""The formats that can have columns for the win chance."""
_TRANSCRIPTS = frozenset({"html", "markdown", "pdf"})
"""The formats that contain a sentence about the turning point."""


def signed_head(store: Store, game_id: str, game: Game, at: int) -> Envelope:
    """Return the head of `game` after event `at`, signed now."""
    if game.state is not None and at != game.version:
        game = store.games.get(game_id, at)
    hashes = store.events.hashes(game_id, at)
    head = Head(
        game=game_id,
        version=at,
        head=hashes[-1],
        signed_at=now(),
        ruleset=game.header.ruleset,
        ruleset_version=game.header.ruleset_version,
        hashes=tuple(hashes),
        provenance=provenance(store, game_id, at),
        by_hand=game.by_hand,
        seed_known_to=_known_seed(store, game_id, game),
    )
    return heads.sign(head, store.signing.active())


def _known_seed(store: Store, game_id: str, game: Game) -> str | None:
    if game.header.chance == "seeded" and store.events.import_origin(game_id).events:
        return heads.UNKNOWN
    return (store.events.first(game_id).recorded_by or heads.OPENER) if game.header.seed_chosen else None


def signed_deletion(store: Store, gone: GameDeleted) -> Envelope:
    """Return a certificate of the deletion of a game, signed now."""
    return deletion.sign(
        Deletion(
            game=gone.game_id,
            version=gone.version,
            head=gone.head,
            deleted_at=gone.at,
            signed_at=now(),
        ),
        store.signing.active(),
    )


def whole(store: Store, game_id: str, game: Game) -> Log:
    """Return the log up to the version of `game`. Its pages are read on demand."""
    return Log(game_id=game_id, events=_events(store, game_id, game.version), game=game)


def _events(store: Store, game_id: str, until: int, *, is_raw: bool = False) -> Rereadable:
    return Rereadable(partial(store.events.read_verified, game_id, until, is_raw=is_raw))


def as_stored(store: Store, game_id: str, *, sees_all: bool) -> tuple[Log, int, str] | None:
    """Return a game's log for the public, its version and its head, without a replay.

    Return None if the rules hide information that the viewer may not see.

    Args:
        sees_all: True if the viewer may see hidden information.

    Raises:
        UnknownRuleset: the rules are not installed, so it is unknown what they hide.
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


def analysis_suffix(store: Store, game_id: str, kind: Format) -> str:
    """Return a suffix for file names and ETags that identifies the analysis in an export.

    The suffix is empty if the export contains no analysis.
    """
    number = analyses.edition(store, game_id) if kind.name in _WITH_CHANCES | _TRANSCRIPTS else 0
    return f"-{number}" if number else ""


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
    """Return the log for the format `kind`, as `seat` may see it.

    Args:
        show: masks an event for the viewer.
        seat: the viewing seat; None: the public.
        is_damaged: True to export the log as stored, because a log that does not replay cannot be signed.
    """
    proof = signed_head(store, game_id, game, game.version) if kind.name == "json" and not is_damaged else None
    events = _events(store, game_id, game.version, is_raw=is_damaged)
    chances = analyses.chances(store, game_id) if kind.name in _WITH_CHANCES else {}
    told = analyses.turning_point(store, game_id, game) if kind.name in _TRANSCRIPTS else None
    return Log(
        game_id=game_id,
        events=events,
        game=game,
        show=show,
        seat=seat,
        proof=proof,
        chances=chances,
        turning_point=told,
    )
