"""The story of a game: its events as sentences, each with its status."""

from __future__ import annotations

import msgspec

from engine.core.language import ENGLISH, current_language
from engine.core.lifecycle import REWRITING
from engine.play.fold import History
from engine.play.game import Game
from engine.review.redraws import find_redraws
from engine.review.turns import Turn, index, narrate
from exports.narration import Fates, Surroundings, narrate_part, narrate_played, needed_states, reads
from service.logs import whole
from service.story_lines import StoryLine, line
from service.viewing import masking
from store import Store
from store.cache import Cache
from store.errors import replaying

KEPT = 32 * 1024 * 1024
"""Maximum bytes of each cache below, per process."""

_PARTS: Cache[tuple[str, int, int, str], bytes] = Cache(KEPT, len)
"""Parts of stories in JSON, by head, `after` and `until` (see `part_json`), and language.

All viewers of a game request the same parts.
"""
_READS: Cache[tuple[str, str], dict[int, str]] = Cache(KEPT, lambda read: 64 + sum(map(len, read.values())))
"""The sentences of rewritten events, by head and language."""
_TURNS: Cache[tuple[str, str], list[Turn]] = Cache(KEPT, lambda told: sum(512 + len(one.summary) for one in told))
"""The turns in languages other than English, by hash of the last event and language."""
_REDRAWS: Cache[str, dict[int, int]] = Cache(KEPT, lambda redraws: 64 + 64 * len(redraws))
"""For each event that repeats an undone draw, the event with the first draw; cached by the hash of the last event."""


def part_json(store: Store, game_id: str, game: Game, after: int, until: int) -> bytes:
    """Return the result of `part` as JSON."""
    key = (game.head, after, until, current_language())
    return _PARTS.once(key, lambda: msgspec.json.encode(part(store, game_id, game, after, until)))


def turns(store: Store, game_id: str, game: Game) -> list[Turn]:
    """Return the turns in effect at the game's version. They are stored in English, and computed in other languages."""
    if current_language() == ENGLISH:
        return store.projections.turns(game_id, game.version)

    def compute() -> list[Turn]:
        with replaying():
            return index(narrate(game.header, store.events.read(game_id, until=game.version)), game.ruleset)

    return _TURNS.once((game.head, current_language()), compute)


def part(store: Store, game_id: str, game: Game, after: int, until: int) -> list[StoryLine]:
    """Narrate the events after `after`, up to `until`, with their corrections up to the version of `game`."""
    events = store.events.read(game_id, after=after, until=until)
    if not events:
        return []
    ways = store.corrections.ways(game_id, game.version)
    fates = Fates(ways.superseded_events(game.version), ways.corrections)
    is_rewriting = any(event.type in REWRITING for event in events)
    last = store.events.last_but(game_id, "annotate", after) if events[0].type == "annotate" else 0
    with replaying():
        read, played = _read(store, game_id, game) if is_rewriting else ({}, None)
        redraws = _REDRAWS.once(game.head, lambda: _redraws(store, game_id, game)) if ways.corrections else {}
        around = Surroundings(fates, read, last, redraws)
        if played is None:
            narrated = narrate_part(game.header, events, store.games.states(game_id, needed_states(events)), around)
        else:
            narrated = narrate_played(played, events, around)
        show = masking(store, game_id, game, None)
        return [line(one, show(one.event), game.ruleset) for one in narrated]


def _read(store: Store, game_id: str, game: Game) -> tuple[dict[int, str], History | None]:
    """Return the new sentences of events that amends and reveals changed, and the log if it was replayed.

    The caller uses the replayed log again, because a game with many unknown results is slow to replay.
    """
    played: list[History] = []

    def compute() -> dict[int, str]:
        read, history = reads(whole(store, game_id, game))
        played.append(history)
        return read

    return _READS.once((game.head, current_language()), compute), played[0] if played else None


def _redraws(store: Store, game_id: str, game: Game) -> dict[int, int]:
    return {one.again: one.first for one in find_redraws(game.header, whole(store, game_id, game).events)}
