"""Logs of the web server: gunicorn's messages in our format, and an access log line for every request.

An access log line has the route, never the path or query, which can contain a credential such as a share link.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from api.plumbing.observing import NOWHERE, request_facts
from telemetry.context import Context
from telemetry.logs import log_facts

access = logging.getLogger("driftlog.access")
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths that check the service itself."""


class Log(Logger):
    """gunicorn's logger class. Its lines go to the log of the process."""

    def setup(self, cfg: Config) -> None:
        """Leave handlers to `telemetry.logs`."""
        self.cfg = cfg
        self.error_log.propagate = True
        # Omit lower levels: they log addresses, which may contain tokens, and events that the supervisor logs, too.
        self.error_log.setLevel(logging.WARNING)

    def reopen_files(self) -> None:
        pass

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Log a request after the response, or after the client stopped reading."""
        seen = request_facts(environ)
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
        log_facts(access, level, "answered", facts)


def _level(status: int, route: str) -> int:
    """Return the log level of a response; `debug` for successful probes, which come every few seconds."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return logging.WARNING
    return logging.DEBUG if route in PROBES and status < HTTPStatus.BAD_REQUEST else logging.INFO


def log_refusal(slug: str, status: int, client: str, method: str | None) -> str:
    """Log a request that the server itself rejected, and return the request's id.

    Args:
        client: the peer's address.
        method: the request's method; None if it could not be read.
    """
    now = Context.from_headers(None, None)
    facts = {
        "method": method or NOWHERE,
        "route": NOWHERE,
        "status": status,
        "client": client,
        "problem": slug,
        "request_id": now.request_id,
        "trace_id": now.trace_id,
    }
    log_facts(access, logging.INFO, "refused", facts)
    return now.request_id
