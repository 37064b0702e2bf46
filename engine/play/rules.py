"""Judge and apply a single entry of a log, by the rules of its game. `engine.play.fold` applies a whole log."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, partial

import msgspec

from engine.core import lifecycle
from engine.core.errors import (
    BreaksFollowers,
    EngineError,
    GameOver,
    IllegalAction,
    Malformed,
)
from engine.core.events import Draft, Header
from engine.core.language import marked, say
from engine.core.values import (
    SEAT_INDEX,
    Effect,
    GameOutcome,
    Judgement,
    State,
    not_a_seat,
)
from engine.kit.chance import Chance, Recorded
from engine.kit.steps import ENDING
from engine.play import omissions
from engine.play.actions import Actions, Played, most_runs
from engine.play.beliefs import belief, presuming, running, worlds
from engine.play.beliefs.belief import Belief, Pooled
from engine.play.beliefs.possible import TooManyTables
from engine.play.beliefs.tracing import AssumedOutcome, Trace
from engine.play.corrections import adjusting, amends, details, reveals
from engine.play.line import Entry, Slot, is_recorded_anyway
from engine.play.past import KnownPast, Past

SET_UP_FIRST = marked("Set up the game first.")


class Rules(Actions):
    """The rules of one game, ready to judge and apply its entries."""

    def __init__(
        self, header: Header, *, is_lenient: bool | None = None, sound_only: bool = False, keeps_turn: bool = False
    ) -> None:
        """Load the ruleset, and parse the options.

        Args:
            is_lenient: True to apply an illegal action if its effect is clear (default: True in an as-played game).
            sound_only: True to check stored events like new ones.
            keeps_turn: True if an illegal action out of turn does not end the current turn, even in a strict record.

        Raises:
            UnknownRuleset: the game's ruleset is not installed.
            Malformed: the options or seats do not fit the ruleset.
        """
        super().__init__(header, is_lenient=is_lenient, sound_only=sound_only, keeps_turn=keeps_turn)
        self.asks_first = False
        """True to reject an amend that makes later events illegal or impossible, even in an as-played game."""
        self._options = self.ruleset.parse_options(header.options, self._seats)

    def play(self, state: State | None, entry: Entry, seq: int, chance: Chance, past: Past) -> Played:
        """Judge `entry` as event `seq` and apply it. The caller must then call `chance.finish` for the results.

        Raises:
            Malformed, GameOver, IllegalAction, OutcomeRequired, ImpossibleOutcome: the entry was not applied.
        """
        type_ = entry.type
        if type_ in lifecycle.KINDS:
            return self._apply_lifecycle(state, entry, seq, chance, past)
        action = self.ruleset.parse(type_, entry.params)
        if state is None:
            raise IllegalAction(lifecycle.RULE, say(SET_UP_FIRST))
        if state.is_belief or None in entry.outcomes:
            return self._believe(state, action, entry, seq, chance)
        # `Kernel.judge` is inlined here, because its calls would take 5 % of the time of a fold.
        if state.outcome is not None:
            raise GameOver(state.outcome)
        seat = SEAT_INDEX.get(entry.actor)
        if seat is None or seat >= self._seats:
            raise Malformed("/actor", not_a_seat(self._seats))
        refusal = action.refusal(state, seat)
        if refusal is not None:
            illegal = IllegalAction(refusal.rule, say(refusal.message))
            return self._play_illegal(state, action, entry, seq, chance, illegal=illegal)
        chance.begin(seq, entry.outcomes)
        after = action.apply(state, seat, chance)
        return after, action, self._slip(action, entry, state) if entry.explanation else None

    @cached_property
    def as_played(self) -> Rules:
        """The same rules, but lenient: an illegal action is applied if its effect is clear."""
        return self if self._is_lenient else Rules(self.header, is_lenient=True)

    def replay(
        self, state: State | None, entry: Entry, seq: int, *, sound_only: bool, keeps_turn: bool = False
    ) -> presuming.Replayed:
        """Apply `entry` of the line to a different state. If that fails, return the effect instead of raising an error.

        Args:
            sound_only: as in the correction that causes the replay.
            keeps_turn: as in the correction that causes the replay. If True, `sound_only` applies, too.
        """
        chance, rules = Recorded(), self._sound if sound_only else self.as_played
        if keeps_turn:
            rules = self._turn_keeping
        try:
            is_unseen = state is not None and None in entry.outcomes
            if not isinstance(state, Pooled) and (isinstance(state, Belief) or is_unseen):
                unread = self._unread(state, entry)
                if unread is not None:
                    return unread, None, "unchanged"
                trace = Trace(self.ruleset, belief.worlds(state), sound_only=sound_only)
                with suppress(TooManyTables):
                    rules.trace(trace, entry, seq, "outcome_impossible")
                    return presuming.replay_entry(trace)
            after, _, judgement = rules.play(state, entry, seq, chance, KnownPast())
            chance.finish()
        except IllegalAction as error:
            return state, Judgement("illegal", error.rule, error.message, has_effect=False), "now_illegal"
        except GameOver as error:
            reason = self.ruleset.account(error)
            return state, Judgement("illegal", lifecycle.RULE, reason, has_effect=False), "now_illegal"
        except EngineError as error:
            # Report illegality first, even if the result is impossible, too.
            illegal = self._find_rule_refusal(state, entry) or IllegalAction(
                lifecycle.RULE, self.ruleset.account(error)
            )
            return state, Judgement("illegal", illegal.rule, illegal.message, has_effect=False), "outcome_impossible"
        is_legal = judgement is None or judgement.verdict == "legal"
        return after, judgement, "unchanged" if is_legal else "now_illegal"

    def _unread(self, state: State | None, entry: Entry) -> State | None:
        """Return the belief after an action that does not involve unknown cards; None for other entries."""
        if state is None or entry.type in lifecycle.KINDS:
            return None
        action = self.ruleset.parse(entry.type, entry.params)
        return running.unread(self.ruleset, state, action, SEAT_INDEX[entry.actor], entry.outcomes)

    def trace(self, trace: Trace, entry: Entry, seq: int, broken: Effect | None, *, keeps_turn: bool = False) -> None:
        """Apply `entry` of the line to every table of a trace.

        Args:
            broken: the effect of a correction that broke the entry. Impossible results of a broken entry are ignored.
            keeps_turn: as in the correction that broke the entry.

        Raises:
            IllegalAction: there are too many tables.
        """
        is_lenient = self._is_lenient or broken is not None or is_recorded_anyway(entry)
        is_marked = broken == "outcome_impossible" or (broken is not None and entry.type == "adjust")
        if entry.type == lifecycle.SET_UP:
            begun = msgspec.convert(entry.params, lifecycle.SetUp)
            trace.spread(seq, lambda _, by: self._begin(begun, seq, by, is_new=False), entry.outcomes)
        elif entry.type not in lifecycle.KINDS:
            action, seat = self.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
            is_allowed = any(self._house_rule(table.state, entry) is not None for table in trace.tables)
            run = self._effect(action, seat, entry, is_allowed=is_allowed, keeps_turn=keeps_turn)
            trace.take(
                seq,
                action,
                seat,
                entry.outcomes,
                run,
                is_lenient=is_lenient,
                is_marked=is_marked,
                is_allowed=is_allowed,
            )
        else:
            # Reported facts rule out tables, because the players saw them. Any other contradiction is a mistake.
            change = partial(self._apply_change, entry, seq)
            trace.change(seq, change, is_seen=entry.type == "adjust", is_marked=is_marked)

    def _apply_change(self, entry: Entry, seq: int, state: State) -> tuple[State, Judgement | None]:
        after, _, judgement = self.as_played.play(state, entry, seq, Recorded(), KnownPast())
        assert after is not None
        return after, judgement

    @cached_property
    def _sound(self) -> Rules:
        return Rules(self.header, is_lenient=True, sound_only=True)

    @cached_property
    def _turn_keeping(self) -> Rules:
        return Rules(self.header, is_lenient=True, sound_only=True, keeps_turn=True)

    def _apply_lifecycle(self, state: State | None, entry: Entry, seq: int, chance: Chance, past: Past) -> Played:
        event = lifecycle.parse(entry.type, entry.actor, entry.params)
        if isinstance(event, lifecycle.Amend):
            if entry.outcomes:
                raise Malformed(
                    "/outcomes/0", "an amend has no results of its own: put them into the event that it contains"
                )
            return self._amend(state, amends.as_stored(event, chance), seq, chance, past)
        chance.begin(seq, entry.outcomes)
        if isinstance(event, lifecycle.Reveal):
            return self._reveal(state, amends.as_stored(event, chance), seq, past)
        if isinstance(event, lifecycle.SetUp):
            return (*self._set_up(state, event, seq, chance), None)
        state = _require_setup(state)
        match event:
            case lifecycle.LeftOut():
                return self._leave_out(state, event)
            case lifecycle.Adjust():
                return (*self._adjust(state, event, chance), None)
            case lifecycle.Undo():
                return self._undo(state, event, seq, past), event, None
        if isinstance(event, details.Change):
            return details.apply_change(self.ruleset, self.header, state, event), event, None
        return self._on(state, event, seq), event, None

    def _leave_out(self, state: State, event: lifecycle.LeftOut) -> Played:
        names, seat, step = self.header.names_at(state), SEAT_INDEX[event.seat], self.ruleset.step(event.step)
        # A seeded game cannot continue after its end, because its seed is public then.
        if state.outcome is not None and (step is not ENDING or self.header.chance == "seeded"):
            raise GameOver(state.outcome)
        if seat >= self._seats:
            raise Malformed("/params/seat", not_a_seat(self._seats))
        due = [] if step is ENDING else list(omissions.skips(self.ruleset, state))
        for skip in (*due, *omissions.overlooks(self.ruleset, state)):
            if (skip.step.id, skip.seat) == (step.id, seat):
                rule = step.rule if state.outcome is None else state.outcome.rule
                return skip.state, event, Judgement("illegal", rule, skip.describe(names))
        instead = "; ".join(skip.step.of(names[skip.seat]) for skip in due) or say("nothing")
        message = say(
            "{step} cannot be skipped now. You can skip: {instead}.", step=step.of(names[seat]), instead=instead
        )
        raise IllegalAction(lifecycle.RULE, message)

    def _on(self, state: State, event: lifecycle.Lifecycle, seq: int) -> State:
        """Apply an event whose effect depends only on the state before it."""
        if isinstance(event, lifecycle.Annotate):
            if event.seq is not None and event.seq >= seq:
                raise Malformed("/params/seq", say("there is no event {seq} yet", seq=event.seq))
            return state
        if isinstance(event, lifecycle.GameClosed):
            if event.outcome != state.outcome:
                raise IllegalAction(
                    lifecycle.RULE, say("You cannot set the ending of a game: it follows from its events.")
                )
            return state
        if state.outcome is not None:
            raise GameOver(state.outcome)
        assert isinstance(event, lifecycle.Abandon)
        abandoned = GameOutcome("abandoned", (), "abandoned", lifecycle.RULE)
        return msgspec.structs.replace(state, outcome=abandoned)

    def _adjust(self, state: State, adjust: lifecycle.Adjust, chance: Chance) -> tuple[State, lifecycle.Adjust]:
        if state.outcome is not None:
            raise GameOver(state.outcome)
        is_new, sound_only = not isinstance(chance, Recorded), self._needs_sound(chance)
        return adjusting.apply_adjustment(
            self.ruleset, self.header, state, adjust, is_new=is_new, sound_only=sound_only
        )

    def _is_seeded(self, seq: int) -> bool:
        return self.header.chance_at(seq) == "seeded"

    def _set_up(
        self, state: State | None, event: lifecycle.SetUp, seq: int, chance: Chance
    ) -> tuple[State, lifecycle.SetUp]:
        if state is not None:
            raise IllegalAction(lifecycle.RULE, say("The game is already set up."))
        outcomes, is_new = chance.reported, not isinstance(chance, Recorded)
        if event.position is not None and is_new:
            start = partial(self._start, seq)
            event = lifecycle.SetUp(adjusting.in_full(self.ruleset, self._seats, event.position, start))
        if None not in outcomes:
            return self._begin(event, seq, chance, is_new=is_new), event
        chance.accept()
        run = partial(self._begin, event, seq, is_new=is_new)
        return worlds.set_up(self.ruleset, run, outcomes, most_runs(chance)), event

    def begin(self, entry: Entry, seq: int, chance: Chance) -> State:
        """Return the state after `entry`, the setup of a line."""
        return self._begin(msgspec.convert(entry.params, lifecycle.SetUp), seq, chance, is_new=False)

    def _begin(self, event: lifecycle.SetUp, seq: int, chance: Chance, *, is_new: bool) -> State:
        position, start = event.position, partial(self._start, seq)
        if position is None:
            return start(chance)
        return adjusting.state_at_position(
            self.ruleset, self.header, self._options, position, start=start, chance=chance, is_new=is_new
        )

    def _start(self, seq: int, chance: Chance) -> State:
        start: State = self.ruleset.setup(self._options, self._seats, chance)
        return start if self._is_seeded(seq) else self.ruleset.at_table(start)

    def _undo(self, state: State, undo: lifecycle.Undo, seq: int, past: Past) -> State | None:
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        if undo.to >= seq - 1:
            message = say("the last event is {last}, so there is nothing after {to} to undo", last=seq - 1, to=undo.to)
            raise Malformed("/params/to", message)
        if undo.to == 1 and is_seeded:
            raise IllegalAction(lifecycle.RULE, say("The setup of a seeded game cannot be changed."))
        return past.state(undo.to)

    def _amend(self, state: State | None, amend: lifecycle.Amend, seq: int, chance: Chance, past: Past) -> Played:
        state = _require_setup(state)
        is_seeded = self._is_seeded(seq)
        if state.outcome is not None and is_seeded:
            raise GameOver(state.outcome)
        amends.check_open(self.ruleset, state)
        line = past.line(seq - 1)
        index, before, draft = amends.place(line, amend, is_seeded=is_seeded)
        is_new = amend.insert is not None
        is_stored = isinstance(chance, Recorded)
        keeps_turn = amend.keeps_turn if is_stored else self.header.mode == "strict"
        start = index if is_new else index + 1
        is_accepted = amend.accept_broken or (self._is_lenient and not self.asks_first)
        if is_seeded and start < len(line) and not is_accepted:
            self._check_foreseen(draft)
        chance.begin(seq, () if draft is None else draft.outcomes)
        judgement: Judgement | None = None
        after = before
        broken: Effect | None = None
        if draft is not None:
            self._amending = amend
            try:
                after, body, judgement = self.play(before, draft, seq, chance, past)
            except EngineError:
                if chance.has_drawn or not amend.accept_broken or not amends.is_unchanged(past, seq, amend, draft):
                    raise
                # The place had the same entry before, so the entry can stay, marked as broken.
                after, judgement, broken = self.replay(
                    before, draft, seq, sound_only=amend.sound_only, keeps_turn=keeps_turn
                )
                chance.accept()
            else:
                # Normalize the params and add the drawn results, as in any stored event.
                draft = msgspec.structs.replace(draft, params=msgspec.to_builtins(body), outcomes=chance.finish())
            finally:
                self._amending = None
            amend = amend.bringing(draft)
        is_kept = keeps_turn and broken is not None
        slot = Slot(seq if is_new else amend.seq, seq, draft, after, judgement, broken, is_kept)
        line, impact = amends.write_anew(
            self, line, index, start, slot, sound_only=amend.sound_only, keeps_turn=keeps_turn
        )
        if not is_stored:
            # Set the member only if it makes a difference, so that earlier releases can read all other logs.
            amend = msgspec.structs.replace(amend, keeps_turn=is_kept or impact.keeps_turn)
        if not is_accepted:
            amends.check_unbroken(impact)
        past.remember(seq, line, impact)
        return line[-1].after, amend, judgement

    def _check_foreseen(self, draft: Draft | None) -> None:
        """Reject an amend that draws a new result.

        If the result broke later events, the amend would be rejected after the draw, and the rejection would reveal the
        result.
        """
        kind = None if draft is None else self.ruleset.kind(draft.type)
        if kind is not None and kind.asks_chance:
            message = say(
                "This correction draws a new result, which can break later events. "
                "Repeat it with `if_illegal=accept` to allow that."
            )
            raise BreaksFollowers(lifecycle.RULE, message, None)

    def _reveal(self, state: State | None, reveal: lifecycle.Reveal, seq: int, past: Past) -> Played:
        state = _require_setup(state)
        line = past.line(seq - 1)
        index = reveals.place(line, reveal.seq, reveal.position)
        told = AssumedOutcome((reveal.seq, reveal.position), reveal.value)
        revealed, impact = reveals.reveal_result(self, line, index, told, seq, sound_only=reveal.sound_only)
        past.remember(seq, revealed, impact)
        return revealed[-1].after, reveal, None


def _require_setup(state: State | None) -> State:
    if state is None:
        raise IllegalAction(lifecycle.RULE, say(SET_UP_FIRST))
    return state
