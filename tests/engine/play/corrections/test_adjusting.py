"""Adjustments with a patch in earlier records still work in games that now have facts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.errors import IllegalAction, Malformed, UnclearEffect, UnsoundTable
from engine.core.events import Draft, Event
from engine.kit.chance import Observed
from engine.kit.facts import CannotBe, Tableau
from engine.play.beliefs.belief import worlds
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold, history
from engine.play.past import KnownPast
from engine.play.registry import ruleset
from engine.play.rules import Rules
from engine.review.audit import audit, verify
from engine.review.turns import narrate
from tests.engine.recording import DEAL, dealt, played
from tests.engine.toy import Dice
from tests.installing import installed
from tests.playouts import NAMES
from tests.recording import Recording, chained, forged


def stored_patch(recording: Recording, *patch: dict[str, Any]) -> list[Event]:
    """Return the log with an adjustment in the form of earlier versions at its end."""
    note, *_ = recording.add("annotate", text="its place")
    params = {"patch": list(patch), "reason": "as it lies", "agreed": ["p1"]}
    return chained([*recording.events[:-1], forged(note, type="adjust", params=params)])


def put(path: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def test_a_stored_patch_is_carried_out_as_it_was() -> None:
    log = stored_patch(played(), put("/water_level", 4))
    assert fold(log).state.water_level == 4  # type: ignore[union-attr]
    assert (audit(log).verdict, audit(log).findings) == ("findings", ())
    assert narrate(history(log).rules.header, log)[-1].sentence == (
        "The recorded table was adjusted to match the real one. Agreed by Ada. Reason: as it lies"
    )
    (adjustment,) = audit(log).adjustments
    assert (adjustment.patch, adjustment.facts) == ([put("/water_level", 4)], ())


@pytest.mark.parametrize(
    ("patch", "broken"),
    [
        (put("/actions_left", 0), "the phase matches the table"),
        (put("/phase", "banana"), "the phase matches the table"),
        (put("/turn", -5), "turns are counted from 1"),
        (put("/water_level", 10), "the skull, a sunk Fools' Landing or an unreachable treasure ends the game"),
    ],
)
def test_what_a_stored_patch_broke_stays_readable_and_is_told(patch: dict[str, Any], broken: str) -> None:
    log = stored_patch(dealt(), patch)
    assert verify(log).state == fold(log).state
    report = audit(log)
    assert report.verdict == "findings"
    assert [(one.seq, one.kind, one.message) for one in report.findings] == [
        (3, "unsound", f"after this event “{broken}” is violated")
    ]


def test_an_earlier_record_in_a_phase_that_there_is_none_of_can_be_looked_at() -> None:
    rules = ruleset("forbidden-island")
    state: Any = fold(stored_patch(dealt(), put("/phase", "banana"))).state
    assert rules.board(state, NAMES[:2]).subtitle.endswith("banana")
    assert "The phase is: banana." in [fact.sentence(NAMES) for fact in Tableau(rules.facts, state)]


def test_what_was_played_against_the_rules_on_a_broken_table_stays_readable() -> None:
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=DEAL)
    note, give = (
        *recording.add("annotate", text="its place"),
        *recording.add("give_card", "p2", to="p1", card="crystal_of_fire"),
    )
    assert give.verdict == "illegal"
    adjust = forged(note, type="adjust", params={"patch": [put("/turn", 0)], "reason": "so"})
    log = chained([*recording.events[:2], adjust, forged(give, turn=0)])
    assert "crystal_of_fire" in fold(log).state.hands[0]  # type: ignore[union-attr]
    with pytest.raises(UnclearEffect):
        Rules(recording.game.header).play(
            fold(log[:3]).state, Draft(type=give.type, actor="p2", params=give.params), 4, Observed(), KnownPast()
        )


def test_what_is_unsound_is_told_where_it_begins() -> None:
    recording = dealt()
    note, move = (
        *recording.add("annotate", text="its place"),
        *recording.add("move", "p1", to="howling_garden"),
    )
    adjust = forged(note, type="adjust", params={"patch": [put("/turn", -5)], "reason": "so"})
    log = chained([*recording.events[:2], adjust, forged(move, turn=-5)])
    assert [(one.seq, one.kind) for one in audit(log).findings] == [(3, "unsound")]


def test_nothing_is_adjusted_before_the_set_up() -> None:
    with pytest.raises(IllegalAction, match="Set up the game first"):
        Recording().add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="so")


def test_a_stored_patch_is_held_to_what_it_was() -> None:
    log = stored_patch(played(), put("/water_level", 11))
    with pytest.raises(IllegalAction, match="the water level is on the meter"):
        fold(log)


def test_a_stored_position_is_held_to_what_it_was() -> None:
    game = played().game
    document = msgspec.json.decode(msgspec.json.encode(game.ruleset.to_document(game.state)))
    document["actions_left"] = 2
    with pytest.raises(IllegalAction, match="actions are left only before"):
        Recording().add("set_up", position=document)
    begun = Recording()
    begun.add("set_up", position={**document, "actions_left": 0})
    opening, set_up = begun.events
    old = forged(set_up, params={"position": document}, state_hash=None)
    assert fold(chained([opening, old])).state.actions_left == 2  # type: ignore[union-attr]


def test_a_stored_patch_rules_tables_out_and_weighs_them() -> None:
    """One card is unseen. A stored patch tests for the Statue of the Wind at an index of the sorted hand.

    Only the table on which the unseen card is the Statue of the Wind passes the test.
    """
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    before = worlds(recording.game.state)
    test = {"op": "test", "path": "/hands/0/2", "value": "statue_of_the_wind"}
    log = stored_patch(recording, test)
    played_ = history(log)
    (kept,) = worlds(played_.states[-1])
    assert kept.state.hands[0] == ("earth_stone", "sandbags", "statue_of_the_wind")
    assert len(before) == 6
    (unknown,) = unknowns(played_.rules, played_.mainline)
    assert unknown.point.probabilities() == {"statue_of_the_wind": Fraction(1)}


def test_where_no_table_is_like_a_stored_patch_it_is_refused() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    with pytest.raises(Malformed, match="is not 'watchtower'"):
        fold(stored_patch(recording, {"op": "test", "path": "/hands/0/2", "value": "watchtower"}))


def test_a_game_without_facts_is_patched() -> None:
    with installed(Dice()):
        recording = Recording("dice")
        recording.add("set_up")
        recording.add("adjust", patch=[put("/totals/0", 5)], reason="as it lies")
    assert recording.events[-1].params["patch"] == [put("/totals/0", 5)]
    assert recording.game.state.totals == (5, 0)  # type: ignore[union-attr]


def test_what_the_rules_cannot_go_on_from_is_none_of_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    rules = recording.game.ruleset
    settled = rules.settled

    def without_lifts(state: Any, told: Any) -> Any:
        if "helicopter_lift" in state.hands[0]:
            raise CannotBe("Nobody lifts off from there.")
        return settled(state, told)

    monkeypatch.setattr(rules, "settled", without_lifts)
    told_ = [{"fact": "water_level", "level": 3}, {"fact": "turn_is", "number": 1}]
    recording.add("adjust", facts=told_, reason="as it lies")
    assert all("helicopter_lift" not in world.state.hands[0] for world in worlds(recording.game.state))
    told = {"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 2}
    with pytest.raises(UnsoundTable, match="Nobody lifts off"):
        recording.add("adjust", facts=[told], reason="as it lies")


def test_a_patch_that_only_moves_things_about_is_none_that_facts_tell() -> None:
    """The patch changes only one part of the document, the roles."""
    recording = Recording("forgotten-waters", 3, seed="roles")
    recording.add("set_up")
    first, *others = recording.game.ruleset.to_document(recording.game.state)["roles"]
    with pytest.raises(Malformed, match="no fact describes this change of roles"):
        recording.add("adjust", patch=[put("/roles", [*others, first])], reason="no")


def test_each_seat_agrees_once() -> None:
    told = {"facts": [{"fact": "water_level", "level": 3}], "reason": "so"}
    for name in ("agreed_by", "agreed"):
        with pytest.raises(Malformed, match="must not list a seat twice") as error:
            played().add("adjust", **told, **{name: ["p1", "p1"]})
        assert error.value.pointer == f"/params/{name}"


def test_what_was_right_is_told_as_that() -> None:
    recording = played()
    recording.add("adjust", facts=[{"fact": "water_level", "level": 1}], reason="so we looked", agreed_by=["p2"])
    (adjustment,) = audit(recording.events).adjustments
    assert adjustment.message == "Event 6 confirms the table and changes nothing: So we looked."
    assert adjustment.agreed == ("Bo",)
