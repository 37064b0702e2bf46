"""Follow the log files of the embedded servers, as lines of the service's log."""

from __future__ import annotations

import logging
import re
from pathlib import Path

_LINE = re.compile(r"\d+:\w .*? ([*#.-]) (.*)")
"""A line in the log of Redis or Valkey: level and message."""
_WARNING = "#"
_MOST = 64 * 1024
"""Bytes per read."""


class FollowedLog:
    """The lines that a running server adds to its log file from now on.

    Args:
        name: the name of the server, which begins each line in the service's log.
    """

    def __init__(self, name: str, path: Path) -> None:
        self._logger = logging.getLogger(f"redis.{name}")
        self._path = path
        self._at = path.stat().st_size
        self._rest = b""

    def log_new_lines(self) -> None:
        """Log the new lines of the server's log: warnings as warnings, all others at `debug`."""
        with self._path.open("rb") as file:
            file.seek(self._at)
            said = file.read(_MOST)
        self._at += len(said)
        *lines, self._rest = (self._rest + said).split(b"\n")
        for line in lines:
            found = _LINE.fullmatch(line.decode(errors="replace"))
            if found is not None:
                self._logger.log(logging.WARNING if found[1] == _WARNING else logging.DEBUG, "%s", found[2])
