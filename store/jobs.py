"""Long work as documents: what is to be done, how far it is, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from ulid import ULID

from engine.core.language import ENGLISH, marked, spoken
from store import connection, keys
from store.connection import Client, Script
from store.errors import KeyReused, ShareUsed, TooManyJobs, UnknownJob
from store.files import Files
from store.idempotency import IdempotencyKey
from store.scripts.jobs import CREATE_JOB, UPDATE_JOB
from telemetry import context
from telemetry.context import Context

Status = Literal["queued", "running", "done", "failed"]
FINAL = ("done", "failed")
MOST_UNFINISHED = 1000
"""Jobs that are not over: whoever asks for one more is refused."""
MOST_HELD = 256 * 1024 * 1024
"""Bytes of all that they work on."""
MOST_OF_ONE = 100
"""Jobs of one owner that are not over."""
MOST_HELD_OF_ONE = 128 * 1024 * 1024
"""Bytes of all that those work on."""
AT_ONCE = 4
"""Jobs of one owner that may be in the queue together: whoever comes after others with many waits for so many."""
WITHDRAWN = marked("the token that asked for it was withdrawn")
"""Why a job failed that nobody waits for any more."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of long work."""

    id: str
    kind: str
    status: Status = "queued"
    progress: float = 0.0
    """From 0 to 1."""
    args: dict[str, Any]
    result: Any = None
    """What came of it, as JSON."""
    error: Any = None
    """Why it failed, as JSON."""
    created_at: str
    same: str | None = None
    """What it does, where that is not to be done twice at a time."""
    forgotten: bool = False
    """Whether what it was about was deleted: it stays as it is."""
    context: Context | None = None
    """The request that asked for it."""
    owner: str | None = None
    """The id of the token that asked for it first; None on an open service."""
    language: str = ENGLISH
    """In which whoever asked for it reads what it says."""

    def without_game(self, why: str) -> Job:
        """The same where the game that it was about was deleted: it has failed with `why`, and tells nothing else."""
        # What was done once for all who may see the game is nobody's own now.
        owner = self.owner if self.same is None else None
        over = msgspec.structs.replace(self, status="failed", result=None, error=why, same=None, owner=owner)
        return msgspec.structs.replace(over, args={"game": self.args["game"]}, forgotten=True)


_JOB = msgspec.json.Decoder(Job)


class Jobs:
    """All long work."""

    def __init__(self, client: Client, files: Files) -> None:
        """
        Args:
            files: where what jobs work on is kept.
        """
        self._client = client
        self._files = files
        self._create = Script(client, CREATE_JOB)
        self._update = Script(client, UPDATE_JOB)

    def create(
        self,
        kind: str,
        args: dict[str, Any],
        *,
        payload: bytes | None = None,
        key: IdempotencyKey | None = None,
        same: str | None = None,
        owner: str | None = None,
    ) -> Job:
        """A new job; or the one that the same `key` made before, or an unfinished one that does the `same`.

        Args:
            payload: what it works on, where that is long; it goes when the job is over, or else after some days.
            owner: the id of the token that asks for it, of whose share it takes; None: of nobody's.

        Raises:
            KeyReused: `key` was used for another body.
            TooManyJobs: there are as many unfinished ones, or they work on as much, as there may be.
            ShareUsed: the same of those of `owner`.
        """
        known = self._of_key(key)
        if known is not None:
            return known
        size = len(payload or b"")
        if size:
            # Before so much is written: the script has the last word on it.
            self._check_room(size)
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        job = Job(
            id=str(ULID()).lower(),
            kind=kind,
            args=args,
            created_at=now,
            same=same,
            context=context.current(),
            owner=owner,
            language=spoken(),
        )
        if payload:
            writing = self._files.create(_payload(job.id))
            writing.write(payload)
            writing.publish({})
        is_kept = False
        try:
            document = self._create(
                [keys.JOBS, keys.UNFINISHED, keys.JOB_KEYS, keys.HELD, keys.SAME, keys.JOB_OWNERS],
                [
                    job.id,
                    msgspec.json.encode(job),
                    size,
                    key.field if key else b"",
                    key.mark if key else b"",
                    same or "",
                    MOST_UNFINISHED,
                    MOST_HELD,
                    owner or "",
                    MOST_OF_ONE,
                    MOST_HELD_OF_ONE,
                ],
            )
            if document is None:
                raise KeyReused
            if document == 0:
                raise TooManyJobs
            if document == 1:
                raise ShareUsed
            kept = _JOB.decode(document)
            is_kept = kept.id == job.id
        finally:
            if payload and not is_kept:
                self._files.drop(_payload(job.id))
        return kept

    def get(self, job_id: str) -> Job | None:
        """The job, if there is one."""
        document = connection.call(self._client, "HGET", keys.JOBS, job_id)
        return None if document is None else _JOB.decode(document)

    def payload(self, job_id: str) -> bytes | None:
        """What the job works on; None where it has none, or is over."""
        file = self._files.find(_payload(job_id))
        pieces: list[bytes | None] = [] if file is None else list(self._files.read(_payload(job_id), file))
        # Whoever has just finished it takes them away piece by piece.
        return b"".join(piece for piece in pieces if piece) if pieces and None not in pieces else None

    def update(self, job_id: str, **changes: Any) -> Job:
        """Change a job; one that is done stays so, whatever a second worker says.

        Args:
            changes: of `status`, `progress`, `result`, `error`.

        Returns:
            The job as it stands.

        Raises:
            UnknownJob: there is no such job.
        """
        job = self.get(job_id)
        if job is None:
            raise UnknownJob(job_id)
        return self._change(job, msgspec.structs.replace(job, **changes))

    def forget(self, game_id: str, why: str) -> None:
        """Have nothing be known of a deleted game by the jobs that were about it: they end with `why`.

        All jobs are looked through.
        """
        with connection.translated():
            found = [_JOB.decode(document) for _, document in self._client.hscan_iter(keys.JOBS, count=1000)]
        for job in found:
            if job.args.get("game") != game_id or job.forgotten:
                continue
            over = job.without_game(why)
            if job.status == "done":
                connection.call(self._client, "HSET", keys.JOBS, job.id, msgspec.json.encode(over))
            else:
                self._change(job, over)

    def unfinished(self) -> list[Job]:
        """The jobs that are queued or running, the oldest first."""
        ids = connection.call(self._client, "SMEMBERS", keys.UNFINISHED)
        if not ids:
            return []
        documents = connection.call(self._client, "HMGET", keys.JOBS, *sorted(ids))
        return [_JOB.decode(document) for document in documents]

    def in_turn(self) -> list[Job]:
        """The unfinished jobs that are to be in the queue now: of each owner the first few, the owners in turns."""
        owners = self._owners()
        places: Counter[str] = Counter()
        found = []
        for job in self.unfinished():
            owner = owners.get(job.id)
            if owner is not None:
                places[owner] += 1
            if owner is None or places[owner] <= AT_ONCE:
                found.append((places[owner] if owner is not None else 0, job.id, job))
        return [job for *_, job in sorted(found, key=lambda one: one[:2])]

    def of(self, owner: str) -> list[Job]:
        """Those of one owner that are to be in the queue now."""
        ids = sorted(job_id for job_id, whose in self._owners().items() if whose == owner)[:AT_ONCE]
        found = connection.call(self._client, "HMGET", keys.JOBS, *ids) if ids else []
        return [_JOB.decode(document) for document in found if document is not None]

    def owner(self, job_id: str) -> str | None:
        """The token of whose share an unfinished job takes; None where it is nobody's."""
        found: bytes | None = connection.call(self._client, "HGET", keys.JOB_OWNERS, job_id)
        return None if found is None else found.decode()

    def withdraw(self, owners: Collection[str]) -> None:
        """End the jobs of tokens that are withdrawn, but those that somebody else asked for as well, and those that are
        being done.
        """
        if not owners:
            return
        for job_id, owner in self._owners().items():
            job = self.get(job_id) if owner in owners else None
            if job is not None and job.status == "queued":
                self._change(job, msgspec.structs.replace(job, status="failed", error=WITHDRAWN))

    def _owners(self) -> dict[str, str]:
        """Unfinished jobs that take of somebody's share, and whose that is."""
        found = connection.call(self._client, "HGETALL", keys.JOB_OWNERS)
        return {job_id.decode(): owner.decode() for job_id, owner in found.items()}

    def _change(self, job: Job, changed: Job) -> Job:
        is_over = changed.status in FINAL
        document = self._update(
            [keys.JOBS, keys.UNFINISHED, keys.HELD, keys.SAME, keys.JOB_OWNERS],
            [job.id, msgspec.json.encode(changed), "1" if is_over else "0", job.same or ""],
        )
        if is_over:
            self._files.drop(_payload(job.id))
        return _JOB.decode(document)

    def _of_key(self, key: IdempotencyKey | None) -> Job | None:
        """The job that the same request made before.

        Raises:
            KeyReused: the key was used for another body.
        """
        used = None if key is None else connection.call(self._client, "HGET", keys.JOB_KEYS, key.field)
        if key is None or used is None:
            return None
        if not key.is_of(used):
            raise KeyReused
        return self.get(used[len(key.mark) :].decode())

    def _check_room(self, size: int) -> None:
        held = connection.call(self._client, "HVALS", keys.HELD)
        if sum(map(int, held)) + size > MOST_HELD:
            raise TooManyJobs


def _payload(job_id: str) -> str:
    """The name of the file with what a job works on."""
    return f"payload-{job_id}"
