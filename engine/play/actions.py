"""Judge and apply the actions of players, legal or not. `engine.play.rules` also applies the events of the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core import lifecycle
from engine.core.errors import GameOver, IllegalAction, Undetermined
from engine.core.events import Header
from engine.core.language import say
from engine.core.values import SEAT_INDEX, Judgement, State
from engine.kit.chance import Chance, Observed, Recorded, try_all
from engine.kit.kernel import seat_of
from engine.kit.ruleset import Action
from engine.play.beliefs import belief, worlds
from engine.play.legality import Legality
from engine.play.line import Entry, is_recorded_anyway
from engine.play.slips import Slip, effect

Body = Action[Any] | lifecycle.Lifecycle

Played = tuple[State | None, Body, Judgement | None]
"""The state after an entry, the parsed entry (an action of the ruleset, or a lifecycle event), and the judgement (None
if the entry is simply legal)."""


class Actions(Legality):
    """The rules of one game, ready to judge and apply its actions, with arguments as in `engine.play.rules.Rules`."""

    def __init__(self, header: Header, *, is_lenient: bool | None, sound_only: bool, keeps_turn: bool) -> None:
        super().__init__(header)
        self._is_lenient = header.mode == "as_played" if is_lenient is None else is_lenient
        self._sound_only = sound_only
        self._keeps_turn = keeps_turn
        self._amending: lifecycle.Amend | None = None
        """The amend whose event is being applied. Such an event has no member `keeps_turn`."""

    def _needs_sound(self, chance: Chance) -> bool:
        """Return True if an illegal action must lead to a sound table. In a replay, only `sound_only` requires this."""
        is_amended_soundly = self._amending is not None and self._amending.sound_only
        return self._sound_only or is_amended_soundly or not isinstance(chance, Recorded)

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
        outcomes, most = entry.outcomes, most_runs(chance)
        allowed = self._house_rule_judgement(state, entry)
        refusal = next(filter(None, (action.refusal(one.state, seat) for one in belief.worlds(state))), None)

        def anyway(illegal: IllegalAction, *, is_allowed: bool) -> tuple[State, Action[Any], Judgement]:
            slip = Slip(belief.worlds(state)[0].state, action, seat, illegal, self._needs_sound(chance))
            run = self._effect(action, seat, entry, chance, is_allowed=is_allowed)
            return slip.carry_out(self.ruleset, lambda: worlds.spread(self.ruleset, state, run, outcomes, most))

        if allowed is not None and refusal is not None:
            after, _, _ = anyway(IllegalAction(refusal.rule, say(refusal.message)), is_allowed=True)
            return after, action, allowed
        try:
            after, judgement = worlds.step(self.ruleset, state, action, seat, outcomes, most=most)
        except Undetermined:
            raise
        except IllegalAction as illegal:
            if not (self._is_lenient or is_recorded_anyway(entry)):
                raise
            return anyway(self._as_explained(illegal, action, entry, state), is_allowed=False)
        return after, action, self._slip(action, entry, state) or judgement

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
            chance: the source of results. For a stored event, it is a `Recorded` or None.
            keeps_turn: `keeps_turn` of the correction that broke the action.
        """
        # Records with explanations or house rules are newer than `keeps_turn`.
        is_kept = self.header.keeps_turn or bool(entry.explanation) or is_allowed
        is_new = chance is not None and not isinstance(chance, Recorded)
        is_marked = getattr(entry, "keeps_turn", None) is True
        if self.header.mode == "strict" and not is_kept:
            # In a strict record, `keeps_turn` is a member of the event itself, or of the correction that broke it.
            is_kept = is_new or is_marked or keeps_turn or self._keeps_turn
        # A house rule makes the step itself legal, so the action completes the step.
        keeps_step = is_marked or (is_new and self._amending is None and not is_allowed)
        sets_aside = getattr(entry, "sets_aside", None) is True or (is_new and self._amending is None)
        return effect(self.ruleset, action, seat, keeps_turn=is_kept, keeps_step=keeps_step, sets_aside=sets_aside)

    def _play_illegal(
        self, state: State, action: Action[Any], entry: Entry, seq: int, chance: Chance, *, illegal: IllegalAction
    ) -> Played:
        """Apply an illegal action to a fully known table, or raise `illegal`."""
        is_allowed = self._house_rule(state, entry) is not None
        if not (is_allowed or self._is_lenient or is_recorded_anyway(entry)):
            raise illegal
        chance.begin(seq, entry.outcomes)
        if is_allowed:
            after, _, _ = self._do_anyway(state, action, entry, illegal, chance)
            return after, action, self._house_rule_judgement(state, entry)
        return self._do_anyway(state, action, entry, self._as_explained(illegal, action, entry, state), chance)

    def _do_anyway(
        self, state: State, action: Action[Any], entry: Entry, illegal: IllegalAction, chance: Chance
    ) -> Played:
        """Apply an illegal action to a fully known table."""
        seat = SEAT_INDEX[entry.actor]
        slip = Slip(state, action, seat, illegal, self._needs_sound(chance))
        run = self._effect(action, seat, entry, chance, is_allowed=self._house_rule(state, entry) is not None)

        def carry_out(chance: Chance) -> Played:
            return slip.carry_out(self.ruleset, lambda: run(state, chance))

        if action.asks_chance and not isinstance(chance, Observed):
            # Try all results: if only the drawn ones were tried, the rejection of the action could depend on them.
            try_all(carry_out)
        return carry_out(chance)


def most_runs(chance: Chance) -> int:
    """Return the maximum number of runs of the rules that unknown results may cause. It is higher for stored events."""
    return worlds.MOST_RERUNS if isinstance(chance, Recorded) else worlds.MOST_RUNS
