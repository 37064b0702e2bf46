"""A draft reveals no result before it is in the log."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import IllegalAction, Malformed, NotDrawn, UnclearEffect
from engine.core.events import Draft
from engine.core.values import State
from engine.kit.chance import Seeded, Undrawn, UnknownSeed, try_all
from engine.kit.ruleset import AnyRuleset
from engine.play.fold import history
from engine.play.judge import SPENT
from engine.play.record import record, steps
from engine.play.rules import Rules
from tests.playouts import clock
from tests.recording import Recording

NOTE = Draft(type="annotate", params={"text": "so"})
DRAW = Draft(type="draw_treasure_card", actor="p1")
SEEDS = [f"seed {number}" for number in range(12)]


def table(seed: str = "s", **more: Any) -> Recording:
    recording = Recording(seed=seed, **more)
    recording.add("set_up")
    return recording


def test_steps__only_what_draws_is_telling() -> None:
    recording = table()
    found = list(
        steps(recording.game, [NOTE, DRAW, NOTE, DRAW], recording.chance, recording.history, recorded_at=clock(3))
    )
    assert [step.is_telling for step in found] == [False, True, False, True]
    assert [[event.seq for event in step.events] for step in found] == [[3], [4], [5], [6]]
    assert found[-1].game.version == 6


def test_steps__each_is_judged_when_it_is_asked_for() -> None:
    recording = table()
    judged = steps(
        recording.game, [DRAW, Draft(type="castle")], recording.chance, recording.history, recorded_at=clock(3)
    )
    assert next(judged).is_telling
    with pytest.raises(Malformed) as refused:
        next(judged)
    assert refused.value.index == 1


@pytest.mark.parametrize("error", [ZeroDivisionError(), Malformed("", "too long")], ids=["a fault", "a limit"])
def test_steps__what_fails_after_its_draw_leaves_a_note(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    recording = table()
    play = Rules.play

    def failing(rules: Rules, *arguments: Any) -> Any:
        play(rules, *arguments)
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(Rules, "play", failing)
        (step,) = steps(recording.game, [DRAW, DRAW], recording.chance, recording.history, recorded_at=clock(3))
        assert (step.refused, step.is_telling) == (error, True)
        # The log of a game in memory has no other writer, so the condition does not matter.
        with pytest.raises(type(error)):
            record(recording.game, [DRAW], recording.chance, recording.history, recorded_at=clock(3))
    (note,) = step.events
    assert (note.seq, note.type, note.params) == (3, "annotate", {"text": SPENT})
    assert history([*recording.events, note]).states[-1] == recording.game.state == step.game.state


@pytest.mark.parametrize("seed", SEEDS)
def test_as_played__what_may_not_be_clear_is_refused_whatever_comes_up(
    seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = table(seed, mode="as_played")
    rises = Draft(type=DRAW.type, actor="p2")
    is_sound = AnyRuleset.__origin__.is_sound  # type: ignore[attr-defined]
    water = recording.game.state.water_level  # type: ignore[union-attr]

    def is_low(rules: Any, state: State, **asked: bool) -> bool:
        return bool(is_sound(rules, state, **asked) and state.water_level == water)  # type: ignore[attr-defined]

    with monkeypatch.context() as patched:
        patched.setattr(type(recording.game.ruleset), "is_sound", is_low)
        for chance in (recording.chance, Undrawn(), UnknownSeed()):
            with pytest.raises(UnclearEffect):
                record(recording.game, [rises], chance, recording.history, recorded_at=clock(3))
            assert not chance.has_drawn
    # If its effect is clear in any case, it is applied.
    (event,) = recording.append(rises)
    assert (event.verdict, len(event.outcomes)) == ("illegal", 1)


def test_as_played__a_dry_run_of_it_tells_nothing() -> None:
    recording = table(mode="as_played")
    with pytest.raises(NotDrawn):
        record(
            recording.game,
            [Draft(type=DRAW.type, actor="p2")],
            Undrawn(),
            recording.history,
            recorded_at=clock(3),
        )


def test_try_all__each_way_once() -> None:
    seen = []

    def two(chance: Any) -> None:
        first = chance.draw("die", [1, 2, 2])
        seen.append((first, chance.draw("coin", ["heads", "tails"]) if first == 2 else None))

    try_all(two)
    assert sorted(seen, key=str) == [(1, None), (2, "heads"), (2, "tails")]


def test_try_all__what_one_of_them_raises() -> None:
    def run(chance: Any) -> None:
        if chance.draw("die", [1, 2]) == 2:
            raise IllegalAction("Rule", "no")

    with pytest.raises(IllegalAction):
        try_all(run)


def test_has_drawn__only_what_the_service_drew_in_this_event() -> None:
    seeded = Seeded("s")
    seeded.begin(3, ())
    assert not seeded.has_drawn
    seeded.draw("die", [1, 2])
    assert seeded.has_drawn
    seeded.begin(4, ())
    assert not seeded.has_drawn
    observed = Recording().chance
    observed.begin(3, (1,))
    observed.draw("die", [1, 2])
    assert not observed.has_drawn
