"""A small client of the API, for the commands that talk to a running service."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec

from api.terminal import Exit, Failure, bar

DEFAULT_URL = "http://127.0.0.1:8000"
PATIENCE = 60.0
POLL_SECONDS = 0.05
_CHUNK = 1 << 16


class Answer(msgspec.Struct, frozen=True):
    """What the service answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Client:
    """Talks to the service at `url`.

    What goes wrong ends the command: no service there, or a problem document.
    """

    def __init__(self, url: str, *, seconds: float = PATIENCE) -> None:
        """
        Args:
            seconds: how long to wait for an answer.
        """
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Failure(f"{url} is not the address of a service", Exit.USAGE)
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._prefix = parts.path.rstrip("/")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=seconds)

    def get(self, path: str) -> Any:
        """A JSON document."""
        return self.request("GET", path).json()

    def post(self, path: str, document: Any, **headers: str) -> Answer:
        """Send a JSON document."""
        return self.request("POST", path, msgspec.json.encode(document), "application/json", **headers)

    def request(
        self, method: str, path: str, body: bytes | None = None, media_type: str | None = None, **headers: str
    ) -> Answer:
        """Send a request. Keyword arguments are headers, `_` for `-`.

        Raises:
            Failure: there is no service, or it answered with a problem.
        """
        with self._answered(method, path, body, media_type, headers) as response:
            return Answer(response.status, response.headers, response.read())

    def stream(self, path: str) -> Iterator[bytes]:
        """The body of an answer, as it comes.

        Raises:
            Failure: as `request`.
        """
        with self._answered("GET", path, None, None, {}) as response:
            while chunk := response.read1(_CHUNK):
                yield chunk

    def answers(self) -> bool:
        """Whether a Driftlog service is there."""
        try:
            return bool(self.get("/healthz") == {"status": "ok"})
        except (Failure, ValueError):
            return False

    def finished(self, path: str, label: str) -> Any:
        """The document of long work, once it is done.

        Raises:
            Failure: it failed, or no worker begins it.
        """
        deadline = time.monotonic() + PATIENCE
        with bar(label) as progress:
            while True:
                document = self.get(path)
                if document["status"] == "done":
                    return document
                if document["status"] == "failed":
                    raise Failure(f"the {label} failed: {document['error']}", Exit.NEGATIVE)
                if document["status"] == "queued" and time.monotonic() > deadline:
                    raise Failure(f"no worker begins the {label}: is there one?", Exit.UNAVAILABLE)
                progress.show(document["progress"], 1.0)
                time.sleep(POLL_SECONDS)

    @contextmanager
    def _answered(
        self, method: str, path: str, body: bytes | None, media_type: str | None, headers: dict[str, str]
    ) -> Iterator[http.client.HTTPResponse]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if media_type is not None:
            named["Content-Type"] = media_type
        try:
            self._connection.request(method, self._prefix + path, body, named)
            response = self._connection.getresponse()
            if response.status >= 400:
                raise Failure(_refusal(response), Exit.NEGATIVE if response.status < 500 else Exit.UNAVAILABLE)
            yield response
        except (OSError, http.client.HTTPException) as error:
            message = f"no service answers at {self.url} ({error}): `driftlog serve` starts one"
            raise Failure(message, Exit.UNAVAILABLE) from None
        finally:
            self._connection.close()


def _refusal(response: http.client.HTTPResponse) -> str:
    """What a problem document says, in a line."""
    body = response.read()
    try:
        problem = json.loads(body)
        return f"{problem['title']}: {problem['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"the service answered {response.status} {response.reason}"
