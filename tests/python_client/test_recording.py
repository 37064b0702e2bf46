"""A game through the Python client, sync and async: recorded, refused, corrected, watched, read, exported."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest

import driftlog_client as driftlog
from driftlog_client import AsyncClient, Client
from tests.cli.service import Service
from tests.python_client.conftest import ORDER, PATIENCE
from tests.waiting import until


def step(client: Client, game_id: str) -> driftlog.types.Appended:
    return client.append_events(game_id, driftlog.draft(client.list_actions(game_id)["actions"][-1]))


def test_a_game_is_recorded_corrected_watched_and_exported(client: Client) -> None:
    game = client.open_game(ORDER | {"tags": ["sync"]})
    game_id = game["id"]
    appended = step(client, game_id)
    assert appended["version"] == 3
    client.append_events(
        game_id, [{"type": "annotate", "params": {"text": "one"}}, {"type": "undo", "params": {"to": 2}}]
    )

    watched = [*client.watch_game(game_id, after=1, until=5)]
    events = [one.event["seq"] for one in watched if isinstance(one, driftlog.Recorded)]
    assert events == [2, 3, 4, 5]

    log = b"".join(client.export_game(game_id, "ndjson"))
    assert [json.loads(line)["seq"] for line in log.splitlines()] == [1, 2, 3, 4, 5]
    assert [event["seq"] for event in client.each_event(game_id, after=3)] == [4, 5]
    assert client.run_audit(game_id)["verdict"] == "clean"
    back = client.import_game(log, media_type="application/x-ndjson")
    assert "version" in back
    assert back["version"] == 5


def test_what_does_not_stand_any_more_is_told(client: Client) -> None:
    game_id = client.open_game(ORDER)["id"]
    step(client, game_id)
    client.append_events(game_id, {"type": "undo", "params": {"to": 2}})
    told = client.watch_game(game_id, after=3)

    assert isinstance(next(told), driftlog.Recorded)
    superseded = next(told)

    assert isinstance(superseded, driftlog.Superseded)
    assert (superseded.by, superseded.spans, superseded.version) == (4, [(3, 3)], 4)
    told.close()


def test_a_seeded_game_that_is_over_has_no_more_to_tell(client: Client) -> None:
    game_id = client.open_game(ORDER)["id"]
    client.append_events(game_id, {"type": "abandon", "params": {"reason": "dinner"}})

    seqs = [one.event["seq"] for one in client.watch_game(game_id) if isinstance(one, driftlog.Recorded)]

    assert seqs == [1, 2, 3, 4]
    with pytest.raises(driftlog.GameOver) as over:
        client.append_events(game_id, {"type": "draw_treasure_card", "actor": "p1"})
    assert over.value.outcome["result"] == "abandoned"


def test_all_games_are_found_page_by_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [client.open_game(ORDER | {"tags": ["pages"]})["id"] for _ in range(3)]
    find = client.find_games
    monkeypatch.setattr(client, "find_games", lambda **query: find(**query | {"limit": 2}))

    def tagged_ids() -> list[str]:
        return [game["id"] for game in client.each_game(tag="pages")]

    assert until(lambda: len(tagged_ids()) == 3)
    assert tagged_ids() == ids[::-1]


def test_many_games_come_in_one_file(client: Client) -> None:
    client.open_game(ORDER | {"tags": ["many"]})
    until(lambda: client.find_games(tag="many")["games"])

    job = client.export_games({"format": "ndjson", "tag": "many"})
    assert b"".join(client.fetch_export(job)).startswith(b"PK")


def test_files_of_a_worker_come_once_they_are_made(client: Client) -> None:
    game_id = client.open_game(ORDER)["id"]

    assert b"".join(client.export_game(game_id, "gif")).startswith(b"GIF8")
    assert b"".join(client.print_game(game_id)).startswith(b"%PDF")


def test_answers_that_are_no_json_are_what_they_are(client: Client) -> None:
    game_id = client.open_game(ORDER)["id"]
    assert client.draw_board(game_id, plain=True).startswith("<svg")
    assert client.get_xlsx_template("forbidden-island").startswith(b"PK")
    hook = client.create_webhook({"url": "http://127.0.0.1:9/", "events": ["*"], "ruleset": "forever-island"})
    client.delete_webhook(hook["id"])
    assert hook["id"] not in [one["id"] for one in client.list_webhooks()["webhooks"]]


def test_work_that_fails_says_why(client: Client) -> None:
    failed: Any = {"id": "x", "kind": "export", "status": "failed", "error": "no room"}
    with pytest.raises(driftlog.JobFailed, match="no room") as raised:
        client.wait_for_job(failed)
    assert raised.value.job is failed


def test_the_whole_library_is_watched(client: Client) -> None:
    client.open_game(ORDER)
    game_id = client.open_game(ORDER | {"tags": ["library"]})["id"]
    first = next(told for told in client.watch_library(after="0-0") if isinstance(told, driftlog.FeedEvent))
    assert first.event["seq"] == 1

    later = client.watch_library(after=first.place)
    told = next(one for one in later if isinstance(one, driftlog.FeedEvent) and one.game["id"] == game_id)
    assert told.event["type"] == "game_opened"
    later.close()


async def play_async(url: str) -> None:
    async with AsyncClient(url, patience=PATIENCE) as client:
        game = await client.open_game(ORDER | {"tags": ["async"]})
        game_id = game["id"]
        actions = (await client.list_actions(game_id))["actions"]

        async def record() -> None:
            await client.append_events(game_id, driftlog.draft(actions[0]))

        async with asyncio.TaskGroup() as group, aclosing(client.watch_game(game_id, after=2)) as messages:
            group.create_task(record())
            told = await anext(messages)
        assert isinstance(told, driftlog.Recorded)
        assert told.event["seq"] == 3

        with pytest.raises(driftlog.VersionConflict) as conflict:
            await client.append_events(game_id, {"type": "undo", "params": {"to": 2}}, if_match=2)
        assert conflict.value.version == 3
        await client.append_events(game_id, {"type": "undo", "params": {"to": 2}}, if_match=3)

        assert [event["seq"] async for event in client.each_event(game_id)] == [1, 2, 3, 4]
        log = b"".join([chunk async for chunk in client.export_game(game_id)])
        assert json.loads(log)["version"] == 4
        assert b"".join([chunk async for chunk in client.export_game(game_id, "gif")]).startswith(b"GIF8")
        assert b"".join([chunk async for chunk in client.print_game(game_id)]).startswith(b"%PDF")
        assert (await client.run_audit(game_id, rules="1"))["verdict"] == "clean"


def test_the_same_is_awaited(service: Service) -> None:
    asyncio.run(play_async(service.url))
