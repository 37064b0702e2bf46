"""Facts about the rest of a kind: stored one by one, in a correction and at a beginning."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import BreaksFollowers, Malformed, UnsoundTable
from engine.kit.rest import REST, reported_schema
from engine.play.beliefs.belief import worlds
from engine.play.registry import ruleset
from tests.engine.play.telling import Told, has, photograph, refusal, round_trip, state, tell, tile, unseen_card, water
from tests.engine.recording import DEAL, dealt, played
from tests.recording import Recording

DRY = tile(REST, "dry")
HANDS = {"fact": "hand_is", "seat": REST, "count": 2}
IN_PILE = {"fact": "flood_card_is", "tile": REST, "place": "pile"}


def changed_facts(params: Any) -> list[Told]:
    return [fact for fact, was in zip(params["facts"], params["was"], strict=True) if fact != was]


def test_the_rest_of_the_tiles_and_flood_cards() -> None:
    """One tile is named, the others together; the record has a fact for each."""
    recording = dealt()
    flooded = sorted(state(recording).flooded)
    params = tell(recording, DRY, tile("coral_palace", "flooded"), tile("watchtower", "sunk"), IN_PILE)
    assert state(recording).flooded == {"coral_palace"}
    assert state(recording).sunk == {"watchtower"}
    assert state(recording).flood_discard == ()
    assert len(state(recording).flood_pile) == 23
    assert REST not in [value for fact in params["facts"] for value in fact.values()]
    named = {fact["tile"] for fact in params["facts"] if fact["fact"] == "tile_is"}
    assert (len(named), named >= {"coral_palace", "watchtower", *flooded}) == (24, True)
    round_trip(recording)


def test_a_rest_that_holds_already_is_evidence() -> None:
    """All other Flood cards are in the pile, so an amend that draws one of them contradicts the facts."""
    recording = dealt()
    drawn = [{"fact": "flood_card_is", "tile": one, "place": "discard_pile"} for one in state(recording).flood_discard]
    params = tell(recording, *drawn, IN_PILE)
    assert (changed_facts(params), len(params["facts"])) == ([], 24)
    params = tell(recording, {"fact": "hand_is", "seat": "p1", "count": 2}, HANDS, water(1))
    assert [fact["fact"] for fact in params["facts"]] == ["water_level", "hand_is", "hand_is"]
    setup = {"type": "set_up", "outcomes": [*DEAL[:24], "bronze_gate", *DEAL[25:]]}
    with pytest.raises(BreaksFollowers):
        recording.add("amend", seq=2, event=setup)
    round_trip(recording)


def test_the_rest_of_a_hand_is_absent() -> None:
    recording = played()
    tell(recording, has("p1", "sandbags"), has("p1", REST, 0))
    assert state(recording).hands[0] == ("sandbags",)
    tell(recording, {"fact": "has_cards", "seat": REST, "card": REST})
    assert state(recording).hands == ((), ())
    round_trip(recording)


def test_one_rest_may_be_named_twice() -> None:
    recording = played()
    sunk = [tile(one, "sunk") for one in ("watchtower", "dunes_of_deception")]
    in_discard = {**IN_PILE, "place": "discard_pile"}
    tell(recording, *sunk, in_discard, in_discard)
    assert len(state(recording).flood_discard) == 22


def test_a_rest_rules_out_tables_that_differ() -> None:
    """Nobody saw Ada's last card, but her whole hand was listed, so it is one of these."""
    recording = unseen_card()
    before = [one.state.hands[0] for one in worlds(state(recording))]
    tell(recording, *_hand(before[0]), has("p1", REST, 0))
    assert {one.state.hands[0] for one in worlds(state(recording))} == {before[0]}


def _hand(cards: tuple[str, ...]) -> list[Told]:
    return [has("p1", card, cards.count(card)) for card in dict.fromkeys(cards)]


def test_a_rest_of_an_impossible_table_is_refused() -> None:
    refused = refusal(played(), has("p1", "sandbags", 9), has("p2", REST, 0))
    assert refused.violations[0].message == "There are only 2 Sandbags cards."
    refused = refusal(played(), {**HANDS, "count": 3})
    assert refused.violations[0].message.startswith("This is impossible: “Bo has 3 cards.")


@pytest.mark.parametrize(
    ("told", "pointer", "message"),
    [
        ([{**DRY, "states": "dry"}], "/params/facts/0/states", "no such member"),
        ([{**DRY, "state": "wet"}], "/params/facts/0/state", "dry"),
        ([{"fact": "tile_is", "tile": REST}], "/params/facts/0", "`state` is missing"),
        ([water(1), has(REST, "sandbags", 1)], "/params/facts/1", "can only say that components are absent"),
        ([DRY, water(1), tile(REST, "flooded")], "/params/facts/2", "another fact about `rest`"),
        ([has("p3", REST, 0)], "/params/facts/0/seat", "seat"),
        ([DRY, water(1), tile("atlantis", "dry")], "/params/facts/2/tile", "tile"),
        ([DRY, "water"], "/params/facts/1", "."),
    ],
)
def test_a_rest_that_cannot_be_read(told: list[Any], pointer: str, message: str) -> None:
    with pytest.raises(Malformed, match=message) as refused:
        tell(played(), *told)
    assert refused.value.pointer == pointer


def test_what_was_is_found_out_whatever_is_said_of_it() -> None:
    recording = played()
    recording.add("adjust", facts=[DRY], was=[None], reason="as it lies")
    assert state(recording).flooded == frozenset()


# Beginning in the middle


def beginning(told: list[Told]) -> list[Told]:
    """Return all facts of a table, except those about tiles, Flood cards and hands, and the facts in `told`."""
    kept = {"lies_at", "plays", "stands_on", "water_level", "turn_is", "turn_of"}
    return [fact for fact in photograph(played()) if fact["fact"] in kept] + told


def test_a_record_begins_with_the_rest() -> None:
    recording = Recording()
    hands = [{"fact": "hand_is", "seat": REST, "count": 0}]
    told = beginning([tile("coral_palace", "flooded"), DRY, IN_PILE, *hands])
    assert len(told) == 35
    recording.add("set_up", position={"facts": told})
    assert state(recording).flooded == {"coral_palace"}
    assert len(state(recording).flood_pile) == 24
    stored = recording.events[1].params["position"]["facts"]
    assert REST not in [value for fact in stored for value in fact.values()]
    assert sum(fact["fact"] == "tile_is" for fact in stored) == 24
    round_trip(recording)


def test_a_document_of_a_state_has_no_rest() -> None:
    recording = Recording()
    rules = recording.game.ruleset
    recording.add("set_up", position=rules.to_document(state(played())))
    assert state(recording) == state(played())


def test_what_is_missing_is_still_asked_for() -> None:
    with pytest.raises(UnsoundTable) as refused:
        Recording().add("set_up", position={"facts": beginning([DRY])})
    assert refused.value.violations[0].message.startswith("Facts of the kind `flood_card_is` are missing: ")


def schema_of(ruleset_id: str, name: str) -> Any:
    (kind,) = [kind for kind in ruleset(ruleset_id).facts if kind.tag() == name]
    return reported_schema(kind)["properties"]


def test_the_schema_says_where_a_rest_may_stand() -> None:
    assert schema_of("forgotten-waters", "locked")["action"]["anyOf"][-1] == {"const": REST}
    schema = schema_of("forbidden-island", "has_cards")
    assert (schema["seat"]["enum"][-1], schema["card"]["enum"][-1]) == (REST, REST)
    assert "enum" not in schema["count"]
