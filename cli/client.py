"""A small client of the API, for commands that talk to a running service."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from cli.remote import address, token
from cli.terminal import Failure, Negative, ServiceUnavailable, bar

if TYPE_CHECKING:
    from email.message import Message
    from http.client import HTTPResponse

PATIENCE = 60.0
POLL_SECONDS = 0.05
_CHUNK = 1 << 16


class ServiceAnswer(msgspec.Struct, frozen=True):
    """An answer of the service."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class RequestRefused(Negative):
    """The service rejected a request, with a problem document."""

    def __init__(self, message: str, problem: dict[str, Any], status: int) -> None:
        super().__init__(message)
        self.problem = problem
        self.status = status


class Client:
    """A client of the service at `url`, with the token stored for it.

    An error ends the command, such as an unreachable service or a problem document. If an overloaded service rejects a
    request, the client retries it after `Retry-After`.
    """

    def __init__(
        self, url: str, *, seconds: float = PATIENCE, is_known: bool = False, sends_token: bool = True
    ) -> None:
        """
        Args:
            seconds: timeout of an answer.
            is_known: True if the address identifies the service. The certificate is then ignored, and no token is sent.
            sends_token: False if the server is not the service to which the configured token belongs.
        """
        # Import late: loading HTTP and TLS takes longer than the rest of a Tab completion.
        import ssl
        from http.client import HTTPConnection, HTTPSConnection

        scheme, host, port, self._prefix = address(url)
        self.url = (url if "://" in url else f"http://{url}").rstrip("/")
        self._seconds = seconds
        proof = token(url) if sends_token and not is_known else ""
        self._proof = {"Authorization": f"Bearer {proof}"} if proof else {}
        self._connection = HTTPConnection(host, port, timeout=seconds)
        if scheme == "https":
            context = ssl.create_default_context()
            if is_known:
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self._connection = HTTPSConnection(host, port, timeout=seconds, context=context)

    def get(self, path: str) -> Any:
        """Return the JSON document at `path`."""
        return self.request("GET", path).json()

    def post(self, path: str, document: Any, **headers: str) -> ServiceAnswer:
        """Send a JSON document."""
        return self.request("POST", path, msgspec.json.encode(document), "application/json", **headers)

    def request(
        self, method: str, path: str, body: bytes | None = None, media_type: str | None = None, **headers: str
    ) -> ServiceAnswer:
        """Send a request. Keyword arguments are headers, with `_` instead of `-`."""
        with self._open(method, path, body, media_type, headers) as response:
            return ServiceAnswer(response.status, response.headers, response.read())

    def stream(self, path: str) -> Iterator[bytes]:
        """Yield the body of a response as it arrives. If a worker must create the file, wait for it first."""
        with self._open("GET", path, None, None, {}) as response:
            is_made = response.status != 202
            while is_made and (chunk := response.read1(_CHUNK)):
                yield chunk
            job = response.headers["Location"]
        if not is_made:
            self.wait_for_job(job, "export")
            yield from self.stream(path)

    def answers(self) -> bool:
        """Return True if a Driftlog service answers."""
        try:
            return bool(self.get("/healthz") == {"status": "ok"})
        except (Failure, ValueError, RecursionError):
            return False

    def wait_for_job(self, path: str, label: str) -> Any:
        """Return the document of a job once it is done; raise a `Failure` if the job fails, or no worker starts it."""
        deadline = time.monotonic() + PATIENCE
        with bar(label) as progress:
            while True:
                document = self.get(path)
                if document["status"] == "done":
                    return document
                if document["status"] == "failed":
                    raise Negative(f"the {label} failed: {document['error']}")
                if document["status"] == "queued" and time.monotonic() > deadline:
                    raise ServiceUnavailable(f"no worker starts the {label}: run `driftlog worker`")
                progress.show(document["progress"], 1.0)
                time.sleep(POLL_SECONDS)

    @contextmanager
    def _open(
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
            message = f"no service answers at {self.url} ({error}): `driftlog serve` starts one, `--url` names another"
            raise ServiceUnavailable(message) from None
        finally:
            self._connection.close()


def _problem(response: HTTPResponse) -> Any:
    try:
        return json.loads(response.read())
    except (ValueError, RecursionError):
        return None


def _pause(response: HTTPResponse, problem: Any) -> float | None:
    """Return the seconds to wait before a retry; None if the service did not reject the request because of overload."""
    try:
        pause = float(response.headers["Retry-After"])
        return pause if pause >= 0 and problem["type"] == "/problems/overloaded" else None
    except (ValueError, KeyError, TypeError):
        return None


def _refusal(response: HTTPResponse, problem: Any) -> Failure:
    try:
        title, detail = problem["title"], problem["detail"]
        # The detail is enough for a 404, and if it begins with the title.
        is_enough = problem["type"] == "/problems/not-found" or detail.startswith(title)
        message = detail if is_enough else f"{title}: {detail}"
    except (AttributeError, KeyError, TypeError):
        message = f"the service answered {response.status} {response.reason}"
        problem = problem if isinstance(problem, dict) else {}
    return RequestRefused(message, problem, response.status) if response.status < 500 else ServiceUnavailable(message)
