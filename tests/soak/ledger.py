"""What was sent and what was answered: the clients write it down while they play, the checker reads it afterwards."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Any, Literal

import msgspec

Fate = Literal["acknowledged", "refused", "unknown"]
MOST_SHOWN = 300
"""Characters of a request or an answer that a fault shows."""


class Write(msgspec.Struct):
    """One request that changes something, with all its attempts: they share its key and its body."""

    kind: Literal["append", "open", "fork", "import"]
    key: str
    path: str
    drafts: int = 0
    """Of an append: how many events it asks for. Each carries `note(index)`."""
    body: bytes = b""
    if_match: int | None = None
    is_unsure: bool = False
    """Whether an attempt may have been carried out that nobody answered for: its line was cut, or it was a 5xx."""
    answer: dict[str, Any] | None = None
    """The first 201."""
    job: str = ""
    """The address of the job that a 202 promised."""
    refusal: int | None = None
    """The status by which the last attempt was refused."""

    def note(self, index: int) -> str:
        """By what the log's reader knows the event at `index` of the list."""
        return f"{self.key}#{index}"

    @property
    def fate(self) -> Fate:
        """What is known of it."""
        if self.answer is not None:
            return "acknowledged"
        return "unknown" if self.is_unsure or self.refusal is None else "refused"


class Fault(msgspec.Struct, frozen=True):
    """Something that must not be."""

    kind: str
    what: str


class Heard(msgspec.Struct):
    """What one listener heard of one game, over all its connections."""

    path: str
    events: list[tuple[int, str]] = []
    """`seq` and hash, in the order in which they came."""


class Ledger:
    """All of a run; threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.began = time.monotonic()
        self.statuses: Counter[str] = Counter()
        """By status; `lost` where no whole answer came, `not connected` where nothing was sent."""
        self.writes: list[Write] = []
        self.heard: list[Heard] = []
        self.faults: list[Fault] = []
        self.append_seconds: list[float] = []
        self.acknowledged_at: list[float] = []
        """When appends were acknowledged, in seconds since the run began."""
        self.hostile: Counter[tuple[str, str]] = Counter()
        """By kind of request and what came of it."""
        self.slowest: dict[str, float] = {}
        """Of each hostile kind, seconds until the slowest answer."""

    @property
    def now(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def count(self, status: int | Literal["lost", "not connected"]) -> None:
        """An attempt was answered, or lost."""
        with self._lock:
            self.statuses[str(status)] += 1

    def write(self, write: Write) -> Write:
        """A write is about to be sent for the first time."""
        self.writes.append(write)
        return write

    def took(self, seconds: float) -> None:
        """An append was acknowledged, `seconds` after it was sent."""
        self.append_seconds.append(seconds)
        self.acknowledged_at.append(self.now)

    def fault(self, kind: str, what: str) -> None:
        """Note something that must not be."""
        self.faults.append(Fault(kind, f"{self.now:.1f} s: {what}"))

    def attacked(self, kind: str, outcome: str, seconds: float) -> None:
        """A hostile request was answered, or not."""
        with self._lock:
            self.hostile[kind, outcome] += 1
            self.slowest[kind] = max(seconds, self.slowest.get(kind, 0.0))


def shown(body: Any) -> str:
    """Return the beginning of a body, for a fault."""
    text = body.decode(errors="replace") if isinstance(body, bytes) else str(body)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
