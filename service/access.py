"""Access: who may do what with which game, and see what of it. Pure rules; `store.access.tokens` keeps the tokens.

A caller has a role, each of which may all that those before it may: a viewer reads what is public; a recorder appends,
and takes back what it recorded; an arbiter corrects anything, and sees what any seat sees; an admin does all. It may be
held to one game, and in it to one seat. On an open service everybody is an admin.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

import msgspec

from engine.core.language import say
from service.errors import Forbidden
from store.access.tokens import Token
from store.work.jobs import Job


class Role(StrEnum):
    """What a caller may do, from the least to the most."""

    VIEWER = "viewer"
    RECORDER = "recorder"
    ARBITER = "arbiter"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """Whether it may all that `other` may."""
        return _RANKS[self] >= _RANKS[other]


_RANKS = {role: rank for rank, role in enumerate(Role)}


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks."""

    role: Role
    token: str | None = None
    """The id of its token; None where the service is open."""
    note: str | None = None
    game: str | None = None
    """The only game that it knows of; None: all."""
    seat: str | None = None
    """The seat as which it acts and sees; None: none in particular."""
    expires_at: str | None = None
    is_link: bool = False
    """Whether it comes by a share link, which anybody may have."""

    @property
    def name(self) -> str | None:
        """As whom it records; None where the service is open."""
        return self.note or self.token

    @classmethod
    def of(cls, token: Token) -> Self:
        """Whoever has `token`."""
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
        """Whether there is such a game as far as it can learn, if there is one."""
        return self.game in {None, game_id}

    def may_follow(self, job: Job) -> bool:
        """Whether it may see how far a job is, and what comes of it.

        What is done once for all who may see a game is theirs; any other job is its owner's.
        """
        if job.same is not None:
            return self.knows(job.args["game"])
        return self.token in {None, job.owner} or (self.role is Role.ADMIN and self.game is None)

    def require(self, role: Role) -> None:
        """
        Raises:
            Forbidden: it has less than `role`.
        """
        if not self.role.includes(role):
            raise Forbidden(role)

    def require_view(self, viewer: str | None) -> None:
        """
        Args:
            viewer: a seat's id; None or `public` for what everyone sees.

        Raises:
            Forbidden: it may not see what that seat sees.
        """
        if viewer not in {None, "public", self.seat} and not self.role.includes(Role.ARBITER):
            message = say("only that seat's token or an arbiter can see the hidden cards of {seat}", seat=viewer)
            raise Forbidden(Role.ARBITER, message)


OPEN = Caller(role=Role.ADMIN)
"""Whoever asks an open service."""
