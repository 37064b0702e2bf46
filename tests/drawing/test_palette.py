"""Texts are readable on their background in both themes, and everyone can tell pawns apart."""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256
from itertools import combinations
from typing import get_args

import pytest

from drawing.palette import GROUNDS, PAWNS, STYLE, STYLE_SOURCE, TINTS, TOKENS
from engine.kit.scene.looks import FORMS, Colour, Form, Ground

PAIRS = [
    *(("night-ink" if ground == "night" else "ink", f"{ground}-fill") for ground in GROUNDS),
    *((text, behind) for text in ("ink", "soft", "grave") for behind in ("panel", "page")),
    *(("tint-ink", f"{tint}-tint") for tint in TINTS),
    ("heap-ink", "heap"),
    ("ink", "sea"),
    ("ink", "halo"),
    ("panel", "sea-deep"),
    ("page", "ink"),
    ("ink", "rim"),
    *((f"{colour}-letter", f"{colour}-pawn") for colour in PAWNS),
]
AA = 4.5
"""The contrast of text in WCAG 2.2."""


def luminance(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_can_be_read(theme: int) -> None:
    weak = {
        (text, behind): contrast(TOKENS[text][theme], TOKENS[behind][theme])
        for text, behind in PAIRS
        if contrast(TOKENS[text][theme], TOKENS[behind][theme]) < AA
    }
    assert weak == {}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_a_ring_stands_out(theme: int) -> None:
    behind = [f"{ground}-fill" for ground in GROUNDS if ground != "night"]
    for token in ("page", "panel", "sea", *behind):
        assert contrast(TOKENS["accent"][theme], TOKENS[token][theme]) >= 3, token


def test_every_ground_and_colour_has_its_tokens() -> None:
    assert set(GROUNDS) == set(get_args(Ground))
    assert set(PAWNS) == set(get_args(Colour)) == set(FORMS)
    assert set(FORMS.values()) == set(get_args(Form))
    assert all(one != other for one, other in combinations(FORMS.values(), 2))


def test_every_colour_of_the_style_is_declared_once_or_differs_in_the_dark() -> None:
    light, dark = STYLE.split("@media")
    assert [light.count(f"--dl-{token}:") for token in TOKENS] == [1] * len(TOKENS)
    differing = [token for token, (bright, dim) in TOKENS.items() if bright != dim]
    assert [token for token in TOKENS if f"--dl-{token}:" in dark] == differing


def test_a_page_can_allow_the_style() -> None:
    assert b64decode(STYLE_SOURCE.removeprefix("'sha256-").removesuffix("'")) == sha256(STYLE.encode()).digest()
