"""Secrets: mask the choices that players hide in events, until they are revealed.

An action class lists its hidden params (`Action.hidden_params`), or declares that it reveals earlier ones (`reveals`).
The log stores events unmasked; masking applies only when events are served. Replay, audit and snapshots are unaffected.
Details:

- The event's hash is the commitment. It covers the hidden params, and is public at once: in the masked event, in `prev`
  of the next event, and as the game's head. After the secret is revealed, the event is served unmasked, and anyone who
  noted the hash can check that the choice did not change. The chain of masked events has the same hashes.
- If there are few possible values, anyone could try them all against the hash. So actions with hidden params also have
  the hidden param `salt`, which `add_salt` fills with random text. An action without salt is valid (as in a test, or in
  a record typed in later), but its hash does not protect the secret.
- While a state contains a secret it also contains the salt, because the state's digest is public, too.
- A secret is revealed by the next event of the log that reveals secrets, or that closes the game. Undos do not matter:
  the secret is hidden before that event, and open after it. If this depended on the state, an undo could reveal a
  secret.
- A secret in the new entry of an amend is masked in the same way. In a record that begins in the middle of a game, the
  position is masked by the ruleset's `view` until an event reveals secrets.
- The verdict (`as_played`) is masked until then, too. For example, 'Between 0 and 3 spears can be thrown' reveals that
  more spears were thrown.
- The value of a masked param is `MASKED`, which is not valid for any param, so that a masked log is recognizable.
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
"""Function that returns the events of the log after a `seq`, in order. The events are read only as far as needed."""


def add_salt(ruleset: AnyRules, draft: Draft, salt: str) -> Draft:
    """Return `draft` with `salt` in the params (of the new entry, for an amend), if salt is needed and missing.

    Args:
        salt: at least 128 new random bits, as text.
    """
    params = _add_salt(ruleset, draft.type, draft.params, salt)
    return draft if params is draft.params else msgspec.structs.replace(draft, params=params)


def mask(ruleset: AnyRules, viewer: int | None, later: Later) -> Callable[[Event], Event]:
    """Return a function that masks an event for `viewer` (None: the public). Players see their own secrets.

    If the function is called for events in the order of the log, it reads the rest of the log only once.
    """
    opening = _Opening(ruleset, later)

    def mask_event(event: Event) -> Event:
        params = _mask_params(ruleset, viewer, event.type, event.actor, event.params)
        if params is event.params or opening.is_after(event.seq):
            return event
        # The verdict would reveal the secret.
        return msgspec.structs.replace(event, params=params, verdict=None, rule=None, reason=None)

    return mask_event


class _Opening:
    """Finds the next event of a log that reveals secrets, and remembers how far it has read the log."""

    def __init__(self, ruleset: AnyRules, later: Later) -> None:
        self._ruleset = ruleset
        self._later = later
        self._first = self._last = 0
        """The range of `seq` read so far; only the last event can reveal."""
        self._is_open = False
        """True if event `_last` reveals."""

    def is_after(self, seq: int) -> bool:
        """Return True if an event after `seq` reveals its secrets."""
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


def withheld_events(ruleset: AnyRules, events: Iterable[Event]) -> set[int]:
    """Return the `seq` of each masked event that no later event reveals. `events` is a log, or its last part.

    The contents of these events cannot be checked yet. An event whose masking differs from that of `mask` is forged.
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
    """Reject a log with a secret that is not revealed.

    Raises:
        Malformed: a secret is not revealed; the message names its event.
    """
    hidden = unrevealed_events(ruleset, events)
    if hidden:
        raise Malformed("/at", say("event {seq} contains hidden data: wait until it is revealed", seq=hidden[-1]))


def unrevealed_events(ruleset: AnyRules, events: Iterable[Event]) -> list[int]:
    """Return the `seq` of each event with a secret that is not revealed by the end of the log."""
    hidden: list[int] = []
    for event in events:
        if _opens(ruleset, event):
            hidden.clear()
        elif _mask_params(ruleset, None, event.type, event.actor, event.params) is not event.params:
            hidden.append(event.seq)
    return hidden


def _add_salt(ruleset: AnyRules, type_: str, params: dict[str, Any], salt: str) -> dict[str, Any]:
    """Return `params` with the salt added; unchanged if they need no salt."""
    brought = _amended_entry(type_, params)
    if brought is not None:
        within, its_type, _, its_params = brought
        return _bringing(params, within, _add_salt(ruleset, its_type, its_params, salt))
    kind = ruleset.kind(type_)
    if kind is None or not kind.hidden_params or params.get("salt"):
        return params
    return {**params, "salt": salt}


def _mask_params(
    ruleset: AnyRules, viewer: int | None, type_: str, actor: str | None, params: dict[str, Any]
) -> dict[str, Any]:
    """Return `params` as `viewer` sees them before a reveal; the same object if the params hide nothing."""
    brought = _amended_entry(type_, params)
    if brought is not None:
        within, its_type, its_actor, its_params = brought
        return _bringing(params, within, _mask_params(ruleset, viewer, its_type, its_actor, its_params))
    position = params.get("position") if type_ == lifecycle.SET_UP else None
    # Facts contain no secrets: they are visible at the table.
    if position is not None and "facts" not in position:
        seen = ruleset.view(ruleset.from_document(position), viewer)
        return params if canonical(seen) == canonical(position) else {**params, "position": seen}
    kind = ruleset.kind(type_)
    if kind is None or not kind.hidden_params or (viewer is not None and SEAT_INDEX.get(actor) == viewer):
        return params
    return {key: MASKED if key in kind.hidden_params else value for key, value in params.items()}


def _opens(ruleset: AnyRules, event: Event) -> bool:
    brought = _amended_entry(event.type, event.params)
    type_ = event.type if brought is None else brought[1]
    return type_ == lifecycle.GAME_CLOSED or ruleset.reveals(type_)


def _amended_entry(type_: str, params: dict[str, Any]) -> tuple[str, str, str | None, dict[str, Any]] | None:
    """Return the new entry of an amend: the name of the param with the entry, and the entry's type, actor and params.

    None for other events, and for an amend whose entry is missing or malformed.
    """
    if type_ == "amend":
        for within in ("event", "insert"):
            brought: Any = params.get(within)
            match brought:
                case {"type": str(its_type), "params": dict(its_params)}:
                    return within, its_type, brought.get("actor"), its_params
    return None


def _bringing(params: dict[str, Any], within: str, its_params: dict[str, Any]) -> dict[str, Any]:
    """Return the `params` of an amend, with the params of its new entry replaced by `its_params`."""
    brought = params[within]
    return params if its_params is brought["params"] else {**params, within: {**brought, "params": its_params}}
