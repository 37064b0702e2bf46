"""Showing: all that is asked of a state once it is in the record. What cannot be shown is not recorded."""

from __future__ import annotations

import msgspec

from engine.core import lifecycle
from engine.core.digests import state_digest
from engine.core.errors import DEFECTS, EngineError, IllegalAction
from engine.core.events import Header
from engine.core.language import marked, say
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import belief

BEYOND = marked("No table can look like this: the game could not be shown, or go on, from there.")


def check_shown(ruleset: AnyRuleset, header: Header, state: State) -> None:
    """Refuse a state that does not come from the rules alone, and that they cannot cope with.

    Raises:
        IllegalAction: something that is asked of every state fails on it.
    """
    try:
        # Of many tables that there may be one is enough: they differ in what nobody saw.
        _show(ruleset, header, belief.likeliest(state))
    except (EngineError, *DEFECTS):
        # A state that no rule ever made may fail whatever looks at it.
        raise IllegalAction(lifecycle.RULE, say(BEYOND)) from None


def _show(ruleset: AnyRuleset, header: Header, state: State) -> None:
    names = header.names
    state_digest(state)
    ruleset.from_document(msgspec.json.decode(msgspec.json.encode(ruleset.to_document(state))))
    ruleset.active(state)
    ruleset.overview(state, names)
    ruleset.headline(state, names)
    for viewer in (None, *range(ruleset.seats(state))):
        ruleset.view(state, viewer)
        ruleset.board(state, names, viewer)
    if state.outcome is None:
        ruleset.awaiting(state)
        for legal in ruleset.legal_actions(state):
            legal.action.label(state, names)
            ruleset.chance_point(state, legal)
        list(ruleset.legal_ranges(state))
