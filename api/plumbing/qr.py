"""QR codes of links."""

from __future__ import annotations

import io

import segno


def qr(text: str, error: str = "m") -> str:
    """A text as a QR code, black on white: an SVG.

    Args:
        error: how much of it may be unreadable: `l` is the least, and leaves most room.
    """
    out = io.BytesIO()
    code = segno.make(text, error=error, micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=4, dark="#000", light="#fff", omitsize=True)
    return out.getvalue().decode()
