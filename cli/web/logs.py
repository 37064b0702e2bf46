"""What the web server says: gunicorn's own words as ours, and a line in the access log for every request.

An access line holds the route, never the address: that may lead in (a share link), and so may its query.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from api.plumbing.observing import NOWHERE, seen_of
from telemetry.context import Context
from telemetry.logs import tell

access = logging.getLogger("driftlog.access")
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""What is asked of the service itself."""


class Log(Logger):
    """gunicorn's logger class, whose lines go where all lines of the process go."""

    def setup(self, cfg: Config) -> None:
        """Leave handlers to `telemetry.logs`."""
        self.cfg = cfg
        self.error_log.propagate = True
        # Below that it tells addresses, which may lead in, and what the supervisor tells of every process.
        self.error_log.setLevel(logging.WARNING)

    def reopen_files(self) -> None:
        """There are none."""

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Tell of a request that has been answered, or as far as its client took the answer in."""
        seen = seen_of(environ)
        level = _level(resp.status_code, NOWHERE if seen is None else seen.route)
        if not access.isEnabledFor(level):
            return
        facts = {
            "method": environ["REQUEST_METHOD"] if seen is None else seen.method,
            "route": NOWHERE if seen is None else seen.route,
            "status": resp.status_code,
            "ms": round(request_time.total_seconds() * 1000, 1),
            "bytes": resp.sent,
            "client": environ.get("REMOTE_ADDR", "") if seen is None else seen.client,
        }
        if seen is not None:
            facts |= seen.more
        tell(access, level, "answered", facts)


def _level(status: int, route: str) -> int:
    """How grave an answer is. What is asked every few seconds, and answered well, is hardly news."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return logging.WARNING
    return logging.DEBUG if route in PROBES and status < HTTPStatus.BAD_REQUEST else logging.INFO


def refused(slug: str, status: int, client: str, method: str | None) -> str:
    """Tell of a request that the server itself refused.

    Args:
        client: the peer's address.
        method: None where that could not be read.

    Returns:
        The id by which it can be found.
    """
    now = Context.received(None, None)
    facts = {
        "method": method or NOWHERE,
        "route": NOWHERE,
        "status": status,
        "client": client,
        "problem": slug,
        "request_id": now.request_id,
        "trace_id": now.trace_id,
    }
    tell(access, logging.INFO, "refused", facts)
    return now.request_id
