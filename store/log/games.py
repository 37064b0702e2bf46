"""Games, folded: as they stand now, or as they stood after any of their events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from engine.core.events import GENESIS, Event
from engine.core.values import State
from engine.play.beliefs.belief import worlds
from engine.play.by_hand import has_adjustments
from engine.play.fold import History, history
from engine.play.game import Game, opened
from engine.play.line import Entry as Playable
from engine.play.line import Line
from engine.play.past import Past
from engine.review.playing_time import began_at
from store import keys
from store.cache import Cache
from store.errors import Damaged, UnknownEvent, replaying
from store.log import codec, snapshots
from store.log.codec import Entry, entries_of
from store.log.routes import Outline, Range, folded, of_snapshot, route
from store.log.streams import PAGE, EventStore
from store.redis import connection
from store.redis.connection import Client

HEADS = 4096
"""Games that a process keeps folded."""
_WORLDS = 64
"""Tables that may be, of one game, which take as much room as another game: they share most of what they are."""

_GAP = "the log has a gap"


_FIRST_EVENTS = 32
"""Among which the first after the opening is looked for; notes may stand before it."""


class Games:
    """All games. What is kept in this process is never trusted: the log is asked whether it is still the head."""

    def __init__(self, client: Client, events: EventStore, size: int = HEADS) -> None:
        self._client = client
        self._events = events
        self._heads: Cache[str, Game] = Cache(size, lambda game: 1 + len(worlds(game.state)) // _WORLDS)
        self._seeds: Cache[tuple[str, str | None], str] = Cache(size)
        self._openings: Cache[str, str] = Cache(size)
        self._beginnings: Cache[str, str] = Cache(size)
        self._by_hand: Cache[tuple[str, str], bool] = Cache(size)

    def get(self, game_id: str, at: int | None = None) -> Game:
        """The game after its event `at` (default: the last), from the nearest snapshot.

        Raises:
            UnknownGame, UnknownEvent: there is none.
            Damaged: the log does not replay.
        """
        if at is None:
            return self.latest(game_id)
        game = self._heads.get(game_id)
        if game is not None and game.version == at:
            entries = self._page(game_id, at, at)
            if entries and codec.hash_of(entries[0]) == game.head:
                return self.settled(game_id, game)
        return self.settled(game_id, self._load(game_id, at))

    def states(self, game_id: str, seqs: Collection[int]) -> dict[int, State | None]:
        """The state after each of the events `seqs`: what leads to several of them is played once.

        Raises:
            As `get`.
        """
        found: dict[int, Game] = {}
        wanted = sorted(seqs)
        if wanted:
            outline = self._outline(game_id, wanted[-1])
            for at in wanted:
                found[at] = self._follow(game_id, outline, at, found)
        return {at: game.state for at, game in found.items()}

    def earlier(self, game_id: str) -> Callable[[int], Game]:
        """Finds the game after any of its events, each of them once; it raises as `get`."""
        outline: Outline | None = None
        found: dict[int, Game] = {}

        def after(at: int) -> Game:
            nonlocal outline
            if at not in found:
                if outline is None:
                    outline = self._outline(game_id, at)
                elif at > outline.until:
                    # All the rest with it: however many are asked for, there is no third time.
                    outline = self._outline(game_id, None)
                found[at] = self._follow(game_id, outline, at, found)
            return found[at]

        return after

    def latest(self, game_id: str) -> Game:
        """The game as it stands: the one kept here and what is newer, in one round trip.

        Raises:
            As `get`.
        """
        game = self._heads.get(game_id)
        while game is not None:
            entries = self._page(game_id, game.version)
            if not entries and self._is_archived(game_id, game):
                return self.settled(game_id, game)
            if not entries or codec.seq_of(entries[0]) != game.version or codec.hash_of(entries[0]) != game.head:
                self.forget(game_id)
                break
            newer = entries[1:]
            if newer:
                events = codec.decode_sound(newer, game.version + 1, game.head)
                game = self._advance(game_id, game, events, events[-1].hash)
                self.keep(game_id, game)
            if len(entries) <= PAGE:
                return self.settled(game_id, game)
        game = self._load(game_id, None)
        self.keep(game_id, game)
        return self.settled(game_id, game)

    def settled(self, game_id: str, game: Game) -> Game:
        """`game`, which stands in the log, with whether adjustments decided its outcome.

        Raises:
            As `get`.
        """
        if game.status != "finished" or game.by_hand:
            return game
        ending = (game_id, game.head)
        by_hand = self._by_hand.get(ending)
        if by_hand is None:
            events = self._events.read(game_id, until=game.version)
            with replaying():
                by_hand = has_adjustments(events) and history(events).by_hand
            self._by_hand.put(ending, by_hand)
        return msgspec.structs.replace(game, by_hand=by_hand)

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

    def onward(self, game_id: str, game: Game, at: int) -> Game:
        """The game after event `at`, from `game`, which is it after that one or an earlier.

        Raises:
            As `get`.
        """
        for events in self._events.pages(game_id, game.version, at):
            game = self._advance(game_id, game, events, events[-1].hash)
        return game

    def past(self, game_id: str) -> Past:
        """What `engine.play.record` asks for when something is undone or amended."""
        return _Stored(self, game_id)

    def line(self, game_id: str, at: int) -> Line:
        """The line after event `at`: the log is played up to there.

        Raises:
            As `get`.
        """
        events = self._events.read(game_id, until=at)
        with replaying():
            return history(events).line(at)

    def replay(self, game_id: str) -> Game:
        """The game as it stands, no snapshot used: every event folded, every rule checked.

        Raises:
            As `get`.
        """
        played: History | None = None
        head = GENESIS
        for page in self._events.entries(game_id, 1):
            events = codec.decode_sound(page, 1 if played is None else played.version + 1, head)
            head = events[-1].hash
            with replaying():
                if played is None:
                    played, events = History(opened(events[0])), events[1:]
                played.fold(events)
        if played is None:
            raise Damaged(1, "it is not there")
        return Game(header=played.rules.header, version=played.version, head=head, state=played.states[-1])

    def check(self, game_id: str) -> None:
        """Hold the whole log against its hashes and its rules: what is wrong with it, where anything is.

        Raises:
            UnknownGame: there is no such game.
            Damaged: its log is not what was recorded, or does not replay.
        """
        version, head = self._events.head(game_id)
        events = list(self._events.verified(game_id, version))
        if events[-1].hash != head:
            raise Damaged(version, "its hash is not the head of the log")
        with replaying():
            history(events)

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

    def began_at(self, game_id: str) -> str:
        """When the game began, as `engine.review.playing_time` has it.

        Raises:
            UnknownGame: there is no such game.
        """
        moment = self._beginnings.get(game_id)
        if moment is None:
            first = self._events.read(game_id, limit=_FIRST_EVENTS)
            moment = began_at(first)
            if len(first) == _FIRST_EVENTS:
                self._beginnings.put(game_id, moment)
        return moment

    def forget(self, game_id: str) -> None:
        """Keep nothing of a game in this process."""
        known = self._heads.get(game_id)
        if known is not None:
            self._seeds.drop((game_id, known.header.seed_commitment))
        self._heads.drop(game_id)
        self._openings.drop(game_id)
        self._beginnings.drop(game_id)

    def _is_archived(self, game_id: str, game: Game) -> bool:
        """Whether the game's log is archived, and ends with the last event of `game`."""
        words = connection.call(self._client, "HMGET", keys.meta(game_id), "archived", "head")
        return words[0] is not None and words[1] == bytes.fromhex(game.head)

    def _page(self, game_id: str, first: int, last: int | None = None) -> list[Entry]:
        command = _xrange(game_id, first, "+" if last is None else last, PAGE + 1)
        return entries_of(connection.call(self._client, *command))

    def _advance(self, game_id: str, game: Game, entries: Sequence[Playable], head: str) -> Game:
        """`game` after the events that follow it."""
        played = History(game.header, game, self.past(game_id))
        with replaying():
            played.fold(entries)
        return Game(header=game.header, version=played.version, head=head, state=played.states[-1])

    def _load(self, game_id: str, at: int | None) -> Game:
        """The game after event `at`, from what is stored: two round trips, three where the end is not projected yet."""
        outline = self._outline(game_id, at)
        return self._follow(game_id, outline, outline.until, {})

    def _outline(self, game_id: str, until: int | None) -> Outline:
        """What is known of how the game came to stand as it does after event `until` (default: the last)."""
        (version,), (projected, undone), kept = connection.pipe(
            self._client,
            [
                ("HMGET", keys.meta(game_id), "v"),
                ("HMGET", keys.turns(game_id), "v", "undos"),
                ("HKEYS", keys.snapshots(game_id)),
            ],
        )
        if version is None:
            self.forget(game_id)
            raise self._events.absent(game_id)
        newest, known = int(version), int(projected or 0)
        until = newest if until is None else until
        if not 1 <= until <= newest:
            raise UnknownEvent(until, newest)
        if known > newest:
            known, kept = 0, []
        try:
            undos = codec.UNDOS.decode(undone) if known else []
        except msgspec.MsgspecError:
            # It is made from the log, and was damaged: the log has it all.
            known, undos = 0, []
        entries: dict[int, Entry] = {}
        if until > known:
            for page in self._events.entries(game_id, known + 1, until):
                entries.update((codec.seq_of(entry), entry) for entry in page)
                undos += codec.undos_of(page)
        return Outline(until, known, undos, snapshots.sequence(kept), entries)

    def _follow(self, game_id: str, outline: Outline, at: int, near: Mapping[int, Game]) -> Game:
        """The game after event `at`, from the nearest snapshot, or from one of the games `near`, by their versions."""
        for seqs in (sorted({*outline.kept, *near}), sorted(near)):
            found = route(at, outline.undos, seqs)
            if found is None:
                continue
            base, ranges = found
            ends = [(seq, seq) for seq in (base, at) if seq is not None]
            # With the event before each range, by which its first can be checked.
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
            game = folded(at, start, ranges, entries)
            if game is not None:
                return game
        if any(to == codec.REWRITES for _, to in outline.undos):
            return self._whole(game_id, outline, at)
        raise Damaged(None, _GAP)

    def _whole(self, game_id: str, outline: Outline, at: int) -> Game:
        """The game after event `at`, from the beginning of its log."""
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
        for first, last in ranges:
            # A stream may have been archived before any of its pages was read.
            if not entries.keys() >= set(range(first, last + 1)):
                for page in self._events.entries(game_id, first, last):
                    entries.update((codec.seq_of(entry), entry) for entry in page)
        return snapshot


class _Stored(Past):
    """The past of a stored game. What was asked once is remembered: a list may go back to the same event often."""

    def __init__(self, games: Games, game_id: str) -> None:
        super().__init__()
        self._games = games
        self._game_id = game_id
        self._known = games.earlier(game_id)

    def state(self, at: int) -> State | None:
        return self._known(at).state

    def line(self, at: int) -> Line:
        return self._games.line(self._game_id, at)


def _xrange(game_id: str, first: int, last: int | str, count: int) -> connection.Command:
    return (
        "XRANGE",
        keys.events(game_id),
        f"{first}-0",
        f"{last}-0" if isinstance(last, int) else last,
        "COUNT",
        count,
    )
