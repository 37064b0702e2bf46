"""Games as their current states, or as their states after an earlier event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from engine.core.events import GENESIS, Event
from engine.core.values import State
from engine.kit.chance import seed_commitment
from engine.play.beliefs.belief import worlds
from engine.play.by_hand import has_adjustments
from engine.play.fold import History, history
from engine.play.game import Game, parse_header
from engine.play.line import Entry as Playable
from engine.play.line import Line
from engine.play.past import Past
from engine.review.playing_time import Clock
from store import keys
from store.cache import Cache
from store.errors import Corrupt, Damaged, UnknownEvent, UnknownGame, replaying
from store.log import codec, snapshots
from store.log.codec import Entry, entries_of
from store.log.reader import PAGE, Look
from store.log.replay_plans import Outline, Range, follow, of_snapshot, replay_plan
from store.log.streams import EventStore
from store.redis import connection
from store.redis.connection import Client

HEADS = 4096
"""Maximum number of games that a process caches."""
_WORLDS = 64
"""Number of possible tables that need as much memory as one game, because tables share most of their data."""

_GAP = "the log has a gap"


class _Beginning(NamedTuple):
    version: int
    clock: Clock
    is_amended: bool


class GameStore:
    """All games. Each use of a cached game checks that the log still has the cached head.

    The methods raise `UnknownGame` or `UnknownEvent` if there is no such game or event, and `Damaged` if the log does
    not replay.
    """

    def __init__(
        self,
        client: Client,
        events: EventStore,
        size: int = HEADS,
        *,
        projected: Callable[[str, str], bool | None] | None = None,
    ) -> None:
        """
        Args:
            projected: returns True if adjustments decided the game with that id and head; None if the game is not
                projected.
        """
        self._projected = projected
        self._client = client
        self._events = events
        self._heads: Cache[str, Game] = Cache(size, lambda game: 1 + len(worlds(game.state)) // _WORLDS)
        self._seeds: Cache[tuple[str, str | None], str] = Cache(size)
        self._openings: Cache[str, str] = Cache(size)
        self._beginnings: Cache[str, _Beginning] = Cache(size)
        self._by_hand: Cache[tuple[str, str], bool] = Cache(size)

    def get(self, game_id: str, at: int | None = None) -> Game:
        """Return the game after event `at` (default: the last), from the nearest snapshot."""
        if at is None:
            return self.latest(game_id)
        game = self._heads.get(game_id)
        if game is not None and game.version == at:
            entries = self._look(game_id, at, at).entries
            if entries and codec.hash_of(entries[0]) == game.head:
                return self.mark_by_hand(game_id, game)
        return self.mark_by_hand(game_id, self._load(game_id, at))

    def states(self, game_id: str, seqs: Collection[int]) -> dict[int, State | None]:
        """Return the state after each of the events `seqs`. Replay the events that several states share only once."""
        found: dict[int, Game] = {}
        wanted = sorted(seqs)
        if wanted:
            outline = self._outline(game_id, wanted[-1])
            for at in wanted:
                found[at] = self._follow(game_id, outline, at, found)
        return {at: game.state for at, game in found.items()}

    def earlier(self, game_id: str) -> Callable[[int], Game]:
        """Return a function that returns the game after an event, and that caches its results."""
        outline: Outline | None = None
        found: dict[int, Game] = {}

        def after(at: int) -> Game:
            nonlocal outline
            if at not in found:
                if outline is None:
                    outline = self._outline(game_id, at)
                elif at > outline.until:
                    # Load all missing states together, with only two reads.
                    outline = self._outline(game_id, None)
                found[at] = self._follow(game_id, outline, at, found)
            return found[at]

        return after

    def latest(self, game_id: str) -> Game:
        """Return the current game, from the cached game and the newer events, in one round trip."""
        game = self._heads.get(game_id)
        while game is not None:
            found = self._look(game_id, game.version, None)
            # The log is longer than the stored version, so it is damaged. Read as much of it as a newly started process
            # would.
            entries = found.entries[: max(found.version - game.version + 1, 0)]
            if not entries and found.is_archived and found.head == bytes.fromhex(game.head):
                return self.mark_by_hand(game_id, game)
            if not entries or codec.seq_of(entries[0]) != game.version or codec.hash_of(entries[0]) != game.head:
                self.forget(game_id)
                break
            newer = entries[1:]
            if newer:
                rows = codec.decode_sound(newer, game.version + 1, game.head)
                game = self._advance(game_id, game, rows, codec.hash_of(newer[-1]))
                self.keep(game_id, game)
            if len(entries) <= PAGE:
                return self.mark_by_hand(game_id, game)
        game = self._load(game_id, None)
        self.keep(game_id, game)
        return self.mark_by_hand(game_id, game)

    def mark_by_hand(self, game_id: str, game: Game) -> Game:
        """Return `game` with a mark if adjustments decided its outcome. All events of `game` must be stored."""
        if game.status != "finished" or game.by_hand:
            return game
        ending = (game_id, game.head)
        by_hand = self._by_hand.get(ending)
        if by_hand is None:
            by_hand = None if self._projected is None else self._projected(*ending)
            if by_hand is None:
                events = self._events.read(game_id, until=game.version)
                with replaying():
                    by_hand = has_adjustments(events) and history(events).by_hand
            self._by_hand.put(ending, by_hand)
        return msgspec.structs.replace(game, by_hand=by_hand)

    def cached_game(self, game_id: str) -> Game | None:
        """Return the game from this process's cache, without asking Redis. The cached game may be outdated."""
        return self._heads.get(game_id)

    def keep(self, game_id: str, game: Game) -> None:
        """Cache a game that was just read or appended to, unless the cached one is as new."""
        known = self._heads.get(game_id)
        if known is None or known.version < game.version:
            self._heads.put(game_id, game)

    def catch_up(self, game_id: str, game: Game, events: Sequence[Event]) -> Game:
        """Return the newest version of `game`, after a conflict.

        Args:
            events: the newer events of the log, which the conflict has returned.
        """
        if not events or len(events) >= PAGE or (events[0].seq - 1, events[0].prev) != (game.version, game.head):
            return self.latest(game_id)
        game = self._advance(game_id, game, events, events[-1].hash)
        self.keep(game_id, game)
        return game

    def onward(self, game_id: str, game: Game, at: int) -> Game:
        """Return the game after event `at`, computed from `game`, which is at the same or an earlier event."""
        for events in self._events.pages(game_id, game.version, at):
            game = self._advance(game_id, game, events, events[-1].hash)
        return game

    def past(self, game_id: str) -> Past:
        """Return access to earlier states of the game, which `engine.play.record` needs for an undo or amend."""
        return _StoredPast(self, game_id)

    def line(self, game_id: str, at: int) -> Line:
        """Return the line (the events in effect) after event `at`, by replaying the log up to that event."""
        events = self._events.read(game_id, until=at)
        with replaying():
            return history(events).line(at)

    def replay(self, game_id: str) -> Game:
        """Return the current game without a snapshot: apply every event, and check every rule."""
        played: History | None = None
        head = GENESIS
        for page in self._events.entries(game_id, 1):
            rows = codec.decode_sound(page, 1 if played is None else played.version + 1, head)
            head = codec.hash_of(page[-1])
            with replaying():
                if played is None:
                    played, rows = History(parse_header(rows[0])), rows[1:]
                played.fold(rows)
        if played is None:
            raise Damaged(1, "the event is missing")
        return Game(header=played.rules.header, version=played.version, head=head, state=played.states[-1])

    def check(self, game_id: str) -> None:
        """Check the complete log against its hashes and its rules; raise `Damaged` for the first fault."""
        version, head = self._events.head(game_id)
        first = self._look(game_id, 1, 1)
        if first.is_archived and first.entries:
            raise Damaged(None, "it names an archived file, but its log is in Redis")
        events = list(self._events.read_verified(game_id, version))
        if events[-1].hash != head:
            raise Damaged(version, "its hash is not the head of the log")
        if next(self._events.entries(game_id, version + 1), None) and self._events.head(game_id) == (version, head):
            raise Damaged(version + 1, f"the log continues after event {version}, which is stored as its last event")
        with replaying():
            commitment = history(events).rules.header.seed_commitment
        seed = self._events.seed(game_id)
        if seed is not None:
            _check_seed(seed, commitment)

    def seed(self, game_id: str, game: Game) -> str | None:
        """Return the seed of a seeded game; None if this service does not know the seed. The seed is cached."""
        if game.header.chance == "observed":
            return None
        committed = (game_id, game.header.seed_commitment)
        seed = self._seeds.get(committed)
        if seed is None:
            seed = self._events.seed(game_id)
            if seed is not None:
                _check_seed(seed, game.header.seed_commitment)
                self._seeds.put(committed, seed)
        return seed

    def opened_at(self, game_id: str) -> str:
        """Return the time of the game's event 1."""
        moment = self._openings.get(game_id)
        if moment is None:
            moment = self._events.read(game_id, limit=1)[0].recorded_at
            self._openings.put(game_id, moment)
        return moment

    def began_at(self, game_id: str, version: int) -> str:
        """Return the time at which the game began, according to its first `version` events.

        See `engine.review.playing_time`.
        """
        known = self._beginnings.get(game_id) or _Beginning(0, Clock(), is_amended=False)
        # On a dry run, the event is not stored yet.
        if known.version < version and (more := self._events.read(game_id, after=known.version)):
            is_amended = known.is_amended or any(event.type == "amend" for event in more)
            if is_amended and any(event.type in {"amend", "undo"} for event in more):
                clock = Clock.of(self._events.read(game_id))
            else:
                clock = known.clock.after(more)
            known = _Beginning(more[-1].seq, clock, is_amended)
            self._beginnings.put(game_id, known)
        return known.clock.began_at or self.opened_at(game_id)

    def forget(self, game_id: str) -> None:
        """Remove a game from the caches of this process."""
        known = self._heads.get(game_id)
        if known is not None:
            self._seeds.drop((game_id, known.header.seed_commitment))
        self._heads.drop(game_id)
        self._openings.drop(game_id)
        self._beginnings.drop(game_id)

    def _look(self, game_id: str, first: int, last: int | None) -> Look:
        try:
            return self._events.look(game_id, first, last, PAGE + 1)
        except (UnknownGame, Damaged):
            self.forget(game_id)
            raise

    def _advance(self, game_id: str, game: Game, entries: Sequence[Playable], head: str) -> Game:
        played = History(game.header, game, self.past(game_id))
        with replaying():
            played.fold(entries)
        return Game(header=game.header, version=played.version, head=head, state=played.states[-1])

    def _load(self, game_id: str, at: int | None) -> Game:
        """Load the game after event `at`, in two round trips, or three if the last events are not projected yet."""
        outline = self._outline(game_id, at)
        return self._follow(game_id, outline, outline.until, {})

    def _outline(self, game_id: str, until: int | None) -> Outline:
        version, turns, kept = connection.pipe(
            self._client,
            [
                ("HGET", keys.meta(game_id), "v"),
                ("HMGET", keys.turns(game_id), "v", "undos"),
                ("HKEYS", keys.snapshots(game_id)),
            ],
            is_lenient=True,
        )
        if isinstance(version, Corrupt):
            raise version
        projected, undone = (None, b"") if isinstance(turns, Corrupt) else turns
        if version is None:
            self.forget(game_id)
            raise self._events.absent(game_id)
        newest, known = codec.version_of(version), codec.projected_version_of(projected)
        until = newest if until is None else until
        if not 1 <= until <= newest:
            raise UnknownEvent(until, newest)
        if known > newest:
            known, kept = 0, []
        try:
            undos = codec.UNDOS.decode(undone or b"") if known else []
        except msgspec.MsgspecError:
            # The derived data is damaged. The log still has everything.
            known, undos = 0, []
        entries: dict[int, Entry] = {}
        if until > known:
            for page in self._events.entries(game_id, known + 1, until):
                entries.update((codec.seq_of(entry), entry) for entry in page)
                undos += codec.undos_of(page)
        return Outline(until, known, undos, snapshots.sequence(kept), entries)

    def _follow(self, game_id: str, outline: Outline, at: int, near: Mapping[int, Game]) -> Game:
        """Return the game after event `at`, from the nearest snapshot or the nearest game in `near`."""
        for seqs in (sorted({*outline.kept, *near}), sorted(near)):
            found = replay_plan(at, outline.undos, seqs)
            if found is None:
                continue
            base, ranges = found
            ends = [(seq, seq) for seq in (base, at) if seq is not None]
            # Read the event before each range, too, because its hash is needed to check the first event of the range.
            needed = [(max(first - 1, 1), last) for first, last in ranges] + ends
            known = outline.known
            stored = [(first, min(last, known)) for first, last in needed if first <= known]
            entries = outline.newer(*needed)
            start = None if base is None else near.get(base)
            snapshot = self._fetch(game_id, base if start is None else None, stored, entries)
            if base is not None and start is None:
                start = of_snapshot(base, snapshot, entries)
                if start is None:
                    continue
            game = follow(at, start, ranges, entries)
            if game is not None:
                return game
        if any(to == codec.REWRITES for _, to in outline.undos):
            return self._whole(game_id, outline, at)
        raise Damaged(None, _GAP)

    def _whole(self, game_id: str, outline: Outline, at: int) -> Game:
        """Return the game after event `at`, replayed from the beginning."""
        if outline.played is None:
            events = self._events.read(game_id, until=outline.until)
            if not events or events[-1].seq != outline.until:
                raise Damaged(None, _GAP)
            with replaying():
                outline.played, outline.heads = history(events), [event.hash for event in events]
        played = outline.played
        return Game(header=played.rules.header, version=at, head=outline.heads[at - 1], state=played.states[at])

    def _fetch(
        self, game_id: str, base: int | None, ranges: Sequence[Range], entries: dict[int, Entry]
    ) -> bytes | None:
        """Add the stored entries of `ranges` to `entries`. Return the snapshot after event `base`, if there is one."""
        commands: list[connection.Command] = [
            _xrange(game_id, start, min(start + PAGE - 1, last), PAGE)
            for first, last in ranges
            for start in range(first, last + 1, PAGE)
        ]
        if base is not None:
            commands.append(("HGET", keys.snapshots(game_id), base))
        pages = connection.pipe(self._client, commands)
        snapshot = None if base is None else pages.pop()
        for page in pages:
            entries.update((codec.seq_of(entry), entry) for entry in entries_of(page))
        for first, last in ranges:
            # After the first read, the stream may have been archived.
            if not entries.keys() >= set(range(first, last + 1)):
                for page in self._events.entries(game_id, first, last):
                    entries.update((codec.seq_of(entry), entry) for entry in page)
        return snapshot


def _check_seed(seed: str, commitment: str | None) -> None:
    if seed_commitment(seed) != commitment:
        raise Damaged(None, "the stored seed is not the one that event 1 commits to")


class _StoredPast(Past):
    """The earlier states of a stored game. They are cached, because a list of drafts may use the same state often."""

    def __init__(self, games: GameStore, game_id: str) -> None:
        super().__init__()
        self._games = games
        self._game_id = game_id
        self._known = games.earlier(game_id)

    def state(self, at: int) -> State | None:
        return self._known(at).state

    def line(self, at: int) -> Line:
        return self._games.line(self._game_id, at)


def _xrange(game_id: str, first: int, last: int, count: int) -> connection.Command:
    return "XRANGE", keys.events(game_id), f"{first}-0", f"{last}-0", "COUNT", count
