"""Time limits of a game."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.kit.actions import Action


class Timer(msgspec.Struct, frozen=True):
    """A time limit. The players measure the time, because the rules have no clock."""

    title: str
    """The title, such as 'Planning'."""
    seconds: int
    action: type[Action[Any]]
    """The action that reports that the time is up."""
    seat: int
    """The seat that reports the end of the time."""
