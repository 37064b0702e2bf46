"""Install Debian packages that tests need, with apt, if the tests run as root."""

from __future__ import annotations

import os
import shutil
import subprocess

_UPDATE = "apt-get -o DPkg::Lock::Timeout=600 update"
_INSTALL = "apt-get -o DPkg::Lock::Timeout=600 install --yes --no-install-recommends"
_MOST_SECONDS = 900


def install(*packages: str) -> list[str]:
    """Install Debian packages; return the errors, which may be harmless."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return ["Debian's package cannot be installed without root and apt-get"]
    # The update can fail although the existing index is good enough, so the installation decides.
    commands = (_UPDATE.split(), [*_INSTALL.split(), *packages])
    return [said for command in commands if (said := failure(*command))]


def failure(*command: str) -> str:
    """Run a command, and return its error; empty if it succeeds."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, timeout=_MOST_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"`{' '.join(command)}`: {error}"
    last = (done.stderr or done.stdout).strip()[-300:]
    return f"`{' '.join(command)}` failed: {last}" if done.returncode else ""
