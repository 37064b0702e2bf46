"""Judge and apply a single entry of a log, by the rules of its game. `engine.play.fold` applies a whole log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.details import HouseRuleInEffect
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
from engine.core.language import marked, say
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
from engine.kit.steps import ENDING
from engine.play import omissions, registry
from engine.play.beliefs import belief, presuming, running, worlds
from engine.play.beliefs.belief import Belief, Pooled
from engine.play.beliefs.possible import TooManyTables
from engine.play.beliefs.tracing import Told, Trace
from engine.play.corrections import adjusting, amends, details, reveals
from engine.play.line import Entry, Slot, happened_anyway
from engine.play.past import Known, Past
from engine.play.slips import Slip, effect, sentence

HOUSE_RULE = marked("House rule")
"""Heading cited for actions that a house rule makes legal."""

Body = Action[Any] | lifecycle.Lifecycle

Played = tuple[State | None, Body, Judgement | None]
"""The state after an entry, the parsed entry (an action of the ruleset, or a lifecycle event), and the judgement (None
if the entry is simply legal)."""


class Rules:
    """The rules of one game, ready to judge its entries."""

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
        self.header = header
        self._is_lenient = header.mode == "as_played" if is_lenient is None else is_lenient
        self._sound_only = sound_only
        self._keeps_turn = keeps_turn
        self.asks_first = False
        """True to reject an amend that breaks later events even in a game recorded as played."""
        self._is_amending = False
        """True while an amend plays the event in it. Such an event does not have the member `keeps_turn`."""
        self._seats = len(header.seats)
        self.ruleset: AnyRuleset = registry.of(header)
        self._options = self.ruleset.parse_options(header.options, self._seats)

    def play(self, state: State | None, entry: Entry, seq: int, chance: Chance, past: Past) -> Played:
        """Judge `entry` as event `seq` and apply it. The caller must then call `chance.finish` for the results.

        Raises:
            Malformed, GameOver, IllegalAction, OutcomeRequired, ImpossibleOutcome: the entry was not applied.
        """
        type_ = entry.type
        if type_ in lifecycle.KINDS:
            event = lifecycle.parse(type_, entry.actor, entry.params)
            if isinstance(event, lifecycle.Reveal):
                chance.begin(seq, entry.outcomes)
                return self._reveal(state, amends.kept(event, chance), seq, past)
            if isinstance(event, lifecycle.Amend):
                if entry.outcomes:
                    raise Malformed(
                        "/outcomes/0", "an amend has no results of its own: put them into the event that it contains"
                    )
                return self._amend(state, amends.kept(event, chance), seq, chance, past)
            chance.begin(seq, entry.outcomes)
            return self._told(state, event, seq, chance, past)
        ruleset = self.ruleset
        action = ruleset.parse(type_, entry.params)
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("Set up the game first."))
        if isinstance(state, Belief) or None in entry.outcomes:
            return self._believe(state, action, entry, seq, chance)
        try:
            seat = ruleset.judge(state, action, entry.actor)
        except IllegalAction as illegal:
            if self._house_rule(state, entry) is not None:
                chance.begin(seq, entry.outcomes)
                after, _, _ = self._do_anyway(state, action, entry, illegal, chance)
                return after, action, self._allowed(state, entry)
            if not (self._is_lenient or happened_anyway(entry)):
                raise
            chance.begin(seq, entry.outcomes)
            return self._do_anyway(state, action, entry, self._as_explained(illegal, action, entry, state), chance)
        chance.begin(seq, entry.outcomes)
        after = action.apply(state, seat, chance)
        return after, action, self._slip(action, entry, state) if entry.explanation else None

    def _house_rule(self, state: State, entry: Entry) -> HouseRuleInEffect | None:
        """Return a house rule that makes an illegal action legal, or None."""
        if state.outcome is not None or not state.details.house_rules:
            return None
        is_own = not self.is_out_of_turn(state, entry)
        return state.details.house_rule(entry.type, entry.params, belief.likeliest(state).phase, own_turn=is_own)

    def _allowed(self, state: State, entry: Entry) -> Judgement | None:
        """Return the judgement on an action that a house rule allows; None if no house rule allows it."""
        rule = self._house_rule(state, entry)
        return None if rule is None else Judgement("legal", HOUSE_RULE, rule.text)

    def _slip(self, action: Action[Any], entry: Entry, state: State) -> Judgement | None:
        """Return the judgement on a legal action that a player took in place of the actor; None for other actions."""
        explanation = entry.explanation
        if not explanation or explanation.kind != "other_player" or explanation.seat == entry.actor:
            return None
        return Judgement("illegal", action.rule, self._sentence(action, entry, explanation, state))

    def _as_explained(self, illegal: IllegalAction, action: Action[Any], entry: Entry, state: State) -> IllegalAction:
        """Return the error `illegal`. If the entry has an explanation, the explanation is the message of the error."""
        explanation = entry.explanation
        if not explanation:
            return illegal
        return IllegalAction(illegal.rule, self._sentence(action, entry, explanation, state))

    def _sentence(self, action: Action[Any], entry: Entry, explanation: Explanation, state: State) -> str:
        # An imported log is not checked otherwise.
        if explanation.seat not in self.header.seat_ids:
            raise Malformed("/explanation/seat", not_a_seat(self._seats))
        return sentence(explanation, self.header.names_at(state), SEAT_INDEX[entry.actor], type(action))

    @cached_property
    def as_played(self) -> Rules:
        """The same rules, but lenient: an illegal action is applied if its effect is clear."""
        return self if self._is_lenient else Rules(self.header, is_lenient=True)

    def left_out(self, state: State | None, entry: Entry) -> IsLeftOut | None:
        """Return the error for `entry`, with the skipped steps that would make the entry legal.

        None if the entry is legal already, or if no skipped steps would make it legal.

        Raises:
            Malformed: as in `play`.
        """
        if state is None or state.outcome is not None or entry.type in lifecycle.KINDS:
            return None
        action = self.ruleset.parse(entry.type, entry.params)
        seat = seat_of(entry.actor, self._seats)
        if self._house_rule(state, entry) is not None:
            return None

        def refusals(table: State) -> list[Refusal | None]:
            return [action.refusal(world.state, seat) for world in belief.worlds(table)]

        first = self._refusal(state, action, seat)
        if first is None:
            return None
        way = omissions.explaining(self.ruleset, state, lambda table: not any(refusals(table)))
        names = self.header.names_at(state)
        left_out = [
            Omission(
                SEAT_IDS[skip.seat], skip.step.id, skip.step.rule, skip.step.of(names[skip.seat]), skip.told(names)
            )
            for skip in way
        ]
        return IsLeftOut(first.rule, say(first.message), left_out) if left_out else None

    def refused(self, state: State | None, entry: Entry) -> IllegalAction | None:
        """Return the error for an illegal action; None if it is legal on at least one possible table.

        Raises:
            Malformed: as in `play`.
        """
        if state is None or state.outcome is not None or entry.type in lifecycle.KINDS:
            return None
        action = self.ruleset.parse(entry.type, entry.params)
        refusal = self._refusal(state, action, seat_of(entry.actor, self._seats))
        if self._house_rule(state, entry) is not None:
            return None
        return None if refusal is None else IllegalAction(refusal.rule, say(refusal.message))

    def _refusal(self, state: State, action: Action[Any], seat: int) -> Refusal | None:
        """Return the refusal of an action that is illegal on every possible table; otherwise None."""
        refusals = [action.refusal(world.state, seat) for world in belief.worlds(state)]
        return refusals[0] if all(refusals) else None

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
                    return presuming.replayed(trace)
            after, _, judgement = rules.play(state, entry, seq, chance, Known())
            chance.finish()
        except IllegalAction as error:
            return state, Judgement("illegal", error.rule, error.message, has_effect=False), "now_illegal"
        except GameOver as error:
            reason = self.ruleset.account(error)
            return state, Judgement("illegal", lifecycle.RULE, reason, has_effect=False), "now_illegal"
        except EngineError as error:
            # Report illegality first, even if the result is impossible, too.
            rule, reason = self._forbidden(state, entry) or (lifecycle.RULE, self.ruleset.account(error))
            return state, Judgement("illegal", rule, reason, has_effect=False), "outcome_impossible"
        is_legal = judgement is None or judgement.verdict == "legal"
        return after, judgement, "unchanged" if is_legal else "now_illegal"

    def _unread(self, state: State | None, entry: Entry) -> State | None:
        """Return the belief after an action that does not involve unknown cards; None for other entries."""
        if state is None or entry.type in lifecycle.KINDS:
            return None
        action = self.ruleset.parse(entry.type, entry.params)
        return running.unread(self.ruleset, state, action, SEAT_INDEX[entry.actor], entry.outcomes)

    def _forbidden(self, state: State | None, entry: Entry) -> tuple[str, str] | None:
        """Return the refusal of an illegal action, as heading and sentence; None if the action is legal."""
        if state is None or entry.type in lifecycle.KINDS:
            return None
        action, seat = self.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
        refusal = self._refusal(state, action, seat)
        return None if refusal is None else (refusal.rule, say(refusal.message))

    def trace(self, trace: Trace, entry: Entry, seq: int, broken: Effect | None, *, keeps_turn: bool = False) -> None:
        """Apply `entry` of the line to every table of a trace.

        Args:
            broken: the effect of a correction that broke the entry. Impossible results of a broken entry are ignored.
            keeps_turn: as in the correction that broke the entry.

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
            # Reported facts rule out tables, because they were seen at the table; any other contradiction is a mistake.
            change = partial(self._changed, entry, seq)
            trace.change(seq, change, is_seen=entry.type == "adjust", is_marked=is_marked)

    def _changed(self, entry: Entry, seq: int, state: State) -> tuple[State, Judgement | None]:
        after, _, judgement = self.as_played.play(state, entry, seq, Recorded(), Known())
        assert after is not None
        return after, judgement

    @cached_property
    def _sound(self) -> Rules:
        return Rules(self.header, is_lenient=True, sound_only=True)

    @cached_property
    def _turn_keeping(self) -> Rules:
        return Rules(self.header, is_lenient=True, sound_only=True, keeps_turn=True)

    def _needs_sound(self, chance: Chance) -> bool:
        """Return True if the checks for new events apply; stored events were checked when they were recorded."""
        return self._sound_only or not isinstance(chance, Recorded)

    def _believe(self, state: State, action: Action[Any], entry: Entry, seq: int, chance: Chance) -> Played:
        """Apply an action on a partly unknown table, or with an unknown result."""
        if state.outcome is not None:
            raise GameOver(state.outcome)
        seat = seat_of(entry.actor, self._seats)
        chance.begin(seq, entry.outcomes)
        if action.asks_chance and not isinstance(chance, Observed):
            raise IllegalAction(
                lifecycle.RULE, say("Reveal the unknown results first: the service cannot draw from unknown cards.")
            )
        chance.accept()
        outcomes, most = entry.outcomes, _most_runs(chance)
        allowed = self._allowed(state, entry)
        refusal = next(filter(None, (action.refusal(one.state, seat) for one in belief.worlds(state))), None)
        if allowed is not None and refusal is not None:
            illegal = IllegalAction(refusal.rule, say(refusal.message))
            slip = Slip(belief.worlds(state)[0].state, action, seat, illegal, self._needs_sound(chance))
            allowing = self._effect(action, seat, entry, chance, is_allowed=True)
            after, _, _ = slip.carried_out(
                self.ruleset, lambda: worlds.spread(self.ruleset, state, allowing, outcomes, most)
            )
            return after, action, allowed
        try:
            after, judgement = worlds.step(self.ruleset, state, action, seat, outcomes, most=most)
        except Undetermined:
            raise
        except IllegalAction as illegal:
            if not (self._is_lenient or happened_anyway(entry)):
                raise
            before = belief.worlds(state)
            explained = self._as_explained(illegal, action, entry, state)
            slip = Slip(before[0].state, action, seat, explained, self._needs_sound(chance))
            run = self._effect(action, seat, entry, chance)
            return slip.carried_out(self.ruleset, lambda: worlds.spread(self.ruleset, state, run, outcomes, most))
        return after, action, self._slip(action, entry, state) or judgement

    def is_out_of_turn(self, state: State | None, entry: Entry) -> bool:
        """Return True if the actor acts out of turn."""
        return state is not None and self.ruleset.is_out_of_turn(belief.likeliest(state), SEAT_INDEX[entry.actor])

    def must_wait(self, state: State | None, entry: Entry) -> bool:
        """Return True if it is the actor's turn, but the game waits for another seat."""
        is_in_turn = state is not None and not self.is_out_of_turn(state, entry)
        return is_in_turn and self.ruleset.must_wait(belief.likeliest(state), SEAT_INDEX[entry.actor])

    def _effect(
        self,
        action: Action[Any],
        seat: int,
        entry: Entry,
        chance: Chance | None = None,
        *,
        is_allowed: bool = False,
        keeps_turn: bool = False,
    ) -> Callable[[Any, Chance], State]:
        """Return a function that applies an illegal action.

        Args:
            chance: the source of chance, if the action may be a new event.
            keeps_turn: as in the correction that broke the action.
        """
        # Explanations and house rules are newer than `keeps_turn`, so no record without it has them.
        is_kept = self.header.keeps_turn or bool(entry.explanation) or is_allowed
        is_new = chance is not None and not isinstance(chance, Recorded)
        is_marked = getattr(entry, "keeps_turn", None) is True
        if self.header.mode == "strict" and not is_kept:
            # In a strict record, the event itself or the correction that broke it has the member `keeps_turn`.
            is_kept = is_new or is_marked or keeps_turn or self._keeps_turn
        keeps_step = is_marked or (is_new and not self._is_amending)
        return effect(self.ruleset, action, seat, keeps_turn=is_kept, keeps_step=keeps_step)

    def _do_anyway(
        self, state: State, action: Action[Any], entry: Entry, illegal: IllegalAction, chance: Chance
    ) -> Played:
        """Apply an illegal action to a fully known table."""
        seat = SEAT_INDEX[entry.actor]
        slip = Slip(state, action, seat, illegal, self._needs_sound(chance))
        run = self._effect(action, seat, entry, chance, is_allowed=self._house_rule(state, entry) is not None)

        def carried_out(chance: Chance) -> Played:
            return slip.carried_out(self.ruleset, lambda: run(state, chance))

        if action.asks_chance and not isinstance(chance, Observed):
            # The drawn results must not determine whether the action is rejected.
            try_all(carried_out)
        return carried_out(chance)

    def _told(self, state: State | None, event: lifecycle.Lifecycle, seq: int, chance: Chance, past: Past) -> Played:
        """Apply a lifecycle event; return the state after it, the event as stored, and the judgement."""
        if isinstance(event, lifecycle.LeftOut):
            return self._leave_out(state, event)
        if isinstance(event, lifecycle.Adjust):
            return (*self._adjust(state, event, chance), None)
        if isinstance(event, lifecycle.SetUp) and event.position is not None and not isinstance(chance, Recorded):
            position = adjusting.in_full(self.ruleset, self._seats, event.position, partial(self._start, seq))
            event = lifecycle.SetUp(position)
        return self._live(state, event, seq, chance, past), event, None

    def _live(
        self, state: State | None, event: lifecycle.Lifecycle, seq: int, chance: Chance, past: Past
    ) -> State | None:
        if isinstance(event, lifecycle.SetUp):
            if state is not None:
                raise IllegalAction(lifecycle.RULE, say("The game is set up already."))
            return self._set_up(event, seq, chance)
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("Set up the game first."))
        if isinstance(event, lifecycle.Undo):
            return self._undo(state, event, seq, past)
        if isinstance(event, details.Change):
            return details.changed(self.ruleset, self.header, state, event)
        return self._on(state, event, seq)

    def _leave_out(self, state: State | None, event: lifecycle.LeftOut) -> Played:
        """Skip a step that is due."""
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("Set up the game first."))
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
                return skip.state, event, Judgement("illegal", rule, skip.told(names))
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

    def _adjust(self, state: State | None, adjust: lifecycle.Adjust, chance: Chance) -> tuple[State, lifecycle.Adjust]:
        """Return the state after an adjustment, and the adjustment as stored."""
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("Set up the game first."))
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

    def begun(self, entry: Entry, seq: int, chance: Chance) -> State:
        """Return the state after `entry`, the setup of a line."""
        return self._begin(msgspec.convert(entry.params, lifecycle.SetUp), seq, chance, is_new=False)

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
        """Return the state after a setup with unknown results, as a belief over all possible tables."""
        run = partial(self._begin, event, seq, is_new=is_new)
        return worlds.set_up(self.ruleset, run, outcomes, most)

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
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("Set up the game first."))
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
            self._is_amending = True
            try:
                after, body, judgement = self.play(before, draft, seq, chance, past)
            except EngineError:
                if chance.has_drawn or not amend.accept_broken or not amends.stood(past, seq, amend, draft):
                    raise
                # The place had this entry before, so it can stay, marked as broken.
                after, judgement, broken = self.replay(
                    before, draft, seq, sound_only=amend.sound_only, keeps_turn=keeps_turn
                )
                chance.accept()
            else:
                # Normalize the params and add the drawn results, as in any stored event.
                draft = msgspec.structs.replace(draft, params=msgspec.to_builtins(body), outcomes=chance.finish())
            finally:
                self._is_amending = False
            amend = amend.bringing(draft)
        is_kept = keeps_turn and broken is not None
        slot = Slot(seq if is_new else amend.seq, seq, draft, after, judgement, broken, is_kept)
        line, impact = amends.write_anew(
            self, line, index, start, slot, sound_only=amend.sound_only, keeps_turn=keeps_turn
        )
        if not is_stored:
            # Set only if it makes a difference; otherwise earlier releases can read the log.
            amend = msgspec.structs.replace(amend, keeps_turn=is_kept or impact.keeps_turn)
        if not is_accepted:
            amends.check_unbroken(impact)
        past.remember(seq, line, impact)
        return line[-1].after, amend, judgement

    def _check_foreseen(self, draft: Draft | None) -> None:
        """Reject an amend that draws a new result.

        If the result broke later events, the amend would be rejected after the draw. That would reveal the result.
        """
        kind = None if draft is None else self.ruleset.kind(draft.type)
        if kind is not None and kind.asks_chance:
            message = say(
                "This correction draws a new result, which can break later events. "
                "Repeat it with `if_illegal=accept` to allow that."
            )
            raise BreaksFollowers(lifecycle.RULE, message, None)

    def _reveal(self, state: State | None, reveal: lifecycle.Reveal, seq: int, past: Past) -> Played:
        if state is None:
            raise IllegalAction(lifecycle.RULE, say("Set up the game first."))
        line = past.line(seq - 1)
        index = reveals.place(line, reveal.seq, reveal.position)
        told = Told((reveal.seq, reveal.position), reveal.value)
        revealed, impact = reveals.revealed(self, line, index, told, seq, sound_only=reveal.sound_only)
        past.remember(seq, revealed, impact)
        return revealed[-1].after, reveal, None


def _most_runs(chance: Chance) -> int:
    """Return the work limit for unknown results. It is higher for stored events."""
    return worlds.MOST_RERUNS if isinstance(chance, Recorded) else worlds.MOST_RUNS
