"""Sentences that stand alone become a paragraph."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values import GameOutcome
from engine.review.words import join_words
from exports.prose import Sentence, describe_result, paragraph

ADA, BO = "Ada", "Bo"


def paragraph_of(*sentences: tuple[str, str | None, str]) -> str:
    return paragraph(Sentence(*sentence) for sentence in sentences)


def test_what_a_player_does_in_a_row_is_one_sentence() -> None:
    assert (
        paragraph_of(
            ("move", ADA, "Ada moves to Iron Gate."),
            ("shore_up", ADA, "Ada shores up Watchtower."),
            ("draw", ADA, "Ada draws Sandbags."),
        )
        == "Ada moves to Iron Gate, shores up Watchtower, then draws Sandbags."
    )


def test_another_player_begins_another_sentence() -> None:
    assert (
        paragraph_of(("move", ADA, "Ada moves to Iron Gate."), ("swim", BO, "Bo swims to Watchtower."))
        == "Ada moves to Iron Gate. Bo swims to Watchtower."
    )


@pytest.mark.parametrize(
    ("predicates", "drawn_together"),
    [
        (["draws Sandbags", "draws Earth Stone"], "draws Sandbags and Earth Stone"),
        (["draws Sandbags", "draws Sandbags"], "draws Sandbags twice"),
        (["shores up A1", "shores up B2", "shores up C3"], "shores up A1, B2 and C3"),
        (["moves to Cave of Embers", "moves to Cave of Shadows"], "moves to Cave of Embers and Cave of Shadows"),
        (["moves Bo to A1", "moves Cleo to B2"], "moves Bo to A1 and Cleo to B2"),
        (["gives Sandbags to Bo", "takes Sandbags from Bo"], "gives Sandbags to Bo and takes Sandbags from Bo"),
        (["passes", "waits"], "passes and waits"),
        (["passes", "passes"], "passes twice"),
    ],
)
def test_doings_of_one_kind_share_their_verb(predicates: list[str], drawn_together: str) -> None:
    assert paragraph_of(*(("kind", ADA, f"Ada {predicate}.") for predicate in predicates)) == f"Ada {drawn_together}."


@pytest.mark.parametrize(
    ("clauses", "drawn_together"),
    [
        (["Iron Gate floods", "Watchtower floods"], "Iron Gate and Watchtower flood"),
        (["A1 floods", "B2 floods", "C3 floods"], "A1, B2 and C3 flood"),
        (["A1 floods", "B2 floods", "C3 sinks"], "A1 and B2 flood, and C3 sinks"),
        (["A1 floods", "B2 sinks", "C3 floods"], "A1 floods, B2 sinks, and C3 floods"),
        (["The storm moves north", "The storm rises"], "The storm moves north, and the storm rises"),
        (["The left well dries", "The right well dries"], "The left well dries, and the right well dries"),
    ],
)
def test_what_happens_in_a_row_is_one_sentence(clauses: list[str], drawn_together: str) -> None:
    # Somebody drew these cards, but the sentences are not about that player.
    assert paragraph_of(*(("draw", ADA, f"{clause}.") for clause in clauses)) == f"{drawn_together}."


def test_what_happens_otherwise_is_another_sentence() -> None:
    assert paragraph_of(("flood", ADA, "Iron Gate floods."), ("storm", ADA, "The storm rises.")) == (
        "Iron Gate floods. The storm rises."
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada captures Earth Stone!",
        "Ada draws Waters Rise! – the water is at 3.",
        "Ada plays Helicopter Lift, and the team lifts off.",
        "Ada swims. Bo drowns.",
        "Iron Gate is drawn and is about to sink.",
    ],
)
def test_a_sentence_with_more_to_it_stays_as_it_is(sentence: str) -> None:
    before, after = "Ada moves to Iron Gate.", "Ada moves to Watchtower."
    assert (
        paragraph_of(("move", ADA, before), ("event", ADA, sentence), ("move", ADA, after))
        == f"{before} {sentence} {after}"
    )


def test_what_a_table_wrote_ends_before_the_next_sentence() -> None:
    reason, after = "Adjusted. Reason: nobody knows why", "Ada moves to Watchtower."
    assert paragraph_of(("adjust", None, reason), ("move", ADA, after)) == f"{reason}. {after}"
    assert paragraph_of(("move", ADA, after), ("adjust", None, reason)) == f"{after} {reason}"


def test_two_changes_of_the_record_are_two_sentences() -> None:
    changes = ("The game is called “A”.", "It was played on 3 January 2025.")
    assert paragraph_of(*(("details_changed", None, change) for change in changes)) == " ".join(changes)


def test_nobodys_doings() -> None:
    assert paragraph_of(("weather", None, "Rain falls."), ("weather", None, "The wind rises.")) == (
        "Rain falls, and the wind rises."
    )
    assert paragraph_of() == ""


def test_listed() -> None:
    assert [join_words(list("abc")[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert join_words(["a", "b", "c"], ", then ") == "a, b, then c"


@pytest.mark.parametrize(
    ("winners", "superior", "expected"),
    [
        ((), (), "lost"),
        (("p1",), (), "won by Ada"),
        (("p1", "p2"), (), "won"),
        (("p1", "p2"), ("p2",), "won, with a superior victory for Bo"),
        (("p2",), ("p2",), "won by Bo, with a superior victory for Bo"),
    ],
)
def test_how_a_game_ended(winners: tuple[Any, ...], superior: tuple[Any, ...], expected: str) -> None:
    outcome = GameOutcome("won" if winners else "lost", winners, "goal_reached", "The End", superior)
    assert describe_result(outcome, (ADA, BO)) == expected
