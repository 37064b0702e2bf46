"""The fold: compute the state of a game from its events, one after the other.

Recording, replay, audit, undo, fork, import and live view all use this fold, with different start and end points.
`steps` is the loop, and `History` keeps the intermediate states. `engine.play.rules` applies a single event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from engine.core import effort, lifecycle
from engine.core.errors import EngineError, Malformed
from engine.core.events import Draft, Event, Header
from engine.core.values import Judgement, State
from engine.kit.chance import Chance, Recorded
from engine.play.by_hand import is_by_hand
from engine.play.game import Game, parse_header
from engine.play.line import Chain, Entry, Line, Slot
from engine.play.past import KnownPast, Past
from engine.play.rules import Rules

E = TypeVar("E", bound=Entry)


def steps(
    rules: Rules, entries: Iterable[tuple[int, E]], state: State | None, past: Past, chance: Chance | None = None
) -> Iterator[tuple[E, State | None, Judgement | None]]:
    """Apply entries one after the other, each to the state after the previous entry, with all rules checked.

    Args:
        entries: each with the `seq` of its event.
        state: the state before the first entry; None before the setup.
        past: the history. The caller must add each entry to it after the entry is yielded.
        chance: the source of outcomes (default: the entries).

    Yields:
        The entry, the state after it, and the judgement on the entry; None if the entry is simply legal.

    Raises:
        EngineError: as `Rules.play`; its `seq` names the event.
    """
    chance = Recorded() if chance is None else chance
    play, finish = rules.play, chance.finish
    for run in effort.runs(entries):
        for seq, entry in run:
            try:
                state, _, judgement = play(state, entry, seq, chance, past)
                finish()
            except EngineError as error:
                error.seq = seq
                raise
            yield entry, state, judgement


class History(Past):
    """A replay of a log, from event 1 or from a later one: the state and the line after each event.

    Args:
        header: the params of event 1, which is already applied.
        game: the game to continue from (default: from event 1).
        earlier: the history before `game`.

    Raises:
        UnknownRuleset, Malformed: as `Rules`.
    """

    def __init__(self, header: Header, game: Game | None = None, earlier: Past | None = None) -> None:
        super().__init__()
        self.rules = Rules(header)
        self.start = 0 if game is None else game.version
        """The `seq` of the event that led to the first stored state; 0 stands for the state before event 1."""
        self.states: list[State | None] = [None, None] if game is None else [game.state]
        """The state after event `start` and after each later event."""
        self.entries: list[Entry] = [_OPENING] if game is None else []
        """The entries from event `start` + 1 on. In a new history, the first entry stands for the opening."""
        self.judgements: dict[int, Judgement] = {}
        """The judgement on each event that is not simply legal, by `seq`."""
        self._earlier = KnownPast() if earlier is None else earlier

    @property
    def version(self) -> int:
        """The `seq` of the last event."""
        return self.start + len(self.entries)

    @property
    def mainline(self) -> Line:
        """The line after the last event."""
        return self.line(self.version)

    @property
    def by_hand(self) -> bool:
        """True if adjustments decided the outcome of the game."""
        state = self.states[-1]
        if state is None or state.outcome is None or state.outcome.result == "abandoned":
            return False
        return is_by_hand(self.rules, self.mainline)

    def fold(self, entries: Iterable[Entry], chance: Chance | None = None) -> None:
        """Apply `entries` one after the other. If an entry fails (see `steps`), the history ends before that entry."""
        keep, remember, judgements = self.entries.append, self.states.append, self.judgements
        numbered = enumerate(entries, self.version + 1)
        for entry, state, judgement in steps(self.rules, numbered, self.states[-1], self, chance):
            keep(entry)
            remember(state)
            if judgement is not None:
                judgements[self.version] = judgement

    def add(self, entry: Entry, state: State | None, judgement: Judgement | None) -> None:
        """Add the next event, which the caller has applied."""
        self.entries.append(entry)
        self.states.append(state)
        if judgement is not None:
            self.judgements[self.version] = judgement

    def state(self, at: int) -> State | None:
        return self.states[at - self.start] if at >= self.start else self._earlier.state(at)

    def line(self, at: int) -> Line:
        tail: list[Slot] = []
        # Event 1 is not part of a line.
        while at > 1:
            if at in self.lines:
                return _append_tail(self.lines[at], tail)
            if at <= self.start:
                return _append_tail(self._earlier.line(at), tail)
            entry = self.entries[at - self.start - 1]
            if entry.type == "undo":
                at = entry.params["to"]
                continue
            tail.append(Slot(at, at, entry, self.state(at), self.judgements.get(at)))
            at -= 1
        return _append_tail((), tail)


_OPENING = Draft(type=lifecycle.GAME_OPENED)


def _append_tail(line: Line, tail: Sequence[Slot]) -> Line:
    """Return `line` followed by the slots of `tail`, which are in reverse order."""
    chain = Chain.of(line)
    return chain.splice(len(chain), len(chain), tail[::-1]) if tail else chain


def history(events: Sequence[Event]) -> History:
    """Replay a whole log.

    Raises:
        EngineError: an event violates the rules or the shape of a log.
    """
    if not events:
        raise Malformed("", "a log must begin with game_opened")
    played = History(parse_header(events[0]))
    played.fold(events[1:])
    return played


def fold(events: Iterable[Event]) -> Game:
    """Fold a whole log, with all rules checked. `engine.review.audit` also checks the hash chain and the seed.

    Raises:
        EngineError: an event violates the rules or the shape of a log.
    """
    log = list(events)
    played = history(log)
    return Game(
        header=played.rules.header,
        version=log[-1].seq,
        head=log[-1].hash,
        state=played.states[-1],
        by_hand=played.by_hand,
    )
