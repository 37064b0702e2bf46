"""What players have only so long for."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.kit.actions import Action


class Timer(msgspec.Struct, frozen=True):
    """What players have only so long for. The table holds the watch: the rules know no clock."""

    title: str
    """What it is for: 'Planning'."""
    seconds: int
    action: type[Action[Any]]
    """That says that the time is up."""
    seat: int
    """Who says it."""
