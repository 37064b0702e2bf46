"""Facts about a table of Forbidden Island or the Archaens: valid ones, their words, and impossible ones."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import UnsoundTable
from engine.games.forbidden_island.components import TILES, TREASURES
from engine.games.forbidden_island.state import IslandState
from engine.kit.chance import Observed
from engine.kit.facts import CannotBe, Tableau, Told
from engine.play.corrections import facts
from tests.engine.games.forbidden_island.positions import island
from tests.engine.games.playing import do, rules_of

NAMES = ("Ada", "Bo")
ARCHAENS = "forbidden-island-archaens"
CHICANE = {"sandbags_after_reveal": True}


def reported_facts(state: IslandState, *documents: dict[str, Any], is_whole: bool = False) -> Told:
    return Told(facts.read(rules_of(state), documents, 2, ""), is_whole=is_whole)


def after(state: Any, *documents: dict[str, Any]) -> Any:
    """Return the table after an adjustment to these facts."""
    return facts.whole(rules_of(state), NAMES, state, list(reported_facts(state, *documents)))


def unsound_reason(state: Any, *documents: dict[str, Any]) -> str:
    with pytest.raises(UnsoundTable) as error:
        after(state, *documents)
    return error.value.message


def words(table: Any, **document: Any) -> tuple[str, str]:
    (fact,) = reported_facts(table, document)
    return fact.sentence(NAMES), fact.no_longer(NAMES)


@pytest.mark.parametrize(
    ("document", "sentence", "no_longer"),
    [
        (
            {"fact": "lies_at", "tile": "watchtower", "column": 3, "row": 1},
            "Watchtower lies in column 3 of row 1.",
            "No longer true: Watchtower lies in column 3 of row 1.",
        ),
        (
            {"fact": "plays", "seat": "p1", "role": "diver"},
            "Ada is the Diver.",
            "No longer true: Ada is the Diver.",
        ),
        (
            {"fact": "tile_is", "tile": "iron_gate", "state": "sunk"},
            "Iron Gate has sunk.",
            "Iron Gate has not sunk.",
        ),
        (
            {"fact": "tile_is", "tile": "iron_gate", "state": "flooded"},
            "Iron Gate is flooded.",
            "Iron Gate is no longer flooded.",
        ),
        ({"fact": "tile_is", "tile": "iron_gate", "state": "dry"}, "Iron Gate is dry.", "Iron Gate is no longer dry."),
        (
            {"fact": "flood_card_is", "tile": "iron_gate", "place": "discard_pile"},
            "The Flood card of Iron Gate is in the discard pile.",
            "The Flood card of Iron Gate is no longer in the discard pile.",
        ),
        (
            {"fact": "flood_pile_is", "layers": [["iron_gate"], ["watchtower", "lost_lagoon"]]},
            "The Flood pile, each part of it shuffled, from the top: Iron Gate; then Watchtower, Lost Lagoon.",
            None,
        ),
        (
            {"fact": "flood_pile_is", "layers": []},
            "The whole Flood pile is shuffled.",
            "No longer true: The whole Flood pile is shuffled.",
        ),
        (
            {"fact": "stands_on", "seat": "p2", "tile": "lost_lagoon"},
            "Bo stands on Lost Lagoon.",
            "Bo no longer stands on Lost Lagoon.",
        ),
        (
            {"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 2},
            "Ada has 2 Sandbags cards.",
            "Ada no longer has 2 Sandbags cards.",
        ),
        (
            {"fact": "has_cards", "seat": "p1", "card": "oceans_chalice", "count": 1},
            "Ada has 1 Ocean's Chalice card.",
            "Ada no longer has 1 Ocean's Chalice card.",
        ),
        (
            {"fact": "has_cards", "seat": "p1", "card": "oceans_chalice", "count": 0},
            "Ada has no Ocean's Chalice card.",
            "Ada has at least 1 Ocean's Chalice card now.",
        ),
        (
            {"fact": "cards_discarded", "card": "waters_rise", "count": 1},
            "The Treasure discard pile holds 1 Waters Rise card.",
            "The Treasure discard pile no longer holds 1 Waters Rise card.",
        ),
        (
            {"fact": "cards_discarded", "card": "sandbags", "count": 0},
            "The Treasure discard pile holds no Sandbags card.",
            "The Treasure discard pile holds at least 1 Sandbags card now.",
        ),
        (
            {"fact": "captured", "treasure": "earth_stone", "yes": True},
            "The team has the Earth Stone.",
            "The team no longer has the Earth Stone.",
        ),
        (
            {"fact": "captured", "treasure": "earth_stone", "yes": False},
            "The team does not have the Earth Stone.",
            "The team has the Earth Stone.",
        ),
        ({"fact": "water_level", "level": 3}, "The water is at 3.", "The water is no longer at 3."),
        ({"fact": "water_level", "level": 10}, "The water is at the skull.", "The water is no longer at the skull."),
        ({"fact": "turn_is", "number": 4}, "This is turn 4.", "This is no longer turn 4."),
        ({"fact": "turn_of", "seat": "p2"}, "It is Bo's turn.", "It is no longer Bo's turn."),
        (
            {"fact": "left", "of": "cards", "count": 1},
            "Left this turn: 1 card to draw.",
            "No longer true: Left this turn: 1 card to draw.",
        ),
        (
            {"fact": "has_flown"},
            "The Pilot has already flown this turn.",
            "No longer true: The Pilot has already flown this turn.",
        ),
        (
            {"fact": "has_flown", "yes": False},
            "The Pilot has not flown this turn.",
            "No longer true: The Pilot has not flown this turn.",
        ),
        (
            {"fact": "phase_is", "phase": "draw_flood"},
            "The phase is: drawing Flood cards.",
            "The phase is no longer: drawing Flood cards.",
        ),
        ({"fact": "hand_is", "seat": "p1", "count": 1}, "Ada has 1 card.", "No longer true: Ada has 1 card."),
        (
            {"fact": "deck_is", "count": 24},
            "The Treasure deck has 24 cards.",
            "No longer true: The Treasure deck has 24 cards.",
        ),
    ],
)
def test_facts__in_words(document: dict[str, Any], sentence: str, no_longer: str | None) -> None:
    assert words(island(), **document) == (sentence, no_longer or f"No longer true: {sentence}")


@pytest.mark.parametrize(
    ("document", "sentence", "no_longer"),
    [
        ({"fact": "plays", "seat": "p1", "role": "leader"}, "Ada is the Leader.", None),
        (
            {"fact": "cards_discarded", "card": "island_defense", "count": 2},
            "The Artifact discard pile holds 2 Island Defense cards.",
            "The Artifact discard pile no longer holds 2 Island Defense cards.",
        ),
        ({"fact": "deck_is", "count": 1}, "The Artifact deck has 1 card.", None),
        (
            {"fact": "saved", "artifact": "earth_stone"},
            "The Earth Stone is saved.",
            "The Earth Stone is no longer saved.",
        ),
        (
            {"fact": "saved", "artifact": "earth_stone", "yes": False},
            "The Earth Stone is not saved.",
            "The Earth Stone is saved.",
        ),
        ({"fact": "face_up", "tile": "iron_gate"}, "Iron Gate is about to sink.", None),
        ({"fact": "face_up", "tile": None}, "No tile is about to sink.", None),
        ({"fact": "deadline", "turn": 7}, "Enough tiles must have sunk by the end of turn 7.", None),
        ({"fact": "deadline", "turn": None}, "The clock has not started.", None),
    ],
)
def test_facts__in_the_words_of_the_archaens(document: dict[str, Any], sentence: str, no_longer: str | None) -> None:
    said = words(island(ruleset=ARCHAENS, roles=("diver", "engineer")), **document)
    assert said == (sentence, no_longer or f"No longer true: {sentence}")


# The island


def test_facts__tiles_change_places() -> None:
    state = after(island(), {"fact": "lies_at", "tile": TILES[5], "column": 3, "row": 1})
    assert (state.layout[0], state.layout[5]) == (TILES[5], TILES[0])
    assert "no space" in unsound_reason(island(), {"fact": "lies_at", "tile": TILES[5], "column": 1, "row": 1})


def test_facts__players_change_roles() -> None:
    state = island(roles=("diver", "engineer"))
    assert after(state, {"fact": "plays", "seat": "p1", "role": "engineer"}).roles == ("engineer", "diver")
    assert after(state, {"fact": "plays", "seat": "p1", "role": "pilot"}).roles == ("pilot", "engineer")


def test_facts__a_tile_that_sinks_takes_its_flood_card_along() -> None:
    """FI-R19."""
    state = after(island(flood_discard=["lost_lagoon"]), {"fact": "tile_is", "tile": "lost_lagoon", "state": "sunk"})
    assert (state.sunk, state.flood_discard) == ({"lost_lagoon"}, ())
    flooded = after(state, {"fact": "tile_is", "tile": "lost_lagoon", "state": "flooded"})
    assert (flooded.flooded, flooded.flood_discard) == ({"lost_lagoon"}, ("lost_lagoon",))
    dry = after(state, {"fact": "tile_is", "tile": "lost_lagoon", "state": "dry"})
    assert "lost_lagoon" in dry.flood_pile.cards()
    assert after(flooded, {"fact": "tile_is", "tile": "lost_lagoon", "state": "dry"}).flood_discard == ("lost_lagoon",)


def test_facts__a_flood_card_lies_in_one_of_two_piles() -> None:
    state = after(island(), {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "discard_pile"})
    assert state.flood_discard == ("lost_lagoon",)
    assert after(state, {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "pile"}) == island()
    sunk = island(sunk=["lost_lagoon"])
    assert "out of the game" in unsound_reason(sunk, {"fact": "flood_card_is", "tile": "lost_lagoon", "place": "pile"})


def test_facts__the_flood_pile_has_parts() -> None:
    whole = island()
    top, *rest = TILES[:4]
    state = after(whole, {"fact": "flood_pile_is", "layers": [[top], rest]})
    assert state.flood_pile.layers == ((top,), tuple(rest))
    assert len(state.flood_discard) == 20
    assert after(state, {"fact": "flood_pile_is", "layers": []}).flood_pile.layers == (TILES[:4],)
    assert "once" in unsound_reason(whole, {"fact": "flood_pile_is", "layers": [[top], [top]]})


# Cards


def test_facts__cards_come_from_where_nothing_is_told() -> None:
    none = {"fact": "has_cards", "seat": "p2", "card": "sandbags", "count": 1}
    state = island(hands=[[], ["sandbags"]], treasure_discard=["sandbags"])
    two = {"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 2}
    assert after(state, {**two, "count": 1}).treasure_discard == ()
    assert after(state, two).hands == (("sandbags", "sandbags"), ())
    assert "There are only 2 Sandbags cards" in unsound_reason(state, two, none)
    kept = {"fact": "cards_discarded", "card": "sandbags", "count": 1}
    assert after(state, {**two, "count": 1}, kept).hands == (("sandbags",), ())


def test_facts__cards_come_from_where_more_lie_than_is_told() -> None:
    state = island(treasure_discard=["sandbags"])
    has = {"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 1}
    none = {"fact": "cards_discarded", "card": "sandbags", "count": 0}
    taken = after(state, has, none)
    assert (taken.hands[0], taken.treasure_discard, len(taken.treasure_pile)) == (("sandbags",), (), 27)
    back = after(taken, {**has, "count": 0}, {**none, "count": 1})
    assert (back.hands[0], back.treasure_discard) == ((), ("sandbags",))


def test_facts__what_is_not_discarded_any_more_lies_in_the_pile() -> None:
    state = after(island(treasure_discard=["sandbags"]), {"fact": "cards_discarded", "card": "sandbags", "count": 0})
    assert (state.treasure_discard, len(state.treasure_pile)) == ((), 28)


def test_facts__a_sixth_card_has_to_go_and_a_pawn_to_swim() -> None:
    """Hand Limit; Pawns on Flooded Tiles."""
    six = {"fact": "has_cards", "seat": "p1", "card": "earth_stone", "count": 5}
    state = after(island(hands=[["sandbags"]]), six)
    assert (state.phase, rules_of(state).awaiting(state)) == ("discard", (0,))
    state = after(state, {"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 0})
    assert state.phase == "actions"
    state = after(state, {"fact": "tile_is", "tile": state.pawns[1], "state": "sunk"})
    assert (state.phase, rules_of(state).awaiting(state)) == ("swim", (1,))


# Meters and turn


@pytest.mark.parametrize(
    ("documents", "reason"),
    [
        ([{"fact": "water_level", "level": 10}], "skull"),
        ([{"fact": "tile_is", "tile": "fools_landing", "state": "sunk"}], "fools_landing_sank"),
        (
            [{"fact": "tile_is", "tile": tile, "state": "sunk"} for tile in ("coral_palace", "tidal_palace")],
            "treasure_lost",
        ),
    ],
)
def test_facts__what_is_lost_is_lost(documents: list[dict[str, Any]], reason: str) -> None:
    """Losing the Game."""
    assert after(island(), *documents).outcome.reason == reason


def test_facts__the_tiles_of_a_captured_treasure_may_sink() -> None:
    """FI-R22."""
    sunk = [{"fact": "tile_is", "tile": tile, "state": "sunk"} for tile in ("coral_palace", "tidal_palace")]
    state = after(island(), {"fact": "captured", "treasure": "oceans_chalice"}, *sunk)
    assert (state.outcome, state.captured) == (None, ("oceans_chalice",))
    assert after(state, {"fact": "captured", "treasure": "oceans_chalice", "yes": False}).outcome is not None


@pytest.mark.parametrize(
    ("of", "count", "left", "phase"),
    [
        ("actions", 2, (2, 2, 0), "actions"),
        ("cards", 1, (0, 1, 0), "draw_treasure"),
        ("flood_cards", 2, (0, 0, 2), "draw_flood"),
    ],
)
def test_facts__what_is_left_fits_the_phase(of: str, count: int, left: tuple[int, int, int], phase: str) -> None:
    """1. Take Up to 3 Actions; 2. Draw 2 Treasure Deck Cards; 3. Draw Flood Cards."""
    state = after(island(), {"fact": "left", "of": of, "count": count})
    assert (state.actions_left, state.treasure_draws_left, state.flood_draws_left) == left
    assert state.phase == phase
    (fact,) = [fact for fact in Tableau(rules_of(state).facts, state) if fact.tag() == "left"]
    assert facts.document(fact) == {"fact": "left", "of": of, "count": count}


def test_facts__no_more_is_left_than_a_turn_has() -> None:
    assert "At most 3 actions" in unsound_reason(island(), {"fact": "left", "of": "actions", "count": 4})
    assert "This is impossible" in unsound_reason(island(), {"fact": "left", "of": "flood_cards", "count": 3})
    more = ({"fact": "left", "of": "flood_cards", "count": 3}, {"fact": "water_level", "level": 3})
    state = after(island(), *more)
    assert state.flood_draws_left == 3
    assert after(state, {"fact": "water_level", "level": 1}).flood_draws_left == 2


def test_facts__whose_turn_it_is() -> None:
    state = after(island(has_flown=True), {"fact": "turn_of", "seat": "p2"}, {"fact": "turn_is", "number": 8})
    assert (state.active, state.turn, state.has_flown) == (1, 8, False)
    assert after(state, {"fact": "has_flown"}).has_flown


# True facts that were not stored


def test_facts__what_nobody_named_is_drawn_from_what_can_be_in_a_hand() -> None:
    state = island(treasure_pile=["sandbags", "waters_rise"])
    chance = Observed()
    chance.begin(2, ("sandbags",))
    two = reported_facts(state, {"fact": "hand_is", "seat": "p1", "count": 1})
    assert rules_of(state).deal_unseen(state, two, chance).hands[0] == ("sandbags",)
    chance.begin(2, ("sandbags", "waters_rise"))
    with pytest.raises(CannotBe, match="not enough"):
        rules_of(state).deal_unseen(state, reported_facts(state, {"fact": "hand_is", "seat": "p1", "count": 2}), chance)


# Invariants


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"turn": 0}, "turns are counted from 1"),
        ({"phase": "banana"}, "the phase matches the table"),
        ({"treasure_draws_left": 1}, "actions are left only before the first card is drawn"),
        ({"flood_draws_left": 1}, "Flood cards are drawn last"),
        ({"flood_draws_left": 5}, "at most as many Flood cards to draw as the water level says"),
        ({"water_level": 10}, "the skull, a sunk Fools' Landing or an unreachable treasure ends the game"),
    ],
)
def test_invariants__of_the_turn(changes: dict[str, Any], broken: str) -> None:
    state = msgspec.structs.replace(island(), **changes)
    assert broken in rules_of(state).check_invariants(state)
    assert rules_of(state).check_components(state) == []


@pytest.mark.parametrize(
    ("before", "due", "level", "left"),
    [(3, 3, 6, 4), (6, 4, 3, 3), (3, 2, 6, 3), (6, 1, 8, 2), (6, 1, 3, 0), (6, 1, 10, 1)],
)
@pytest.mark.parametrize("cards", [5, 6])
def test_facts__the_water_says_how_many_flood_cards_are_due(
    before: int, due: int, level: int, left: int, cards: int
) -> None:
    """FI-R14: set before the Flood cards are drawn, among them, or while a discard waits."""
    hand = ["earth_stone"] * 5 + ["oceans_chalice"] * (cards - 5)
    changes = {"water_level": before, "flood_draws_left": due, "treasure_draws_left": 0, "actions_left": 0}
    state = island(hands=[hand], phase="discard" if cards > 5 else "draw_flood", **changes)
    rules = rules_of(state)
    correction = facts.resolve(
        rules, NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": level}))
    )
    found = facts.apply_correction(rules, NAMES, state, correction)
    if level == 10:
        assert found.outcome.reason == "skull"
        return
    expected = "discard" if cards > 5 else "draw_flood" if left else "actions"
    assert (found.water_level, found.flood_draws_left, found.phase) == (level, left, expected)
    alone = facts.apply_correction(rules, NAMES, state, facts.FactCorrection((correction.facts[0],), (None,)))
    assert alone.flood_draws_left <= due, "what earlier records told alone stays as it was"


@pytest.mark.parametrize(
    ("before", "level", "left", "waiting"),
    [
        (3, 8, 2, {"phase": "swim", "sunk": ["silver_gate"], "pawns": ["silver_gate"]}),
        (8, 3, 0, {"phase": "swim", "sunk": ["silver_gate"], "pawns": ["silver_gate"]}),
        (1, 8, 3, {"phase": "discard", "hands": [["earth_stone"] * 5 + ["oceans_chalice"]]}),
    ],
)
def test_facts__the_water_rises_while_the_turn_waits_after_its_last_flood_card(
    before: int, level: int, left: int, waiting: dict[str, Any]
) -> None:
    """FI-R14, FI-R32: the turn lasts until the swims and discards are done."""
    counters = {"actions_left": 0, "treasure_draws_left": 0, "flood_draws_left": 0}
    state = island(water_level=before, **counters, **waiting)
    rules = rules_of(state)
    correction = facts.resolve(
        rules, NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": level}))
    )
    found = facts.apply_correction(rules, NAMES, state, correction)
    assert (found.water_level, found.flood_draws_left, found.phase) == (level, left, waiting["phase"])
    assert (found.turn, found.active) == (state.turn, state.active)


@pytest.mark.parametrize("levels", [(3, 8), (1, 3, 8), (1, 8), (3, 1, 8)])
def test_facts__water_set_lower_than_the_flood_cards_drawn_and_higher_again(levels: tuple[int, ...]) -> None:
    """FI-R14: five cards are due and four were drawn before the swim, so one is left."""
    counters = {"actions_left": 0, "treasure_draws_left": 0, "flood_draws_left": 0}
    state = island(water_level=6, phase="swim", sunk=["silver_gate"], pawns=["silver_gate"], **counters)
    for level in levels:
        correction = facts.resolve(
            rules_of(state), NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": level}))
        )
        state = facts.apply_correction(rules_of(state), NAMES, state, correction)
    assert (state.phase, state.flood_draws_left) == ("swim", 1)
    assert "flood_draws_over" not in rules_of(state).to_document(state)


def test_facts__flood_cards_drawn_too_many_are_forgotten_with_the_turn() -> None:
    """FI-R14, FI-R32."""
    counters = {"actions_left": 0, "treasure_draws_left": 0, "flood_draws_left": 0}
    state = island(water_level=6, phase="swim", sunk=["silver_gate"], pawns=["silver_gate"], **counters)
    correction = facts.resolve(
        rules_of(state), NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": 3}))
    )
    state = facts.apply_correction(rules_of(state), NAMES, state, correction)
    left = {"fact": "left", "of": "flood_cards", "count": 0, "over": 1}
    assert left in [facts.document(fact) for fact in correction.facts]
    (fact,) = reported_facts(state, left)
    assert fact.sentence(NAMES) == "Left this turn: 0 Flood cards to draw, 1 too many drawn."
    place = next(iter(rules_of(state).legal_actions(state))).action
    assert "flood_draws_over" not in rules_of(state).to_document(do(state, "p1", "swim", to=place.to))


@pytest.mark.parametrize("left", [{"of": "flood_cards", "count": 1}, {"of": "actions", "count": 0}])
def test_facts__too_many_flood_cards_are_drawn_only_where_none_is_left(left: dict[str, Any]) -> None:
    state = island()
    with pytest.raises(UnsoundTable, match="with no Flood cards left to draw"):
        after(state, {"fact": "left", "over": 1, **left})


def test_facts__the_water_rises_while_the_last_tile_is_about_to_sink() -> None:
    """FI-R14, AR-R9."""
    before = {"phase": "draw_flood", "flooded": ["lost_lagoon"], "flood_draws_left": 1}
    state = island(ruleset=ARCHAENS, options=CHICANE, roles=("diver", "engineer"), **before)
    state = do(state, "p1", "draw_flood_card", "lost_lagoon")
    correction = facts.resolve(
        rules_of(state), NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": 8}))
    )
    found = facts.apply_correction(rules_of(state), NAMES, state, correction)
    assert (found.phase, found.flood_draws_left) == ("sink", 3)


def test_facts__the_water_alone_brings_no_flood_card_before_the_flood_step() -> None:
    """FI-R14: as the meter says after both treasure draws."""
    state = island(phase="draw_treasure", treasure_draws_left=1)
    correction = facts.resolve(
        rules_of(state), NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": 8}))
    )
    assert [facts.document(fact) for fact in correction.facts] == [{"fact": "water_level", "level": 8}]


def test_facts__a_sixth_card_waits_for_a_swim() -> None:
    state = island(phase="swim", sunk=["silver_gate"], pawns=["silver_gate"], hands=[["earth_stone"] * 5])
    message = "Resolve the sinking tile first, then report the hand over the limit of 5 cards."
    assert unsound_reason(state, {"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 1}).startswith(
        message
    )


def test_facts__what_is_left_is_as_the_table_tells_it() -> None:
    state = island(phase="draw_flood", water_level=3, flood_draws_left=3, treasure_draws_left=0, actions_left=0)
    documents = ({"fact": "water_level", "level": 6}, {"fact": "left", "of": "flood_cards", "count": 1})
    found = facts.resolve(rules_of(state), NAMES, state, list(reported_facts(state, *documents)))
    assert [facts.document(fact) for fact in found.facts] == list(documents)


# The Archaens


def test_facts__a_tile_is_about_to_sink() -> None:
    """AR-R9."""
    state = island(
        ruleset=ARCHAENS, options=CHICANE, roles=("diver", "engineer"), phase="draw_flood", flooded=["lost_lagoon"]
    )
    up = after(state, {"fact": "face_up", "tile": "lost_lagoon"})
    assert (up.phase, up.revealed) == ("sink", "lost_lagoon")
    assert "lost_lagoon" not in up.flood_pile.cards()
    down = after(up, {"fact": "face_up", "tile": None})
    assert (down.phase, down.revealed, down.flood_discard) == ("draw_flood", None, ("lost_lagoon",))
    assert "cannot be about to sink" in unsound_reason(state, {"fact": "face_up", "tile": "watchtower"})
    other = island(ruleset=ARCHAENS, roles=("diver", "engineer"), flooded=["lost_lagoon"])
    assert "cannot be about to sink" in unsound_reason(other, {"fact": "face_up", "tile": "lost_lagoon"})


def test_facts__a_lower_water_level_may_end_the_last_turn() -> None:
    """AR-R6: no Flood card is due any more, and too few tiles have sunk by the deadline."""
    state = island(
        ruleset=ARCHAENS,
        roles=("diver", "engineer"),
        phase="draw_flood",
        water_level=6,
        flood_draws_left=1,
        deadline=1,
    )
    correction = facts.resolve(
        rules_of(state), NAMES, state, list(reported_facts(state, {"fact": "water_level", "level": 3}))
    )
    assert [facts.document(fact) for fact in correction.facts] == [{"fact": "water_level", "level": 3}]


def test_facts__the_clock_of_the_archaens() -> None:
    """AR-R3, AR-R6."""
    state = island(ruleset=ARCHAENS, roles=("diver", "engineer"))
    assert after(state, {"fact": "deadline", "turn": 7}).deadline == 7
    saved = [{"fact": "saved", "artifact": treasure} for treasure in TREASURES]
    landed = [{"fact": "stands_on", "seat": seat, "tile": "fools_landing"} for seat in ("p1", "p2")]
    begun = after(state, *saved, *landed)
    assert begun.deadline == 3
    assert (
        after(begun, {"fact": "saved", "artifact": "earth_stone", "yes": False}).captured
        == TREASURES[:1] + TREASURES[2:]
    )
    assert [facts.document(fact) for fact in Tableau(rules_of(begun).facts, begun)][-1] == {
        "fact": "deadline",
        "turn": 3,
    }
