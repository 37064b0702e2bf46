"""The colours: one light and one dark for each token, so that the same picture follows its reader's theme.

Pawns have the colours of Okabe and Ito's palette, which stay apart for the colour-blind, in both themes alike.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

GROUNDS: dict[str, tuple[str, str, str, str]] = {
    "land": ("#f1e6c9", "#cdbb8d", "#4a4534", "#6f6748"),
    "water": ("#cfe5f0", "#83b6d1", "#1d3e52", "#4b87a8"),
    "sand": ("#f7e8c4", "#d6b873", "#54452b", "#87703f"),
    "stone": ("#e3e2df", "#b3b1ab", "#3b4145", "#656e74"),
    "forest": ("#d6e5c8", "#94b67c", "#2c4432", "#55805f"),
    "meadow": ("#ebefc4", "#bcc680", "#414829", "#757f46"),
    "lava": ("#f5d6c6", "#dd9878", "#583226", "#9d5b43"),
    "wood": ("#ecdbc8", "#c4a583", "#463729", "#7a614a"),
    "paper": ("#fdfcf8", "#dad6ca", "#262e33", "#465259"),
    "night": ("#3d4a5c", "#6f8098", "#0a0e13", "#44526a"),
}
"""Of each ground: its fill and the lines on it, light; then both, dark."""

PAWNS: dict[str, tuple[str, str]] = {
    "black": ("#23272b", "#ffffff"),
    "blue": ("#0068a8", "#ffffff"),
    "green": ("#00775a", "#ffffff"),
    "orange": ("#e69f00", "#1c1c1c"),
    "pink": ("#e79cc2", "#1c1c1c"),
    "purple": ("#7c4a9a", "#ffffff"),
    "red": ("#c63a1e", "#ffffff"),
    "sky": ("#74c3ee", "#1c1c1c"),
    "white": ("#ffffff", "#1c1c1c"),
    "yellow": ("#f4e04a", "#1c1c1c"),
}
"""Of each colour: a pawn's fill, and the letters on it."""

TOKENS: dict[str, tuple[str, str]] = {
    "page": ("#f7f5ef", "#12181c"),
    "panel": ("#fffefb", "#1b2329"),
    "rim": ("#dedacf", "#35424a"),
    "ink": ("#1d2830", "#eef2f3"),
    "soft": ("#56626a", "#a9b6bd"),
    "sea": ("#dcebf1", "#152b38"),
    "desert": ("#e8d3a1", "#3a2f1c"),
    "sea-line": ("#a5c8d9", "#34596d"),
    "shade": ("#b9b19b", "#0b0f12"),
    "sea-deep": ("#28749e", "#4f9fca"),
    "night-ink": ("#ffffff", "#e4ebf2"),
    "accent": ("#b3206f", "#ff7ab8"),
    "grave": ("#b3261e", "#ff8a7a"),
    "halo": ("#ffffff", "#0d1215"),
    "outline": ("#1d2830", "#e6ecee"),
    **{f"{name}-fill": (light, dark) for name, (light, _, dark, _) in GROUNDS.items()},
    **{f"{name}-line": (light, dark) for name, (_, light, _, dark) in GROUNDS.items()},
    **{f"{name}-pawn": (fill, fill) for name, (fill, _) in PAWNS.items()},
    **{f"{name}-letter": (letter, letter) for name, (_, letter) in PAWNS.items()},
}
"""Every colour by its token: light and dark."""


def _variables(theme: int) -> str:
    return "".join(f"--dl-{token}:{colours[theme]};" for token, colours in TOKENS.items())


STYLE = "".join(
    (
        f".dl-board{{{_variables(0)}}}",
        f"@media screen and (prefers-color-scheme:dark){{.dl-board{{{_variables(1)}}}}}",
        *(f".dl-f-{token}{{fill:var(--dl-{token})}}.dl-s-{token}{{stroke:var(--dl-{token})}}" for token in TOKENS),
    )
)
"""The style sheet of every picture: the same text each time, so that a page's Content-Security-Policy can allow it."""

STYLE_SOURCE = f"'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
"""What stands for `STYLE` in the `style-src` of a Content-Security-Policy."""
