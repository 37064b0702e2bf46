"""Filters of the list of games, from query parameters."""

from __future__ import annotations

from typing import Any

from api.plumbing.access import caller
from store.library.finding import Filter


def parse_filter(query: dict[str, Any]) -> Filter:
    """Return the filter in `query`, as loaded by `GameFilter`."""
    return Filter(
        ruleset=query.get("ruleset"),
        status=query.get("status"),
        result=query.get("result"),
        player=query.get("player"),
        tag=query.get("tag"),
        from_=query.get("from_"),
        to=query.get("to"),
        q=query.get("q"),
        parent=query.get("parent"),
        game=caller().game,
    )
