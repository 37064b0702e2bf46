"""The audit: replay a log and judge every event of it; bad data is a finding, never an exception."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from engine import lifecycle
from engine.chance import Recorded, V, seed_commitment, seeded_index
from engine.errors import (
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    LogDoesNotVerify,
    Malformed,
    OutcomeRequired,
)
from engine.events import GENESIS, Event, Header, Value, event_hash
from engine.fold import Game, opened
from engine.history import History

Kind = Literal[
    "sequence",
    "chain",
    "malformed",
    "illegal_action",
    "impossible_outcome",
    "missing_outcome",
    "turn",
    "closing",
    "seed",
]
CHAIN_RULE = "The hash chain"
SEED_RULE = "Seeded chance"


class Finding(msgspec.Struct, frozen=True):
    """What is wrong with event `seq`: `kind` for programs, `rule` and `message` for people."""

    seq: int
    turn: int
    kind: Kind
    rule: str
    message: str


class Report(msgspec.Struct, frozen=True):
    """What an audit found."""

    verdict: Literal["clean", "findings", "broken"]
    """`broken`: the chain is broken, or the log cannot be replayed to its end."""
    findings: tuple[Finding, ...]
    """In the order of the log, but for those of the seed, which is revealed at the end."""
    head: str
    """The hash of the last event."""
    events: int
    """How many events were read."""


class _Witness(Recorded):
    """Replays outcomes and remembers among what they came up."""

    __slots__ = ("drawn", "seq")

    def __init__(self) -> None:
        super().__init__()
        self.seq = 0
        self.drawn: list[tuple[int, int, tuple[Value, ...], Value]] = []
        """Each draw: event, position in it, the options, what came up."""

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        super().begin(seq, reported)
        self.seq = seq

    def draw(self, name: str, options: Sequence[V]) -> V:
        position = self._position
        value = super().draw(name, options)
        self.drawn.append((self.seq, position, tuple(options), value))
        return value


class Auditor:
    """Reads a log event by event and notes what it finds; `game` is the game as far as it is sound."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.game: Game | None = None
        self._is_broken = False
        self._events = 0
        self._seq = 0
        self._head = GENESIS
        self._history: History | None = None
        self._chance = _Witness()
        self._is_ending = False

    def read(self, event: Event) -> None:
        """Judge the next event. After one that cannot be replayed only the chain is judged."""
        turn = self._turn()
        self._check_chain(event, turn)
        if self._is_broken:
            return
        if event.turn != turn:
            self._find(
                event.seq, turn, "turn", lifecycle.RULE, f"it says turn {event.turn}, and happened in turn {turn}"
            )
        self._check_closing(event)
        try:
            self._replay(event)
        except EngineError as error:
            kind, rule, message = _told(error)
            self._break(event.seq, turn, kind, rule, message)

    def lost(self, message: str) -> None:
        """What follows cannot even be read, and `message` says why."""
        self._break(self._seq + 1, self._turn(), "malformed", CHAIN_RULE, message)

    def finish(self) -> Report:
        """The report on all that was read."""
        if self._events == 0:
            self._break(0, 0, "malformed", lifecycle.RULE, "a log begins with game_opened")
        elif self._is_ending and not self._is_broken:
            self._find(self._events, self._turn(), "closing", lifecycle.RULE, "the game ends here, and is not closed")
        verdict: Literal["clean", "findings"] = "findings" if self.findings else "clean"
        return Report("broken" if self._is_broken else verdict, tuple(self.findings), self._head, self._events)

    def _replay(self, event: Event) -> None:
        if self._history is None:
            header = opened(event)
            self._history = History(header)
            self.game = Game(header=header, version=event.seq, head=event.hash, state=None)
            return
        before = self._history.states[-1]
        self._history.fold((event,), self._chance)
        state = self._history.states[-1]
        is_new = before is None or before.outcome is None or event.type in lifecycle.REWRITING
        self._is_ending = state is not None and state.outcome is not None and is_new
        assert self.game is not None
        self.game = Game(header=self.game.header, version=event.seq, head=event.hash, state=state)
        if event.type == lifecycle.GAME_CLOSED:
            self._check_seed(event, self.game.header)

    def _check_chain(self, event: Event, turn: int) -> None:
        expected, self._seq = self._seq + 1, event.seq
        prev, self._head = self._head, event.hash
        self._events += 1
        if event.seq != expected:
            self._break(event.seq, turn, "sequence", CHAIN_RULE, f"event {expected} should stand here")
        if event.prev != prev:
            self._break(event.seq, turn, "chain", CHAIN_RULE, "`prev` is not the hash of the event before it")
        try:
            is_intact = event_hash(event) == event.hash
        except Malformed as error:
            self._break(event.seq, turn, "malformed", CHAIN_RULE, error.message)
            return
        if not is_intact:
            self._break(event.seq, turn, "chain", CHAIN_RULE, "its contents do not have the hash that it carries")

    def _check_closing(self, event: Event) -> None:
        is_closing = event.type == lifecycle.GAME_CLOSED
        if self._is_ending and not is_closing:
            self._find(event.seq, self._turn(), "closing", lifecycle.RULE, "the game had ended, and was not closed")
        elif is_closing and not self._is_ending:
            self._find(event.seq, self._turn(), "closing", lifecycle.RULE, "the game is closed without having ended")
        self._is_ending = False

    def _check_seed(self, closed: Event, header: Header) -> None:
        seed = closed.params.get("seed")
        if header.chance_at(closed.seq) == "observed":
            if seed is not None:
                self._find(closed.seq, closed.turn, "seed", SEED_RULE, "an observed game has no seed to reveal")
            return
        if seed is None:
            self._find(closed.seq, closed.turn, "seed", SEED_RULE, "the seed is not revealed")
            return
        if seed_commitment(seed) != header.seed_commitment:
            self._find(closed.seq, closed.turn, "seed", SEED_RULE, "the seed revealed is not the one committed to")
            return
        key = seed.encode()
        own = header.fork.at if header.fork is not None else 0
        for seq, position, options, value in self._chance.drawn:
            if seq > own and options[seeded_index(key, seq, position, len(options))] != value:
                message = f"the seed does not draw its outcome {position + 1}, {value!r}"
                self._find(seq, self._turn(seq - 1), "seed", SEED_RULE, message)

    def _turn(self, after: int = -1) -> int:
        """The turn that is played after that event (default: the last one replayed)."""
        state = self._history.states[after] if self._history is not None else None
        return state.turn if state is not None else 0

    def _find(self, seq: int, turn: int, kind: Kind, rule: str, message: str) -> None:
        self.findings.append(Finding(seq, turn, kind, rule, message))

    def _break(self, seq: int, turn: int, kind: Kind, rule: str, message: str) -> None:
        self._is_broken = True
        self._find(seq, turn, kind, rule, message)


def _told(error: EngineError) -> tuple[Kind, str, str]:
    """What a finding says of an event that the rules refuse: its kind, rule and message."""
    match error:
        case IllegalAction():
            return "illegal_action", error.rule, error.message
        case GameOver():
            return "illegal_action", lifecycle.RULE, str(error)
        case OutcomeRequired():
            return "missing_outcome", lifecycle.RULE, str(error)
        case ImpossibleOutcome():
            return "impossible_outcome", lifecycle.RULE, str(error)
        case _:
            return "malformed", lifecycle.RULE, str(error)


def audit(events: Iterable[Event]) -> Report:
    """Replay a whole log and judge it: chain, rules, outcomes, and the seed once it is revealed."""
    auditor = Auditor()
    for event in events:
        auditor.read(event)
    return auditor.finish()


def verify(events: Iterable[Event]) -> Game:
    """Replay a whole log and return its game.

    Raises:
        LogDoesNotVerify: with the first event (by `seq`) that fails.
    """
    auditor = Auditor()
    for event in events:
        auditor.read(event)
    report = auditor.finish()
    if report.findings:
        first = min(report.findings, key=lambda finding: finding.seq)
        raise LogDoesNotVerify(first.seq, first.message)
    assert auditor.game is not None
    return auditor.game
