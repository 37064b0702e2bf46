"""Unnoticed automatic steps: a reshuffle, a rise of the water, the end of the game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import BreaksFollowers, GameOver, IllegalAction, ImpossibleOutcome
from engine.core.events import Draft, Explanation, Mode, Proposal
from engine.core.values import GameOutcome
from engine.games.forbidden_island.components import TILES
from engine.games.forever_island.components import Goods
from engine.kit.piles import Pile
from engine.play import registry
from engine.play.explanations.missed import play_on
from engine.play.fold import fold
from engine.play.rules import Rules
from engine.review.audit import audit
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forbidden_island.positions import island
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.forgotten_waters.positions import voyage
from tests.engine.play.explaining import (
    BO_MOVES,
    CARDS,
    chosen,
    deal_game,
    explanations_of,
    flood,
    kinds,
    read_back,
    report,
)
from tests.engine.recording import DEAL
from tests.engine.recording import dealt as seeded
from tests.recording import Recording

RISE = Draft(type="draw_treasure_card", actor="p1", outcomes=("waters_rise",))
ENDING = Draft(type="left_out", params={"seat": "p1", "step": "ending"})


def begin_game(ruleset: str = "forbidden-island", state: Any = None, **fields: Any) -> Recording:
    """A record that begins at a position: `state`, or one of the island."""
    recording = Recording(ruleset)
    state = island(ruleset, **fields) if state is None else state
    recording.add("set_up", position=recording.game.ruleset.to_document(state))
    return recording


def storm(card: str, actor: str = "p1") -> Draft:
    return Draft(type="draw_storm_card", actor=actor, outcomes=(card,))


def after_the_end(recording: Recording, draft: Draft) -> list[Proposal]:
    with pytest.raises(GameOver) as refused:
        report(recording, draft)
    return list(refused.value.explanations or ())


def play_on_after_end() -> Recording:
    """A game that continues after Fools' Landing has sunk."""
    recording = begin_game(phase="draw_flood", flooded=["fools_landing"], flood_draws_left=2)
    report(recording, *flood("fools_landing"))
    (found,) = after_the_end(recording, flood("bronze_gate")[0])
    report(recording, *found.drafts)
    return recording


def test_a_missed_rise_of_the_water_is_one_slip() -> None:
    """Ada draws Waters Rise!, and the table continues with the old Flood pile: the card had no effect."""
    recording = deal_game()
    report(recording, RISE, CARDS[0])
    found = chosen(recording, flood("bronze_gate")[0], "missed_reshuffle")
    assert (found.seat, found.message) == ("p1", "Ada drew a card that raises the water, and did nothing about it.")
    assert recording.game.state.water_level == 1  # type: ignore[union-attr]  # a state of this game
    report(recording, *flood("breakers_bridge"), BO_MOVES)
    assert read_back(recording) == ["left_out"]


@pytest.mark.parametrize(
    "between",
    [
        Draft(type="house_rule", params={"text": "Anyone may move.", "allows": [{"type": "move"}]}),
        msgspec.structs.replace(CARDS[0], explanation=Explanation("one_too_many", "p1")),
    ],
)
def test_another_slip_does_not_hide_a_missed_rise(between: Draft) -> None:
    recording = deal_game()
    report(recording, RISE, CARDS[0], between)
    chosen(recording, flood("bronze_gate")[0], "missed_reshuffle")
    assert read_back(recording)


def test_a_missed_rise_and_another_hand_in_one_draw() -> None:
    """Bo draws for Ada, and his card shows that she forgot the rise."""
    recording = deal_game()
    report(recording, RISE, CARDS[0])
    found = chosen(recording, msgspec.structs.replace(flood("bronze_gate")[0], actor="p2"), "missed_reshuffle")
    assert found.message == (
        "Ada drew a card that raises the water, and did nothing about it. Bo did this for Ada: Draw a Flood card."
    )
    assert read_back(recording) == ["left_out", "illegal_action"]


def test_of_the_rise_one_part_alone_is_missed() -> None:
    """Only half of it was done: the water rose without a shuffle, or the reverse."""
    recordings = deal_game(), deal_game()
    for recording, step in zip(recordings, ("reshuffle", "water_level"), strict=True):
        report(recording, *[CARDS[0], RISE], Draft(type="left_out", params={"seat": "p1", "step": step}))
    unshuffled, low = (recording.game.state for recording in recordings)
    assert (unshuffled.water_level, len(unshuffled.flood_discard)) == (2, 6)  # type: ignore[union-attr]
    assert (low.water_level, len(low.flood_discard)) == (1, 0)  # type: ignore[union-attr]


def test_a_rise_is_missed_before_other_events() -> None:
    """Flood cards were drawn from the old pile without putting back a card first; that is inserted before them."""
    recording = deal_game()
    report(recording, CARDS[0], RISE, *flood("observatory"))
    with pytest.raises(ImpossibleOutcome):
        report(recording, *flood("bronze_gate"))
    other = begin_game("forbidden-desert", table("archeologist", "explorer", storm_tick=2))
    report(other, *(storm(card) for card in ("storm_picks_up", "wind_north_1", "wind_north_2")))
    assert "missed_reshuffle" not in kinds(explanations_of(other, storm("wind_north_3")))


def test_what_the_service_dealt_was_missed_by_nobody() -> None:
    recording = seeded("3")
    report(recording, *[Draft(type="draw_treasure_card", actor="p1")] * 2)
    assert "missed_reshuffle" not in kinds(explanations_of(recording, BO_MOVES))


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
def test_a_loss_that_nobody_noticed_is_marked_and_the_table_plays_on(ruleset: str) -> None:
    """Fools' Landing sinks, and Bo moves: his move is legal, and the end is marked."""
    recording = begin_game(ruleset, phase="draw_flood", flooded=["fools_landing"], flood_pile=TILES, flood_draws_left=2)
    report(recording, *flood("fools_landing"))
    assert recording.events[-1].type == "game_closed"
    rules, lost = Rules(recording.game.header), recording.game.state
    assert lost is not None
    assert play_on(rules, lost) == ENDING
    assert play_on(rules, lost.with_play_resumed()) is None
    draw = flood("bronze_gate")[0]
    (found,) = after_the_end(recording, draw)
    assert (found.kind, found.seat) == ("unnoticed_end", "p1")
    assert found.message == "Nobody noticed the end of the game in turn 1: Fools' Landing has sunk: the game is lost."
    report(recording, *found.drafts)
    assert recording.game.outcome is None
    report(recording, Draft(type="move", actor="p2", params={"to": "breakers_bridge"}))
    state = recording.game.state
    assert state is not None
    assert state.unnoticed == ("fools_landing_sank",)
    recording.add("abandon", reason="It has become late.")
    assert fold(recording.events).outcome == recording.game.outcome
    report_ = audit(recording.events)
    assert [(one.kind, one.rule, one.told) for one in report_.findings] == [
        ("left_out", "Losing the Game", "Nobody noticed that the game had ended.")
    ]


def test_a_mutiny_that_nobody_noticed_is_marked_and_the_ship_sails_on() -> None:
    """The timer runs out while the pirates plan, and the discontent is as high as the crew."""
    position = voyage(discontent=13)
    recording = Recording("forgotten-waters", 3, **msgspec.to_builtins(position.options))
    recording.add("set_up", position=recording.game.ruleset.to_document(position))
    report(recording, Draft(type="timer_runs_out", actor="p2"))
    choice = Draft(type="choose_action", actor="p1", params={"number": 1})
    (found,) = after_the_end(recording, choice)
    assert found.message.startswith("Nobody noticed the end of the game in turn 1: There is as much discontent")
    report(recording, *found.drafts)
    assert recording.game.outcome is None
    assert read_back(recording) == ["left_out"]


def test_three_totems_that_nobody_counted_are_marked_and_the_turn_goes_on() -> None:
    three = ["hog_1_a", "hog_2_a", "log_1_a"]
    position = atoll(huts=[[*three, "frog_2_b"]], standing=three[:2], hands=[Goods(hog=5)])
    recording = begin_game("forever-island", position)
    report(recording, Draft(type="erect", actor="p1", params={"totem": "log_1_a"}))
    assert recording.events[-1].type == "game_closed"
    (found,) = after_the_end(recording, Draft(type="end_turn", actor="p1"))
    assert (found.kind, found.seat) == ("unnoticed_end", "p1")
    report(recording, *found.drafts)
    report(recording, Draft(type="roll_for_weather", actor="p2", outcomes=(2,)))
    assert recording.game.outcome is None
    assert read_back(recording) == ["left_out"]


def test_the_water_at_the_skull_goes_unnoticed() -> None:
    recording = begin_game(phase="draw_treasure", water_level=9, flood_discard=TILES[:3], flooded=TILES[:3])
    report(recording, RISE)
    assert after_the_end(recording, BO_MOVES) == []
    (found,) = after_the_end(recording, CARDS[0])
    report(recording, *found.drafts)
    assert recording.game.state.flood_draws_left == 5  # type: ignore[union-attr]
    second = begin_game(phase="draw_treasure", water_level=9, treasure_draws_left=1)
    report(second, RISE)
    (found,) = after_the_end(second, flood("watchtower")[0])
    report(second, *found.drafts)
    assert second.game.state.flood_draws_left == 4  # type: ignore[union-attr]


def test_nobody_plays_on_after_a_win_or_a_drowned_player_or_in_a_seeded_game() -> None:
    won = begin_game(
        pawns=["fools_landing"] * 2,
        captured=("earth_stone", "statue_of_the_wind", "crystal_of_fire", "oceans_chalice"),
        hands=[["helicopter_lift"]],
    )
    report(won, Draft(type="lift_off", actor="p1"))
    assert won.game.outcome is not None
    assert after_the_end(won, BO_MOVES) == []
    lost = seeded("1")
    lost.add("abandon", reason="It has become late.")
    assert after_the_end(lost, BO_MOVES) == []
    for over in (won.game, lost.game):
        assert over.state is not None
        assert play_on(Rules(over.header), over.state) is None
    with pytest.raises(GameOver):
        report(lost, ENDING)


def test_no_end_is_missed_while_the_game_goes_on() -> None:
    with pytest.raises(IllegalAction, match="cannot be skipped now"):
        report(deal_game(), ENDING)


def test_a_step_of_the_storm_goes_in_before_what_followed() -> None:
    """The storm picks up, but nobody moves the meter. Bo draws one card fewer than it says, and Ada moves."""
    recording = begin_game(
        "forbidden-desert", table("archeologist", "explorer", storm_tick=4, storm_left=1, phase="storm", actions_left=0)
    )
    report(recording, storm("storm_picks_up"))
    meter = recording.game.state.storm_level  # type: ignore[union-attr]
    drawn = ["wind_north_1", "wind_south_1", "wind_east_1"][: meter - 1]
    report(recording, *(storm(card, "p2") for card in drawn))
    ada = Draft(type="draw_storm_card", actor="p1", outcomes=("wind_west_1",))
    found = chosen(recording, ada, "missed_reshuffle")
    assert [draft.type for draft in found.drafts] == ["amend", "draw_storm_card"]
    assert read_back(recording) == ["left_out"]


@pytest.mark.parametrize(
    ("card", "reason", "fields"),
    [
        ("sun_beats_down", "thirst", {"water": (0, 4), "storm_tick": 5}),
        ("storm_picks_up", "swept_away", {"storm_tick": 13}),
    ],
)
def test_the_desert_is_lost_and_nobody_notices(card: str, reason: str, fields: dict[str, Any]) -> None:
    state = table("archeologist", "explorer", storm_left=2, phase="storm", actions_left=0, **fields)
    recording = begin_game("forbidden-desert", state)
    report(recording, storm(card))
    assert recording.game.outcome is not None
    assert recording.game.outcome.reason == reason
    (found,) = after_the_end(recording, storm("wind_north_1"))
    report(recording, *found.drafts)
    resumed = recording.game.state
    assert resumed is not None
    assert (resumed.turn, resumed.outcome, resumed.unnoticed) == (2, None, (reason,))
    report(recording, storm("wind_south_1", "p2"))
    assert recording.game.outcome is None
    assert read_back(recording) == ["left_out"]


def overlooked_steps(state: Any) -> list[str]:
    rules = registry.ruleset("forbidden-desert" if hasattr(state, "storm_tick") else "forbidden-island")
    return [skip.step.id for skip in rules.overlooks(state)]


def test_what_can_be_missed_is_what_the_table_shows() -> None:
    rise = {"treasure_discard": ["waters_rise"], "flood_discard": (), "phase": "draw_flood"}
    assert overlooked_steps(island(flood_pile=TILES, water_level=2, **rise)) == ["water_level"]
    assert overlooked_steps(island(flood_pile=TILES, water_level=1, **rise)) == []
    two = island(water_level=1, **rise)
    two = msgspec.structs.replace(two, flood_pile=Pile((TILES[:3], TILES[3:])))
    assert overlooked_steps(two) == ["reshuffle"]
    assert overlooked_steps(island(flood_pile=TILES[:1], flood_discard=TILES[1:])) == []
    drowned = island(
        roles=("messenger", "engineer"),
        pawns=("fools_landing", "fools_landing"),
        sunk=[tile for tile in TILES if tile != "fools_landing"],
        outcome=GameOutcome("lost", (), "drowned", "Losing the Game"),
    )
    drowned = msgspec.structs.replace(drowned, sunk=frozenset(TILES))
    assert overlooked_steps(drowned) == []
    won = GameOutcome("won", ("p1",), "took_off", "Winning")
    assert overlooked_steps(table("archeologist", "explorer", outcome=won)) == []
    resumed = table("archeologist", "explorer", outcome=GameOutcome("lost", (), "thirst", "Losing"), water=(0, 4))
    assert overlooked_steps(resumed) == ["ending"]


def test_nothing_is_missed_behind_a_card_that_nobody_saw() -> None:
    recording = deal_game()
    report(recording, Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    assert "missed_reshuffle" not in kinds(explanations_of(recording, BO_MOVES))


def test_play_goes_on_after_no_end_that_everybody_knew() -> None:
    recording = deal_game("as_played")
    recording.add("abandon", reason="It is late.")
    with pytest.raises(GameOver):
        report(recording, BO_MOVES, if_illegal="accept")


@pytest.mark.parametrize("mode", ["strict", "as_played"])
@pytest.mark.parametrize("seq", [3, 4])
def test_a_card_that_was_never_drawn_is_the_only_mark(mode: Mode, seq: int) -> None:
    """An amend takes a card away from Ada. The players continued, so only she skipped a step."""
    recording = deal_game(mode)
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"))
    report(recording, BO_MOVES)
    amend = Draft(type="amend", params={"seq": seq, "remove": True})
    offered = Recording.of(recording)
    with pytest.raises(BreaksFollowers) as broken:
        report(offered, amend, as_played=False)
    (proposal,) = broken.value.explanations or ()
    assert (proposal.kind, proposal.message) == (
        "skipped_step",
        "Ada did not draw the Treasure deck cards that were due.",
    )
    report(offered, *proposal.drafts)
    report(recording, amend, as_played=True)
    for one in (offered, recording):
        assert read_back(one) == ["left_out"]
        state = one.game.state
        assert state is not None
        assert (state.turn, one.game.awaiting) == (2, ("p2",))


def is_unexplained(recording: Recording, amend: Draft) -> bool:
    with pytest.raises(BreaksFollowers) as broken:
        report(recording, amend, as_played=False)
    return broken.value.explanations is None


def test_an_amend_that_no_skipped_step_explains_keeps_its_marks() -> None:
    """A move to another tile; a rise of the water, without which the next Flood card lies deep in the pile."""
    moved, risen = deal_game("as_played"), deal_game("as_played")
    for to in ("howling_garden", "gold_gate"):
        report(moved, Draft(type="move", actor="p1", params={"to": to}))
    assert is_unexplained(moved, Draft(type="amend", params={"seq": 3, "remove": True}))
    report(risen, CARDS[0], RISE, *flood(DEAL[24]))
    amend = Draft(type="amend", params={"seq": 4, "remove": True})
    assert is_unexplained(risen, amend)
    report(risen, amend, as_played=True)
    assert len(read_back(risen)) == 1


def test_before_an_amend_draws_nothing_is_offered_for_what_it_may_break() -> None:
    recording = seeded(seed="calm")
    report(recording, *(Draft(type=type_, actor="p1") for type_ in ("draw_treasure_card",) * 2 + ("draw_flood_card",)))
    amend = Draft(type="amend", params={"seq": 5, "insert": {"type": "draw_treasure_card", "actor": "p1"}})
    assert is_unexplained(recording, amend)
