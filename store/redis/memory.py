"""Available memory, and the share for a server."""

from __future__ import annotations

import os
from pathlib import Path

LEAST = 16 << 20
"""Minimum bytes of a server: for itself, its clients and a few games."""
UNITS = {"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}
_CGROUP = Path("/sys/fs/cgroup/memory.max")
"""The memory limit of a container (cgroup v2)."""


def machine_bytes() -> int:
    """Return the memory of this machine in bytes, or the limit of the container if that is lower."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_CGROUP.read_text()))
    except (OSError, ValueError):
        return machine


def bytes_of(amount: str) -> int:
    """Parse an amount of memory to bytes: `512mb`, `2gb`, `50%` of the machine's memory, a number; `off` is 0."""
    if amount == "off":
        return 0
    if amount.endswith("%"):
        return machine_bytes() * int(amount[:-1]) // 100
    return int(amount.rstrip("kmgb")) * UNITS.get(amount.lstrip("0123456789"), 1)
