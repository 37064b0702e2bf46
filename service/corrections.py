"""Permissions to append: seats of tokens, and rules for corrections.

A token for a seat can act only for that seat. Each game has a rule for corrections.

An undo or amend affects all events from its target on. A reveal affects its event. An adjust or abandon affects the
whole game. By default (`USUAL`), recorders may make a correction if they recorded all affected events that are in
effect; an arbiter may make any correction. A game can be opened with a different rule: anyone may correct, or only an
arbiter. A skipped step counts as an action of its seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Corrections, Draft, Event
from engine.core.language import say
from engine.play.game import Game
from service.access import OPEN, Caller, Role
from service.errors import Forbidden
from store import Store

USUAL: Corrections = "recorder"
_SAID = frozenset({"annotate"})
"""Events that any recorder may append, because they change nothing."""
_SERVICE = frozenset({lifecycle.GAME_OPENED, lifecycle.SET_UP, lifecycle.GAME_CLOSED})
_CORRECTING = frozenset({"undo", "amend", "reveal", "adjust", "abandon"})
_ARBITERS = _CORRECTING | {lifecycle.LEFT_OUT, lifecycle.HOUSE_RULE}
"""Event types that only an arbiter may append if the game's `corrections` is `arbiter`."""


def check_acts(caller: Caller, drafts: Iterable[Draft]) -> None:
    """Raise `Forbidden` if the caller's token is for one seat, and a draft acts for another seat."""
    if caller.seat is not None:
        for draft in drafts:
            _check_seat(caller.seat, draft)


def check_events(seat: str, events: Iterable[Event]) -> None:
    """Raise `Forbidden` if an event acts for a seat other than `seat`, or skips a step of another seat."""
    for event in events:
        left_out = event.params["seat"] if event.type == lifecycle.LEFT_OUT else seat
        if left_out != seat or event.actor not in {None, seat}:
            raise _not_its_own(seat)


def check_corrections(
    caller: Caller,
    store: Store,
    game_id: str,
    game: Game,
    drafts: Sequence[Draft],
    *,
    is_anyway: bool,
    overruled: Callable[[str], None],
) -> None:
    """Check the corrections among `drafts` against the game's rule for corrections.

    Args:
        is_anyway: True if illegal actions are recorded anyway.
        overruled: called with the type of each correction that requires an arbiter, if the caller is an arbiter.

    Raises:
        Forbidden: a correction requires an arbiter.
    """
    for draft in drafts:
        if draft.type == lifecycle.DETAILS_CHANGED:
            check_details(caller, game, draft.params)
    agreed = game.header.corrections or USUAL
    # On an open service everyone is the same user.
    if agreed == "anyone" or caller == OPEN:
        return
    for draft in drafts:
        if agreed == "arbiter":
            is_arbiters = is_anyway or bool(draft.explanation) or draft.type in _ARBITERS
            why = say("in this game only an arbiter can correct the record")
        else:
            reach = _reach(draft, game.version)
            is_arbiters = reach is not None and not _is_own(caller, store, game_id, game, reach)
            why = say("only an arbiter can correct what someone else recorded")
        if is_arbiters and not caller.role.includes(Role.ARBITER):
            raise Forbidden(Role.ARBITER, why)
        if is_arbiters:
            overruled(draft.type)


def check_details(caller: Caller, game: Game, params: Mapping[str, Any]) -> None:
    """Raise `Forbidden` if a change of details requires an arbiter, or if the caller's token is for one seat."""
    if caller == OPEN or caller.role.includes(Role.ARBITER):
        return
    if caller.seat is not None:
        raise _not_its_own(caller.seat)
    if "options" in params:
        raise Forbidden(Role.ARBITER, say("only an arbiter can change the options of a game"))
    if "if_illegal" in params and game.header.corrections == "arbiter":
        raise Forbidden(Role.ARBITER, say("in this game only an arbiter can correct the record"))


def _check_seat(seat: str, draft: Draft) -> None:
    own = draft.actor == seat
    if draft.type in _SAID or draft.type in _CORRECTING - {"amend"}:
        own = True
    elif draft.type in {lifecycle.LEFT_OUT, lifecycle.SEAT_LEFT, lifecycle.SEAT_JOINED}:
        own = draft.params.get("seat") == seat
    elif draft.type == "amend":
        brought = draft.params.get("event") or draft.params.get("insert")
        own = not isinstance(brought, dict) or brought.get("actor") == seat
    if not own:
        raise _not_its_own(seat)


def _not_its_own(seat: str) -> Forbidden:
    return Forbidden(Role.RECORDER, say("a token for {seat} can act for that seat only", seat=seat))


def _reach(draft: Draft, version: int) -> tuple[int, int] | None:
    """Return the first and last event that a correction affects. Return None for other and for invalid drafts."""
    if draft.type not in _CORRECTING:
        return None
    try:
        body = lifecycle.parse(draft.type, draft.actor, draft.params)
    except Malformed:
        # The engine will refuse the invalid draft.
        return None
    match body:
        case lifecycle.Undo(to=to):
            return to + 1, version
        case lifecycle.Amend(seq=seq):
            return seq, version
        case lifecycle.Reveal(seq=seq):
            return seq, seq
    return 1, version


def _is_own(caller: Caller, store: Store, game_id: str, game: Game, reach: tuple[int, int]) -> bool:
    """Return True if the caller recorded all events in effect within `reach`."""
    first, last = max(reach[0], 1), min(reach[1], game.version)
    if first > last:
        return True
    gone = store.corrections.superseded_events(game_id, game.version)
    is_whole = first == 1
    for page in store.events.pages(game_id, first - 1, last):
        for event in page:
            if event.recorded_by == caller.name or event.type in _SAID or (is_whole and event.type in _SERVICE):
                continue
            if not any(one.first <= event.seq <= one.last for one in gone):
                return False
    return True
