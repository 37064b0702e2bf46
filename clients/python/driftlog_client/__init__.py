"""A typed client of Driftlog, the record and replay service for board games.

`Client` and `AsyncClient` have the same methods. You must await the methods of `AsyncClient`.
"""

from driftlog_client import types
from driftlog_client.async_client import AsyncClient
from driftlog_client.client import Client
from driftlog_client.drafts import draft
from driftlog_client.problems import (
    DriftlogError,
    Forbidden,
    GameOver,
    Gone,
    IllegalAction,
    ImpossibleOutcome,
    Invalid,
    JobFailed,
    NotFound,
    OutcomeRequired,
    Problem,
    Unauthenticated,
    Unreachable,
    UnsoundTable,
    VersionConflict,
)
from driftlog_client.streams import FeedEvent, GameMessage, LibraryMessage, Missed, Recorded, Superseded

__all__ = [
    "AsyncClient",
    "Client",
    "DriftlogError",
    "FeedEvent",
    "Forbidden",
    "GameMessage",
    "GameOver",
    "Gone",
    "IllegalAction",
    "ImpossibleOutcome",
    "Invalid",
    "JobFailed",
    "LibraryMessage",
    "Missed",
    "NotFound",
    "OutcomeRequired",
    "Problem",
    "Recorded",
    "Superseded",
    "Unauthenticated",
    "Unreachable",
    "UnsoundTable",
    "VersionConflict",
    "draft",
    "types",
]
