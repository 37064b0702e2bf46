"""The lines about a slip: its time, its consequence, and house rules and notes beside it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.events import Draft, Explanation
from engine.core.values import GameOutcome
from engine.play import registry
from engine.review import effects
from engine.review.audit import audit
from engine.review.report import Report
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.forgotten_waters.positions import SHEETS, resolving
from tests.engine.play.explaining import BO_MOVES, CARDS, deal_game, flood, report
from tests.engine.play.explanations.test_missed import begin_game, play_on_after_end, storm
from tests.recording import Recording

FAR = Draft(type="move", actor="p1", params={"to": "gold_gate"})
"""A move of Ada over two tiles."""


def read(recording: Recording) -> Report:
    return audit(recording.events)


def followed_facts(recording: Recording) -> tuple[str, ...]:
    return read(recording).findings[0].changed


@pytest.mark.parametrize(
    ("ruleset", "state", "reason", "told"),
    [
        ("forbidden-desert", table("archeologist", "explorer", water=(2, -1)), "thirst", "Bo died of thirst"),
        ("forbidden-desert", table("archeologist", "explorer"), "buried", "There is no sand left to place"),
        ("forever-island", atoll(), "three_totems", "Three standing totems belong to Bo: the game is won!"),
        ("forever-island", atoll(), "last_survivor", "Nobody but Bo has a hut or canoe left: the game is won!"),
        ("forever-island", atoll(), "all_eliminated", "The last huts and canoes are destroyed"),
    ],
)
def test_an_ending_names_who_decided_it(ruleset: str, state: Any, reason: str, told: str) -> None:
    ended = msgspec.structs.replace(state, outcome=GameOutcome("won", ("p2",), reason, "Rule"))
    assert registry.ruleset(ruleset).describe_ending(ended, ("Ada", "Bo")).startswith(told)


def test_play_after_an_unnoticed_end_is_no_turn_without_a_slip() -> None:
    recording = play_on_after_end()
    report(recording, *flood("breakers_bridge"), if_illegal="accept")
    report(recording, BO_MOVES, if_illegal="accept")
    found = read(recording)
    last = found.findings[0].played_until
    assert last is not None
    assert (last.seq, last.period) == (recording.game.version, "turn 2")
    assert [(one.name, one.seat, one.is_after_end) for one in found.periods] == [
        ("turn 1", "p1", False),
        ("turn 2", "p2", True),
    ]


def test_a_slip_that_a_later_move_undoes_has_no_lasting_effect() -> None:
    """Ada flies over two tiles, and Bo's helicopter fetches her."""
    recording = deal_game()
    report(recording, FAR, if_illegal="accept")
    lift = {"pawns": ["p1"], "to": "breakers_bridge"}
    report(recording, Draft(type="play_helicopter_lift", actor="p2", params=lift), *CARDS)
    same = "The difference did not last: from turn 1 on, the position was the same either way."
    assert followed_facts(recording) == (same,)


def test_a_slip_that_stays_is_compared_at_the_end_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada flies over two tiles and stays there."""
    recording = deal_game()
    report(recording, FAR, if_illegal="accept")
    assert followed_facts(recording) == ("Nothing was recorded after it.",)
    report(recording, *CARDS)
    with monkeypatch.context() as patch:
        patch.setattr(effects, "LONGEST", 9)
        assert followed_facts(recording) == ("By the rules, every later move would have been possible, too.",)
    later = "By the rules, every later move would have been possible, too."
    assert followed_facts(recording) == (later, "The facts above were still different at the end of the record.")


def test_a_late_action_that_draws_no_card_leaves_all_cards_missing() -> None:
    """Ada's storm cards are skipped, and she excavates in Bo's turn."""
    recording = begin_game("forbidden-desert", table("archeologist", "explorer", storm_tick=4))
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "storm_cards"}))
    late = Explanation("late_step", "p1", (recording.game.version,))
    dig = Draft(type="excavate", actor="p1", params={}, outcomes=("gear",), explanation=late)
    report(recording, dig, if_illegal="accept")
    assert read(recording).findings[0].message == "Ada drew none of the 3 storm cards."


def test_a_turn_that_ended_without_a_card_that_was_due_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """The storm picks up unnoticed. Bo weakens it twice and ends his turn; by the rules he had one card to draw."""
    recording = begin_game("forbidden-desert", table("explorer", "meteorologist", storm_tick=1))
    report(recording, storm("storm_picks_up"), Draft(type="left_out", params={"seat": "p1", "step": "storm_level"}))
    report(recording, storm("wind_north_1"), *[Draft(type="weaken_storm", actor="p2")] * 2)
    report(recording, Draft(type="end_turn", actor="p2"))
    early = "Turn 2: “Bo draws no storm card.” By the rules, this was not possible yet: Bo had to draw 1 storm card."
    beside = (
        "Before this move, at the table: The storm is at tick 1 of its meter. "
        "By the rules: The storm is at tick 2 of its meter."
    )
    after = ("1 move followed without that step.", "Nobody can know how the game would have gone on otherwise.")
    assert followed_facts(recording) == (early, beside, *after)
    monkeypatch.setattr(effects, "LONGEST", 9)
    assert followed_facts(recording) == (early, *after)


def test_waters_is_told_in_rounds() -> None:
    recording = Recording("forgotten-waters", 3, pirates=[{"sheet": sheet} for sheet in SHEETS[:3]], edition="first")
    state = msgspec.structs.replace(resolving({"do": "roll", "results": [{}]}), round=2)
    recording.add("set_up", position=recording.game.ruleset.to_document(state))
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "effect"}))
    found = read(recording)
    assert found.findings[0].period == "round 2"
    assert {one.seat for one in found.periods} <= {None}


def test_a_house_rule_is_shown_with_what_it_allowed_and_notes_with_their_turn() -> None:
    recording = deal_game()
    rule = {"text": "Anyone may jump.", "allows": [{"type": "move"}]}
    report(recording, Draft(type="house_rule", params=rule))
    report(recording, Draft(type="house_rule", params={**rule, "text": "Nobody sinks.", "allows": [{"type": "swim"}]}))
    report(recording, FAR, Draft(type="annotate", params={"text": "A long jump."}))
    report(recording, msgspec.structs.replace(CARDS[0], note="At last."))
    found = read(recording)
    jump, unused = found.house_rules
    assert (jump.text, jump.period, [one.message for one in jump.used]) == (
        "Anyone may jump.",
        "turn 1",
        ["Ada moves to Gold Gate."],
    )
    assert unused.used == ()
    assert [(one.seq, one.period, one.message) for one in found.remarks] == [
        (6, "turn 1", "A long jump."),
        (7, "turn 1", "At last."),
    ]
    assert found.message == "The record is valid: 7 events, all by the rules or by a house rule."
