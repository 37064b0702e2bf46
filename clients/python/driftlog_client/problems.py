"""What goes wrong: the service refuses (`Problem`), is not there (`Unreachable`), or long work fails (`JobFailed`)."""

from __future__ import annotations

import json
from typing import Any, cast

from driftlog_client import types


class DriftlogError(Exception):
    """Whatever goes wrong between this client and its service."""


class Unreachable(DriftlogError):
    """There was no answer, however often it was asked for."""


class JobFailed(DriftlogError):
    """Long work failed."""

    def __init__(self, job: types.Job | types.Audit) -> None:
        super().__init__(job["error"])
        self.job = job


class Problem(DriftlogError):
    """The service refuses. `type` says why, and answers GET with an explanation; `document` is all that it says."""

    def __init__(self, document: types.Problem, retry_after: float | None = None) -> None:
        super().__init__(f"{document['title']}: {document['detail']}")
        self.document = document
        self.retry_after = retry_after
        """Seconds after which to ask again, if the service says."""

    @property
    def type(self) -> str:
        """Such as `/problems/illegal-action`."""
        return self.document["type"]

    @property
    def slug(self) -> str:
        """Such as `illegal-action`."""
        return self.type.rpartition("/")[2]

    @property
    def status(self) -> int:
        """Of HTTP."""
        return self.document["status"]

    @property
    def detail(self) -> str:
        """What happened here."""
        return self.document["detail"]


class Invalid(Problem):
    """What was sent does not have its form."""

    @property
    def errors(self) -> list[types.ProblemError]:
        """Where, and why."""
        return self.document.get("errors", [])


class Unauthenticated(Problem):
    """It takes a token, and one that is in force."""


class Forbidden(Problem):
    """The token does not reach so far."""

    @property
    def needs(self) -> types.Role | None:
        """The role that it takes."""
        return self.document.get("needs")


class NotFound(Problem):
    """There is no such thing."""


class Gone(Problem):
    """The game was deleted."""


class GameOver(Problem):
    """The game has ended."""

    @property
    def outcome(self) -> types.GameOutcome:
        """How."""
        return self.document["outcome"]


class VersionConflict(Problem):
    """The game has moved on since the version of `if_match`."""

    @property
    def version(self) -> int:
        """Its last event."""
        return self.document["version"]


class IllegalAction(Problem):
    """The rules forbid it now."""

    @property
    def rule(self) -> str:
        """The rulebook's heading."""
        return self.document["rule"]

    @property
    def message(self) -> str:
        """The sentence that a player reads."""
        return self.document["message"]

    @property
    def index(self) -> int | None:
        """Which of a list it is."""
        return self.document.get("index")

    @property
    def left_out(self) -> list[types.LeftOutStep]:
        """Steps without which it would be legal, in a game recorded as played."""
        return self.document.get("left_out", [])


class UnsoundTable(Problem):
    """This table is impossible."""

    @property
    def violations(self) -> list[types.Violation]:
        """What stands against it."""
        return self.document["violations"]


class OutcomeRequired(Problem):
    """The rules ask chance, and the table has to say what came up."""

    @property
    def chance(self) -> types.ChancePoint:
        """All that can have, and how likely."""
        return self.document["chance"]


class ImpossibleOutcome(OutcomeRequired):
    """This result is impossible."""

    @property
    def given(self) -> str | int:
        """What was said to have."""
        return self.document["given"]


KINDS: dict[str, type[Problem]] = {
    "malformed": Invalid,
    "invalid": Invalid,
    "unauthenticated": Unauthenticated,
    "forbidden": Forbidden,
    "not-found": NotFound,
    "gone": Gone,
    "game-over": GameOver,
    "version-conflict": VersionConflict,
    "illegal-action": IllegalAction,
    "unsound-table": UnsoundTable,
    "outcome-required": OutcomeRequired,
    "impossible-outcome": ImpossibleOutcome,
}
"""Problems that have a class of their own; every other is a `Problem`."""


def problem(status: int, content: bytes, retry_after: str | None) -> Problem:
    """The problem that an answer tells; of what stands in between and knows no problems, its status."""
    document: Any
    try:
        document = json.loads(content)
    except ValueError:
        document = None
    if not isinstance(document, dict) or not {"type", "title", "status", "detail"} <= document.keys():
        said = f"HTTP {status}"
        document = {"type": "about:blank", "title": "No answer of Driftlog", "status": status, "detail": said}
    told = cast("types.Problem", document)
    kind = KINDS.get(told["type"].rpartition("/")[2], Problem)
    return kind(told, float(retry_after) if retry_after is not None and retry_after.isdecimal() else None)
