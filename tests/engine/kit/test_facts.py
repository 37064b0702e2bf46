"""Declarations of facts: names, subjects, and the facts of a table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.errors import Malformed
from engine.core.values import SeatId
from engine.games.forbidden_desert.facts import turn
from engine.games.forbidden_island.facts import CardsDiscarded, HasCards, WaterLevel
from engine.games.forgotten_waters.facts import book
from engine.games.forgotten_waters.facts.book import PageIs
from engine.kit.chance import Observed
from engine.kit.common_facts import phase_is
from engine.kit.facts import Fact, Tableau, Told, kinds_in, seats_named
from engine.play.registry import ruleset
from tests.engine.recording import played
from tests.engine.toy import Dice, DiceState

RULES = ruleset("forbidden-island")


def test_a_kind_is_named_after_its_class() -> None:
    assert HasCards.tag() == "has_cards"
    assert HasCards("p1", "sandbags", 2).subject == ("has_cards", ("p1", "sandbags"))


def test_what_there_may_be_none_of() -> None:
    assert HasCards("p1", "sandbags", 2).absent == HasCards("p1", "sandbags", 0)
    assert WaterLevel(3).absent is None


def test_what_follows_is_never_put() -> None:
    state = played().game.state
    assert phase_is({"swim": "swimming"})("swim").put(state, Told()) is state


def test_what_is_told() -> None:
    fact = HasCards("p1", "sandbags", 2)
    told = Told([fact])
    assert list(told) == [fact]
    assert told.of(HasCards, "p1", "sandbags") is fact
    assert told.of(HasCards, "p2", "sandbags") is None
    assert told.speaks_of(HasCards, "p1", "sandbags")
    assert not told.speaks_of(CardsDiscarded, "sandbags")
    assert Told(is_whole=True).speaks_of(CardsDiscarded, "sandbags")


def test_what_holds() -> None:
    state = played().game.state
    assert state is not None
    tableau = Tableau(RULES.facts, state)
    assert tableau.now(WaterLevel(7)) == WaterLevel(1)
    assert tableau.now(HasCards("p2", "sandbags", 2)) == HasCards("p2", "sandbags", 0)
    assert tableau.holds(HasCards("p1", "earth_stone", 2))
    assert not tableau.holds(HasCards("p1", "earth_stone", 1))


def test_a_seat_is_known_by_its_type() -> None:
    page = PageIs("p4")
    assert list(seats_named(page)) == []
    assert page.sentence(["Ada"]) == "The location book is open at P4."
    assert list(seats_named(HasCards("p2", "sandbags"))) == [("seat", "p2")]


class Dealt(Fact[DiceState], frozen=True):
    """A player with dealt cards."""

    about = ("seat",)
    seat: SeatId

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[0]} was dealt in."


def test_a_kind_may_put_its_sentence_together() -> None:
    assert Dealt("p1").no_longer(["Ada"]) == "No longer true: Ada was dealt in."


def test_a_kind_is_described() -> None:
    found = RULES.describe_fact(HasCards)
    assert (found["fact"], found["about"], found["is_derived"]) == ("has_cards", ("seat", "card"), False)
    assert found["summary"] == "The number of copies of a card in a player's hand."
    assert found["schema"]["properties"]["fact"] == {"enum": ["has_cards"]}
    assert set(found["schema"]["required"]) == {"fact", "seat", "card"}


def test_what_follows_is_a_games_own() -> None:
    rules, state = Dice(), DiceState(turn=1, phase="rolling", goal=10, totals=(0, 0), active=0)
    assert rules.settled(state, Told()) is state
    assert rules.deal_unseen(state, Told(), Observed()) is state


def test_a_game_without_facts_has_none_to_tell() -> None:
    with pytest.raises(Malformed, match="Dice declares no facts"):
        Dice().parse_facts([{"fact": "total"}], "/params/facts")


def test_kinds_in__those_that_modules_define_without_bases() -> None:
    assert kinds_in(book) == (PageIs, book.PageTurned, book.DialIs, book.Locked)
    assert kinds_in(turn, book)[-4:] == kinds_in(book)
    assert [kind.__name__ for kind in kinds_in(turn)] == ["TurnOf", "MustDrawEquipment", "Left", "Weakened"]
