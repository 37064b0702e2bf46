"""The client that is called."""

# Made from async_client.py by `make openapi`.

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing, suppress
from http import HTTPStatus
from typing import Any, Self, Unpack, cast

import httpx

from driftlog_client import asking, streams, types
from driftlog_client.calls import Call, Value, call, part, read
from driftlog_client.operations import Operations
from driftlog_client.problems import JobFailed, Unreachable
from driftlog_client.retrying import Attempts
from driftlog_client.streams import GameMessage, LibraryMessage, Message, Reader


class Client(Operations):
    """Speaks to the service at `url`: a method for each operation of its contract, and what follows below.

    What the service refuses is raised as a `Problem`, and `Unreachable` where no answer comes. A call is sent again
    while there is patience, if it is done once all the same; so what is written carries an `Idempotency-Key`, of its
    own or the caller's. Close it, or use it in `with`.

    Args:
        token: by which the service lets the caller in; an open one asks for none.
        patience: seconds for which a call is tried.
        transport: to reach the service by, such as one that knows its certificate.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = asking.PATIENCE,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._patience = patience
        self._http = httpx.Client(base_url=url, headers=asking.headers(token), transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of its connections."""
        self._http.close()

    def send(self, call: Call) -> Any:
        response = self._answer(call, is_whole=True)
        return read(call.form, response.content)

    def each_game(self, **filters: Unpack[asking.Filters]) -> Generator[types.ListedGame, None, None]:
        """All games that fit, newest first: page by page."""
        cursor: str | None = None
        while True:
            page = self.find_games(limit=200, cursor=cursor, **filters)
            for game in page["games"]:
                yield game
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def each_event(self, game_id: str, *, after: int = 0) -> Generator[types.Event, None, None]:
        """The whole log, from the event after `after`: page by page."""
        while True:
            page = self.read_events(game_id, after=after, limit=1000)
            for event in page["events"]:
                yield event
                after = event["seq"]
            if not page["events"] or after >= page["version"]:
                return

    def watch_game(
        self, game_id: str, *, after: int = 0, viewer: types.Viewer | None = None, until: int | None = None
    ) -> Generator[GameMessage, None, None]:
        """The log as it grows, from the event after `after`: what is there at once, the rest as it is recorded.

        Where the connection ends it goes on behind the last event. It is over with event `until`, and with a seeded
        game; an observed one may be opened again.
        """
        reader = Reader(str(after) if after else "")
        query: dict[str, Value] = {"viewer": viewer, "until": until}
        with closing(self._messages(f"/v1/games/{part(game_id)}/stream", query, reader)) as messages:
            for message in messages:
                told = streams.of_game(message)
                yield told
                if isinstance(told, streams.Recorded) and told.event["seq"] == until:
                    return

    def watch_library(
        self, *, after: str | None = None, **filters: Unpack[asking.Filters]
    ) -> Generator[LibraryMessage, None, None]:
        """Every event of every game that fits, from now on, or from the place `after`: for ever."""
        reader = Reader(after or "")
        with closing(self._messages("/v1/stream", asking.of_games(filters), reader)) as messages:
            for message in messages:
                yield streams.of_library(message, reader.last_id)

    def export_game(
        self,
        game_id: str,
        format: types.ExportFormat = "json",
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
    ) -> Generator[bytes, None, None]:
        """The log of a game in a format, as it comes; where a worker has to make it first, once it has."""
        with closing(self._file(asking.export(game_id, format=format, viewer=viewer, until=until))) as chunks:
            for chunk in chunks:
                yield chunk

    def print_game(self, game_id: str) -> Generator[bytes, None, None]:
        """The transcript of a game as PDF."""
        with closing(self._file(call("GET", f"/games/{part(game_id)}/print.pdf"))) as chunks:
            for chunk in chunks:
                yield chunk

    def fetch_export(self, job: types.Job) -> Generator[bytes, None, None]:
        """The file of many games that `export_games` ordered, once it is made."""
        made = self.finished(job)
        with closing(self._file(call("GET", str((made["result"] or {})["file"])))) as chunks:
            for chunk in chunks:
                yield chunk

    def finished(self, job: types.Job) -> types.Job:
        """Long work, once it is done.

        Raises:
            JobFailed: it failed.
        """
        return cast("types.Job", self._done(job, f"/v1/jobs/{part(job['id'])}"))

    def audited(self, game_id: str, *, rules: str | None = None) -> types.Audit:
        """The report of an audit, once it is done.

        Args:
            rules: a version of the rules to compare with.

        Raises:
            JobFailed: it failed.
        """
        ordered = self.audit_game(game_id, {} if rules is None else {"rules": rules})
        where = f"/v1/games/{part(game_id)}/audits/{part(ordered['id'])}"
        return cast("types.Audit", self._done(ordered, where))

    def _done(self, work: types.Job | types.Audit, path: str) -> Any:
        for pause in asking.pauses():
            if work["status"] == "failed":
                raise JobFailed(work)
            if work["status"] == "done":
                break
            time.sleep(pause)
            work = self.send(call("GET", path))
        return work

    def _answer(self, asked: Call, *, is_whole: bool, seconds: float = asking.SECONDS) -> httpx.Response:
        """An answer that refuses nothing; unless it is to be whole, its body is still to come."""
        attempts = Attempts(asked, self._patience)
        while True:
            try:
                response = self._http.send(asking.request(self._http, asked, seconds), stream=True)
                if is_whole or not response.is_success:
                    response.read()
            except httpx.TransportError as error:
                pause = attempts.after_silence(error)
            else:
                if response.is_success:
                    return response
                pause = attempts.after_refusal(asking.refusal(response))
            time.sleep(pause)

    def _file(self, asked: Call) -> Generator[bytes, None, None]:
        while True:
            response = self._answer(asked, is_whole=False)
            with closing(response):
                if response.status_code != HTTPStatus.ACCEPTED:
                    try:
                        for chunk in response.iter_bytes():
                            yield chunk
                    except httpx.TransportError as error:
                        raise Unreachable(f"{asked.path}: it ends before it is whole ({error})") from error
                    return
                job: types.Job = read("json", response.read())
            self.finished(job)

    def _messages(self, path: str, query: dict[str, Value], reader: Reader) -> Generator[Message, None, None]:
        while True:
            asked = asking.listening(path, query, reader)
            response = self._answer(asked, is_whole=False, seconds=asking.SILENCE)
            with closing(response):
                if response.status_code == HTTPStatus.NO_CONTENT:
                    return
                reader.begin()
                with suppress(httpx.TransportError):
                    for chunk in response.iter_bytes():
                        for message in reader.read(chunk):
                            yield message
            time.sleep(reader.pause)
