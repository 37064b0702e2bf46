"""`driftlog demo`: record a table's scoresheet through the API event by event, then audit and export the game."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape

from api.plumbing.settings import PREFIX
from cli.client import Client
from cli.console import Columns
from cli.files import save
from cli.remote import DEFAULT_URL, chosen_service
from cli.terminal import Negative, ServiceUnavailable, WrongUsage, seat_colour
from engine.core.events import Event
from engine.core.values import SEAT_INDEX, State
from engine.play import registry
from engine.play.game import parse_header
from engine.review import turns
from store.redis.scratch import Guardian, Scratch

SCORESHEET = Path(str(resources.files("api"))) / "static" / "example.ndjson"


def record(client: Client, scoresheet: Path, folder: Path, console: Console, pace: float) -> bool:
    """Record the game of a scoresheet and show its turns, audit it, and write its transcript.

    Args:
        scoresheet: JSON lines: the body of `POST /v1/games`, then one body of `POST …/events` per line.
        folder: the folder for the transcript.
        pace: seconds to pause after each turn.

    Returns:
        True if the audit found nothing.
    """
    opening, *lines = _read(scoresheet)
    game_id = client.post("/v1/games", opening).json()["id"]
    names = [seat["name"] for seat in opening["seats"]]
    ruleset = registry.ruleset(opening["ruleset"])
    console.print(
        f"[bold]{escape(ruleset.name)}[/]\n{escape(', '.join(names))} play. Recorded at {client.url} as {game_id}.\n"
    )
    record = _Record(console, _events(client, game_id))
    ending = "The game continues."
    for line in lines:
        answer = client.post(f"/v1/games/{game_id}/events", line).json()
        if "stopped" in answer:
            raise Negative(f"the service rejected an event of the scoresheet: {answer['stopped']['problem']['detail']}")
        record.add(answer["events"])
        outcome = answer["outcome"]
        if record.show_turns(answer["turn"], is_over=outcome is not None):
            time.sleep(pace)
        if outcome is not None:
            ending = f"The game is over: {outcome['result']}."
    console.print(f"[bold]{ending}[/]\n")
    report = _audit(client, game_id)
    transcript = folder / f"{opening['ruleset']}-{game_id}.md"
    save(client.stream(f"/v1/games/{game_id}/export?format=markdown"), transcript)
    colour = "green" if report["verdict"] == "clean" else "red"
    console.print(f"Audit       [bold {colour}]{report['verdict']}[/], {report['events']} events replayed and judged")
    console.print(f"Head        {report['head']}")
    console.print(f"Transcript  {escape(str(transcript))}")
    return bool(report["verdict"] == "clean")


class _Record:
    """Prints the log of a game turn by turn as it grows."""

    def __init__(self, console: Console, events: list[Event]) -> None:
        self._console = console
        self._events = events
        self._header = parse_header(events[0])
        self._ruleset = registry.ruleset(self._header.ruleset)
        self._shown = -1

    def add(self, events: list[dict[str, Any]]) -> None:
        self._events += msgspec.convert(events, list[Event])

    def show_turns(self, turn: int, *, is_over: bool) -> bool:
        """Show the new complete turns (before `turn`, or all if the game is over); return True if there are any."""
        last = turn if is_over else turn - 1
        if last <= self._shown:
            return False
        told = turns.narrate(self._header, self._events)
        after = {one.event.turn: one.after for one in told}
        for one in turns.index(told, self._ruleset):
            if self._shown < one.turn <= last:
                self._show(one, after[one.turn])
        self._shown = last
        return True

    def _show(self, turn: turns.Turn, after: State | None) -> None:
        names = self._header.names
        grid = Columns.grid(padding=(0, 2))
        grid.add_column(justify="right", width=4)
        grid.add_column(width=max(map(len, ("Setup", *names))))
        grid.add_column(overflow="fold")
        who, number = "Setup", ""
        if turn.seat is not None:
            seat = SEAT_INDEX[turn.seat]
            who, number = f"[{seat_colour(seat)}]{escape(names[seat])}[/]", str(turn.turn)
        grid.add_row(f"[bold]{number}[/]", who, escape(turn.summary))
        for event in self._events:
            if event.turn == turn.turn and event.note:
                grid.add_row("", "", f"[italic]“{escape(event.note)}”[/]")
        if after is not None:
            grid.add_row("", "", f"[dim]{escape(self._ruleset.headline(after, names))}[/]")
        self._console.print(grid, "", sep="\n")


def _read(scoresheet: Path) -> list[Any]:
    try:
        return [json.loads(line) for line in scoresheet.read_text().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise WrongUsage(f"the scoresheet {scoresheet} cannot be read: {error}") from None


def _events(client: Client, game_id: str) -> list[Event]:
    return msgspec.convert(client.get(f"/v1/games/{game_id}/events")["events"], list[Event])


def _audit(client: Client, game_id: str) -> Any:
    where = client.post(f"/v1/games/{game_id}/audits", {}).headers["Location"]
    return client.wait_for_job(where, "audit")


@contextmanager
def service(url: str | None, console: Console) -> Iterator[Client]:
    """Yield a client of a service.

    This is the service at `url`, the configured one, one on this machine, or a temporary one, in this order.
    """
    url = url or chosen_service()
    client = Client(url or DEFAULT_URL)
    if url is not None or client.answers():
        yield client
    else:
        with _own_service() as own:
            console.print(f"No service at {client.url}: the demo runs a temporary service.")
            yield own


@contextmanager
def _own_service() -> Iterator[Client]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    # The request log of the temporary service is not part of the demo.
    environment["DRIFTLOG_LOG_LEVEL"] = "warning"
    with Scratch() as scratch:
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "cli.main",
            "serve",
            "--port",
            "0",
            "--data",
            scratch.path / "data",
        ]
        guarded = Guardian(scratch.path, command, env=environment, stdout=subprocess.PIPE, text=True)
        with guarded.process as service:
            assert service.stdout is not None
            address = re.search(r"http://\S+", service.stdout.readline())
            try:
                if address is None:
                    raise ServiceUnavailable(
                        "the temporary service for the demo did not start: run `driftlog serve` to see why"
                    )
                yield Client(address[0])
            finally:
                service.send_signal(signal.SIGTERM)
                service.wait()
                guarded.dismiss()
