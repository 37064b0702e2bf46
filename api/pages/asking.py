"""What the address of a page asks for."""

from __future__ import annotations

from collections.abc import Iterable

from flask import request

_LONGEST = 200


def parameters(names: Iterable[str]) -> dict[str, str]:
    """The values of these parameters, as long as people write any; of one that is not there, an empty text."""
    return {name: request.args.get(name, "").strip()[:_LONGEST] for name in names}
