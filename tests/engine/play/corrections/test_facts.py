"""Facts: corrected, confirmed, refused, and replayed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import (
    BreaksFollowers,
    GameOver,
    Malformed,
)
from engine.core.values import Violation
from engine.play.beliefs import telling
from engine.play.beliefs.belief import Belief, worlds
from engine.play.corrections import facts
from engine.review.audit import audit
from tests.engine.play.telling import (
    Told,
    has,
    photograph,
    refusal,
    round_trip,
    state,
    tell,
    tile,
    unseen_card,
    water,
)
from tests.engine.recording import dealt, played
from tests.recording import Recording

# Changes


def test_what_is_told_holds_and_what_was_is_kept() -> None:
    recording = played()
    params = tell(recording, water(4), agreed_by=["p1", "p2"])
    assert (params["facts"], params["was"], params["agreed_by"]) == ((water(4),), (water(1),), ("p1", "p2"))
    assert state(recording).water_level == 4
    round_trip(recording)


def test_what_holds_already_changes_nothing_and_is_kept() -> None:
    recording = played()
    before = state(recording)
    stands = {"fact": "stands_on", "seat": "p1", "tile": "gold_gate"}
    params = tell(recording, water(1), stands, has("p1", "sandbags", 0))
    assert params["facts"] == (stands, has("p1", "sandbags", 0), water(1))
    assert params["was"] == (stands, has("p1", "sandbags"), water(1))
    assert state(recording).pawns == before.pawns
    round_trip(recording)


def test_an_amend_may_not_contradict_what_confirmed_the_table() -> None:
    """The table saw that Ada has the Ocean's Chalice, so an earlier draw cannot have been another card."""
    recording = dealt()
    drawn, *_ = recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    tell(recording, has("p1", "oceans_chalice"))
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["crystal_of_fire"]}
    with pytest.raises(BreaksFollowers) as refused:
        recording.add("amend", seq=drawn.seq, event=draw)
    assert "no longer has 1 Ocean's Chalice card" in refused.value.message
    assert [(one.seq, one.effect) for one in refused.value.impact or ()][-1] == (
        recording.events[-1].seq,
        "now_illegal",
    )
    recording.add("amend", seq=drawn.seq, event=draw, accept_broken=True)
    findings = [finding.message for finding in audit(recording.events).findings]
    assert any("no longer has 1 Ocean's Chalice card" in message for message in findings)


def test_a_card_changes_hands() -> None:
    recording = played()
    tell(recording, has("p1", "sandbags", 0), has("p2", "sandbags"))
    assert state(recording).hands == (
        ("earth_stone", "earth_stone"),
        ("crystal_of_fire", "helicopter_lift", "sandbags"),
    )
    assert len(state(recording).treasure_pile) == 23
    round_trip(recording)


def test_what_a_fact_needs_may_come_from_what_is_put_after_it() -> None:
    recording = played()
    told = [has("p1", "earth_stone", 0), {"fact": "cards_discarded", "card": "earth_stone", "count": 5}]
    tell(recording, *told[::-1])
    assert state(recording).treasure_discard == ("earth_stone",) * 5


def test_the_turn_is_carried_along() -> None:
    recording = played()
    tell(recording, {"fact": "left", "of": "flood_cards", "count": 2})
    assert (state(recording).phase, state(recording).treasure_draws_left) == ("draw_flood", 0)
    refused = refusal(recording, {"fact": "left", "of": "flood_cards", "count": 0})
    assert refused.instead == ({"fact": "left", "of": "actions", "count": 3},)
    tell(recording, *refused.instead, {"fact": "turn_of", "seat": "p2"})
    assert (state(recording).phase, state(recording).active) == ("actions", 1)
    round_trip(recording)


def test_an_ending_that_the_rulebook_names_has_happened() -> None:
    recording = played()
    told = [tile("temple_of_the_sun", "sunk"), tile("temple_of_the_moon", "sunk")]
    tell(recording, *told)
    assert recording.game.outcome is not None
    assert recording.game.outcome.reason == "treasure_lost"
    assert recording.events[-1].type == "game_closed"
    with pytest.raises(GameOver):
        tell(recording, water(2))
    round_trip(recording)


def test_a_whole_photograph_tells_what_is_not_there() -> None:
    recording, other = played(), played()
    tell(other, has("p1", "earth_stone", 0), water(3))
    params = tell(recording, *photograph(other), whole=True)
    changed = [fact for fact, was in zip(params["facts"], params["was"], strict=True) if fact != was]
    assert {fact["fact"] for fact in changed} == {"has_cards", "cards_discarded", "water_level"}
    assert "whole" not in params
    assert state(recording) == state(other)
    round_trip(recording)


def test_a_photograph_of_the_same_table_changes_nothing() -> None:
    recording = played()
    before = state(recording)
    params = tell(recording, *photograph(recording), whole=True)
    assert len(params["facts"]) == len(photograph(recording))
    assert params["was"] == params["facts"]
    assert state(recording) == before
    round_trip(recording)


def test_a_photograph_that_cannot_be_is_refused() -> None:
    """All cards were seen, so a hand of more cards than the facts name is impossible."""
    recording = played()
    told = [
        fact if fact["fact"] != "hand_is" else {**fact, "count": fact["count"] + 1} for fact in photograph(recording)
    ]
    before = state(recording)
    assert refusal(recording, *told, whole=True).violations
    assert state(recording) == before


def test_a_photograph_leaves_open_which_card_nobody_saw() -> None:
    """The fact about Ada's hand names two of three cards, as `GET …/facts` lists it. Then another fact changes."""
    recording = dealt()
    recording.add("draw_treasure_card", "p1", outcomes=[None])
    known = [facts.document(fact) for fact in telling.known_facts(recording.game.ruleset, state(recording))]
    same = Recording.of(recording)
    params = tell(same, *known, whole=True)
    assert params["facts"] == params["was"]
    assert state(same) == state(recording)
    others = [fact for fact in known if fact["fact"] != "water_level"]
    params = tell(same, *others, water(3), whole=True)
    assert set(map(str, params["facts"])) - set(map(str, params["was"])) == {str(water(3))}
    assert len(worlds(state(same))) == len(worlds(state(recording)))
    lift = has("p1", "helicopter_lift")
    assert lift in tell(same, *others, water(3), lift, whole=True)["facts"]
    assert not isinstance(state(same), Belief)
    round_trip(same)
    fewer = [fact if fact["fact"] != "hand_is" else {**fact, "count": fact["count"] - 1} for fact in known]
    assert refusal(recording, *fewer, whole=True).instead


def test_what_alone_would_lead_elsewhere_is_told_with_the_rest() -> None:
    """The discard pile is reported without the card, so it is in the pile. The event contains that fact, too."""
    recording = played()
    none = {"fact": "cards_discarded", "card": "sandbags", "count": 0}
    params = tell(recording, has("p1", "sandbags", 0), none)
    assert params["facts"] == (has("p1", "sandbags", 0), none)
    assert params["was"] == (has("p1", "sandbags"), none)
    assert state(recording).treasure_discard == ()
    round_trip(recording)


# Refusals


def test_more_than_there_are_cannot_be() -> None:
    refused = refusal(played(), has("p1", "sandbags", 3))
    assert refused.violations == (Violation("There are only 2 Sandbags cards.", "Setup"),)
    assert refused.instead == ()


def test_what_does_not_go_together_is_told_with_what_does() -> None:
    refused = refusal(played(), water(3), {"fact": "left", "of": "actions", "count": 0})
    assert refused.instead == (water(3), {"fact": "left", "of": "cards", "count": 2})
    assert refused.violations[0].message == (
        "This is impossible: “Left this turn: 0 actions.” "
        "With the other facts, this is possible: “Left this turn: 2 cards to draw.”"
    )


def test_what_contradicts_itself_does_not_hold() -> None:
    told = [
        {"fact": "flood_pile_is", "layers": [["lost_lagoon"], ["watchtower"]]},
        {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "discard_pile"},
    ]
    assert "This is impossible: “The Flood pile" in refusal(played(), *told).violations[0].message


def test_what_follows_is_checked_and_never_put() -> None:
    recording = played()
    refused = refusal(recording, {"fact": "phase_is", "phase": "discard"})
    assert refused.instead == ({"fact": "phase_is", "phase": "draw_treasure"},)
    seen = {"fact": "phase_is", "phase": "draw_treasure"}
    assert tell(recording, seen)["facts"] == (seen,)
    told = [{"fact": "hand_is", "seat": "p1", "count": 2}, has("p1", "sandbags", 0)]
    assert tell(recording, *told)["facts"] == (told[1],)


def test_what_there_is_not_at_this_table_has_no_words_of_what_holds() -> None:
    told = {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "pile"}
    assert refusal(played(), told, tile("lost_lagoon", "sunk")).violations[0].rule == "Losing the Game"


@pytest.mark.parametrize(
    ("told", "pointer", "message"),
    [
        ([], "/params/facts", "list at least one fact"),
        ([{"fact": "weather"}], "/params/facts/0/fact", "'weather' is not known here"),
        ([water(11)], "/params/facts/0/level", "at most 10"),
        ([water(1), water(2)], "/params/facts/1", "entry 0 has the same subject"),
        ([has("p3", "sandbags")], "/params/facts/0/seat", "p3 is not a seat"),
        ([{**has("p1", "sandbags"), "index": 3}], "/params/facts/0", "`index` is not known"),
        ([water(2**60)], "/params/facts/0/level", "must be whole"),
    ],
)
def test_what_cannot_be_read(told: list[Told], pointer: str, message: str) -> None:
    with pytest.raises(Malformed, match=message) as refused:
        tell(played(), *told)
    assert refused.value.pointer == pointer


def test_who_agreed_sits_at_the_table() -> None:
    with pytest.raises(Malformed, match="p3 is not a seat") as refused:
        tell(played(), water(2), agreed_by=["p3"])
    assert refused.value.pointer == "/params/agreed_by"


def test_facts_or_a_patch() -> None:
    for params in ({}, {"facts": [water(2)], "patch": [{"op": "test", "path": "/turn", "value": 1}]}):
        with pytest.raises(Malformed, match="either `facts` or `patch`"):
            played().add("adjust", reason="r", **params)


@pytest.mark.parametrize(
    ("was", "message"),
    [([has("p1", "sandbags")], "about the same thing"), ([{"fact": "x"}], "not known")],
)
def test_what_was_is_about_the_same(was: list[Told], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        facts.parse_stored(played().game.ruleset, [water(3)], was, 2)


def test_what_was_there_is_found_out_whatever_is_said_of_it() -> None:
    with pytest.raises(Malformed, match="an entry for each"):
        tell(played(), water(3), was=[])
    recording = played()
    assert tell(recording, water(3), was=[water(7)])["was"] == (water(1),)
    round_trip(recording)


def test_what_was_there_and_cannot_be_told_is_not_kept() -> None:
    """The turn number before the correction is too large for a fact, so `was` is None; the log still replays."""
    recording = played()
    tell(recording, {"fact": "turn_is", "number": 1_000_000}, {"fact": "left", "of": "flood_cards", "count": 1})
    recording.add("draw_flood_card", "p1", ["breakers_bridge"])
    assert state(recording).turn == 1_000_001
    assert tell(recording, {"fact": "turn_is", "number": 5})["was"] == (None,)
    round_trip(recording)


def test_a_table_that_fails_the_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = played()

    def fails(*_: Any) -> None:
        raise KeyError("no such tile")

    monkeypatch.setattr(recording.game.ruleset, "settled", fails)
    assert "could not continue" in refusal(recording, water(3)).violations[0].message


def test_a_table_from_which_nobody_could_go_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = played()
    rules = recording.game.ruleset
    monkeypatch.setattr(rules, "settled", lambda state, _: msgspec.structs.replace(state, water_level=2, turn=0))
    assert "This violates “turns are counted from 1”." in refusal(recording, water(2)).violations[0].message
    monkeypatch.setattr(rules, "settled", lambda state, _: state)
    monkeypatch.setattr(rules, "legal_actions", lambda _: iter(()))
    assert "No action would be possible" in refusal(recording, water(2)).violations[0].message


# Replayed on another table


def discarded_chalice() -> Recording:
    """Ada drew the Ocean's Chalice as event 3. Event 4 is an adjustment, because her discard was not recorded."""
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    tell(recording, has("p1", "oceans_chalice", 0))
    assert state(recording).treasure_discard == ("oceans_chalice",)
    return recording


def other_card() -> Told:
    return {"type": "draw_treasure_card", "actor": "p1", "params": {}, "outcomes": ["earth_stone"]}


def test_what_is_not_there_any_more_cannot_have_been_moved() -> None:
    recording = discarded_chalice()
    with pytest.raises(BreaksFollowers) as refused:
        recording.add("amend", seq=3, event=other_card())
    (broken,) = refused.value.impact
    assert (broken.effect, broken.reason) == ("now_illegal", "Ada no longer has 1 Ocean's Chalice card.")
    recording.add("amend", seq=3, event=other_card(), accept_broken=True)
    assert state(recording).hands[0] == ("earth_stone", "earth_stone", "sandbags")
    recording.add("amend", seq=3, event={**other_card(), "outcomes": ["oceans_chalice"]})
    assert state(recording).treasure_discard == ("oceans_chalice",)
    round_trip(recording)


def test_what_is_simply_so_is_put_again() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    tell(recording, water(4))
    recording.add("amend", seq=3, event={**other_card(), "outcomes": ["waters_rise"]})
    assert state(recording).water_level == 4
    round_trip(recording)


# The facts of a table


def test_the_facts_that_are_known() -> None:
    recording = unseen_card()
    known = [facts.document(fact) for fact in telling.known_facts(recording.game.ruleset, state(recording))]
    assert water(1) in known
    assert {"fact": "hand_is", "seat": "p1", "count": 3} in known
    assert has("p1", "sandbags") not in known
    assert has("p2", "crystal_of_fire") in known
