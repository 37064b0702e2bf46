"""Hostile requests: each must be refused or cut off, and must not affect other clients."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

from tests.soak.client import Setting
from tests.soak.players import NAMES, RULESETS, Club

SECONDS = 20.0
"""Timeout of an answer in seconds."""
HELD = 300
"""Number of connections with half a header that are open at a time."""
HOLD = 10.0
PAUSE = 0.5
EVERY = {"nulls": 20.0, "half a header": 30.0, "a million tags": 20.0, "a large position": 20.0, "many options": 20.0}
"""Seconds between two requests of a kind that is costly for the sender, too."""
SEATS = [{"name": "Mallory"}, *({"name": name} for name in NAMES[:2])]
"""Players of hostile games; by the first name the checker recognizes these games."""
FOREIGN = "foreign.example"


class Hostile(threading.Thread):
    """A hostile client; several run in parallel."""

    def __init__(self, name: str, setting: Setting, club: Club, rng: random.Random) -> None:
        super().__init__(name=name, daemon=True)
        self._address = setting.address
        self._ledger = setting.ledger
        self._over = setting.over
        self._club = club
        self._rng = rng
        # Use a different address from the players', so that limits per address affect only this client.
        self._from = (f"127.0.1.{name.rpartition('-')[2]}", 0)
        self._due: dict[str, float] = {}
        self._kinds: dict[str, Callable[[], str]] = {
            "nulls": self._nulls,
            "half a header": self._half_headers,
            "a bad chunk": self._bad_chunk,
            "a million tags": lambda: self._opens(tags=["tag"] * 1_000_000),
            "a large position": lambda: self._opens(position={str(n): "x" * 50 for n in range(100_000)}),
            "many options": lambda: self._opens(options={f"option {n}": n for n in range(300_000)}),
            "deep JSON": lambda: self._post("/v1/games", b'{"options":' + b"[" * 100_000),
            "a foreign host": lambda: self._foreign(["Host: " + FOREIGN]),
            "a foreign origin": lambda: self._foreign([f"Host: {self._host}", f"Origin: http://{FOREIGN}"]),
            "garbage": lambda: self._send(self._rng.randbytes(400) + b"\r\n\r\n"),
            "a client that vanishes": self._vanish,
            "a client that reads nothing": self._read_nothing,
        }

    @property
    def _host(self) -> str:
        return "{}:{}".format(*self._address)

    def run(self) -> None:
        while not self._over.wait(self._rng.uniform(0, PAUSE)):
            kind = self._rng.choice(list(self._kinds))
            if time.monotonic() < self._due.get(kind, 0.0):
                continue
            self._due[kind] = time.monotonic() + EVERY.get(kind, 0.0)
            began = time.monotonic()
            try:
                outcome = self._kinds[kind]()
            except OSError as error:
                outcome = type(error).__name__
            self._ledger.record_attack(kind, outcome, time.monotonic() - began)
            self._judge(kind, outcome)

    def _judge(self, kind: str, outcome: str) -> None:
        if outcome.startswith("5") and outcome != "503":
            self._ledger.fault(f"hostile: answered {outcome}", kind)
        elif outcome == "no answer":
            self._ledger.fault("hostile: no answer", f"{kind}, within {SECONDS:.0f} s")
        elif kind.startswith("a foreign") and outcome.startswith("2"):
            self._ledger.fault("hostile: carried out", kind)

    def _path(self) -> str:
        """Return the path of a game that others play."""
        tables = list(self._club.tables)
        return self._rng.choice(tables).path if tables else "/v1/games/none"

    @contextlib.contextmanager
    def _connected(self) -> Iterator[socket.socket]:
        with socket.create_connection(self._address, SECONDS, self._from) as connection:
            yield connection

    def _send(self, request: bytes) -> str:
        """Return the status of the answer to raw bytes; without an answer, a word for the result."""
        with self._connected() as connection:
            # The server may refuse before it has read everything.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(request)
            return _status(connection)

    def _post(self, path: str, body: bytes) -> str:
        return self._send(_head("POST", path, [f"Host: {self._host}"], len(body)) + body)

    def _opens(self, chance: str = "observed", **members: object) -> str:
        document = {"ruleset": "forbidden-island", "seats": SEATS, "chance": chance, **members}
        return self._post("/v1/games", json.dumps(document).encode())

    def _nulls(self) -> str:
        """Send a setup whose results are all unknown."""
        opening = json.dumps({"ruleset": self._rng.choice(list(RULESETS)), "seats": SEATS, "chance": "observed"})
        with self._connected() as connection:
            connection.sendall(_head("POST", "/v1/games", [f"Host: {self._host}"], len(opening)) + opening.encode())
            answer = connection.recv(1 << 16)
        location = answer.partition(b"Location: ")[2].partition(b"\r\n")[0].decode()
        if not location:
            return "not opened"
        return self._post(f"{location}/events", json.dumps({"type": "set_up", "outcomes": [None] * 24}).encode())

    def _half_headers(self) -> str:
        with contextlib.ExitStack() as held:
            connections = [held.enter_context(self._connected()) for _ in range(HELD)]
            for connection in connections:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: loc")
            self._over.wait(HOLD)
            for connection in connections:
                connection.setblocking(False)
            return "held" if any(_is_open(connection) for connection in connections) else "closed"

    def _bad_chunk(self) -> str:
        lines = [f"POST {self._path()}/events HTTP/1.1", f"Host: {self._host}", "Content-Type: application/json"]
        return self._send("\r\n".join([*lines, "Transfer-Encoding: chunked", "", "zz", "{}", "0", "", ""]).encode())

    def _foreign(self, headers: list[str]) -> str:
        if self._rng.random() < 0.5:
            return self._send(_head("POST", f"{self._path()}/audits", headers, 0))
        body = json.dumps({"ruleset": "forbidden-island", "seats": SEATS, "chance": "seeded"}).encode()
        return self._send(_head("POST", "/v1/games", headers, len(body)) + body)

    def _vanish(self) -> str:
        with self._connected() as connection:
            connection.sendall(_head("POST", f"{self._path()}/events", [f"Host: {self._host}"], 1000) + b'{"type":')
            # Close with a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return "vanished"

    def _read_nothing(self) -> str:
        what = self._rng.choice(["stream", "events?limit=1000", "export?format=json", "story"])
        with self._connected() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(_head("GET", f"{self._path()}/{what}", [f"Host: {self._host}"], 0))
            self._over.wait(HOLD)
        return "vanished"


def _head(method: str, path: str, headers: list[str], length: int) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *headers, "Connection: close"]
    if method == "POST":
        lines.append(f"Content-Length: {length}")
        if length:
            lines.append("Content-Type: application/json")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _status(connection: socket.socket) -> str:
    try:
        answer = connection.recv(1 << 16)
    except TimeoutError:
        return "no answer"
    except ConnectionError:
        return "closed"
    return answer.split(b" ", 2)[1].decode() if answer.startswith(b"HTTP/1.1 ") else "closed"


def _is_open(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
