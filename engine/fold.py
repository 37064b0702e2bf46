"""The fold: state is what a game's events make of it, one after the other.

Record, replay, audit, undo, fork, import and live view are this one fold, started and stopped at different places.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec

from engine import beliefs, corrections, lifecycle, registry, unseen, worlds
from engine.beliefs import Belief, World, likeliest
from engine.chance import Chance, Observed, Recorded
from engine.errors import (
    BreaksFollowers,
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    UnclearEffect,
    Undetermined,
)
from engine.events import SEAT_INDEX, Draft, Event, GameOutcome, Header, Value
from engine.lines import Entry, Judgement, NoPast, Past, Slot
from engine.ruleset import Action, Ruleset, State, malformed, seat_of

AnyRuleset = Ruleset[Any, Any]

Body = Action[Any] | lifecycle.Lifecycle

Played = tuple[State | None, Body, Judgement | None]
"""The state after an entry; what the entry is: the ruleset's action or the lifecycle event; what the rules say of it
where it is not simply legal."""


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
        return tuple(ids[seat] for seat in self.ruleset.awaiting(likeliest(self.state)))


class Rules:
    """The rules of one game, ready to judge its entries."""

    def __init__(self, header: Header, *, is_lenient: bool | None = None) -> None:
        """
        Args:
            is_lenient: whether what the rules forbid is carried out where that is clear (default: as the mode says).

        Raises:
            UnknownRuleset: the game's ruleset is not installed.
            Malformed: its options or seats do not fit the ruleset.
        """
        self.header = header
        self._is_lenient = header.mode == "as_played" if is_lenient is None else is_lenient
        self._seats = len(header.seats)
        self.ruleset: AnyRuleset = registry.ruleset(header.ruleset, header.ruleset_version)
        self._options = self.ruleset.parse_options(header.options, self._seats)

    def play(self, state: State | None, entry: Entry, seq: int, chance: Chance, past: Past) -> Played:
        """Judge `entry` as event `seq` and carry it out; the caller then asks `chance.finish` what came up.

        Raises:
            Malformed, GameOver, IllegalAction, OutcomeRequired, ImpossibleOutcome: nothing has happened then.
        """
        type_ = entry.type
        if type_ in lifecycle.KINDS:
            event = lifecycle.parse(type_, entry.actor, entry.params)
            if isinstance(event, lifecycle.Reveal):
                chance.begin(seq, entry.outcomes)
                return self._reveal(state, event, seq, past)
            if isinstance(event, lifecycle.Amend):
                if entry.outcomes:
                    raise Malformed("/outcomes/0", "what chance did stands in the event that the amend brings")
                return self._amend(state, event, seq, chance, past)
            chance.begin(seq, entry.outcomes)
            return self._live(state, event, seq, chance, past), event, None
        ruleset = self.ruleset
        action = ruleset.parse(type_, entry.params)
        if state is None:
            raise IllegalAction(lifecycle.RULE, "The game has to be set up first.")
        if state.__class__ is Belief or None in entry.outcomes:
            return self._believe(state, action, entry, seq, chance)
        try:
            seat = ruleset.judge(state, action, entry.actor)
        except IllegalAction as illegal:
            if not self._is_lenient:
                raise
            chance.begin(seq, entry.outcomes)
            return self._carry_out(action, illegal, lambda: action.apply(state, SEAT_INDEX[entry.actor], chance))
        chance.begin(seq, entry.outcomes)
        return action.apply(state, seat, chance), action, None

    def replay(self, state: State | None, entry: Entry, seq: int) -> corrections.Replayed:
        """Play `entry`, which stands in the line already, on another state; what breaks there is told, not raised."""
        chance = Recorded()
        try:
            after, _, judgement = self._lenient.play(state, entry, seq, chance, NoPast())
            chance.finish()
        except IllegalAction as error:
            return state, Judgement("illegal", error.rule, error.message, has_effect=False), "now_illegal"
        except GameOver as error:
            return state, Judgement("illegal", lifecycle.RULE, str(error), has_effect=False), "now_illegal"
        except EngineError as error:
            return state, Judgement("illegal", lifecycle.RULE, str(error), has_effect=False), "outcome_impossible"
        return after, judgement, "now_illegal" if judgement is not None else "unchanged"

    def weigh(
        self, state: State | None, entry: Entry, seq: int, *, is_illegal: bool = False
    ) -> tuple[State | None, Fraction]:
        """Play `entry`, which stands in the line, and tell how likely what chance did in it was.

        Args:
            is_illegal: the table did it although the rules forbid it.

        Raises:
            As `play`.
        """
        if entry.type == lifecycle.SET_UP and not entry.params:
            return self._start_unseen(seq, entry.outcomes)
        if entry.type in lifecycle.KINDS:
            return self._lenient.play(state, entry, seq, Recorded(), NoPast())[0], Fraction(1)
        assert state is not None
        action, seat = self.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
        if is_illegal:
            # Each of these worlds was among those in which it was carried out when it was recorded.
            return worlds.carried_out(self.ruleset, beliefs.worlds(state), action, seat, entry.outcomes)
        after, _, mass = worlds.step(self.ruleset, state, action, seat, entry.outcomes)
        return after, mass

    @cached_property
    def _lenient(self) -> Rules:
        return self if self._is_lenient else Rules(self.header, is_lenient=True)

    def _believe(self, state: State, action: Action[Any], entry: Entry, seq: int, chance: Chance) -> Played:
        """Take an action where something is not known, or will not be."""
        if state.outcome is not None:
            raise GameOver(state.outcome)
        seat = seat_of(entry.actor, self._seats)
        chance.begin(seq, entry.outcomes)
        if action.asks and not isinstance(chance, Observed):
            raise IllegalAction(lifecycle.RULE, "Reveal what nobody saw first: the service cannot draw from it.")
        chance.accept()
        outcomes = entry.outcomes
        try:
            after, judgement, _ = worlds.step(self.ruleset, state, action, seat, outcomes)
        except Undetermined:
            raise
        except IllegalAction as illegal:
            if not self._is_lenient:
                raise
            before = beliefs.worlds(state)
            return self._carry_out(
                action, illegal, lambda: worlds.carried_out(self.ruleset, before, action, seat, outcomes)[0]
            )
        return after, action, judgement

    def _carry_out(self, action: Action[Any], illegal: IllegalAction, apply: Callable[[], State]) -> Played:
        """Do what the rules forbid, where it is clear what that does to the table."""
        try:
            after = apply()
            is_clear = all(self.ruleset.is_sound(world.state) for world in beliefs.worlds(after))
        except EngineError:
            raise
        except Exception:  # noqa: BLE001  # rules that were not meant to run here may fail in any way
            is_clear = False
        if not is_clear:
            instead = "Enter what the table looks like now as an `adjust`, or the action that was meant."
            raise UnclearEffect(illegal.rule, illegal.message, instead)
        return after, action, Judgement("illegal", illegal.rule, illegal.message)

    def _live(
        self, state: State | None, event: lifecycle.Lifecycle, seq: int, chance: Chance, past: Past
    ) -> State | None:
        if isinstance(event, lifecycle.SetUp):
            if state is not None:
                raise IllegalAction(lifecycle.RULE, "The game is set up already.")
            return self._set_up(event, seq, chance)
        if state is None:
            raise IllegalAction(lifecycle.RULE, "The game has to be set up first.")
        if isinstance(event, lifecycle.Undo):
            return self._undo(state, event, seq, past)
        return self._on(state, event, seq)

    def _on(self, state: State, event: lifecycle.Lifecycle, seq: int) -> State:
        """What follows from the state before it alone."""
        if isinstance(event, lifecycle.Annotate):
            if event.seq is not None and event.seq >= seq:
                raise Malformed("/params/seq", f"there is no event {event.seq} yet")
            return state
        if isinstance(event, lifecycle.GameClosed):
            if event.outcome != state.outcome:
                raise IllegalAction(lifecycle.RULE, "A game closes with the outcome that its events led to.")
            return state
        if state.outcome is not None:
            raise GameOver(state.outcome)
        if isinstance(event, lifecycle.Adjust):
            return corrections.adjusted(self.ruleset, self.header, state, event)
        assert isinstance(event, lifecycle.Abandon)
        abandoned = GameOutcome("abandoned", (), "abandoned", lifecycle.RULE)
        return msgspec.structs.replace(state, outcome=abandoned)

    def _is_seeded(self, seq: int) -> bool:
        return self.header.chance_at(seq) == "seeded"

    def _set_up(self, event: lifecycle.SetUp, seq: int, chance: Chance) -> State:
        if event.position is not None:
            return corrections.positioned(self.ruleset, self._options, self._seats, event.position)
        outcomes = chance.reported
        if None not in outcomes:
            return self._start(seq, chance)
        chance.accept()
        return self._start_unseen(seq, outcomes)[0]

    def _start_unseen(self, seq: int, outcomes: tuple[Value | None, ...]) -> tuple[State, Fraction]:
        """The set-up in every way that fits what was reported, and how likely that is."""
        nowhere = (World(1, None),)
        return worlds.spread(self.ruleset, nowhere, lambda _, by: self._start(seq, by), outcomes)

    def _start(self, seq: int, chance: Chance) -> State:
        start: State = self.ruleset.setup(self._options, self._seats, chance)
        return start if self._is_seeded(seq) else self.ruleset.at_table(start)

    def _undo(self, state: State, undo: lifecycle.Undo, seq: int, past: Past) -> State | None:
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        if undo.to >= seq - 1:
            raise Malformed("/params/to", f"the last event is {seq - 1}: nothing after {undo.to} can be undone")
        if undo.to == 1 and is_seeded:
            raise IllegalAction(lifecycle.RULE, "The deal of a seeded game stands.")
        return past.state(undo.to)

    def _amend(self, state: State | None, amend: lifecycle.Amend, seq: int, chance: Chance, past: Past) -> Played:
        if state is None:
            raise IllegalAction(lifecycle.RULE, "The game has to be set up first.")
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        corrections.check_open(self.ruleset, state)
        line = past.line(seq - 1)
        index, before, draft = corrections.place(line, amend, is_seeded=is_seeded)
        is_new = amend.insert is not None
        followers = line[index if is_new else index + 1 :]
        is_accepted = amend.accept_broken or self._is_lenient
        if is_seeded and followers and not is_accepted:
            self._check_foreseen(draft)
        chance.begin(seq, () if draft is None else draft.outcomes)
        judgement: Judgement | None = None
        after = before
        if draft is not None:
            after, body, judgement = self.play(before, draft, seq, chance, past)
            # As it is stored: in one spelling, and with what chance did.
            params = msgspec.to_builtins(body)
            draft = msgspec.structs.replace(draft, params=params, outcomes=chance.finish())
            amend = amend.bringing(draft)
        slot = Slot(seq if is_new else amend.seq, seq, draft, after, judgement)
        line, impact = corrections.write_anew(self, [*line[:index], slot], followers, seq)
        if not is_accepted:
            corrections.check_unbroken(impact)
        past.remember(seq, line, impact)
        return line[-1].after, amend, judgement

    def _check_foreseen(self, draft: Draft | None) -> None:
        """Refuse to judge by what the service draws for an amend: a refusal would tell what is drawn next."""
        kind = None if draft is None else self.ruleset.kind(draft.type)
        if kind is not None and kind.asks:
            message = "What comes up there is drawn with it, and may break what follows: say `accept_broken` for that."
            raise BreaksFollowers(lifecycle.RULE, message, None)

    def _reveal(self, state: State | None, reveal: lifecycle.Reveal, seq: int, past: Past) -> Played:
        if state is None:
            raise IllegalAction(lifecycle.RULE, "The game has to be set up first.")
        line = past.line(seq - 1)
        index = unseen.place(line, reveal.seq, reveal.position)
        before = line[index - 1].after if index else None
        draft = unseen.told(line[index], reveal.position, reveal.value)
        chance = Observed()
        try:
            after, _, judgement = self.play(before, draft, seq, chance, past)
            chance.finish()
            is_silent = unseen.is_silent(self.ruleset, after, line[index].after)
        except ImpossibleOutcome:
            is_silent = False
        if not is_silent:
            raise ImpossibleOutcome(unseen.point(self, line, index, reveal.position), reveal.value)
        slot = Slot(reveal.seq, seq, draft, after, judgement)
        revealed, impact = corrections.write_anew(self, [*line[:index], slot], line[index + 1 :], seq)
        if any(one.effect == "outcome_impossible" or (one.is_broken and not self._is_lenient) for one in impact):
            raise ImpossibleOutcome(unseen.point(self, line, index, reveal.position), reveal.value)
        past.remember(seq, revealed, impact)
        return revealed[-1].after, reveal, None


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
