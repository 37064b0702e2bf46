"""The recorder: enters act after act into a new record, with what is written to have come up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core import lifecycle
from engine.core.errors import IllegalAction, OutcomeRequired, TooMuchWork
from engine.core.events import Draft, Event
from engine.core.values import State, Value
from engine.kit.chance import Chance, Observed, Seeded
from engine.play.fold import History
from engine.play.game import Game
from engine.play.line import Chain
from engine.play.record import record
from engine.review import turns
from exports.notation import language
from exports.notation.came_up import Queue
from exports.notation.resolving import exact_outcome
from exports.notation.scanning import Misread
from exports.notation.syntax import place
from exports.notation.words import Names

_NEEDED = "what came up for the {} is not written, and the game cannot go on without it"


class Recorder:
    """Records a game.

    Args:
        seed: of a seeded game, where it is known: it draws, and what is written has to be what it draws.
    """

    def __init__(self, game: Game, opening: Event, seed: str | None, recorded_by: str | None) -> None:
        self.game = game
        self.events = [opening]
        self.history = History(game.header)
        self.seed = seed
        self._recorded_at, self._recorded_by = opening.recorded_at, recorded_by
        self._names = Names(game.header.names)
        self._language = language.of(game.ruleset)

    def enter(self, draft: Draft, queue: Queue, *, as_it_is: bool) -> tuple[list[Event], list[str]]:
        """Record `draft` with what `queue` says came up. Where nothing is written it is unknown, if the game can go on
        so.

        Args:
            as_it_is: that no step of the rules was left out before it, whatever explains it.

        Returns:
            The events, and what was asked for and is not known.

        Raises:
            Misread: what is written to have come up cannot have, or is missing.
            EngineError: the draft is refused.
        """
        chance = self._chance()
        if not isinstance(chance, Observed):
            return self._drawn(draft, chance, queue), []
        outcomes: list[Value | None] = []
        missing: list[str] = []
        while True:
            try:
                given = msgspec.structs.replace(draft, outcomes=tuple(outcomes))
                return self.record(given, chance, as_it_is=as_it_is), missing
            except OutcomeRequired as error:
                point = error.point
                what = point.name.replace("_", " ")
                # What an amend brings has its outcomes in its params.
                if point.position < len(outcomes) or draft.type == "amend":
                    raise _needed(what, error.hints) from None
                outcomes.append(queue.value(outcomes, point, self._language))
                if outcomes[-1] is None:
                    missing.append(what)
            except (IllegalAction, TooMuchWork):
                if not missing:
                    raise
                raise _needed(missing[0]) from None

    def record(self, draft: Draft, chance: Chance | None = None, *, as_it_is: bool = True) -> list[Event]:
        """Record a draft as it is.

        Raises:
            EngineError: it is refused.
        """
        game, events = record(
            self.game,
            [draft],
            chance or Observed(),
            self.history,
            recorded_at=self._recorded_at,
            recorded_by=self._recorded_by,
            accept_left_out=not as_it_is,
        )
        self.history.fold(events)
        self.game = game
        self.events += events
        return events

    def sentence(self, event: Event) -> str:
        """What a player says of it."""
        before, after = self.history.state(event.seq - 1), self.history.state(event.seq)
        judgement = self.history.judgements.get(event.seq)
        return turns.sentence(self.history.rules, self.game.header, event, before, after, judgement=judgement)

    def state_before(self, place_: int) -> State | None:
        """The state before the place of that number in the line."""
        line = Chain.of(self.history.mainline)
        index = line.index_of(place_)
        if index is None:
            index = len(line)
        return line[index - 1].after if index else None

    def _drawn(self, draft: Draft, chance: Chance, queue: Queue) -> list[Event]:
        events = self.record(draft, chance)
        if draft.type in lifecycle.KINDS and draft.type != lifecycle.SET_UP:
            return events
        drawn = next(event for event in events if event.type == draft.type).outcomes
        for index, value in enumerate(drawn):
            said = queue.next(list(drawn[:index]))
            if said is not None and not said.is_unknown and exact_outcome(said.tokens, self._names) != value:
                raise Misread(*place(said.tokens), f"the seed draws {value} here, and the text says {said.text}")
        return events

    def _chance(self) -> Chance:
        """Who says what comes up in the next event: the seed where it is known, else the text."""
        header = self.game.header
        is_own = header.fork is None or self.game.version >= header.fork.at
        return Seeded(self.seed) if self.seed is not None and is_own else Observed()


def _needed(what: str, hints: Sequence[str] = ()) -> Misread:
    where = f". It shows on the table: {', '.join(hint.replace('_', ' ') for hint in hints)}" if hints else ""
    return Misread(0, 0, f"{_NEEDED.format(what)}{where}")
