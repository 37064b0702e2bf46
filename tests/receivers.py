"""Programs that webhooks lead to, and the courier that sends to them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from service.destinations import networks
from store import Store, connection
from tests.waiting import until
from workers.courier import Courier
from workers.delivering import Deliverer
from workers.posting import Poster
from workers.queue import Queue

HERE = networks(["127.0.0.0/8"])


class Message(NamedTuple):
    """What came."""

    headers: dict[str, str]
    body: bytes
    target: str

    @property
    def document(self) -> Any:
        return json.loads(self.body)

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


class Said(NamedTuple):
    """What is answered."""

    status: int = 204
    headers: dict[str, str] = {}
    body: bytes = b""


class Receiver:
    """A program that is told of events: it keeps what comes, and answers as `answer` says."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.answer: Callable[[Message], Said] = lambda _: Said()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                message = Message({name.lower(): value for name, value in self.headers.items()}, body, self.path)
                said = receiver.answer(message)
                receiver.messages.append(message)
                # Whoever sent it may have given up.
                with suppress(OSError):
                    self.send_response(said.status)
                    for name, value in said.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(said.body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/hook?key=x"

    @property
    def seqs(self) -> list[int]:
        """Of the events that came, in order."""
        return [message.document["data"]["event"]["seq"] for message in list(self.messages)]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that listens."""
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        thread.join()
        receiver.server.server_close()


@contextmanager
def sending(
    store: Store, queue: Queue, *, who: str = "one", is_open: bool = True, patience: float = 10.0, **options: Any
) -> Iterator[Courier]:
    """A courier at work."""
    with ThreadPoolExecutor(4) as lookups:
        deliverer = Deliverer(store, Poster(HERE, lookups, patience=patience), is_open=is_open, **options)
        courier = Courier(store, queue, deliverer, who=who, is_open=is_open)
        thread = threading.Thread(target=courier.run)
        before = _listeners(store)
        thread.start()
        try:
            until(lambda: _listeners(store) - before)
            yield courier
        finally:
            courier.stop()
            thread.join(30)
            assert not thread.is_alive()


def _listeners(store: Store) -> set[str]:
    """The ids of the connections that are told of appends; those of others may just be ending."""
    lines = connection.call(store.client, "CLIENT", "LIST", "TYPE", "pubsub")
    return {line.split()[0] for line in (lines.decode() if isinstance(lines, bytes) else lines).splitlines()}
