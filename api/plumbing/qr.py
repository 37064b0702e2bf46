"""QR codes of links."""

from __future__ import annotations

import io

import segno


def qr(text: str, error: str = "m") -> str:
    """Return a text as a QR code, black on white, as SVG.

    Args:
        error: the error correction level; `l` is the lowest level, and allows the longest text.
    """
    out = io.BytesIO()
    code = segno.make(text, error=error, micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=4, dark="#000", light="#fff", omitsize=True)
    return out.getvalue().decode()
