"""What the embedded servers say in their own log files, told as lines of the service's log."""

from __future__ import annotations

import logging
import re
from pathlib import Path

_LINE = re.compile(r"\d+:\w .*? ([*#.-]) (.*)")
"""Of a log of Redis or Valkey: how grave, and what."""
_WARNING = "#"
_MOST = 64 * 1024
"""Bytes that are read at a time."""


class Followed:
    """The log of a server that answers, from now on: what it said while it began stays in its file.

    Args:
        name: of the server, by which its lines are told.
    """

    def __init__(self, name: str, path: Path) -> None:
        self._logger = logging.getLogger(f"redis.{name}")
        self._path = path
        self._at = path.stat().st_size
        self._rest = b""

    def tell(self) -> None:
        """Log what has been said since the last time: what is a warning there is one here, the rest is for `debug`."""
        with self._path.open("rb") as file:
            file.seek(self._at)
            said = file.read(_MOST)
        self._at += len(said)
        *lines, self._rest = (self._rest + said).split(b"\n")
        for line in lines:
            found = _LINE.fullmatch(line.decode(errors="replace"))
            if found is not None:
                self._logger.log(logging.WARNING if found[1] == _WARNING else logging.DEBUG, "%s", found[2])
