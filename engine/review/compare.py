"""Two games side by side: how far they are the same, and where they part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.core import lifecycle
from engine.core.events import Event
from engine.kit.rules import AnyRules


def common(ruleset: AnyRules, one: Iterable[Event], other: Iterable[Event]) -> Iterator[tuple[Event, Event]]:
    """The events with which two lines begin that say the same, whoever wrote them down and when: one of each, in order.

    Opening counts as the same where as many sit down to the same options. What was said about the game has no part in
    it: `one` and `other` are lines without annotations (see `played`). A salt is nobody's choice, and does not count.

    Args:
        one: what stands of a game of `ruleset`, in order, as whoever compares may see it; read no further than needed.
        other: the same of another one.
    """
    for here, there in zip(one, other, strict=False):
        if _content(ruleset, here) != _content(ruleset, there):
            return
        yield here, there


def played(events: Iterable[Event]) -> Iterator[Event]:
    """`events` without those that only say something about the others."""
    return (event for event in events if event.type != "annotate")


def _content(ruleset: AnyRules, event: Event) -> tuple[Any, ...]:
    if event.type == lifecycle.GAME_OPENED:
        return event.type, len(event.params["seats"]), event.params["options"]
    if event.type == lifecycle.GAME_CLOSED:
        return event.type, event.params["outcome"]
    kind = ruleset.kind(event.type)
    hidden = {"salt"} if kind is not None and kind.hidden_params else set()
    params = {name: value for name, value in event.params.items() if name not in hidden}
    return event.type, event.actor, params, tuple(event.outcomes)
