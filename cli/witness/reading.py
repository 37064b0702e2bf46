"""Read the answers of the watched service, within limits of time and size: the service may attack the witness."""

from __future__ import annotations

import io
import math
import socket
import time
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any

from cli.client import Client, RequestRefused, ServiceAnswer
from cli.terminal import ServiceUnavailable, WrongSetting, WrongUsage
from proofs.errors import BadKey
from proofs.keys import PublicKey, read_keys

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SECONDS = 30.0
"""Timeout of one answer in seconds."""
MOST_BYTES = 16 << 20
"""Maximum bytes of one answer, with its headers."""
_NOT_ADMITTED = {401, 403}


class ReadingBudget:
    """Seconds and bytes that several answers share."""

    def __init__(self, seconds: float, bytes_: int) -> None:
        self.deadline = time.monotonic() + seconds
        self.bytes = bytes_


class _Foreign(ServiceUnavailable):
    """The answer does not come from a Driftlog service."""


class LimitedClient(Client):
    """A client with limits: `SECONDS` and `MOST_BYTES` for each answer, and a shared budget for all answers."""

    def __init__(self, url: str) -> None:
        super().__init__(url, seconds=SECONDS)
        self._shared = ReadingBudget(math.inf, 1 << 62)
        self._connection.response_class = self._limit  # type: ignore[assignment]

    def share(self, budget: ReadingBudget) -> None:
        """Count the next answers against this budget, too."""
        self._shared = budget

    def request(self, *arguments: Any, **named: Any) -> ServiceAnswer:
        """Send a request, as in `Client`. A redirect is an error."""
        answer = super().request(*arguments, **named)
        if answer.status >= 300:
            raise _Foreign(f"{self.url} redirects to {answer.headers['Location']}: use the service's own address")
        return answer

    def document(self, path: str) -> dict[str, Any]:
        """Return the JSON object at `path`."""
        try:
            found = self.get(path)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise _Foreign(
                f"{self.url} is not a Driftlog service: it does not answer {path.partition('?')[0]} like one"
            )
        return found

    def keys(self) -> list[PublicKey]:
        """Return the keys that the service publishes."""
        try:
            return read_keys(self.request("GET", "/v1/keys").body)
        except (BadKey, RecursionError) as error:
            raise ServiceUnavailable(f"{self.url}/v1/keys: {error}") from None

    def require_access(self) -> None:
        """Check that the token can read every game, because the service hides games that a token may not read.

        Raises:
            WrongSetting: the token cannot read every game.
            WrongUsage: there is no Driftlog service at the address.
            Failure: the service does not answer.
        """
        try:
            session = self.document("/v1/session")
        except RequestRefused as error:
            if error.status in _NOT_ADMITTED:
                raise WrongSetting(
                    f"the service rejects the witness ({error.message}): set DRIFTLOG_TOKEN to a viewer's token"
                ) from None
            raise
        except _Foreign as error:
            raise WrongUsage(error.message) from None
        if session.get("game") is not None or session.get("seat") is not None:
            raise WrongSetting(
                f"the token is only for game {session.get('game')}: set DRIFTLOG_TOKEN to a viewer's token for "
                "all games"
            )

    def _limit(self, sock: socket.socket, *arguments: Any, **named: Any) -> HTTPResponse:
        response = HTTPResponse(sock, *arguments, **named)
        response.fp.close()
        response.fp = io.BufferedReader(_Limited(sock, ReadingBudget(SECONDS, MOST_BYTES), self._shared, self.url))
        return response


class _Limited(io.RawIOBase):
    def __init__(self, sock: socket.socket, own: ReadingBudget, shared: ReadingBudget, url: str) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._budgets = (own, shared)
        self._url = url

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        left = min(budget.deadline for budget in self._budgets) - time.monotonic()
        if left <= 0:
            raise ServiceUnavailable(f"{self._url} answers too slowly")
        self._sock.settimeout(left)
        try:
            read = self._raw.readinto(buffer)
        except TimeoutError:
            raise ServiceUnavailable(f"{self._url} answers too slowly") from None
        for budget in self._budgets:
            budget.bytes -= read or 0
            if budget.bytes < 0:
                raise ServiceUnavailable(f"{self._url} sends too many bytes")
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()
