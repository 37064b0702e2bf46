"""Record, correct, watch and export a game with the package of clients/python: `python play.py URL`."""

from __future__ import annotations

import asyncio
import json
import sys

from driftlog_client import AsyncClient, Client, IllegalAction, Recorded, Superseded, draft, types

ORDER: types.OpenGame = {
    "ruleset": "forbidden-island",
    "seats": [{"name": "Ann"}, {"name": "Bob"}],
    "chance": "seeded",
    "seed": "a rainy night",
}


def play_sync(url: str) -> dict[str, object]:
    with Client(url, patience=60) as driftlog:
        game_id = driftlog.open_game(ORDER)["id"]
        try:
            driftlog.append_events(game_id, {"type": "draw_flood_card", "actor": "p1"})
        except IllegalAction as refused:
            rule = refused.rule
        driftlog.append_events(game_id, {"type": "annotate", "params": {"text": "a slip"}})
        driftlog.append_events(game_id, {"type": "undo", "params": {"to": 2}}, if_match=3)
        outcome: types.GameOutcome | None = None
        while outcome is None:
            # The last legal action in the list ends a turn sooner or later, and without shoring up, the island sinks.
            last = driftlog.list_actions(game_id)["actions"][-1]
            outcome = driftlog.append_events(game_id, draft(last))["outcome"]
        messages = [*driftlog.watch_game(game_id)]
        return {
            "id": game_id,
            "rule": rule,
            "heard": [one.event["seq"] for one in messages if isinstance(one, Recorded)],
            "superseded": [one.spans for one in messages if isinstance(one, Superseded)],
            "log": len(b"".join(driftlog.export_game(game_id, "ndjson")).splitlines()),
            "verdict": driftlog.run_audit(game_id)["verdict"],
        }


async def play_async(url: str) -> dict[str, object]:
    async with AsyncClient(url, patience=60) as driftlog:
        game = await driftlog.open_game(ORDER)
        game_id = game["id"]

        async def listen() -> list[int]:
            return [one.event["seq"] async for one in driftlog.watch_game(game_id) if isinstance(one, Recorded)]

        async with asyncio.TaskGroup() as group:
            heard = group.create_task(listen())
            await driftlog.append_events(game_id, {"type": "annotate", "params": {"text": "a slip"}})
            await driftlog.append_events(game_id, {"type": "undo", "params": {"to": 2}})
            await driftlog.append_events(game_id, {"type": "abandon", "params": {"reason": "dinner"}})
        log = b"".join([chunk async for chunk in driftlog.export_game(game_id, "ndjson")])
        return {"id": game_id, "heard": heard.result(), "log": len(log.splitlines())}


sys.stdout.write(json.dumps({"called": play_sync(sys.argv[1]), "awaited": asyncio.run(play_async(sys.argv[1]))}))
