"""A record that begins in the middle, from facts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.core.errors import (
    IllegalAction,
    Malformed,
    OutcomeRequired,
    UnsoundTable,
)
from engine.kit.facts import Tableau
from tests.engine.play.telling import (
    Told,
    chances,
    has,
    photograph,
    round_trip,
    state,
    water,
)
from tests.engine.recording import DEAL, dealt, played
from tests.recording import Recording


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
    messages = [one.message for one in refused.value.violations]
    assert messages == ["Facts of the kind `stands_on` are missing: Ada; Bo."]


def test_missing_facts_are_listed_by_kind() -> None:
    with pytest.raises(UnsoundTable) as refused:
        Recording().add("set_up", position={"facts": []})
    island, roles, tiles, flood_cards, pawns = (one.message for one in refused.value.violations)
    rest = "Gate; Howling Garden; and 12 more. One fact about `rest` can describe everything that you do not name."
    assert island.startswith("Facts of the kind `lies_at` are missing: Breakers Bridge; Bronze Gate; ")
    assert island.endswith("Gate; Howling Garden; and 12 more.")
    assert roles == "Facts of the kind `plays` are missing: Ada; Bo."
    assert tiles.startswith("Facts of the kind `tile_is`")
    assert flood_cards.startswith("Facts of the kind `flood_card_is`")
    assert tiles.endswith(rest)
    assert flood_cards.endswith(rest)
    assert pawns == "Facts of the kind `stands_on` are missing: Ada; Bo."


def test_missing_facts_come_before_contradictions() -> None:
    with pytest.raises(UnsoundTable) as refused:
        Recording("forever-island").add("set_up", position={"facts": []})
    islands, *_, turn = (one.message for one in refused.value.violations)
    assert islands.startswith("Facts of the kind `lies_at` are missing: Frog Island 1; ")
    assert turn == "A fact of the kind `turn_of` is missing."


def test_what_it_begins_with_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = photograph(played())
    others = [fact for fact in whole if fact["fact"] not in {"has_cards", "deck_is", "hand_is"}]
    for told, message in (
        ([*others, has("p1", "sandbags", 9)], "There are only 2 Sandbags"),
        ([*(fact for fact in others if fact["fact"] not in {"water_level", "phase_is"}), water(10)], "is already over"),
    ):
        with pytest.raises((UnsoundTable, IllegalAction), match=message):
            Recording().add("set_up", position={"facts": told})
    recording = Recording()
    monkeypatch.setattr(recording.game.ruleset, "settled", lambda *_: 1 // 0)
    with pytest.raises(UnsoundTable, match="could not continue"):
        recording.add("set_up", position={"facts": whole})


@pytest.mark.parametrize(("given", "message"), [({}, "must be a list"), ([{}] * 301, "at most 300")])
def test_what_it_begins_with_is_a_list(given: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        Recording().add("set_up", position={"facts": given})


def test_the_deal_stays_as_it_was() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=DEAL)
    assert state(recording) == dealt().game.state
