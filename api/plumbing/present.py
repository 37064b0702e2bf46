"""The request that is being answered, itself: Flask's `request` looks for it whenever it is asked for anything."""

from __future__ import annotations

from flask import Request, request


def present() -> Request:
    """The present request."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # as Flask documents it
    return found
