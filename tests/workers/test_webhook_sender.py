"""The webhook sender: events are delivered in order, at least once, to permitted receivers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from engine.core.events import Event
from service import webhooks
from store import Store, keys
from store.errors import StoreUnavailable
from store.log.feed import FeedEntry
from store.redis import connection
from store.work.webhooks import MOST_DELIVERIES, Delivery, DeliveryLine, Webhook
from tests.playouts import clock, playout
from tests.receivers import Message, Receiver, Said, receiving, sending
from tests.waiting import PATIENCE, until
from tests.workers.conftest import GONE
from workers import figures, webhook_sender
from workers.queue import Queue
from workers.queue import connect as connect_queue


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return playout(limit=12)


def hook(store: Store, receiver: Receiver, *events: str, **more: Any) -> Webhook:
    since = more.pop("since", store.feed.last())
    return store.webhooks.create(receiver.url, events or ["*"], created_at=clock(1), since=since, **more)


def grow(store: Store, game: str, events: list[Event], until: int) -> None:
    """Append to a game up to this event."""
    at = store.events.head(game)[0] if store.events.exists(game) else 0
    if at == 0:
        store.events.open(game, events[:1], seed=None)
        at = 1
    for event in events[at:until]:
        store.events.append(game, (event.seq - 1, event.prev), [event])


def statuses(store: Store, webhook: Webhook) -> list[tuple[str, int]]:
    return [(one.status, one.attempts) for one in store.webhooks.deliveries(webhook.id)]


def test_what_is_appended_is_sent_in_order_and_signed(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    grow(store, "g0", log, 3)
    store.feed.push({"g0": 3})
    made = hook(store, receiver)
    with sending(store, queue):
        grow(store, "g1", log, 12)
        until(lambda: len(receiver.messages) == 12)
        until(lambda: store.webhooks.waiting() == (0, None))
    assert receiver.seqs == list(range(1, 13)), "and nothing of what was there before"
    secret = store.webhooks.secret(made.id)
    for message, event in zip(receiver.messages, log, strict=True):
        document = Verifier(secret).verify(message.body, message.headers)
        assert document["type"] == "game.event"
        assert document["data"]["game"] == {"id": "g1", "ruleset": "forbidden-island", "link": "/v1/games/g1"}
        assert document["data"]["event"]["hash"] == event.hash
        assert document["timestamp"] == event.recorded_at
        assert message.id == f"g1-{event.seq}"
        assert message.target == "/hook?key=x"
        assert message.headers["content-type"] == "application/json"
    with pytest.raises(WebhookVerificationError):
        Verifier(secret).verify(receiver.messages[0].body + b" ", receiver.messages[0].headers)
    newest = store.webhooks.deliveries(made.id, 1)
    assert [(one.id, one.status, one.answered, one.type) for one in newest] == [
        ("g1-12", "delivered", 204, log[11].type)
    ]
    assert figures.count_jobs(queue)["webhook", "done"] == 12
    health = store.webhooks.health()[made.id]
    assert health.failing_since is None
    assert health.reached is not None


def test_only_what_is_asked_for(store: Store, queue: Queue, log: list[Event]) -> None:
    with receiving() as some, receiving() as of_game, receiving() as of_rules, receiving() as others:
        types = {event.type for event in log[2:]}
        kind = min(types)
        hook(store, some, kind, "game_opened")
        hook(store, of_game, game="g2")
        hook(store, of_rules, ruleset="forbidden-desert")
        hook(store, others, "abandon")
        desert = playout("forbidden-desert", limit=3)
        with sending(store, queue):
            grow(store, "g1", log, 12)
            grow(store, "g2", desert, 3)
            until(lambda: len(of_game.messages) == len(of_rules.messages) == 3)
            wanted = ["game_opened"] * 2 + [event.type for event in [*log, *desert] if event.type == kind]
            until(lambda: len(some.messages) == len(wanted))
            until(lambda: store.webhooks.waiting() == (0, None))
        assert sorted(one.document["data"]["event"]["type"] for one in some.messages) == sorted(wanted)
        assert of_game.seqs == of_rules.seqs == [1, 2, 3]
        assert others.messages == []


def test_what_is_not_taken_is_tried_again_and_what_follows_waits(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    """The order holds within a game; other games do not wait."""

    def answer(message: Message) -> Said:
        is_refused = message.id == "g1-2" and sum(one.id == "g1-2" for one in receiver.messages) < 2
        return Said(503, body=b"not now") if is_refused else Said(200, body=b"thanks")

    receiver.answer = answer
    made = hook(store, receiver)
    with sending(store, queue, first_pause=0.01):
        grow(store, "g1", log, 4)
        grow(store, "g2", log, 3)
        until(lambda: len(receiver.messages) == 9)
        until(lambda: store.webhooks.waiting() == (0, None))
    for game, seqs in (("g1", [1, 2, 2, 2, 3, 4]), ("g2", [1, 2, 3])):
        came = [one.document["data"] for one in receiver.messages]
        assert [one["event"]["seq"] for one in came if one["game"]["id"] == game] == seqs
    again = [one for one in receiver.messages if one.id == "g1-2"]
    assert len({one.body for one in again}) == 1, "it is the same message each time"
    (found,) = [one for one in store.webhooks.deliveries(made.id) if one.id == "g1-2"]
    assert (found.status, found.attempts, found.answered, found.answer) == ("delivered", 3, 200, "thanks")
    assert figures.count_jobs(queue)["webhook", "waits"] == 2


def test_what_was_on_its_way_when_the_courier_died_is_sent_again(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    came, hold = threading.Event(), threading.Event()

    def answer(_: Message) -> Said:
        came.set()
        hold.wait(2 * PATIENCE)
        return Said()

    receiver.answer = answer
    hook(store, receiver)
    with sending(store, queue, who="one"):
        grow(store, "g1", log, 2)
        assert came.wait(PATIENCE)
    # It ended without waiting for the answer.
    assert store.webhooks.waiting()[0] == 1
    hold.set()
    until(lambda: receiver.seqs == [1])
    with sending(store, queue, who="two"):
        until(lambda: receiver.seqs == [1, 1, 2])


def test_a_slow_receiver_holds_up_nobody_else(store: Store, queue: Queue, log: list[Event]) -> None:
    hold = threading.Event()

    def answer(_: Message) -> Said:
        hold.wait(2 * PATIENCE)
        return Said()

    with receiving() as slow, receiving() as quick:
        slow.answer = answer
        hook(store, slow)
        hook(store, quick)
        with sending(store, queue):
            for game in ("g1", "g2", "g3", "g4", "g5", "g6"):
                grow(store, game, log, 3)
            until(lambda: len(quick.messages) == 18)
            assert slow.messages == []
            hold.set()
            until(lambda: len(slow.messages) == 18)


def test_a_receiver_that_takes_nothing_is_given_up(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    receiver.answer = lambda _: Said(500)
    made = hook(store, receiver)
    with sending(store, queue, first_pause=0.01, give_up_seconds=0.0):
        grow(store, "g1", log, 1)
        until(lambda: made.id in store.webhooks.health())
        assert statuses(store, made) == [("failed", 2)]
        until(lambda: figures.count_jobs(queue).get(("webhook", "failed")) == 1)
        # While it fails, nothing is sent or stored for it.
        grow(store, "g1", log, 3)
        grow(store, "g2", log, 1)
        until(lambda: [one.game for one in store.feed.read("0-0")][-1] == "g2")
        until(lambda: store.webhooks.read() == store.feed.last())
        assert store.webhooks.waiting()[0] == 0
        sent = len(receiver.messages)
        receiver.answer = lambda _: Said()
        # A successful repeat ends the failure.
        assert webhooks.again(store, made, "g1-2")
        until(lambda: store.webhooks.health()[made.id].failing_since is None)
        assert receiver.seqs[sent:] == [2]
        grow(store, "g3", log, 2)
        until(lambda: receiver.seqs[sent:] == [2, 1, 2])


def test_one_message_that_is_never_taken_does_not_end_it(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    made = hook(store, receiver)

    def answer(message: Message) -> Said:
        if message.id != "g1-1":
            return Said()
        if receiver.messages:
            # The sender gives it up only after another message has succeeded.
            until(lambda: made.id in store.webhooks.health())
        return Said(400)

    receiver.answer = answer
    with sending(store, queue, first_pause=0.01, give_up_seconds=0.1):
        grow(store, "g1", log, 1)
        until(lambda: statuses(store, made) == [("waiting", 1)])
        grow(store, "g2", log, 1)
        until(lambda: "g2-1" in [one.id for one in receiver.messages])
        until(lambda: "failed" in dict(statuses(store, made)))
        grow(store, "g1", log, 2)
        until(lambda: "g1-2" in [one.id for one in receiver.messages])
    assert store.webhooks.health()[made.id].failing_since is None


def test_a_receiver_that_says_gone_is_sent_nothing_more(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    receiver.answer = lambda _: Said(410)
    made = hook(store, receiver)
    with sending(store, queue):
        grow(store, "g1", log, 1)
        until(lambda: made.id in store.webhooks.health())
    assert statuses(store, made) == [("failed", 1)]
    assert len(receiver.messages) == 1


def test_when_a_receiver_says_when_to_come_again(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    receiver.answer = lambda _: Said(429, {"Retry-After": "3600"})
    made = hook(store, receiver)
    with sending(store, queue, first_pause=0.01):
        grow(store, "g1", log, 1)
        (told,) = until(lambda: store.webhooks.deliveries(made.id))
        assert told.next_at is not None
        assert told.tried_at[:13] < told.next_at[:13]
        # A delivery requested by hand is sent at once.
        receiver.answer = lambda _: Said()
        assert webhooks.again(store, made, "g1-1")
        until(lambda: len(receiver.messages) == 2)
        until(lambda: store.webhooks.waiting() == (0, None))


def test_what_was_not_asked_for_is_sent_by_hand_also_where_its_turn_is_to_be_passed_by(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    made = hook(store, receiver, "game_opened")
    grow(store, "g1", log, 2)
    store.feed.push({"g1": 2})
    (entry,) = store.feed.read("0-0")
    store.webhooks.owe([(made, entry)], read=None, until=entry.id)
    store.webhooks.settle(made.id, "g1", 1, "sent")
    assert webhooks.again(store, made, "g1-2")
    with sending(store, queue):
        until(lambda: store.webhooks.waiting() == (0, None))
    assert receiver.seqs == [2]


def test_a_redirect_is_not_followed(store: Store, queue: Queue, receiver: Receiver, log: list[Event]) -> None:
    with receiving() as elsewhere:
        receiver.answer = lambda _: Said(307, {"Location": elsewhere.url})
        made = hook(store, receiver)
        with sending(store, queue):
            grow(store, "g1", log, 1)
            (told,) = until(lambda: store.webhooks.deliveries(made.id))
        assert (told.status, told.answered) == ("waiting", 307)
        assert elsewhere.messages == []


def test_nothing_is_sent_once_its_token_has_ended(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    _, giver = store.tokens.create("arbiter", created_at=clock(1))
    _, token = store.tokens.create("recorder", created_at=clock(1), given_by=giver.id)
    made = hook(store, receiver, made_by=token.id)
    by_nobody = hook(store, receiver)
    expired = hook(
        store, receiver, made_by=store.tokens.create("viewer", created_at=clock(1), expires_at=clock(1))[1].id
    )
    with sending(store, queue, is_open=False):
        grow(store, "g1", log, 2)
        until(lambda: receiver.seqs == [1, 2])
        store.tokens.withdraw(giver.id)
        grow(store, "g1", log, 4)
        until(lambda: store.webhooks.get(made.id) is None)
        until(lambda: store.feed.read("0-0")[-1].last == 4)
    assert receiver.seqs == [1, 2]
    # A webhook created on an open service works only while the service is open. An expired delivery stays visible.
    assert {one.id for one in store.webhooks.all()} == {by_nobody.id, expired.id}


def test_nothing_is_sent_that_may_not_be_any_more_when_there_is_a_connection(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connecting takes time between the check and the sending."""
    made = hook(store, receiver)
    monkeypatch.setattr(webhooks, "is_in_force", lambda *_, **__: False)
    with sending(store, queue):
        grow(store, "g1", log, 1)
        until(lambda: store.webhooks.read() is not None and store.webhooks.waiting() == (0, None))
    assert receiver.messages == []
    assert store.webhooks.deliveries(made.id) == []


def test_nothing_is_sent_of_a_deleted_game(store: Store, queue: Queue, receiver: Receiver, log: list[Event]) -> None:
    receiver.answer = lambda message: Said(204 if message.id == "g1-1" else 500)
    made = hook(store, receiver)
    mine = hook(store, receiver, game="g1")
    with sending(store, queue, first_pause=0.01):
        grow(store, "g1", log, 3)
        until(lambda: any(status == "waiting" and attempts > 1 for status, attempts in statuses(store, made)))
        store.deletions.delete("g1", at=clock(99), by=None)
        until(lambda: store.webhooks.waiting() == (0, None))
        assert store.webhooks.deliveries(made.id) == []
        assert [one.id for one in store.webhooks.all()] == [made.id]
        assert not webhooks.again(store, made, "g1-1")
        receiver.answer = lambda _: Said()
        grow(store, "g2", log, 1)
        until(lambda: "g2-1" in [one.id for one in receiver.messages])
    assert mine.id not in store.webhooks.health()


def test_one_courier_sends_at_a_time(store: Store, queue: Queue, receiver: Receiver, log: list[Event]) -> None:
    hook(store, receiver)
    with sending(store, queue, who="one"):
        until(lambda: connection.call(store.client, "GET", keys.COURIER) == b"one")
        with sending(store, queue, who="two"):
            grow(store, "g1", log, 6)
            until(lambda: len(receiver.messages) == 6)
    assert receiver.seqs == [1, 2, 3, 4, 5, 6]
    with sending(store, queue, who="two"):
        grow(store, "g1", log, 7)
        until(lambda: len(receiver.messages) == 7)


def test_what_another_courier_has_noted_is_not_noted_again(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    made = hook(store, receiver)
    grow(store, "g1", log, 2)
    store.feed.push({"g1": 2})
    (entry,) = store.feed.read("0-0")
    assert store.webhooks.owe([(made, entry)], read=None, until=entry.id)
    assert not store.webhooks.owe([(made, entry)], read=None, until=entry.id)
    assert store.webhooks.read() == entry.id


def test_a_line_that_grows_while_it_is_sent_goes_on(store: Store, receiver: Receiver) -> None:
    made = hook(store, receiver)
    entries = []
    for version in (2, 5):
        store.feed.push({"g1": version})
        entries.append(store.feed.read("0-0")[-1])
    store.webhooks.owe([(made, entries[0])], read=None, until=entries[0].id)
    store.webhooks.owe([(made, entries[1])], read=entries[0].id, until=entries[1].id)
    line = store.webhooks.line(made.id, "g1")
    assert line is not None
    assert (line.next, line.last) == (1, 5)
    store.webhooks.settle(made.id, "g1", 4, "passed")
    line = store.webhooks.line(made.id, "g1")
    assert line is not None
    assert (line.next, line.last) == (5, 5)
    store.webhooks.settle(made.id, "g1", 5, "passed")
    assert store.webhooks.line(made.id, "g1") is None
    assert not store.webhooks.settle("none", "g1", 5, "ended")


def test_the_list_of_deliveries_is_bounded(store: Store, receiver: Receiver) -> None:
    made = hook(store, receiver)
    for seq in range(1, MOST_DELIVERIES + 20):
        told = Delivery(game="g1", seq=seq, type="swim", status="delivered", attempts=1, tried_at=clock(1))
        store.webhooks.settle(made.id, "g1", seq, "sent", delivery=told)
    assert len(store.webhooks.deliveries(made.id)) == MOST_DELIVERIES
    for name in (keys.deliveries, keys.delivery_times):
        count = "HLEN" if name is keys.deliveries else "ZCARD"
        assert connection.call(store.client, count, name(made.id)) == MOST_DELIVERIES
    store.webhooks.remove(made.id)
    left = [name for name in connection.scan(store.client, "{webhooks}:*") if made.id.encode() in name]
    assert left == []


def test_a_store_that_does_not_answer_for_a_while_delays_it(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(store, receiver)

    def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("gone for a while")

    with sending(store, queue) as one:
        for part, method in ((store.feed, "push"), (store.webhooks, "settle")):
            with monkeypatch.context() as patched:
                patched.setattr(part, method, away)
                version = len(set(receiver.seqs)) + 1
                grow(store, "g1", log, version)
                until(lambda: not one._is_well or receiver.seqs)
            until(lambda version=version: store.webhooks.waiting()[0] == 0 and version in receiver.seqs)
    assert set(receiver.seqs) == {1, 2}


def test_a_queue_that_is_away_delays_nothing(store: Store, receiver: Receiver, log: list[Event]) -> None:
    hook(store, receiver)
    with sending(store, connect_queue(GONE)):
        grow(store, "g1", log, 2)
        until(lambda: receiver.seqs == [1, 2])


def test_rules_that_are_not_installed(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows what these games hide, so nothing is sent until they can be read."""
    monkeypatch.setattr(webhook_sender, "LOOK_SECONDS", 0.05)
    hook(store, receiver)
    with monkeypatch.context() as patched:
        patched.setattr(webhooks.registry, "versions", lambda _: [])
        with sending(store, queue):
            grow(store, "g1", log, 1)
            until(lambda: store.webhooks.waiting()[0] == 1)
    with sending(store, queue):
        until(lambda: receiver.seqs == [1])


def test_a_fault_of_ours_is_tried_again(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "LOOK_SECONDS", 0.05)
    hook(store, receiver)
    failed = threading.Event()

    def fail_once(*_: Any) -> Any:
        failed.set()
        raise RuntimeError("broken")

    with monkeypatch.context() as patched:
        patched.setattr(webhooks.Letters, "public_letter", fail_once)
        with sending(store, queue):
            grow(store, "g1", log, 1)
            assert failed.wait(60)
            patched.undo()
            until(lambda: receiver.seqs == [1])


def test_its_role_ends_as_it_is_asked_to_and_gives_its_lease_back(
    store: Store, events_server: str, queue_server: str, tmp_path: Path
) -> None:
    role = webhook_sender.role(events_server, queue_server, str(tmp_path), ["127.0.0.0/8"], is_open=True)
    store.webhooks.hold("dead", 60.0)
    role.bury("another")
    assert not store.webhooks.hold("mine", 60.0)
    role.bury("dead")
    assert store.webhooks.hold("mine", 60.0)
    webhook_sender.role(GONE, GONE, "", [], is_open=True).bury("dead")


def test_a_log_of_the_wrong_type_holds_up_no_other_game(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    hook(store, receiver)
    store.client.set(keys.events("g1"), "oops")
    store.feed.push({"g1": 3})
    with sending(store, queue):
        grow(store, "g2", log, 3)
        until(lambda: receiver.seqs == [1, 2, 3])
        until(lambda: store.webhooks.waiting() == (0, None))


def test_a_damaged_line_or_token_holds_up_no_other_webhook(
    store: Store, queue: Queue, receiver: Receiver, log: list[Event]
) -> None:
    _, token = store.tokens.create("recorder", created_at=clock(1))
    own, whole = hook(store, receiver, made_by=token.id), hook(store, receiver)
    for one in ("g1", "g2"):
        store.client.hset(keys.queue_of_webhook(whole.id), one, "oops")
        store.client.zadd(keys.due_times(whole.id), {one: 0})
    store.client.hset(keys.ACCESS, token.id, "{")
    with sending(store, queue):
        until(lambda: store.webhooks.waiting() == (0, None) and not store.client.exists(keys.due_times(whole.id)))
        grow(store, "g2", log, 3)
        until(lambda: receiver.seqs == [1, 2, 3])
    # It sends again once its token is repaired.
    assert store.webhooks.get(own.id) == own


def test_a_damaged_line_is_replaced_by_new_events(store: Store, receiver: Receiver, log: list[Event]) -> None:
    whole = hook(store, receiver)
    grow(store, "g1", log, 3)
    store.client.hset(keys.queue_of_webhook(whole.id), "g1", "oops")
    assert store.webhooks.owe([(whole, FeedEntry("1-0", "g1", 1, 3))], read=None, until="1-0")
    assert store.webhooks.line(whole.id, "g1") == DeliveryLine("g1", "g1", 1, 3, 0, 0)
