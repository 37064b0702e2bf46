"""The ledger: all requests and answers of the clients, for the checker to read afterwards."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Any, Literal

import msgspec

Fate = Literal["acknowledged", "refused", "unknown"]
MOST_SHOWN = 300
"""Maximum characters of a request or an answer that a fault shows."""


class Write(msgspec.Struct):
    """A request that changes something, with all its attempts, which share a key and a body."""

    kind: Literal["append", "open", "fork", "import"]
    key: str
    path: str
    drafts: int = 0
    """For an append: the number of events. Each carries `note(index)`."""
    body: bytes = b""
    if_match: int | None = None
    is_unsure: bool = False
    """True if an attempt without an answer may have been carried out: its connection broke, or the answer was 5xx."""
    answer: dict[str, Any] | None = None
    """The first answer with status 201."""
    job: str = ""
    """The address of the job that a 202 promised."""
    refusal: int | None = None
    """The status of the last refusal."""

    def note(self, index: int) -> str:
        """Return the note by which a reader of the log recognizes the event at `index` of the list."""
        return f"{self.key}#{index}"

    @property
    def fate(self) -> Fate:
        """The known result of the write."""
        if self.answer is not None:
            return "acknowledged"
        return "unknown" if self.is_unsure or self.refusal is None else "refused"


class Fault(msgspec.Struct, frozen=True):
    """Something that must not happen."""

    kind: str
    what: str


class Heard(msgspec.Struct):
    """The events of a game that one listener received, over all its connections."""

    path: str
    events: list[tuple[int, str]] = []
    """`seq` and hash of each event, in the order of arrival."""


class Ledger:
    """All data of a run, shared by its threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.began = time.monotonic()
        self.statuses: Counter[str] = Counter()
        """Number of attempts by status; `lost` without a complete answer, `not connected` if nothing was sent."""
        self.writes: list[Write] = []
        self.heard: list[Heard] = []
        self.faults: list[Fault] = []
        self.append_seconds: list[float] = []
        self.acknowledged_at: list[float] = []
        """Times at which appends were acknowledged, in seconds since the start of the run."""
        self.hostile: Counter[tuple[str, str]] = Counter()
        """Number of hostile requests by kind and result."""
        self.slowest: dict[str, float] = {}
        """Seconds until the slowest answer, by kind of hostile request."""

    @property
    def now(self) -> float:
        """Seconds since the start of the run."""
        return time.monotonic() - self.began

    def count(self, status: int | Literal["lost", "not connected"]) -> None:
        """Count an attempt that was answered or lost."""
        with self._lock:
            self.statuses[str(status)] += 1

    def write(self, write: Write) -> Write:
        """Record a write before its first attempt."""
        self.writes.append(write)
        return write

    def took(self, seconds: float) -> None:
        """Record that an append was acknowledged `seconds` after it was sent."""
        self.append_seconds.append(seconds)
        self.acknowledged_at.append(self.now)

    def fault(self, kind: str, what: str) -> None:
        """Record a fault."""
        self.faults.append(Fault(kind, f"{self.now:.1f} s: {what}"))

    def record_attack(self, kind: str, outcome: str, seconds: float) -> None:
        """Record the result of a hostile request."""
        with self._lock:
            self.hostile[kind, outcome] += 1
            self.slowest[kind] = max(seconds, self.slowest.get(kind, 0.0))


def shorten(body: Any) -> str:
    """Return the beginning of a body, to show in a fault."""
    text = body.decode(errors="replace") if isinstance(body, bytes) else str(body)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
