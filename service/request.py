"""A request on its way into the log: judged, written part by part, and judged anew where others were first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import EngineError, Malformed, NotDrawn, TooMuchWork
from engine.core.events import Draft, Event, IfIllegal
from engine.core.language import ENGLISH, made_in, spoken
from engine.core.values import Impact
from engine.kit.chance import Seeded, Undrawn
from engine.play.fold import history
from engine.play.game import Game
from engine.play.record import Step, chance_for, steps
from service import settings
from service.access import Caller
from service.corrections import check_corrections, check_events
from service.errors import Forbidden, TooBusy, VersionMismatch
from service.opening import list_at_once
from service.queueing import attempts
from service.recorded import Explain, Meter, Recorded, Stopped, both
from store import Store
from store.errors import NotReplicated, StoreError, StoreUnavailable, VersionConflict
from store.log.idempotency import IdempotencyKey, Replayed
from store.log.streams import Appended
from telemetry import tracing


class _Elsewhere(Exception):
    """The same request has written more than is known here."""

    def __init__(self, done: Replayed) -> None:
        super().__init__()
        self.done = done


class Request:
    """A request on its way into the log."""

    def __init__(
        self,
        store: Store,
        game_id: str,
        game: Game,
        drafts: Sequence[Draft],
        *,
        explain: Explain,
        recorded_at: str,
        caller: Caller,
        key: IdempotencyKey | None,
        versions: set[str] | None,
        accept_left_out: bool | None,
        accept_illegal: bool,
        if_illegal: IfIllegal | None,
        as_played: bool,
        meter: Meter,
        overruled: Callable[[str], None],
    ) -> None:
        self._store, self._game_id = store, game_id
        self._drafts, self._recorded_at, self._caller = drafts, recorded_at, caller
        self._explain, self._meter = explain, meter
        self._key, self._versions = key, versions
        self._accept_left_out, self._accept_illegal = accept_left_out, accept_illegal
        self._if_illegal, self._as_played = if_illegal, as_played or if_illegal == "accept"
        self._overruled = cache(overruled)
        """Once for each kind, however often it is tried."""
        self._game = game
        """The game on which it is judged."""
        self._done: Replayed | None = None
        """What of it is in the log."""
        self._recorded = Recorded(game, [])
        """The same, told."""

    def tried(self) -> Recorded:
        """What a dry run tells: nothing of what the service would draw, of the seed, or of what a draft would reveal.

        These are told when they are appended, not before: a list is judged up to there.

        Raises:
            As `service.recording.append`.
        """
        self._check_version()
        after, events, impact, nothing = self._game, list[Event](), None, self._recorded
        try:
            for step in self._steps(is_dry_run=True):
                if step.is_telling or self._game.ruleset.reveals(step.event.type):
                    return nothing
                after, impact = step.game, both(impact, step.impact)
                events += step.events
        except NotDrawn:
            return nothing
        return Recorded(after, events, impact=impact)

    def carried_out(self, *, is_newest: bool) -> Recorded:
        """What came of it.

        Args:
            is_newest: whether the game that it begins with was asked of the store.

        Raises:
            TooBusy: others wrote to the game each time.
            As `service.recording.append`.
        """
        tries = attempts()
        while next(tries, None) is not None:
            done = self._done
            try:
                return self._go_on()
            except VersionConflict as conflict:
                self._meter.conflicted()
                self._catch_up(conflict)
            except _Elsewhere as more:
                if self._is_ended(more.done):
                    return self._recorded
            except (EngineError, VersionMismatch, Forbidden) as refused:
                before = None if self._is_hopeless(refused) else self._before()
                if before is not None and self._is_ended(before):
                    return self._recorded
                if before is None and (is_newest or not self._has_moved_on(refused)):
                    raise
            is_newest = True
            if self._done != done:
                tries = attempts()
        if self._done is None:
            raise TooBusy
        return self._settled(TooBusy(), is_last=True)

    def _catch_up(self, conflict: VersionConflict) -> None:
        """Take the newest game.

        Raises:
            Damaged: the log ends as it is known to, and the store has another head for it.
        """
        known = self._game
        self._game = self._store.games.catch_up(self._game_id, known, conflict.events)
        if conflict.version == known.version and self._game.head == known.head:
            self._store.games.check(self._game_id)

    def _go_on(self) -> Recorded:
        """Carry out what of it is not in the log yet.

        Raises:
            VersionConflict: the game has moved on.
            _Elsewhere: the same request has written more.
            EngineError, VersionMismatch, Forbidden: it was refused, and nothing was appended.
        """
        part: list[Step] = []
        try:
            self._check_version()
            for step in self._steps():
                part.append(step)
                if step.refused is not None:
                    self._write(part, self._stopped(step.refused, self._count + len(part) - 1))
                    return self._recorded
                if step.is_telling:
                    self._write(part)
                    part = []
        except (StoreError, _Elsewhere):
            raise
        except Exception as refused:
            if self._done is None:
                raise
            if not part:
                return self._settled(refused)
            self._write(part, self._stopped(refused, self._count + len(part)))
            return self._recorded
        if part:
            self._write(part)
        return self._recorded

    def _is_hopeless(self, refused: EngineError | VersionMismatch | Forbidden) -> bool:
        """Whether a draft has a shape that no version of the game would take: the store need not be asked."""
        return isinstance(refused, Malformed) and self._drafts[refused.index or 0].type not in lifecycle.KINDS

    def _before(self) -> Replayed | None:
        """What the same request did before."""
        return None if self._key is None else self._store.events.replayed(self._game_id, self._key)

    def _has_moved_on(self, refused: EngineError | VersionMismatch | Forbidden) -> bool:
        """Whether the game has, so that it might not be `refused` now."""
        if self._is_hopeless(refused) or isinstance(refused, TooMuchWork):
            return False
        known, self._game = self._game.version, self._store.games.latest(self._game_id)
        return self._game.version != known

    @property
    def _count(self) -> int:
        """How many of the drafts are in the log."""
        count = 0
        for event in self._recorded.events:
            is_own = event.type != lifecycle.LEFT_OUT or self._drafts[count].type == lifecycle.LEFT_OUT
            count += is_own and event.type != lifecycle.GAME_CLOSED
        return count

    def _check_version(self) -> None:
        version, done = self._game.version, self._done
        versions = self._versions if done is None else {str(done.parts[-1][1])}
        if self._versions is not None and versions is not None and str(version) not in versions:
            raise VersionMismatch(version)

    def _steps(self, *, is_dry_run: bool = False) -> Iterator[Step]:
        """What is judged of the rest. A dry run stores nothing: it is all in the caller's language."""
        check_corrections(
            self._caller,
            self._store,
            self._game_id,
            self._game,
            self._drafts[self._count :],
            is_anyway=bool(self._accept_left_out) or self._accept_illegal or self._if_illegal == "accept",
            overruled=(lambda _: None) if is_dry_run else self._overruled,
        )
        for step in self._judged(is_dry_run=True) if is_dry_run else self._in_english():
            if self._caller.seat is not None:
                check_events(self._caller.seat, step.events)
            yield step

    def _judged(self, *, is_dry_run: bool = False) -> Iterator[Step]:
        games, game = self._store.games, self._game
        chance = chance_for(game.header, games.seed(self._game_id, game))
        if is_dry_run and isinstance(chance, Seeded):
            chance = Undrawn()
        return steps(
            game,
            self._drafts[self._count :],
            chance,
            games.past(self._game_id),
            recorded_at=self._recorded_at,
            recorded_by=self._caller.name,
            accept_left_out=self._accept_left_out,
            accept_illegal=self._accept_illegal,
            if_illegal=self._policy(game),
            as_played=self._as_played,
        )

    def _policy(self, game: Game) -> IfIllegal | None:
        """What becomes of what the rules forbid; None where an older parameter says it."""
        if self._if_illegal is None and (self._accept_left_out is not None or self._accept_illegal):
            return None
        return self._if_illegal or settings.if_illegal(game)

    def _in_english(self) -> Iterator[Step]:
        """What is judged to be stored: an event reads the same whoever records it, in whatever language. Why a draft is
        refused is told to the caller in its own.
        """
        try:
            for step in made_in(None, self._judged()):
                refused = step.refused
                yield step if refused is None else msgspec.structs.replace(step, refused=self._retold(refused))
        except EngineError as refused:
            raise self._retold(refused) from None

    def _retold(self, refused: Exception) -> Exception:
        """The same refusal in the language that is spoken: it is judged once more."""
        if spoken() == ENGLISH or not isinstance(refused, EngineError):
            return refused
        said: Exception | None = None
        try:
            for step in self._judged():
                said = step.refused
        except EngineError as error:
            said = error
        # It may take more now than may be spent.
        return said if type(said) is type(refused) else refused

    def _write(self, part: Sequence[Step], stopped: Stopped | None = None) -> None:
        """Append the events of `part`."""
        events = [event for step in part for event in step.events]
        goes_on = stopped is None and self._count + len(part) < len(self._drafts)
        told = None if stopped is None else msgspec.json.encode(stopped)
        began = time.perf_counter()
        with tracing.span("append", {"driftlog.game": self._game_id, "driftlog.events": len(events)}):
            appended = self._appended(events, goes_on=goes_on, stopped=told)
        if isinstance(appended, Replayed):
            raise _Elsewhere(appended)
        self._meter.appended(len(events), time.perf_counter() - began)
        before, after = self._game, self._store.games.settled(self._game_id, part[-1].game)
        here = (appended.first, appended.last)
        self._game, self._done = after, Replayed.after(self._done, here, goes_on=goes_on, stopped=told)
        impact = self._recorded.impact
        for step in part:
            impact = both(impact, step.impact)
        self._recorded = Recorded(after, [*self._recorded.events, *events], impact=impact, stopped=stopped)
        self._store.games.keep(self._game_id, after)
        if after.status != before.status:
            list_at_once(self._store, self._game_id)

    def _appended(self, events: Sequence[Event], *, goes_on: bool, stopped: bytes | None) -> Appended | Replayed:
        """Append, and where the answer is lost, append again: the log itself knows whether it was done.

        Raises:
            StoreError: it was not done, or nobody can say.
        """

        def write() -> Appended | Replayed:
            return self._store.events.append(
                self._game_id,
                (self._game.version, self._game.head),
                events,
                self._key,
                before=self._done,
                goes_on=goes_on,
                stopped=stopped,
            )

        try:
            return write()
        except NotReplicated:
            raise
        except StoreUnavailable:
            try:
                return write()
            except VersionConflict as conflict:
                stored = [event.hash for event in conflict.events[: len(events)]]
                if stored != [event.hash for event in events]:
                    raise
                self._store.events.confirm(self._game_id, (events[-1].seq, events[-1].hash))
                effort.commit()
                return Appended(events[0].seq, events[-1].seq)

    def _stopped(self, refused: Exception, index: int) -> Stopped:
        if isinstance(refused, EngineError):
            refused.index = index
        return Stopped(index, self._explain(refused, self._game))

    def _settled(self, refused: Exception, *, is_last: bool = False) -> Recorded:
        """What came of it, where what is in the log is all there will be.

        Args:
            is_last: whether it is not tried again, although the game has moved on.

        Raises:
            VersionConflict: the game has moved on, and might take the rest now.
        """
        newest = self._store.games.latest(self._game_id)
        if newest.version != self._game.version and not is_last:
            raise VersionConflict(newest.version, [])
        stopped = self._stopped(refused, self._count)
        if self._key is not None:
            assert self._done is not None
            more = self._store.events.settle(self._game_id, self._key, self._done, msgspec.json.encode(stopped))
            if more is not None:
                if not self._is_ended(more):
                    raise VersionConflict(newest.version, [])
                return self._recorded
        return msgspec.structs.replace(self._recorded, stopped=stopped)

    def _impact(self, events: Sequence[Event]) -> tuple[Impact, ...]:
        """What the corrections among `events`, which are in the log, do to those that follow."""
        played = history(self._store.events.read(self._game_id, until=events[-1].seq))
        return tuple(one for event in events for one in played.impacts.get(event.seq, ()))

    def retold(self, recorded: Recorded) -> Recorded:
        """The same in the language that is spoken."""
        if recorded.impact is None or spoken() == ENGLISH:
            return recorded
        return msgspec.structs.replace(recorded, impact=self._impact(recorded.events))

    def _is_ended(self, done: Replayed) -> bool:
        """Go on from what the same request has `done` in the log; whether that was all of it."""
        store, game_id = self._store, self._game_id
        events = [
            event for first, last in done.parts for event in store.events.read(game_id, after=first - 1, until=last)
        ]
        game = store.games.get(game_id, at=events[-1].seq)
        impact = self._impact(events) if any(event.type in lifecycle.REWRITING for event in events) else None
        stopped = None if done.stopped is None else msgspec.json.decode(done.stopped, type=Stopped)
        self._done = done
        self._recorded = Recorded(game, events, is_replay=True, impact=impact, stopped=stopped)
        self._game = store.games.latest(game_id) if done.goes_on else game
        return not done.goes_on
