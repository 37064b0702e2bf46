"""Check that pages can show a state, before it is recorded."""

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

BEYOND = marked("This table is impossible: the game could not continue from it.")


def check_shown(ruleset: AnyRuleset, header: Header, state: State) -> None:
    """Reject a state that the rules cannot handle, such as one from a client.

    Raises:
        IllegalAction: a query fails that every valid state supports.
    """
    try:
        # One possible table is enough: they differ only in hidden parts.
        _show(ruleset, header, belief.likeliest(state))
    except (EngineError, *DEFECTS):
        # Rules can fail on a state that they did not produce.
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
