"""The link that logs a browser in, and its QR code on a terminal."""

from __future__ import annotations

import io
import sys

import segno

from api.plumbing.hosts import entry
from cli.terminal import tell

_LIGHT_ON_DARK = "\x1b[97;40m"
_PLAIN = "\x1b[0m"


def is_shown() -> bool:
    """Whether standard output is a terminal: in a log, whoever reads a link would be let in."""
    return sys.stdout.isatty()


def show(url: str, token: str) -> None:
    """Tell the link, with a QR code that a phone reads from the terminal.

    Args:
        url: where the service is reached.
        token: the text of a token.
    """
    address = entry(url.rstrip("/"), token)
    tell(qr(address))
    tell(address)


def qr(text: str) -> str:
    """A QR code in half blocks, light on dark whatever the terminal's own colours."""
    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return "\n".join(f"{_LIGHT_ON_DARK}{line}{_PLAIN}" for line in drawn.getvalue().splitlines())
