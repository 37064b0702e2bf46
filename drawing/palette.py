"""The colours. Each token (a use of a colour) has a colour for the light theme and one for the dark theme.

Pawns have the colours of Okabe and Ito's palette in both themes, because colour-blind people can tell them apart.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from engine.kit.vignette import Family, Metal, Tint

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
"""The colours of each ground: light fill and lines, then dark fill and lines."""

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
"""The fill of a pawn and the colour of its letters, by the pawn's colour."""

FAMILIES: dict[Family, tuple[str, str]] = {
    "dune": ("f9ebcb edd6a2 a9823c 5a4320 fffaf0", "4b3d22 5f4c29 b48f50 1a1307 f7ebcc"),
    "earth": ("e6edcf bacd94 6d8b40 34451f fdf3b4", "2a3822 385030 83a755 121b0c ece08f"),
    "fire": ("fbdcc6 efb394 c8623e 53201a ffce5a", "47281d 623424 cb6641 1d0a07 ffc95a"),
    "frog": ("bfe0dd 79b9b5 3f8a6a 1f4d46 f3f8e6", "16393c 1f5254 3f8f70 0a2420 cfe8dc"),
    "gate": ("f5e8c9 dcc694 9c7947 4b3927 fff3d0", "3d3424 4d412b a98c5f 17120b ecdcb2"),
    "hog": ("f2ddc3 dbb78d a9733f 4f3216 f9efd8", "43311f 5b4329 b07b45 1e140a f0dfba"),
    "log": ("dce8bd a9c276 5f8440 33461f c79a5c", "2b3820 3d5029 6d9549 141d0d b98d52"),
    "night": ("3d4a5c 334053 8293ab 141c26 e9eef5", "24303e 1b2531 5d7088 0d141c c9d6e6"),
    "ocean": ("dcefe9 8fc7c4 3a8b8b 123f45 f6fcf8", "173c3e 1f5152 4ba6a4 07201f e2f4f0"),
    "red": ("f5e6d8 dcbca4 a33b38 471b1d c65a4c", "412b26 55382f cc5f55 1b0b0b da6d5e"),
    "rocky": ("eceae4 c8c5be 7f8384 3e4448 f6f0dc", "31373b 40484d 929aa0 12171a f0e7cd"),
    "sandy": ("fbefd8 e8d1a3 ab8143 6b4d24 fff4cd", "43371f 5a492c c29c5a 1f1609 f5e2ad"),
    "stone": ("ece9e1 cfc8b8 8b8069 453e33 fbf6e4", "36352f 48463d a89d86 15130e f0e7ce"),
    "volcano": ("f6d2bf dd9878 7a4a3c 3d211b ffb43a", "42261e 5d3428 8d5a4a 1d0e0a ffb43a"),
    "wild": ("f0f0d6 c7d0a2 778c5e 3a4834 f8e8ac", "2d3626 3e4b34 89a46e 131910 eedb90"),
    "wind": ("f8f0c8 dfce7c 9c8a35 4c4118 fffef2", "3d381b 524a22 b3a044 1a160a f7f0c8"),
}
"""The tones a to e of each family, light and dark. Dark tones are chosen by hand, because computed tones look dull."""
FLOODED = ("b5d8ea 86b9d6 337099 123e5c eef7fc 9cc9e2", "1d4a66 235a7a 5ea3cb 0b2231 a9d6ee 5a9cc0")
"""The tones a to e, and m, of a flooded tile."""
METALS: dict[Metal, str] = {
    "wood": "7b5a35",
    "bronze": "9a6233",
    "copper": "c2683d",
    "gold": "d8a528",
    "iron": "4a4f55",
    "silver": "c9d0d6",
    "steel": "8d97a0",
}
WATER = ("2a86b8", "3d97c9")
"""The colour of the tone w (water), light and dark."""

TINTS: dict[Tint, tuple[str, str]] = {
    "fire": ("#b9412a", "#c5523a"),
    "earth": ("#56722a", "#5d7a30"),
    "ocean": ("#1a7880", "#1f7d85"),
    "wind": ("#7c660f", "#80690f"),
    "steel": ("#3d4f5c", "#51697a"),
    "sack": ("#785833", "#856440"),
    "rise": ("#1d5f94", "#2a6da5"),
    "sand": ("#8a6420", "#8f6a26"),
    "blue": ("#1f6f9c", "#2a75a3"),
    "leaf": ("#4b6b2a", "#557632"),
    "clay": ("#8a5529", "#93602f"),
}
"""The colour of each tint, light and dark. White symbols are readable on it."""
MARKS: dict[Tint, str] = {
    "fire": "#f08a70",
    "earth": "#93bd55",
    "ocean": "#45b9c2",
    "wind": "#c9ab35",
    "steel": "#8fb0c4",
    "sack": "#cfa56b",
    "rise": "#6cb4f0",
    "sand": "#d6a94f",
    "blue": "#6db6e4",
    "leaf": "#8dbd5a",
    "clay": "#d99a63",
}
"""For each tint, the colour of a symbol on a dark panel. On a light panel, a symbol has the tint's own colour."""

TOKENS: dict[str, tuple[str, str]] = {
    "page": ("#f7f5ef", "#12181c"),
    "panel": ("#fffefb", "#1b2329"),
    "rim": ("#dedacf", "#35424a"),
    "ink": ("#1d2830", "#eef2f3"),
    "soft": ("#56626a", "#a9b6bd"),
    "sea": ("#b4d5da", "#12303a"),
    "desert": ("#e5cf9b", "#2f2818"),
    "sea-line": ("#5f97a4", "#4d8292"),
    "shade": ("#b9b19b", "#0b0f12"),
    "sea-deep": ("#28749e", "#4f9fca"),
    "night-ink": ("#ffffff", "#e4ebf2"),
    "accent": ("#b3206f", "#ff7ab8"),
    "grave": ("#b3261e", "#ff8a7a"),
    "halo": ("#ffffff", "#0d1215"),
    "outline": ("#1d2830", "#e6ecee"),
    "shelf": ("#d3e8e6", "#1a404a"),
    "beach": ("#efe4c6", "#4a4431"),
    "under": ("#8f7a50", "#080f12"),
    "under-water": ("#2e6788", "#062030"),
    "frame": ("#a79b7f", "#45525a"),
    "frame-water": ("#1d5a80", "#3f7fa3"),
    "wash": ("#2a78a8", "#0f4668"),
    "foam": ("#ffffff", "#bfe3f5"),
    "heap": ("#c69746", "#c9a05a"),
    "heap-line": ("#6b4b17", "#2b1e08"),
    "heap-ink": ("#3f2c0b", "#2b1e08"),
    "block": ("#6b4b17", "#d8ae64"),
    "fresh": ("#8a5a10", "#ecc27a"),
    "tint-ink": ("#ffffff", "#ffffff"),
    "pip": ("#cfe1ec", "#1d3744"),
    "pip-line": ("#7fb0bb", "#2b5866"),
    **{f"{name}-tint": colours for name, colours in TINTS.items()},
    **{f"{name}-mark": (TINTS[name][0], mark) for name, mark in MARKS.items()},
    **{f"{name}-fill": (light, dark) for name, (light, _, dark, _) in GROUNDS.items()},
    **{f"{name}-line": (light, dark) for name, (_, light, _, dark) in GROUNDS.items()},
    **{f"{name}-pawn": (fill, fill) for name, (fill, _) in PAWNS.items()},
    **{f"{name}-letter": (letter, letter) for name, (_, letter) in PAWNS.items()},
}
"""The colour of each token: light and dark."""


def _light() -> str:
    return "".join(f"--dl-{token}:{light};" for token, (light, _) in TOKENS.items())


def _dark() -> str:
    return "".join(f"--dl-{token}:{dark};" for token, (light, dark) in TOKENS.items() if dark != light)


def tones(family: Family, metal: Metal, *, is_flooded: bool) -> dict[str, str]:
    """Return the light colour of each tone of a vignette."""
    light = FLOODED[0] if is_flooded else f"{FAMILIES[family][0]} {METALS[metal]}"
    return {name: f"#{colour}" for name, colour in zip(TONES, f"{light} {WATER[0]}".split(), strict=True)}


TONES = "abcdemw"


def _tone_variables(theme: int) -> str:
    palettes: dict[str, str] = {name: colours[theme] for name, colours in FAMILIES.items()}
    palettes["flooded"] = FLOODED[theme]
    found = []
    for name, palette in palettes.items():
        found.append(f".dl-{name}{{{''.join(map('--dl-{}:#{};'.format, TONES, palette.split()))}}}")
    return "".join(found)


STYLE = "".join(
    (
        f".dl-board{{{_light()}--dl-m:#{METALS['wood']};--dl-w:#{WATER[0]}}}{_tone_variables(0)}",
        *(f".dl-m-{name}{{--dl-m:#{colour}}}" for name, colour in METALS.items()),
        "@media screen and (prefers-color-scheme:dark){",
        f".dl-board{{{_dark()}--dl-w:#{WATER[1]}}}{_tone_variables(1)}}}",
    )
)
"""The style sheet of every picture. It never changes, so that a page's Content-Security-Policy can allow it."""

STYLE_SOURCE = f"'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
"""The source of `STYLE` in the `style-src` of a Content-Security-Policy."""

POLICY = f"default-src 'none'; style-src {STYLE_SOURCE}; frame-ancestors 'none'"
"""The Content-Security-Policy of a picture served on its own."""
