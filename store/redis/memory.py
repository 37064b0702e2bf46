"""How much memory there is, and how much of it a server may take."""

from __future__ import annotations

import os
from pathlib import Path

LEAST = 16 << 20
"""Bytes that a server needs to begin with: what it takes for itself, for its clients, and for a few games."""
UNITS = {"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}
_CGROUP = Path("/sys/fs/cgroup/memory.max")
"""What a container may take (cgroup v2)."""


def machine_bytes() -> int:
    """The memory of this machine, or of the container where that is less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_CGROUP.read_text()))
    except (OSError, ValueError):
        return machine


def bytes_of(amount: str) -> int:
    """`512mb`, `2gb`, `50%` of the machine's memory, or a number of bytes; 0 for `off`."""
    if amount == "off":
        return 0
    if amount.endswith("%"):
        return machine_bytes() * int(amount[:-1]) // 100
    return int(amount.rstrip("kmgb")) * UNITS.get(amount.lstrip("0123456789"), 1)
