"""Errors: the service rejects a call (`Problem`), does not answer (`Unreachable`), or a job fails (`JobFailed`)."""

from __future__ import annotations

import json
from typing import Any, cast

from driftlog_client import types


class DriftlogError(Exception):
    """The base class of all errors of the client."""


class Unreachable(DriftlogError):
    """The service did not answer any attempt."""


class JobFailed(DriftlogError):
    """A job failed."""

    def __init__(self, job: types.Job | types.Audit) -> None:
        super().__init__(job["error"])
        self.job = job


class Problem(DriftlogError):
    """The service rejected a call.

    `type` is the path of the page that explains the problem; `document` is the whole problem.
    """

    def __init__(self, document: types.Problem, retry_after: float | None = None) -> None:
        super().__init__(f"{document['title']}: {document['detail']}")
        self.document = document
        self.retry_after = retry_after
        """Seconds to wait before a retry, if the service gives them."""

    @property
    def type(self) -> str:
        """The kind of problem, such as `/problems/illegal-action`."""
        return self.document["type"]

    @property
    def slug(self) -> str:
        """The kind of problem without the path before it, such as `illegal-action`."""
        return self.type.rpartition("/")[2]

    @property
    def status(self) -> int:
        """The HTTP status code."""
        return self.document["status"]

    @property
    def detail(self) -> str:
        """The explanation of this occurrence."""
        return self.document["detail"]


class Invalid(Problem):
    """The request is malformed."""

    @property
    def errors(self) -> list[types.ProblemError]:
        """The position and reason of each error."""
        return self.document.get("errors", [])


class Unauthenticated(Problem):
    """A valid token is required."""


class Forbidden(Problem):
    """The token does not have the required permission."""

    @property
    def needs(self) -> types.Role | None:
        """The required role."""
        return self.document.get("needs")


class NotFound(Problem):
    """The resource does not exist."""


class Gone(Problem):
    """The game was deleted."""


class GameOver(Problem):
    """The game has ended."""

    @property
    def outcome(self) -> types.GameOutcome:
        """The game's outcome."""
        return self.document["outcome"]


class VersionConflict(Problem):
    """The game has newer events than the version in `if_match`."""

    @property
    def version(self) -> int:
        """The number of the game's last event."""
        return self.document["version"]


class IllegalAction(Problem):
    """The action is illegal now."""

    @property
    def rule(self) -> str:
        """The rulebook heading."""
        return self.document["rule"]

    @property
    def message(self) -> str:
        """The reason, as a sentence for players."""
        return self.document["message"]

    @property
    def index(self) -> int | None:
        """The position of the illegal action in the sent list."""
        return self.document.get("index")

    @property
    def left_out(self) -> list[types.LeftOutStep]:
        """The steps to mark as skipped, so that the action becomes legal in a game recorded as played."""
        return self.document.get("left_out", [])


class UnsoundTable(Problem):
    """The facts describe an impossible table."""

    @property
    def violations(self) -> list[types.Violation]:
        """The contradictions in the facts."""
        return self.document["violations"]


class OutcomeRequired(Problem):
    """The rules need the result of a draw or roll at the table."""

    @property
    def chance(self) -> types.ChancePoint:
        """The possible results and their probabilities."""
        return self.document["chance"]


class ImpossibleOutcome(OutcomeRequired):
    """This result is impossible."""

    @property
    def given(self) -> str | int:
        """The result that was sent."""
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
"""Problems with a class of their own. All others are plain `Problem`s."""


def problem(status: int, content: bytes, retry_after: str | None) -> Problem:
    """Return the problem in a response. If the response has none, as from a proxy, create one from the HTTP status."""
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
