"""The sign-in link for a browser, and its QR code for a terminal."""

from __future__ import annotations

import io
import sys

import segno

from api.plumbing.hosts import entry
from cli.terminal import print_text

_LIGHT_ON_DARK = "\x1b[97;40m"
_PLAIN = "\x1b[0m"


def is_shown() -> bool:
    """Return True if standard output is a terminal.

    Sign-in links must not be printed to a log, because every reader of the log could use them.
    """
    return sys.stdout.isatty()


def show(url: str, token: str) -> None:
    """Print the sign-in link, with a QR code that a phone can scan from the terminal."""
    address = entry(url.rstrip("/"), token)
    print_text(qr(address))
    print_text(address)


def qr(text: str) -> str:
    """Return `text` as a QR code in half blocks, light on dark in any terminal theme."""
    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return "\n".join(f"{_LIGHT_ON_DARK}{line}{_PLAIN}" for line in drawn.getvalue().splitlines())
