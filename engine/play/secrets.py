"""Secrets: what a player hides from the table, and how its event is served until it is revealed.

A kind of action names the params that stay hidden (`Action.hidden_params`), and says whether it opens them (`reveals`).
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
- What the rules say of it (`as_played`) waits for the opening as well: 'Between 0 and 3 spears can be thrown' tells
  that there are more.
- A masked value is `MASKED`, which no param can be, so that a masked log is never mistaken for a whole one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.canonical import canonical
from engine.core.errors import Malformed
from engine.core.events import Draft, Event
from engine.core.language import say
from engine.core.values import MASKED, SEAT_INDEX
from engine.kit.rules import AnyRules

Later = Callable[[int], Iterable[Event]]
"""The events of the log after that `seq`, in order: asked only where it matters, and read only as far as it does."""


def salted(ruleset: AnyRules, draft: Draft, salt: str) -> Draft:
    """`draft` with `salt` in its params, if it (or the event that it amends with) hides something and has none.

    Args:
        salt: at least 128 random bits as text, never used before.
    """
    params = _salted(ruleset, draft.type, draft.params, salt)
    return draft if params is draft.params else msgspec.structs.replace(draft, params=params)


def mask(ruleset: AnyRules, viewer: int | None, later: Later) -> Callable[[Event], Event]:
    """Shows an event of a log as `viewer` (None: the public) may see it; who hides something sees it.

    In their order the events of a log are shown while what is later is read once.
    """
    opening = _Opening(ruleset, later)

    def masked(event: Event) -> Event:
        params = _masked(ruleset, viewer, event.type, event.actor, event.params)
        if params is event.params or opening.is_after(event.seq):
            return event
        # What the rules say of it would tell what is in it.
        return msgspec.structs.replace(event, params=params, verdict=None, rule=None, reason=None)

    return masked


class _Opening:
    """Where in a log the next secret is opened, remembered as far as it was read."""

    def __init__(self, ruleset: AnyRules, later: Later) -> None:
        self._ruleset = ruleset
        self._later = later
        self._first = self._last = 0
        """Between them nothing is opened, the last one apart."""
        self._is_open = False
        """Whether the last one opens."""

    def is_after(self, seq: int) -> bool:
        """Whether an event after `seq` opens what is secret there."""
        if not self._first <= seq < self._last:
            self._first = self._last = seq
            self._is_open = False
        if not self._is_open:
            for event in self._later(self._last):
                self._last = event.seq
                if _opens(self._ruleset, event):
                    self._is_open = True
                    break
        return self._is_open


def withheld(ruleset: AnyRules, events: Iterable[Event]) -> set[int]:
    """The events (by `seq`) of a log, or of the end of one, that are masked as `mask` does it, and may be.

    Their contents cannot be checked until they are open; an event that is masked in any other way is a forged one.
    """
    masked: set[int] = set()
    for event in events:
        kind = ruleset.kind(event.type)
        hidden = {name for name, value in event.params.items() if value == MASKED}
        if hidden and kind is not None and hidden == event.params.keys() & kind.hidden_params:
            masked.add(event.seq)
        elif _opens(ruleset, event):
            masked.clear()
    return masked


def check_open(ruleset: AnyRules, events: Iterable[Event]) -> None:
    """Refuse a log in which something is still hidden.

    Raises:
        Malformed: with the `seq` of the secret.
    """
    hidden = closed(ruleset, events)
    if hidden:
        raise Malformed("/at", say("what event {seq} hides is not revealed yet", seq=hidden[-1]))


def closed(ruleset: AnyRules, events: Iterable[Event]) -> list[int]:
    """The events (by `seq`) of a log that hide something which is not open at its end."""
    hidden: list[int] = []
    for event in events:
        if _opens(ruleset, event):
            hidden.clear()
        elif _masked(ruleset, None, event.type, event.actor, event.params) is not event.params:
            hidden.append(event.seq)
    return hidden


def _salted(ruleset: AnyRules, type_: str, params: dict[str, Any], salt: str) -> dict[str, Any]:
    """`params` with the salt in them; they themselves where none is needed."""
    brought = _brought(type_, params)
    if brought is not None:
        within, its_type, _, its_params = brought
        return _bringing(params, within, _salted(ruleset, its_type, its_params, salt))
    kind = ruleset.kind(type_)
    if kind is None or not kind.hidden_params or params.get("salt"):
        return params
    return {**params, "salt": salt}


def _masked(
    ruleset: AnyRules, viewer: int | None, type_: str, actor: str | None, params: dict[str, Any]
) -> dict[str, Any]:
    """`params` as `viewer` sees them while they are secret; they themselves where nothing in them is."""
    brought = _brought(type_, params)
    if brought is not None:
        within, its_type, its_actor, its_params = brought
        return _bringing(params, within, _masked(ruleset, viewer, its_type, its_actor, its_params))
    position = params.get("position") if type_ == lifecycle.SET_UP else None
    # Facts are what a table tells: nothing of what a player hides is among them.
    if position is not None and "facts" not in position:
        seen = ruleset.view(ruleset.from_document(position), viewer)
        return params if canonical(seen) == canonical(position) else {**params, "position": seen}
    kind = ruleset.kind(type_)
    if kind is None or not kind.hidden_params or (viewer is not None and SEAT_INDEX.get(actor) == viewer):
        return params
    return {key: MASKED if key in kind.hidden_params else value for key, value in params.items()}


def _opens(ruleset: AnyRules, event: Event) -> bool:
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
