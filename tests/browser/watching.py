"""Watch pages for things that are forbidden: console messages, failed requests, and requests to other hosts."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

_REFUSAL = re.compile(r"Failed to load resource: the server responded with a status of (409|412|422) ")
"""Chromium logs every response from 400 on. These are ordinary answers to a tap, which the page handles."""
_LOCAL = ("data", "blob", "about")


class Watch:
    """Collects the errors in the pages of a context."""

    def __init__(self, context: BrowserContext, service: str) -> None:
        self.complaints: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self._service = service
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def expect(self, pattern: str) -> None:
        """Ignore errors that match `pattern`, because the test causes them.

        The errors may occur before or after this call.
        """
        self._expected.append(re.compile(pattern))

    def unexpected_errors(self) -> list[str]:
        """Return the errors that no test expects."""
        return [text for text in self.complaints if not any(one.search(text) for one in self._expected)]

    def _console(self, message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        if message.type not in ("error", "assert"):
            return
        if _REFUSAL.match(message.text) and where.startswith(f"{self._service}/v1/"):
            return
        self.complaints.append(f"console: {message.text} ({where})")

    def _error(self, error: WebError) -> None:
        self.complaints.append(f"error: {error.error}")

    def _request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in _LOCAL and not request.url.startswith(f"{self._service}/"):
            self.complaints.append(f"request to another host: {request.url}")
