"""Tokens given and withdrawn: nobody gives more than they have, and what somebody gave ends with what they have."""

from __future__ import annotations

from datetime import UTC, datetime

from engine.core.errors import Malformed
from engine.core.language import say
from schemas.events import rfc3339
from service.access import Caller, Role
from service.errors import Forbidden
from store import Store
from store.access.tokens import Token, is_like_an_id

MOST_GIVEN = 1000
"""Tokens in force that somebody who is no admin has given."""
_NO_GAME = "-"


def give(
    store: Store,
    giver: Caller,
    *,
    role: Role,
    created_at: str,
    game: str | None = None,
    seat: str | None = None,
    expires_at: datetime | None = None,
    note: str | None = None,
    is_operator: bool = False,
) -> tuple[str, Token]:
    """A new token, and its text.

    Args:
        is_operator: whether it is given on the machine itself, and not over the network.

    Raises:
        Forbidden: the giver has not got that much.
        Malformed: there is no such game or seat, the end is past, or the note looks like a token's id.
        NameTaken, TooManyTokens, GiverGone: see `store.access.tokens`.
    """
    if giver.token is None and not is_operator:
        # Who reaches an open service must not keep a way in for when it asks for tokens.
        raise Forbidden(
            Role.ADMIN,
            say("an open service creates tokens on its own machine only: run `driftlog tokens create` there"),
        )
    giver.require(role)
    if giver.game is not None and game is None:
        raise Forbidden(role, say("a token for one game cannot create tokens for other games"))
    if game is not None:
        _check_place(store, giver, game, seat)
    elif seat is not None:
        raise Malformed("/seat", say("a seat is one of a `game`"))
    _check_seat(giver, role, seat)
    if note is not None and is_like_an_id(note):
        raise Malformed("/note", say("it looks like the id of a token; choose another note"))
    return store.tokens.create(
        role.value,
        created_at=created_at,
        game=game,
        seat=seat,
        note=note,
        expires_at=_end(giver, expires_at),
        given_by=giver.token,
        most=None if giver.role is Role.ADMIN else MOST_GIVEN,
        may_share_name=giver.role.includes(Role.ARBITER),
    )


def _check_place(store: Store, giver: Caller, game: str, seat: str | None) -> None:
    """Refuse a game that is not there as far as the giver can learn, and a seat that it has not got."""
    if not store.events.exists(game if giver.knows(game) else _NO_GAME):
        raise Malformed("/game", say("there is no such game"))
    if seat is not None and seat not in store.games.latest(game).header.seat_ids:
        raise Malformed("/seat", say("that game has no such seat"))


def _check_seat(giver: Caller, role: Role, seat: str | None) -> None:
    """Refuse what would see or do more than the giver: a seat's token sees what nobody else does but an arbiter."""
    if giver.role.includes(Role.ARBITER) and giver.seat is None:
        return
    if seat not in {None, giver.seat}:
        raise Forbidden(Role.ARBITER, say("only that seat's token or an arbiter can create a token for a seat"))
    if giver.seat is not None and seat is None and role is not Role.VIEWER:
        raise Forbidden(role, say("a token for one seat cannot create tokens for other seats"))


def _end(giver: Caller, wanted: datetime | None) -> str | None:
    """When the new token ends: no later than its giver's.

    Raises:
        Forbidden, Malformed: it was asked for later, or is past.
    """
    if wanted is None:
        return giver.expires_at
    if wanted <= datetime.now(UTC):
        raise Malformed("/expires_at", say("a time to come"))
    if giver.expires_at is not None and wanted > datetime.fromisoformat(giver.expires_at):
        raise Forbidden(giver.role, say("a token cannot create one that expires later than itself"))
    return rfc3339(wanted.astimezone(UTC))


def page(store: Store, caller: Caller, before: str | None, limit: int) -> list[Token]:
    """The tokens that the caller may withdraw, newest first: an admin all, at most of its game; others those they gave.

    Args:
        before: the id of the last one of the page before.
    """
    given_by = None if caller.role is Role.ADMIN else caller.token
    return store.tokens.page(game=caller.game, given_by=given_by, before=before, limit=limit)


def find(store: Store, caller: Caller, token_id: str) -> Token | None:
    """The token of that id, if the caller may withdraw it: one that `page` lists, what those gave, or its own."""
    token = store.tokens.get(token_id)
    if token is None:
        return None
    if caller.role is Role.ADMIN and caller.game in {None, token.game}:
        return token
    return token if caller.token in {token.id, *store.tokens.givers(token)} else None
