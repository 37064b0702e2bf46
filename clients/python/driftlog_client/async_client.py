"""`AsyncClient`, whose methods are awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import Any, Self, Unpack, cast

import httpx

from driftlog_client import asking, streams, types
from driftlog_client.calls import Call, Value, call, part, read
from driftlog_client.operations import AsyncOperations
from driftlog_client.problems import JobFailed, Unreachable
from driftlog_client.retrying import Attempts
from driftlog_client.streams import GameMessage, LibraryMessage, Message, Reader


class AsyncClient(AsyncOperations):
    """A client of the service at `url`. It has a method for each operation of the contract, and the methods below.

    An error response raises a `Problem`. A call without a response raises `Unreachable`. A failed call is retried for
    up to `patience` seconds if that is safe. Every write is sent with an `Idempotency-Key`, yours or a new one, so that
    it is safe to retry. Close the client, or use it in `async with`.

    Args:
        token: the access token; an open service needs none.
        patience: seconds for which a call is retried.
        transport: the HTTP transport, for example one that trusts the service's certificate.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = asking.PATIENCE,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._patience = patience
        self._http = httpx.AsyncClient(base_url=url, headers=asking.headers(token), transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def send(self, call: Call) -> Any:
        response = await self._answer(call, is_whole=True)
        return read(call.form, response.content)

    async def each_game(self, **filters: Unpack[asking.Filters]) -> AsyncGenerator[types.ListedGame, None]:
        """Yield all matching games, newest first, fetching page by page."""
        cursor: str | None = None
        while True:
            page = await self.find_games(limit=200, cursor=cursor, **filters)
            for game in page["games"]:
                yield game
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def each_event(self, game_id: str, *, after: int = 0) -> AsyncGenerator[types.Event, None]:
        """Yield the events after `after`, fetching page by page."""
        while True:
            page = await self.read_events(game_id, after=after, limit=1000)
            for event in page["events"]:
                yield event
                after = event["seq"]
            if not page["events"] or after >= page["version"]:
                return

    async def watch_game(
        self, game_id: str, *, after: int = 0, viewer: types.Viewer | None = None, until: int | None = None
    ) -> AsyncGenerator[GameMessage, None]:
        """Yield the events after `after`: existing ones at once, later ones as they are recorded.

        If the connection breaks, the stream resumes after the last event. It ends after event `until`, or when a seeded
        game closes. It does not end when an observed game closes, because an observed game can be reopened.
        """
        reader = Reader(str(after) if after else "")
        query: dict[str, Value] = {"viewer": viewer, "until": until}
        async with aclosing(self._messages(f"/v1/games/{part(game_id)}/stream", query, reader)) as messages:
            async for message in messages:
                told = streams.of_game(message)
                yield told
                if isinstance(told, streams.Recorded) and told.event["seq"] == until:
                    return

    async def watch_library(
        self, *, after: str | None = None, **filters: Unpack[asking.Filters]
    ) -> AsyncGenerator[LibraryMessage, None]:
        """Yield every new event of all matching games, without end.

        With `after`, begin after that position of an earlier stream.
        """
        reader = Reader(after or "")
        async with aclosing(self._messages("/v1/stream", asking.of_games(filters), reader)) as messages:
            async for message in messages:
                yield streams.of_library(message, reader.last_id)

    async def export_game(
        self,
        game_id: str,
        format: types.ExportFormat = "json",
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the log of a game in a format. If a worker has to create the file, wait for the file first."""
        async with aclosing(self._file(asking.export(game_id, format=format, viewer=viewer, until=until))) as chunks:
            async for chunk in chunks:
                yield chunk

    async def print_game(self, game_id: str) -> AsyncGenerator[bytes, None]:
        """Yield the transcript of a game as PDF."""
        async with aclosing(self._file(call("GET", f"/games/{part(game_id)}/print.pdf"))) as chunks:
            async for chunk in chunks:
                yield chunk

    async def fetch_export(self, job: types.Job) -> AsyncGenerator[bytes, None]:
        """Yield the file of a job from `export_games`, once the job is done."""
        made = await self.wait_for_job(job)
        async with aclosing(self._file(call("GET", str((made["result"] or {})["file"])))) as chunks:
            async for chunk in chunks:
                yield chunk

    async def wait_for_job(self, job: types.Job) -> types.Job:
        """Return a job once it is done.

        Raises:
            JobFailed: the job failed.
        """
        return cast("types.Job", await self._wait(job, f"/v1/jobs/{part(job['id'])}"))

    async def run_audit(self, game_id: str, *, rules: str | None = None) -> types.Audit:
        """Audit a game, and return the report once it is done.

        Args:
            rules: a version of the rules to compare with.

        Raises:
            JobFailed: the audit failed.
        """
        ordered = await self.audit_game(game_id, {} if rules is None else {"rules": rules})
        where = f"/v1/games/{part(game_id)}/audits/{part(ordered['id'])}"
        return cast("types.Audit", await self._wait(ordered, where))

    async def _wait(self, work: types.Job | types.Audit, path: str) -> Any:
        for pause in asking.pauses():
            if work["status"] == "failed":
                raise JobFailed(work)
            if work["status"] == "done":
                break
            await asyncio.sleep(pause)
            work = await self.send(call("GET", path))
        return work

    async def _answer(self, asked: Call, *, is_whole: bool, seconds: float = asking.SECONDS) -> httpx.Response:
        """Send a call and return the successful response. If `is_whole`, read the whole body first."""
        attempts = Attempts(asked, self._patience)
        while True:
            try:
                response = await self._http.send(asking.request(self._http, asked, seconds), stream=True)
                if is_whole or not response.is_success:
                    await response.aread()
            except httpx.TransportError as error:
                pause = attempts.after_silence(error)
            else:
                if response.is_success:
                    return response
                pause = attempts.after_refusal(asking.refusal(response))
            await asyncio.sleep(pause)

    async def _file(self, asked: Call) -> AsyncGenerator[bytes, None]:
        while True:
            response = await self._answer(asked, is_whole=False)
            async with aclosing(response):
                if response.status_code != HTTPStatus.ACCEPTED:
                    try:
                        async for chunk in response.aiter_bytes():
                            yield chunk
                    except httpx.TransportError as error:
                        raise Unreachable(f"{asked.path}: the response ended too early ({error})") from error
                    return
                job: types.Job = read("json", await response.aread())
            await self.wait_for_job(job)

    async def _messages(self, path: str, query: dict[str, Value], reader: Reader) -> AsyncGenerator[Message, None]:
        while True:
            asked = asking.listening(path, query, reader)
            response = await self._answer(asked, is_whole=False, seconds=asking.SILENCE)
            async with aclosing(response):
                if response.status_code == HTTPStatus.NO_CONTENT:
                    return
                reader.begin()
                with suppress(httpx.TransportError):
                    async for chunk in response.aiter_bytes():
                        for message in reader.read(chunk):
                            yield message
            await asyncio.sleep(reader.pause)
