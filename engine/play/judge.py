"""Judge drafts, each on the game after the drafts before it, and turn them into events."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TypedDict, Unpack

import msgspec

from engine.core import effort, lifecycle
from engine.core.details import IfIllegal
from engine.core.digests import state_digest
from engine.core.errors import (
    BreaksFollowers,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    TooMuchWork,
    UnclearEffect,
    Undetermined,
)
from engine.core.events import Draft, Event, seal
from engine.core.language import marked, say
from engine.core.values import Judgement, State, Value
from engine.kit.actions import Action
from engine.kit.chance import Chance, Seeded
from engine.play.actions import Body
from engine.play.beliefs.belief import Belief
from engine.play.corrections import reveals
from engine.play.corrections.amends import MOST_PLAYS, check_open, is_hiding
from engine.play.corrections.details import check_change
from engine.play.explanations.judging import (
    accepted_drafts,
    check_explanation,
    resolve_amend,
    resolve_draft,
    without_idle_explanation,
)
from engine.play.explanations.missed import play_on, skip_ending, unnoticed_end
from engine.play.explanations.search import explain_outcome
from engine.play.fold import History
from engine.play.game import Game
from engine.play.impact import Impacts
from engine.play.line import Line
from engine.play.past import Past, is_ending
from engine.play.rules import Rules
from engine.play.showing import check_shown

_CLOSING = Draft(type=lifecycle.GAME_CLOSED)

SPENT = marked("This request was rejected after a result had been drawn for it. That result does not count.")
"""Text of the note that replaces a draft that was rejected after a draw.

The author may know the drawn result, and an event with the same number would draw that result again. The note takes the
number, so that no other event can have it.
"""


class Policy(TypedDict, total=False):
    """The handling of illegal actions, skipped steps, and corrections that break later events."""

    accept_left_out: bool | None
    """In an as-played game, the handling of an illegal action that would be legal after some skipped steps.

    True: record these steps and the action. None: reject the action (`IsLeftOut`). False, the default: record the
    action with its verdict.
    """
    accept_illegal: bool
    """In a strict game, True to record an illegal action with its verdict, unless the action has hidden params."""
    if_illegal: IfIllegal | None
    """`refuse` and `ask` reject an illegal action with its explanations; `accept` records it with the first
    explanation. None, the default: the two members above apply.
    """
    as_played: bool | None
    """The handling of an amend that breaks later events.

    True: keep these events, marked. False: reject the amend. None, the default: reject the amend only if the game is
    strict and the amend has no `accept_broken`.
    """


class JudgedDraft(msgspec.Struct, frozen=True):
    """The result of judging a draft."""

    game: Game
    """The game after the draft."""
    events: list[Event]
    """A `left_out` for each step that was skipped before the draft, then the draft's own event. If the game has ended,
    `game_closed` follows.
    """
    is_telling: bool
    """True if a result was drawn, or a secret was revealed.

    Store these events before you judge the next draft. Otherwise the caller could learn the result from the rejection
    of the next draft, or from its timing, while the result can still be avoided.
    """
    impact: Impacts | None = None
    """The impact of a correction on later events; None for other events."""
    refused: Exception | None = None
    """The error if the draft was rejected after a draw; the event is then a note (`SPENT`)."""

    @property
    def event(self) -> Event:
        """The event of the draft, or the note that replaces it."""
        return next(event for event in reversed(self.events) if event.type != lifecycle.GAME_CLOSED)


class Judge:
    """Judges drafts, each on the game after the drafts before it."""

    def __init__(
        self,
        game: Game,
        chance: Chance,
        past: Past,
        recorded_at: str,
        recorded_by: str | None,
        **policy: Unpack[Policy],
    ) -> None:
        self.game = game
        self._history = History(game.header, game, past)
        self._rules = self._history.rules
        self._chance = chance
        self._recorded_at, self._recorded_by = recorded_at, recorded_by
        self._plays = 0
        if_illegal = self._if_illegal = policy.get("if_illegal")
        self._accept_left_out = policy.get("accept_left_out", False)
        self._accept_illegal = policy.get("accept_illegal", False) or if_illegal == "accept"
        self._as_played = policy.get("as_played")
        self._refuses = if_illegal is not None and if_illegal != "accept" and game.header.mode == "strict"
        """True if illegal actions are always rejected. Then explanations are searched for only after a rejection."""
        self._rules.asks_first = self._as_played is False
        self._is_judged = game.header.mode == "as_played"
        self._has_secrets = self._rules.ruleset.has_secrets
        self._left_out: list[Event] = []
        """Events for the steps skipped before the current draft."""

    def judge(self, draft: Draft) -> JudgedDraft:
        """Judge the next draft.

        Raises:
            EngineError: the draft is rejected.
        """
        self._left_out = []
        check_explanation(self._rules, draft, self._line)
        try:
            try:
                *before, draft = (draft,) if self._refuses and not draft.explanation else self._before(draft)
                if draft.type == "amend" and self._as_played and not draft.params.get("accept_broken"):
                    *before, draft = self._amends_for(draft)
                step = self._after(before, draft)
            except GameOver as over:
                step = self._continue_after_end(draft, over)
            except ImpossibleOutcome as impossible:
                step = self._explain_impossible(draft, impossible)
        except BreaksFollowers as broken:
            skipped = None if self._if_illegal is None else skip_ending(self._rules, draft, self._line())
            broken.explanations = None if skipped is None else (skipped,)
            raise
        except Undetermined as refused:
            refused.name(reveals.unknown_places(self._line(), refused.rows))
            raise
        except IllegalAction as refused:
            if self._refuses and type(refused) is IllegalAction and not draft.explanation:
                with suppress(effort.Exhausted):
                    self._resolve(draft, "ask")
            raise
        except effort.Exhausted:
            raise TooMuchWork from None
        return msgspec.structs.replace(step, events=[*self._left_out, *step.events]) if self._left_out else step

    def _after(self, before: Sequence[Draft], draft: Draft) -> JudgedDraft:
        """Record the drafts `before`, which make `draft` legal, and then `draft`."""
        for one in before:
            self._left_out += self._judge_draft(one).events
        return self._judge_draft(draft)

    def _continue_after_end(self, draft: Draft, over: GameOver) -> JudgedDraft:
        """Record an action after an end that nobody noticed.

        Raises:
            GameOver: the policy rejects such actions, the players must have noticed the end, or nothing explains the
                action.
        """
        kind, state = self._rules.ruleset.kind(draft.type), self.game.state
        if state is None or self._if_illegal is None:
            raise over
        if self._if_illegal != "accept":
            over.explanations = unnoticed_end(self._rules, state, draft)
            raise over
        resumed = None if kind is None or kind.hidden_params else play_on(self._rules, state)
        if resumed is None:
            raise over
        self._left_out += self._judge_draft(msgspec.structs.replace(resumed, occurred_at=draft.occurred_at)).events
        *before, draft = self._resolve(draft, "accept")
        if not (before or draft.explanation) and self._rules.find_refusal(self.game.state, draft) is not None:
            raise over
        return self._after(before, draft)

    def _explain_impossible(self, draft: Draft, impossible: ImpossibleOutcome) -> JudgedDraft:
        """Record an action after an earlier mistake that makes its results possible.

        Raises:
            ImpossibleOutcome: the policy rejects such actions, or nothing explains the results.
        """
        if self._if_illegal is None or self.game.state is None or draft.type in lifecycle.KINDS:
            raise impossible
        impossible.explanations = explain_outcome(self._rules, self.game.state, draft, self._line)
        *before, draft = accepted_drafts(draft, impossible.explanations if self._if_illegal == "accept" else ())
        if not before:
            raise impossible
        return self._after(before, draft)

    def _amends_for(self, amend: Draft) -> Sequence[Draft]:
        """Return the amends to record for an amend that keeps later events as they were played."""
        line = self._line()
        found = skip_ending(self._rules, amend, line) if line else None
        return (amend,) if found is None else found.drafts

    def _before(self, draft: Draft) -> Sequence[Draft]:
        """Return the drafts to record: the skipped steps and other events of an explanation, then the draft itself.

        Raises:
            IllegalAction: the draft is illegal, and the policy does not accept it.
        """
        state = self.game.state
        if self._if_illegal is not None:
            return self._resolve(without_idle_explanation(self._rules, state, draft), self._if_illegal)
        omitted = self._omitted_steps(draft) if self._is_judged and self._accept_left_out is not False else []
        return *omitted, draft

    def _resolve(self, draft: Draft, if_illegal: IfIllegal) -> Sequence[Draft]:
        if draft.type == "amend":
            return (resolve_amend(self._rules, draft, if_illegal, self._line),)
        return resolve_draft(self._rules, self.game.state, draft, if_illegal, self._line)

    def _line(self) -> Line:
        try:
            return self._history.line(self.game.version)
        except Malformed:
            # Only the newest state of this log is known.
            return ()

    def _omitted_steps(self, draft: Draft) -> list[Draft]:
        """Return the skipped steps to record before `draft`.

        Raises:
            IsLeftOut: there are skipped steps, and the caller must decide whether to record them.
        """
        explained = self._rules.find_left_out(self.game.state, draft)
        if explained is None:
            return []
        if self._accept_left_out is None:
            raise explained
        skipped = [{"seat": one.seat, "step": one.step} for one in explained.left_out]
        return [Draft(type=lifecycle.LEFT_OUT, params=params, occurred_at=draft.occurred_at) for params in skipped]

    def _judge_draft(self, draft: Draft) -> JudgedDraft:
        if self._plays > MOST_PLAYS:
            raise Malformed(
                "", say("judging this list takes too long: send this event and the later ones in another request")
            )
        if draft.type == lifecycle.GAME_CLOSED:
            raise Malformed("/type", "you cannot send this event: the service adds it when an event ends the game")
        if draft.type == "amend" and self._as_played:
            draft = msgspec.structs.replace(draft, params={**draft.params, "accept_broken": True})
        game, chance, played = self.game, self._chance, self._history
        before, seq = game.state, game.version + 1
        rules = self._rules.as_played if self._may_be_illegal(draft) else self._rules
        try:
            state, body, judgement = rules.play(before, draft, seq, chance, played)
        except UnclearEffect as error:
            if draft.type == "amend":
                # Do not suggest an adjust: it would be appended after the last event, not in place of the amended
                # event.
                raise IllegalAction(error.rule, error.message) from None
            raise
        if isinstance(body, lifecycle.DetailsChanged) and body.options is not msgspec.UNSET:
            assert before is not None
            assert state is not None
            check_open(rules.ruleset, before)
            check_change(self._rules, Rules, self._line(), (before, state))
        # An amend has no outcomes of its own: they are in the params, with its new entry.
        outcomes = () if isinstance(body, lifecycle.Amend) else chance.finish()
        if state is not None and _is_forced(body, judgement):
            check_shown(self._rules.ruleset, game.header, state)
        impact = played.impacts.get(seq)
        self._plays += _plays(state, body, impact)
        event = self._seal(draft, body, outcomes, judgement, state)
        events = [event]
        is_over = is_ending(draft, before, state, played)
        played.add(event, state, judgement)
        self._go_on(event, state)
        if is_over:
            assert state is not None
            assert state.outcome is not None
            seed = chance.seed if isinstance(chance, Seeded) else None
            closing = self._seal(_CLOSING, lifecycle.GameClosed(outcome=state.outcome, seed=seed), (), None, state)
            played.add(closing, state, None)
            self._go_on(closing, state)
            events.append(closing)
        is_telling = chance.has_drawn or self._opens(before, draft, is_over=is_over)
        return JudgedDraft(self.game, events, is_telling, impact)

    def _may_be_illegal(self, draft: Draft) -> bool:
        if draft.type == lifecycle.LEFT_OUT:
            return True
        kind = self._rules.ruleset.kind(draft.type) if self._accept_illegal or draft.explanation else None
        # Hidden actions must be legal: a verdict would reveal the choice.
        return kind is not None and not kind.hidden_params

    def note_draw(self, refused: Exception) -> JudgedDraft:
        """Record a note instead of a draft that was rejected after a random result was drawn."""
        note = lifecycle.Annotate(text=SPENT)
        event = self._seal(Draft(type="annotate"), note, (), None, self.game.state)
        self._go_on(event, self.game.state)
        return JudgedDraft(self.game, [*self._left_out, event], is_telling=True, refused=refused)

    def _opens(self, before: State | None, draft: Draft, *, is_over: bool) -> bool:
        """Return True if the draft reveals a secret, by its kind or by ending the game."""
        if before is None or not self._has_secrets:
            return False
        ruleset = self._rules.ruleset
        return (is_over or ruleset.reveals(draft.type)) and is_hiding(ruleset, before)

    def _seal(
        self,
        draft: Draft,
        body: Body,
        outcomes: tuple[Value | None, ...],
        judgement: Judgement | None,
        after: State | None,
    ) -> Event:
        game = self.game
        verdict = rule = reason = None
        is_accepted = judgement is not None and judgement.verdict == "illegal" and self._may_be_illegal(draft)
        if judgement is not None and (self._is_judged or judgement.verdict == "legal" or is_accepted):
            verdict, rule, reason = judgement.verdict, judgement.rule, judgement.reason
        elif self._is_judged:
            verdict = "legal"
        is_anyway = judgement is not None and judgement.verdict != "unknowable" and draft.actor is not None
        is_slip = is_anyway and verdict == "illegal" and not (self._is_judged or draft.explanation)
        keeps_turn = (is_slip and self._rules.is_out_of_turn(game.state, draft)) or (
            is_anyway and verdict != "legal" and self._rules.must_wait(game.state, draft)
        )
        # A house rule lets a player take the step of another one, with the steps that follow.
        is_kept = is_anyway and (verdict != "legal" or self._rules.is_out_of_turn(game.state, draft))
        sets_aside = is_kept and self._rules.sets_aside(game.state, draft)
        return seal(
            draft,
            seq=game.version + 1,
            turn=game.turn,
            params=msgspec.to_builtins(body),
            outcomes=outcomes,
            recorded_at=self._recorded_at,
            recorded_by=self._recorded_by,
            prev=game.head,
            verdict=verdict,
            rule=rule,
            reason=reason,
            state_hash=turn_hash(game.state, after),
            keeps_turn=keeps_turn or None,
            sets_aside=sets_aside or None,
        )

    def _go_on(self, event: Event, state: State | None) -> None:
        self.game = Game(header=self.game.header, version=event.seq, head=event.hash, state=state)


def _is_forced(body: Body, judgement: Judgement | None) -> bool:
    """Return True if the state after an entry may be a state that the rules alone never produce."""
    if isinstance(body, Action):
        return judgement is not None
    if isinstance(body, lifecycle.Amend):
        draft = body.draft
        return judgement is not None or (draft is not None and draft.type in {"adjust", lifecycle.SET_UP})
    if isinstance(body, lifecycle.SetUp):
        return body.position is not None
    return judgement is not None or isinstance(body, lifecycle.Adjust)


def _plays(after: State | None, body: Body, impact: Impacts | None) -> int:
    """Return the work of judging an entry, in the units of `engine.play.corrections.amends.MOST_PLAYS`."""
    tables = len(after.worlds) if isinstance(after, Belief) else 1
    operations = len(body.patch or body.facts or ()) if isinstance(body, lifecycle.Adjust) else 1
    return tables * (operations + (0 if impact is None else len(impact)))


def turn_hash(before: State | None, after: State | None) -> str | None:
    """Return the `state_hash` of an event that leads from `before` to `after`.

    Return None unless a turn begins or the game ends.
    """
    if after is None:
        return None
    if before is not None and before.turn == after.turn and before.outcome == after.outcome:
        return None
    return state_digest(after)
