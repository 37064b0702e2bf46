"""Create and revoke tokens.

A token cannot permit more than its creator's token. Revoking the creator's token revokes it, too.
"""

from __future__ import annotations

from datetime import UTC, datetime

from engine.core.errors import Malformed
from engine.core.language import say
from schemas.times import rfc3339
from service.access import Caller, Role
from service.errors import Forbidden
from store import Store
from store.access.tokens import Token, is_like_an_id

MOST_GIVEN = 1000
"""Maximum number of active tokens that one token can create. Admins have no limit."""
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
    """Create a token; return its text and the token.

    Args:
        giver: the caller who creates the token.
        is_operator: True for a command on the service's own machine, False for a request over the network.

    Raises:
        Forbidden: the caller lacks a permission that the token would have.
        Malformed: there is no such game or seat, the expiry is in the past, or the note looks like a token's id.
        NameTaken, TooManyTokens, GiverGone: see `store.access.tokens`.
    """
    if giver.token is None and not is_operator:
        # The token of an anonymous caller would still work after the service starts to require tokens.
        raise Forbidden(
            Role.ADMIN,
            say(
                "this service needs no token, so it creates tokens only on its own machine: run "
                "`driftlog tokens create` there"
            ),
        )
    giver.require(role)
    if giver.game is not None and game is None:
        raise Forbidden(role, say("a token for one game cannot create tokens for other games"))
    if game is not None:
        _check_place(store, giver, game, seat)
    elif seat is not None:
        raise Malformed("/seat", say("`seat` requires `game`"))
    _check_seat(giver, role, seat)
    if note is not None and is_like_an_id(note):
        raise Malformed("/note", say("this note looks like a token's id: choose another note"))
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
    """Reject a game that the token's creator cannot see, or a seat that the game does not have."""
    if not store.events.exists(game if giver.knows(game) else _NO_GAME):
        raise Malformed("/game", say("there is no such game"))
    if seat is not None and seat not in store.games.latest(game).header.seat_ids:
        raise Malformed("/seat", say("that game has no such seat"))


def _check_seat(giver: Caller, role: Role, seat: str | None) -> None:
    """Check that the creator has the permissions of the new token.

    A token for a seat can see hidden cards, like an arbiter.
    """
    if giver.role.includes(Role.ARBITER) and giver.seat is None:
        return
    if seat not in {None, giver.seat}:
        raise Forbidden(
            Role.ARBITER,
            say("only an arbiter, or a caller with a token for the same seat, can create a token for a seat"),
        )
    if giver.seat is not None and seat is None and role is not Role.VIEWER:
        raise Forbidden(role, say("a token for one seat cannot create tokens for other seats"))


def _end(giver: Caller, wanted: datetime | None) -> str | None:
    """Return the expiry of the new token: in the future, and not later than the expiry of its creator's token."""
    if wanted is None:
        return giver.expires_at
    if wanted <= datetime.now(UTC):
        raise Malformed("/expires_at", say("must be in the future"))
    if giver.expires_at is not None and wanted > datetime.fromisoformat(giver.expires_at):
        raise Forbidden(giver.role, say("the new token cannot expire later than your own"))
    return rfc3339(wanted.astimezone(UTC))


def page(store: Store, caller: Caller, before: str | None, limit: int) -> list[Token]:
    """Return a page of tokens that the caller may revoke, newest first.

    Args:
        before: the id of the last token of the previous page.
    """
    given_by = None if caller.role is Role.ADMIN else caller.token
    return store.tokens.page(game=caller.game, given_by=given_by, before=before, limit=limit)


def revoke(store: Store, caller: Caller, token_id: str) -> bool:
    """Revoke a token, even a damaged one; return False if there is no such token that the caller may revoke.

    Raises:
        NotReplicated: as in `store.access.tokens.TokenStore.withdraw`.
    """
    may_revoke = (
        find(store, caller, token_id) is not None
        or (caller.role is Role.ADMIN and caller.game is None)
        or (caller.token is not None and store.tokens.is_given_by(token_id, caller.token))
    )
    return may_revoke and bool(store.tokens.withdraw(token_id))


def find(store: Store, caller: Caller, token_id: str) -> Token | None:
    """Return a token if the caller may revoke it: a token that `page` lists, or the caller's own."""
    token = store.tokens.get(token_id)
    if token is None:
        return None
    if caller.role is Role.ADMIN and caller.game in {None, token.game}:
        return token
    return token if caller.token in {token.id, *store.tokens.givers(token)} else None
