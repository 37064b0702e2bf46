"""Receivers of webhooks, and the webhook sender."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

from service.destinations import networks
from store import Store
from store.log.hints import Hint, Hints
from store.redis import connection
from tests.waiting import PATIENCE, until
from workers.delivering import Deliverer
from workers.posting import Poster
from workers.queue import Queue
from workers.webhook_sender import WebhookSender

HERE = networks(["127.0.0.0/8"])


class Message(NamedTuple):
    """A received message."""

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
    """The answer to send."""

    status: int = 204
    headers: dict[str, str] = {}
    body: bytes = b""


class Receiver:
    """A program that receives events, stores them, and sends the answers set by `answer`."""

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
                # The sender may have closed the connection.
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
        """Return the `seq`s of the received events, in order."""
        return [message.document["data"]["event"]["seq"] for message in list(self.messages)]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver."""
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
    store: Store,
    queue: Queue,
    *,
    who: str = "one",
    is_open: bool = True,
    patience: float = 2 * PATIENCE,
    **options: Any,
) -> Iterator[WebhookSender]:
    """Run a webhook sender."""
    with ThreadPoolExecutor(4) as lookups:
        deliverer = Deliverer(store, Poster(HERE, lookups, patience=patience), is_open=is_open, **options)
        hints = _Heard(store.client)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "hints", lambda: hints)
            sender = WebhookSender(store, queue, deliverer, who=who, is_open=is_open)
        thread = threading.Thread(target=sender.run)
        thread.start()
        try:
            until(hints.begun.is_set)
            yield sender
        finally:
            sender.stop()
            thread.join(PATIENCE)
            assert not thread.is_alive()


class _Heard(Hints):
    """Hints that signal when they have a listener, because the sender gets no hints of earlier appends."""

    def __init__(self, client: connection.Client) -> None:
        super().__init__(client)
        self.begun = threading.Event()

    def listen(self) -> Iterator[Hint | None]:
        for hint in super().listen():
            self.begun.set()
            yield hint
