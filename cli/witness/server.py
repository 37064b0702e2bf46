"""The web pages of a witness: its key and the cosigned checkpoint of each game.

The pages contain only ids, versions and hashes.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, abort, jsonify, request
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker
from werkzeug.exceptions import HTTPException

from cli.witness.book import Account, Book, CosignedHead, DeletedGame, RefusedHead

THREADS = 64
REQUEST_SECONDS = 10.0
"""Timeout of a request and its response in seconds. A slow client can occupy a thread for at most this time."""
_VERSION = re.compile("[1-9][0-9]{0,17}")


def create_app(book: Book) -> Flask:
    """Return the app with the pages of a witness; they need no token."""
    app = Flask("driftlog-witness")

    @app.get("/healthz")
    def health() -> Response:
        return jsonify(status="ok")

    @app.get("/key")
    def key() -> Response:
        return _plain(f"{book.cosigner.public}\n")

    @app.get("/games/<string:game>")
    def game(game: str) -> Response:
        account, seen = _find(book, game)
        keys = [{"id": id_, "seen_at": _moment(at)} for id_, at in book.service_keys.items()]
        return jsonify({**describe(account, seen), "key": str(book.cosigner.public), "service_keys": keys})

    @app.get("/games/<string:game>/checkpoint")
    def checkpoint(game: str) -> Response:
        return _plain(_find(book, game)[1].note)

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        problem = {"type": "about:blank", "title": error.name, "status": error.code, "detail": error.description}
        return Response(json.dumps(problem), error.code, content_type="application/problem+json")

    return app


def describe(account: Account, seen: CosignedHead) -> dict[str, Any]:
    """Return the witness's statement about a game and about its head `seen`."""
    status = "contradicted" if account.is_contradicted else "deleted" if account.deleted else "consistent"
    return {
        "game": seen.game,
        "status": status,
        "version": seen.version,
        "head": seen.head,
        "cosigned_at": _moment(seen.at),
        "checked_at": _moment(account.checked_at),
        "note": seen.note,
        "refused": [{"reason": one.reason, **_position(one)} for one in account.refused],
        "deleted": None if account.deleted is None else _position(account.deleted),
    }


def _position(entry: RefusedHead | DeletedGame) -> dict[str, Any]:
    return {"version": entry.version, "head": entry.head, "at": _moment(entry.at)}


def _find(book: Book, game: str) -> tuple[Account, CosignedHead]:
    """Return the account of a game, and its newest head.

    With `?at=`, return the newest head with at most that many events.
    """
    account = book.games.get(game)
    if account is None:
        abort(404, f"This witness has not seen game {game}.")
    at = request.args.get("at")
    if at is None:
        return account, account.seen[-1]
    if not _VERSION.fullmatch(at):
        abort(400, "?at= is a number of events, at least 1.")
    seen = account.upto(int(at))
    if seen is None:
        abort(404, f"This witness has not seen game {game} with at most {at} events.")
    return account, seen


def _plain(text: str) -> Response:
    return Response(text, content_type="text/plain; charset=utf-8")


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")


class _Worker(ThreadWorker):
    """gunicorn's threaded worker with a timeout. gunicorn's own worker waits forever for the rest of a request."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadlines: dict[Any, float] = {}

    def handle(self, conn: Any) -> Any:
        self._deadlines[conn] = time.monotonic() + REQUEST_SECONDS
        try:
            return super().handle(conn)
        finally:
            del self._deadlines[conn]

    def murder_pending(self) -> None:
        """Close the connections whose time is up. gunicorn calls this once per second."""
        super().murder_pending()
        now = time.monotonic()
        for conn, deadline in list(self._deadlines.items()):
            if deadline < now:
                # This wakes the thread, which closes the connection.
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)


class WitnessServer(BaseApplication):
    """gunicorn with one process, in which a thread follows the service."""

    def __init__(
        self, listener: socket.socket, open_book: Callable[[], Book], follow: Callable[[Book, threading.Event], None]
    ) -> None:
        """
        Args:
            open_book: opens the book; called in the process that handles requests.
            follow: the function of the thread; it ends when its event is set.
        """
        # gunicorn closes the socket itself.
        self._descriptor = listener.detach()
        self._open_book = open_book
        self._follow = follow
        super().__init__()

    def load_config(self) -> None:
        options = {
            "bind": [f"fd://{self._descriptor}"],
            "worker_class": _Worker,
            "threads": THREADS,
            "loglevel": "warning",
            "control_socket_disable": True,
            "forwarded_allow_ips": "",
            "forwarder_headers": "",
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the app, and start the thread that follows the service."""
        book = self._open_book()
        # A daemon thread may be stopped while it writes a line. The next start ignores an incomplete line.
        threading.Thread(target=self._follow, args=(book, threading.Event()), daemon=True).start()
        return create_app(book)
