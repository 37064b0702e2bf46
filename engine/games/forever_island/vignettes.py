"""Our own drawings of the islands, based on each island's name and on no printed picture.

The drawing on a shore is 48 by 16. Around it, the picture shows the ground of the shore.
"""

from __future__ import annotations

from engine.games.forever_island.components import Resource
from engine.kit.vignette import Vignette, fill, line, oval

SHORES: dict[Resource, Vignette] = {
    "frog": (
        oval("c", 9, 11, 6, 2.2),
        oval("c", 37, 6, 5.5, 2),
        oval("c", 26, 13, 4, 1.6),
        line("d", "M3 13V4M5 14V7M45 12V3M42 10V5", 1.2),
        line("e", "M17 6H22M29 9H33", 1.2),
    ),
    "hog": (
        fill("c", "M4 12a5 5 0 0 1 10 0zM34 12a6 6 0 0 1 12 0z"),
        fill("e", "M7.5 12h3v4h-3zM38.5 12h3v4h-3z"),
        oval("e", 7.5, 9.4, 1.2),
        oval("e", 38, 8.6, 1.3),
        oval("e", 42.4, 10, 1.1),
        line("d", "M19 14H28M22 9H27", 1.2),
    ),
    "log": (
        fill("d", "M6 12h2v4h-2zM14 11h2v4h-2zM35 11h2v4h-2zM43 12h2v4h-2z"),
        fill("c", "M7 0L12 13H2zM15 1L19.5 12H10.5zM36 0L41 12H31zM44 2L48 13H40z"),
        fill("e", "M22 11H30a2 2 0 0 1 0 4H22z"),
        oval("d", 22, 13, 2),
    ),
}
FACES: dict[Resource, Vignette] = {
    "frog": (
        oval("c", 14, 17, 6.5),
        oval("c", 34, 17, 6.5),
        oval("c", 24, 29, 17, 12),
        oval("e", 14, 17, 4),
        oval("e", 34, 17, 4),
        oval("d", 14, 17, 1.8),
        oval("d", 34, 17, 1.8),
        line("d", "M13 30Q24 39 35 30", 2),
    ),
    "hog": (
        fill("d", "M10 19L8 6L21 13zM38 19L40 6L27 13z"),
        oval("c", 24, 25, 16, 15),
        oval("e", 24, 31, 8, 5.5),
        oval("d", 21, 31, 1.4, 2),
        oval("d", 27, 31, 1.4, 2),
        oval("d", 17, 21, 2),
        oval("d", 31, 21, 2),
    ),
    "log": (
        oval("c", 14.5, 32, 9.5),
        oval("c", 33.5, 32, 9.5),
        oval("c", 24, 16, 9.5),
        oval("e", 14.5, 32, 7),
        oval("e", 33.5, 32, 7),
        oval("e", 24, 16, 7),
        oval("d", 14.5, 32, 3.2, width=1.2),
        oval("d", 33.5, 32, 3.2, width=1.2),
        oval("d", 24, 16, 3.2, width=1.2),
    ),
}
VOLCANO: Vignette = (
    fill("c", "M2 44L19 12H29L46 44z"),
    fill("e", "M19 12H29L27.2 17L25.6 15L23.6 21L21.6 16z"),
    oval("e", 24, 7, 3.4),
    oval("e", 28, 4, 3),
)
