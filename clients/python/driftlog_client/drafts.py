"""Convert legal actions to events to append."""

from __future__ import annotations

from driftlog_client import types


def draft(action: types.LegalAction, *outcomes: str | int | None) -> types.NewEvent:
    """Convert an entry of `list_actions` to a body of `append_events`.

    Args:
        outcomes: the results at the table, in the order of the action's `chance`; omit them in a seeded game.
    """
    return {
        "type": action["type"],
        "actor": action["actor"],
        "params": action["params"],
        "outcomes": list(outcomes),
    }
