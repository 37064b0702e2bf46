"""Our own drawings of the tiles, based only on the printed names."""

from __future__ import annotations

from engine.games.forbidden_island.components import Tile
from engine.kit.vignette import Family, Metal, Shape, Vignette, fill, line, oval

_OF_FAMILY: dict[Family, tuple[Tile, ...]] = {
    "fire": ("cave_of_embers", "cave_of_shadows"),
    "earth": ("temple_of_the_moon", "temple_of_the_sun"),
    "ocean": ("coral_palace", "tidal_palace", "lost_lagoon"),
    "wind": ("howling_garden", "whispering_garden"),
    "gate": ("bronze_gate", "copper_gate", "gold_gate", "iron_gate", "silver_gate"),
    "red": ("crimson_forest",),
    "rocky": ("cliffs_of_abandon", "fools_landing", "phantom_rock", "watchtower"),
    "sandy": ("breakers_bridge", "dunes_of_deception"),
    "wild": ("misty_marsh", "observatory", "twilight_hollow"),
}
FAMILIES = {tile: family for family, tiles in _OF_FAMILY.items() for tile in tiles}
"""The palette of each tile: the palette of its treasure, the palette of gates, or the palette of land."""
_METALS: tuple[Metal, ...] = ("bronze", "copper", "gold", "iron", "silver")
METALS = {f"{metal}_gate": metal for metal in _METALS}
"""Material of each gate's bars."""
HILL = fill("b", "M0 30Q10 22 21 27T48 24V48H0z")
DOORWAY = fill("d", "M16 44V28A8 8 0 0 1 32 28V44z")
FOREGROUND = fill("b", "M0 43Q20 40 48 43V48H0z")
GATE_BARS = line("m", "M20 43V24M24 43V22M28 43V24M17 31H31", 1.8)


def _gate(*wall: Shape, bars: Shape = GATE_BARS) -> Vignette:
    return (HILL, *wall, DOORWAY, bars, FOREGROUND)


VIGNETTES: dict[Tile, Vignette] = {
    "breakers_bridge": (
        fill("b", "M0 38Q12 34 24 38T48 37V48H0z"),
        fill("c", "M0 48V17L9 15L13 25L11 48zM48 48V15L40 14L35 25L37 48z"),
        fill("d", "M9 15L13 25L11 48H8L10 26zM40 14L35 25L37 48H40L38 26z", 0.45),
        line("d", "M10 18Q24 30 39 17", 1.6),
        line("d", "M11 27Q24 38 38 26", 3.6),
        line("d", "M15 22V29M20 24V32M25 25V33M30 23V31M35 20V28", 1.2),
    ),
    "bronze_gate": _gate(
        fill("c", "M8 46V26A16 16 0 0 1 40 26V46z"),
        fill("e", "M22 7H26V13H22z"),
        line("e", "M12 27A12 12 0 0 1 36 27", 1.6),
    ),
    "cave_of_embers": (
        fill("b", "M0 26L14 12L30 6L48 20V48H0z"),
        fill("c", "M2 46L7 24L18 12L32 10L42 22L46 46z"),
        fill("d", "M12 46C12 30 17 22 24 22C31 22 36 30 36 46z"),
        fill("e", "M24 44C17.5 44 17 38 20.5 33C21.5 35.5 23 35.5 23 31.5C29 35.5 31 44 24 44z"),
    ),
    "cave_of_shadows": (
        fill("b", "M0 0H48V48H0z"),
        fill("c", "M0 48V16Q10 5 24 5T48 16V48z"),
        fill("d", "M7 48V24Q12 13 24 13T41 24V48z"),
        fill("c", "M12 14L15 28L19 13zM21 11L25 33L29 11zM31 13L34 25L37 14zM13 48L17 39L21 48zM29 48L33 36L37 48z"),
        oval("e", 19, 36, 1.7),
        oval("e", 27, 39, 1.7),
    ),
    "cliffs_of_abandon": (
        fill("b", "M0 34Q16 30 48 33V48H0z"),
        fill("c", "M0 48V11L20 8L29 14L26 24L32 32L28 48z"),
        fill("d", "M20 8L29 14L26 24L32 32L28 48H23L26 33L20 25L22 15z", 0.55),
        line("d", "M0 20H17M0 29H18M0 38H20", 1.5, 0.6),
        line("d", "M34 13Q37 9 39 13Q41 9 44 13", 1.7),
    ),
    "copper_gate": _gate(
        fill("c", "M8 46V27L24 7L40 27V46z"),
        line("e", "M12.5 27L24 13L35.5 27", 1.6),
    ),
    "coral_palace": (
        fill("b", "M0 36Q12 32 24 35T48 33V48H0z"),
        fill("c", "M7 46V28A5.5 5.5 0 0 1 18 28V46zM18 46V20A6 6 0 0 1 30 20V46zM30 46V28A5.5 5.5 0 0 1 41 28V46z"),
        line("c", "M24 16V5M24 11L18 5M24 9L30 4M12.5 24V16M12.5 20L8 15M35.5 24V15M35.5 20L40 14", 2.4),
        fill("d", "M21 46V36A3 3 0 0 1 27 36V46z"),
        oval("e", 12.5, 31, 2),
        oval("e", 24, 24, 2.2),
        oval("e", 35.5, 31, 2),
    ),
    "crimson_forest": (
        fill("b", "M0 40Q14 36 26 39T48 38V48H0z"),
        fill("d", "M10 38H13V45H10zM23 40H26V47H23zM36 38H39V45H36z"),
        fill("c", "M11.5 24L19.5 39H3.5z"),
        fill("c", "M11.5 17L17.5 31H5.5z"),
        fill("c", "M37.5 24L45.5 39H29.5z"),
        fill("c", "M37.5 17L43.5 31H31.5z"),
        fill("e", "M24.5 23L34.5 42H14.5z"),
        fill("e", "M24.5 15L32.5 32H16.5z"),
        fill("e", "M24.5 8L30.5 22H18.5z"),
    ),
    "dunes_of_deception": (
        oval("e", 35, 12, 6),
        fill("b", "M0 24Q14 12 28 24T48 22V48H0z"),
        fill("c", "M0 36Q12 20 26 32Q36 40 48 30V48H0z"),
        fill("d", "M14 26Q20 27 26 32Q18 34 16 46Q10 34 14 26z", 0.45),
        line("d", "M26 41Q34 44 44 39M22 46Q30 47 36 46", 1.4, 0.6),
    ),
    "fools_landing": (
        HILL,
        oval("d", 24, 38, 21, 8),
        oval("c", 24, 35, 21, 8),
        oval("e", 24, 35, 15, 5.4, width=1.6),
        line("e", "M19.5 32.5V37.5M28.5 32.5V37.5M19.5 35H28.5", 2.2),
        line("d", "M12 8H36"),
        line("d", "M24 8V12"),
        fill("d", "M14 17C14 13 18 12 25 12C31 12 34 15 34 18C34 20 32 21 28 21H19L9 18L8 13H11L13 16z"),
        fill("e", "M27 14C30 14 32 16 32 18H27z"),
    ),
    "gold_gate": _gate(
        fill("c", "M7 46V22H41V46zM10 19Q24 2 38 19z"),
        oval("e", 24, 6, 2.6),
        line("e", "M8 22H40"),
    ),
    "howling_garden": (
        HILL,
        line("d", "M12 44Q13 32 20 26M30 45Q31 36 37 31", 2.6),
        fill(
            "c",
            "M14 28C14 20 24 17 34 22C29 24 30 29 22 30C18 31 15 31 14 28zM31 33C31 27 39 24 47 28C43 29 44 34 38 35C35 36 32 36 31 33z",
        ),
        line("e", "M3 10H22C27 10 27 4 23 4M6 16H34C38 16 38 11 35 11"),
    ),
    "iron_gate": _gate(
        fill("c", "M6 46V13H12V17H18V13H30V17H36V13H42V46z"),
        line("e", "M9 22H39", 1.4),
        bars=line("m", "M19 43V24M22.5 43V22M26 43V22M29.5 43V24M17 30H31M17 36H31", 1.8),
    ),
    "lost_lagoon": (
        fill("c", "M0 22Q12 17 24 21T48 19V48H0z"),
        oval("e", 25, 35, 19, 9),
        oval("b", 25, 35.5, 16, 7),
        line("e", "M17 35H24M25 38.5H33", 1.6),
        line("d", "M10 30Q10 18 14 11", 2.4),
        fill(
            "d",
            "M14 12Q6 7 2 13Q8 11 14 12Q7 13 6 20Q10 14 14 12Q16 16 21 19Q20 13 14 12Q19 9 24 12Q20 6 14 12Q12 6 8 4Q11 7 14 12z",
        ),
    ),
    "misty_marsh": (
        fill("b", "M0 30H48V48H0z"),
        line("e", "M4 20H30M18 14H44M8 36H20M28 40H42M6 44H16", 2.2),
        line("d", "M11 44V18M17 45V24M31 44V16M37 45V22M25 44V28", 1.8),
        fill("c", "M9 10H13V21H9zM15 17H19V27H15zM29 8H33V20H29zM35 14H39V25H35z"),
    ),
    "observatory": (
        HILL,
        fill("c", "M11 45V31H37V45z"),
        fill("d", "M9 31A15 15 0 0 1 39 31z"),
        fill("e", "M24 31L33 11L38 14L30 31z"),
        line("c", "M27 24L38 7", 4),
        fill("e", "M21 45V37A3 3 0 0 1 27 37V45z"),
        oval("e", 10, 10, 1.7),
        oval("e", 17, 6, 1.2),
        oval("e", 6, 17, 1.2),
    ),
    "phantom_rock": (
        fill("b", "M0 38Q24 32 48 38V48H0z"),
        fill("c", "M8 47C6 30 11 8 25 7C38 9 42 30 40 47z"),
        fill("d", "M14 30C14 20 18 15 25 15C31 15 34 21 34 30C30 34 18 34 14 30z"),
        oval("e", 20.5, 25, 2.2),
        oval("e", 28.5, 25, 2.2),
        line("d", "M16 38L18 46M30 37L31 46", 1.6, 0.5),
    ),
    "silver_gate": _gate(
        fill("c", "M4 46V16L9 7L14 16V22H34V16L39 7L44 16V46z"),
        fill("e", "M8 20H10V26H8zM38 20H40V26H38z"),
    ),
    "temple_of_the_moon": (
        fill("b", "M0 0H48V48H0z"),
        fill("e", "M27 3A7.5 7.5 0 1 0 34 13A6.5 6.5 0 0 1 27 3z"),
        fill("c", "M5 27L24 16L43 27z"),
        fill("c", "M8 29H13V41H8zM17 29H22V41H17zM26 29H31V41H26zM35 29H40V41H35zM5 41H43V46H5z"),
        fill("d", "M22 29H26V41H22z", 0.35),
    ),
    "temple_of_the_sun": (
        line("e", "M24 2V4M11 14H13M35 14H37M14.5 5L16 6.5M33.5 5L32 6.5"),
        oval("e", 24, 14, 7),
        fill("b", "M0 40Q14 36 26 39T48 38V48H0z"),
        fill("c", "M4 45V39H9V33H14V27H19V22H29V27H34V33H39V39H44V45z"),
        fill("d", "M20 45V35A4 4 0 0 1 28 35V45z"),
        line("a", "M9 39H19M29 39H39M14 33H34", 1.2, 0.6),
    ),
    "tidal_palace": (
        fill("c", "M9 42V30H39V42z"),
        fill("c", "M12 30C10 20 20 19 24 8C28 19 38 20 36 30z"),
        line("e", "M24 8V4"),
        fill("d", "M21 42V36A3 3 0 0 1 27 36V42z"),
        fill("e", "M13 33H17V38H13zM31 33H35V38H31z"),
        line("e", "M16 28Q18 22 24 16", 1.4, 0.7),
        fill("b", "M0 42Q6 36 12 41T24 41T36 41T48 40V48H0z"),
        line("e", "M2 45Q8 41 13 44T25 44T37 44T46 43", 1.4, 0.8),
    ),
    "twilight_hollow": (
        fill("b", "M0 0H48V48H0z"),
        fill("e", "M38 5A6 6 0 1 0 44 14A5 5 0 0 1 38 5z"),
        fill("d", "M10 46C15 40 14 20 12 8L19 14L23 6L26 14L34 9C31 20 31 40 38 46z"),
        oval("e", 23, 30, 6, 9),
        oval("c", 24, 31, 4.5, 7.5),
        fill("c", "M0 44Q24 39 48 44V48H0z"),
    ),
    "watchtower": (
        fill("e", "M27 15L48 7V24z", 0.85),
        HILL,
        fill("c", "M15 46L18 20H30L33 46z"),
        fill("d", "M15 20V15H18V17H22V15H26V17H30V15H33V20z"),
        fill("d", "M19 12L24 6L29 12V15H19z"),
        fill("e", "M22 10H26V14H22z"),
        fill("d", "M22 46V39A2 2 0 0 1 26 39V46zM22 26H26V31H22z"),
    ),
    "whispering_garden": (
        fill("b", "M0 40Q14 36 26 39T48 38V48H0z"),
        fill("c", "M6 44V26A6 6 0 0 1 18 26V44zM30 44V26A6 6 0 0 1 42 26V44z"),
        line("d", "M17 44V20A7 7 0 0 1 31 20V44", 2.6),
        fill("e", "M21 48L23 38H25L28 48z"),
        oval("e", 10, 29, 1.8),
        oval("e", 14, 35, 1.8),
        oval("e", 34, 34, 1.8),
        oval("e", 38, 28, 1.8),
        oval("e", 10, 40, 1.8),
        oval("e", 38, 40, 1.8),
        oval("c", 24, 12, 3.4),
    ),
}
