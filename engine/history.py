"""A log read from its beginning: the state and the line after each of its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine import lifecycle
from engine.chance import Chance, Recorded
from engine.errors import Malformed
from engine.events import Event, Header
from engine.fold import Game, Rules, opened
from engine.lines import Entry, Judgement, Line, Past, Slot
from engine.ruleset import State


class Trail(Past):
    """The events of a log after one that is known, as they are played.

    Args:
        start: the last event that is known.
        state: the state after it.
    """

    def __init__(self, start: int, state: State | None) -> None:
        super().__init__()
        self.start = start
        self.states: list[State | None] = [state]
        """The state after `start` and after each event since."""
        self.entries: list[Entry] = []
        """The events since."""
        self.judgements: dict[int, Judgement] = {}
        """What the rules say of each event that is not simply legal."""

    def state(self, at: int) -> State | None:
        return self.states[at - self.start]

    def add(self, entry: Entry, state: State | None, judgement: Judgement | None) -> None:
        """The next event has been played."""
        self.entries.append(entry)
        self.states.append(state)
        if judgement is not None:
            self.judgements[self.start + len(self.entries)] = judgement

    def line(self, at: int) -> Line:
        tail: list[Slot] = []
        # Event 1 is on no line: it is what all of them have in common.
        while at > max(self.start, 1):
            if at in self.lines:
                return [*self.lines[at], *reversed(tail)]
            entry = self.entries[at - self.start - 1]
            if entry.type == "undo":
                at = entry.params["to"]
                continue
            tail.append(Slot(at, at, entry, self.state(at), self.judgements.get(at)))
            at -= 1
        return [*self.known(at), *reversed(tail)]

    def known(self, at: int) -> Line:
        """The line after event `at`, which is no later than `start`."""
        return ()


class Growing(Trail):
    """The events of a log after `game`, of which `past` knows what came before."""

    def __init__(self, game: Game, past: Past) -> None:
        super().__init__(game.version, game.state)
        self._past = past

    def state(self, at: int) -> State | None:
        return super().state(at) if at >= self.start else self._past.state(at)

    def known(self, at: int) -> Line:
        return self._past.line(at)


class History(Trail):
    """A log from its event 1, which is played already: it says by which rules."""

    def __init__(self, header: Header) -> None:
        """
        Raises:
            UnknownRuleset, Malformed: as `Rules`.
        """
        super().__init__(0, None)
        self.rules = Rules(header)
        self.states.append(None)
        self.entries.append(_OPENING)

    @property
    def version(self) -> int:
        """The `seq` of the last event."""
        return len(self.entries)

    @property
    def standing(self) -> Line:
        """The line after the last event."""
        return self.line(self.version)

    def fold(self, entries: Iterable[Entry], chance: Chance) -> None:
        """Play `entries` one after the other, every rule checked. Where one fails, the history ends before it.

        Raises:
            As `Rules.play`.
        """
        play, finish, judgements = self.rules.play, chance.finish, self.judgements
        remember, keep = self.states.append, self.entries.append
        state = self.states[-1]
        for seq, entry in enumerate(entries, len(self.states)):
            state, _, judgement = play(state, entry, seq, chance, self)
            finish()
            remember(state)
            keep(entry)
            if judgement is not None:
                judgements[seq] = judgement


class _Opening(msgspec.Struct, frozen=True):
    type: str = lifecycle.GAME_OPENED
    actor: None = None
    params: dict[str, object] = {}
    outcomes: tuple[()] = ()


_OPENING = _Opening()


def history(events: Sequence[Event]) -> History:
    """A whole log, played.

    Raises:
        EngineError: an event that the rules or the shape of a log forbid.
    """
    if not events:
        raise Malformed("", "a log begins with game_opened")
    played = History(opened(events[0]))
    played.fold(events[1:], Recorded())
    return played


def fold(events: Iterable[Event]) -> Game:
    """Fold a whole log, every rule checked (the hash chain and the seed are `engine.audit`'s to check).

    Raises:
        EngineError: an event that the rules or the shape of a log forbid.
    """
    log = list(events)
    played = history(log)
    return Game(header=played.rules.header, version=log[-1].seq, head=log[-1].hash, state=played.states[-1])
