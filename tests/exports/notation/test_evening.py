"""A whole evening of sixty lines with ten slips of the pen is recorded after at most three rounds of questions."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from engine.core.events import Draft, Event, Seat
from engine.kit.chance import Sampled
from engine.play.game import Game
from engine.play.past import KnownPast
from engine.play.record import open_game, record
from exports.log import Log
from exports.notation import write
from tests.exports.notation.answering import insert_answer
from tests.exports.notation.test_habits import AT, reading

NAMES = ("Ann", "Ben", "Cem")
LINES = 60
ROUNDS = 3


def play_by_hand(ruleset: str, seed: int) -> tuple[list[Event], list[str]]:
    """A random game of sixty actions, each written by hand."""
    rng = random.Random(seed)
    chance = Sampled(rng)
    game, first = open_game(
        ruleset=ruleset, seats=list(map(Seat, NAMES)), options={}, seed=None, recorded_at=AT, mode="as_played"
    )
    events, lines = [first], []
    while len(lines) < LINES:
        draft, label = _next(game, rng)
        game, added = record(game, [draft], chance, KnownPast(), recorded_at=AT)
        events += added
        if draft.type != "set_up":
            drawn = ", ".join(game.ruleset.value_label(one) for one in added[0].outcomes if one is not None)
            lines.append(f"{NAMES[int(draft.actor[1:]) - 1]}: {label.lower()}{f': {drawn}' if drawn else ''}")  # type: ignore[index]
    return events, lines


def test_an_evening_with_unwritten_draws_asks_little_and_everything_at_once() -> None:
    """77 lines with slips of the pen; seven draws are missing."""
    text = Path(__file__).with_name("evening.txt").read_text(encoding="utf-8")
    found = reading(text)
    assert {item.status for item in found.items} == {"understood", "incomplete", "wrong"}
    (question,) = found.questions
    assert question.answers[0].label.startswith("Ben: discard ")
    found = reading(insert_answer(text, question, question.answers[0]))
    assert (found.problem, found.questions, len(found.events)) == (None, (), 89)
    assert not [event for event in found.events if event.verdict == "illegal" or event.type in {"left_out", "adjust"}]


def heading(events: list[Event]) -> str:
    """Return the heading and the setup of a game in the notation."""
    head = b"".join(write(Log("game", events[:2]))).decode()
    return "\n".join(line for line in head.splitlines() if not line.startswith(("[Hash", "[Result", "[Mode")))


def test_a_comma_does_not_divide_the_name_of_a_place() -> None:
    """Pages write 'row 2, column 4'."""
    events, lines = play_by_hand("forbidden-desert", 1)
    (question,) = reading("\n".join([heading(events), *lines[:12]])).questions
    assert question.text == "Ben: move ann to row 1, column 4"
    assert question.answers[0].text == "Ben: navigate Ann to r1c4"


def _next(game: Game, rng: random.Random) -> tuple[Draft, str]:
    if game.state is None:
        return Draft(type="set_up"), ""
    legal = rng.choice(list(game.ruleset.legal_actions(game.state)))
    draft = Draft(type=legal.action.type, actor=legal.actor, params=msgspec.to_builtins(legal.action))
    return draft, legal.action.label(game.state, NAMES)


def _swap_letters(line: str) -> str:
    return line[:-3] + line[-2] + line[-3] + line[-1]


SLIPS: tuple[Callable[[str], str], ...] = (
    _swap_letters,
    lambda line: line.partition(": ")[2],
    lambda line: f"{line[0]} {line[4:].upper()}",
    lambda line: line[:0],
    lambda line: f"{line[:5]} xqzr",
    lambda line: line[:-4],
    lambda line: f"{line} (or was it?)",
    lambda line: f"20:15 - {line.replace('e', '', 1)}",
    lambda line: line.rpartition(" ")[0],
    lambda line: f"tea with Oma; {line}",
)
"""Letters swapped, no name, an initial, a line left out, illegible, cut off, a remark, hasty, half, and chatter."""


@pytest.mark.parametrize(
    ("ruleset", "seed"), [("forbidden-island", 2), ("forbidden-island-archaens", 3), ("forbidden-desert", 1)]
)
def test_an_evening_with_ten_slips_is_in_the_log_within_three_rounds(ruleset: str, seed: int) -> None:
    events, lines = play_by_hand(ruleset, seed)
    head = heading(events)
    for index, slip in enumerate(SLIPS):
        at = 4 + 5 * index
        lines[at] = slip(lines[at])
    text = "\n".join([head, *lines])
    rounds = 0
    found = reading(text)
    while found.questions:
        rounds += 1
        assert rounds <= ROUNDS, [(one.line, one.text, one.message) for one in found.questions]
        for question in reversed(found.questions):
            text = insert_answer(text, question, question.answers[0])
        found = reading(text)
    assert found.problem is None
    assert len(found.events) >= LINES
    assert not [event for event in found.events if event.type == "left_out"]
