"""Legality: decide if an action is legal, by the rules of its game, by house rules, or after skipped steps."""

from __future__ import annotations

from typing import Any

from engine.core import lifecycle
from engine.core.details import HouseRuleInEffect
from engine.core.errors import IllegalAction, IsLeftOut, Malformed
from engine.core.events import Explanation, Header
from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Judgement, Omission, State, not_a_seat
from engine.kit.kernel import seat_of
from engine.kit.ruleset import Action, AnyRuleset, Refusal
from engine.play import omissions, registry
from engine.play.beliefs import belief
from engine.play.line import Entry
from engine.play.slips import sentence

HOUSE_RULE = marked("House rule")
"""Heading cited for actions that a house rule makes legal."""


class Legality:
    """The rules of one game, ready to judge its actions without applying them."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self._seats = len(header.seats)
        self.ruleset: AnyRuleset = registry.of(header)

    def find_left_out(self, state: State | None, entry: Entry) -> IsLeftOut | None:
        """Return the error for `entry`, with the skipped steps that would make the entry legal.

        Return None if the entry is legal already, or if no skipped steps would make it legal.

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
                SEAT_IDS[skip.seat], skip.step.id, skip.step.rule, skip.step.of(names[skip.seat]), skip.describe(names)
            )
            for skip in way
        ]
        return IsLeftOut(first.rule, say(first.message), left_out) if left_out else None

    def find_refusal(self, state: State | None, entry: Entry) -> IllegalAction | None:
        """Return the error for an illegal action; None if it is legal on at least one possible table.

        Raises:
            Malformed: as in `play`.
        """
        if state is None or state.outcome is not None:
            return None
        illegal = self._find_rule_refusal(state, entry)
        return None if illegal is None or self._house_rule(state, entry) is not None else illegal

    def _find_rule_refusal(self, state: State | None, entry: Entry) -> IllegalAction | None:
        """Return the same as `find_refusal`, but ignore house rules and the end of the game."""
        if state is None or entry.type in lifecycle.KINDS:
            return None
        action, seat = self.ruleset.parse(entry.type, entry.params), seat_of(entry.actor, self._seats)
        refusal = self._refusal(state, action, seat)
        return None if refusal is None else IllegalAction(refusal.rule, say(refusal.message))

    def _refusal(self, state: State, action: Action[Any], seat: int) -> Refusal | None:
        """Return the refusal of an action that is illegal on every possible table; otherwise None."""
        refusals = [action.refusal(world.state, seat) for world in belief.worlds(state)]
        return refusals[0] if all(refusals) else None

    def is_out_of_turn(self, state: State | None, entry: Entry) -> bool:
        """Return True if the actor acts out of turn."""
        return state is not None and self.ruleset.is_out_of_turn(belief.likeliest(state), SEAT_INDEX[entry.actor])

    def must_wait(self, state: State | None, entry: Entry) -> bool:
        """Return True if it is the actor's turn, but the game waits for another seat."""
        is_in_turn = state is not None and not self.is_out_of_turn(state, entry)
        return is_in_turn and self.ruleset.must_wait(belief.likeliest(state), SEAT_INDEX[entry.actor])

    def sets_aside(self, state: State | None, entry: Entry) -> bool:
        """Return True if later steps are set aside while an action that keeps the turn is applied."""
        if state is None or not self.ruleset.must_wait(table := belief.likeliest(state), SEAT_INDEX[entry.actor]):
            return False
        return self.ruleset.set_aside(table) is not table

    def _house_rule(self, state: State, entry: Entry) -> HouseRuleInEffect | None:
        if state.outcome is not None or not state.details.house_rules:
            return None
        is_own = not self.is_out_of_turn(state, entry)
        return state.details.house_rule(entry.type, entry.params, belief.likeliest(state).phase, own_turn=is_own)

    def _house_rule_judgement(self, state: State, entry: Entry) -> Judgement | None:
        """Return the judgement on an action that a house rule allows; None if no house rule allows it."""
        rule = self._house_rule(state, entry)
        return None if rule is None else Judgement("legal", HOUSE_RULE, rule.text)

    def _slip(self, action: Action[Any], entry: Entry, state: State) -> Judgement | None:
        """Return the judgement on a legal action that another player took for the actor; None for other actions."""
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
        # Nothing else checks the explanations of an imported log.
        if explanation.seat not in self.header.seat_ids:
            raise Malformed("/explanation/seat", not_a_seat(self._seats))
        return sentence(explanation, self.header.names_at(state), SEAT_INDEX[entry.actor], type(action))
