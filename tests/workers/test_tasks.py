"""The jobs: their results in the store, also after a repetition or a failure."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from rq.timeouts import JobTimeoutException

from engine.review.audit import audit
from exports import FORMATS, Animation, Log
from store import Store, keys
from store.errors import StoreUnavailable, Suspect, UnknownGame
from store.library import projections
from store.redis import connection
from store.work.jobs import Job
from tests.playouts import long_record, playout
from tests.workers.conftest import GONE
from workers import tasks, writing
from workers.queue import LONG, SECOND, Queue, enqueue_job, lane, pending, submit


@pytest.fixture(autouse=True)
def environment(store: Store, events_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(tasks.REDIS_URL, events_server)
    # Coverage and a busy machine use up the time of a first try, which has its own tests.
    monkeypatch.setattr(tasks, "FIRST_TRY_SECONDS", 600.0)
    tasks.process_store.cache_clear()
    yield
    tasks.process_store.cache_clear()


def do(store: Store, kind: str, args: dict[str, Any], payload: bytes | None = None) -> Job:
    """Run a job twice; return it."""
    job = store.jobs.create(kind, args, payload=payload)
    tasks.run(job.id)
    done = store.jobs.get(job.id)
    tasks.run(job.id)
    assert store.jobs.get(job.id) == done
    assert done is not None
    return done


def export_log(events: list[Any], kind: str = "ndjson") -> bytes:
    return b"".join(FORMATS[kind].write(Log("g1", events)))


def test_project_brings_a_game_to_its_head(store: Store) -> None:
    events = playout()
    store.events.open("g1", events[:30], seed=None)
    tasks.project("g1")
    assert store.projections.projected_version("g1") == 30
    store.events.append("g1", (30, events[29].hash), events[30:])
    tasks.project("g1")
    tasks.project("g1")
    assert store.projections.projected_version("g1") == len(events)


@pytest.mark.parametrize("has_just_projected", [False, True])
def test_project_finds_damage_and_stops_appends(
    has_just_projected: bool, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a projection in this process, the next one reads only the new event, but the check reads the others."""
    monkeypatch.setattr("store.log.watching.SHARE", 1e9)
    events = playout()
    store.events.open("g1", events[:30], seed=None)
    tasks.project("g1")
    if not has_just_projected:
        tasks.process_store.cache_clear()
    whole = store.client.xrange(keys.events("g1"))
    store.client.delete(keys.events("g1"))
    for id_, (_, text, _, hash_) in whole:
        words = ["e", b"[" if id_ == b"5-0" else text, "h", hash_]
        connection.call(store.client, "XADD", keys.events("g1"), id_, *words)
    store.events.append("g1", (30, events[29].hash), events[30:31])
    assert tasks.project("g1") == "failed"
    with pytest.raises(Suspect):
        store.events.append("g1", (31, events[30].hash), events[31:])


def test_project_of_no_game_fails(store: Store) -> None:
    with pytest.raises(UnknownGame):
        tasks.project("g1")


def test_audit_of_a_sound_game_is_clean(store: Store) -> None:
    events = playout()
    store.events.open("g1", events, seed=None)
    job = do(store, "audit", {"game": "g1"})
    assert (job.status, job.progress, job.result) == ("done", 1.0, {"game": "g1", "verdict": "clean"})
    report = msgspec.to_builtins(audit(events))
    assert store.audits.get("g1", job.id) == {
        **msgspec.json.decode(msgspec.json.encode(report)),
        "id": job.id,
        "game": "g1",
        "status": "done",
        "progress": 1.0,
        "verdict": "clean",
        "findings": [],
        "head": events[-1].hash,
        "events": len(events),
        "error": None,
    }


def test_audit_names_what_it_finds(store: Store) -> None:
    events = playout(limit=20)
    events[9] = msgspec.structs.replace(events[9], note="slipped in")
    store.events.open("g1", events, seed=None)
    job = do(store, "audit", {"game": "g1"})
    report = store.audits.get("g1", job.id)
    assert report is not None
    assert report["verdict"] == "broken"
    assert [(finding["seq"], finding["kind"]) for finding in report["findings"]] == [(10, "chain")]
    assert set(report["findings"][0]) == {
        *("seq", "turn", "kind", "rule", "rule_text", "message"),
        *("actor", "player", "told", "due"),
        *("happened", "expected", "changed", "noticed_at", "period", "played_until"),
    }


def test_audit_of_a_log_that_cannot_be_read_is_broken(store: Store) -> None:
    events = playout(seed=1)
    store.events.open("g1", events, None)
    after = len(events) + 1
    store.client.xadd(keys.events("g1"), {"e": "no event", "h": bytes(32)}, id=f"{after}-0")
    store.client.hset(keys.meta("g1"), "v", after)
    job = do(store, "audit", {"game": "g1"})
    report = store.audits.get("g1", job.id)

    assert report["verdict"] == "broken"
    assert "cannot be decoded" in report["findings"][0]["message"]


def test_audit_tells_how_far_it_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    told: list[float] = []
    update = store.jobs.update

    def listening(job_id: str, **changes: Any) -> Job:
        told.append(changes["progress"])
        return update(job_id, **changes)

    events = long_record(2500)
    store.events.open("g1", events, seed=None)
    job = store.jobs.create("audit", {"game": "g1"})
    monkeypatch.setattr(store.jobs, "update", listening)
    tasks.audit(store, job)
    assert told == [0.4, 0.8, 1.0]


def test_import_makes_the_promised_game(store: Store) -> None:
    events = long_record(2500)
    job = do(store, "import", {"game": "g7"}, export_log(events))
    assert (job.status, job.result) == ("done", {"game": "g7"})
    assert store.events.head("g7") == (2500, events[-1].hash)
    assert store.jobs.payload(job.id) is None
    assert list(store.events.game_ids()) == ["g7"]


def test_import_done_twice_at_once_makes_one_game(store: Store) -> None:
    events = playout()
    job = store.jobs.create("import", {"game": "g7"}, payload=export_log(events, "json"))
    assert tasks.import_log(store, job) == tasks.import_log(store, job) == {"game": "g7"}
    assert store.events.read("g7") == events
    store.jobs.update(job.id, status="done")
    assert tasks.import_log(store, job) == {"game": "g7"}


def _cut_in_the_middle(events: list[Any]) -> list[Any]:
    return [*events[:40], *events[41:]]


def _change_note(events: list[Any]) -> list[Any]:
    return [*events[:40], msgspec.structs.replace(events[40], note="slipped in"), *events[41:]]


def _not_closed(events: list[Any]) -> list[Any]:
    return events[:-1]


@pytest.mark.parametrize(
    ("damage", "error"),
    [(_cut_in_the_middle, "event 42: "), (_change_note, "event 41: "), (_not_closed, "event ")],
)
def test_import_of_a_log_that_does_not_verify_fails(
    store: Store, damage: Callable[[list[Any]], list[Any]], error: str
) -> None:
    events = playout()
    assert audit(events).verdict == "clean"
    job = do(store, "import", {"game": "g7"}, export_log(damage(events)))
    assert job.status == "failed"
    assert job.error.startswith(error)
    assert list(store.events.game_ids()) == []


def test_import_of_no_log_fails(store: Store) -> None:
    job = do(store, "import", {"game": "g7"}, b"{}")
    assert job.status == "failed"


def exported_games(store: Store, job: Job) -> tuple[list[dict[str, Any]], zipfile.ZipFile]:
    """Return the manifest's entry for each game of an export, and the file."""
    file = store.files.find(job.id)
    assert file is not None
    archive = zipfile.ZipFile(io.BytesIO(b"".join(store.files.read(job.id, file))))
    return json.loads(archive.read("manifest.json"))["games"], archive


def two_games(store: Store) -> None:
    for game_id, seed in (("g1", 1), ("g2", 2)):
        store.events.open(game_id, playout(seed=seed), seed=None)
        tasks.project(game_id)


ALL = {"format": "ndjson", "filter": {}}


def test_export_done_twice_at_once_is_one_file(store: Store) -> None:
    two_games(store)
    job = store.jobs.create("export", ALL)
    first = tasks.export(store, job)
    assert tasks.export(store, job) == first
    assert (first["games"], first["failed"], first["file"]) == (2, 0, f"/v1/exports/{job.id}/file")


def test_export_goes_on_where_a_game_cannot_be_written(store: Store) -> None:
    two_games(store)
    store.client.xadd(keys.events("g1"), {"e": "no event", "h": bytes(32)}, id="9999-0")
    store.client.hset(keys.meta("g1"), "v", 9999)
    store.events.open("g3", playout(seed=3), seed=None)
    tasks.project("g3")
    store.client.delete(keys.events("g3"), keys.meta("g3"))
    job = do(store, "export", ALL)
    entries, archive = exported_games(store, job)

    assert job.status == "done"
    assert (job.result["games"], job.result["failed"]) == (3, 2)
    assert [(entry["game"], entry["status"]) for entry in entries] == [
        ("g3", "failed"),
        ("g2", "done"),
        ("g1", "failed"),
    ]
    assert "no game" in entries[0]["error"]
    assert entries[2]["error"]
    assert archive.namelist() == ["g2.ndjson", "manifest.json"]
    lines = export_log(playout(seed=2)).splitlines(keepends=True)
    whose = b'{"game":"g2","ruleset":"forbidden-island",'
    assert archive.read("g2.ndjson") == b"".join(whose + line[1:] for line in lines)


def test_export_has_no_most(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projections, "_PAGE", 1)
    two_games(store)
    entries, _ = exported_games(store, do(store, "export", ALL))
    assert [entry["game"] for entry in entries] == ["g2", "g1"]


def test_export_that_meets_no_store_is_left_to_the_dispatcher(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    two_games(store)
    job = store.jobs.create("export", ALL)

    def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(type(tasks.process_store().events), "pages", away)
    tasks.run(job.id)
    assert store.files.find(job.id) is None
    assert [one.id for one in store.jobs.list_unfinished()] == [job.id]


def test_run_of_no_job_does_nothing(store: Store) -> None:
    tasks.run("no such job")


def test_work_that_fails_for_a_reason_not_its_own_is_failed_in_the_end(
    store: Store, queue: Queue, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    def fail_job(_: Store, job: Job) -> dict[str, Any]:
        tries.append(job.id)
        raise OSError("a secret path")

    monkeypatch.setitem(tasks.KINDS, "audit", fail_job)
    job = submit(store, queue, "audit", {"game": "g1"})
    work()
    failed = store.jobs.get(job.id)
    assert failed is not None
    assert tries == [job.id] * 3
    assert failed.status == "failed"
    assert failed.error == "all attempts failed: OSError"


def test_work_that_takes_too_long_is_not_tried_again(
    store: Store, queue: Queue, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def run_out(_: Store, job: Job) -> dict[str, Any]:
        tries.append(job.id)
        raise JobTimeoutException

    monkeypatch.setitem(tasks.KINDS, "audit", run_out)
    job = submit(store, queue, "audit", {"game": "g1"})
    work()
    failed = store.jobs.get(job.id)
    assert failed is not None
    # Its first try, and its run in a long worker.
    assert tries == [job.id, job.id]
    assert (failed.status, failed.error) == ("failed", "the job exceeded the limit of 600 seconds")


def test_a_fork_done_twice_at_once_is_one_game(store: Store) -> None:
    events = playout()
    store.events.open("g1", events, seed=None)
    job = store.jobs.create("fork", {"game": "g2", "parent": "g1", "at": 30, "seed": None, "tags": None})
    assert tasks.fork_game(store, job) == tasks.fork_game(store, job) == {"game": "g2"}
    forked = store.events.read("g2")
    assert [event.type for event in forked] == [event.type for event in events[:30]]
    assert forked[0].recorded_at == job.created_at


def test_a_fork_where_the_game_is_over_fails(store: Store) -> None:
    events = playout()
    store.events.open("g1", events, seed=None)
    job = do(store, "fork", {"game": "g2", "parent": "g1", "at": len(events), "seed": None, "tags": None})
    assert job.status == "failed"
    assert "is over at that event" in job.error
    assert list(store.events.game_ids()) == ["g1"]


def test_a_transcript_done_twice_is_one_file(store: Store) -> None:
    store.events.open("g1", playout(limit=12), seed=None)
    job = store.jobs.create("write", {"game": "g1", "version": 10, "format": "pdf", "viewer": "public"})
    first = writing.make(store, job)
    assert writing.make(store, job) == first
    game = store.games.get("g1", at=10)
    name = writing.file_of(store, "g1", game, FORMATS["pdf"], "public", moves=Animation(), columns="all")
    file = store.files.find(name)
    assert file is not None
    made = b"".join(store.files.read(name, file))
    assert made.startswith(b"%PDF-")
    assert first == {"file": "/v1/games/g1/export?format=pdf&viewer=public&until=10", "bytes": len(made)}


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("write", {"game": "g1", "version": 10, "format": "pdf", "viewer": "public"}),
        ("fork", {"game": "g2", "parent": "g1", "at": 10, "seed": None, "tags": None}),
    ],
    ids=["write", "fork"],
)
def test_work_on_a_damaged_record_fails_once_and_says_so(store: Store, kind: str, args: dict[str, Any]) -> None:
    store.events.open("g1", playout(limit=12), seed=None)
    connection.call(store.client, "XDEL", keys.events("g1"), "5-0")
    job = do(store, kind, args)
    assert job.status == "failed"
    assert job.error


def test_work_that_met_no_store_is_left_to_the_dispatcher(
    store: Store, queue: Queue, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> dict[str, Any]:
        raise StoreUnavailable("away")

    monkeypatch.setitem(tasks.KINDS, "audit", away)
    job = submit(store, queue, "audit", {"game": "g1"})
    work()
    assert [one.id for one in store.jobs.list_unfinished()] == [job.id]
    assert pending(queue) == 0


def test_a_game_that_met_no_store_is_left_to_the_dispatcher(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(tasks.REDIS_URL, GONE)
    tasks.process_store.cache_clear()
    tasks.project("g1")
    assert "game g1 has to wait" in caplog.text
    assert tasks.relist() == "waits"
    assert "cannot update the list of games yet" in caplog.text


def test_a_failure_that_cannot_be_noted_ends_nothing(
    queue: Queue, work: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    enqueue_job(queue, "nobody")
    job = queue.fetch_job("job-nobody")
    assert job is not None
    job.retries_left = 0
    tasks.record_failure(Store.connect(GONE), job, OSError, OSError(), None)
    assert "was not stored" in caplog.text


def test_a_second_worker_that_fails_leaves_the_job_to_the_first(queue: Queue, store: Store) -> None:
    job = store.jobs.create("analysis", {"game": "g"})
    enqueue_job(queue, job.id, "analysis", is_long=True)
    for suffix, status in ((SECOND, "queued"), ("", "failed")):
        queued = lane(queue, LONG).fetch_job(f"job-{job.id}{suffix}")
        assert queued is not None
        queued.retries_left = 0
        tasks.record_failure(store, queued, OSError, OSError(), None)
        now = store.jobs.get(job.id)
        assert now is not None
        assert now.status == status
