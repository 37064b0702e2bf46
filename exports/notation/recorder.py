"""Append drafts to a new record, with the written results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.errors import OutcomeRequired
from engine.core.events import Draft, Event
from engine.core.values import ChancePoint, State, Value
from engine.kit.chance import Observed, Seeded
from engine.play.fold import History
from engine.play.game import Game
from engine.play.past import KnownPast
from engine.play.record import record
from engine.review import turns

Taking = Callable[[Sequence[Value | None], ChancePoint], Value | None]
"""Function that returns the next written result after the given results; None if there is none."""


_MOST_KEPT = 256
"""The maximum number of judged actions that are kept."""


class Differs(Exception):
    """The seed draws another result than the text has."""


class PendingDraft(msgspec.Struct, frozen=True):
    """A judged draft that is not in the record yet."""

    game: Game
    """The game after the draft is recorded."""
    events: tuple[Event, ...]
    unknown: tuple[str, ...] = ()
    """The names of the draws with unknown results."""

    @property
    def is_legal(self) -> bool:
        """Return True if none of the events is illegal."""
        return all(event.verdict != "illegal" for event in self.events)


def _is_simply_legal(event: Event) -> bool:
    return (event.verdict, event.rule, event.reason) == ("legal", None, None)


class Recorder:
    """Records the events of one game.

    Args:
        seed: the seed of a seeded game, if known: its draws must match the text.
    """

    def __init__(self, game: Game, opening: Event, seed: str | None, recorded_by: str | None) -> None:
        self.game = game
        self.events = [opening]
        self.history = History(game.header)
        self.seed = seed
        self._recorded_at, self._recorded_by = opening.recorded_at, recorded_by
        self._judged: dict[tuple[str, bytes, bool], PendingDraft | OutcomeRequired] = {}
        """The judged actions: a line is guessed first, then entered, and each costs much if cards are unknown."""

    def judge(self, draft: Draft, game: Game | None = None, *, is_illegal: bool = False) -> PendingDraft:
        """Judge a draft without recording it.

        Args:
            game: the game to append to (default: the recorded game).
            is_illegal: True to accept an illegal action, because the players took it anyway.

        Raises:
            EngineError: the draft is rejected.
        """
        at = self.game if game is None else game
        if draft.type in lifecycle.KINDS:
            return self._judge(draft, at, is_illegal=is_illegal)
        same = at.head, msgspec.json.encode(draft), is_illegal
        if same not in self._judged:
            if len(self._judged) > _MOST_KEPT:
                self._judged.clear()
            try:
                self._judged[same] = self._judge(draft, at, is_illegal=is_illegal)
            except OutcomeRequired as error:
                self._judged[same] = error
        found = self._judged[same]
        if isinstance(found, OutcomeRequired):
            raise found
        return found

    def _judge(self, draft: Draft, at: Game, *, is_illegal: bool) -> PendingDraft:
        chance = Seeded(self.seed) if self.seed is not None and self._is_drawn else Observed()
        after, events = record(
            at,
            [draft],
            chance,
            # The history lacks the events of a guess, so use it only for the recorded game.
            self.history if at.version == self.history.version else KnownPast(),
            recorded_at=self._recorded_at,
            recorded_by=self._recorded_by,
            accept_illegal=is_illegal,
        )
        return PendingDraft(after, tuple(events))

    def draw(self, draft: Draft, taking: Taking, game: Game | None = None, *, is_illegal: bool = False) -> PendingDraft:
        """Judge a draft with the results in the text. Missing results are unknown, if the game allows that.

        Raises:
            OutcomeRequired: a missing result must be known.
            Differs: the seed's draw differs from the text.
            EngineError: the draft is rejected.
        """
        if self._is_drawn:
            return self._draw(draft, taking, game)
        outcomes: list[Value | None] = []
        unknown: list[str] = []
        while True:
            try:
                given = msgspec.structs.replace(draft, outcomes=tuple(outcomes))
                entered = self.judge(given, game, is_illegal=is_illegal)
                return msgspec.structs.replace(entered, unknown=tuple(unknown))
            except OutcomeRequired as error:
                # The results of an amend are in its params.
                if error.point.position < len(outcomes) or draft.type == "amend":
                    raise
                outcomes.append(taking(outcomes, error.point))
                if outcomes[-1] is None:
                    unknown.append(error.point.name.replace("_", " "))

    def commit(self, entered: PendingDraft) -> list[Event]:
        """Append a judged draft."""
        events = list(entered.events)
        if len(events) == 1 and events[0].type not in lifecycle.KINDS and _is_simply_legal(events[0]):
            self.history.add(events[0], entered.game.state, None)
        else:
            self.history.fold(events)
        self.game = entered.game
        self.events += events
        return events

    def rewind(self, game: Game) -> None:
        """Remove the events after an earlier state of the game."""
        self.game = game
        del self.events[game.version :]
        self.history = History(game.header)
        self.history.fold(self.events[1:])

    def sentence(self, event: Event) -> str:
        """Return the sentence of an event."""
        before, after = self.history.state(event.seq - 1), self.history.state(event.seq)
        judgement = self.history.judgements.get(event.seq)
        return turns.sentence(self.history.rules, self.game.header, event, before, after, judgement=judgement)

    @property
    def state(self) -> State | None:
        """The current table; None before the setup."""
        return self.game.state

    @property
    def _is_drawn(self) -> bool:
        """Return True if the seed draws the results of the next event."""
        header = self.game.header
        return self.seed is not None and (header.fork is None or self.game.version >= header.fork.at)

    def _draw(self, draft: Draft, taking: Taking, game: Game | None) -> PendingDraft:
        entered = self.judge(draft, game)
        if draft.type in lifecycle.KINDS and draft.type != lifecycle.SET_UP:
            return entered
        drawn = next(event for event in entered.events if event.type == draft.type).outcomes
        for index, value in enumerate(drawn):
            said = taking(drawn[:index], ChancePoint("", index, ()))
            if said is not None and said != value:
                raise Differs(f"the seed draws {value} here, but the text says {said}")
        return entered
