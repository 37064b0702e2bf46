"""Results of checks."""

from __future__ import annotations

from typing import Literal

import msgspec

Level = Literal["ok", "warn", "fail"]
NAMED = 5
"""Maximum number of games named in a line."""


class CheckResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a check: one line of the report."""

    check: str
    level: Level
    message: str
    about: tuple[str, ...] = ()
    """All affected games or keys."""

    @property
    def line(self) -> str:
        """The message, with the first few affected games or keys."""
        if not self.about:
            return self.message
        more = f" and {len(self.about) - NAMED:,} more" if len(self.about) > NAMED else ""
        return f"{self.message}: {', '.join(self.about[:NAMED])}{more}"
