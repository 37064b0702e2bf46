"""Recording: from a request's drafts to events on disk, in one round trip where nothing is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from secrets import token_hex

import msgspec

from api.problems import Problem
from engine import lifecycle
from engine.chance import Chance, Seeded, Undrawn
from engine.corrections import is_hiding
from engine.errors import EngineError, IllegalAction, Malformed, NotDrawn
from engine.events import Draft, Event
from engine.fold import Game
from engine.history import history
from engine.lines import Impact, Past
from engine.record import chance_for, record
from engine.secrets import salted
from store import Store
from store.errors import StoreError, StoreUnavailable, VersionConflict
from store.streams import Appended, IdempotencyKey, Replayed

SEEN_FIRST = "What comes to light there is seen first: send what follows it by itself."
"""Why a list does not go on behind what opens a secret."""
_PATIENCE = 20
"""How often a busy game may move on under one append before the caller is told."""


class Recorded(msgspec.Struct, frozen=True):
    """What came of an append."""

    game: Game
    """As it stands after the append."""
    events: list[Event]
    is_replay: bool = False
    """Whether it was done before, by the same request."""
    impact: tuple[Impact, ...] | None = None
    """What the corrections among the events do to those that follow them; None where there are none, or where it is
    not told."""


def append(
    store: Store,
    game_id: str,
    drafts: Sequence[Draft],
    *,
    recorded_at: str,
    key: IdempotencyKey | None = None,
    versions: set[str] | None = None,
    is_dry_run: bool = False,
) -> Recorded:
    """Judge `drafts` and append them, all or none.

    The game is taken from this process's memory where it is there; the store's script refuses the append if it is
    not the newest, and hands over what is newer. So a refusal is only given after the newest game was asked.

    Args:
        versions: those at which the caller wants it (`If-Match`); None: at any.

    Raises:
        Problem: the game has moved on from `versions`.
        EngineError, StoreError: it was refused; nothing was appended.
    """
    game = None if is_dry_run else store.games.cached(game_id)
    is_newest = game is None
    if game is None:
        game = store.games.latest(game_id)
    if game.ruleset.has_secrets:
        drafts = [salted(game.ruleset, draft, token_hex(16)) for draft in drafts]
    for _ in range(_PATIENCE):
        try:
            return _attempt(
                store,
                game_id,
                game,
                drafts,
                recorded_at=recorded_at,
                key=key,
                versions=versions,
                is_dry_run=is_dry_run,
            )
        except VersionConflict as conflict:
            game = store.games.catch_up(game_id, game, conflict.events)
            is_newest = True
        except (EngineError, Problem) as refused:
            if _is_hopeless(refused, drafts):
                raise
            replay = key and _replay(store, game_id, key)
            if replay:
                return replay
            newest = game if is_newest else store.games.latest(game_id)
            is_newest = True
            if newest.version == game.version:
                raise
            game = newest
    raise VersionConflict(game.version, [])


def list_at_once(store: Store, game_id: str) -> None:
    """Put a game into the list without waiting for a worker: when it is opened, set up, or over.

    The events are on disk already: where this fails, a worker does it.
    """
    with suppress(StoreError):
        store.projections.project(game_id)


def _attempt(
    store: Store,
    game_id: str,
    game: Game,
    drafts: Sequence[Draft],
    *,
    recorded_at: str,
    key: IdempotencyKey | None,
    versions: set[str] | None,
    is_dry_run: bool,
) -> Recorded:
    if versions is not None and str(game.version) not in versions:
        raise Problem("version-conflict", f"The game is at version {game.version}.", version=game.version)
    if len(drafts) > 1 and game.ruleset.has_secrets:
        _check_seen_first(game, drafts)
    past = store.games.past(game_id)
    chance = chance_for(game.header, store.games.seed(game_id, game))
    if is_dry_run:
        return _tried(game, drafts, Undrawn() if isinstance(chance, Seeded) else chance, past, recorded_at)
    after, events = record(game, drafts, chance, past, recorded_at=recorded_at)
    appended = _append(store, game_id, game, events, key)
    if isinstance(appended, Replayed):
        return _replayed(store, game_id, appended)
    store.games.keep(game_id, after)
    if after.status != game.status:
        list_at_once(store, game_id)
    return Recorded(after, events, impact=_impact(past, events))


def _tried(game: Game, drafts: Sequence[Draft], chance: Chance, past: Past, recorded_at: str) -> Recorded:
    """What a dry run tells: nothing of what the service would draw, of the seed, or of what a draft would reveal.

    These are told when they are appended, not before: a list is judged up to the first draw.
    """
    try:
        after, events = record(game, drafts, chance, past, recorded_at=recorded_at)
    except NotDrawn:
        return Recorded(game, [])
    if any(game.ruleset.reveals(draft.type) for draft in drafts):
        return Recorded(game, [])
    return Recorded(after, events, impact=_impact(past, events))


def _check_seen_first(game: Game, drafts: Sequence[Draft]) -> None:
    """Refuse a list that goes on behind what opens a secret: were it refused there, it would tell the secret.

    Raises:
        IllegalAction: with the place in the list.
    """
    for index, draft in enumerate(drafts[:-1]):
        if game.ruleset.reveals(draft.type) and game.state is not None and is_hiding(game.ruleset, game.state):
            refused = IllegalAction(lifecycle.RULE, SEEN_FIRST)
            refused.index = index + 1
            raise refused


def _impact(past: Past, events: Sequence[Event]) -> tuple[Impact, ...] | None:
    """What the corrections among `events` do, as `past` remembers it."""
    if not any(event.type in lifecycle.REWRITING for event in events):
        return None
    return tuple(one for event in events for one in past.impacts.get(event.seq, ()))


def _is_hopeless(refused: EngineError | Problem, drafts: Sequence[Draft]) -> bool:
    """Whether a draft has a shape that no version of the game would take: the store need not be asked."""
    return isinstance(refused, Malformed) and drafts[refused.index or 0].type not in lifecycle.KINDS


def _append(
    store: Store, game_id: str, game: Game, events: Sequence[Event], key: IdempotencyKey | None
) -> Appended | Replayed:
    """Append, and where the answer is lost, append again: the log itself knows whether it was done.

    Raises:
        StoreError: it was not done, or nobody can say.
    """
    expected = (game.version, game.head)
    try:
        return store.events.append(game_id, expected, events, key)
    except StoreUnavailable:
        try:
            return store.events.append(game_id, expected, events, key)
        except VersionConflict as conflict:
            stored = [event.hash for event in conflict.events[: len(events)]]
            if stored != [event.hash for event in events]:
                raise
            return Appended(events[0].seq, events[-1].seq)


def _replay(store: Store, game_id: str, key: IdempotencyKey) -> Recorded | None:
    """What the request with this key did before, if it did."""
    replayed = store.events.replayed(game_id, key)
    return None if replayed is None else _replayed(store, game_id, replayed)


def _replayed(store: Store, game_id: str, replayed: Replayed) -> Recorded:
    events = store.events.read(game_id, after=replayed.first - 1, until=replayed.last)
    game = store.games.get(game_id, at=replayed.last)
    if not any(event.type in lifecycle.REWRITING for event in events):
        return Recorded(game, events, is_replay=True)
    played = history(store.events.read(game_id, until=replayed.last))
    return Recorded(game, events, is_replay=True, impact=_impact(played, events))
