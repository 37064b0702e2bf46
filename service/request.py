"""An append in progress: judge the drafts, and append them part by part. After a conflict, judge them again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import msgspec

from engine.core import effort, lifecycle
from engine.core.details import IfIllegal
from engine.core.errors import EngineError, Malformed, NotDrawn, TooMuchWork
from engine.core.events import Draft, Event
from engine.core.language import ENGLISH, compute_in, current_language
from engine.core.values import Impact
from engine.kit.chance import Seeded, Undrawn
from engine.play.fold import history
from engine.play.game import Game
from engine.play.judge import JudgedDraft
from engine.play.record import chance_for, steps
from service.access import Caller
from service.corrections import check_corrections, check_events
from service.errors import Forbidden, TooBusy, VersionMismatch
from service.opening import list_at_once
from service.queueing import attempts
from service.recorded import AppendMetrics, AppendResult, Explain, StoppedList, both, stopped_of
from store import Store
from store.errors import NotReplicated, StoreError, StoreUnavailable, Suspect, VersionConflict
from store.log.idempotency import IdempotencyKey, StoredResult
from store.log.streams import AppendedRange
from telemetry import tracing


class _Elsewhere(Exception):
    """Another process runs the same request, and has appended more of its events than this process knows."""

    def __init__(self, done: StoredResult) -> None:
        super().__init__()
        self.done = done


class Request:
    """A request to append drafts to a log."""

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
        meter: AppendMetrics,
        overruled: Callable[[str], None],
    ) -> None:
        self._store, self._game_id = store, game_id
        keeps_broken = if_illegal == "accept" and not as_played
        self._drafts = [_keeping_broken(draft) for draft in drafts] if keeps_broken else drafts
        self._recorded_at, self._caller = recorded_at, caller
        self._explain, self._meter = explain, meter
        self._key, self._versions = key, versions
        self._accept_left_out, self._accept_illegal = accept_left_out, accept_illegal
        self._if_illegal, self._as_played = if_illegal, as_played
        self._overruled = cache(overruled)
        """Called once for each type of correction, however often the append is retried."""
        self._game = game
        """The game on which the drafts are judged."""
        self._done: StoredResult | None = None
        """The part of the request that is already in the log."""
        self._recorded = AppendResult(game, [])
        """The part of the request that is already in the log, as a result with its events."""

    def dry_run(self) -> AppendResult:
        """Judge the drafts without recording them, and return the result.

        The result contains no draw, seed or secret, because drafts reveal these only when they are recorded. Judging
        stops after the first draft that would reveal something.
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
        return AppendResult(after, events, impact=impact)

    def carry_out(self, *, is_newest: bool) -> AppendResult:
        """Append the drafts and return the result.

        Args:
            is_newest: True if the game was just read from the store.

        Raises:
            TooBusy: every attempt met a conflict; other errors as in `service.recording.append`.
        """
        tries = attempts()
        while next(tries, None) is not None:
            done = self._done
            try:
                return self._go_on()
            except (VersionConflict, Suspect) as conflict:
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
        return self._final_result(TooBusy(), is_last=True)

    def _catch_up(self, conflict: VersionConflict | Suspect) -> None:
        """Load the newest version of the game after a conflict.

        If another process suspects a damaged log, check the log first.
        """
        if isinstance(conflict, Suspect):
            self._store.watch.recheck(self._game_id)
            return
        self._meter.count_conflict()
        known = self._game
        self._game = self._store.games.catch_up(self._game_id, known, conflict.events)
        if self._game.head == known.head:
            # The conflict was with no event of the log.
            self._store.games.check(self._game_id)

    def _go_on(self) -> AppendResult:
        """Append the rest of the request.

        Raises:
            VersionConflict: the game has moved on.
            _Elsewhere: another process runs the same request, and has already appended more of its events.
        """
        part: list[JudgedDraft] = []
        try:
            self._check_version()
            for step in self._steps():
                part.append(step)
                if step.refused is not None:
                    self._write(part, self._make_stopped(step.refused, self._count + len(part) - 1))
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
                return self._final_result(refused)
            self._write(part, self._make_stopped(refused, self._count + len(part)))
            return self._recorded
        if part:
            self._write(part)
        return self._recorded

    def _is_hopeless(self, refused: EngineError | VersionMismatch | Forbidden) -> bool:
        """Return True if the draft is malformed in every version of the game, so that the newest need not be loaded."""
        # The number of outcomes depends on the table.
        if not isinstance(refused, Malformed) or refused.pointer.startswith("/outcomes"):
            return False
        draft = self._drafts[refused.index or 0]
        # The explanation of a draft names earlier events, so another version may accept it.
        return draft.type not in lifecycle.KINDS and not draft.explanation

    def _before(self) -> StoredResult | None:
        """Return the events that an earlier attempt of this request appended; None if there is no earlier attempt."""
        return None if self._key is None else self._store.events.stored_result(self._game_id, self._key)

    def _has_moved_on(self, refused: EngineError | VersionMismatch | Forbidden) -> bool:
        """Load the newest version of the game; return True if it is newer. A newer version may accept the request."""
        if self._is_hopeless(refused) or isinstance(refused, TooMuchWork):
            return False
        known, self._game = self._game.version, self._store.games.latest(self._game_id)
        return self._game.version != known

    @property
    def _count(self) -> int:
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

    def _steps(self, *, is_dry_run: bool = False) -> Iterator[JudgedDraft]:
        """Yield the judged steps of the remaining drafts.

        A dry run stores nothing, so its texts are in the caller's language.
        """
        check_corrections(
            self._caller,
            self._store,
            self._game_id,
            self._game,
            self._drafts[self._count :],
            is_anyway=bool(self._accept_left_out) or self._accept_illegal or self._if_illegal == "accept",
            overruled=(lambda _: None) if is_dry_run else self._overruled,
        )
        for step in self._judge(is_dry_run=True) if is_dry_run else self._in_english():
            if self._caller.seat is not None:
                check_events(self._caller.seat, step.events)
            yield step

    def _judge(self, *, is_dry_run: bool = False) -> Iterator[JudgedDraft]:
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
        """Return the policy for illegal actions; None if `accept_left_out` or `accept_illegal` decides."""
        if self._if_illegal is None and (self._accept_left_out is not None or self._accept_illegal):
            return None
        if self._if_illegal is None and game.if_illegal == "accept" and game.outcome is not None:
            # An ended game continues only if the request asks for it: a stray event must not reopen it.
            return "ask"
        return self._if_illegal or game.if_illegal

    def _in_english(self) -> Iterator[JudgedDraft]:
        """Yield the judged steps with English texts, because stored events are in English.

        Only the reason for a rejection is in the caller's language.
        """
        try:
            for step in compute_in(None, self._judge()):
                refused = step.refused
                yield (
                    step
                    if refused is None
                    else msgspec.structs.replace(step, refused=self._translate_rejection(refused))
                )
        except EngineError as refused:
            raise self._translate_rejection(refused) from None

    def _translate_rejection(self, refused: Exception) -> Exception:
        """Judge the drafts again, to get the rejection `refused` in the caller's language.

        Return the new error, or `refused` if the second run does not fail in the same way.
        """
        if current_language() == ENGLISH or not isinstance(refused, EngineError):
            return refused
        said: Exception | None = None
        try:
            for step in self._judge():
                said = step.refused
        except EngineError as error:
            said = error
        # The second run may fail differently, because the remaining time budget is smaller.
        return said if type(said) is type(refused) else refused

    def _write(self, part: Sequence[JudgedDraft], stopped: StoppedList | None = None) -> None:
        events = [event for step in part for event in step.events]
        goes_on = stopped is None and self._count + len(part) < len(self._drafts)
        told = None if stopped is None else msgspec.json.encode(stopped)
        began = time.perf_counter()
        with tracing.span("append", {"driftlog.game": self._game_id, "driftlog.events": len(events)}):
            appended = self._append(events, goes_on=goes_on, stopped=told)
        if isinstance(appended, StoredResult):
            raise _Elsewhere(appended)
        self._meter.count_append(len(events), time.perf_counter() - began)
        before, after = self._game, self._store.games.mark_by_hand(self._game_id, part[-1].game)
        here = (appended.first, appended.last)
        self._game, self._done = after, StoredResult.after(self._done, here, goes_on=goes_on, stopped=told)
        impact = self._recorded.impact
        for step in part:
            impact = both(impact, step.impact)
        self._recorded = AppendResult(after, [*self._recorded.events, *events], impact=impact, stopped=stopped)
        self._store.games.keep(self._game_id, after)
        if after.status != before.status:
            list_at_once(self._store, self._game_id)

    def _append(self, events: Sequence[Event], *, goes_on: bool, stopped: bytes | None) -> AppendedRange | StoredResult:
        """Append events. If the response is lost, try again: then the log shows if the events were appended."""

        def write() -> AppendedRange | StoredResult:
            return self._store.events.append(
                self._game_id,
                (self._game.version, self._game.head),
                events,
                self._key,
                before=self._done,
                goes_on=goes_on,
                stopped=stopped,
                checked=self._store.watch.checked_window(self._game_id, self._game.version),
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
                return AppendedRange(events[0].seq, events[-1].seq)

    def _make_stopped(self, refused: Exception, index: int) -> StoppedList:
        if isinstance(refused, EngineError):
            refused.index = index
        return StoppedList(index, self._explain(refused, self._game))

    def _final_result(self, refused: Exception, *, is_last: bool = False) -> AppendResult:
        """End the request early, store the reason for it, and return the result.

        Args:
            is_last: True to stop even if the game has moved on.

        Raises:
            VersionConflict: the game has moved on, and might now accept the rest.
        """
        newest = self._store.games.latest(self._game_id)
        if newest.version != self._game.version and not is_last:
            raise VersionConflict(newest.version, [])
        stopped = self._make_stopped(refused, self._count)
        if self._key is not None:
            assert self._done is not None
            more = self._store.events.settle(self._game_id, self._key, self._done, msgspec.json.encode(stopped))
            if more is not None:
                if not self._is_ended(more):
                    raise VersionConflict(newest.version, [])
                return self._recorded
        return msgspec.structs.replace(self._recorded, stopped=stopped)

    def _impact(self, events: Sequence[Event]) -> tuple[Impact, ...]:
        """Return the impact of corrections on later events. The log must already contain `events`."""
        played = history(self._store.events.read(self._game_id, until=events[-1].seq))
        return tuple(one for event in events for one in played.impacts.get(event.seq, ()))

    def translate_impact(self, recorded: AppendResult) -> AppendResult:
        """Return `recorded` with its impact described in the caller's language."""
        if recorded.impact is None or current_language() == ENGLISH:
            return recorded
        return msgspec.structs.replace(recorded, impact=self._impact(recorded.events))

    def _is_ended(self, done: StoredResult) -> bool:
        """Load `done`, the part of the request that is in the log. Return True if the request is complete."""
        store, game_id = self._store, self._game_id
        events = [
            event for first, last in done.parts for event in store.events.read(game_id, after=first - 1, until=last)
        ]
        game = store.games.get(game_id, at=events[-1].seq)
        impact = self._impact(events) if any(event.type in lifecycle.REWRITING for event in events) else None
        stopped = None if done.stopped is None else stopped_of(done.stopped)
        self._done = done
        self._recorded = AppendResult(game, events, is_replay=True, impact=impact, stopped=stopped)
        self._game = store.games.latest(game_id) if done.goes_on else game
        return not done.goes_on


def _keeping_broken(draft: Draft) -> Draft:
    """Return the draft. If it is an amend, let it keep later events that the amend makes illegal."""
    if draft.type != "amend":
        return draft
    return msgspec.structs.replace(draft, params={**draft.params, "accept_broken": True})
