"""Unseen looks at the top of a deck: counted cards give the same answers as listed tables."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import IllegalAction, ImpossibleOutcome
from engine.core.events import Draft, Event
from engine.core.values import SEAT_INDEX
from engine.play import snapshots
from engine.play.beliefs import belief, pooling, telling, worlds
from engine.play.beliefs.belief import Belief, Pooled, World
from engine.play.beliefs.belief import worlds as worlds_of
from engine.play.beliefs.returning import merge_layers, piles
from engine.play.corrections import reveals
from engine.play.fold import fold
from engine.review.audit import audit
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.play.beliefs.test_pooling import counting, listing
from tests.recording import Recording

OFTEN = {"forecast": 40, "look_at_storm_card": 9, "place_storm_cards": 9, "weaken_storm": 0.1, "give_water": 0.1}
OPTIONS = {"difficulty": "legendary", "first_player": "p1"}


class Looking:
    """A game with a small storm deck: drawn by a seed, and recorded with some cards unseen."""

    def __init__(self, seed: int, size: int) -> None:
        self.rng = random.Random(seed)
        while "meteorologist" not in (roles := self._begin()):
            pass
        self.actor = f"p{roles.index('meteorologist') + 1}"
        if size:
            self.shorten(size)

    def _begin(self) -> tuple[str, ...]:
        self.real = Recording("forbidden-desert", 2, seed=str(self.rng.random()), **OPTIONS)
        self.real.add("set_up")
        self.log = [Draft(type="set_up", outcomes=self.real.events[-1].outcomes)]
        return self.table.roles  # type: ignore[no-any-return]

    @property
    def table(self) -> Any:
        return self.real.game.state

    def shorten(self, size: int) -> None:
        """Leave only some cards in the deck."""
        cards = self.table.storm_pile.cards()
        gone = Counter(self.rng.sample(cards, len(cards) - size))
        facts = [{"fact": "storm_cards_discarded", "card": card, "count": count} for card, count in gone.items()]
        (event,) = self.real.add("adjust", facts=facts, reason="A short deck.")
        self.log.append(Draft(type="adjust", params=event.params))

    def draft(self, unseen: float) -> Draft:
        """Return the next event of the real game. `unseen` is the probability that nobody saw a card at a look."""
        legal = list(self.real.game.ruleset.legal_actions(self.table))
        one = self.rng.choices(legal, [OFTEN.get(one.action.type, 1) for one in legal])[0]
        event, *_ = self.real.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))
        outcomes = event.outcomes
        if event.type == "look_at_storm_card" and self.rng.random() < unseen:
            outcomes = (None,)
        self.log.append(Draft(type=event.type, actor=event.actor, params=event.params, outcomes=outcomes))
        return self.log[-1]


def record_drafts(log: list[Draft]) -> Recording:
    recording = Recording("forbidden-desert", 2, **OPTIONS)
    for draft in log:
        recording.append(draft)
    return recording


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(4, 8))
def test_counted_looks_tell_what_listed_tables_do(seed: int, size: int) -> None:
    looking = Looking(seed, size)
    listed, counted = record_drafts(looking.log), record_drafts(looking.log)
    for _ in range(30):
        if looking.table.outcome is not None:
            break
        draft = looking.draft(0.7)
        with counting(10**6, 0):
            listed.append(draft)
        with counting(30, 10):
            counted.append(draft)
        with counting(30, 10):
            assert listing(counted.game.ruleset, counted.game.state) == listing(listed.game.ruleset, listed.game.state)
        if isinstance(counted.game.state, Pooled):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(belief, "MOST_TOLD", 10**6)
                one, other = (belief.view(one.game.ruleset, one.game.state, None) for one in (listed, counted))
            assert one["seen"] == other["seen"]
        assert snapshots.load(snapshots.dump(counted.game)).state == counted.game.state


@pytest.mark.long
def test_an_evening_of_unseen_looks() -> None:
    """Every look of a whole game is unseen. After the cards are put back, the deck is one shuffled pile again."""
    looking = Looking(1, 0)
    log = looking.log
    while len(log) < 50 and looking.table.outcome is None:
        looking.draft(1)
    recording = record_drafts(log)
    unseen = [event for event in recording.events if event.outcomes == (None,)]
    assert len(unseen) > 10
    again = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(again) == recording.game
    assert audit(again).verdict == "clean"
    most = max(len(state.worlds) for state in recording.states if isinstance(state, Belief))
    assert most <= 1000


def test_layers_that_say_nothing_are_one() -> None:
    state = table("meteorologist", "archeologist")
    field = "storm_pile"

    def pile(*layers: tuple[str, ...]) -> Any:
        return msgspec.structs.replace(state, storm_pile=type(state.storm_pile)(layers))

    shuffled = [World(2, pile(("a",), ("a", "b"))), World(1, pile(("b",), ("a", "a")))]
    assert list(merge_layers(shuffled, field)) == [World(3, pile(("a", "a", "b")))]
    assert (
        merge_layers(likelier := [World(1, pile(("a",), ("a", "b"))), World(1, pile(("b",), ("a", "a")))], field)
        == likelier
    )
    assert merge_layers(shuffled[:1], field) == shuffled[:1]


def test_known_cards_divide_unknown_ones() -> None:
    cards = Counter("aab")
    found = list(piles([("?",), ("s",), ("?", "?")], "?", cards))
    assert [(weight, one.layers) for weight, one in found] == [
        (1, (("b",), ("s",), ("a", "a"))),
        (2, (("a",), ("s",), ("a", "b"))),
    ]
    assert [one.layers for _, one in piles([("s",), ("?",), ("?", "?")], "?", cards)] == [(("s",), ("a", "a", "b"))]
    assert [one.layers for _, one in piles([("s",)], "?", Counter())] == [(("s",),)]


def look_unseen(count: int, *known: str) -> Recording:
    """A table whose Meteorologist has looked at some cards unseen, and at these."""
    looking = Looking(1, 0)
    recording = record_drafts(looking.log)
    level = {"fact": "storm_tick", "tick": 12}
    recording.add("adjust", facts=[level, {"fact": "turn_of", "seat": looking.actor}], reason="A strong storm.")
    recording.add("forecast", looking.actor)
    for card in (*[None] * count, *known):
        recording.add("look_at_storm_card", looking.actor, [card])
    return recording


@pytest.mark.long
def test_looks_are_counted_where_their_tables_are_too_many_to_list() -> None:
    recording = look_unseen(6)
    state: Any = recording.game.state
    assert isinstance(state, Pooled)
    told = belief.view(recording.game.ruleset, state, None)
    (seen,), (pile,) = told["seen"], told["storm_pile"]["layers"]
    assert (seen["unseen"], pile[-1]["unseen"]) == (6, 25)
    assert seen["more"] > 1000


@pytest.mark.long
def test_an_unknown_look_can_be_revealed() -> None:
    recording = look_unseen(6)
    actor = recording.events[-1].actor
    unknown = reveals.unknowns(recording.history.rules, recording.history.mainline)
    places = [event.seq for event in recording.events if event.outcomes == (None,)]
    assert [one.seq for one in unknown] == places
    assert {one.point.probabilities()["sun_beats_down"] for one in unknown} == {Fraction(4, 31)}
    recording.add("place_storm_cards", actor, bottom=2)
    assert not isinstance(recording.game.state, Belief)
    recording.add("reveal", seq=places[0], position=0, value="sun_beats_down")
    state: Any = recording.game.state
    assert [len(layer) for layer in state.storm_pile.layers] == [1, 30]
    assert state.storm_pile.layers[0] == ("sun_beats_down",)
    recording.add("reveal", seq=places[1], position=0, value="storm_picks_up")
    state = recording.game.state
    assert [len(layer) for layer in state.storm_pile.layers] == [1, 29, 1]
    with pytest.raises(ImpossibleOutcome):
        recording.add("draw_storm_card", actor, ["wind_north_1"])


def test_a_card_between_unseen_ones_divides_them() -> None:
    """There is a table for each possible set of cards above the known ones."""
    recording = look_unseen(3, "sun_beats_down", "sun_beats_down", "sun_beats_down")
    recording.add("place_storm_cards", recording.events[-1].actor)
    state: Any = recording.game.state
    assert isinstance(state, Belief)
    assert {tuple(map(len, world.state.storm_pile.layers)) for world in state.worlds} == {(3, 1, 1, 1, 25)}
    recording = look_unseen(5, "sun_beats_down")
    recording.add("place_storm_cards", recording.events[-1].actor, bottom=6)
    state = recording.game.state
    assert [len(layer) for layer in state.storm_pile.layers] == [30, 1]


def test_a_card_between_too_many_unseen_ones_to_list() -> None:
    """The deck stays exact: each unknown card is equally likely in each unknown place."""
    recording = look_unseen(5, "sun_beats_down")
    recording.add("place_storm_cards", recording.events[-1].actor)
    state: Any = recording.game.state
    assert isinstance(state, Pooled)
    rules = recording.game.ruleset
    above, known, below = belief.view(rules, state, None)["storm_pile"]["layers"]
    assert (above[0]["unseen"], known, below[0]["unseen"]) == (5, ("sun_beats_down",), 25)
    chances = {one["value"]: one["p_exact"] for one in above[0]["has"]}
    assert chances["wind_north_3"] == "1/6"
    assert chances["wind_north_2"] == str(1 - Fraction(25 * 24, 30 * 29))
    assert not [fact for fact in telling.known_facts(rules, state) if fact.subject[0] == "storm_pile_is"]
    assert snapshots.load(snapshots.dump(recording.game)) == recording.game
    revealed = Recording.of(recording)
    last = max(event.seq for event in recording.events if event.outcomes == (None,))
    revealed.add("reveal", seq=last, position=0, value="wind_north_3")
    (layers,) = {tuple(map(len, world.state.storm_pile.layers)) for world in worlds_of(revealed.game.state)}
    assert layers == (4, 1, 1, 25)
    actor = recording.events[-1].actor
    for card in ("wind_north_1", "wind_north_1", "wind_north_2", "sun_beats_down", "wind_west_1"):
        recording.add("draw_storm_card", actor, [card])
    with pytest.raises(ImpossibleOutcome):
        recording.add("draw_storm_card", actor, ["wind_west_1"])
    recording.add("draw_storm_card", actor, ["sun_beats_down"])
    state = recording.game.state
    assert [len(layer) for layer in state.storm_pile.layers] == [25]


def test_a_correction_of_the_deck_does_not_stop_the_record() -> None:
    """A discarded card came from an unknown place, so the odds are lost, but players can still draw."""
    recording = look_unseen(5, "sun_beats_down")
    discarded = [{"fact": "storm_cards_discarded", "card": "wind_east_1", "count": 1}]
    with pytest.raises(IllegalAction, match="Reveal some of them first"):
        recording.add("adjust", facts=discarded, reason="On some tables, all of these cards are being looked at.")
    recording.add("place_storm_cards", recording.events[-1].actor)
    recording.add("adjust", facts=discarded, reason="It lies there.")
    recording.add("draw_storm_card", recording.events[3].actor, ["wind_east_2"])
    state: Any = recording.game.state
    assert not state.is_exact
    assert belief.view(recording.game.ruleset, state, None)["storm_pile"]["layers"][2] == [{"unseen": 24}]


def test_looks_without_odds() -> None:
    recording = look_unseen(6)
    rules, actor = recording.game.ruleset, recording.events[-1].actor
    state: Any = recording.game.state
    rows = [{hand: int(weight) for hand, weight in row} for row in state.rows]
    unsure = pooling.counted_hands(state.fields, state.worlds[0].state, rows, state.stock, is_exact=False)
    told = belief.view(rules, unsure, None)
    (seen,) = told["seen"]
    assert (seen["unseen"], len(seen["may_be"])) == (6, 14)
    assert told["storm_pile"]["layers"] == [[{"unseen": 25}]]
    with pytest.raises(IllegalAction, match="Reveal some of them first"):
        worlds.step(rules, unsure, rules.parse("place_storm_cards", {}), SEAT_INDEX[actor], (), most=100)


def test_a_look_at_a_whole_deck() -> None:
    """All cards of a small deck are seen, so the pile is empty."""
    looking = Looking(1, 6)
    recording = record_drafts(looking.log)
    level = {"fact": "storm_tick", "tick": 12}
    recording.add("adjust", facts=[level, {"fact": "turn_of", "seat": looking.actor}], reason="A strong storm.")
    whole = recording.game.state.storm_pile  # type: ignore[union-attr]  # it is set up
    recording.add("forecast", looking.actor)
    with counting(30, 10):
        for _ in range(6):
            recording.add("look_at_storm_card", looking.actor, [None])
        state: Any = recording.game.state
        assert isinstance(state, Pooled)
        told = belief.view(recording.game.ruleset, state, None)
        assert (sorted(told["seen"]), told["storm_pile"]["layers"]) == (list(whole.cards()), ())
        recording.add("place_storm_cards", looking.actor)
    state = recording.game.state
    assert state.storm_pile == whole
