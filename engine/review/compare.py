"""Two games side by side: their common beginning, and their differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.core import lifecycle
from engine.core.events import Event
from engine.kit.rules import AnyRules


def common(ruleset: AnyRules, one: Iterable[Event], other: Iterable[Event]) -> Iterator[tuple[Event, Event]]:
    """Yield pairs of equal events: the common beginning of two lines. Recorders and times may differ.

    Openings are equal if they have the same number of seats and the same options. Salts are ignored, because nobody
    chose them. Annotations are compared, too. To ignore annotations, remove them with `without_annotations`.

    Args:
        one: the events in effect of a game of `ruleset`, in order, as the viewer may see them. They are read only as
            far as needed.
        other: the events in effect of the other game, like `one`.
    """
    for here, there in zip(one, other, strict=False):
        if _content(ruleset, here) != _content(ruleset, there):
            return
        yield here, there


def without_annotations(events: Iterable[Event]) -> Iterator[Event]:
    """Yield all events except annotations."""
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
