"""Finds a browser for the tests, or fetches one: `python -m tests.browser.finding` tells where it is."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
_DEBIAN = (
    "apt-get -o DPkg::Lock::Timeout=600 update",
    "apt-get -o DPkg::Lock::Timeout=600 install --yes --no-install-recommends chromium fonts-dejavu-core",
)
_LOCK = Path(tempfile.gettempdir()) / "driftlog-browser.lock"
_MOST_SECONDS = 900


class NoBrowser(Exception):
    """None is here, and none can be had; says what was tried."""


def find() -> Path:
    """The browser: one on PATH, else Debian's where it may be installed, else Playwright's own.

    Raises:
        NoBrowser: there is none of them, and none can be fetched.
    """
    with _LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return on_path() or downloaded() or _fetched()


def on_path() -> Path | None:
    """A Chromium that is installed."""
    return next((Path(found) for name in NAMES if (found := shutil.which(name))), None)


def downloaded() -> Path | None:
    """Playwright's own Chromium, where it has been downloaded."""
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def _fetched() -> Path:
    tried = [f"none of {', '.join(NAMES)} is on PATH"]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        # A first index may be stale, or be good enough although it cannot be had anew: the second command decides.
        failures = [said for command in _DEBIAN if (said := _failure(*command.split()))]
        if found := on_path():
            return found
        tried += failures
    else:
        tried.append("Debian's package cannot be installed without root and apt-get")
    failure = _failure(sys.executable, "-m", "playwright", "install", "chromium")
    if not failure and (found := downloaded()):
        return found
    tried.append(failure)
    raise NoBrowser("The browser tests need Chromium, and none can be had: " + "; ".join(tried))


def _failure(*command: str) -> str:
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


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{find()}\n")
    except NoBrowser as missing:
        sys.exit(str(missing))
