"""Searching possible tables: equal courses are merged exactly, and the work is limited."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import effort
from engine.core.canonical import canonical
from engine.core.errors import EngineError, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.values import Value
from engine.kit.chance import Chance, Observed, V
from engine.kit.ruleset import AnyRuleset
from engine.play import offers, registry
from engine.play.beliefs import belief, dealing, worlds
from engine.play.beliefs.belief import Pooled
from engine.play.beliefs.looks import Looks
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold
from tests.engine.games.forbidden_island.positions import island
from tests.engine.recording import DEAL, dealt
from tests.recording import Recording

CARDS = (
    *("crystal_of_fire", "earth_stone", "helicopter_lift", "oceans_chalice"),
    *("sandbags", "statue_of_the_wind", "waters_rise"),
)
BEFORE_HANDS = DEAL[:32]
NOWHERE = belief.World(1, None)
"""The one world before a game is set up."""


class Likely(Observed):
    """Takes the reported results, and multiplies their probabilities."""

    def __init__(self, reported: Sequence[Value | None]) -> None:
        super().__init__()
        self.begin(0, tuple(reported))
        self.chance = Fraction(1)

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        value = super().draw(name, options, matters)
        self.chance *= Fraction(options.count(value), len(options))
        return value


class Blunt:
    """A source of chance that treats all results as different, even if the rules do not distinguish them."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        return self._chance.draw(name, options)


def set_up(chance: Any) -> Any:
    rules = registry.ruleset("forbidden-island")
    return rules.setup(rules.parse_options({}, 2), 2, chance)


def one_by_one(reported: Sequence[Value | None]) -> tuple[dict[bytes, Fraction], Fraction]:
    """Return every possible table with its probability, and the probability of the report. None in the report stands
    for each card in turn.
    """
    places = [at for at, value in enumerate(reported) if value is None]
    found: dict[bytes, Fraction] = {}
    for cards in itertools.product(CARDS, repeat=len(places)):
        supposed = list(reported)
        for at, card in zip(places, cards, strict=True):
            supposed[at] = card
        chance = Likely(supposed)
        try:
            state = set_up(chance)
            chance.finish()
        except (ImpossibleOutcome, OutcomeRequired, Malformed):
            continue
        key = canonical(state)
        found[key] = found.get(key, Fraction(0)) + chance.chance
    mass = sum(found.values(), Fraction(0))
    return {key: weight / mass for key, weight in found.items()}, mass


def likelihood(
    rules: AnyRuleset, world: belief.World, run: Callable[[Any, Chance], Any], reported: tuple[Value | None, ...]
) -> Fraction:
    """Search from this table, and return the probability of the reported results."""
    search = worlds.Search(Looks(rules), run, reported, 10_000)
    search.explore(world)
    return sum((found.weight for found in search.possible_tables()), Fraction(0))


@settings(max_examples=20, deadline=None)
@given(
    cards=st.lists(st.sampled_from([*CARDS, None, None]), min_size=4, max_size=6).filter(
        lambda all_: all_.count(None) <= 3
    )
)
def test_alike_ways_are_one_and_weigh_as_all_of_them(cards: list[str | None]) -> None:
    reported = (*BEFORE_HANDS, *cards)
    expected, mass = one_by_one(reported)
    rules = registry.ruleset("forbidden-island")
    try:
        state = worlds.spread(rules, None, lambda _, chance: set_up(chance), reported, 10_000)
    except (ImpossibleOutcome, OutcomeRequired, Malformed):
        assert None not in cards or not expected
        return
    tables = belief.worlds(state)
    total = sum(world.weight for world in tables)
    assert {canonical(world.state): Fraction(world.weight, total) for world in tables} == expected
    assert likelihood(rules, NOWHERE, lambda _, chance: set_up(chance), reported) == mass


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets() if rules.unseen])
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_a_ruleset_says_that_matters_is_all_that_does(ruleset: str, seed: int) -> None:
    rng = random.Random(seed)
    rules = registry.ruleset(ruleset)
    seats = rules.players[0]
    options = rules.parse_options({}, seats)
    reported: list[Value | None] = []
    while True:
        chance = Observed()
        chance.begin(2, tuple(reported))
        try:
            rules.setup(options, seats, chance)
            break
        except OutcomeRequired as asked:
            reported.append(rng.choice(asked.point.options))
    # Most of the invisible cards are dealt last.
    for at in (rng.randrange(len(reported)), -1):
        reported[at] = None

    def outcome(*, is_blunt: bool) -> Any:
        def run(_: Any, by: Chance) -> Any:
            return rules.setup(options, seats, Blunt(by) if is_blunt else by)  # type: ignore[arg-type]  # it only draws

        try:
            return worlds.spread(rules, None, run, tuple(reported), 100_000)
        except (OutcomeRequired, ImpossibleOutcome) as error:
            return type(error), error.point.name, error.point.probabilities(), getattr(error, "hints", ())
        except EngineError as error:
            return type(error), str(error)

    assert outcome(is_blunt=False) == outcome(is_blunt=True)


def test_hands_that_nobody_saw_are_told_apart_only_by_their_cards() -> None:
    recording = Recording()
    with effort.count_steps() as work:
        recording.add("set_up", outcomes=[*BEFORE_HANDS, *[None] * 4])
    # 21 hands of two cards for each of two players, minus those for which there are not enough cards.
    assert 400 < len(belief.worlds(recording.game.state)) < 21 * 21
    # The order is recorded and becomes part of the history. Otherwise there would be a table for each order.
    assert work.spent < 2 * (7 + 7**2 + 7**3 + 7**4) / 2


def test_hands_of_a_set_up_with_too_many_tables_are_counted() -> None:
    recording = Recording(seats=3)
    with effort.count_steps() as work:
        recording.add("set_up", outcomes=[*DEAL[:30], "messenger", "pilot", "diver", *[None] * 6])
    assert isinstance(recording.game.state, Pooled)
    assert work.spent < worlds.MOST_RUNS


@pytest.mark.no_cover
@pytest.mark.parametrize("first", [0, 5])
@pytest.mark.parametrize("nulls", [3, 24])
@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets() if rules.unseen])
def test_whatever_goes_unseen_the_work_is_bounded(ruleset: str, nulls: int, first: int) -> None:
    rules = registry.ruleset(ruleset)
    for seats in rules.players:
        recording = Recording(ruleset, seats=seats)
        known: list[Value | None] = []
        for _ in range(first):
            with pytest.raises(OutcomeRequired) as asked:
                recording.add("set_up", outcomes=known)
            known.append(asked.value.point.options[0])
        with effort.count_steps() as work, pytest.raises(EngineError):
            recording.add("set_up", outcomes=[*known, *[None] * nulls])
        assert work.spent <= 2 * worlds.MOST_RUNS


def test_a_card_more_says_that_one_was_put_aside() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=[*BEFORE_HANDS, "earth_stone", "sandbags", "sandbags", None, None])
    line = recording.history.line(recording.game.version)
    fifth, sixth = unknowns(recording.history.rules, line)
    assert fifth.point.probabilities() == {"waters_rise": Fraction(1)}
    assert "waters_rise" not in sixth.point.probabilities()
    assert sum(sixth.point.probabilities().values()) == 1


def test_what_stands_in_a_log_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    drafted = [*BEFORE_HANDS, *[None] * 2, "earth_stone", "sandbags"]
    recording = Recording()
    recording.add("set_up", outcomes=drafted)
    recording.add("reveal", seq=2, position=32, value="earth_stone")
    monkeypatch.setattr(worlds, "MOST_RUNS", 5)
    monkeypatch.setattr(dealing, "counted_belief", lambda *_: None)
    assert fold(recording.events) == recording.game
    with pytest.raises(IllegalAction, match="tables are possible"):
        Recording().add("set_up", outcomes=drafted)
    monkeypatch.setattr(worlds, "MOST_RERUNS", 5)
    with pytest.raises(IllegalAction, match="tables are possible"):
        fold(recording.events)


def test_offers_are_those_of_all_tables() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", [None])
    rules, state = recording.game.ruleset, recording.game.state
    assert state is not None
    tables = belief.worlds(state)
    total = sum(world.weight for world in tables)
    weights: dict[tuple[str, int, bytes], int] = {}
    for world in tables:
        for legal in rules.legal_actions(world.state):
            key = (legal.action.type, legal.seat, canonical(legal.action))
            weights[key] = weights.get(key, 0) + world.weight
    found = {
        (one.legal.action.type, one.legal.seat, canonical(one.legal.action)): one.probability
        for one in offers.offers(rules, state)
    }
    assert found == {key: Fraction(weight, total) for key, weight in weights.items()}
    assert any(probability < 1 for probability in found.values())


def test_an_action_that_asks_nothing_has_no_chance_point_at_any_table() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    rules, state = recording.game.ruleset, recording.game.state
    assert state is not None
    quiet = next(one.legal for one in offers.offers(rules, state) if not one.legal.action.asks_chance)
    assert offers.point(rules, state, quiet) is None


def test_nothing_is_offered_once_it_is_over() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("abandon", reason="dinner")
    assert recording.game.state is not None
    assert offers.offers(recording.game.ruleset, recording.game.state) == []


# Conclusions from other events


@pytest.mark.parametrize(
    "ruleset", [rules.id for rules in registry.rulesets() if rules.id.startswith("forbidden-island")]
)
def test_a_card_that_can_only_be_one_need_not_be_seen(ruleset: str) -> None:
    rules = registry.ruleset(ruleset)
    rising = island(ruleset).edition.rising_card
    state = island(ruleset, phase="draw_treasure", treasure_pile=["earth_stone", "earth_stone", rising])
    draw = next(legal for legal in rules.legal_actions(state) if legal.action.asks_chance)
    # The other card would have raised the water visibly.
    assert offers.may_be_unseen(rules, state, draw)
    after, _ = worlds.step(rules, state, draw.action, 0, (None,), most=9)
    assert after == draw.action.apply(state, 0, Likely(["earth_stone"]))
    likely = likelihood(rules, belief.World(1, state), lambda now, by: draw.action.apply(now, 0, by), (None,))
    assert likely == Fraction(2, 3)


def test_a_card_that_shows_has_to_be_seen_though_there_are_but_two() -> None:
    rules = registry.ruleset("forbidden-island")
    state = island(phase="draw_flood", flood_pile=["iron_gate", "gold_gate"])
    with pytest.raises(OutcomeRequired, match="look at the table"):
        worlds.step(rules, state, rules.parse("draw_flood_card", {}), 0, (None,), most=9)
