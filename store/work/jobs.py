"""Jobs as documents, with their arguments, progress and result. A job's *share* is the quota that the job uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Literal

import msgspec
from ulid import ULID

from engine.core.language import ENGLISH, current_language, marked
from schemas.times import now
from store import keys
from store.documents import decode_text, parser, readable, readable_one
from store.errors import Corrupt, KeyReused, ShareUsed, TooManyJobs, UnknownJob
from store.log.idempotency import IdempotencyKey
from store.redis import connection
from store.redis.connection import Client, Command, Script
from store.work.files import Files
from store.work.scripts import CREATE_JOB, UPDATE_JOB
from telemetry import context
from telemetry.context import Context

Status = Literal["queued", "running", "done", "failed"]
FINAL = ("done", "failed")
MOST_UNFINISHED = 1000
"""Maximum number of unfinished jobs. Further jobs are refused."""
MOST_HELD = 256 * 1024 * 1024
"""Maximum bytes of the inputs of all unfinished jobs."""
MOST_OF_ONE = 100
"""Maximum unfinished jobs of one owner."""
MOST_HELD_OF_ONE = 128 * 1024 * 1024
"""Maximum bytes of the inputs of one owner's unfinished jobs."""
MOST_OF_GUESTS = 4
"""Maximum number of unfinished jobs of all share links of a game together."""
AT_ONCE = 4
"""Maximum number of jobs of one quota, each for a different game, in the lane for first attempts."""
LONG_AT_ONCE = 1
"""Maximum number of jobs of one quota in the lane for long jobs."""
GUESTS_AT_ONCE = 2
"""Maximum number of jobs of all guests together in the lane for long jobs: half of the default workers."""
OF_ONE_GAME = 2
"""Maximum number of jobs for one game in a lane (`workers.queue.LANES`), for all requesters together."""
WITHDRAWN = marked("the token that requested it was revoked")
"""Error of a job whose token was revoked."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job."""

    id: str
    kind: str
    status: Status = "queued"
    progress: float = 0.0
    """Progress from 0 to 1."""
    args: dict[str, Any]
    result: Any = None
    """The result, as JSON."""
    error: Any = None
    """The error, as JSON."""
    created_at: str
    same: str | None = None
    """The key of the job's task, if no two jobs may do the same task at the same time."""
    forgotten: bool = False
    """True if the job's subject was deleted, after which the job never changes."""
    context: Context | None = None
    """The request that created the job."""
    owner: str | None = None
    """The id of the token that first requested the job; None on an open service."""
    language: str = ENGLISH
    """The language of the requester, used for the job's texts."""
    share: str | None = None
    """The quota that the job uses: a token's id, or a result of `guests_of` or `address_of`; None: no quota."""
    is_long: bool = False
    """True if the job is in the lane for long jobs: it did not finish in its short first attempt, or had none."""

    @property
    def is_for_guests(self) -> bool:
        """True if users of share links requested the job."""
        return self.share is not None and self.share.startswith(_GUESTS)

    @property
    def topic(self) -> str:
        """The id of the job's game, or else the id of the job itself."""
        return str(self.args.get("game", self.id))

    def without_game(self, why: str) -> Job:
        """Return the job after its game was deleted: failed with the error `why`, without other data."""
        # The owner of a job that all viewers of the game shared no longer matters.
        owner = self.owner if self.same is None else None
        over = msgspec.structs.replace(self, status="failed", result=None, error=why, same=None, owner=owner)
        return msgspec.structs.replace(over, args={"game": self.args["game"]}, forgotten=True)


_parse = parser(Job, "a job")
_UNFINISHED = (("SREM", keys.UNFINISHED), ("HDEL", keys.HELD), ("HDEL", keys.JOB_OWNERS))
"""Commands, each with its key, that remove a job from the unfinished jobs."""
_GUESTS = "guests "
_ADDRESS = "address "


def guests_of(game_id: str) -> str:
    """Return the quota shared by all users of a game's share links."""
    return _GUESTS + game_id


def address_of(address: str | None) -> str | None:
    """Return the quota of a caller without a token; None if the caller's address is unknown."""
    return None if address is None else _ADDRESS + address


class JobStore:
    """All jobs."""

    def __init__(self, client: Client, files: Files) -> None:
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
        """Create a job, unless there is one with the same `key`, or an unfinished one with the same task; return it.

        Args:
            payload: a large input. It is deleted when the job ends, or after some days.
            same: the key of the job's task; while a job with this key is unfinished, no other is created.
            owner: the id of the requesting token.
            share: the quota that the job uses (default: the quota of `owner`).
            is_long: True to skip the short first attempt, as for jobs of guests.

        Raises:
            KeyReused: the key was already used for a different request.
            TooManyJobs: the limit of unfinished jobs or of their inputs is reached.
            ShareUsed: the quota `share` is used up.
        """
        known = self.of_key(key)
        if known is not None:
            return known
        share = share or owner
        most = MOST_OF_ONE
        is_for_guests = share is not None and share.startswith(_GUESTS)
        if is_for_guests:
            most = MOST_OF_GUESTS
        elif share is not None and share.startswith(_ADDRESS):
            # Many people may share an address, so its quota has no limit. It only affects the order of jobs.
            most = MOST_UNFINISHED
        size = len(payload or b"")
        if size:
            # Check before the large write. Later the script checks again, and decides.
            self._check_room(size)
        job = Job(
            id=str(ULID()).lower(),
            kind=kind,
            args=args,
            created_at=now(),
            same=same,
            context=context.current(),
            owner=owner,
            language=current_language(),
            share=share,
            # Anyone may have a link, so jobs of guests must not delay the first attempts of players' jobs.
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
            kept = _parse(document)
            is_kept = kept.id == job.id
        finally:
            if payload and not is_kept:
                self._files.drop(_payload(job.id))
        return kept

    def get(self, job_id: str) -> Job | None:
        """Return the job with that id; None if there is no such job, or it is damaged."""
        return readable_one(_parse, connection.call(self._client, "HGET", keys.JOBS, job_id))

    def payload(self, job_id: str) -> bytes | None:
        """Return the input of the job; None if the job has no input, or has ended."""
        file = self._files.find(_payload(job_id))
        pieces: list[bytes | None] = [] if file is None else list(self._files.read(_payload(job_id), file))
        # Another process may be deleting the pieces at this moment, because the job has ended.
        return b"".join(piece for piece in pieces if piece) if pieces and None not in pieces else None

    def update(self, job_id: str, **changes: Any) -> Job:
        """Change a job and return it. A finished job never changes, even if a second worker reports another result.

        Args:
            changes: new values of `status`, `progress`, `result`, `error`.
        """
        job = self.get(job_id)
        if job is None:
            raise UnknownJob(job_id)
        return self._change(job, msgspec.structs.replace(job, **changes))

    def forget(self, game_id: str, why: str) -> None:
        """Remove all data about a deleted game from its jobs, which then fail with the error `why`.

        This scans all jobs. A damaged job that names the game is deleted.
        """
        with connection.translate_errors():
            found = list(self._client.hscan_iter(keys.JOBS, count=1000))
        for job_id, document in found:
            job = readable_one(_parse, document)
            if job is None and game_id.encode() in document:
                connection.call(self._client, "HDEL", keys.JOBS, job_id)
            if job is None or job.args.get("game") != game_id or job.forgotten:
                continue
            over = job.without_game(why)
            if job.status == "done":
                connection.call(self._client, "HSET", keys.JOBS, job.id, msgspec.json.encode(over))
            else:
                self._change(job, over)

    def list_unfinished(self) -> list[Job]:
        """Return the queued and running jobs, oldest first, without damaged ones."""
        return readable(_parse, self._unfinished_documents().values())

    def end_damaged(self) -> None:
        """End the damaged jobs. Otherwise these jobs would use quotas, and block other jobs for the same task."""
        documents = self._unfinished_documents()
        damaged = [id_ for id_, document in documents.items() if readable_one(_parse, document) is None]
        if not damaged:
            return
        tasks = connection.call(self._client, "HGETALL", keys.SAME)
        commands: list[Command] = [(command, key, *damaged) for command, key in _UNFINISHED]
        commands += [("HDEL", keys.SAME, task) for task, id_ in tasks.items() if id_ in damaged]
        connection.pipe(self._client, commands)
        for id_ in damaged:
            self._files.drop(_payload(decode_text(id_)))

    def _unfinished_beside(self, like: Job) -> list[Job]:
        """Return the jobs of all guests, and the jobs that may have the same quota or topic as `like`."""
        marks = [one.encode() for one in (like.topic, like.share, _GUESTS) if one is not None]
        documents = self._unfinished_documents().values()
        return readable(_parse, [one for one in documents if one is not None and any(mark in one for mark in marks)])

    def _unfinished_documents(self) -> dict[bytes, bytes | None]:
        ids = sorted(connection.call(self._client, "SMEMBERS", keys.UNFINISHED))
        return dict(zip(ids, connection.call(self._client, "HMGET", keys.JOBS, *ids), strict=True)) if ids else {}

    def in_turn(self, like: Job | None = None) -> list[Job]:
        """Return the unfinished jobs that may be queued now, in order.

        These are the first few jobs of each quota and of each game. The first jobs of all quotas come before the second
        jobs of any quota. The jobs of a game's players come before those of its guests.

        Args:
            like: return only jobs with the quota or the topic (such as the game) of this job; all jobs if it is a
                guest's.
        """
        shares = self._shares()
        if like is not None and like.is_for_guests:
            # All guests share one limit. So when a guest's job ends, the job of any other guest may be queued.
            like = None
        jobs = self.list_unfinished() if like is None else self._unfinished_beside(like)
        found: list[tuple[int, str, Job]] = []
        taken: Counter[tuple[bool, str, str]] = Counter()
        for job in sorted(jobs, key=lambda one: (shares.get(one.id, "").startswith(_GUESTS), one.id)):
            share, lane, topic = shares.get(job.id), job.is_long, job.topic
            # Jobs without a quota have first attempts one after the other, so that those of other games come first.
            if taken[lane, "", topic] >= (OF_ONE_GAME if lane or share else 1):
                continue
            if share is not None:
                most = LONG_AT_ONCE if lane else AT_ONCE
                if taken[lane, share, ""] >= most or taken[lane, share, topic]:
                    continue
                if share.startswith(_GUESTS):
                    if taken[lane, _GUESTS, ""] >= GUESTS_AT_ONCE:
                        continue
                    taken[lane, _GUESTS, ""] += 1
                taken[lane, share, ""] += 1
                taken[lane, share, topic] += 1
            taken[lane, "", topic] += 1
            if like is None or topic == like.topic or (share is not None and share == like.share):
                found.append((0 if share is None else taken[lane, share, ""], job.id, job))
        return [job for *_, job in sorted(found, key=lambda one: one[:2])]

    def owner(self, job_id: str) -> str | None:
        """Return the id of the token whose quota an unfinished job uses; None if the job uses no token's quota."""
        found: bytes | None = connection.call(self._client, "HGET", keys.JOB_OWNERS, job_id)
        return None if found is None or found.startswith((_GUESTS.encode(), _ADDRESS.encode())) else decode_text(found)

    def withdraw(self, owners: Collection[str]) -> None:
        """End the queued jobs of revoked tokens, except jobs that others requested, too."""
        if not owners:
            return
        for job_id, owner in self._shares().items():
            job = self.get(job_id) if owner in owners else None
            if job is not None and job.status == "queued":
                self._change(job, msgspec.structs.replace(job, status="failed", error=WITHDRAWN))

    def _shares(self) -> dict[str, str]:
        """Return the quota of each unfinished job that uses one."""
        found = connection.call(self._client, "HGETALL", keys.JOB_OWNERS)
        return {decode_text(job_id): decode_text(share) for job_id, share in found.items()}

    def _change(self, job: Job, changed: Job) -> Job:
        is_over = changed.status in FINAL
        document = self._update(
            [keys.JOBS, keys.UNFINISHED, keys.HELD, keys.SAME, keys.JOB_OWNERS],
            [job.id, msgspec.json.encode(changed), "1" if is_over else "0", job.same or ""],
        )
        if is_over:
            self._files.drop(_payload(job.id))
        return _parse(document)

    def of_key(self, key: IdempotencyKey | None) -> Job | None:
        """Return the job that an earlier request with this key created; None if there is none.

        Raises:
            KeyReused: the key was already used for a different request.
            Corrupt: the stored value of the key is damaged.
        """
        used = None if key is None else connection.call(self._client, "HGET", keys.JOB_KEYS, key.field)
        if key is None or used is None:
            return None
        job = self.get(key.content_of(used).decode(errors="replace"))
        if job is None:
            raise Corrupt("the job of an idempotency key is missing or damaged")
        return job

    def _check_room(self, size: int) -> None:
        held = connection.call(self._client, "HVALS", keys.HELD)
        if sum(int(size) for size in held if size.isdigit()) + size > MOST_HELD:
            raise TooManyJobs


def _payload(job_id: str) -> str:
    return f"payload-{job_id}"
