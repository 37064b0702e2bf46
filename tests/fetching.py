"""Fetching what tests need and is not ours, where root may install it: by Debian's apt."""

from __future__ import annotations

import os
import shutil
import subprocess

_UPDATE = "apt-get -o DPkg::Lock::Timeout=600 update"
_INSTALL = "apt-get -o DPkg::Lock::Timeout=600 install --yes --no-install-recommends"
_MOST_SECONDS = 900


def install(*packages: str) -> list[str]:
    """Install Debian's packages; what was in the way, which may have been nothing that matters."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return ["Debian's package cannot be installed without root and apt-get"]
    # A first index may be stale, or be good enough although it cannot be had anew: the second command decides.
    commands = (_UPDATE.split(), [*_INSTALL.split(), *packages])
    return [said for command in commands if (said := failure(*command))]


def failure(*command: str) -> str:
    """What is wrong with a command that fails; nothing where it does not."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, timeout=_MOST_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"`{' '.join(command)}`: {error}"
    last = (done.stderr or done.stdout).strip()[-300:]
    return f"`{' '.join(command)}` failed: {last}" if done.returncode else ""
