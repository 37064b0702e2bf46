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
- A state that holds the secret holds its salt with it, for as long as it is hidden: its digest is public, too.
- A secret is open from the first event after it in the log that reveals, or that closes the game; whatever is undone,
  it stays open then, and stays hidden before. Were it judged by the state, an undo would open somebody's fist.
- An amend that brings a secret hides it as the event itself would; and a record that begins in the middle of a game
  shows its position as the ruleset's `view` does, until something is revealed.
- A masked value is `MASKED`, which no param can be, so that a masked log is never mistaken for a whole one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from engine import lifecycle
from engine.canonical import canonical
from engine.errors import Malformed
from engine.events import SEAT_INDEX, Draft, Event
from engine.ruleset import Ruleset

MASKED = {"masked": True}
"""What stands in the place of a value that the viewer may not know yet."""

Later = Callable[[int], Iterable[Event]]
"""The events of the log after that `seq`, in order: asked only where it matters, and read only as far as it does."""


def salted(ruleset: Ruleset[Any, Any], draft: Draft, salt: str) -> Draft:
    """`draft` with `salt` in its params, if it (or the event that it amends with) hides something and has none.

    Args:
        salt: at least 128 random bits as text, never used before.
    """
    params = _salted(ruleset, draft.type, draft.params, salt)
    return draft if params is draft.params else msgspec.structs.replace(draft, params=params)


def mask(ruleset: Ruleset[Any, Any], viewer: int | None, later: Later) -> Callable[[Event], Event]:
    """Shows an event of a log as `viewer` (None: the public) may see it; who hides something sees it."""

    def masked(event: Event) -> Event:
        params = _masked(ruleset, viewer, event.type, event.actor, event.params)
        if params is event.params or any(_opens(ruleset, other) for other in later(event.seq)):
            return event
        return msgspec.structs.replace(event, params=params)

    return masked


def withheld(ruleset: Ruleset[Any, Any], events: Iterable[Event]) -> set[int]:
    """The events (by `seq`) of a log, or of the end of one, that are masked as `mask` does it, and may be.

    Their contents cannot be checked until they are open; an event that is masked in any other way is a forged one.
    """
    closed: set[int] = set()
    for event in events:
        kind = ruleset.kind(event.type)
        hidden = {name for name, value in event.params.items() if value == MASKED}
        if hidden and kind is not None and hidden == event.params.keys() & kind.hides:
            closed.add(event.seq)
        elif _opens(ruleset, event):
            closed.clear()
    return closed


def check_open(ruleset: Ruleset[Any, Any], events: Iterable[Event]) -> None:
    """Refuse a log in which something is still hidden.

    Raises:
        Malformed: with the `seq` of the secret.
    """
    hidden: int | None = None
    for event in events:
        if _opens(ruleset, event):
            hidden = None
        elif _masked(ruleset, None, event.type, event.actor, event.params) is not event.params:
            hidden = event.seq
    if hidden is not None:
        raise Malformed("/at", f"what event {hidden} hides is not revealed yet")


def _salted(ruleset: Ruleset[Any, Any], type_: str, params: dict[str, Any], salt: str) -> dict[str, Any]:
    """`params` with the salt in them; they themselves where none is needed."""
    brought = _brought(type_, params)
    if brought is not None:
        within, its_type, _, its_params = brought
        return _bringing(params, within, _salted(ruleset, its_type, its_params, salt))
    kind = ruleset.kind(type_)
    if kind is None or not kind.hides or params.get("salt"):
        return params
    return {**params, "salt": salt}


def _masked(
    ruleset: Ruleset[Any, Any], viewer: int | None, type_: str, actor: str | None, params: dict[str, Any]
) -> dict[str, Any]:
    """`params` as `viewer` sees them while they are secret; they themselves where nothing in them is."""
    brought = _brought(type_, params)
    if brought is not None:
        within, its_type, its_actor, its_params = brought
        return _bringing(params, within, _masked(ruleset, viewer, its_type, its_actor, its_params))
    if type_ == lifecycle.SET_UP and params.get("position") is not None:
        position = params["position"]
        seen = ruleset.view(ruleset.from_document(position), viewer)
        return params if canonical(seen) == canonical(position) else {**params, "position": seen}
    kind = ruleset.kind(type_)
    if kind is None or not kind.hides or (viewer is not None and SEAT_INDEX.get(actor) == viewer):
        return params
    return {key: MASKED if key in kind.hides else value for key, value in params.items()}


def _opens(ruleset: Ruleset[Any, Any], event: Event) -> bool:
    brought = _brought(event.type, event.params)
    type_ = event.type if brought is None else brought[1]
    return type_ == lifecycle.GAME_CLOSED or ruleset.reveals(type_)


def _brought(type_: str, params: dict[str, Any]) -> tuple[str, str, str | None, dict[str, Any]] | None:
    """The event that an amend brings: the param that it stands in, its type, actor and params.

    None for every other event, and for an amend that brings none, or none that could be recorded.
    """
    if type_ == "amend":
        for within in ("event", "insert"):
            brought: Any = params.get(within)
            match brought:
                case {"type": str(its_type), "params": dict(its_params)}:
                    return within, its_type, brought.get("actor"), its_params
    return None


def _bringing(params: dict[str, Any], within: str, its_params: dict[str, Any]) -> dict[str, Any]:
    """An amend's `params` with `its_params` for those of the event that it brings."""
    brought = params[within]
    return params if its_params is brought["params"] else {**params, within: {**brought, "params": its_params}}
