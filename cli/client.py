"""A small client of the API, for the commands that talk to a running service."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from cli.remote import address, token
from cli.terminal import Failure, Negative, Unavailable, bar

if TYPE_CHECKING:
    from email.message import Message
    from http.client import HTTPResponse

PATIENCE = 60.0
POLL_SECONDS = 0.05
_CHUNK = 1 << 16


class Answer(msgspec.Struct, frozen=True):
    """What the service answered."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Refused(Negative):
    """The service refuses, and says why in a problem document."""

    def __init__(self, message: str, problem: dict[str, Any]) -> None:
        super().__init__(message)
        self.problem = problem


class Client:
    """Talks to the service at `url`, by the token that is there for it.

    What goes wrong ends the command: no service there, or a problem document. What a service refuses because it has too
    much to do is sent again when it says.
    """

    def __init__(self, url: str, *, seconds: float = PATIENCE, is_known: bool = False) -> None:
        """
        Args:
            seconds: how long to wait for an answer.
            is_known: whether it is known by its address, so that its certificate need not prove it; it is sent no
                token.
        """
        # HTTP and TLS take longer to load than most of what the shell asks as somebody presses Tab.
        import ssl
        from http.client import HTTPConnection, HTTPSConnection

        scheme, host, port, self._prefix = address(url)
        self.url = (url if "://" in url else f"http://{url}").rstrip("/")
        self._seconds = seconds
        proof = "" if is_known else token(url)
        self._proof = {"Authorization": f"Bearer {proof}"} if proof else {}
        self._connection = HTTPConnection(host, port, timeout=seconds)
        if scheme == "https":
            context = ssl.create_default_context()
            if is_known:
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self._connection = HTTPSConnection(host, port, timeout=seconds, context=context)

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
        """The body of an answer, as it comes; where a worker has to make it first, once it has.

        Raises:
            Failure: as `request`, and `finished`.
        """
        with self._answered("GET", path, None, None, {}) as response:
            is_made = response.status != 202
            while is_made and (chunk := response.read1(_CHUNK)):
                yield chunk
            job = response.headers["Location"]
        if not is_made:
            self.finished(job, "export")
            yield from self.stream(path)

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
                    raise Negative(f"the {label} failed: {document['error']}")
                if document["status"] == "queued" and time.monotonic() > deadline:
                    raise Unavailable(f"no worker begins the {label}: is there one?")
                progress.show(document["progress"], 1.0)
                time.sleep(POLL_SECONDS)

    @contextmanager
    def _answered(
        self, method: str, path: str, body: bytes | None, media_type: str | None, headers: dict[str, str]
    ) -> Iterator[HTTPResponse]:
        from http.client import HTTPException

        named = {**self._proof, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if media_type is not None:
            named["Content-Type"] = media_type
        deadline = time.monotonic() + self._seconds
        try:
            while True:
                self._connection.request(method, self._prefix + path, body, named)
                response = self._connection.getresponse()
                if response.status < 400:
                    break
                problem = _problem(response)
                pause = _pause(response, problem)
                if pause is None or time.monotonic() + pause > deadline:
                    raise _refusal(response, problem)
                self._connection.close()
                time.sleep(pause)
            yield response
        except (OSError, HTTPException) as error:
            message = f"no service answers at {self.url} ({error}): `driftlog serve` starts one"
            raise Unavailable(message) from None
        finally:
            self._connection.close()


def _problem(response: HTTPResponse) -> Any:
    """The problem document; None where it is none."""
    try:
        return json.loads(response.read())
    except ValueError:
        return None


def _pause(response: HTTPResponse, problem: Any) -> float | None:
    """Seconds until the same may be asked again; None unless nothing was done, and it is only too much just now."""
    try:
        return float(response.headers["Retry-After"]) if problem["type"] == "/problems/overloaded" else None
    except (ValueError, KeyError, TypeError):
        return None


def _refusal(response: HTTPResponse, problem: Any) -> Failure:
    """What a problem document says, in a line."""
    try:
        title, detail = problem["title"], problem["detail"]
        # Of what is not there the detail says all that the title does.
        message = detail if problem["type"] == "/problems/not-found" else f"{title}: {detail}"
    except (KeyError, TypeError):
        message, problem = f"the service answered {response.status} {response.reason}", {}
    return Refused(message, problem) if response.status < 500 else Unavailable(message)
