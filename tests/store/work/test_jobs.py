from __future__ import annotations

import pytest

from store import Store, keys
from store.errors import KeyReused, ShareUsed, TooManyJobs, UnknownJob
from store.work import jobs
from tests.store.logs import key


def test_a_job_from_begin_to_end(store: Store) -> None:
    job = store.jobs.create("audit", {"game": "g"})
    assert (job.kind, job.status, job.progress, job.args) == ("audit", "queued", 0.0, {"game": "g"})
    assert job.created_at.endswith("Z")
    assert store.jobs.get(job.id) == job
    assert store.jobs.list_unfinished() == [job]
    running = store.jobs.update(job.id, status="running", progress=0.5)
    assert store.jobs.list_unfinished() == [running]
    done = store.jobs.update(job.id, status="done", progress=1.0, result={"verdict": "clean"})
    assert store.jobs.get(job.id) == done
    assert (done.created_at, done.result) == (job.created_at, {"verdict": "clean"})
    assert store.jobs.list_unfinished() == []


def test_what_is_done_stays_done(store: Store) -> None:
    job = store.jobs.create("audit", {})
    done = store.jobs.update(job.id, status="done", result=1)
    assert store.jobs.update(job.id, status="running", progress=0.1) == done
    assert store.jobs.list_unfinished() == []


def test_what_failed_may_be_tried_again(store: Store) -> None:
    job = store.jobs.create("audit", {})
    store.jobs.update(job.id, status="failed", error="no luck")
    assert store.jobs.list_unfinished() == []
    again = store.jobs.update(job.id, status="running", error=None)
    assert store.jobs.list_unfinished() == [again]


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
    assert {job.id for job in store.jobs.list_unfinished()} == {job.id for job in jobs}
    ids = [job.id for job in store.jobs.list_unfinished()]
    assert ids == sorted(ids)


def pieces(store: Store) -> list[bytes]:
    return list(store.client.scan_iter("{file:payload-*"))


def test_a_long_payload_comes_back_whole_and_goes_whole(store: Store) -> None:
    payload = bytes(range(256)) * 10_000
    job = store.jobs.create("import", {}, payload=payload)
    assert store.jobs.payload(job.id) == payload
    assert len(pieces(store)) == 4
    assert all(store.client.ttl(one) > 0 for one in pieces(store))
    store.jobs.update(job.id, status="failed", error="no luck")
    assert pieces(store) == []
    assert store.client.hgetall(keys.HELD) == {}


def test_a_payload_of_which_a_piece_is_gone_is_none(store: Store) -> None:
    job = store.jobs.create("import", {}, payload=b"x" * 2_000_000)
    store.client.delete(next(one for one in pieces(store) if one.endswith(b":1")))
    assert store.jobs.payload(job.id) is None


def test_what_another_job_does_is_not_done_twice_at_a_time(store: Store) -> None:
    job = store.jobs.create("audit", {}, same="audit g")
    assert store.jobs.create("audit", {}, same="audit g", key=key("k", "a")) == job
    assert store.jobs.create("audit", {}, same="audit g", payload=b"log") == job
    assert store.jobs.create("audit", {}, key=key("k", "a")) == job
    assert pieces(store) == []
    assert store.jobs.create("audit", {}, same="audit h") != job
    store.jobs.update(job.id, status="done")
    again = store.jobs.create("audit", {}, same="audit g")
    assert again != job
    store.jobs.update(job.id, status="done")
    assert store.jobs.create("audit", {}, same="audit g") == again


def test_there_are_so_many_unfinished_jobs_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_UNFINISHED", 2)
    first, _ = store.jobs.create("audit", {}, key=key("k", "a")), store.jobs.create("audit", {})
    with pytest.raises(TooManyJobs):
        store.jobs.create("audit", {}, key=key("l", "a"))
    with pytest.raises(TooManyJobs):
        store.jobs.create("import", {}, payload=b"log")
    assert pieces(store) == []
    assert store.jobs.create("audit", {}, key=key("k", "a")) == first
    store.jobs.update(first.id, status="done")
    assert store.jobs.create("audit", {}, key=key("l", "a")).status == "queued"


def test_one_owner_has_so_many_unfinished_jobs_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_OF_ONE", 2)
    first = store.jobs.create("export", {}, owner="ann")
    store.jobs.create("export", {}, owner="ann")
    with pytest.raises(ShareUsed):
        store.jobs.create("export", {}, owner="ann")
    with pytest.raises(ShareUsed):
        store.jobs.create("audit", {}, owner="ann", same="audit g")
    with pytest.raises(ShareUsed):
        store.jobs.create("import", {}, owner="ann", payload=b"log")
    assert pieces(store) == []
    assert store.jobs.create("export", {}, owner="bob").owner == "bob"
    assert store.jobs.create("export", {}).owner is None
    store.jobs.update(first.id, status="done")
    assert store.jobs.create("export", {}, owner="ann").status == "queued"


def test_they_of_one_owner_work_on_so_much_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_HELD_OF_ONE", 10)
    job = store.jobs.create("import", {}, payload=b"x" * 6, owner="ann")
    with pytest.raises(ShareUsed):
        store.jobs.create("import", {}, payload=b"x" * 5, owner="ann")
    assert store.jobs.create("import", {}, payload=b"x" * 10, owner="bob").status == "queued"
    store.jobs.update(job.id, status="failed", error="no luck")
    assert store.jobs.create("import", {}, payload=b"x" * 10, owner="ann").status == "queued"


def test_the_owners_of_jobs_have_their_turns(store: Store) -> None:
    of_ann = [store.jobs.create("export", {}, owner="ann") for _ in range(6)]
    of_nobody = [store.jobs.create("export", {}) for _ in range(6)]
    of_bob = [store.jobs.create("export", {}, owner="bob") for _ in range(2)]
    waiting = store.jobs.in_turn()
    by_age = sorted(of_ann, key=lambda job: job.id), sorted(of_bob, key=lambda job: job.id)
    assert {job.id for job in waiting[:6]} == {job.id for job in of_nobody}
    assert {job.id for job in waiting[6:8]} == {by_age[0][0].id, by_age[1][0].id}
    assert {job.id for job in waiting[8:10]} == {by_age[0][1].id, by_age[1][1].id}
    assert waiting[10:] == by_age[0][2:4]
    assert store.jobs.in_turn(of_ann[0]) == by_age[0][:4]
    store.jobs.update(by_age[0][0].id, status="done")
    assert store.jobs.in_turn(of_ann[0]) == by_age[0][1:5]
    assert store.jobs.in_turn(of_nobody[0]) == [of_nobody[0]]


def test_a_share_has_one_turn_for_each_game_and_one_long_job(store: Store) -> None:
    first, second = (store.jobs.create("audit", {"game": "g"}, owner="ann") for _ in range(2))
    other = store.jobs.create("audit", {"game": "h"}, owner="ann")
    assert {job.id for job in store.jobs.in_turn()} == {min(first.id, second.id), other.id}
    for job in (first, second, other):
        store.jobs.update(job.id, status="queued", is_long=True)
    assert len(store.jobs.in_turn()) == 1
    fresh = store.jobs.create("audit", {"game": "i"}, owner="ann")
    assert fresh in store.jobs.in_turn(fresh)
    assert len(store.jobs.in_turn(fresh)) == 2


def test_without_a_quota_a_game_has_one_first_turn(store: Store) -> None:
    first, second = (store.jobs.create("write", {"game": "g"}) for _ in range(2))
    other = store.jobs.create("audit", {"game": "h"})
    assert {job.id for job in store.jobs.in_turn()} == {min(first.id, second.id), other.id}
    for job in (first, second):
        store.jobs.update(job.id, is_long=True)
    assert len(store.jobs.in_turn()) == 3


def test_a_game_has_few_turns_and_its_players_come_before_its_guests(store: Store) -> None:
    guest = store.jobs.create("write", {"game": "g"}, owner="link", share=jobs.guests_of("g"))
    assert guest.is_for_guests
    assert store.jobs.owner(guest.id) is None
    players = [store.jobs.create("write", {"game": "g"}, owner=name) for name in ("ann", "bob", "cyd")]
    # Guests can order only long jobs.
    assert guest.is_long
    assert len(store.jobs.in_turn()) == jobs.OF_ONE_GAME + 1
    for job in players:
        store.jobs.update(job.id, is_long=True)
    turns = store.jobs.in_turn()
    assert len(turns) == jobs.OF_ONE_GAME
    assert guest not in turns
    assert {job.owner for job in turns} < {"ann", "bob", "cyd"}
    for job in players:
        store.jobs.update(job.id, status="done")
    assert [job.id for job in store.jobs.in_turn()] == [guest.id]


def test_guests_of_many_games_leave_long_workers_for_players(store: Store) -> None:
    for number in range(6):
        game_id = f"g{number}"
        guest = store.jobs.create("write", {"game": game_id}, owner=f"link-{number}", share=jobs.guests_of(game_id))
        assert len(store.jobs.in_turn(guest)) == min(number + 1, jobs.GUESTS_AT_ONCE)
    player = store.jobs.create("analysis", {"game": "p"}, owner="ann", is_long=True)
    assert player in store.jobs.in_turn()
    other = store.jobs.create("audit", {"game": "g5"}, owner="bob")
    assert store.jobs.in_turn(other) == [other]
    first, second = (job for job in store.jobs.in_turn() if job.is_for_guests)
    done = store.jobs.update(first.id, status="done")
    admitted = [job for job in store.jobs.in_turn(done) if job.is_for_guests]
    assert len(admitted) == jobs.GUESTS_AT_ONCE
    assert first not in admitted
    assert second in admitted


def test_all_guests_of_a_game_have_one_limit_and_an_address_has_none(store: Store) -> None:
    for number in range(jobs.MOST_OF_GUESTS):
        store.jobs.create("write", {"game": "g"}, owner=f"link-{number}", share=jobs.guests_of("g"), same=f"{number}")
    # Another guest with the same request joins the job, which stays the guests' job.
    store.jobs.create("write", {"game": "g"}, owner="link-9", share=jobs.guests_of("g"), same="0")
    with pytest.raises(ShareUsed) as refused:
        store.jobs.create("write", {"game": "g"}, owner="link-9", share=jobs.guests_of("g"), same="more")
    assert (refused.value.limit, refused.value.for_guests) == (jobs.MOST_OF_GUESTS, True)
    assert store.jobs.create("write", {"game": "h"}, owner="link-h", share=jobs.guests_of("h")).status == "queued"
    here = jobs.address_of("192.0.2.1")
    assert all(store.jobs.create("audit", {"game": "g"}, share=here) for _ in range(jobs.MOST_OF_ONE + 1))
    assert len(store.jobs.in_turn()) == 1 + jobs.OF_ONE_GAME
    assert jobs.address_of(None) is None


def test_what_a_withdrawn_token_alone_had_ordered_is_not_done(store: Store) -> None:
    own, begun = store.jobs.create("export", {}, owner="ann"), store.jobs.create("export", {}, owner="ann")
    shared = store.jobs.create("audit", {"game": "g"}, owner="ann", same="audit g")
    alone = store.jobs.create("audit", {"game": "h"}, owner="ann", same="audit h")
    assert store.jobs.create("audit", {"game": "g"}, owner="bob", same="audit g") == shared
    assert store.jobs.create("audit", {"game": "h"}, owner="ann", same="audit h") == alone
    other = store.jobs.create("export", {}, owner="bob")
    store.jobs.update(begun.id, status="running")
    store.jobs.withdraw(["ann", "cyd"])
    store.jobs.withdraw([])

    def job_status(job: jobs.Job) -> tuple[str, object]:
        now = store.jobs.get(job.id)
        assert now is not None
        return now.status, now.error

    assert job_status(own) == job_status(alone) == ("failed", jobs.WITHDRAWN)
    assert job_status(begun) == ("running", None)
    assert job_status(shared) == job_status(other) == ("queued", None)
    assert store.jobs.create("audit", {"game": "h"}, owner="bob", same="audit h") != alone


def test_they_work_on_so_much_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_HELD", 10)
    job = store.jobs.create("import", {}, payload=b"x" * 6)
    with pytest.raises(TooManyJobs):
        store.jobs.create("import", {}, payload=b"x" * 5)
    assert store.jobs.create("import", {}, payload=b"x" * 4).status == "queued"
    assert store.jobs.payload(job.id) == b"x" * 6
