"""Chance: the published formula in ten lines of the test, and what each source refuses."""

from __future__ import annotations

import hashlib
import hmac
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed, NotDrawn, OutcomeRequired
from engine.core.values import ChancePoint
from engine.kit.chance import (
    Chance,
    Chosen,
    Observed,
    Recorded,
    Sampled,
    Seeded,
    Undrawn,
    UnknownSeed,
    seed_commitment,
    seeded_index,
)

CARDS = ("earth_stone", "sandbags", "sandbags")


def published_index(seed: str, seq: int, k: int, n: int) -> tuple[int, int]:
    """API.md, 'Seeded chance': return the index, and the attempt that gave it."""
    multiple = 2**64 // n * n
    attempt = 0
    while True:
        message = f"{seq}:{k}:{attempt}"
        number = int.from_bytes(hmac.new(seed.encode(), message.encode(), hashlib.sha256).digest()[:8], "big")
        if number < multiple:
            return number % n, attempt
        attempt += 1


# Seeded


def test_seeded__a_worked_example() -> None:
    """Also: `printf '2:0:0' | openssl dgst -sha256 -hmac tides`, first 16 digits, modulo 24."""
    number = 0xBBB448E02ECAD099
    assert published_index("tides", 2, 0, 24)[0] == number % 24
    assert seeded_index(b"tides", 2, 0, 24) == number % 24


@given(st.text(st.characters(codec="utf-8")), st.integers(1, 10_000), st.integers(0, 50), st.integers(1, 100))
def test_seeded__draws_by_the_published_formula(seed: str, seq: int, k: int, n: int) -> None:
    assert seeded_index(seed.encode(), seq, k, n) == published_index(seed, seq, k, n)[0]


def test_seeded__a_number_beyond_the_largest_multiple_is_thrown_away() -> None:
    """For a number of outcomes just above 2^63, every second number is rejected, so this covers that branch."""
    size = 2**63 + 1
    attempts = []
    for seq in range(1, 40):
        index, attempt = published_index("tides", seq, 0, size)
        attempts.append(attempt)
        assert seeded_index(b"tides", seq, 0, size) == index
    assert {0, 1, 2} <= set(attempts)


def test_seeded__a_power_of_two_divides_evenly() -> None:
    assert seeded_index(b"tides", 1, 0, 2**63) == published_index("tides", 1, 0, 2**63)[0]


def test_seeded__equal_cards_count_apart() -> None:
    source = Seeded("tides")
    drawn = []
    for seq in range(1, 301):
        source.begin(seq, ())
        drawn.append(source.draw("card", CARDS))
    assert drawn == [CARDS[published_index("tides", seq, 0, 3)[0]] for seq in range(1, 301)]
    assert 170 < drawn.count("sandbags") < 230


def test_seeded__counts_the_outcomes_of_an_event_from_0() -> None:
    source = Seeded("tides")
    for seq in (7, 8):
        source.begin(seq, ())
        drawn = tuple(source.draw("die", range(1, 7)) for _ in range(3))
        assert drawn == tuple(published_index("tides", seq, k, 6)[0] + 1 for k in range(3))
        assert source.finish() == drawn


@pytest.mark.parametrize("source", [Seeded("tides"), Sampled(random.Random(1)), UnknownSeed()])
def test_a_source_that_draws_takes_no_outcomes(source: Chance) -> None:
    with pytest.raises(Malformed) as error:
        source.begin(3, ("sandbags",))
    assert error.value.pointer == "/outcomes"


def test_seed_commitment__is_sha_256_of_the_text() -> None:
    assert seed_commitment("tides") == hashlib.sha256(b"tides").hexdigest()
    assert seed_commitment("Gezeiten – ñ") == hashlib.sha256("Gezeiten – ñ".encode()).hexdigest()


def test_seed_commitment__half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(Malformed) as error:
        seed_commitment("\udc00")
    assert error.value.pointer == "/seed"


# Sealed


def test_sealed__nothing_can_be_drawn() -> None:
    source = UnknownSeed()
    source.begin(3, ())
    assert source.finish() == ()
    with pytest.raises(IllegalAction) as error:
        source.draw("card", CARDS)
    assert error.value.rule == "Seeded chance"


# Sampled


def test_sampled__draws_with_the_generator_it_is_given() -> None:
    source = Sampled(random.Random(5))
    rng = random.Random(5)
    source.begin(1, ())
    drawn = tuple(source.draw("card", CARDS) for _ in range(20))
    assert drawn == tuple(CARDS[rng.randrange(3)] for _ in range(20)) == source.finish()


# Observed and Recorded


@pytest.mark.parametrize("source", [Observed(), Recorded()])
def test_observed__takes_what_was_reported_in_order(source: Chance) -> None:
    source.begin(3, ("sandbags", "earth_stone"))
    assert [source.draw("card", CARDS), source.draw("card", CARDS)] == ["sandbags", "earth_stone"]
    assert source.finish() == ("sandbags", "earth_stone")


def test_observed__begins_anew_with_each_event() -> None:
    source = Observed()
    source.begin(3, ("sandbags",))
    source.draw("card", CARDS)
    source.begin(4, ("earth_stone",))
    assert source.draw("card", CARDS) == "earth_stone"


def test_observed__an_outcome_is_required() -> None:
    source = Observed()
    source.begin(3, ("sandbags",))
    source.draw("card", CARDS)
    with pytest.raises(OutcomeRequired) as error:
        source.draw("card", CARDS)
    assert error.value.point == ChancePoint("card", 1, CARDS)
    assert str(error.value) == "the result for card is missing"


def test_observed__an_impossible_outcome() -> None:
    source = Observed()
    source.begin(3, ("waters_rise",))
    with pytest.raises(ImpossibleOutcome) as error:
        source.draw("card", CARDS)
    assert error.value.point == ChancePoint("card", 0, CARDS)
    assert error.value.given == "waters_rise"
    assert str(error.value) == "'waters_rise' is not a possible result for card"


def test_observed__more_was_reported_than_asked() -> None:
    source = Observed()
    source.begin(3, ("sandbags", "sandbags"))
    source.draw("card", CARDS)
    with pytest.raises(Malformed) as error:
        source.finish()
    assert error.value.pointer == "/outcomes/1"
    assert error.value.message == "too many outcomes: 2 given, but the rules need 1 here"


# ChancePoint


def test_chance_point__probabilities_are_exact() -> None:
    assert ChancePoint("card", 0, CARDS).probabilities() == {
        "earth_stone": Fraction(1, 3),
        "sandbags": Fraction(2, 3),
    }


def test_undrawn__tells_nobody() -> None:
    chance = Undrawn()
    chance.begin(3, ())
    with pytest.raises(NotDrawn):
        chance.draw("card", ("a", "b"))


@pytest.mark.parametrize(("is_last", "taken"), [(False, [1, 2, 3, 1, 1]), (True, [3, 2, 1, 3, 3])])
def test_chosen__the_next_where_the_same_is_asked_again(is_last: bool, taken: list[int]) -> None:
    chance = Chosen(is_last=is_last)
    chance.begin(0, ())
    asked = ["side", "side", "side", "side", "number"]
    assert [chance.draw(name, (1, 2, 3)) for name in asked] == taken
