"""Turn legal actions into events to append."""

from __future__ import annotations

from driftlog_client import types


def draft(action: types.LegalAction, *outcomes: str | int | None) -> types.NewEvent:
    """Turn an entry of `list_actions` into a body of `append_events`.

    Args:
        outcomes: the results at the table, in the order of the action's `chance`; none in a seeded game.
    """
    return {
        "type": action["type"],
        "actor": action["actor"],
        "params": action["params"],
        "outcomes": list(outcomes),
    }
