"""Swings: the analysis of a game, and refused games."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.events import Draft
from engine.games.forever_island.raid import GuessSpears, OpenFist, ThrowSpears
from engine.kit.chance import Stream
from engine.play.beliefs.belief import Belief, Pooled, World, shared_members
from engine.players.protocol import NotPlayable
from engine.players.value import Memory, Value, Valuer
from engine.review import costs, playouts, swings
from engine.review.costs import candidates
from engine.review.marks import Swings
from engine.review.swings import Analyst
from tests.engine.players.dice import Picky, Rival, Roller, playing
from tests.engine.recording import dealt
from tests.engine.toy import Roll
from tests.recording import Recording


def record_rolls(*rolls: tuple[int, ...]) -> Recording:
    """A dice game that ends at 30 points. Each roll uses one die per given result."""
    with playing(Roller()):
        recording = Recording("dice", goal=30)
        recording.add("set_up")
        for number, results in enumerate(rolls):
            recording.add("roll", f"p{number % 2 + 1}", results, dice=len(results))
    return recording


def analyse_game(recording: Recording, kept: Memory | None = None) -> Swings:
    with playing(Roller()):
        return Analyst(recording.events, kept).analyse()


def test_the_curve_ends_with_the_result() -> None:
    found = analyse_game(record_rolls((6, 6, 6), (1, 1, 1), (6, 6, 6)))
    assert [point.turn for point in found.points] == [1, 2, 3, 4]
    assert [point.value.p for point in found.points][-1] == 1
    assert found.points[-1].value == Value.exact(1)
    lost = analyse_game(record_rolls((1, 1, 1), (6, 6, 6), (1, 1, 1), (6, 6, 6)))
    assert lost.points[-1].value == Value.exact(0)
    assert 0 < lost.points[0].value.p < 1


def test_the_parts_add_up_exactly() -> None:
    found = analyse_game(record_rolls((1, 1), (6, 6, 6), (1,)))
    for swing in found.events:
        assert swing.luck + swing.skill + swing.other == pytest.approx(swing.after.p - swing.before.p, abs=1e-12)
    assert {swing.other for swing in found.events} == {0.0}


def test_marks_name_the_cost() -> None:
    found = analyse_game(record_rolls((), (6, 6, 6), (1, 1, 1)))
    assert [(mark.seq, mark.cause) for mark in found.marks][:2] == [(3, "skill"), (4, "luck")]
    choice, luck = found.marks[:2]
    assert choice.message.startswith("Ada: “Roll 0” instead of “Roll 3”: −")
    assert luck.message.startswith("Bo rolls 6, 6, 6: ")
    assert luck.before.n == swings.FINE
    assert [(one.label, one.actor, one.is_recorded) for one in choice.choices] == [
        ("Roll 3", "p1", False),
        ("Roll 0", "p1", True),
    ]
    assert luck.choices == ()
    assert all(mark.cost <= -costs.LEAST_COST for mark in found.marks)


def test_each_side_has_its_values() -> None:
    recording = record_rolls((6,), (6, 6, 6), (), (1, 1))
    with playing(Rival()):
        found = Analyst(recording.events).analyse()
        names = Analyst(recording.events).sides()
    assert (names, found.sides) == (["Ada", "Bo"], (("p1",), ("p2",)))
    for point in found.points:
        assert point.value == point.sides[0]
        assert point.draw is not None
        assert sum(side.p for side in point.sides) + point.draw.p == pytest.approx(1)
    # Both Ada's own choice and Bo's dice lower her chance.
    assert {(mark.seq, mark.cause, mark.side) for mark in found.marks} >= {(4, "luck", 0), (5, "skill", 0)}
    assert next(mark.message for mark in found.marks if mark.seq == 4).startswith("Bo rolls 6, 6, 6: Ada ")


def test_a_correction_is_neither_luck_nor_skill() -> None:
    with playing(Roller()):
        recording = Recording("dice", goal=30, mode="as_played")
        recording.add("set_up")
        recording.add("roll", "p1", (1, 1, 1), dice=3)
        for actor, results in (("p1", (1, 1, 1)), ("p2", (6, 6, 6))):
            draft = Draft(type="roll", actor=actor, params={"dice": 3}, outcomes=results)
            recording.append(draft, accept_illegal=True)
    found = analyse_game(recording)
    slips = [swing for swing in found.events if swing.other]
    assert all((swing.luck, swing.skill) == (0.0, 0.0) for swing in slips)


def test_a_guess_is_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Roll, "is_blind", True)
    found = analyse_game(record_rolls((), (6, 6, 6), (1, 1, 1)))
    assert {(swing.skill, swing.other) for swing in found.events} == {(0.0, 0.0)}
    assert {mark.cause for mark in found.marks} == {"luck"}
    assert found.skills == ()
    assert (GuessSpears.is_blind, OpenFist.is_blind, ThrowSpears.is_blind) == (True, True, False)


def test_a_secret_ends_the_analysis_until_it_is_revealed(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = record_rolls((6, 6), (6, 6))
    monkeypatch.setattr(Roll, "hidden_params", ("dice",))
    assert [(point.seq, point.turn) for point in analyse_game(recording).points] == [(2, 1)]
    monkeypatch.setattr(swings, "unrevealed_events", lambda *_: [1])
    with pytest.raises(NotPlayable, match="begins with hidden data"):
        analyse_game(recording)


def test_the_worst_choices_are_valued_in_any_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = record_rolls((), (6, 6, 6), (1, 1, 1), (1, 1, 1))
    monkeypatch.setattr(swings, "TURNS_IN_DETAIL", 0)
    # A draw ends a run of choices: whether to draw is a choice, and its results are luck.
    assert [(swing.seq, swing.skill) for swing in analyse_game(recording).events] == [(3, -0.5)]
    monkeypatch.setattr(Roll, "asks_chance", False)
    found = analyse_game(recording)
    assert [swing.seq for swing in found.events] == [3, 4, 5]
    assert (found.marks[0].seq, found.marks[0].cause) == (3, "skill")


def test_choices_have_three_of_five_marks() -> None:
    costs = [Named(cause) for cause in ("luck",) * 4 + ("skill",) * 4]
    assert [one.cause for one in candidates(costs, 5)] == ["skill"] * 3 + ["luck"] * 2  # type: ignore[arg-type]
    assert [one.cause for one in candidates(costs[:5], 5)] == ["skill"] + ["luck"] * 4  # type: ignore[arg-type]


class Named:
    """A cost. Only its cause matters here."""

    def __init__(self, cause: str) -> None:
        self.cause = cause


def test_the_skill_of_a_seat() -> None:
    found = analyse_game(record_rolls((), (6, 6, 6), (1, 1, 1)))
    skill = {swing.seq: swing.skill for swing in found.events}
    ann = next(one for one in found.skills if one.seat == "p1")
    assert (ann.choices, ann.skill) == (2, pytest.approx(skill[3] + skill[5]))
    assert ann.low < ann.skill < ann.high < 0


def test_the_skill_of_a_seat_is_that_of_its_last_player() -> None:
    recording = record_rolls((), (6, 6, 6))
    with playing(Roller()):
        recording.add("seat_joined", seat="p1", name="Dana")
        recording.add("roll", "p1", (1, 1, 1), dice=3)
    found = analyse_game(recording)
    (dana,) = (one for one in found.skills if one.seat == "p1")
    assert (dana.choices, dana.skill) == (1, pytest.approx(found.events[-1].skill))


def test_only_new_tables_are_played_again() -> None:
    kept = Memory()
    recording = record_rolls((6, 6), (6, 6), (1, 1))
    first = analyse_game(recording, kept)
    before = dict(kept)
    assert analyse_game(recording, kept) == first
    assert kept == before
    with playing(Roller()):
        recording.add("undo", to=4)
        recording.add("roll", "p1", (6, 6), dice=2)
    analyse_game(recording, kept)
    assert kept.keys() > before.keys()


def test_an_abandoned_game_ends_before_that() -> None:
    recording = record_rolls((6, 6), (6, 6))
    with playing(Roller()):
        recording.add("abandon", reason="late")
    found = analyse_game(recording)
    assert [point.turn for point in found.points] == [1, 2, 3]
    assert found.points[-1].value.n == swings.COARSE


def test_a_game_of_which_nothing_was_played_has_a_value() -> None:
    (point,) = analyse_game(record_rolls()).points
    assert (point.seq, point.turn, point.value.n) == (2, 1, swings.COARSE)


def test_a_removed_event_has_no_swing() -> None:
    recording = record_rolls((6, 6), (1, 1))
    with playing(Roller()):
        recording.add("amend", seq=4, remove=True)
    found = analyse_game(recording)
    assert [(point.seq, point.turn) for point in found.points] == [(2, 1), (3, 2)]


def test_a_better_action_of_someone_else_names_that_player(monkeypatch: pytest.MonkeyPatch) -> None:
    class Marks(Stream):
        """The random numbers of the comparison at a mark."""

    class Crossed(Valuer):
        def proposals(self, state: Any, rng: Any) -> list[Any]:
            found = super().proposals(state, rng)
            return [(action, 1 - seat) for action, seat in found] if isinstance(rng, Marks) else found

    monkeypatch.setattr(swings, "Stream", Marks)
    monkeypatch.setattr(swings, "Valuer", Crossed)
    recording = record_rolls((), (6, 6, 6), (1, 1, 1))
    with playing(Roller()):
        choice = Analyst(recording.events).analyse().marks[0]
    assert choice.message.startswith("Ada: “Roll 0” instead of “Bo: Roll 3”: −")


@pytest.mark.parametrize(
    ("header", "version", "told"),
    [
        ({}, swings.MOST_EVENTS + 1, "Only games with up to 5000 events can be analysed."),
        ({"ruleset": "forbidden-desert", "ruleset_version": "1"}, 3, "Forbidden Desert has no computer player yet."),
        ({"chance": "seeded"}, 3, "A seeded game can be analysed only after it has ended."),
    ],
)
def test_refused(header: dict[str, object], version: int, told: str) -> None:
    recording = record_rolls((1, 1))
    with playing(Roller()), pytest.raises(NotPlayable) as error:
        swings.check(msgspec.structs.replace(recording.game.header, **header), version, recording.states[-1])
    assert str(error.value) == told


def test_refused__without_a_table_or_by_the_player() -> None:
    recording = record_rolls()
    with playing(Roller()), pytest.raises(NotPlayable, match="Set up the game first"):
        swings.check(recording.game.header, 1, None)
    with playing(Picky()), pytest.raises(NotPlayable, match="It plays to 1000 only"):
        Analyst(recording.events).analyse()


def test_refused__after_an_unnoticed_end() -> None:
    ended = record_rolls((6, 6, 6), (), (6, 6, 6))
    state = ended.states[-1]
    assert state is not None
    with playing(Roller()), pytest.raises(NotPlayable, match="after an end that nobody noticed"):
        swings.check(ended.game.header, 6, state.with_play_resumed())


def test_unknown_cards_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swings, "COARSE", 2)
    monkeypatch.setattr(swings, "FINE", 3)
    monkeypatch.setattr(playouts, "SLICE", 1)
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", (None,))
    assert isinstance(recording.states[-1], Belief)
    found = Analyst(recording.events).analyse()
    assert [point.value.n for point in found.points] == [2, 2]


def test_refused__with_too_many_unknown_cards() -> None:
    header, state = dealt().game.header, dealt().states[-1]
    assert state is not None
    pooled = Pooled(
        **shared_members(state), worlds=(World(1, state),), fields=("hands", "treasure_pile"), rows=(), stock=()
    )
    with pytest.raises(NotPlayable, match="Too many cards of this game are unknown"):
        swings.check(header, 2, pooled)
