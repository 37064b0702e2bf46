"""Messages for impossible seats and outcomes."""

from __future__ import annotations

import pytest

from engine.core.errors import ImpossibleOutcome
from engine.core.values import ChancePoint, Value, not_a_seat


def test_the_seats_of_a_table_are_named() -> None:
    assert not_a_seat(1, "p2") == "p2 is not a seat of this game: the only seat is p1"
    assert not_a_seat(2) == "not a seat of this game: the seats are p1 and p2"
    assert not_a_seat(3, "p9") == "p9 is not a seat of this game: the seats are p1, p2 and p3"


@pytest.mark.parametrize(
    ("options", "given", "hint"),
    [((1, 6), "6", ": use the number 6"), (("6",), 6, ": use the text '6'"), ((1, 2), 6, "")],
)
def test_an_outcome_of_another_type_is_told_from_one_that_cannot_be(
    options: tuple[Value, ...], given: Value, hint: str
) -> None:
    error = ImpossibleOutcome(ChancePoint("die", 0, options), given)
    assert str(error) == f"{given!r} is not a possible result for die{hint}"
