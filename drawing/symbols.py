"""Symbols, each in a box of 24 by 24: filled paths, and lines two units wide."""

from __future__ import annotations

from math import cos, pi, sin

import msgspec

from engine.kit.scene.looks import Form, Symbol


class SymbolPaths(msgspec.Struct, frozen=True):
    """The paths of a symbol."""

    fill: str = ""
    line: str = ""


SYMBOLS: dict[Symbol, SymbolPaths] = {
    "anchor": SymbolPaths(
        fill="M12 2a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5z",
        line="M12 6V21M7 10H17M4 14C4 19 8 21 12 21C16 21 20 19 20 14",
    ),
    "arrow_down": SymbolPaths(fill="M12 21L4 12H9V3H15V12H20z"),
    "arrow_left": SymbolPaths(fill="M3 12L12 4V9H21V15H12V20z"),
    "arrow_right": SymbolPaths(fill="M21 12L12 20V15H3V9H12V4z"),
    "arrow_up": SymbolPaths(fill="M12 3L20 12H15V21H9V12H4z"),
    "barrel": SymbolPaths(line="M7 3H17C19 8 19 16 17 21H7C5 16 5 8 7 3zM5.6 9H18.4M5.6 15H18.4"),
    "beast": SymbolPaths(fill="M3 20C3 11 7 5 13 5C18 5 21 8 21 11L14 12L18 15C15 17 12 15 11 12C9 14 9 18 10 20z"),
    "blast": SymbolPaths(
        fill="M12 2L14 8L20 4L17 10L23 12L17 14L20 20L14 16L12 22L10 16L4 20L7 14L1 12L7 10L4 4L10 8z"
    ),
    "book": SymbolPaths(line="M12 6C9 4 6 4 3 5V19C6 18 9 18 12 20C15 18 18 18 21 19V5C18 4 15 4 12 6zM12 6V20"),
    "cannon": SymbolPaths(fill="M2 12L17 5L20 11L6 17zM8 15a4 4 0 1 0 .1 0z"),
    "canoe": SymbolPaths(fill="M1 10C6 14 18 14 23 10C21 17 17 18 12 18C7 18 3 17 1 10z", line="M8 4L15 16"),
    "card": SymbolPaths(line="M6 3H18V21H6z"),
    "check": SymbolPaths(line="M4 13L10 19L20 5"),
    "chest": SymbolPaths(fill="M3 12H10V15H14V12H21V20H3zM3 10C3 6 5 4 8 4H16C19 4 21 6 21 10z"),
    "clock": SymbolPaths(line="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 7V12L16 15"),
    "column": SymbolPaths(fill="M12 1L18 8H13.5V16H18L12 23L6 16H10.5V8H6z"),
    "crew": SymbolPaths(
        fill="M8 4a3.5 3.5 0 1 0 .1 0zM16 4a3.5 3.5 0 1 0 .1 0zM2 20C2 14 5 12 8 12C11 12 13 14 13 20zM14 20C14 16 13 14 12.5 13C13.5 12.2 15 12 16 12C19 12 22 14 22 20z"
    ),
    "crown": SymbolPaths(fill="M3 19L2 7L8 12L12 4L16 12L22 7L21 19z"),
    "cross": SymbolPaths(line="M5 5L19 19M19 5L5 19"),
    "crystal": SymbolPaths(fill="M12 1L18 8L15 22H9L6 8z"),
    "cup": SymbolPaths(fill="M4 3H20C20 10 17 14 13.5 14.5V18.5L18 20V22H6V20L10.5 18.5V14.5C7 14 4 10 4 3z"),
    "die": SymbolPaths(fill="M7 7h3v3h-3zM14 7h3v3h-3zM7 14h3v3h-3zM14 14h3v3h-3z", line="M4 4H20V20H4z"),
    "draw": SymbolPaths(fill="M3 6L13 3L18 18L8 21z", line="M16 5L22 6L20 20L14 20"),
    "drop": SymbolPaths(fill="M12 2.5C15.5 8 19 11.5 19 15.5a7 7 0 0 1-14 0C5 11.5 8.5 8 12 2.5z"),
    "engine": SymbolPaths(fill="M3 9H6V6H14V9H18V7H21V18H18V16H15V19H6V16H3z", line="M8 3H13"),
    "eye": SymbolPaths(fill="M12 9a3 3 0 1 0 .1 0z", line="M2 12C6 5 18 5 22 12C18 19 6 19 2 12z"),
    "flag": SymbolPaths(fill="M6 3C11 1 14 6 20 4V13C14 15 11 10 6 12z", line="M6 2V22"),
    "flame": SymbolPaths(
        fill="M12 1C14 6 19 9 19 15C19 20 15.5 22.5 12 22.5C8.5 22.5 5 20 5 15C5 12 7 10 8 8C9 10 10 11 11 11C12 8 11 4 12 1z"
    ),
    "fog": SymbolPaths(line="M3 7H17M7 12H21M3 17H15"),
    "frog": SymbolPaths(
        fill="M6 4a3 3 0 0 1 3 3h6a3 3 0 0 1 6 0C21 9 20 10 20 12C20 17 16 20 12 20C8 20 4 17 4 12C4 10 3 9 3 7a3 3 0 0 1 3-3z"
    ),
    "gear": SymbolPaths(
        fill="M10 2H14L14.6 5L17.5 6.6L20.3 5.5L22.4 9L20.2 11V13L22.4 15L20.3 18.5L17.5 17.4L14.6 19L14 22H10L9.4 19L6.5 17.4L3.7 18.5L1.6 15L3.8 13V11L1.6 9L3.7 5.5L6.5 6.6L9.4 5zM12 8.5A3.5 3.5 0 0 0 12 15.5A3.5 3.5 0 0 0 12 8.5z"
    ),
    "give": SymbolPaths(line="M4 4H12V15H4zM14 9H21M18 6L21 9L18 12"),
    "heart": SymbolPaths(fill="M12 21C5 15 2 12 2 8A5 5 0 0 1 12 6A5 5 0 0 1 22 8C22 12 19 15 12 21z"),
    "helicopter": SymbolPaths(
        fill="M4 11H14C18 11 21 14 21 17H9C6 17 5 14 4 13L2 13V8H4z", line="M3 5H21M12 5V11M8 20H20"
    ),
    "hog": SymbolPaths(
        fill=("M3 12C3 7 7 6 12 6L16 4V7C19 8 19 10 22 11V15L19 16L17 20H14L13.5 17H9L8 20H5L4.5 16C3.5 15 3 14 3 12z")
    ),
    "hourglass": SymbolPaths(
        fill="M8 18C10 15 14 15 16 18V20H8zM9 6H15L12 10z",
        line=("M6 3H18M6 21H18M7 3C7 9 11 10 11 12C11 14 7 15 7 21M17 3C17 9 13 10 13 12C13 14 17 15 17 21"),
    ),
    "hull": SymbolPaths(fill="M2 9H22C21 16 18 20 12 20C6 20 3 16 2 9z", line="M6 13H18"),
    "hut": SymbolPaths(fill="M12 2L23 13H19.5V21H14V15H10V21H4.5V13H1z"),
    "island": SymbolPaths(
        fill="M2 19C5 14 8 13 12 13C16 13 19 14 22 19z",
        line="M12 14C12 10 13 8 14 6M14 6C11 4 8 5 7 7M14 6C17 4 20 5 20 8",
    ),
    "jet": SymbolPaths(fill="M7 3H11V14L13 22H5L7 14zM15 3H17V14L19 22H15L14 16V5z"),
    "lock": SymbolPaths(fill="M5 11H19V21H5z", line="M8 11V7C8 2 16 2 16 7V11"),
    "log": SymbolPaths(fill="M6 7H19C23 7 23 17 19 17H6z", line="M6 7C2 7 2 17 6 17"),
    "moon": SymbolPaths(fill="M15 2A10 10 0 1 0 22 16A8 8 0 0 1 15 2z"),
    "mountain": SymbolPaths(fill="M1 20L9 5L13 12L16 8L23 20z"),
    "note": SymbolPaths(line="M5 3H19V21H5zM8 8H16M8 12H16M8 16H13"),
    "pad": SymbolPaths(
        fill="M8.5 7H10.5V11H13.5V7H15.5V17H13.5V13H10.5V17H8.5z", line="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z"
    ),
    "pawn": SymbolPaths(fill="M12 2a4.5 4.5 0 0 1 3 8C16 14 17 17 19 21H5C7 17 8 14 9 10a4.5 4.5 0 0 1 3-8z"),
    "propeller": SymbolPaths(
        fill="M12 10C8 9 4 9 2 6C6 3 10 5 12 10zM13.5 13C15.5 16.5 18 20 16.5 23C12 22 11 17.5 13.5 13zM14 11C16 8 18.5 4.5 22 5.5C22.5 10 18 12 14 11z"
    ),
    "question": SymbolPaths(fill="M11 18h3v3h-3z", line="M7.5 8C7.5 2 17 2 17 8C17 12 12.5 11.5 12.5 16"),
    "rock": SymbolPaths(fill="M2 20L6 9L11 5L17 8L22 20z"),
    "row": SymbolPaths(fill="M1 12L8 6V10.5H16V6L23 12L16 18V13.5H8V18z"),
    "sandbag": SymbolPaths(fill="M8 3H16L14.5 7C19 9 21 13 21 17C21 20 19 21 12 21C5 21 3 20 3 17C3 13 5 9 9.5 7z"),
    "sand": SymbolPaths(fill="M1 20C5 19 8 9 13 9C17 9 19 19 23 20z"),
    "shield": SymbolPaths(fill="M12 2L21 5C21 13 19 19 12 22C5 19 3 13 3 5z"),
    "ship": SymbolPaths(
        fill=("M2 15H22C21 19 19 21 16 21H8C5 21 3 19 2 15zM11 2V13H4C5 8 8 5 11 2zM13 4C17 6 19 9 20 13H13z")
    ),
    "shore": SymbolPaths(line="M12 14V3M7 8L12 3L17 8M2 20C5 17 7 17 9.5 20C12 22 14 20 15 19C18 17 20 18 22 20"),
    "skull": SymbolPaths(
        fill="M12 2A9 9 0 0 0 7 18.5V22H17V18.5A9 9 0 0 0 12 2zM8.5 9A2.3 2.3 0 1 1 8.4 13.6A2.3 2.3 0 0 1 8.5 9zM15.5 9A2.3 2.3 0 1 1 15.4 13.6A2.3 2.3 0 0 1 15.5 9zM12 14L13.3 17H10.7z"
    ),
    "spear": SymbolPaths(fill="M20 2L22 4L18 11L13 6z", line="M16 8L3 21"),
    "star": SymbolPaths(fill="M12 1.5L15.2 8.6L23 9.4L17.2 14.6L18.8 22.3L12 18.4L5.2 22.3L6.8 14.6L1 9.4L8.8 8.6z"),
    "statue": SymbolPaths(
        line="M3 8H14C18 8 18 3 14.5 3C13 3 12 4 12 5M3 12.5H19C23 12.5 23 18 19.5 18C18 18 17 17 17 16M3 17H10C13 17 13 21.5 10.5 21.5"
    ),
    "stone": SymbolPaths(fill="M12 2L20 7L22 14L17 21H7L2 14L4 7z"),
    "storm": SymbolPaths(line="M19 7C15 3 6 4 5 11C4 18 12 21 17 18C21 15 19 9 14 9C10 9 9 14 13 15"),
    "sun": SymbolPaths(
        fill="M12 6.5a5.5 5.5 0 1 0 .1 0z",
        line="M12 1V4M12 20V23M1 12H4M20 12H23M4.2 4.2L6.3 6.3M17.7 17.7L19.8 19.8M4.2 19.8L6.3 17.7M17.7 6.3L19.8 4.2",
    ),
    "swim": SymbolPaths(
        fill="M16 6a2.6 2.6 0 1 0 .1 0z",
        line="M4 14L10 8L14 13M1.5 19C4 16.5 6 16.5 8.5 19C11 21 13 21 15.5 19C18 16.5 20 16.5 22.5 19",
    ),
    "swords": SymbolPaths(line="M4 3L17 16M14 19L20 13M20 3L7 16M10 19L4 13M17 16L21 20M7 16L3 20"),
    "token": SymbolPaths(line="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 8a4 4 0 1 0 .1 0z"),
    "totem": SymbolPaths(
        fill=("M7 2H17V7H22V10H17V22H7V10H2V7H7zM9.5 4.5V6.5H11V4.5zM13 4.5V6.5H14.5V4.5zM9.5 14V16H14.5V14z")
    ),
    "tunnel": SymbolPaths(fill="M2 21V13A10 10 0 0 1 22 13V21H17.5V13A5.5 5.5 0 0 0 6.5 13V21z"),
    "volcano": SymbolPaths(fill="M2 22L9 9H15L22 22z", line="M12 7V2M8.5 6L6.5 3M15.5 6L17.5 3"),
    "walk": SymbolPaths(
        fill="M7 3C10 3 11 6 10.5 9L9.5 12H6L5 8C4.5 5 5.5 3 7 3zM6 13.5H9.3C9.5 16 8.5 17.5 7.5 17.5S6 16 6 13.5zM16.5 7C19 7 20 9.5 19 12.5L18 16H14.7L14 12C13.5 9 15 7 16.5 7zM14.8 17.5H18C18 20 17 21.5 16.2 21.5S14.8 20 14.8 17.5z"
    ),
    "water": SymbolPaths(
        line="M1 8C4 5 6 5 8.5 8C11 11 13 11 15.5 8C18 5 20 5 23 8M1 16C4 13 6 13 8.5 16C11 19 13 19 15.5 16C18 13 20 13 23 16"
    ),
    "well": SymbolPaths(fill="M4 13H20V21H4zM2 9L12 2L22 9V10H2z", line="M6 10V13M18 10V13"),
    "wheel": SymbolPaths(line="M12 5a7 7 0 1 0 .1 0zM12 1V23M1 12H23M4.2 4.2L19.8 19.8M19.8 4.2L4.2 19.8"),
    "wind": SymbolPaths(line="M2 9H14C18 9 18 4 14.5 4M2 14H19C23 14 23 19.5 19.5 19.5M5 19H12"),
}


_CORNERS: dict[Form, tuple[tuple[float, float], ...]] = {
    "shield": ((-0.95, -1), (0, -0.8), (0.95, -1), (1, 0.2), (0.6, 0.85), (0, 1.2), (-0.6, 0.85), (-1, 0.2)),
    "drop": (
        (0, -1.45), (0.5, -0.75), (1, 0), (1, 0.5), (0.55, 1.05), (-0.55, 1.05), (-1, 0.5), (-1, 0), (-0.5, -0.75),
    ),
    "cross": (
        (-0.5, -1.15), (0.5, -1.15), (0.65, -0.65), (1.15, -0.5), (1.15, 0.5), (0.65, 0.65), (0.5, 1.15),
        (-0.5, 1.15), (-0.65, 0.65), (-1.15, 0.5), (-1.15, -0.5), (-0.65, -0.65),
    ),
}  # fmt: skip
"""The outlines of irregular forms."""
_REGULAR: dict[Form, tuple[int, float, float, float]] = {
    "square": (4, 1.25, pi / 4, 0),
    "diamond": (4, 1.3, 0, 0),
    "triangle": (3, 1.45, -pi / 2, 0.18),
    "pentagon": (5, 1.15, -pi / 2, 0.05),
    "hexagon": (6, 1.1, 0, 0),
}
"""The number of corners, radius, rotation and downward offset of regular forms."""


def outline(form: Form, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return the corners of a form around (x, y), about as large as a circle of `radius`. A circle has no corners."""
    if form == "circle":
        return []
    if form == "star":
        tips = _regular(6, (x, y), radius * 1.35, -pi / 2)
        dents = _regular(6, (x, y), radius * 0.95, -pi / 3)
        return [corner for pair in zip(tips, dents, strict=True) for corner in pair]
    if form in _REGULAR:
        corners, scale, turned, down = _REGULAR[form]
        return _regular(corners, (x, y + radius * down), radius * scale, turned)
    return [(x + dx * radius, y + dy * radius) for dx, dy in _CORNERS[form]]


def _regular(corners: int, centre: tuple[float, float], radius: float, turned: float) -> list[tuple[float, float]]:
    x, y = centre
    steps = (turned + 2 * pi * corner / corners for corner in range(corners))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in steps]
