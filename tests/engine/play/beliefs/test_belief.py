"""A belief as a state: its possible tables, its words, its document."""

from __future__ import annotations

import pytest

from engine.kit.kernel import LegalAction
from engine.play import offers
from engine.play.beliefs import belief, possible
from engine.play.beliefs.belief import Belief, World
from engine.play.corrections import reveals
from engine.review.turns import narrate
from tests.engine.play.explaining import offer_hog
from tests.engine.play.telling import state, unseen_card
from tests.engine.recording import dealt
from tests.recording import Recording


def test_worlds__of_a_plain_state_it_is_itself() -> None:
    recording = dealt()
    assert belief.worlds(state(recording)) == (World(1, state(recording)),)
    assert belief.likeliest(state(recording)) is state(recording)
    assert belief.overview(recording.game.ruleset, state(recording), ("A", "B")) == recording.game.ruleset.overview(
        state(recording), ("A", "B")
    )
    assert belief.board(recording.game.ruleset, state(recording), ("A", "B")).subtitle


def test_words__say_what_is_not_sure() -> None:
    recording = unseen_card()
    table = belief.overview(recording.game.ruleset, state(recording), ("Ada", "Bo"))
    assert [text for text in table.values() if text.startswith("not seen; possibly ")]
    assert belief.board(recording.game.ruleset, state(recording), ("Ada", "Bo")).subtitle.endswith("some of it unseen")


def test_document__where_kinds_differ() -> None:
    one, other = (World(weight, {"a": value}) for weight, value in ((1, [1]), (3, [1, 2])))
    known = Belief(turn=1, phase="x", worlds=(one, other))
    assert belief.document(known, lambda world: world) == {
        "a": {
            "one_of": [
                {"value": [1, 2], "p": 0.75, "p_exact": "3/4"},
                {"value": [1], "p": 0.25, "p_exact": "1/4"},
            ]
        }
    }


def test_may_be_unseen__asks_the_rules() -> None:
    recording = dealt()
    rules = recording.game.ruleset
    draw = LegalAction(rules.parse("draw_treasure_card", {}), 0)
    assert offers.may_be_unseen(rules, state(recording), draw)
    flood = LegalAction(rules.parse("draw_flood_card", {}), 0)
    for card in ("oceans_chalice", "earth_stone"):
        recording.add("draw_treasure_card", "p1", [card])
    assert not offers.may_be_unseen(rules, state(recording), flood)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(possible, "MOST_WORLDS", 2)
        assert not offers.may_be_unseen(rules, dealt().game.state, draw)
    dice = Recording("forever-island")
    assert not offers.may_be_unseen(dice.game.ruleset, state(recording), draw)


def test_an_unseen_roll_had_no_effect_that_everyone_could_see() -> None:
    """A 5 would have made an island grow, and a 6 would have moved the volcano."""
    recording = offer_hog()
    recording.add("decline_exchange", "p2")
    recording.add("end_turn", "p3")
    recording.add("roll_for_weather", "p1", [None])
    (unknown,) = reveals.unknowns(recording.history.rules, recording.history.mainline)
    assert unknown.point.options == (1, 2, 3, 4)


def test_point__of_a_table_that_is_known_is_as_the_rules_ask() -> None:
    recording = dealt()
    rules = recording.game.ruleset
    draw, move = (
        LegalAction(rules.parse(*one), 0) for one in (("draw_treasure_card", {}), ("move", {"to": "observatory"}))
    )
    asked = offers.point(rules, state(recording), draw)
    assert asked is not None
    assert asked == rules.chance_point(state(recording), draw)
    assert offers.point(rules, state(recording), move) is None


def test_sentences_where_nobody_saw() -> None:
    recording = unseen_card()
    recording.add("move", "p1", to="howling_garden") if state(recording).phase == "actions" else None
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    sentences = [one.sentence for one in narrate(recording.game.header, recording.events)]
    assert sentences[2] == "Ada does this: draw treasure card. Nobody saw the result."
    assert sentences[3] == "Ada draws Sandbags."
