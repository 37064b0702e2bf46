"""The fold: state is what a game's events make of it, one after the other.

Record, replay, audit, undo, fork, import and live view are this one fold, started and stopped at different places:
`steps` is its loop, and `History` keeps what it went through. What a single event does is in `engine.play.rules`.
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
from engine.play.game import Game, opened
from engine.play.line import Chain, Entry, Line, Slot
from engine.play.past import Known, Past
from engine.play.rules import Rules

E = TypeVar("E", bound=Entry)


def steps(
    rules: Rules, entries: Iterable[tuple[int, E]], state: State | None, past: Past, chance: Chance | None = None
) -> Iterator[tuple[E, State | None, Judgement | None]]:
    """Play entries one after the other, every rule checked: each one's state is that before the next.

    Args:
        entries: each with the `seq` of its event.
        state: the one before the first of them; None where the game is not set up yet.
        past: what came before each of them. Whoever asks for the steps tells it what was played since.
        chance: where outcomes come from (default: as the entries say).

    Yields:
        The entry, the state after it, and what the rules say of it where it is not simply legal.

    Raises:
        EngineError: as `Rules.play`; its `seq` says at which event.
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
    """A log as it is played, from its event 1 on or from a later one: the state and the line after each event.

    Args:
        header: what event 1 says; it is played already.
        game: where it goes on from (default: from event 1).
        earlier: what came before `game`.

    Raises:
        UnknownRuleset, Malformed: as `Rules`.
    """

    def __init__(self, header: Header, game: Game | None = None, earlier: Past | None = None) -> None:
        super().__init__()
        self.rules = Rules(header)
        self.start = 0 if game is None else game.version
        """The event before the first that is kept."""
        self.states: list[State | None] = [None, None] if game is None else [game.state]
        """The state after `start` and after each event since."""
        self.entries: list[Entry] = [_OPENING] if game is None else []
        """The events since."""
        self.judgements: dict[int, Judgement] = {}
        """What the rules say of each event that is not simply legal."""
        self._earlier = Known() if earlier is None else earlier

    @property
    def version(self) -> int:
        """The `seq` of the last event."""
        return self.start + len(self.entries)

    @property
    def mainline(self) -> Line:
        """The line after the last event: what stands at the end of the log."""
        return self.line(self.version)

    @property
    def by_hand(self) -> bool:
        """Whether adjustments decided how the game ended."""
        state = self.states[-1]
        if state is None or state.outcome is None or state.outcome.result == "abandoned":
            return False
        return is_by_hand(self.rules, self.mainline)

    def fold(self, entries: Iterable[Entry], chance: Chance | None = None) -> None:
        """Play `entries` one after the other. Where one fails, the history ends before it.

        Raises:
            As `steps`.
        """
        keep, remember, judgements = self.entries.append, self.states.append, self.judgements
        numbered = enumerate(entries, self.version + 1)
        for entry, state, judgement in steps(self.rules, numbered, self.states[-1], self, chance):
            keep(entry)
            remember(state)
            if judgement is not None:
                judgements[self.version] = judgement

    def add(self, entry: Entry, state: State | None, judgement: Judgement | None) -> None:
        """The next event, which somebody else has played."""
        self.entries.append(entry)
        self.states.append(state)
        if judgement is not None:
            self.judgements[self.version] = judgement

    def state(self, at: int) -> State | None:
        return self.states[at - self.start] if at >= self.start else self._earlier.state(at)

    def line(self, at: int) -> Line:
        tail: list[Slot] = []
        # Event 1 is on no line: it is what all of them have in common.
        while at > 1:
            if at in self.lines:
                return _followed(self.lines[at], tail)
            if at <= self.start:
                return _followed(self._earlier.line(at), tail)
            entry = self.entries[at - self.start - 1]
            if entry.type == "undo":
                at = entry.params["to"]
                continue
            tail.append(Slot(at, at, entry, self.state(at), self.judgements.get(at)))
            at -= 1
        return _followed((), tail)


_OPENING = Draft(type=lifecycle.GAME_OPENED)


def _followed(line: Line, tail: Sequence[Slot]) -> Line:
    """`line`, and behind it `tail`, whose last slot comes first."""
    chain = Chain.of(line)
    return chain.spliced(len(chain), len(chain), tail[::-1]) if tail else chain


def history(events: Sequence[Event]) -> History:
    """A whole log, played.

    Raises:
        EngineError: an event that the rules or the shape of a log forbid.
    """
    if not events:
        raise Malformed("", "a log begins with game_opened")
    played = History(opened(events[0]))
    played.fold(events[1:])
    return played


def fold(events: Iterable[Event]) -> Game:
    """Fold a whole log, every rule checked (the hash chain and the seed are `engine.review.audit`'s to check).

    Raises:
        EngineError: an event that the rules or the shape of a log forbid.
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
