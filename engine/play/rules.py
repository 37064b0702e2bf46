"""What one entry of a log does: judged by the rules of its game, and carried out.

The fold plays entry after entry by them (see `engine.play.fold`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.errors import (
    BreaksFollowers,
    EngineError,
    GameOver,
    IllegalAction,
    IsLeftOut,
    Malformed,
    Undetermined,
)
from engine.core.events import Draft, Explanation, Header
from engine.core.language import say
from engine.core.values import (
    SEAT_IDS,
    SEAT_INDEX,
    Effect,
    GameOutcome,
    Judgement,
    Omission,
    State,
    Value,
    not_a_seat,
)
from engine.kit.chance import Chance, Observed, Recorded, try_all
from engine.kit.kernel import seat_of
from engine.kit.ruleset import Action, AnyRuleset, Refusal
from engine.play import omissions, registry
from engine.play.beliefs import belief, presuming, worlds
from engine.play.beliefs.belief import Belief, Pooled
from engine.play.beliefs.possible import TooManyTables
from engine.play.beliefs.tracing import Told, Trace
from engine.play.corrections import adjusting, amends, reveals
from engine.play.line import Entry, Slot, happened_anyway
from engine.play.past import Known, Past
from engine.play.slips import Slip, effect, sentence

Body = Action[Any] | lifecycle.Lifecycle

Played = tuple[State | None, Body, Judgement | None]
"""The state after an entry; what the entry is: the ruleset's action or the lifecycle event; what the rules say of it
where it is not simply legal."""


class Rules:
    """The rules of one game, ready to judge its entries."""

    def __init__(self, header: Header, *, is_lenient: bool | None = None, sound_only: bool = False) -> None:
        """
        Args:
            is_lenient: whether what the rules forbid is carried out where that is clear (default: as the mode says).
            sound_only: whether what stands in a log already is held to what a new event is held to.

        Raises:
            UnknownRuleset: the game's ruleset is not installed.
            Malformed: its options or seats do not fit the ruleset.
        """
        self.header = header
        self._is_lenient = header.mode == "as_played" if is_lenient is None else is_lenient
        self._sound_only = sound_only
        self.asks_first = False
        """Whether an amend that breaks what follows is refused in a game recorded as played, too."""
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
                return self._reveal(state, amends.kept(event, chance), seq, past)
            if isinstance(event, lifecycle.Amend):
                if entry.outcomes:
                    raise Malformed("/outcomes/0", "what chance did stands in the event that the amend brings")
                return self._amend(state, amends.kept(event, chance), seq, chance, past)
            chance.begin(seq, entry.outcomes)
            return self._told(state, event, seq, chance, past)
        ruleset = self.ruleset
        action = ruleset.parse(type_, entry.params)
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("The game has to be set up first."))
        if isinstance(state, Belief) or None in entry.outcomes:
            return self._believe(state, action, entry, seq, chance)
        try:
            seat = ruleset.judge(state, action, entry.actor)
        except IllegalAction as illegal:
            if not (self._is_lenient or happened_anyway(entry)):
                raise
            chance.begin(seq, entry.outcomes)
            return self._do_anyway(state, action, entry, self._as_explained(illegal, action, entry), chance)
        chance.begin(seq, entry.outcomes)
        after = action.apply(state, seat, chance)
        return after, action, self._slip(action, entry) if entry.explanation else None

    def _slip(self, action: Action[Any], entry: Entry) -> Judgement | None:
        """The verdict on a legal action of another player than the one who took it; None where nobody slipped."""
        explanation = entry.explanation
        if not explanation or explanation.kind != "other_player" or explanation.seat == entry.actor:
            return None
        return Judgement("illegal", action.rule, self._sentence(action, entry, explanation))

    def _as_explained(self, illegal: IllegalAction, action: Action[Any], entry: Entry) -> IllegalAction:
        """The refusal of an entry, in the words of its explanation where it has one."""
        explanation = entry.explanation
        if not explanation:
            return illegal
        return IllegalAction(illegal.rule, self._sentence(action, entry, explanation))

    def _sentence(self, action: Action[Any], entry: Entry, explanation: Explanation) -> str:
        return sentence(explanation, self.header.names, SEAT_INDEX[entry.actor], type(action))

    @cached_property
    def as_played(self) -> Rules:
        """The same rules, by which what they forbid is carried out where that is clear."""
        return self if self._is_lenient else Rules(self.header, is_lenient=True)

    def left_out(self, state: State | None, entry: Entry) -> IsLeftOut | None:
        """Why `entry` is not legal, with what would have to be left out before it for it to be; None where it is legal,
        or never would be.

        Raises:
            Malformed: as `play`.
        """
        if state is None or state.outcome is not None or entry.type in lifecycle.KINDS:
            return None
        action = self.ruleset.parse(entry.type, entry.params)
        seat = seat_of(entry.actor, self._seats)

        def refusals(table: State) -> list[Refusal | None]:
            return [action.refusal(world.state, seat) for world in belief.worlds(table)]

        first = self._refusal(state, action, seat)
        if first is None:
            return None
        way = omissions.explaining(self.ruleset, state, lambda table: not any(refusals(table)))
        names = self.header.names
        left_out = [
            Omission(
                SEAT_IDS[skip.seat], skip.step.id, skip.step.rule, skip.step.of(names[skip.seat]), skip.told(names)
            )
            for skip in way
        ]
        return IsLeftOut(first.rule, say(first.message), left_out) if left_out else None

    def refused(self, state: State | None, entry: Entry) -> IllegalAction | None:
        """Why the rules forbid an action; None where they do not, or where that depends on what nobody saw.

        Raises:
            Malformed: as `play`.
        """
        if state is None or state.outcome is not None or entry.type in lifecycle.KINDS:
            return None
        action = self.ruleset.parse(entry.type, entry.params)
        refusal = self._refusal(state, action, seat_of(entry.actor, self._seats))
        return None if refusal is None else IllegalAction(refusal.rule, say(refusal.message))

    def _refusal(self, state: State, action: Action[Any], seat: int) -> Refusal | None:
        """Why an action is legal at no table that there may be; None where it is legal at one."""
        refusals = [action.refusal(world.state, seat) for world in belief.worlds(state)]
        return refusals[0] if all(refusals) else None

    def replay(self, state: State | None, entry: Entry, seq: int, *, sound_only: bool) -> presuming.Replayed:
        """Play `entry`, which stands in the line already, on another state; what breaks there is told, not raised.

        Args:
            sound_only: as that of the correction because of which.
        """
        chance, rules = Recorded(), self._sound if sound_only else self.as_played
        try:
            if not isinstance(state, Pooled) and (isinstance(state, Belief) or None in entry.outcomes):
                trace = Trace(self.ruleset, belief.worlds(state), sound_only=sound_only)
                with suppress(TooManyTables):
                    rules.trace(trace, entry, seq, "outcome_impossible")
                    return presuming.replayed(trace)
            after, _, judgement = rules.play(state, entry, seq, chance, Known())
            chance.finish()
        except IllegalAction as error:
            return state, Judgement("illegal", error.rule, error.message, has_effect=False), "now_illegal"
        except GameOver as error:
            return state, Judgement("illegal", lifecycle.RULE, str(error), has_effect=False), "now_illegal"
        except EngineError as error:
            # Whatever came up: what is illegal is so first of all.
            rule, reason = self._forbidden(state, entry) or (lifecycle.RULE, self.ruleset.account(error))
            return state, Judgement("illegal", rule, reason, has_effect=False), "outcome_impossible"
        return after, judgement, "now_illegal" if judgement is not None else "unchanged"

    def _forbidden(self, state: State | None, entry: Entry) -> tuple[str, str] | None:
        """The heading and the sentence by which the rules forbid an action; None where they do not."""
        if state is None or entry.type in lifecycle.KINDS:
            return None
        action, seat = self.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
        refusal = self._refusal(state, action, seat)
        return None if refusal is None else (refusal.rule, say(refusal.message))

    def trace(self, trace: Trace, entry: Entry, seq: int, broken: Effect | None) -> None:
        """Play `entry`, which stands in the line, on every table of a trace.

        Args:
            broken: how a correction broke it: what cannot have come up has no effect then, and tells nothing.

        Raises:
            IllegalAction: there are too many tables.
        """
        is_lenient = self._is_lenient or broken is not None or happened_anyway(entry)
        is_marked = broken == "outcome_impossible" or (broken is not None and entry.type == "adjust")
        if entry.type == lifecycle.SET_UP:
            begun = msgspec.convert(entry.params, lifecycle.SetUp)
            trace.spread(seq, lambda _, by: self._begin(begun, seq, by, is_new=False), entry.outcomes)
        elif entry.type not in lifecycle.KINDS:
            action, seat = self.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
            run = self._effect(action, seat, entry)
            trace.take(seq, action, seat, entry.outcomes, run, is_lenient=is_lenient, is_marked=is_marked)
        else:
            # What a table told was seen; all else that does not follow is a slip.
            change = partial(self._changed, entry, seq)
            trace.change(seq, change, is_seen=entry.type == "adjust", is_marked=is_marked)

    def _changed(self, entry: Entry, seq: int, state: State) -> tuple[State, Judgement | None]:
        after, _, judgement = self.as_played.play(state, entry, seq, Recorded(), Known())
        assert after is not None
        return after, judgement

    @cached_property
    def _sound(self) -> Rules:
        return Rules(self.header, is_lenient=True, sound_only=True)

    def _needs_sound(self, chance: Chance) -> bool:
        """Whether no more is believed than of a new event: what stands in a log was judged when it was recorded."""
        return self._sound_only or not isinstance(chance, Recorded)

    def _believe(self, state: State, action: Action[Any], entry: Entry, seq: int, chance: Chance) -> Played:
        """Take an action where something is not known, or will not be."""
        if state.outcome is not None:
            raise GameOver(state.outcome)
        seat = seat_of(entry.actor, self._seats)
        chance.begin(seq, entry.outcomes)
        if action.asks_chance and not isinstance(chance, Observed):
            raise IllegalAction(lifecycle.RULE, say("Reveal what nobody saw first: the service cannot draw from it."))
        chance.accept()
        outcomes, most = entry.outcomes, _most_runs(chance)
        try:
            after, judgement = worlds.step(self.ruleset, state, action, seat, outcomes, most=most)
        except Undetermined:
            raise
        except IllegalAction as illegal:
            if not (self._is_lenient or happened_anyway(entry)):
                raise
            before = belief.worlds(state)
            explained = self._as_explained(illegal, action, entry)
            slip = Slip(before[0].state, action, seat, explained, self._needs_sound(chance))
            run = self._effect(action, seat, entry, chance)
            return slip.carried_out(self.ruleset, lambda: worlds.spread(self.ruleset, state, run, outcomes, most))
        return after, action, self._slip(action, entry) or judgement

    def is_out_of_turn(self, state: State | None, entry: Entry) -> bool:
        """Whether an action is of a seat whose turn it is not, and for which the game does not wait."""
        return state is not None and self.ruleset.is_out_of_turn(belief.likeliest(state), SEAT_INDEX[entry.actor])

    def _effect(
        self, action: Action[Any], seat: int, entry: Entry, chance: Chance | None = None
    ) -> Callable[[Any, Chance], State]:
        """What carries out an action that the rules forbid.

        Args:
            chance: of an action that may be recorded now.
        """
        keeps_turn = self.header.keeps_turn
        if entry.explanation:
            keeps_turn = True
        elif self.header.mode == "strict":
            # There each event says so.
            is_new = chance is not None and not isinstance(chance, Recorded)
            keeps_turn = is_new or getattr(entry, "keeps_turn", None) is True
        return effect(self.ruleset, action, seat, keeps_turn=keeps_turn)

    def _do_anyway(
        self, state: State, action: Action[Any], entry: Entry, illegal: IllegalAction, chance: Chance
    ) -> Played:
        """Take an action that the rules forbid, where all is known."""
        seat = SEAT_INDEX[entry.actor]
        slip = Slip(state, action, seat, illegal, self._needs_sound(chance))
        run = self._effect(action, seat, entry, chance)

        def carried_out(chance: Chance) -> Played:
            return slip.carried_out(self.ruleset, lambda: run(state, chance))

        if action.asks_chance and not isinstance(chance, Observed):
            # It must not be refused for what comes up.
            try_all(carried_out)
        return carried_out(chance)

    def _told(self, state: State | None, event: lifecycle.Lifecycle, seq: int, chance: Chance, past: Past) -> Played:
        """What a table tells besides the actions of its game: the state after it, itself as stored, its verdict."""
        if isinstance(event, lifecycle.LeftOut):
            return self._leave_out(state, event)
        if isinstance(event, lifecycle.Adjust):
            return (*self._adjust(state, event, chance), None)
        return self._live(state, event, seq, chance, past), event, None

    def _live(
        self, state: State | None, event: lifecycle.Lifecycle, seq: int, chance: Chance, past: Past
    ) -> State | None:
        if isinstance(event, lifecycle.SetUp):
            if state is not None:
                raise IllegalAction(lifecycle.RULE, say("The game is set up already."))
            return self._set_up(event, seq, chance)
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("The game has to be set up first."))
        if isinstance(event, lifecycle.Undo):
            return self._undo(state, event, seq, past)
        return self._on(state, event, seq)

    def _leave_out(self, state: State | None, event: lifecycle.LeftOut) -> Played:
        """Go on without a step that is due."""
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("The game has to be set up first."))
        if state.outcome is not None:
            raise GameOver(state.outcome)
        names, seat, step = self.header.names, SEAT_INDEX[event.seat], self.ruleset.step(event.step)
        if seat >= self._seats:
            raise Malformed("/params/seat", not_a_seat(self._seats))
        due = list(omissions.skips(self.ruleset, state))
        for skip in due:
            if (skip.step, skip.seat) == (step, seat):
                return skip.state, event, Judgement("illegal", step.rule, skip.told(names))
        instead = "; ".join(skip.step.of(names[skip.seat]) for skip in due) or say("nothing")
        message = say(
            "{step} cannot be left out now. What can be: {instead}.", step=step.of(names[seat]), instead=instead
        )
        raise IllegalAction(lifecycle.RULE, message)

    def _on(self, state: State, event: lifecycle.Lifecycle, seq: int) -> State:
        """What follows from the state before it alone."""
        if isinstance(event, lifecycle.Annotate):
            if event.seq is not None and event.seq >= seq:
                raise Malformed("/params/seq", say("there is no event {seq} yet", seq=event.seq))
            return state
        if isinstance(event, lifecycle.GameClosed):
            if event.outcome != state.outcome:
                raise IllegalAction(lifecycle.RULE, say("A game closes with the outcome that its events led to."))
            return state
        if state.outcome is not None:
            raise GameOver(state.outcome)
        assert isinstance(event, lifecycle.Abandon)
        abandoned = GameOutcome("abandoned", (), "abandoned", lifecycle.RULE)
        return msgspec.structs.replace(state, outcome=abandoned)

    def _adjust(self, state: State | None, adjust: lifecycle.Adjust, chance: Chance) -> tuple[State, lifecycle.Adjust]:
        """The state after an adjustment, and the adjustment as it is stored."""
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("The game has to be set up first."))
        if state.outcome is not None:
            raise GameOver(state.outcome)
        is_new, sound_only = not isinstance(chance, Recorded), self._needs_sound(chance)
        return adjusting.adjusted(self.ruleset, self.header, state, adjust, is_new=is_new, sound_only=sound_only)

    def _is_seeded(self, seq: int) -> bool:
        return self.header.chance_at(seq) == "seeded"

    def _set_up(self, event: lifecycle.SetUp, seq: int, chance: Chance) -> State:
        outcomes, is_new = chance.reported, not isinstance(chance, Recorded)
        if None not in outcomes:
            return self._begin(event, seq, chance, is_new=is_new)
        chance.accept()
        return self._begin_unseen(event, seq, outcomes, _most_runs(chance), is_new=is_new)

    def _begin(self, event: lifecycle.SetUp, seq: int, chance: Chance, *, is_new: bool) -> State:
        position, start = event.position, partial(self._start, seq)
        if position is None:
            return start(chance)
        return adjusting.positioned(
            self.ruleset, self.header, self._options, position, start=start, chance=chance, is_new=is_new
        )

    def _begin_unseen(
        self, event: lifecycle.SetUp, seq: int, outcomes: tuple[Value | None, ...], most: int, *, is_new: bool
    ) -> State:
        """The set-up in every way that fits what was reported."""
        run = partial(self._begin, event, seq, is_new=is_new)
        return worlds.spread(self.ruleset, None, lambda _, by: run(by), outcomes, most)

    def _start(self, seq: int, chance: Chance) -> State:
        start: State = self.ruleset.setup(self._options, self._seats, chance)
        return start if self._is_seeded(seq) else self.ruleset.at_table(start)

    def _undo(self, state: State, undo: lifecycle.Undo, seq: int, past: Past) -> State | None:
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        if undo.to >= seq - 1:
            message = say("the last event is {last}: nothing after {to} can be undone", last=seq - 1, to=undo.to)
            raise Malformed("/params/to", message)
        if undo.to == 1 and is_seeded:
            raise IllegalAction(lifecycle.RULE, say("The deal of a seeded game stands."))
        return past.state(undo.to)

    def _amend(self, state: State | None, amend: lifecycle.Amend, seq: int, chance: Chance, past: Past) -> Played:
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("The game has to be set up first."))
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        amends.check_open(self.ruleset, state)
        line = past.line(seq - 1)
        index, before, draft = amends.place(line, amend, is_seeded=is_seeded)
        is_new = amend.insert is not None
        start = index if is_new else index + 1
        is_accepted = amend.accept_broken or (self._is_lenient and not self.asks_first)
        if is_seeded and start < len(line) and not is_accepted:
            self._check_foreseen(draft)
        chance.begin(seq, () if draft is None else draft.outcomes)
        judgement: Judgement | None = None
        after = before
        broken: Effect | None = None
        if draft is not None:
            try:
                after, body, judgement = self.play(before, draft, seq, chance, past)
            except EngineError:
                if chance.has_drawn or not amend.accept_broken or not amends.stood(past, seq, amend, draft):
                    raise
                # It stood there, and may stay as it stood: marked.
                after, judgement, broken = self.replay(before, draft, seq, sound_only=amend.sound_only)
                chance.accept()
            else:
                # As it is stored: in one spelling, and with what chance did.
                draft = msgspec.structs.replace(draft, params=msgspec.to_builtins(body), outcomes=chance.finish())
            amend = amend.bringing(draft)
        slot = Slot(seq if is_new else amend.seq, seq, draft, after, judgement, broken)
        line, impact = amends.write_anew(self, line, index, start, slot, sound_only=amend.sound_only)
        if not is_accepted:
            amends.check_unbroken(impact)
        past.remember(seq, line, impact)
        return line[-1].after, amend, judgement

    def _check_foreseen(self, draft: Draft | None) -> None:
        """Refuse to judge by what the service draws for an amend: a refusal would tell what is drawn next."""
        kind = None if draft is None else self.ruleset.kind(draft.type)
        if kind is not None and kind.asks_chance:
            message = say(
                "What comes up there is drawn with it, and may break what follows: say `if_illegal=accept` for that."
            )
            raise BreaksFollowers(lifecycle.RULE, message, None)

    def _reveal(self, state: State | None, reveal: lifecycle.Reveal, seq: int, past: Past) -> Played:
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("The game has to be set up first."))
        line = past.line(seq - 1)
        index = reveals.place(line, reveal.seq, reveal.position)
        told = Told((reveal.seq, reveal.position), reveal.value)
        revealed, impact = reveals.revealed(self, line, index, told, seq, sound_only=reveal.sound_only)
        past.remember(seq, revealed, impact)
        return revealed[-1].after, reveal, None


def _most_runs(chance: Chance) -> int:
    """How much may be tried where something is not known: more where it stands in a log already."""
    return worlds.MOST_RERUNS if isinstance(chance, Recorded) else worlds.MOST_RUNS
