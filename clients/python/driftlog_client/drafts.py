"""What may be done, as what to send."""

from __future__ import annotations

from driftlog_client import types


def draft(action: types.LegalAction, *outcomes: str | int | None) -> types.NewEvent:
    """An entry of `list_actions` as a body of `append_events`.

    Args:
        outcomes: what came up on the table, in the order of the action's `chance`; none in a seeded game.
    """
    return {
        "type": action["type"],
        "actor": action["actor"],
        "params": action["params"],
        "outcomes": list(outcomes),
    }
