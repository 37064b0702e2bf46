"""A client of the REST API that records if it does not know the result of a request."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Mapping
from email.message import Message
from typing import Any

import msgspec

from tests.soak.ledger import Ledger, Write, shorten

Address = tuple[str, int]
SECONDS = 30.0
"""Timeout of an answer in seconds."""
GIVING_UP = 30.0
"""Seconds after the end of the run during which writes are still repeated."""
LATER = frozenset({429, 503})
REFUSED = frozenset({409, 412, 422})
"""Accepted error answers to a valid write in a shared game."""
BROKEN_TRIES = 3
"""Maximum attempts for a write with a 5xx answer other than 503."""


class Lost(Exception):
    """No complete answer arrived."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(repr(cause))
        self.is_unsure = not isinstance(cause, ConnectionRefusedError)
        """True if the request may have been carried out."""


class Setting(msgspec.Struct, frozen=True):
    """Data that all participants of a run share."""

    address: Address
    ledger: Ledger
    over: threading.Event
    """Set at the end of the run: participants begin nothing new, and finish their open requests."""


class Answer(msgspec.Struct, frozen=True):
    """The answer to a request."""

    status: int
    headers: Message
    body: bytes

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Client:
    """A connection for one thread, reopened when it is lost."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.ledger = setting.ledger
        self._address = setting.address
        self._over = setting.over
        self._rng = rng
        self._connection: http.client.HTTPConnection | None = None
        self._ended = 0.0

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request.

        Raises:
            Lost: no complete answer arrived.
        """
        if self._connection is None:
            self._connection = http.client.HTTPConnection(*self._address, timeout=SECONDS)
        try:
            self._connection.request(method, path, body, dict(headers or {}))
            response = self._connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            lost = Lost(error)
            self.ledger.count("lost" if lost.is_unsure else "not connected")
            raise lost from error
        self.ledger.count(answer.status)
        return answer

    def read(self, path: str) -> Answer | None:
        """Return the answer to a GET; None if there is none at the moment, or the run is over."""
        while not self._over.is_set():
            try:
                answer = self.ask("GET", path)
            except Lost:
                self._pause()
                continue
            if answer.status in LATER:
                self._pause()
                continue
            if answer.status >= 400:
                self._report_unexpected("GET", path, None, answer)
                return None
            return answer
        return None

    def write(
        self, write: Write, document: Any, *, if_match: int | None = None, media_type: str = "application/json"
    ) -> Answer | None:
        """Send a write until it is answered; None if it was given up. The result is stored in `write`."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        headers = {"Content-Type": media_type, "Idempotency-Key": f'"{write.key}"'}
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        write.body, write.if_match = body, if_match
        tries = BROKEN_TRIES
        while tries and not self._is_given_up():
            began = time.monotonic()
            try:
                answer = self.ask("POST", write.path, body, headers)
            except Lost as lost:
                write.is_unsure |= lost.is_unsure
                self._pause()
                continue
            if answer.status < 500 and answer.status not in LATER:
                if write.kind == "append" and answer.status == 201 and write.answer is None:
                    self.ledger.took(time.monotonic() - began)
                self._settle(write, body, answer, is_conditional=if_match is not None)
                return answer
            write.is_unsure |= answer.status >= 500
            if answer.status not in LATER:
                self._report_unexpected("POST", write.path, body, answer)
                tries -= 1
            self._pause()
        return None

    def _is_given_up(self) -> bool:
        """Return True if the run ended so long ago that nothing is repeated any more."""
        if not self._over.is_set():
            return False
        self._ended = self._ended or time.monotonic()
        return time.monotonic() > self._ended + GIVING_UP

    def is_ready(self, seconds: float) -> bool:
        """Wait until the service is ready; return False if it is not within `seconds`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.ask("GET", "/readyz").status == 200:
                    return True
            except Lost:
                pass
            self._pause()
        return False

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _settle(self, write: Write, body: bytes, answer: Answer, *, is_conditional: bool) -> None:
        """Record the final answer to a write or to its repeat."""
        if answer.status == 201:
            if write.answer is None:
                write.answer = answer.document
            else:
                self._compare(write, answer)
        elif answer.status == 412 and not is_conditional:
            write.refusal = answer.status
            self.ledger.fault("412 without If-Match", f"POST {write.path} {shorten(body)} → {shorten(answer.body)}")
        elif answer.status in REFUSED and write.answer is None:
            write.refusal = answer.status
        elif answer.status == 202:
            write.job = answer.headers["Location"]
        elif answer.status != 200:
            write.refusal = answer.status
            self._report_unexpected("POST", write.path, body, answer)

    def _compare(self, write: Write, answer: Answer) -> None:
        assert write.answer is not None
        again = answer.document
        members = ("version", "events", "stopped") if write.kind == "append" else ("id", "version")
        differing = [name for name in members if again.get(name) != write.answer.get(name)]
        if differing or answer.headers.get("Idempotent-Replayed") != "true":
            self.ledger.fault("a repeat is answered otherwise", f"{write.path} {write.key}: {differing or 'no header'}")

    def _report_unexpected(self, method: str, path: str, body: bytes | None, answer: Answer) -> None:
        kind = f"answered {answer.status}"
        self.ledger.fault(kind, f"{method} {path} {shorten(body or '')} → {shorten(answer.body)}")

    def _pause(self) -> None:
        # Repeat earlier than Retry-After says: repeats are part of the load.
        time.sleep(self._rng.uniform(0.05, 0.5))
