"""Facts about the ground: tiles, the storm between them, sand, and parts."""

from __future__ import annotations

from engine.kit.facts import Tableau
from engine.play.corrections import facts
from tests.engine.games.forbidden_desert.positions import RULES
from tests.engine.games.forbidden_desert.telling import (
    ENGINE,
    after,
    desert,
    fact,
    tile,
    unsound_reason,
)


def test_facts__the_storm_moves_and_the_tile_that_was_there_takes_its_place() -> None:
    """FD-R6: also the pawns and the sand on it, and the parts that waited in the storm."""
    state = after(
        desert(at=("r1c1", "r2c2"), sand={"r1c1": 2}, hole_parts=("engine",), city=ENGINE), tile("r1c1", "storm")
    )
    assert (state.hole, state.hole_parts, state.pawns) == ("r1c1", (), ("r3c3", "r2c2"))
    assert (state.tile("r3c3").sand, state.tile("r3c3").parts, state.sand_supply) == (2, ("engine",), 46)


def test_facts__in_a_photograph_sand_lies_only_where_it_is_told() -> None:
    state = desert(sand={"r1c1": 2}, at="r2c2")
    other = desert(hole="r1c1", at="r2c2", sand={"r3c4": 1})
    documents = [facts.document(one) for one in Tableau(RULES.facts, other)]
    assert set(Tableau(RULES.facts, after(state, *documents, is_whole=True))) == set(Tableau(RULES.facts, other))


def test_facts__no_tile_lies_in_the_storm() -> None:
    state = desert()
    assert "no tile" in unsound_reason(state, tile("r1c1", "storm", "well"))
    assert "no tile" in unsound_reason(state, tile("r1c1", "storm", is_excavated=True))
    assert "Report the position of the storm" in unsound_reason(state, tile("r3c3", "plain"))
    assert "no sand can be there" in unsound_reason(state, fact("sand_at", space="r3c3"))
    assert "no pawn can stand" in unsound_reason(state, fact("stands_on", seat="p1", space="r3c3"))
    assert "a part there stays in the storm" in unsound_reason(
        desert(city=ENGINE), fact("part_is", part="engine", where="r3c3")
    )


def test_facts__a_tile_has_what_is_under_its_kind() -> None:
    state = desert()
    assert "is face up" in unsound_reason(state, tile("r1c1", "plain", is_excavated=True))
    assert "Well is not under a desert tile" in unsound_reason(state, tile("r1c1", "plain", "well"))
    seen = after(state, tile("r1c1", "plain", "gear"))
    assert (seen.tile("r1c1").city_side, seen.tile("r1c1").is_excavated) == ("gear", False)


def test_facts__a_tile_that_was_mistaken_changes_places() -> None:
    """FD-R1: the box has a fixed number of each."""
    state = after(desert(), tile("r1c1", "water"))
    assert [state.tile(space).desert_side for space in ("r1c1", "r4c1")] == ["water", "plain"]
    wreck = after(state, tile("r1c2", "crash"))
    assert (wreck.tile("r1c2").city_side, wreck.tile("r5c5").desert_side) == ("gear", "plain")
    pad = desert(peeked={"r1c1": "launch_pad"})
    pad = after(pad, tile("r2c2", "plain", "launch_pad"))
    assert (pad.tile("r1c1").city_side, pad.tile("r2c2").city_side) == (None, "launch_pad")


def test_facts__the_tile_that_is_told_to_be_another_gives_way_first() -> None:
    state = after(desert(), tile("r1c1", "water"), tile("r5c1", "plain"))
    assert [state.tile(space).desert_side for space in ("r1c1", "r4c1", "r5c1")] == ["water", "water", "plain"]


def test_facts__tiles_that_are_all_told_give_nothing() -> None:
    waters = [tile(space, "water") for space in ("r1c1", "r4c1", "r5c1", "r5c2")]
    assert "3 tiles with water" in unsound_reason(desert(), *waters)
    pads = [tile(space, "plain", "launch_pad") for space in ("r1c1", "r1c2")]
    assert "at most as many city sides" in unsound_reason(desert(peeked={"r1c1": "launch_pad"}), *pads)


def test_facts__sand_comes_from_the_supply() -> None:
    state = after(desert(sand={"r1c1": 2}), fact("sand_at", space="r1c1", markers=1))
    assert (state.tile("r1c1").sand, state.sand_supply) == (1, 47)
    assert "negative sand" in unsound_reason(state, fact("sand_at", space="r2c2", markers=48))


def test_facts__a_part_lies_where_both_of_its_clues_point() -> None:
    """FD-R5, FD-R6."""
    first, second = [tile(space, "plain", clue, is_excavated=True) for space, clue in ENGINE.items()]
    state = after(desert(), first, second)
    assert state.tile("r1c4").parts == ("engine",)
    assert after(state, first | {"is_excavated": False}).tile("r1c4").parts == ()
    collected = after(state, fact("part_is", part="engine", where="with_the_team"))
    assert (collected.collected, collected.tile("r1c4").parts) == (("engine",), ())
    assert after(collected, first | {"is_excavated": False}).collected == ()
    here = fact("part_is", part="engine", where="with_the_team")
    assert "once both its clues are found" in unsound_reason(collected, first | {"is_excavated": False}, here)


def test_facts__a_part_is_in_one_place() -> None:
    """FD-R6."""
    state = desert(city=ENGINE, parts={"r1c4": ("engine",)})
    storm = after(state, fact("part_is", part="engine", where="in_the_storm"))
    assert (storm.hole_parts, storm.tile("r1c4").parts) == (("engine",), ())
    other = after(storm, fact("part_is", part="engine", where="r5c5"))
    assert (other.hole_parts, other.tile("r5c5").parts) == ((), ("engine",))
    assert "once both its clues" in unsound_reason(other, fact("part_is", part="engine", where="not_in_the_game"))
    assert "once both its clues" in unsound_reason(desert(), fact("part_is", part="engine", where="with_the_team"))


# The adventurers
