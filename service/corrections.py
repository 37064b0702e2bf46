"""Who may append what: a seat's token as that seat alone, and corrections as the table agreed at the opening.

A correction reaches over events: an undo and an amend over all from the place that they go back to, a reveal over the
event that it is about, an adjust and an abandon over the whole game. A recorder may make it where it recorded all of
those that stand; an arbiter always; a table may agree that anyone may, or nobody but an arbiter (`USUAL` where it
agreed on nothing). What steps were left out is said like any act, by whose they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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
"""What anyone who records may say, and takes nothing back."""
_SERVICE = frozenset({lifecycle.GAME_OPENED, lifecycle.SET_UP, lifecycle.GAME_CLOSED})
_CORRECTING = frozenset({"undo", "amend", "reveal", "adjust", "abandon"})


def check_acts(caller: Caller, drafts: Iterable[Draft]) -> None:
    """Hold drafts to the seat of the caller, if it has one.

    Raises:
        Forbidden: one acts for another seat.
    """
    if caller.seat is not None:
        for draft in drafts:
            _check_seat(caller.seat, draft)


def check_events(seat: str, events: Iterable[Event]) -> None:
    """The same of events that the drafts became: those that say what was left out come with them.

    Args:
        seat: the caller's.

    Raises:
        Forbidden: they are of another seat, or say so of one.
    """
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
    """Hold the corrections among drafts, which are to be appended to `game`, to what its table agreed.

    Args:
        is_anyway: whether what is against the rules is to stand all the same.
        overruled: is told the kind of each that takes an arbiter, where the caller is one.

    Raises:
        Forbidden: one takes an arbiter.
    """
    agreed = game.header.corrections or USUAL
    # On an open service everybody is one.
    if agreed == "anyone" or caller == OPEN:
        return
    for draft in drafts:
        if agreed == "arbiter":
            is_arbiters = is_anyway or bool(draft.explanation) or draft.type in _CORRECTING | {lifecycle.LEFT_OUT}
            why = say("in this game only an arbiter can correct the record")
        else:
            reach = _reach(draft, game.version)
            is_arbiters = reach is not None and not _is_own(caller, store, game_id, game, reach)
            why = say("only an arbiter can correct what someone else recorded")
        if is_arbiters and not caller.role.includes(Role.ARBITER):
            raise Forbidden(Role.ARBITER, why)
        if is_arbiters:
            overruled(draft.type)


def _check_seat(seat: str, draft: Draft) -> None:
    own = draft.actor == seat
    if draft.type in _SAID or draft.type in _CORRECTING - {"amend"}:
        own = True
    elif draft.type == lifecycle.LEFT_OUT:
        own = draft.params.get("seat") == seat
    elif draft.type == "amend":
        brought = draft.params.get("event") or draft.params.get("insert")
        own = not isinstance(brought, dict) or brought.get("actor") == seat
    if not own:
        raise _not_its_own(seat)


def _not_its_own(seat: str) -> Forbidden:
    return Forbidden(Role.RECORDER, say("a token for {seat} can act for that seat only", seat=seat))


def _reach(draft: Draft, version: int) -> tuple[int, int] | None:
    """The first and the last event that a correction reaches over; None where it is none, or has no sense."""
    if draft.type not in _CORRECTING:
        return None
    try:
        body = lifecycle.parse(draft.type, draft.actor, draft.params)
    except Malformed:
        # It is refused as such.
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
    """Whether the caller recorded all that stands of those events."""
    first, last = max(reach[0], 1), min(reach[1], game.version)
    if first > last:
        return True
    gone = store.corrections.superseded(game_id, game.version)
    is_whole = first == 1
    for page in store.events.pages(game_id, first - 1, last):
        for event in page:
            if event.recorded_by == caller.name or event.type in _SAID or (is_whole and event.type in _SERVICE):
                continue
            if not any(one.first <= event.seq <= one.last for one in gone):
                return False
    return True
