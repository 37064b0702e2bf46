"""What people wrote, as Markdown that shows it as they wrote it."""

from __future__ import annotations

import re

from engine.core.text import visible

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~$#]")
_AT_LINE_START = re.compile(r"^(\d*)([.)+=-])")


def escaped(text: str) -> str:
    """A user's text as one line of Markdown that shows it as it is."""
    line = visible(" ".join(_CONTROL.sub(" ", text).split()))
    return _AT_LINE_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", line))


def quoted(text: str, by: str | None, *, mark: str | None = None, bookmark: str | None = None) -> str:
    """A user's text as a block quote that keeps its lines, signed if `by` says whose it is; its mark stands first."""
    first = " ".join([f"**{said}**" for said in (mark, bookmark and escaped(bookmark)) if said])
    lines = [line for line in map(escaped, text.splitlines()) if line] or [""]
    lines[0] = f"{first} {lines[0]}".strip()
    return "> " + "\\\n> ".join(lines) + (f" – {escaped(by)}" if by else "")
