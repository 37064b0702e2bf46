"""The fold: state is what a game's events make of it, one after the other.

Record, replay, audit, undo, fork, import and live view are this one fold, started and stopped at different places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from engine import lifecycle, registry
from engine.chance import Chance, Recorded
from engine.errors import GameOver, IllegalAction, Malformed
from engine.events import Event, GameOutcome, Header, Value
from engine.ruleset import Action, Ruleset, State, malformed

AnyRuleset = Ruleset[Any, Any]

Body = Action[Any] | lifecycle.Lifecycle

Recall = Callable[[int], State | None]
"""The state after an earlier event of the same game; None where it was not set up yet."""


class Entry(Protocol):
    """What the fold reads of an event, or of a draft."""

    @property
    def type(self) -> str: ...
    @property
    def actor(self) -> str | None: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def outcomes(self) -> tuple[Value, ...]: ...


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game folded up to its event `version`."""

    header: Header
    version: int
    """The `seq` of the last event."""
    head: str
    """The hash of the last event."""
    state: State | None
    """None until the game is set up."""

    @property
    def ruleset(self) -> AnyRuleset:
        """The rules that it is played by."""
        return registry.ruleset(self.header.ruleset, self.header.ruleset_version)

    @property
    def outcome(self) -> GameOutcome | None:
        """How it ended; None while it goes on."""
        return self.state.outcome if self.state is not None else None

    @property
    def turn(self) -> int:
        """The turn that is being played; 0 before the first."""
        return self.state.turn if self.state is not None else 0

    @property
    def phase(self) -> str:
        """The part of the turn; `setup` before the game is set up, `over` when it has ended."""
        if self.state is None:
            return "setup"
        return self.state.phase if self.state.outcome is None else "over"

    @property
    def status(self) -> str:
        """`setup`, `in_progress`, `finished` or `abandoned`."""
        if self.state is None:
            return "setup"
        if self.state.outcome is None:
            return "in_progress"
        return "abandoned" if self.state.outcome.result == "abandoned" else "finished"

    @property
    def awaiting(self) -> tuple[str, ...]:
        """The ids of the seats that the game waits for."""
        if self.state is None or self.state.outcome is not None:
            return ()
        ids = self.header.seat_ids
        return tuple(ids[seat] for seat in self.ruleset.awaiting(self.state))


class Rules:
    """The rules of one game, ready to judge its entries."""

    __slots__ = ("_header", "_options", "_seats", "ruleset")

    def __init__(self, header: Header) -> None:
        """
        Raises:
            UnknownRuleset: the game's ruleset is not installed.
            Malformed: its options or seats do not fit the ruleset.
        """
        self._header = header
        self._seats = len(header.seats)
        self.ruleset: AnyRuleset = registry.ruleset(header.ruleset, header.ruleset_version)
        self._options = self.ruleset.parse_options(header.options, self._seats)

    def play(
        self, state: State | None, entry: Entry, seq: int, chance: Chance, recall: Recall
    ) -> tuple[State | None, Body]:
        """Judge `entry` as event `seq` and carry it out; the caller then asks `chance.finish` what came up.

        Returns:
            The state after it, and what the entry is: the ruleset's action or the lifecycle event.

        Raises:
            Malformed, GameOver, IllegalAction, OutcomeRequired, ImpossibleOutcome: nothing has happened then.
        """
        type_ = entry.type
        if type_ in lifecycle.KINDS:
            event = lifecycle.parse(type_, entry.actor, entry.params)
            chance.begin(seq, entry.outcomes)
            return self._live(state, event, seq, chance, recall), event
        ruleset = self.ruleset
        action = ruleset.parse(type_, entry.params)
        if state is None:
            raise IllegalAction(lifecycle.RULE, "The game has to be set up first.")
        seat = ruleset.judge(state, action, entry.actor)
        chance.begin(seq, entry.outcomes)
        return action.apply(state, seat, chance), action

    def fold(self, states: list[State | None], entries: Iterable[Entry], chance: Chance) -> None:
        """Play `entries` one after the other, every rule checked.

        Args:
            states: the state after each event so far, `states[0]` standing for the time before event 1; the new
                ones are added. Where an entry fails, it ends before it.

        Raises:
            As `play`.
        """
        play, finish, remember, recall = self.play, chance.finish, states.append, states.__getitem__
        state = states[-1]
        for seq, entry in enumerate(entries, len(states)):
            state, _ = play(state, entry, seq, chance, recall)
            finish()
            remember(state)

    def _live(
        self, state: State | None, event: lifecycle.Lifecycle, seq: int, chance: Chance, recall: Recall
    ) -> State | None:
        if isinstance(event, lifecycle.SetUp):
            if state is not None:
                raise IllegalAction(lifecycle.RULE, "The game is set up already.")
            start: State = self.ruleset.setup(self._options, self._seats, chance)
            return start if self._is_seeded(seq) else self.ruleset.at_table(start)
        if state is None:
            raise IllegalAction(lifecycle.RULE, "The game has to be set up first.")
        if isinstance(event, lifecycle.Undo):
            return self._undo(state, event, seq, recall)
        if isinstance(event, lifecycle.Annotate):
            if event.seq is not None and event.seq >= seq:
                raise Malformed("/params/seq", f"there is no event {event.seq} yet")
            return state
        if isinstance(event, lifecycle.Abandon):
            if state.outcome is not None:
                raise GameOver(state.outcome)
            abandoned = GameOutcome("abandoned", (), "abandoned", lifecycle.RULE)
            return msgspec.structs.replace(state, outcome=abandoned)
        if event.outcome != state.outcome:
            raise IllegalAction(lifecycle.RULE, "A game closes with the outcome that its events led to.")
        return state

    def _is_seeded(self, seq: int) -> bool:
        return self._header.chance_at(seq) == "seeded"

    def _undo(self, state: State, undo: lifecycle.Undo, seq: int, recall: Recall) -> State | None:
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        if undo.to >= seq - 1:
            raise Malformed("/params/to", f"the last event is {seq - 1}: nothing after {undo.to} can be undone")
        if undo.to == 1 and is_seeded:
            raise IllegalAction(lifecycle.RULE, "The deal of a seeded game stands.")
        return recall(undo.to)


def opened(event: Event) -> Header:
    """The header that event 1 carries.

    Raises:
        Malformed: it is not a `game_opened`.
    """
    if event.type != lifecycle.GAME_OPENED:
        raise Malformed("/type", "a log begins with game_opened")
    if event.actor is not None or event.outcomes:
        raise Malformed("", "game_opened is nobody's action, and asks chance nothing")
    try:
        header = msgspec.convert(event.params, Header)
    except msgspec.ValidationError as error:
        raise malformed(error, "/params") from None
    if (header.chance == "seeded") != (header.seed_commitment is not None):
        raise Malformed("/params/seed_commitment", "a seeded game is committed to its seed, an observed one has none")
    return header


def fold(events: Iterable[Event]) -> Game:
    """Fold a whole log, every rule checked (the hash chain and the seed are `engine.audit`'s to check).

    Raises:
        EngineError: an event that the rules or the shape of a log forbid.
    """
    iterator = iter(events)
    first = next(iterator, None)
    if first is None:
        raise Malformed("", "a log begins with game_opened")
    header = opened(first)
    rest = list(iterator)
    states: list[State | None] = [None, None]
    Rules(header).fold(states, rest, Recorded())
    last = rest[-1] if rest else first
    return Game(header=header, version=last.seq, head=last.hash, state=states[-1])
