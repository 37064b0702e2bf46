"""Origin of the events of a record: in the signed head, and after imports of known games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from cli.verifying import Evidence, check
from engine.core.events import Event
from engine.kit.chance import seed_commitment
from engine.review.audit import audit
from exports import FORMATS, Log
from proofs import dsse, heads
from proofs.heads import Head, Range
from store import Store, keys
from tests.api.table import Table, problem
from tests.api.test_by_hand import won  # noqa: F401  # a fixture
from tests.playouts import playout
from tests.proofs.signing import GAME, KEY, OTHER, sign_head
from tests.recording import chained, forged


def head_of(client: FlaskClient, game: str, **query: Any) -> Head:
    return heads.check(dsse.read(client.get(f"{game}/proof", query_string=query).data)).head


def record_foreign_log(table: Table) -> list[Event]:
    """A log of another service with two more events than the game here."""
    table.open(chance="observed")
    table.set_up()
    table.act("move")
    return msgspec.convert(table.log(), list[Event])


def elsewhere(table: Table) -> list[Event]:
    """The log of a game that is not here, with another player."""
    return chained([forged(event, recorded_by="Zoe") for event in record_foreign_log(table)])


def take(table: Table, events: list[Event], proof: dsse.Envelope | None = None) -> Any:
    document = b"".join(FORMATS["json"].write(Log(game_id=GAME, events=events, proof=proof)))
    return table.client.post("/v1/imports", data=document, content_type="application/json")


def test_a_head_says_what_was_recorded_here(table: Table) -> None:
    table.open()
    assert head_of(table.client, table.game).provenance == (Range(from_=1, to=2, kind="recorded"),)


def test_a_head_says_what_was_changed_by_hand_and_what_that_decided(table: Table, won: Any) -> None:  # noqa: F811
    head = head_of(table.client, table.game)
    assert [(one.from_, one.to, one.kind) for one in head.provenance] == [
        (1, 2, "recorded"),
        (3, 3, "adjusted"),
        (4, 5, "recorded"),
    ]
    assert head.by_hand
    assert not head_of(table.client, table.game, at=3).by_hand


def test_a_forgery_that_is_imported_is_signed_as_imported(table: Table) -> None:
    """The service signs the head with its own key, so the head must say that the events were imported."""
    events = elsewhere(table)
    made = take(table, events)
    assert made.status_code == 201, made.text
    table.game = made.headers["Location"]
    table.post({"type": "annotate", "params": {"text": "Here."}})
    last = events[-1]
    assert head_of(table.client, table.game).provenance == (
        Range(from_=1, to=last.seq, kind="imported", head=last.hash),
        Range(from_=last.seq + 1, to=last.seq + 1, kind="recorded"),
    )


def test_a_head_does_not_say_who_chose_the_seed_of_an_import(table: Table) -> None:
    """A forged log can name anybody, or nobody: the service did not see who chose the seed."""
    events = playout(chance="seeded")
    table.game = take(table, events).headers["Location"]
    assert head_of(table.client, table.game).seed_known_to == "unknown"


def test_only_the_draws_after_the_parents_are_checked() -> None:
    """A finished log with chosen draws that claims to continue a game that does not exist."""
    events = playout(chance="seeded")
    first, last = events[0], events[-1]
    fork = {"game": GAME, "at": last.seq - 1, "hash": "ab" * 32}
    params = {**first.params, "fork": fork, "seed_commitment": seed_commitment("other")}
    events[0] = msgspec.structs.replace(first, params=params)
    events[-1] = msgspec.structs.replace(last, params={**last.params, "seed": "other"})
    events = chained(events)
    notes = audit(events).notes
    told = (
        f"The seed is revealed, and every draw after event {last.seq - 1} is checked against it. Earlier draws are not "
        "checked: they belong to an earlier game that this record claims to continue."
    )
    assert told in notes
    document = b"".join(FORMATS["json"].write(Log(game_id=GAME, events=events, proof=None)))
    account = check(document, Evidence(), lambda *_: None).account
    assert account.startswith(
        f"chain and rules; the seed after event {last.seq - 1}, where the game leaves another; Forbidden Island"
    )


def test_an_import_keeps_whose_key_signed_it(table: Table) -> None:
    events = elsewhere(table)
    made = take(table, events, sign_head(events))
    (imported,) = head_of(table.client, made.headers["Location"]).provenance
    assert (imported.kind, imported.key) == ("imported", KEY.public.id)


def test_a_signature_of_other_events_is_nobodys(table: Table) -> None:
    events = elsewhere(table)
    altered = chained([*events[:-1], forged(events[-1], note="No.")])
    made = take(table, altered, sign_head(events))
    (imported,) = head_of(table.client, made.headers["Location"]).provenance
    assert (imported.head, imported.key) == (altered[-1].hash, None)
    envelope = msgspec.structs.replace(sign_head(altered, OTHER), signatures=sign_head(altered).signatures)
    assert take(table, chained([forged(one, note="x") for one in altered]), envelope).status_code == 201


def test_a_signature_that_does_not_hold_is_nobodys(table: Table) -> None:
    """The file has the head of its events with the signature of other events."""
    events = elsewhere(table)
    other = chained([*events[:-1], forged(events[-1], note="No.")])
    made = take(table, events, msgspec.structs.replace(sign_head(events), signatures=sign_head(other).signatures))
    (imported,) = head_of(table.client, made.headers["Location"]).provenance
    assert (imported.kind, imported.key) == ("imported", None)


def test_a_fork_of_an_import_is_imported_as_far_as_they_share_events(table: Table) -> None:
    events = elsewhere(table)
    made = take(table, events, sign_head(events))
    fork = table.client.post(f"{made.headers['Location']}/forks", json={"at": 2})
    origin = Range(from_=1, to=2, kind="imported", head=events[-1].hash, key=KEY.public.id)
    assert head_of(table.client, fork.headers["Location"]).provenance == (origin,)


@pytest.mark.parametrize("is_listed", [True, False], ids=["listed by its first event", "of an earlier release"])
def test_a_log_that_is_here_is_the_game_that_is_here(table: Table, store: Store, is_listed: bool) -> None:
    events = record_foreign_log(table)
    if not is_listed:
        store.projections.project(table.game.rsplit("/", 1)[1])
        store.client.delete(keys.games_by_first_event(events[0].hash))
    for format_ in ("json", "ndjson"):
        log = table.get("/export", format=format_)
        answer = table.client.post("/v1/imports", data=log.data, content_type=log.content_type)
        assert (answer.status_code, answer.headers["Location"]) == (200, table.game)
        assert answer.headers["ETag"] == f'"{answer.json["version"]}"'
    assert len(table.client.get("/v1/games").json["games"]) == 1


def test_an_older_log_of_a_game_that_went_on_is_that_game(table: Table) -> None:
    record_foreign_log(table)
    older = table.get("/export", format="json")
    table.post({"type": "annotate", "params": {"text": "On we go."}})
    answer = table.client.post("/v1/imports", data=older.data, content_type="application/json")
    assert (answer.status_code, answer.headers["Location"], answer.json["version"]) == (200, table.game, 4)


def test_a_rebuild_lists_games_of_earlier_releases_by_their_first_event(table: Table, store: Store) -> None:
    events = record_foreign_log(table)
    store.client.delete(keys.games_by_first_event(events[0].hash))
    store.projections.rebuild()
    assert store.events.ids_by_first_event(events[0].hash) == [table.game.rsplit("/", 1)[1]]


def test_a_log_that_only_claims_to_be_of_a_game_here_is_another(table: Table) -> None:
    events = elsewhere(table)
    document = json.loads(b"".join(FORMATS["json"].write(Log(game_id=GAME, events=events))))
    document["game"] = table.game.rsplit("/", 1)[1]
    answer = table.client.post("/v1/imports", json=document)
    assert answer.status_code == 201
    assert answer.headers["Location"] != table.game


def test_an_import_by_a_worker_knows_it_too(table: Table, store: Store, work: Callable[[], None]) -> None:
    record_foreign_log(table)
    table.post({"type": "adjust", "params": {"facts": [{"fact": "water_level", "level": 2}], "reason": "It was."}})
    log = table.get("/export", format="ndjson").data
    again = table.client.post("/v1/imports", data=log, content_type="application/x-ndjson")
    assert (again.status_code, again.headers["Location"]) == (200, table.game)
    other = [forged(event, recorded_by="Zoe") for event in msgspec.convert(table.log(), list[Event])]
    lines = b"".join(FORMATS["ndjson"].write(Log(game_id=GAME, events=chained(other))))
    first, second = (
        table.client.post("/v1/imports", data=lines, content_type="application/x-ndjson") for _ in range(2)
    )
    work()
    jobs = [table.client.get(one.headers["Location"]).json for one in (first, second)]
    assert [job["status"] for job in jobs] == ["done", "done"]
    assert jobs[0]["result"] == jobs[1]["result"]


def test_a_deleted_game_is_not_known(table: Table, store: Store) -> None:
    record_foreign_log(table)
    log = table.get("/export", format="json").data
    assert table.client.delete(table.game).status_code == 204
    assert store.client.keys("{begun:*") == []
    problem(table.client.get(table.game), 410, "gone")
    assert table.client.post("/v1/imports", data=log, content_type="application/json").status_code == 201
