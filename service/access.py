"""Permissions of callers on games. This module only has rules; `store.access.tokens` stores the tokens.

A caller has a role. In this list, each role includes the earlier ones: a viewer reads public data; a recorder appends,
and undoes its own events; an arbiter corrects any event, and sees the hidden information of every seat; an admin may do
everything. A token can be limited to one game, and to one seat of that game. On an open service every caller is an
admin.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Self

import msgspec

from engine.core.language import say
from service.errors import Forbidden

if TYPE_CHECKING:
    from store.access.tokens import Token
    from store.work.jobs import Job


class Role(StrEnum):
    """The roles of callers, in ascending order."""

    VIEWER = "viewer"
    RECORDER = "recorder"
    ARBITER = "arbiter"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """Return True if this role includes the permissions of `other`."""
        return _RANKS[self] >= _RANKS[other]


_RANKS = {role: rank for rank, role in enumerate(Role)}


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """The user or program that sent a request."""

    role: Role
    token: str | None = None
    """The id of the caller's token; None on an open service."""
    note: str | None = None
    game: str | None = None
    """The only game that the caller can see; None: all games."""
    seat: str | None = None
    """The seat that the caller acts for, and whose view the caller gets; None: no particular seat."""
    expires_at: str | None = None
    is_link: bool = False
    """True if the token is a share link, which its users can pass on to anyone."""

    @property
    def name(self) -> str | None:
        """The caller's name in recorded events; None on an open service."""
        return self.note or self.token

    @classmethod
    def of(cls, token: Token) -> Self:
        """Return the caller that owns `token`."""
        return cls(
            role=Role(token.role),
            token=token.id,
            note=token.note,
            game=token.game,
            seat=token.seat,
            expires_at=token.expires_at,
            is_link=token.is_link,
        )

    def knows(self, game_id: str) -> bool:
        """Return True if the caller may learn whether this game exists."""
        return self.game in {None, game_id}

    def may_follow(self, job: Job) -> bool:
        """Return True if the caller may see the progress and result of a job.

        If a job runs once for all viewers of a game, all of them may see it. Only the owner and admins may see any
        other job.
        """
        if job.same is not None:
            return self.knows(job.args["game"])
        return self.token in {None, job.owner} or (self.role is Role.ADMIN and self.game is None)

    def require(self, role: Role) -> None:
        """Raise `Forbidden` unless the caller has at least `role`."""
        if not self.role.includes(role):
            raise Forbidden(role)

    def require_view(self, viewer: str | None) -> None:
        """Raise `Forbidden` unless the caller may view the table as `viewer`: a seat's id, or the public."""
        if viewer not in {None, "public", self.seat} and not self.role.includes(Role.ARBITER):
            message = say(
                "only an arbiter, or a caller with a token for {seat}, can see the hidden cards of {seat}",
                seat=viewer,
            )
            raise Forbidden(Role.ARBITER, message)


OPEN = Caller(role=Role.ADMIN)
"""The caller of an open service."""
