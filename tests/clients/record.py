"""Record a game with a client that openapi-python-client generates from openapi.yaml: `python record.py URL`."""

from __future__ import annotations

import json
import sys
from typing import TypeVar

from driftlog_client import Client
from driftlog_client.api.actions import list_actions
from driftlog_client.api.events import append_events, read_events
from driftlog_client.api.games import find_games, fork_game, open_game
from driftlog_client.models.appended import Appended
from driftlog_client.models.chance import Chance
from driftlog_client.models.event_list import EventList
from driftlog_client.models.fork_game import ForkGame
from driftlog_client.models.game import Game
from driftlog_client.models.game_list import GameList
from driftlog_client.models.game_status import GameStatus
from driftlog_client.models.legal_actions import LegalActions
from driftlog_client.models.new_event import NewEvent
from driftlog_client.models.open_game import OpenGame
from driftlog_client.models.problem import Problem
from driftlog_client.models.seat import Seat
from driftlog_client.models.seat_id import SeatId

Answer = TypeVar("Answer")


def must(kind: type[Answer], answer: object) -> Answer:
    assert isinstance(answer, kind), answer
    return answer


def main(url: str) -> None:
    client = Client(base_url=url)
    seats = [Seat(name="Ann"), Seat(name="Bob")]
    order = OpenGame(ruleset="forbidden-island", seats=seats, chance=Chance.SEEDED, tags=["generated"])
    game = must(Game, open_game.sync(client=client, body=order, idempotency_key="python"))
    again = open_game.sync_detailed(client=client, body=order, idempotency_key="python")
    assert must(Game, again.parsed).id == game.id
    assert again.headers["Idempotent-Replayed"] == "true"

    refused = append_events.sync(game.id, client=client, body=NewEvent(type_="move", actor=SeatId.P1))
    assert must(Problem, refused).status == 422

    outcome = None
    while outcome is None:
        actions = must(LegalActions, list_actions.sync(game.id, client=client)).actions
        # The last legal action in the list ends a turn sooner or later, and without shoring up, the island sinks.
        last = actions[-1]
        draft = NewEvent.from_dict({name: last.to_dict()[name] for name in ("type", "actor", "params")})
        judged = append_events.sync_detailed(game.id, client=client, body=draft, dry_run=True)
        assert judged.status_code == 200
        outcome = must(Appended, append_events.sync(game.id, client=client, body=[draft])).outcome

    log = must(EventList, read_events.sync(game.id, client=client, limit=1000))
    fork = must(Game, fork_game.sync(game.id, client=client, body=ForkGame(at=2)))
    found = must(GameList, find_games.sync(client=client, status=GameStatus.FINISHED, tag="generated"))
    assert game.id in [one.id for one in found.games]
    told = {
        "id": game.id,
        "result": outcome.result,
        "version": log.version,
        "fork": fork.id,
        "turn": log.events[-1].turn,
    }
    sys.stdout.write(json.dumps(told))


main(sys.argv[1])
