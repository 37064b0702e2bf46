"""Our own drawings, based on names and on no printed picture: places and encounters, each 48 by 16, and tokens of the
map, each 48 by 32.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.kit.vignette import Family, Shape, Vignette, fill, line, oval

SEA: Vignette = (fill("w", "M0 11.5Q3 10.7 6 11.5T12 11.5T18 11.5T24 11.5T30 11.5T36 11.5T42 11.5T48 11.5V16H0z"),)
CRESTS: Vignette = (line("e", "M5 13.8q1.5-.9 3 0M20 14.6q1.5-.9 3 0M38 13.6q1.5-.9 3 0", 0.5, 0.7),)
SUN: Vignette = (oval("e", 30, 8, 3.4),)
MOON: Vignette = (fill("e", "M33 2.2a2.6 2.6 0 1 0 1.6 4.6a3.2 3.2 0 0 1-1.6-4.6z"),)
STARS: Vignette = (line("e", "M6 3h.01M14 6h.01M22 2.4h.01M40 3.4h.01M45 7h.01M27 6.6h.01", 0.7),)
HILLS: Vignette = (fill("c", "M0 12V8.5Q8 5 16 8.4T33 7.6T48 8.6V12z", 0.4),)
CLOUDS: Vignette = (
    fill("a", "M2 4.6a2.2 2.2 0 0 1 3.6-1.6a3 3 0 0 1 5.6.6a1.8 1.8 0 0 1 0 3.4H4a1.9 1.9 0 0 1-2-2.4z"),
)
RAIN: Vignette = (line("a", "M9 7l-1.4 3M15 6l-1.4 3M22 7l-1.4 3M29 6l-1.4 3M41 7l-1.4 3", 0.5),)


def _ship(x: float, water: float = 12.6) -> Vignette:
    """Return a ship whose stern is at `x`."""
    at = f"M{x:g} {water:g}"
    return (
        line("d", f"{at}m4 0v-9.4M{x + 7:g} {water:g}v-7", 0.5),
        fill(
            "e",
            f"{at}m4.4-8.4q3.4 2.6 0 5.6zM{x + 3.6:g} {water - 7:g}q-3 2 0 4.2zM{x + 7.3:g} {water - 5.6:g}q2 1.6 0 3.4z",
        ),
        fill("c", f"{at}m4-9.6h2.2l-.8.7.8.7h-2.2z"),
        fill("d", f"{at}m-.6-2h9.6q-.6 3-2.4 3.6h-5q-1.8-.6-2.2-3.6z"),
    )


def _house(x: float, high: float) -> Shape:
    return fill("c", f"M{x:g} 12v{-high:g}l1.8-1.8 1.8 1.8v{high:g}z")


PLACES: Mapping[str, tuple[Family, Vignette]] = MappingProxyType(
    {
        "gullet_harbour": ("dune", (*SUN, *HILLS, _house(1, 5), _house(5, 7.4), _house(9, 4.4), *SEA, fill("d", "M0 11H17v1.4H0zM3 12h.8v3H3zM12 12h.8v3H12z"), fill("e", "M6.2 7h1v1.2h-1zM2.2 8.6h1v1.2h-1zM10.2 9h1v1.2h-1z"), *_ship(27), *CRESTS)),
        "fair_wind": ("ocean", (*SUN, *HILLS, *SEA, *_ship(17), line("e", "M4 5h7M2 7.4h6M37 4h7", 0.5), *CRESTS)),
        "flat_calm": ("frog", (oval("e", 35, 6, 2.6), fill("w", "M0 11H48V16H0z"), *_ship(18), line("e", "M19 14.8h7M30 13.6h6M6 14h5", 0.4, 0.7))),
        "dirty_weather": ("rocky", (*CLOUDS, fill("a", "M18 0H46Q45 5 39 4.6Q34 7 29 4.6Q20 5.4 18 0z"), *RAIN, line("e", "M34 4l-2 3h2.4l-2 3.4", 0.6), fill("w", "M0 12Q5 7.6 10 12T20 12T30 12T40 12T48 11V16H0z"), *_ship(20, 12))),
        "sails_astern": ("wind", (*HILLS, *SEA, *_ship(4, 13), *_ship(25, 12.2), *_ship(36, 12), *CRESTS)),
        "middle_watch": ("night", (*MOON, *STARS, *SEA, *_ship(16), *CRESTS)),
        "lantern_market": ("fire", (*STARS, *SEA, line("d", "M3 3Q13 8 24 4T46 3", 0.4), oval("e", 8, 6.3, 1.3), oval("e", 15, 6.9, 1.3), oval("e", 22, 5.8, 1.3), oval("e", 31, 5.4, 1.3), oval("e", 39, 5.2, 1.3), fill("d", "M4 11h9q-1 3-3 3h-3q-2 0-3-3zM20 11h10q-1 3-3 3h-4q-2 0-3-3zM36 11h9q-1 3-3 3h-3q-2 0-3-3z"), fill("c", "M6 11v-1.8h5V11zM22 11v-2.4h6V11zM38 11v-1.8h5V11z"))),
        "weeping_wreck": ("rocky", (*HILLS, *SEA, fill("d", "M12 13l4-4 8 .6 3-1.6 7 5q-4 2.4-11 2.4T12 13z"), line("d", "M20 10l-3-8M27 9l4-6M17.6 4l4.4 1.6", 0.7), line("e", "M16 11.6h2M21 11.8h2M26 11.6h2", 0.7), *CRESTS)),
        "choir_of_stilts": ("frog", (*SEA, line("d", "M9 15V8M13 15V8M22 15V6M27 15V6M36 15V8M40 15V8", 0.6), fill("c", "M7 8V4.6l4-2.2 4 2.2V8zM20 6V2.8l4.6-2 4.4 2V6zM34 8V4.6l4-2.2 4 2.2V8z"), fill("e", "M10 5h2v1.4h-2zM23.5 3h2v1.4h-2zM37 5h2v1.4h-2z"), *CRESTS)),
        "small_hours_beach": ("sandy", (*MOON, *SEA, fill("c", "M0 16V13Q14 9.6 30 13T48 14V16z"), line("d", "M12 12Q13 8 12 4", 0.8), fill("d", "M12 4q-4-1.6-6 1q3.6-.6 6-1zM12 4q4-1.6 6 1q-3.6-.6-6-1zM12 4q-1-2.6-3.6-2.6q2.4 1 3.6 2.6z"), fill("e", "M25 12.6l1-2.6 1 2.6z"))),
        "unlit_fog": ("stone", (*SEA, *_ship(19), fill("a", "M0 9Q8 7 16 9T32 9T48 8.4V11Q40 12.4 32 11.4T14 11.6T0 11z", 0.9), line("e", "M3 5h12M30 4h13M8 13h14M28 14h14", 0.8, 0.7))),
        "tariff_cutter": ("red", (*SEA, *_ship(6), fill("c", "M31 12V2.6l8 8.6z"), fill("e", "M30.4 12V4l-5 7.4z"), fill("d", "M25 12h16q-1 2.6-3 2.6h-9q-3 0-4-2.6z"), *CRESTS)),
        "over_the_trench": ("ocean", (*_ship(19, 5.4), fill("w", "M0 4.6Q3 4 6 4.6T12 4.6T18 4.6T24 4.6T30 4.6T36 4.6T42 4.6T48 4.6V16H0z"), fill("d", "M0 16V9l9 3 4 4zM48 16V8l-10 4-4 4z"), line("e", "M21 12q3-3 6 0t6 0", 0.8), oval("e", 22, 9, 0.5))),
        "drowned_belfry": ("night", (fill("c", "M18 16V5l6-4 6 4v11z"), fill("a", "M21 9a3 3 0 0 1 6 0v3h-6z"), fill("e", "M22.4 10.6q0-2.6 1.6-2.6t1.6 2.6l.7 1h-4.6z"), fill("w", "M0 12.6Q4 11.8 8 12.6T16 12.6T24 12.6T32 12.6T40 12.6T48 12.6V16H0z", 0.85), *STARS)),
        "plumes_blockade": ("fire", (*HILLS, *SEA, *_ship(2, 12), *_ship(13, 12.4), *_ship(25, 12.4), *_ship(36, 12), *CRESTS)),
        "the_bell_rings": ("gate", (fill("c", "M24 1.6q5 0 5.6 7l1.8 3.4h-14.8l1.8-3.4q.6-7 5.6-7z"), oval("d", 24, 12.8, 1.3), line("d", "M13 3q-2 3 0 6M10 2q-3 4 0 8M35 3q2 3 0 6M38 2q3 4 0 8", 0.8))),
        "old_whale": ("ocean", (*SEA, fill("d", "M20 13Q22 3 34 3.6Q44 4.4 47 13z"), oval("e", 25, 9.4, 0.8), line("e", "M21 12.2q5 1 9-.4", 0.5), line("c", "M31 4l-1-3M36 4l.6-3M41 6l1.6-2.6", 0.6), *_ship(4), *CRESTS)),
        "sea_serpent": ("frog", (*SEA, line("c", "M10 12V6q0-3.4 3-3.4t3 3M20 12q0-5 4-5t4 5M31 12q0-4 3.4-4t3.4 4M40 12q0-2.6 2.4-2.6T45 12", 2), oval("e", 14.6, 4, 0.6), *CRESTS)),
    }
)  # fmt: skip
"""The palette and the drawing of each page and encounter, by its id."""
OPEN_SEA: tuple[Family, Vignette] = ("ocean", (*SUN, *SEA, *_ship(19), *CRESTS))
"""The drawing of everything else."""


def picture(*ids: str) -> tuple[Family, Vignette]:
    """Return the drawing of the first id that has a drawing."""
    return next((PLACES[id_] for id_ in ids if id_ in PLACES), OPEN_SEA)


CALM: tuple[Family, Vignette] = ("ocean", (line("w", "M6 12h26M14 20h28M8 28h24", 3),))
SIGHTS: Mapping[str, tuple[Family, Vignette]] = MappingProxyType(
    {
        "gullet_harbour": ("fire", (fill("c", "M4 30V17l9-8 9 8v13z"), fill("d", "M25 30V13l9-9 9 9v17z"), fill("e", "M10 20h6v5h-6zM31 15h6v6h-6z"))),
        "lantern_market": ("fire", (line("d", "M3 5Q24 16 45 5", 1.8), oval("e", 12, 13, 5), oval("e", 24, 15.5, 5), oval("e", 36, 13, 5), fill("c", "M6 23h16q-2 8-8 8t-8-8zM26 23h16q-2 8-8 8t-8-8z"))),
        "weeping_wreck": ("red", (line("d", "M22 20L15 3M30 17l8-9", 2.2), fill("d", "M5 17l11 3 25-5q-2 13-11 16H18Q9 30 5 17z"))),
        "choir_of_stilts": ("red", (line("d", "M11 31V11M24 31V8M37 31V11", 2.6), oval("c", 11, 8, 5), oval("w", 24, 6, 5), oval("e", 37, 8, 5))),
        "small_hours_beach": ("earth", (fill("b", "M4 31Q24 19 44 31z"), line("m", "M24 26Q26 16 22 9", 2.6), line("c", "M22 9q-7-5-12 3M22 9q8-5 13 3M22 9Q20 2 12 2M22 9q4-7 11-5", 3))),
        "unlit_fog": ("stone", (line("c", "M8 8H34M14 17H43M6 26H32", 4.4),)),
        "the_trench": ("ocean", (fill("d", "M7 13h34l-11 9-6 9-6-9z"), line("w", "M5 9q4.8-4.4 9.6 0t9.6 0 9.6 0 9.6 0", 2.6))),
        "glassy": CALM,
        "calm_water": CALM,
        "flotsam": ("dune", (fill("c", "M13 8h20v18H13z"), line("d", "M13 8l20 18M33 8L13 26", 2), line("w", "M5 29q5-4 9.5 0t9.5 0 9.5 0 9.5 0", 2.4))),
        "squall": ("rocky", (fill("c", "M13 19a7 7 0 0 1 1-14a9 9 0 0 1 17 1a6.5 6.5 0 0 1 4 13z"), line("w", "M16 23l-3 7M26 23l-3 7M36 23l-3 7", 2.8))),
        "sea_birds": ("rocky", (line("d", "M5 15q6-9 10 0q4-9 10 0M24 26q5-8 9 0q4-8 9 0", 2.6),)),
        "patrol": ("red", (fill("e", "M23 2v18H9z"), fill("c", "M26 4l13 16H26z"), fill("d", "M6 22h36q-2 9-9 9H15q-7 0-9-9z"))),
        "bottle": ("frog", (fill("c", "M20 1h8v8q6 3 6 9v13H14V18q0-6 6-9z"), fill("e", "M18 19h12v7H18z"))),
        "old_whale": ("ocean", (fill("c", "M4 22Q6 9 24 9q11 0 14 9l7-8q2 13-6 20H15Q5 30 4 22z"), oval("e", 13, 20, 2))),
        "waterspout": ("ocean", (line("w", "M8 5h32M13 12h22M17 19h14M21 26h6", 3.8),)),
        "kelp_maze": ("earth", (line("c", "M11 30q-6-7 0-14t0-13M24 30q-6-7 0-14t0-13M37 30q-6-7 0-14t0-13", 3.4),)),
        "raft_fair": ("fire", (line("d", "M24 24V3", 2.2), fill("c", "M25 3l14 6-14 6z"), fill("m", "M5 24h38v6H5z"))),
        "drifting_gun": ("rocky", (fill("d", "M5 19L36 5l5 9-28 14z"), oval("c", 19, 26, 4.6))),
        "corpse_light": ("frog", (fill("c", "M25 2q10 9 10 17a10.5 11 0 0 1-21 0q0-6 5-10q1 5 4 5q4-5 2-12z"), oval("e", 25, 24, 4))),
        "castaway": ("dune", (oval("d", 24, 6, 3.8), line("d", "M24 12v11M14 8l10 6 10-6", 3), fill("m", "M8 24h32v5H8z"))),
        "sea_serpent": ("frog", (line("c", "M7 30v-9q0-9 7-9t7 9v9M27 30v-6q0-7 6-7t6 7v6", 4.4), oval("e", 12, 16, 1.6))),
    }
)  # fmt: skip
"""The palette and the drawing of each token, by its id."""
BUOY: tuple[Family, Vignette] = ("red", (line("d", "M19 31V3", 2.6), fill("c", "M20 3l19 7-19 7z")))
"""The drawing of every other token."""
ROCKS: tuple[Family, Vignette] = ("rocky", (fill("c", "M3 30L16 6l8 13 6-7 15 18z"), fill("b", "M16 6l8 13-6 4-6-9z")))
FACE_DOWN: Vignette = (line("d", "M17 10q0-8 7-8t7 8q0 5-7 8v4M24 28.6h.01", 3.8),)


def sight(token: str) -> tuple[Family, Vignette]:
    """Return the palette and the drawing of a token."""
    return SIGHTS.get(token, BUOY)
