"""The current request as a plain object. Flask's proxy `request` looks the object up at each access."""

from __future__ import annotations

from flask import Request, request


def present() -> Request:
    """Return the current request."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # as Flask documents it
    return found
