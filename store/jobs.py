"""Long work as documents: what is to be done, how far it is, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from ulid import ULID

from store import connection, keys, scripts
from store.connection import Client, Script
from store.errors import KeyReused, UnknownJob
from store.streams import IdempotencyKey

Status = Literal["queued", "running", "done", "failed"]
FINAL = ("done", "failed")


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


_JOB = msgspec.json.Decoder(Job)


class Jobs:
    """All long work."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._create = Script(client, scripts.CREATE_JOB)
        self._update = Script(client, scripts.UPDATE_JOB)

    def create(
        self, kind: str, args: dict[str, Any], *, payload: bytes | None = None, key: IdempotencyKey | None = None
    ) -> Job:
        """A new job, or the one that the same `key` made before.

        Args:
            payload: what it works on, where that is long; it goes when the job is over.

        Raises:
            KeyReused: `key` was used for another body.
        """
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        job = Job(id=str(ULID()).lower(), kind=kind, args=args, created_at=now)
        document = self._create(
            [keys.JOBS, keys.UNFINISHED, keys.JOB_KEYS, keys.PAYLOADS],
            [
                job.id,
                msgspec.json.encode(job),
                payload or b"",
                key.field if key else b"",
                key.mark if key else b"",
            ],
        )
        if document is None:
            raise KeyReused
        return _JOB.decode(document)

    def get(self, job_id: str) -> Job | None:
        """The job, if there is one."""
        document = connection.call(self._client, "HGET", keys.JOBS, job_id)
        return None if document is None else _JOB.decode(document)

    def payload(self, job_id: str) -> bytes | None:
        """What the job works on; None where it has none, or is over."""
        payload: bytes | None = connection.call(self._client, "HGET", keys.PAYLOADS, job_id)
        return payload

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
        changed = msgspec.structs.replace(job, **changes)
        document = self._update(
            [keys.JOBS, keys.UNFINISHED, keys.PAYLOADS],
            [job_id, msgspec.json.encode(changed), "1" if changed.status in FINAL else "0"],
        )
        return _JOB.decode(document)

    def unfinished(self) -> list[Job]:
        """The jobs that are queued or running, the oldest first."""
        ids = connection.call(self._client, "SMEMBERS", keys.UNFINISHED)
        if not ids:
            return []
        documents = connection.call(self._client, "HMGET", keys.JOBS, *sorted(ids))
        return [_JOB.decode(document) for document in documents]
