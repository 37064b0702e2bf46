"""Games, folded: as they stand now, or as they stood after any of their events."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from engine.chance import Recorded
from engine.events import GENESIS, Event
from engine.fold import Game, Rules, opened
from engine.history import Growing, History, history
from engine.lines import Entry as Playable
from engine.lines import Line, NoPast, Past
from engine.ruleset import State
from store import codec, connection, keys, snapshots
from store.cache import Cache
from store.codec import Entry
from store.connection import Client
from store.errors import Corrupt, UnknownEvent, UnknownGame
from store.streams import PAGE, EventStore, entries_of

HEADS = 4096
"""Games that a process keeps folded."""

_GAP = "the log of game {!r} has a gap"

Range = tuple[int, int]
"""Events from the first `seq` to the last, it included."""


class Games:
    """All games. What is kept in this process is never trusted: the log is asked whether it is still the head."""

    def __init__(self, client: Client, events: EventStore, size: int = HEADS) -> None:
        self._client = client
        self._events = events
        self._heads: Cache[str, Game] = Cache(size)
        self._seeds: Cache[tuple[str, str | None], str] = Cache(size)
        self._openings: Cache[str, str] = Cache(size)

    def get(self, game_id: str, at: int | None = None) -> Game:
        """The game after its event `at` (default: the last), from the nearest snapshot.

        Raises:
            UnknownGame, UnknownEvent: there is none.
            EngineError: the log does not replay.
        """
        if at is None:
            return self.latest(game_id)
        game = self._heads.get(game_id)
        if game is not None and game.version == at:
            entries = self._page(game_id, at, at)
            if entries and codec.hash_of(entries[0]) == game.head:
                return game
        return self._load(game_id, at)

    def latest(self, game_id: str) -> Game:
        """The game as it stands: the one kept here and what is newer, in one round trip.

        Raises:
            As `get`.
        """
        game = self._heads.get(game_id)
        while game is not None:
            entries = self._page(game_id, game.version)
            if not entries or codec.seq_of(entries[0]) != game.version or codec.hash_of(entries[0]) != game.head:
                self._forget(game_id)
                break
            newer = entries[1:]
            if newer:
                _checked(game_id, newer, game.version + 1)
                game = self._advance(game_id, game, codec.decode_rows(newer), codec.hash_of(newer[-1]))
                self.keep(game_id, game)
            if len(entries) <= PAGE:
                return game
        game = self._load(game_id, None)
        self.keep(game_id, game)
        return game

    def cached(self, game_id: str) -> Game | None:
        """The game as this process last saw it, without asking; only an append can say whether it is the newest."""
        return self._heads.get(game_id)

    def keep(self, game_id: str, game: Game) -> None:
        """Remember a game that was just appended to or read, if it is newer than what is remembered."""
        known = self._heads.get(game_id)
        if known is None or known.version < game.version:
            self._heads.put(game_id, game)

    def catch_up(self, game_id: str, game: Game, events: Sequence[Event]) -> Game:
        """The newest game, after an append from `game` met a conflict that brought `events`.

        Raises:
            As `get`.
        """
        if not events or len(events) >= PAGE or (events[0].seq - 1, events[0].prev) != (game.version, game.head):
            return self.latest(game_id)
        game = self._advance(game_id, game, events, events[-1].hash)
        self.keep(game_id, game)
        return game

    def past(self, game_id: str) -> Past:
        """What `engine.record` asks for when something is undone or amended."""
        return _Stored(self, game_id)

    def line(self, game_id: str, at: int) -> Line:
        """The line after event `at`: the log is played up to there.

        Raises:
            As `get`.
        """
        return history(self._events.read(game_id, until=at)).line(at)

    def replay(self, game_id: str) -> Game:
        """The game as it stands, no snapshot used: every event folded, every rule checked.

        Raises:
            As `get`.
        """
        pages = self._events.entries(game_id, 1)
        first = next(pages)
        header = opened(codec.decode(first[:1], GENESIS)[0])
        played, chance = History(header), Recorded()
        last = first[-1]
        for page in itertools.chain([first[1:]], pages):
            if page:
                last = _checked(game_id, page, played.version + 1)
                played.fold(codec.decode_rows(page), chance)
        return Game(header=header, version=codec.seq_of(last), head=codec.hash_of(last), state=played.states[-1])

    def seed(self, game_id: str, game: Game) -> str | None:
        """The seed by which a seeded game is drawn: asked once, then remembered; None where it is not known here."""
        if game.header.chance == "observed":
            return None
        committed = (game_id, game.header.seed_commitment)
        seed = self._seeds.get(committed)
        if seed is None:
            seed = self._events.seed(game_id)
            if seed is not None:
                self._seeds.put(committed, seed)
        return seed

    def opened_at(self, game_id: str) -> str:
        """When the game was opened, as its event 1 says.

        Raises:
            UnknownGame: there is no such game.
        """
        moment = self._openings.get(game_id)
        if moment is None:
            moment = self._events.read(game_id, limit=1)[0].recorded_at
            self._openings.put(game_id, moment)
        return moment

    def _forget(self, game_id: str) -> None:
        self._heads.drop(game_id)
        self._openings.drop(game_id)

    def _page(self, game_id: str, first: int, last: int | None = None) -> list[Entry]:
        command = _xrange(game_id, first, "+" if last is None else last, PAGE + 1)
        return entries_of(connection.call(self._client, *command))

    def _advance(self, game_id: str, game: Game, entries: Sequence[Playable], head: str) -> Game:
        """`game` after the events that follow it."""
        rules, chance, past = Rules(game.header), Recorded(), Growing(game, self.past(game_id))
        state = game.state
        for seq, entry in enumerate(entries, game.version + 1):
            state, _, judgement = rules.play(state, entry, seq, chance, past)
            chance.finish()
            past.add(entry, state, judgement)
        return Game(header=game.header, version=game.version + len(entries), head=head, state=state)

    def _load(self, game_id: str, at: int | None) -> Game:
        """The game after event `at`, from what is stored: two round trips, three where the end is not projected yet."""
        (version,), (projected, undone), kept = connection.pipe(
            self._client,
            [
                ("HMGET", keys.meta(game_id), "v"),
                ("HMGET", keys.turns(game_id), "v", "undos"),
                ("HKEYS", keys.snapshots(game_id)),
            ],
        )
        if version is None:
            raise UnknownGame(game_id)
        newest, known = int(version), int(projected or 0)
        at = newest if at is None else at
        if not 1 <= at <= newest:
            raise UnknownEvent(at, newest)
        if known > newest:
            known, kept = 0, []
        undos = codec.UNDOS.decode(undone) if known else []
        entries: dict[int, Entry] = {}
        if at > known:
            for page in self._events.entries(game_id, known + 1, at):
                entries.update((codec.seq_of(entry), entry) for entry in page)
                undos += codec.undos_of(page)
        for seqs in (snapshots.sequence(kept), []):
            found = route(at, undos, seqs)
            if found is None:
                continue
            base, ranges = found
            ends = [(seq, seq) for seq in (base, at) if seq is not None]
            stored = [(first, min(last, known)) for first, last in (*ranges, *ends) if first <= known]
            snapshot = self._fetch(game_id, base, stored, entries)
            game = _fold(at, base, ranges, snapshot, entries)
            if game is not None:
                return game
        if any(to == codec.REWRITES for _, to in undos):
            return self._whole(game_id, at)
        raise Corrupt(_GAP.format(game_id))

    def _whole(self, game_id: str, at: int) -> Game:
        """The game after event `at`, from the beginning of its log."""
        events = self._events.read(game_id, until=at)
        if not events or events[-1].seq != at:
            raise Corrupt(_GAP.format(game_id))
        played = history(events)
        return Game(header=played.rules.header, version=at, head=events[-1].hash, state=played.states[at])

    def _fetch(
        self, game_id: str, base: int | None, ranges: Iterable[Range], entries: dict[int, Entry]
    ) -> bytes | None:
        """Add the entries of `ranges` to `entries`; and the snapshot after event `base`, if there is one."""
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
        return snapshot


class _Stored(Past):
    """The past of a stored game."""

    def __init__(self, games: Games, game_id: str) -> None:
        super().__init__()
        self._games = games
        self._game_id = game_id

    def state(self, at: int) -> State | None:
        return self._games.get(self._game_id, at).state

    def line(self, at: int) -> Line:
        return self._games.line(self._game_id, at)


class _Straight(NoPast):
    """The past of a route: nothing on it leads back."""

    def state(self, at: int) -> State | None:
        raise Corrupt(f"a route does not lead back to event {at}")

    def line(self, at: int) -> Line:
        raise Corrupt(f"a route does not lead past event {at}")


def route(at: int, undos: Sequence[tuple[int, int]], kept: Sequence[int]) -> tuple[int | None, list[Range]] | None:
    """How the game comes to stand as it does after event `at`: by which snapshot, and which events after it.

    None where an event that writes the line anew lies on the way, which only the whole log can play.

    Args:
        undos: the undos up to `at`, in order: the `seq` of each, and the event that it goes back to; see
            `codec.UNDOS`.
        kept: the events after which there is a snapshot, in order.

    Returns:
        The snapshot to begin with, None for the beginning of the log; and the ranges to fold onto it, in order.
    """
    ranges: list[Range] = []
    end = at
    while True:
        found = bisect_right(undos, end, key=lambda undo: undo[0])
        undo, to = undos[found - 1] if found else (0, 0)
        nearest = bisect_right(kept, end)
        base = kept[nearest - 1] if nearest else 0
        start = max(undo, base)
        if start < end:
            ranges.append((start + 1, end))
        if start == base:
            return base or None, ranges[::-1]
        if to == codec.REWRITES:
            return None
        end = to


def _checked(game_id: str, page: Sequence[Entry], first: int) -> Entry:
    """The last entry of `page`, which begins with event `first` and leaves none out."""
    last = page[-1]
    if codec.seq_of(last) != first + len(page) - 1:
        raise Corrupt(_GAP.format(game_id))
    return last


def _fold(
    at: int, base: int | None, ranges: Iterable[Range], document: bytes | None, entries: dict[int, Entry]
) -> Game | None:
    """The game after event `at`, at the end of its route; None where the route is none for this log and this engine."""
    path = [seq for first, last in ranges for seq in range(first, last + 1)]
    if not entries.keys() >= {*path, at}:
        return None
    rows = codec.decode_rows(entries[seq] for seq in path)
    head = codec.hash_of(entries[at])
    if base is None:
        header = opened(codec.decode([entries[1]], GENESIS)[0])
        state: State | None = None
        path, rows = path[1:], rows[1:]
    else:
        game = snapshots.parse(document)
        if game is None or base not in entries or codec.hash_of(entries[base]) != game.head:
            return None
        header, state = game.header, game.state
    rules, chance, past = Rules(header), Recorded(), _Straight()
    for seq, row in zip(path, rows, strict=True):
        state, _, _ = rules.play(state, row, seq, chance, past)
        chance.finish()
    return Game(header=header, version=at, head=head, state=state)


def _xrange(game_id: str, first: int, last: int | str, count: int) -> connection.Command:
    return (
        "XRANGE",
        keys.events(game_id),
        f"{first}-0",
        f"{last}-0" if isinstance(last, int) else last,
        "COUNT",
        count,
    )
