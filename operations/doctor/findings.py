"""What a check says."""

from __future__ import annotations

from typing import Literal

import msgspec

Level = Literal["ok", "warn", "fail"]
NAMED = 5
"""As many games are named in a line."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line."""

    check: str
    level: Level
    message: str
    about: tuple[str, ...] = ()
    """The games or keys that it is about, all of them."""

    @property
    def line(self) -> str:
        """The message, with the first of what it is about."""
        if not self.about:
            return self.message
        more = f" and {len(self.about) - NAMED:,} more" if len(self.about) > NAMED else ""
        return f"{self.message}: {', '.join(self.about[:NAMED])}{more}"
