"""Long work as documents: what is to be done, how far it is, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from ulid import ULID

from engine.core.language import ENGLISH, marked, spoken
from store import keys
from store.errors import KeyReused, ShareUsed, TooManyJobs, UnknownJob
from store.log.idempotency import IdempotencyKey
from store.redis import connection
from store.redis.connection import Client, Script
from store.work.files import Files
from store.work.scripts import CREATE_JOB, UPDATE_JOB
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
MOST_OF_GUESTS = 4
"""Unfinished jobs that all share links of one game may have ordered together."""
AT_ONCE = 4
"""Jobs of one share that may wait for a first try together, each for another game."""
LONG_AT_ONCE = 1
"""Jobs of one share that may wait for a long worker, or run in one."""
OF_ONE_GAME = 2
"""Jobs for one game that may be in a lane together, whoever ordered them."""
WITHDRAWN = marked("the token that requested it was revoked")
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
    share: str | None = None
    """Whose turn the job takes: see `guests_of` and `address_of`; else the id of a token, or None for nobody's."""
    is_long: bool = False
    """Whether the job is for a long worker: it has used up its first try, or is to have none."""

    @property
    def is_for_guests(self) -> bool:
        """Whether share links ordered it."""
        return self.share is not None and self.share.startswith(_GUESTS)

    @property
    def topic(self) -> str:
        """The game that the job is about; a job about many games or none is a topic of its own."""
        return str(self.args.get("game", self.id))

    def without_game(self, why: str) -> Job:
        """The same where the game that it was about was deleted: it has failed with `why`, and tells nothing else."""
        # What was done once for all who may see the game is nobody's own now.
        owner = self.owner if self.same is None else None
        over = msgspec.structs.replace(self, status="failed", result=None, error=why, same=None, owner=owner)
        return msgspec.structs.replace(over, args={"game": self.args["game"]}, forgotten=True)


_JOB = msgspec.json.Decoder(Job)
_GUESTS = "guests "
_ADDRESS = "address "


def guests_of(game_id: str) -> str:
    """The share of everyone who comes by a share link of that game."""
    return _GUESTS + game_id


def address_of(address: str | None) -> str | None:
    """The share of a caller without a token; None if its address is unknown."""
    return None if address is None else _ADDRESS + address


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
        share: str | None = None,
        is_long: bool = False,
    ) -> Job:
        """A new job; or the one that the same `key` made before, or an unfinished one that does the `same`.

        Args:
            payload: what it works on, where that is long; it goes when the job is over, or else after some days.
            owner: the id of the token that asks for it.
            share: whose turn it takes, if not that of `owner`.
            is_long: whether it is to have no first try; what guests order has none.

        Raises:
            KeyReused: `key` was used for another body.
            TooManyJobs: there are as many unfinished ones, or they work on as much, as there may be.
            ShareUsed: the same of those of `share`.
        """
        known = self._of_key(key)
        if known is not None:
            return known
        share = share or owner
        most = MOST_OF_ONE
        is_for_guests = share is not None and share.startswith(_GUESTS)
        if is_for_guests:
            most = MOST_OF_GUESTS
        elif share is not None and share.startswith(_ADDRESS):
            # Many people may share an address: it gives them their turns, and no limit of its own.
            most = MOST_UNFINISHED
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
            share=share,
            # Anybody may have a link: what guests order takes no turn from the first tries of players.
            is_long=is_long or is_for_guests,
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
                    share or "",
                    most,
                    MOST_HELD if most == MOST_UNFINISHED else MOST_HELD_OF_ONE,
                ],
            )
            if document is None:
                raise KeyReused
            if document == 0:
                raise TooManyJobs
            if document == 1:
                raise ShareUsed(most, for_guests=is_for_guests)
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
        return [_JOB.decode(document) for document in self._unfinished()]

    def _unfinished_beside(self, like: Job) -> list[Job]:
        """Return the unfinished jobs that may have the share or the topic of `like`; the others are not decoded."""
        marks = [one.encode() for one in (like.topic, like.share) if one is not None]
        return [_JOB.decode(found) for found in self._unfinished() if any(mark in found for mark in marks)]

    def _unfinished(self) -> list[bytes]:
        ids = connection.call(self._client, "SMEMBERS", keys.UNFINISHED)
        return connection.call(self._client, "HMGET", keys.JOBS, *sorted(ids)) if ids else []

    def in_turn(self, like: Job | None = None) -> list[Job]:
        """Return the unfinished jobs that may be in the queue now, in order: the first few of each share and game.

        Each share gets a turn before any share gets its second. A game's own players come before its guests.

        Args:
            like: return only the jobs that have its share or its topic.
        """
        shares = self._shares()
        jobs = self.unfinished() if like is None else self._unfinished_beside(like)
        found: list[tuple[int, str, Job]] = []
        taken: Counter[tuple[bool, str, str]] = Counter()
        for job in sorted(jobs, key=lambda one: (shares.get(one.id, "").startswith(_GUESTS), one.id)):
            share, lane, topic = shares.get(job.id), job.is_long, job.topic
            if taken[lane, "", topic] >= OF_ONE_GAME:
                continue
            if share is not None:
                most = LONG_AT_ONCE if lane else AT_ONCE
                if taken[lane, share, ""] >= most or taken[lane, share, topic]:
                    continue
                taken[lane, share, ""] += 1
                taken[lane, share, topic] += 1
            taken[lane, "", topic] += 1
            if like is None or topic == like.topic or (share is not None and share == like.share):
                found.append((0 if share is None else taken[lane, share, ""], job.id, job))
        return [job for *_, job in sorted(found, key=lambda one: one[:2])]

    def owner(self, job_id: str) -> str | None:
        """The token of whose share an unfinished job takes; None where it takes that of no token."""
        found: bytes | None = connection.call(self._client, "HGET", keys.JOB_OWNERS, job_id)
        return None if found is None or found.startswith((_GUESTS.encode(), _ADDRESS.encode())) else found.decode()

    def withdraw(self, owners: Collection[str]) -> None:
        """End the jobs of tokens that are withdrawn, but those that somebody else asked for as well, and those that are
        being done.
        """
        if not owners:
            return
        for job_id, owner in self._shares().items():
            job = self.get(job_id) if owner in owners else None
            if job is not None and job.status == "queued":
                self._change(job, msgspec.structs.replace(job, status="failed", error=WITHDRAWN))

    def _shares(self) -> dict[str, str]:
        """Return the share of each unfinished job that has one."""
        found = connection.call(self._client, "HGETALL", keys.JOB_OWNERS)
        return {job_id.decode(): share.decode() for job_id, share in found.items()}

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
