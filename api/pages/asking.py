"""Query parameters of pages."""

from __future__ import annotations

from collections.abc import Iterable

from flask import request

_LONGEST = 200


def parameters(names: Iterable[str]) -> dict[str, str]:
    """Return the values of query parameters, cut to a maximum length. A missing parameter is empty."""
    return {name: request.args.get(name, "").strip()[:_LONGEST] for name in names}
