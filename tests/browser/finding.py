"""Find or download a browser for the tests: `python -m tests.browser.finding` prints its path."""

from __future__ import annotations

import fcntl
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.fetching import failure, install

NAMES = ("chromium", "chromium-browser", "google-chrome")
_LOCK = Path(tempfile.gettempdir()) / "driftlog-browser.lock"


class NoBrowser(Exception):
    """There is no browser, and none can be downloaded. The message lists the attempts."""


def find() -> Path:
    """Return a browser: on PATH, otherwise Debian's if it can be installed, otherwise Playwright's.

    Raises:
        NoBrowser: there is no browser, and none can be downloaded.
    """
    with _LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return on_path() or downloaded_browser() or _fetch_browser()


def on_path() -> Path | None:
    """Return the path of an installed Chromium; None if there is none."""
    return next((Path(found) for name in NAMES if (found := shutil.which(name))), None)


def downloaded_browser() -> Path | None:
    """Return the path of Playwright's Chromium, if it has been downloaded."""
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def _fetch_browser() -> Path:
    tried = [f"none of {', '.join(NAMES)} is on PATH"]
    tried += install("chromium", "fonts-dejavu-core")
    if found := on_path():
        return found
    failed = failure(sys.executable, "-m", "playwright", "install", "chromium")
    if not failed and (found := downloaded_browser()):
        return found
    tried.append(failed)
    raise NoBrowser("The browser tests need Chromium, and none can be had: " + "; ".join(tried))


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{find()}\n")
    except NoBrowser as missing:
        sys.exit(str(missing))
