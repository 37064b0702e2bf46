from __future__ import annotations

import pytest

from store import Store
from store.errors import KeyReused, UnknownJob
from tests.store.logs import key


def test_a_job_from_begin_to_end(store: Store) -> None:
    job = store.jobs.create("audit", {"game": "g"})
    assert (job.kind, job.status, job.progress, job.args) == ("audit", "queued", 0.0, {"game": "g"})
    assert job.created_at.endswith("Z")
    assert store.jobs.get(job.id) == job
    assert store.jobs.unfinished() == [job]
    running = store.jobs.update(job.id, status="running", progress=0.5)
    assert store.jobs.unfinished() == [running]
    done = store.jobs.update(job.id, status="done", progress=1.0, result={"verdict": "clean"})
    assert store.jobs.get(job.id) == done
    assert (done.created_at, done.result) == (job.created_at, {"verdict": "clean"})
    assert store.jobs.unfinished() == []


def test_what_is_done_stays_done(store: Store) -> None:
    job = store.jobs.create("audit", {})
    done = store.jobs.update(job.id, status="done", result=1)
    assert store.jobs.update(job.id, status="running", progress=0.1) == done
    assert store.jobs.unfinished() == []


def test_what_failed_may_be_tried_again(store: Store) -> None:
    job = store.jobs.create("audit", {})
    store.jobs.update(job.id, status="failed", error="no luck")
    assert store.jobs.unfinished() == []
    again = store.jobs.update(job.id, status="running", error=None)
    assert store.jobs.unfinished() == [again]


def test_the_payload_goes_with_the_work(store: Store) -> None:
    job = store.jobs.create("import", {}, payload=b"a long log")
    assert store.jobs.payload(job.id) == b"a long log"
    store.jobs.update(job.id, status="running")
    assert store.jobs.payload(job.id) == b"a long log"
    store.jobs.update(job.id, status="done")
    assert store.jobs.payload(job.id) is None


def test_the_same_request_makes_one_job(store: Store) -> None:
    job = store.jobs.create("import", {}, payload=b"log", key=key("k", "log"))
    assert store.jobs.create("import", {}, payload=b"log", key=key("k", "log")) == job
    done = store.jobs.update(job.id, status="done")
    assert store.jobs.create("import", {}, payload=b"log", key=key("k", "log")) == done
    assert store.jobs.payload(job.id) is None
    with pytest.raises(KeyReused):
        store.jobs.create("import", {}, payload=b"other", key=key("k", "other"))


def test_an_unknown_job(store: Store) -> None:
    assert store.jobs.get("nothing") is None
    assert store.jobs.payload("nothing") is None
    with pytest.raises(UnknownJob):
        store.jobs.update("nothing", status="done")


def test_unfinished_jobs_come_oldest_first(store: Store) -> None:
    jobs = [store.jobs.create("audit", {"number": number}) for number in range(5)]
    assert {job.id for job in store.jobs.unfinished()} == {job.id for job in jobs}
    ids = [job.id for job in store.jobs.unfinished()]
    assert ids == sorted(ids)
