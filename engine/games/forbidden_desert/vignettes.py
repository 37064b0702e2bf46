"""Our own drawings of the tiles, based on the meaning of each tile and on no printed picture."""

from __future__ import annotations

from engine.games.forbidden_desert.components import CitySide
from engine.kit.vignette import Vignette, fill, line, oval

STORM: Vignette = (
    fill("a", "M0 0H48V48H0z"),
    line("e", "M40 15C34 6 18 5 12 15C6 27 16 41 28 40C40 38 42 24 33 18C25 13 16 20 18 28C20 34 28 34 30 29", 3),
    line("c", "M4 10H12M36 44H44M3 40H9M40 6H45", 2.4),
)
DUNES: tuple[Vignette, Vignette] = (
    (
        fill("b", "M0 22Q14 12 26 21T48 18V48H0z"),
        line("c", "M5 31Q13 26 21 31T38 30M14 40Q22 35 30 40T46 39", 1.8),
    ),
    (
        fill("b", "M0 30Q16 16 32 28T48 27V48H0z"),
        line("c", "M3 20Q10 15 17 20T31 19M18 40Q26 35 34 40T48 38", 1.8),
    ),
)
"""Two drawings of desert sides, so that adjacent tiles differ."""
OASIS: Vignette = (
    fill("b", "M0 26Q14 16 28 25T48 22V48H0z"),
    fill("w", "M24 9C30 18 35 23 35 30A11 11 0 0 1 13 30C13 23 18 18 24 9z"),
    line("e", "M18 30A6 6 0 0 0 23 36"),
)
"""The desert side with the water drop."""
WRECK: Vignette = (
    fill("b", "M0 32Q16 24 30 30T48 28V48H0z"),
    line("d", "M6 15L38 9", 2.4),
    line("d", "M22 12L23 19", 2.4),
    fill("d", "M12 31C12 23 18 18 26 19C34 20 37 26 36 32C34 35 18 37 12 34z"),
    fill("e", "M26 22C31 22 33 26 33 30L26 30z"),
    line("d", "M13 30L3 22M3 18V26", 3),
    line("c", "M8 39Q18 35 28 39T44 37", 1.8),
)
CITY: dict[CitySide, Vignette] = {
    "gear": (
        fill("b", "M0 34H48V48H0z"),
        fill("c", "M5 42V24H17V42zM20 42V16H32V42zM35 42V28H44V42z"),
        fill(
            "d",
            "M22.5 20.9H26.3L26.87 23.75L29.62 25.27L32.28 24.23L34.28 27.55L32.19 29.45V31.35L34.28 33.25L32.28 36.58L29.62 35.53L26.87 37.05L26.3 39.9H22.5L21.93 37.05L19.18 35.53L16.52 36.58L14.52 33.25L16.61 31.35V29.45L14.52 27.55L16.52 24.23L19.18 25.27L21.93 23.75z",
        ),
        oval("a", 24.4, 30.4, 3.4),
    ),
    "launch_pad": (
        fill("b", "M0 0H48V48H0z"),
        oval("c", 24, 24, 19),
        oval("e", 24, 24, 14, width=2.5),
        line("d", "M18.5 17V31M29.5 17V31M18.5 24H29.5", 3.4),
    ),
    "mirage": (
        fill("b", "M0 30Q16 22 30 28T48 25V48H0z"),
        oval("e", 24, 15, 8),
        line("c", "M6 33H30M14 38H42M8 43H28", 2.2),
        line("d", "M34 30Q35 22 32 15", 2, 0.5),
        fill("d", "M32 15Q26 11 22 16Q28 14 32 15Q27 17 27 22Q30 17 32 15Q36 17 40 20Q38 13 32 15z", 0.5),
    ),
    "tunnel": (
        fill("b", "M0 0H48V48H0z"),
        fill("c", "M2 46V26A22 20 0 0 1 46 26V46z"),
        fill("d", "M11 46V29A13 13 0 0 1 37 29V46z"),
        fill("e", "M20 46L22 34H26L28 46z", 0.7),
        line("b", "M8 20L12 25M24 9V15M40 20L36 25"),
    ),
    "well": (
        fill("b", "M0 32H48V48H0z"),
        fill("d", "M8 20L24 8L40 20z"),
        fill("d", "M12 20H15V32H12zM33 20H36V32H33z"),
        fill("c", "M8 32H40V44H8z"),
        oval("w", 24, 32, 16, 4),
    ),
}
"""The city sides, except clues."""
CLUE_ROW: Vignette = (
    fill("b", "M0 0H48V48H0z"),
    fill("c", "M6 12H42V40H6z"),
    fill("d", "M2 26L13 17V35zM46 26L35 17V35z"),
)
"""A clue to a row; the sign in the middle shows the part."""
CLUE_COLUMN: Vignette = (
    fill("b", "M0 0H48V48H0z"),
    fill("c", "M10 6H38V44H10z"),
    fill("d", "M24 2L15 12H33zM24 46L15 36H33z"),
)
