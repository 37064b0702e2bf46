"""Comparison of lines: equal contents are equal, no matter who recorded them."""

from __future__ import annotations

import msgspec

from engine.core.events import Event
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.forks import fork
from engine.review import compare
from engine.review.compare import without_annotations
from engine.review.turns import narrate
from tests.engine.recording import dealt, ended
from tests.engine.recording import played as begun
from tests.playouts import clock, playout
from tests.recording import Recording

RULES = registry.ruleset("forbidden-island")


def line(recording: Recording) -> list[Event]:
    return list(without_annotations(one.event for one in narrate(recording.game.header, recording.events)))


def common(rules: AnyRuleset, one: list[Event], other: list[Event]) -> int:
    """Return the number of equal events at the beginning."""
    pairs = list(compare.common(rules, one, other))
    assert pairs == list(zip(one, other, strict=False))[: len(pairs)]
    return len(pairs)


def test_a_fork_and_its_parent_have_all_in_common_up_to_where_it_was_forked() -> None:
    log = playout(seed=4)
    game, copies = fork(log, 20, game="parent", seed="if", recorded_at=clock(99))
    assert common(RULES, log, copies) == game.version


def test_notes_and_what_was_taken_back_have_no_part_in_it() -> None:
    one, other = begun(), begun()
    one.add("annotate", text="A bold move.", seq=3)
    one.add("draw_treasure_card", "p1", ["sandbags"])
    one.add("undo", to=6)
    assert len(one.events) == len(other.events) + 3
    assert common(RULES, line(one), line(other)) == len(line(one)) == len(other.events)


def test_another_action_or_another_card_is_where_they_part() -> None:
    one, other = begun(), dealt()
    other.add("move", "p1", to="howling_garden")
    assert common(RULES, line(one), line(other)) == 3
    other.add("move", "p1", to="gold_gate")
    other.add("draw_treasure_card", "p1", ["crystal_of_fire"])
    assert common(RULES, line(one), line(other)) == 4


def test_the_same_play_by_others_is_the_same() -> None:
    one, other = ended(), ended()
    opening = {**other.events[0].params, "seats": [{"name": "Xu"}, {"name": "Yo"}], "tags": ["club"]}
    theirs = [msgspec.structs.replace(other.events[0], params=opening), *other.events[1:]]
    assert common(RULES, one.events, theirs) == 7


def test_other_options_or_another_number_of_seats_are_another_game() -> None:
    one, harder, three = dealt(), Recording(difficulty="elite"), Recording(seats=3)
    assert common(RULES, line(one), line(harder)) == 0
    assert common(RULES, line(one), line(three)) == 0


def test_a_salt_does_not_count() -> None:
    rules = registry.ruleset("forever-island")
    throw = msgspec.structs.replace(
        dealt().events[1], type="throw_spears", actor="p1", params={"spears": 2, "salt": "a"}, outcomes=()
    )
    same = msgspec.structs.replace(throw, params={"spears": 2, "salt": "b"})
    other = msgspec.structs.replace(throw, params={"spears": 1, "salt": "a"})
    assert common(rules, [throw], [same]) == 1
    assert common(rules, [throw], [other]) == 0


def test_how_it_ended_counts_and_the_seed_that_it_reveals_does_not() -> None:
    closed = ended().events[-1]
    revealed = msgspec.structs.replace(closed, params={**closed.params, "seed": "x"})
    assert common(RULES, [closed], [revealed]) == 1
