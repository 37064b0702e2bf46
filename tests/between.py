"""A proxy in front of a service, which simulates a given sequence of network failures."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

OVERLOADED = {"type": "/problems/overloaded", "title": "Service overloaded", "status": 503, "detail": "Later."}
OURS = frozenset({"transfer-encoding", "connection"})
"""Headers that apply to one connection only."""


class Heard(NamedTuple):
    """A received request."""

    method: str
    path: str
    headers: dict[str, str]


class Between(ThreadingHTTPServer):
    """The proxy. Each request takes the next of its `misfortunes`; without one it is forwarded unchanged.

    - `"lose"`: the service answers, but the answer is lost.
    - `"overload"`: 503 without asking the service.
    - `"none"`: 502 without asking the service, like a proxy that gets no answer.
    - `"pass"`: no failure.
    - a number: only this many bytes of the answer's body arrive.
    """

    daemon_threads = True

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.place = urlsplit(url).netloc
        self.misfortunes: list[str | int] = []
        self.heard: list[Heard] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Between

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.heard.append(Heard(self.command, self.path, headers))
        fate = self.server.misfortunes.pop(0) if self.server.misfortunes else None
        # The client may have left.
        with suppress(OSError):
            if fate == "overload":
                self.send_response(503)
                self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(json.dumps(OVERLOADED).encode())
            elif fate == "none":
                self.send_error(502)
            else:
                self._pass(body, headers, fate)

    do_DELETE = do_POST = do_GET  # noqa: N815  # as http.server names them

    def _pass(self, body: bytes, headers: dict[str, str], fate: str | int | None) -> None:
        with closing(http.client.HTTPConnection(self.server.place, timeout=60)) as upstream:
            upstream.request(self.command, self.path, body or None, headers | {"accept-encoding": "identity"})
            answer = upstream.getresponse()
            if fate == "lose":
                answer.read()
                return
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in OURS:
                    self.send_header(name, value)
            self.end_headers()
            left = fate if isinstance(fate, int) else None
            while left != 0 and (chunk := answer.read1(1 << 16 if left is None else left)):
                self.wfile.write(chunk)
                left = None if left is None else left - len(chunk)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def between(url: str) -> Iterator[Between]:
    """Run a proxy in front of `url`."""
    with Between(url) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
