"""Escape users' texts so that Markdown shows them literally."""

from __future__ import annotations

import re

from engine.core.text import visible

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~$#]")
_AT_LINE_START = re.compile(r"^(\d*)([.)+=-])")


def escape_line(text: str) -> str:
    """Return a user's text as one line of Markdown that shows it literally."""
    line = visible(" ".join(_CONTROL.sub(" ", text).split()))
    return _AT_LINE_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", line))


def block_quote(text: str, by: str | None, *, mark: str | None = None, bookmark: str | None = None) -> str:
    """Return a user's text as a block quote: first the mark, then the lines of the text, signed if `by` is given."""
    first = " ".join([f"**{said}**" for said in (mark, bookmark and escape_line(bookmark)) if said])
    lines = [line for line in map(escape_line, text.splitlines()) if line] or [""]
    lines[0] = f"{first} {lines[0]}".strip()
    return "> " + "\\\n> ".join(lines) + (f" – {escape_line(by)}" if by else "")
