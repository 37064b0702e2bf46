"""Webhooks: how long after the 201 of an append its event is with the receiver; also beside one that is silent."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.measure import UNPINNED, Settings, percentile
from benchmarks.report import Row, at_most
from tests.cli.service import Service
from tests.receivers import Message, Said, receiving

EVENTS = 200
PAUSE_SECONDS = 0.02
"""Between events, as quick fingers at several tables."""


def measure(settings: Settings) -> Iterator[Row]:
    """One receiver that answers at once, alone and beside one that takes its ten seconds for nothing."""
    count = 10 if settings.quick else EVENTS
    for name in ("alone", "beside a receiver that does not answer"):
        with ExitStack() as stack:
            service = Service(settings.folder / name.replace(" ", "-"), DRIFTLOG_WEBHOOK_NETWORKS="127.0.0.0/8")
            stack.callback(service.stop)
            service.ready()
            came: dict[str, float] = {}
            receiver, silent = stack.enter_context(receiving()), stack.enter_context(receiving())
            over = threading.Event()
            stack.callback(over.set)

            def note(message: Message, came: dict[str, float] = came) -> Said:
                came.setdefault(message.id, time.perf_counter())
                return Said()

            def wait(_: Message, over: threading.Event = over) -> Said:
                over.wait(60)
                return Said()

            receiver.answer, silent.answer = note, wait
            for url in [receiver.url, *([silent.url] if name != "alone" else [])]:
                service.ask("POST", "/v1/webhooks", {"url": url, "events": ["annotate"]})
            took = _delays(service, came, count)
            worst = max(took)
            yield Row(
                what=f"from the 201 of an append to the receiver's having it, {name}: p50, p99, most of {count}",
                ours=f"{percentile(took, 0.5):.0f}, {percentile(took, 0.99):.0f}, {worst:.0f} ms",
                goal=at_most(percentile(took, 0.99), 200, "ms at p99"),
                pinning=UNPINNED,
            )


def _delays(service: Service, came: dict[str, float], count: int) -> list[float]:
    """Milliseconds for each of so many events."""
    game = service.open_game()
    answered: dict[str, float] = {}
    for number in range(count):
        body = {"type": "annotate", "params": {"text": str(number)}}
        _, told = service.ask("POST", f"/v1/games/{game}/events", body)
        answered[f"{game}-{told['version']}"] = time.perf_counter()
        time.sleep(PAUSE_SECONDS)
    deadline = time.monotonic() + 30
    while len(came) < count and time.monotonic() < deadline:
        time.sleep(0.01)
    return [max(0.0, came[id_] - moment) * 1000 for id_, moment in answered.items() if id_ in came]
