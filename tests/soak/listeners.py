"""Listeners: each follows one game after another with Server-Sent Events, and resumes broken streams."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time

from tests.soak.client import Setting
from tests.soak.ledger import Heard
from tests.soak.players import Club

SECONDS = 20.0
"""Maximum seconds of silence on a stream, longer than the interval of heartbeats."""
STAY = 40.0
"""Maximum seconds that a listener follows one game."""


class Listener(threading.Thread):
    """A client that watches games."""

    def __init__(self, name: str, setting: Setting, club: Club, rng: random.Random) -> None:
        super().__init__(name=name, daemon=True)
        self._address = setting.address
        self._ledger = setting.ledger
        self._over = setting.over
        self._club = club
        self._rng = rng

    def run(self) -> None:
        while not self._over.wait(0.1):
            tables = list(self._club.tables)
            if tables:
                self._follow(self._rng.choice(tables[-12:]).path)

    def _follow(self, path: str) -> None:
        heard = Heard(path)
        self._ledger.heard.append(heard)
        leaving = time.monotonic() + self._rng.uniform(STAY / 4, STAY)
        while not self._over.is_set() and time.monotonic() < leaving:
            try:
                if not self._listen(heard, leaving):
                    return
            except (OSError, http.client.HTTPException):
                self._over.wait(0.3)

    def _listen(self, heard: Heard, leaving: float) -> bool:
        """Read one connection to its end; return True if more events may follow."""
        connection = http.client.HTTPConnection(*self._address, timeout=SECONDS)
        try:
            last = str(heard.events[-1][0]) if heard.events else "0"
            connection.request("GET", f"{heard.path}/stream", headers={"Last-Event-ID": last})
            response = connection.getresponse()
            if response.status != 200:
                if response.status not in {204, 429, 503}:
                    self._ledger.fault(f"answered {response.status}", f"GET {heard.path}/stream")
                self._over.wait(0.3)
                return response.status in {429, 503}
            self._read(response, heard, leaving)
        finally:
            connection.close()
        return True

    def _read(self, response: http.client.HTTPResponse, heard: Heard, leaving: float) -> None:
        seq: int | None = None
        while not self._over.is_set() and time.monotonic() < leaving:
            line = response.readline()
            if not line.endswith(b"\n"):
                return
            name, _, value = line.rstrip(b"\r\n").partition(b": ")
            if name == b"id":
                seq = int(value)
            elif name == b"data" and seq is not None:
                heard.events.append((seq, json.loads(value)["hash"]))
                seq = None
