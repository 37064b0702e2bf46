"""Skipped steps: recorded, proposed if they make an action legal, and done later."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import (
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    IsLeftOut,
    Malformed,
    OutcomeRequired,
    UnclearEffect,
    Undetermined,
)
from engine.core.events import Draft, Event
from engine.games.forbidden_island import ForbiddenIsland
from engine.games.forbidden_island.headings import DRAW_FLOOD, DRAW_TREASURE
from engine.kit.kernel import Kernel
from engine.play import omissions
from engine.play.beliefs.belief import World
from engine.play.beliefs.tracing import Trace
from engine.play.fold import fold, history
from engine.play.judge import SPENT
from engine.play.record import record, steps
from engine.play.rules import Rules
from engine.review.audit import audit
from engine.review.turns import narrate
from tests.engine.recording import DEAL
from tests.playouts import clock
from tests.recording import Recording

FLOOD = {"seat": "p1", "step": "flood_cards"}
BO_MOVES = Draft(type="move", actor="p2", params={"to": "cliffs_of_abandon"})


def deal_game(mode: Any = "as_played", **options: Any) -> Recording:
    """Ada the Messenger on Silver Gate, Bo the Pilot on Fools' Landing."""
    recording = Recording(mode=mode, **options)
    recording.add("set_up", outcomes=DEAL)
    return recording


def before_the_flood(mode: Any = "as_played", card: str | None = "earth_stone") -> Recording:
    """Ada has drawn her two cards, events 3 and 4, and forgets the Flood cards."""
    recording = deal_game(mode)
    for value in (card, "oceans_chalice"):
        recording.add("draw_treasure_card", "p1", [value])
    return recording


def report(recording: Recording, *drafts: Draft, accept_left_out: bool | None = True) -> list[Event]:
    recording.game, added = record(
        recording.game,
        drafts,
        recording.chance,
        recording.history,
        recorded_at=clock(recording.game.version + 1),
        accept_left_out=accept_left_out,
    )
    recording.events += added
    recording.history.fold(added)
    return added


def verdicts(events: list[Event]) -> list[tuple[str, str | None]]:
    return [(event.type, event.verdict) for event in events]


def state(recording: Recording) -> Any:
    return recording.game.state


def round_trip(recording: Recording) -> None:
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    assert {one.kind for one in audit(events).findings} <= {"left_out", "illegal_action"}


def test_it_is_an_event_of_its_own_and_the_only_one_marked() -> None:
    recording = before_the_flood()
    (event,) = recording.add("left_out", **FLOOD)
    assert (event.verdict, event.rule, event.reason) == (
        "illegal",
        DRAW_FLOOD,
        "Ada did not draw the Flood cards that were due.",
    )
    assert (state(recording).turn, state(recording).active, state(recording).phase) == (2, 1, "actions")
    assert recording.add("move", "p2", to="cliffs_of_abandon")[0].verdict == "legal"
    assert recording.add("move", "p2", to="copper_gate")[0].verdict == "legal"
    round_trip(recording)


def test_without_it_every_later_event_of_an_honest_table_is_marked() -> None:
    recording = before_the_flood()
    for tile in ("cliffs_of_abandon", "copper_gate"):
        (event,) = report(recording, Draft(type="move", actor="p2", params={"to": tile}), accept_left_out=False)
        assert event.verdict == "illegal"
    assert state(recording).active == 0


def test_an_action_that_is_legal_without_a_step_is_refused_with_it() -> None:
    recording = before_the_flood()
    with pytest.raises(IsLeftOut, match="It is another player's turn") as refused:
        report(recording, BO_MOVES, accept_left_out=None)
    (omission,) = refused.value.left_out
    assert msgspec.to_builtins(omission) == {
        **FLOOD,
        "rule": DRAW_FLOOD,
        "label": "Ada's Flood cards",
        "message": "Ada did not draw the Flood cards that were due.",
    }
    assert recording.game.version == 4


def test_it_is_appended_with_the_action_and_happened_when_that_did() -> None:
    recording = before_the_flood()
    at = "2026-11-20T19:04:11Z"
    omitted, moved = report(recording, msgspec.structs.replace(BO_MOVES, occurred_at=at))
    assert verdicts([omitted, moved]) == [("left_out", "illegal"), ("move", "legal")]
    assert (omitted.params, omitted.occurred_at, omitted.seq) == (FLOOD, at, 5)
    round_trip(recording)


def test_a_whole_turn_may_be_left_out_in_steps() -> None:
    recording = deal_game()
    *omitted, moved = report(recording, BO_MOVES)
    assert [event.params["step"] for event in omitted] == ["treasure_cards", "flood_cards"]
    assert [event.rule for event in omitted] == [DRAW_TREASURE, DRAW_FLOOD]
    assert moved.verdict == "legal"
    round_trip(recording)


@pytest.mark.parametrize("accepted", [True, None])
def test_before_a_legal_action_nothing_is_left_out(accepted: bool | None) -> None:
    flood = Draft(type="draw_flood_card", actor="p1", outcomes=("bronze_gate",))
    (event,) = report(before_the_flood(), flood, accept_left_out=accepted)
    assert (event.type, event.verdict) == ("draw_flood_card", "legal")


def test_what_no_step_explains_is_recorded_as_it_is() -> None:
    recording = deal_game()
    (event,) = report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}), accept_left_out=None)
    assert (event.type, event.verdict) == ("move", "illegal")


def test_that_all_the_others_were_passed_over_is_no_guess() -> None:
    """Ada's fourth action would be legal after Bo's whole turn, but that is not what happened."""
    recording = deal_game()
    for tile in ("howling_garden", "silver_gate", "howling_garden"):
        recording.add("move", "p1", to=tile)
    (event,) = report(recording, Draft(type="move", actor="p1", params={"to": "silver_gate"}), accept_left_out=None)
    assert (event.type, event.verdict) == ("move", "illegal")


@pytest.mark.parametrize(("name", "most"), [("MOST_STEPS", 1), ("MOST_TRIED", 1)])
def test_the_search_is_bounded(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(omissions, name, most)
    (event,) = report(deal_game(), BO_MOVES, accept_left_out=None)
    assert event.verdict == "illegal"


def test_in_a_strict_game_it_is_said_and_never_guessed() -> None:
    recording = before_the_flood("strict")
    for accepted in (None, True):
        with pytest.raises(IllegalAction) as refused:
            report(recording, BO_MOVES, accept_left_out=accepted)
        assert not isinstance(refused.value, IsLeftOut)
    (event,) = recording.add("left_out", **FLOOD)
    assert (event.verdict, event.rule) == ("illegal", DRAW_FLOOD)
    (move,) = report(recording, BO_MOVES)
    assert move.verdict is None
    assert [one.kind for one in audit(recording.events).findings] == ["left_out"]


@pytest.mark.parametrize(
    ("params", "pointer", "message"),
    [
        ({"seat": "p1", "step": "tea"}, "/params/step", "these can: treasure_cards, discard, flood_cards"),
        ({"seat": "p3", "step": "flood_cards"}, "/params/seat", "the seats are p1 and p2"),
        ({"seat": "p9", "step": "flood_cards"}, "/params/seat", "p9"),
        ({"step": "flood_cards"}, "/params", "seat"),
    ],
)
def test_what_it_names_is_at_this_table(params: dict[str, Any], pointer: str, message: str) -> None:
    with pytest.raises(Malformed, match=message) as refused:
        before_the_flood().add("left_out", **params)
    assert refused.value.pointer == pointer


def test_only_what_is_due_is_left_out() -> None:
    with pytest.raises(IllegalAction, match=r"cannot be skipped now\. You can skip: Ada's Flood cards") as refused:
        before_the_flood().add("left_out", seat="p2", step="flood_cards")
    assert refused.value.rule == "Keeping the record"


def test_not_before_the_set_up_nor_after_the_end_and_chance_has_no_part_in_it() -> None:
    with pytest.raises(IllegalAction, match="Set up the game first"):
        Recording(mode="as_played").add("left_out", **FLOOD)
    recording = before_the_flood()
    with pytest.raises(Malformed, match="too many outcomes"):
        recording.add("left_out", outcomes=["observatory"], **FLOOD)
    recording.add("abandon", reason="dinner")
    with pytest.raises(GameOver):
        recording.add("left_out", **FLOOD)
    with pytest.raises(GameOver):
        report(recording, BO_MOVES)
    with pytest.raises(IllegalAction, match="Set up the game first"):
        report(Recording(mode="as_played"), BO_MOVES)


def test_nobody_acts_who_is_not_there() -> None:
    with pytest.raises(Malformed):
        report(before_the_flood(), msgspec.structs.replace(BO_MOVES, actor="p7"))


def test_a_step_after_which_no_table_is_sound_cannot_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "is_sound", lambda *_: False)
    with pytest.raises(IllegalAction, match="You can skip: nothing"):
        before_the_flood().add("left_out", **FLOOD)


def test_the_action_behind_it_is_refused_and_so_is_the_whole() -> None:
    recording = before_the_flood()
    draw = Draft(type="draw_treasure_card", actor="p2")
    for outcomes, error in (((), OutcomeRequired), (("observatory",), ImpossibleOutcome)):
        with pytest.raises(error):
            report(recording, msgspec.structs.replace(draw, outcomes=outcomes))
    assert recording.game.version == 4
    assert verdicts(report(recording, msgspec.structs.replace(draw, outcomes=("earth_stone",)))) == [
        ("left_out", "illegal"),
        ("draw_treasure_card", "legal"),
    ]


def test_in_a_list_each_event_has_its_own() -> None:
    recording = before_the_flood()
    ada = Draft(type="move", actor="p1", params={"to": "howling_garden"})
    events = report(recording, BO_MOVES, BO_MOVES.__class__(type="annotate", params={"text": "so"}), ada)
    assert [event.type for event in events] == ["left_out", "move", "annotate", "left_out", "left_out", "move"]
    assert [event.params["seat"] for event in events if event.type == "left_out"] == ["p1", "p2", "p2"]
    with pytest.raises(IsLeftOut) as refused:
        report(before_the_flood(), Draft(type="annotate", params={"text": "so"}), BO_MOVES, accept_left_out=None)
    assert refused.value.index == 1


def seeded_game() -> Recording:
    recording = Recording(seed="tides", mode="as_played")
    recording.add("set_up")
    return recording


def test_in_a_seeded_game_it_is_asked_before_anything_is_drawn() -> None:
    recording = seeded_game()
    draw = Draft(type="draw_treasure_card", actor="p2")
    with pytest.raises(IsLeftOut):
        report(recording, draw, accept_left_out=None)
    assert not recording.chance.has_drawn
    *omitted, drawn = report(recording, draw)
    assert [event.outcomes for event in omitted] == [(), ()]
    assert (drawn.verdict, len(drawn.outcomes)) == ("legal", 1)
    recording.add("abandon", reason="dinner")
    round_trip(recording)


def test_what_fails_after_its_draw_leaves_its_note_behind_what_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = seeded_game()
    play = Rules.play

    def failing(rules: Rules, before: Any, entry: Any, *arguments: Any) -> Any:
        found = play(rules, before, entry, *arguments)
        if entry.type == "draw_treasure_card":
            raise ZeroDivisionError
        return found

    monkeypatch.setattr(Rules, "play", failing)
    (step,) = steps(
        recording.game,
        [Draft(type="draw_treasure_card", actor="p2")],
        recording.chance,
        recording.history,
        recorded_at=clock(3),
        accept_left_out=True,
    )
    assert isinstance(step.refused, ZeroDivisionError)
    assert [event.type for event in step.events] == ["left_out", "left_out", "annotate"]
    assert step.event.params == {"text": SPENT}
    assert step.game.version == 5


def test_where_something_was_not_seen_it_is_left_out_in_every_world() -> None:
    recording = before_the_flood(card=None)
    omitted, moved = report(recording, BO_MOVES)
    assert verdicts([omitted, moved]) == [("left_out", "illegal"), ("move", "legal")]
    assert len(state(recording).worlds) > 1
    recording.add("reveal", seq=3, value="earth_stone")
    round_trip(recording)


def test_what_depends_on_what_was_not_seen_cannot_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = before_the_flood(card=None)

    def disagree(*_: Any) -> Any:
        raise Undetermined("Keeping the record", ("hands",))

    with monkeypatch.context() as patched:
        patched.setattr(omissions, "agreeing", disagree)
        with pytest.raises(IllegalAction, match="You can skip: nothing"):
            recording.add("left_out", **FLOOD)
    skips = ForbiddenIsland.skips
    rich = {world.state.hands for world in state(recording).worlds[1:]}
    monkeypatch.setattr(
        ForbiddenIsland, "skips", lambda rules, world: () if world.hands in rich else skips(rules, world)
    )
    assert not list(omissions.skips(ForbiddenIsland(), state(recording)))


def test_it_is_made_up_for_by_writing_its_place_anew() -> None:
    """The table corrects "we drew them after all": the first card in its place, the second behind it."""
    recording = before_the_flood()
    report(recording, BO_MOVES)
    draw = {"type": "draw_flood_card", "actor": "p1"}
    recording.append(
        Draft(type="amend", params={"seq": 5, "event": {**draw, "outcomes": ["breakers_bridge"]}}),
        Draft(type="amend", params={"seq": 6, "insert": {**draw, "outcomes": ["bronze_gate"]}}),
    )
    assert {"breakers_bridge", "bronze_gate"} <= state(recording).flooded
    assert (state(recording).active, state(recording).pawns[1]) == (1, "cliffs_of_abandon")
    report_ = audit(recording.events)
    assert report_.findings == ()
    assert report_.corrections[0].message.startswith(
        "Corrected in turn 2: “Ada did not draw the Flood cards that were due” (in turn 1) "
        "was replaced by “Breakers Bridge floods”."
    )
    round_trip(recording)


def test_it_is_taken_back_as_anything_is() -> None:
    recording = before_the_flood()
    report(recording, BO_MOVES)
    recording.add("undo", to=4)
    assert (state(recording).phase, state(recording).active) == ("draw_flood", 0)
    assert audit(recording.events).findings == ()


def test_it_may_be_said_later_where_it_happened() -> None:
    recording = before_the_flood()
    report(recording, BO_MOVES, accept_left_out=False)
    recording.add("amend", seq=5, insert={"type": "left_out", "params": FLOOD})
    assert [slot.judgement is None for slot in history(recording.events).mainline[-2:]] == [False, True]
    assert [one.kind for one in audit(recording.events).findings] == ["left_out"]
    round_trip(recording)


def test_where_it_is_not_due_any_more_it_stays_without_effect() -> None:
    recording = before_the_flood()
    report(recording, BO_MOVES)
    for value in ("breakers_bridge", "bronze_gate"):
        recording.add(
            "amend", seq=5, insert={"type": "draw_flood_card", "actor": "p1", "outcomes": [value]}, accept_broken=True
        )
    slot = history(recording.events).mainline[-2]
    assert slot.judgement is not None
    assert not slot.judgement.has_effect
    (finding,) = audit(recording.events).findings
    told = (
        "The record says: Ada did not draw the Flood cards that were due. "
        "After a correction, that step was not due any more."
    )
    assert (finding.seq, finding.kind, finding.actor, finding.message) == (5, "illegal_action", None, told)
    assert finding.changed == ("No effect: the position stayed the same, and no later move depended on it.",)
    narrated = [one.sentence for one in narrate(recording.game.header, recording.events)]
    assert narrated[-2] == told


def test_the_audit_lists_it_with_its_rule() -> None:
    recording = before_the_flood()
    report(recording, BO_MOVES)
    found = audit(recording.events)
    (finding,) = found.findings
    assert (finding.seq, finding.turn, finding.kind) == (5, 1, "left_out")
    assert (finding.rule, finding.message) == (DRAW_FLOOD, "Ada drew neither of the 2 Flood cards.")
    by_rule = {one.rule: (one.legal, one.illegal) for one in found.rules_applied}
    assert by_rule[DRAW_FLOOD] == (0, 1)


def test_it_is_told_with_its_reason() -> None:
    recording = before_the_flood()
    recording.add("left_out", **FLOOD, reason="The pizza came.")
    narrated = narrate(recording.game.header, recording.events)
    assert narrated[-1].sentence == "Ada did not draw the Flood cards that were due: The pizza came."
    omitted, _ = report(before_the_flood(), BO_MOVES)
    assert narrate(recording.game.header, [*recording.events[:4], omitted])[-1].sentence == (
        "Ada did not draw the Flood cards that were due."
    )


def test_what_is_not_clear_is_still_not_clear() -> None:
    with pytest.raises(UnclearEffect):
        report(deal_game(), Draft(type="play_sandbags", actor="p2", params={"tile": "observatory"}))


def test_left_out__asks_nothing_of_what_is_no_action() -> None:
    recording = before_the_flood()
    assert (
        recording.history.rules.find_left_out(state(recording), Draft(type="annotate", params={"text": "so"})) is None
    )
    rules = Rules(recording.game.header)
    assert rules.replay(state(recording), recording.events[-1], 5, sound_only=True)[2] == "now_illegal"
    trace = Trace(rules.ruleset, [World(1, state(recording))], sound_only=True)
    rules.trace(trace, Draft(type="left_out", params=FLOOD), 5, None)
    assert [one.state.active for one in trace.tables] == [1]
