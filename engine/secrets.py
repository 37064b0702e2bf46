"""Secrets: what a player hides from the table, and how its event is served until it is revealed.

A kind of action names the params that stay hidden (`Action.hides`) and the one that opens them (`Action.reveals`).
The log keeps every event whole; only what is *served* is masked, so a replay, an audit and a snapshot need nothing
special. Why it is done in this way:

- The event's own hash is the commitment. It covers the hidden params and is published at once, in the masked event, in
  `prev` of the next one and as the game's head. Once the secret is open, the event is served whole, and anyone who
  noted the hash before can check that the hider did not think again. Nothing has to be re-linked or rewritten, and
  the chain of masked events is the chain.
- A hash over a handful of possible values hides nothing: one would try them all. So a kind that hides something has a
  param `salt`, hidden too, which `salted` fills with random text that whoever records brings along. A throw entered
  without it (a test, a record made afterwards) is valid, and its hash keeps no secret.
- A secret is open from the first event after it in the log that reveals, or that closes the game; whatever is undone,
  it stays open then, and stays hidden before. Were it judged by the state, an undo would open somebody's fist.
- A masked value is `MASKED`, which no param can be, so that a masked log is never mistaken for a whole one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from engine import lifecycle
from engine.errors import Malformed
from engine.events import SEAT_INDEX, Draft, Event
from engine.ruleset import Ruleset

MASKED = {"masked": True}
"""What stands in the place of a value that the viewer may not know yet."""

Later = Callable[[int], Iterable[Event]]
"""The events of the same log after that `seq`, in order; it is read only as far as it has to be."""


def salted(ruleset: Ruleset[Any, Any], draft: Draft, salt: str) -> Draft:
    """`draft` with `salt` in its params, if it hides something and has none of its own.

    Args:
        salt: at least 128 random bits as text, never used before.
    """
    kind = ruleset.kind(draft.type)
    if kind is None or not kind.hides or draft.params.get("salt"):
        return draft
    return msgspec.structs.replace(draft, params={**draft.params, "salt": salt})


def masked(ruleset: Ruleset[Any, Any], events: Iterable[Event], viewer: int | None, later: Later) -> Iterator[Event]:
    """`events` as `viewer` (None: the public) may see them; who hides something sees it.

    Args:
        events: consecutive events of one log.
        later: the rest of that log, where `events` is only a part of it.
    """
    for event in events:
        kind = ruleset.kind(event.type)
        if kind is None or not kind.hides or SEAT_INDEX[event.actor] == viewer:
            yield event
            continue
        is_open = any(_opens(ruleset, other) for other in later(event.seq))
        hidden = () if is_open else kind.hides
        params = {key: MASKED if key in hidden else value for key, value in event.params.items()}
        yield msgspec.structs.replace(event, params=params)


def check_open(ruleset: Ruleset[Any, Any], events: Iterable[Event]) -> None:
    """Refuse a log in which something is still hidden.

    Raises:
        Malformed: with the `seq` of the secret.
    """
    hidden: int | None = None
    for event in events:
        kind = ruleset.kind(event.type)
        if kind is not None and kind.hides:
            hidden = event.seq
        elif _opens(ruleset, event):
            hidden = None
    if hidden is not None:
        raise Malformed("/at", f"what event {hidden} hides is not revealed yet")


def _opens(ruleset: Ruleset[Any, Any], event: Event) -> bool:
    if event.type == lifecycle.GAME_CLOSED:
        return True
    kind = ruleset.kind(event.type)
    return kind is not None and kind.reveals
