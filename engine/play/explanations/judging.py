"""What becomes of an action that the rules forbid: it is refused with its explanations, or recorded with the first."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Draft, IfIllegal
from engine.core.language import say
from engine.core.values import State, not_a_seat
from engine.play.explanations.search import TAKEN_ALONE, explain
from engine.play.game import Game
from engine.play.line import Line
from engine.play.rules import Rules


def check_explanation(game: Game, draft: Draft) -> None:
    """Refuse an explanation of what has none, or may not have one.

    Raises:
        Malformed: with its place.
    """
    if not draft.explanation:
        return
    kind = game.ruleset.kind(draft.type)
    if kind is None or kind.hidden_params:
        raise Malformed("/explanation", say("this kind of event has no explanation"))
    if draft.explanation.seat not in game.header.seat_ids:
        raise Malformed("/explanation/seat", not_a_seat(len(game.header.seats)))
    if any(seq > game.version for seq in draft.explanation.events):
        raise Malformed("/explanation/events", say("an event that has not happened yet"))


def without_idle_explanation(rules: Rules, state: State | None, draft: Draft) -> Draft:
    """Return `draft` without an explanation that it does not need: it is legal."""
    if not draft.explanation or draft.explanation.kind == "other_player" or rules.refused(state, draft) is not None:
        return draft
    return msgspec.structs.replace(draft, explanation=msgspec.UNSET)


def resolved(
    rules: Rules, state: State | None, draft: Draft, if_illegal: IfIllegal, line: Callable[[], Line]
) -> tuple[Draft, ...]:
    """Return what is recorded for `draft`: itself, or the first explanation if it is illegal and that is accepted.

    Args:
        line: returns what stands before it.

    Raises:
        IllegalAction: the rules forbid it, and that is not accepted; with its explanations.
        Malformed: it does not fit the ruleset.
    """
    refused = None if draft.explanation else rules.refused(state, draft)
    if refused is None:
        return (draft,)
    assert state is not None
    left_out = rules.left_out(state, draft)
    proposals = explain(rules, state, draft, left_out, line)
    if if_illegal == "accept":
        # Nobody was asked whether it was entered for the wrong player, or something before it wrong.
        found = next((one.drafts for one in proposals if one.kind in TAKEN_ALONE), (draft,))
        return tuple(msgspec.structs.replace(one, occurred_at=draft.occurred_at) for one in found)
    # A program that knows only what was left out finds it where it was.
    told = left_out if left_out is not None and rules.header.mode == "as_played" else refused
    told.explanations = proposals
    raise told
