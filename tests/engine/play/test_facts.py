"""What a table says: facts that are put right, seen to be so, refused, and played again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.errors import (
    BreaksFollowers,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    OutcomeRequired,
    Undetermined,
    UnsoundTable,
)
from engine.core.events import Event
from engine.core.values import Violation
from engine.kit.facts import Tableau
from engine.play import facts
from engine.play.beliefs import Belief, worlds
from engine.play.fold import fold
from engine.play.unseen import unknowns
from engine.review.audit import audit
from tests.engine.recording import DEAL, dealt, played
from tests.recording import Recording

Told = dict[str, Any]


def has(seat: str, card: str, count: int = 1) -> Told:
    return {"fact": "has_cards", "seat": seat, "card": card, "count": count}


def water(level: int) -> Told:
    return {"fact": "water_level", "level": level}


def tile(name: str, state: str) -> Told:
    return {"fact": "tile_is", "tile": name, "state": state}


def tell(recording: Recording, *told: Told, **more: Any) -> Any:
    """The params of the event that tells it."""
    event, *_ = recording.add("adjust", facts=list(told), reason="as it lies", **more)
    return event.params


def refusal(recording: Recording, *told: Told, **more: Any) -> UnsoundTable:
    with pytest.raises(UnsoundTable) as refused:
        tell(recording, *told, **more)
    return refused.value


def state(recording: Recording) -> Any:
    return recording.game.state


def photograph(recording: Recording) -> list[Told]:
    return [facts.document(fact) for fact in Tableau(recording.game.ruleset.facts, state(recording))]


def round_trip(recording: Recording) -> None:
    log = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(log) == recording.game
    assert audit(log).verdict == "clean"


# What changes


def test_what_is_told_holds_and_what_was_is_kept() -> None:
    recording = played()
    params = tell(recording, water(4), agreed_by=["p1", "p2"])
    assert (params["facts"], params["was"], params["agreed_by"]) == ((water(4),), (water(1),), ("p1", "p2"))
    assert state(recording).water_level == 4
    round_trip(recording)


def test_what_holds_already_changes_nothing() -> None:
    recording = played()
    before = state(recording)
    params = tell(recording, water(1), {"fact": "stands_on", "seat": "p1", "tile": "gold_gate"})
    assert (params["facts"], params["was"]) == ((), ())
    assert state(recording) == before
    round_trip(recording)


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
    assert {fact["fact"] for fact in params["facts"]} == {"has_cards", "cards_discarded", "water_level"}
    assert "whole" not in params
    assert state(recording) == state(other)
    round_trip(recording)


def test_a_photograph_of_the_same_table_changes_nothing() -> None:
    recording = played()
    assert tell(recording, *photograph(recording), whole=True)["facts"] == ()


def test_a_photograph_that_cannot_be_is_refused() -> None:
    """All cards were seen, so nothing in it is open: a hand of more cards than are named is none."""
    recording = played()
    told = [
        fact if fact["fact"] != "hand_is" else {**fact, "count": fact["count"] + 1} for fact in photograph(recording)
    ]
    before = state(recording)
    assert refusal(recording, *told, whole=True).violations
    assert state(recording) == before


def test_a_photograph_leaves_open_which_card_nobody_saw() -> None:
    """As `GET …/facts` tells it: two cards of three. What is named of them is so, and what has changed besides."""
    recording = dealt()
    recording.add("draw_treasure_card", "p1", outcomes=[None])
    known = [facts.document(fact) for fact in facts.known(recording.game.ruleset, state(recording))]
    same = Recording.of(recording)
    assert tell(same, *known, whole=True)["facts"] == ()
    assert state(same) == state(recording)
    others = [fact for fact in known if fact["fact"] != "water_level"]
    assert tell(same, *others, water(3), whole=True)["facts"] == (water(3),)
    assert len(worlds(state(same))) == len(worlds(state(recording)))
    lift = has("p1", "helicopter_lift")
    assert tell(same, *others, water(3), lift, whole=True)["facts"] == (lift,)
    assert not isinstance(state(same), Belief)
    round_trip(same)
    fewer = [fact if fact["fact"] != "hand_is" else {**fact, "count": fact["count"] - 1} for fact in known]
    assert refusal(recording, *fewer, whole=True).instead


def test_what_alone_would_lead_elsewhere_is_told_with_the_rest() -> None:
    """The pile takes the card, as the discard pile is told not to have it; so that is told by the event, too."""
    recording = played()
    none = {"fact": "cards_discarded", "card": "sandbags", "count": 0}
    params = tell(recording, has("p1", "sandbags", 0), none)
    assert params["facts"] == (has("p1", "sandbags", 0), none)
    assert params["was"] == (has("p1", "sandbags"), none)
    assert state(recording).treasure_discard == ()
    round_trip(recording)


# What cannot be


def test_more_than_there_are_cannot_be() -> None:
    refused = refusal(played(), has("p1", "sandbags", 3))
    assert refused.violations == (Violation("There are only 2 Sandbags cards.", "Setup"),)
    assert refused.instead == ()


def test_what_does_not_go_together_is_told_with_what_does() -> None:
    refused = refusal(played(), water(3), {"fact": "left", "of": "actions", "count": 0})
    assert refused.instead == (water(3), {"fact": "left", "of": "cards", "count": 2})
    assert refused.violations[0].message == (
        "This cannot be: Left in this turn: 0 actions. "
        "Beside the rest that is told, this holds: Left in this turn: 2 cards to draw."
    )


def test_what_contradicts_itself_does_not_hold() -> None:
    told = [
        {"fact": "flood_pile_is", "layers": [["lost_lagoon"], ["watchtower"]]},
        {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "discard_pile"},
    ]
    assert "This cannot be: The Flood pile" in refusal(played(), *told).violations[0].message


def test_what_follows_is_checked_and_never_put() -> None:
    recording = played()
    refused = refusal(recording, {"fact": "phase_is", "phase": "discard"})
    assert refused.instead == ({"fact": "phase_is", "phase": "draw_treasure"},)
    assert tell(recording, {"fact": "phase_is", "phase": "draw_treasure"})["facts"] == ()
    told = [{"fact": "hand_is", "seat": "p1", "count": 2}, has("p1", "sandbags", 0)]
    assert tell(recording, *told)["facts"] == (told[1],)


def test_what_there_is_not_at_this_table_has_no_words_of_what_holds() -> None:
    told = {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "pile"}
    assert refusal(played(), told, tile("lost_lagoon", "sunk")).violations[0].rule == "Losing the Game"


@pytest.mark.parametrize(
    ("told", "pointer", "message"),
    [
        ([], "/params/facts", "nothing is told"),
        ([{"fact": "weather"}], "/params/facts/0/fact", "'weather' is not known here"),
        ([water(11)], "/params/facts/0/level", "at most 10"),
        ([water(1), water(2)], "/params/facts/1", "entry 0 is about the same"),
        ([has("p3", "sandbags")], "/params/facts/0/seat", "p3 is not a seat"),
        ([{**has("p1", "sandbags"), "index": 3}], "/params/facts/0", "`index` is not known"),
        ([water(2**60)], "/params/facts/0/level", "has to be whole"),
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
        with pytest.raises(Malformed, match="one of `facts` and `patch`"):
            played().add("adjust", reason="r", **params)


@pytest.mark.parametrize(
    ("was", "message"),
    [([has("p1", "sandbags")], "not about the same"), ([{"fact": "x"}], "not known")],
)
def test_what_was_is_about_the_same(was: list[Told], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        facts.stored(played().game.ruleset, [water(3)], was, 2)


def test_what_was_there_is_found_out_whatever_is_said_of_it() -> None:
    with pytest.raises(Malformed, match="an entry for each"):
        tell(played(), water(3), was=[])
    recording = played()
    assert tell(recording, water(3), was=[water(7)])["was"] == (water(1),)
    round_trip(recording)


def test_what_was_there_and_cannot_be_told_is_not_kept() -> None:
    """A game may last longer than anybody can tell: what is stored can be read again."""
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
    assert "could not be shown" in refusal(recording, water(3)).violations[0].message


def test_a_table_from_which_nobody_could_go_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = played()
    rules = recording.game.ruleset
    monkeypatch.setattr(rules, "settled", lambda state, _: msgspec.structs.replace(state, water_level=2, turn=0))
    assert "“turns are counted from 1” would not hold." in refusal(recording, water(2)).violations[0].message
    monkeypatch.setattr(rules, "settled", lambda state, _: state)
    monkeypatch.setattr(rules, "legal_actions", lambda _: iter(()))
    assert "Nobody could do anything" in refusal(recording, water(2)).violations[0].message


# Played again on another table


def discarded_chalice() -> Recording:
    """Ann had drawn the Ocean's Chalice as event 3, and discarded it, which nobody entered: event 4."""
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
    assert (broken.effect, broken.reason) == ("now_illegal", "Ada no longer has the Ocean's Chalice.")
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


# What nobody saw


def unseen_card() -> Recording:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    return recording


def chances(recording: Recording) -> list[dict[Any, Fraction]]:
    found = unknowns(recording.history.rules, recording.history.mainline)
    return [one.point.probabilities() for one in found]


def test_what_holds_in_some_tables_was_seen() -> None:
    recording = unseen_card()
    params = tell(recording, has("p1", "helicopter_lift"))
    assert params["facts"] == params["was"] == (has("p1", "helicopter_lift"),)
    assert not isinstance(state(recording), Belief)
    assert chances(recording) == [{"helicopter_lift": Fraction(1)}]
    round_trip(recording)


def test_what_was_seen_is_no_slip_that_a_reveal_may_show() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    tell(recording, has("p1", "helicopter_lift"))
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=3, position=0, value="crystal_of_fire")
    recording.add("reveal", seq=3, position=0, value="helicopter_lift")
    round_trip(recording)


def test_a_slip_that_a_reveal_shows_is_marked() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    recording.add("reveal", seq=3, position=0, value="crystal_of_fire")
    assert [one.kind for one in audit(recording.events).findings] == ["illegal_action"]


def test_the_other_tables_keep_their_weights() -> None:
    """Of 24 cards in the pile three raise the water, which shows: 4 Earth Stones, 1 Sandbags and 16 others are left."""
    recording = unseen_card()
    tell(recording, has("p1", "earth_stone"))
    assert chances(recording) == [
        {
            "crystal_of_fire": Fraction(4, 17),
            "helicopter_lift": Fraction(2, 17),
            "oceans_chalice": Fraction(5, 17),
            "sandbags": Fraction(1, 17),
            "statue_of_the_wind": Fraction(5, 17),
        }
    ]
    round_trip(recording)


def test_bayes_is_exact_after_tables_are_ruled_out() -> None:
    """Two cards unseen; it is told that one of them at least is an Earth Stone, and the first is asked for.

    By hand: of 21 cards that do not raise the water 4 are Earth Stones. Ordered pairs with one at least: 4·3 + 4·17·2 =
    148; those that begin with one: 4·20 = 80.
    """
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    two = worlds(state(recording))
    kept = [world for world in two if world.state.hands[0].count("earth_stone") == 2]
    tell(recording, has("p1", "earth_stone", 2))
    (first, second) = chances(recording)
    assert first["earth_stone"] == second["earth_stone"] == Fraction(1, 2)
    assert len(worlds(state(recording))) == len(kept)
    round_trip(recording)


def test_what_changes_in_every_table_keeps_them_all() -> None:
    recording = unseen_card()
    before = worlds(state(recording))
    tell(recording, water(3))
    assert [(world.weight, world.state.hands) for world in worlds(state(recording))] == [
        (world.weight, world.state.hands) for world in before
    ]
    round_trip(recording)


def test_the_tables_in_which_it_cannot_be_are_none() -> None:
    """Bo is told to have two of the three Lifts that there are besides his: Ada cannot have drawn one."""
    recording = unseen_card()
    params = tell(recording, has("p2", "helicopter_lift", 3), has("p1", "helicopter_lift", 0))
    assert len(params["facts"]) == 2
    assert "helicopter_lift" not in chances(recording)[0]
    round_trip(recording)


def test_what_was_may_depend_on_what_nobody_saw() -> None:
    """What Ada drew goes, whether it was an Earth Stone or a Chalice; with another card she would have five."""
    recording = unseen_card()
    none = {"fact": "cards_discarded", "card": "earth_stone", "count": 0}
    told = [has("p1", "oceans_chalice", 3), has("p1", "earth_stone", 0), none]
    with pytest.raises(Undetermined, match="hands"):
        tell(recording, *told)
    params = tell(recording, *told, {"fact": "hand_is", "seat": "p1", "count": 4})
    assert params["facts"] == (*told, {"fact": "hand_is", "seat": "p1", "count": 4})
    assert params["was"] == (None, None, none, {"fact": "hand_is", "seat": "p1", "count": 3})
    assert state(recording).hands[0] == ("oceans_chalice", "oceans_chalice", "oceans_chalice", "sandbags")
    assert chances(recording) == [{"earth_stone": Fraction(4, 9), "oceans_chalice": Fraction(5, 9)}]
    round_trip(recording)


def test_in_no_table_at_all() -> None:
    assert refusal(unseen_card(), has("p1", "sandbags", 3)).violations[0].message.startswith("There are only 2")


# The facts of a table


def test_the_facts_that_are_known() -> None:
    recording = unseen_card()
    known = [facts.document(fact) for fact in facts.known(recording.game.ruleset, state(recording))]
    assert water(1) in known
    assert {"fact": "hand_is", "seat": "p1", "count": 3} in known
    assert has("p1", "sandbags") not in known
    assert has("p2", "crystal_of_fire") in known


# A patch means facts


def patched(recording: Recording, *patch: Told) -> Any:
    event, *_ = recording.add("adjust", patch=list(patch), reason="as it lies")
    return event.params


def test_a_patch_is_kept_as_the_facts_that_it_changes() -> None:
    recording = played()
    params = patched(recording, {"op": "move", "from": "/hands/0/0", "path": "/hands/1/-"})
    assert params["facts"] == (has("p1", "earth_stone", 1), has("p2", "earth_stone"))
    assert "patch" not in params
    assert state(recording).hands[1] == ("crystal_of_fire", "earth_stone", "helicopter_lift")
    round_trip(recording)


def test_a_patch_is_of_the_document_that_is_served() -> None:
    """The cards that are known come first there: the Sandbags, whatever the unseen card may be."""
    recording = unseen_card()
    tell(recording, has("p1", "sandbags"))
    params = patched(recording, {"op": "move", "from": "/hands/0/1", "path": "/hands/1/-"})
    assert params["facts"] == (has("p1", "sandbags", 0), has("p2", "sandbags"))
    assert all("sandbags" in world.state.hands[1] for world in worlds(state(recording)))
    round_trip(recording)


def test_a_patch_that_leaves_no_table_at_all_is_refused() -> None:
    gone = {"op": "remove", "path": "/hands/0"}
    with pytest.raises(Malformed, match="params/patch"):
        patched(played(), gone, gone)


def test_a_patch_of_what_nobody_saw_is_refused() -> None:
    with pytest.raises(Malformed, match="depends on what nobody saw: tell the facts, such as"):
        patched(unseen_card(), {"op": "move", "from": "/hands/0/2", "path": "/hands/1/-"})


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("/phase", "banana", "no fact says what this makes of phase"),
        ("/actions_left", 2, "no fact says what this makes of actions_left"),
        ("/turn", -5, "at least 1"),
        ("/layout", [], "24 tiles, one on each space"),
        ("/pawns", [], "a role, a pawn and a hand for each seat"),
    ],
)
def test_a_patch_whose_change_no_fact_says(path: str, value: Any, message: str) -> None:
    with pytest.raises((Malformed, IllegalAction), match=message):
        patched(played(), {"op": "replace", "path": path, "value": value})


def test_a_patch_cannot_leave_the_game_in_pieces() -> None:
    """What an adjust by index once broke: actions without end, a phase without its reason, the skull, two temples."""
    recording = dealt()
    patched(recording, {"op": "replace", "path": "/actions_left", "value": 0})
    assert state(recording).phase == "draw_treasure"
    patched(recording, {"op": "replace", "path": "/water_level", "value": 10})
    assert recording.game.outcome is not None
    recording = dealt()
    tell(recording, has("p1", "earth_stone", 5))
    assert state(recording).phase == "discard"
    patched(
        recording,
        {"op": "move", "from": "/hands/0/0", "path": "/treasure_discard/-"},
    )
    assert state(recording).phase == "actions"
    round_trip(recording)


# A record that begins with them


def test_a_record_begins_with_what_the_table_looks_like() -> None:
    recording = Recording()
    recording.add("set_up", position={"facts": photograph(played())})
    assert set(Tableau(recording.game.ruleset.facts, state(recording))) == set(
        Tableau(recording.game.ruleset.facts, state(played()))
    )
    round_trip(recording)


def without_bos_cards() -> list[Told]:
    return [fact for fact in photograph(played()) if fact["fact"] != "deck_is" and fact.get("seat") != "p2"] + [
        fact for fact in photograph(played()) if fact.get("seat") == "p2" and fact["fact"] != "has_cards"
    ]


def test_what_is_there_and_not_told_is_asked_for_or_unseen() -> None:
    told = without_bos_cards()
    with pytest.raises(OutcomeRequired, match="hand_card"):
        Recording().add("set_up", position={"facts": told})
    recording = Recording()
    recording.add("set_up", None, [None, "crystal_of_fire"], position={"facts": told})
    (first,) = chances(recording)
    assert first["earth_stone"] == Fraction(3, 21)
    assert "waters_rise" not in first
    recording.add("reveal", seq=2, position=0, value="helicopter_lift")
    assert state(recording).hands == state(played()).hands
    round_trip(recording)


def test_a_seeded_game_draws_what_is_not_told() -> None:
    recording = Recording(seed="tides")
    recording.add("set_up", position={"facts": without_bos_cards()})
    assert len(state(recording).hands[1]) == 2
    assert len(recording.events[1].outcomes) == 2


def test_what_a_set_up_leaves_to_chance_is_told() -> None:
    told = [fact for fact in photograph(played()) if fact["fact"] != "stands_on"]
    with pytest.raises(UnsoundTable) as refused:
        Recording().add("set_up", position={"facts": told})
    assert [one.message for one in refused.value.violations] == ["Not told: stands_on p1", "Not told: stands_on p2"]


def test_what_it_begins_with_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = photograph(played())
    others = [fact for fact in whole if fact["fact"] not in {"has_cards", "deck_is", "hand_is"}]
    for told, message in (
        ([*others, has("p1", "sandbags", 9)], "There are only 2 Sandbags"),
        ([*(fact for fact in others if fact["fact"] not in {"water_level", "phase_is"}), water(10)], "is over there"),
    ):
        with pytest.raises((UnsoundTable, IllegalAction), match=message):
            Recording().add("set_up", position={"facts": told})
    recording = Recording()
    monkeypatch.setattr(recording.game.ruleset, "settled", lambda *_: 1 // 0)
    with pytest.raises(UnsoundTable, match="could not be shown"):
        recording.add("set_up", position={"facts": whole})


@pytest.mark.parametrize(("given", "message"), [({}, "has to be a list"), ([{}] * 301, "at most 300")])
def test_what_it_begins_with_is_a_list(given: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        Recording().add("set_up", position={"facts": given})


def test_the_deal_stays_as_it_was() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=DEAL)
    assert state(recording) == dealt().game.state
