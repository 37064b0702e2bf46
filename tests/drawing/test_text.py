"""Text is shortened and wrapped to fit its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing.pen import Pen, escape_xml, number
from drawing.text import ELLIPSIS, fit, width_of, wrap


@given(st.text(max_size=60), st.floats(20, 300), st.booleans())
def test_what_is_fitted_fits(text: str, width: float, bold: bool) -> None:
    assert width_of(fit(text, 12, width, bold=bold), 12, bold=bold) <= width


@given(st.text(max_size=120), st.integers(1, 4), st.floats(20, 300))
def test_what_is_wrapped_fits(text: str, lines: int, width: float) -> None:
    found = wrap(text, 12, width, lines)
    assert len(found) <= lines
    assert all(width_of(line, 12) <= width for line in found)


def test_short_text_stays_as_it_is() -> None:
    assert fit("Coral Palace", 12, 200) == "Coral Palace"
    assert wrap("Cliffs of Abandon", 12, 70, 3) == ["Cliffs of", "Abandon"]
    assert wrap("", 12, 70, 3) == []


def test_long_text_ends_in_an_ellipsis() -> None:
    assert fit("Maximiliane von und zu Hohenstein", 12, 100).endswith(ELLIPSIS)
    assert wrap("one two three four five six", 12, 50, 2)[1].endswith(ELLIPSIS)
    assert fit("anything", 12, 0) == ELLIPSIS


def test_wide_scripts_are_wide() -> None:
    assert width_of("島島島", 10) > width_of("iii", 10) * 3
    assert width_of("Ann", 10, bold=True) > width_of("Ann", 10)


@pytest.mark.parametrize(
    ("value", "written"), [(0, "0"), (-0.01, "0"), (1.04, "1"), (1.25, "1.2"), (-3.5, "-3.5"), (1200, "1200")]
)
def test_numbers(value: float, written: str) -> None:
    assert number(value) == written


def test_nothing_unescaped() -> None:
    assert escape_xml('<b>"&\x00\n\ud800') == "&lt;b&gt;&quot;&amp;\ufffd \ufffd"


def test_an_attribute_that_is_none_is_left_out() -> None:
    pen = Pen(plain=True)
    pen.start(10, 10, "t", "d")
    pen.rect(1, 2, 3, 4, fill="ink", stroke=None, class_="dl-x", data_place='"')
    assert b'<rect x="1" y="2" width="3" height="4" fill="#1d2830" data-place="&quot;" class="dl-x"/>' in pen.finish()
