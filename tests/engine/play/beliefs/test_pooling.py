"""Too many possible hands to list: counted hands give the same answers as listed ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.canonical import canonical
from engine.core.errors import (
    EngineError,
    IllegalAction,
    ImpossibleOutcome,
    OutcomeRequired,
    Undetermined,
)
from engine.core.events import Draft, Event
from engine.core.values import State
from engine.games.forbidden_island.actions import GiveCard
from engine.games.forbidden_island.draws import DrawTreasureCard
from engine.games.forbidden_island.state import replace
from engine.kit.chance import Chance
from engine.kit.kernel import LegalAction
from engine.kit.piles import Pile
from engine.play import registry, snapshots
from engine.play.beliefs import belief, collapsing, hands, pooling, possible, running, telling, worlds
from engine.play.beliefs.belief import Belief, Pooled, World
from engine.play.beliefs.hands import cards_of
from engine.play.corrections import amends, facts, reveals
from engine.play.fold import fold
from engine.play.offers import may_be_unseen, offers, point
from engine.review.audit import audit
from tests.engine.recording import dealt
from tests.recording import Recording

MOST_LISTED = 120
"""Maximum number of tables that the oracle lists."""


@contextmanager
def counting(most: int = 1, few: int = 1) -> Iterator[None]:
    """Count hands if more than `most` tables are possible, and list them again below `few`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(possible, "MOST_WORLDS", most)
        patch.setattr(collapsing, "MOST_WORLDS", most)
        patch.setattr(pooling, "FEW", few)
        patch.setattr(pooling, "MOST_ACROSS", most)
        yield


def listing(ruleset: Any, state: State) -> dict[Any, Any]:
    """Return all possible actions, with the probability that they are legal, and their chance points."""
    found = {}
    for offer in offers(ruleset, state):
        asked = point(ruleset, state, offer.legal)
        key = offer.legal.action.type, offer.legal.seat, canonical(offer.legal.action)
        found[key] = offer.probability, None if asked is None else asked.probabilities()
    return found


def shown_table(recording: Recording) -> Any:
    """Return everything that is shown of a table."""
    ruleset, names, state = recording.game.ruleset, recording.game.header.names, recording.game.state
    assert state is not None
    overview = belief.overview(ruleset, state, names)
    return (
        msgspec.json.encode(belief.view(ruleset, state, None), order="sorted"),
        listing(ruleset, state),
        {canonical(facts.document(fact)) for fact in telling.known_facts(ruleset, state)},
        # Of uncertain parts, one possible table is shown.
        {label: text for label, text in overview.items() if not text.startswith("not seen")},
        belief.board(ruleset, state, names).subtitle,
    )


class Twins:
    """A game recorded twice, with some cards unseen: once with every table listed, and once with every hand counted."""

    def __init__(self, ruleset: str, seats: int, seed: int, **options: Any) -> None:
        self.rng = random.Random(seed)
        self.limits = self.rng.choice([(1, 1), (30, 10)])
        self.real = Recording(ruleset, seats, seed=str(seed), **options)
        self.real.add("set_up")
        self.listed, self.counted = Recording(ruleset, seats, **options), Recording(ruleset, seats, **options)
        for recording in (self.listed, self.counted):
            recording.add("set_up", outcomes=self.real.events[-1].outcomes)

    def shorten(self, size: int) -> None:
        """Leave only some cards in the pile."""
        pile: Any = self.real.game.state.treasure_pile.cards()  # type: ignore[union-attr]  # it is set up
        gone = Counter(self.rng.sample(pile, len(pile) - size))
        discarded = [{"fact": "cards_discarded", "card": card, "count": count} for card, count in gone.items()]
        for recording in (self.real, self.listed, self.counted):
            recording.add("adjust", facts=discarded, reason="A short pile.")

    @property
    def is_over(self) -> bool:
        state = self.listed.game.state
        is_large = isinstance(state, Belief) and len(state.worlds) > MOST_LISTED
        return is_large or self.real.game.state.outcome is not None  # type: ignore[union-attr]  # it is set up

    def play(self) -> None:
        """Record one more event in both, most often one that moves cards."""
        draft = self.draft()
        assert self.do(lambda recording: recording.append(draft)) is None

    def draft(self) -> Draft:
        """Return the next event of the real game, with some cards unseen."""
        legal = list(self.real.game.ruleset.legal_actions(self.real.game.state))
        often = {"discard": 6, "give_card": 6, "capture_treasure": 9, "save_artifact": 9, "move": 0.2, "shore_up": 1}
        one = self.rng.choices(legal, [often.get(one.action.type, 1) for one in legal])[0]
        params = msgspec.to_builtins(one.action)
        event = next(
            event
            for event in self.real.append(Draft(type=one.action.type, actor=one.actor, params=params))
            if event.type == one.action.type
        )
        outcomes = event.outcomes
        rising = self.real.game.ruleset.edition.rising_card
        if one.action.type in {"draw_treasure_card", "draw_artifact_card"} and outcomes[0] != rising:
            outcomes = (None,) if self.rng.random() < 0.7 else outcomes
        return Draft(type=event.type, actor=event.actor, params=event.params, outcomes=outcomes)

    def do(self, do: Callable[[Recording], object]) -> str | None:
        """Call `do` with both records; return the error, which must be the same for both."""
        refused = []
        for recording in (self.listed, self.counted):
            with counting(*((10**6, 0) if recording is self.listed else self.limits)):
                try:
                    do(recording)
                except EngineError as error:
                    chances = getattr(error, "point", None)
                    refused.append((type(error), str(error), chances and chances.probabilities()))
                else:
                    refused.append(None)
        assert refused[0] == refused[1]
        return None if refused[0] is None else refused[0][1]

    def check(self) -> bool:
        """Check that both give the same answers; return True if hands were counted."""
        listed, counted = self.listed.game.state, self.counted.game.state
        if not isinstance(counted, Pooled):
            assert listed == counted
            return False
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(belief, "MOST_TOLD", 10**6)
            assert shown_table(self.listed) == shown_table(self.counted)
        assert snapshots.load(snapshots.dump(self.counted.game)) == self.counted.game
        return True


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
@settings(max_examples=4, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_counted_hands_tell_what_listed_tables_do(ruleset: str, seats: int, seed: int) -> None:
    twins = Twins(ruleset, seats, seed)
    for _ in range(25):
        if twins.is_over:
            break
        twins.play()
        twins.check()
    with counting(*twins.limits):
        log = msgspec.json.decode(msgspec.json.encode(twins.counted.events), type=list[Event])
        assert fold(log) == twins.counted.game
        assert audit(log).verdict == "clean"


@settings(max_examples=2, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_a_reveal_is_as_if_it_had_been_reported_at_once(seats: int, seed: int) -> None:
    twins = Twins("forbidden-island", seats, seed)
    while not twins.is_over and len(twins.listed.events) < 20:
        twins.play()
    hidden = [event.seq for event in twins.counted.events if event.outcomes == (None,)]
    if not hidden or twins.real.game.state.outcome is not None:  # type: ignore[union-attr]  # it is set up
        return
    seq = twins.rng.choice(hidden)
    (true,) = twins.real.events[seq - 1].outcomes
    for value in {true, twins.rng.choice(["sandbags", "helicopter_lift", "waters_rise"])}:
        refused = []
        for mine in (twins.listed, twins.counted):
            recording = Recording.of(mine)
            with counting(*((10**6, 0) if mine is twins.listed else twins.limits)):
                try:
                    recording.add("reveal", seq=seq, position=0, value=value)
                except (ImpossibleOutcome, IllegalAction):
                    refused.append(None)
                else:
                    refused.append(listing(recording.game.ruleset, recording.game.state))  # type: ignore[arg-type]
        assert refused[0] == refused[1]
        assert value != true or refused[0] is not None


@pytest.mark.long
@settings(max_examples=4, deadline=None)
@given(seats=st.integers(2, 4), size=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_odds_are_exact_after_the_pile_is_renewed(seats: int, size: int, seed: int) -> None:
    twins = Twins("forbidden-island", seats, seed)
    twins.shorten(size)
    while not twins.is_over and len(twins.real.events) < 40:
        twins.play()
        if twins.check():
            believed: Any = twins.counted.game.state
            assert believed.is_exact
    with counting(*twins.limits):
        assert fold(twins.counted.events) == twins.counted.game


def pooled_recording(count: int = 2, **options: Any) -> Recording:
    """Ada has two unseen, counted cards; her turn continues."""
    recording = dealt(**options)
    for _ in range(count):
        recording.add("draw_treasure_card", "p1", [None])
    assert isinstance(recording.game.state, Pooled)
    return recording


@pytest.fixture
def _counting() -> Iterator[None]:
    with counting():
        yield


@pytest.mark.usefixtures("_counting")
def test_the_likeliest_hands_are_told() -> None:
    recording = pooled_recording()
    ruleset, state = recording.game.ruleset, recording.game.state
    assert isinstance(state, Pooled)
    whole = belief.view(ruleset, state, None)["hands"][0][-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief, "MOST_TOLD", 3)
        hand = belief.view(ruleset, state, None)["hands"][0]
    assert hand[:-1] == ["earth_stone", "sandbags"]
    some = hand[-1]
    assert some["unseen"] == 2
    assert some["more"] == len(whole["one_of"]) - 3
    assert [one["value"] for one in some["one_of"]] == [
        ["crystal_of_fire", "oceans_chalice"],
        ["crystal_of_fire", "statue_of_the_wind"],
        ["oceans_chalice", "statue_of_the_wind"],
    ]
    assert all(one in whole["one_of"] for one in some["one_of"])
    has = {one["value"]: Fraction(one["p_exact"]) for one in some["has"]}
    for card, chance in has.items():
        assert chance == sum(Fraction(one["p_exact"]) for one in whole["one_of"] if card in one["value"])


@pytest.mark.usefixtures("_counting")
def test_what_is_asked_has_its_odds() -> None:
    recording = pooled_recording(1)
    for outcomes, error in (((), OutcomeRequired), (("coffee",), ImpossibleOutcome)):
        with pytest.raises(error) as refused:
            recording.add("draw_treasure_card", "p1", outcomes)
        assert refused.value.point.probabilities()["oceans_chalice"] == Fraction(100, 483)  # type: ignore[attr-defined]
    draw = next(
        offer.legal
        for offer in offers(recording.game.ruleset, recording.game.state)  # type: ignore[arg-type]  # it is set up
        if offer.legal.action.type == "draw_treasure_card"
    )
    assert may_be_unseen(recording.game.ruleset, recording.game.state, draw)  # type: ignore[arg-type]  # it is set up


@pytest.mark.usefixtures("_counting")
def test_facts_that_leave_the_cards_alone_are_taken() -> None:
    recording = pooled_recording()
    recording.add("adjust", facts=[{"fact": "water_level", "level": 4}], reason="as it lies")
    assert isinstance(recording.game.state, Pooled)
    assert recording.game.state.worlds[0].state.water_level == 4


@settings(max_examples=4, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_a_fact_about_a_counted_hand_is_as_one_about_listed_tables(seats: int, seed: int) -> None:
    twins = Twins("forbidden-island", seats, seed)
    while not twins.is_over and len(twins.listed.events) < 20:
        twins.play()
    if twins.real.game.state.outcome is not None:  # type: ignore[union-attr]  # it is set up
        return
    hands: Any = twins.real.game.state.hands  # type: ignore[union-attr]  # it is set up
    for seat, hand in enumerate(hands):
        card = twins.rng.choice(["sandbags", "oceans_chalice", *hand])
        fact = {"fact": "has_cards", "seat": f"p{seat + 1}", "card": card, "count": hand.count(card)}
        assert twins.do(lambda one, fact=fact: one.add("adjust", facts=[fact], reason="seen")) is None  # type: ignore[misc]
        assert twins.listed.events[-1].params == twins.counted.events[-1].params
        twins.check()
    with counting(*twins.limits):
        assert fold(twins.counted.events) == twins.counted.game


@pytest.mark.usefixtures("_counting")
def test_a_fact_rules_out_hands_until_the_tables_can_be_listed() -> None:
    recording = pooled_recording(3, mode="as_played")
    before: Any = recording.game.state
    facts = [{"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 0}]
    recording.add("adjust", facts=facts, reason="seen")
    state: Any = recording.game.state
    assert isinstance(state, Pooled)
    assert state.is_exact
    assert state.rows[0] == tuple(row for row in before.rows[0] if "helicopter_lift" not in row[0])
    facts = [
        {"fact": "has_cards", "seat": "p1", "card": "oceans_chalice", "count": 3},
        {"fact": "has_cards", "seat": "p1", "card": "crystal_of_fire", "count": 0},
    ]
    recording.add("adjust", facts=facts, reason="seen")
    assert recording.game.state.hands[0].count("oceans_chalice") == 3  # type: ignore[union-attr]  # it is known now


@pytest.mark.usefixtures("_counting")
def test_what_a_fact_rules_out_later_is_no_possible_reveal() -> None:
    recording = pooled_recording()
    facts: list[dict[str, Any]] = [{"fact": "cards_discarded", "card": "waters_rise", "count": 1}]
    recording.add("adjust", facts=facts, reason="as it lies")
    facts = [{"fact": "has_cards", "seat": "p1", "card": "oceans_chalice", "count": 2}]
    recording.add("adjust", facts=facts, reason="as it lies")
    first, _ = reveals.unknowns(recording.history.rules, recording.history.mainline)
    assert first.point.probabilities() == {"oceans_chalice": 1}
    with pytest.raises(ImpossibleOutcome) as refused:
        recording.add("reveal", seq=3, position=0, value="statue_of_the_wind")
    assert "statue_of_the_wind" not in refused.value.point.options
    recording.add("reveal", seq=3, position=0, value="oceans_chalice")


def test_an_opening_card_that_cannot_have_come_up_is_refused() -> None:
    recording, known = Recording(), dealt()
    outcomes = known.events[1].outcomes
    recording.add("set_up", outcomes=(*outcomes[:-1], None))
    reveal = {"seq": 2, "position": len(outcomes) - 1}
    with counting():
        for _ in range(2):
            recording.add("draw_treasure_card", "p1", [None])
        assert isinstance(recording.game.state, Pooled)
        with pytest.raises(ImpossibleOutcome):
            recording.add("reveal", **reveal, value="no such card")
        recording.add("reveal", **reveal, value=outcomes[-1])


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize("is_from_pile", [False, True])
def test_a_fact_that_no_table_holds_moves_cards(is_from_pile: bool) -> None:
    recording = pooled_recording()
    before: Any = recording.game.state
    hand = before.worlds[0].state.hands[1]
    if is_from_pile:
        facts = [{"fact": "cards_discarded", "card": "waters_rise", "count": 1}]
    else:
        facts = [{"fact": "has_cards", "seat": "p2", "card": hand[0], "count": 0}]
    recording.add("adjust", facts=facts, reason="as it lies")
    state = recording.game.state
    assert isinstance(state, Pooled)
    assert state.is_exact
    assert {one for one, _ in state.rows[0]} == {one for one, _ in before.rows[0]}
    assert len(state.stock) == len(before.stock) - 1
    assert fold(recording.events) == recording.game


@pytest.mark.usefixtures("_counting")
def test_a_step_is_left_out() -> None:
    recording = pooled_recording(mode="as_played")
    recording.add("left_out", seat="p1", step="flood_cards")
    assert isinstance(recording.game.state, Pooled)
    assert recording.game.state.turn == 2


@pytest.mark.usefixtures("_counting")
def test_a_slip_is_believed() -> None:
    recording = pooled_recording(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    assert recording.events[-1].verdict == "illegal"
    assert isinstance(recording.game.state, Pooled)


@pytest.mark.usefixtures("_counting")
def test_an_amend_plays_counted_hands_again() -> None:
    recording = pooled_recording()
    other = dealt()
    other.add("draw_treasure_card", "p1", ["oceans_chalice"])
    other.add("draw_treasure_card", "p1", [None])
    recording.add("amend", seq=3, event={"type": "draw_treasure_card", "actor": "p1", "outcomes": ["oceans_chalice"]})
    assert recording.game.state == other.game.state
    with pytest.raises(IllegalAction):
        recording.add("amend", seq=3, event={"type": "discard", "actor": "p1", "params": {"card": "sandbags"}})


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize("value", ["waters_rise", "no such card"])
def test_what_cannot_have_come_up_is_refused_at_once(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setattr(amends, "write_anew", pytest.fail)
    with pytest.raises(ImpossibleOutcome):
        pooled_recording().add("reveal", seq=3, position=0, value=value)


@pytest.mark.usefixtures("_counting")
def test_what_cannot_follow_any_more_is_told() -> None:
    recording = pooled_recording()
    for _ in range(2):
        tile = recording.game.state.worlds[0].state.flood_pile.layers[0][0]  # type: ignore[union-attr]
        recording.add("draw_flood_card", "p1", [tile])
    recording.add("draw_treasure_card", "p2", [None])
    recording.add("draw_treasure_card", "p2", ["sandbags"])
    with pytest.raises(ImpossibleOutcome) as refused:
        recording.add("reveal", seq=3, position=0, value="sandbags")
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=3, position=0, value="waters_rise")
    first, *others = reveals.unknowns(recording.history.rules, recording.history.mainline)
    assert first.point == refused.value.point
    recording.add("reveal", seq=3, position=0, value="oceans_chalice")
    left = reveals.unknowns(recording.history.rules, recording.history.mainline)
    assert [one.seq for one in left] == [one.seq for one in others]


def test_few_tables_are_listed_again() -> None:
    ruleset, state = registry.ruleset("forbidden-island"), dealt().game.state
    with counting(10, 7):
        for _ in range(2):
            state = worlds.spread(ruleset, state, drawing(0), (None,), 1000)
        assert isinstance(state, Pooled)
        after, judgement = worlds.step(ruleset, state, GiveCard("p2", "oceans_chalice"), 0, (), most=1000)
    assert judgement is not None
    assert judgement.verdict == "unknowable"
    assert isinstance(after, Belief)
    assert not isinstance(after, Pooled)
    assert len(after.worlds) == 7


def small(*pile: str) -> Any:
    """A table whose Treasure deck has only these cards; all others are discarded."""
    table: Any = dealt().game.state
    left = table.treasure_pile
    for card in pile:
        left = left.without(card)
    return replace(table, treasure_pile=Pile.shuffled(pile), treasure_discard=left.cards())


def draw_treasure(state: Any, chance: Chance) -> Any:
    return DrawTreasureCard().apply(state, state.active, chance)


@pytest.mark.usefixtures("_counting")
def test_a_pile_that_is_shuffled_anew_is_known() -> None:
    ruleset, state = registry.ruleset("forbidden-island"), small("oceans_chalice", "sandbags", "earth_stone")
    for seat in (0, 1):
        state = worlds.spread(ruleset, state, drawing(seat), (None,), 1000)
    state = worlds.spread(ruleset, state, draw_treasure, (None,), 1000)
    assert isinstance(state, Pooled)
    (layer,) = state.worlds[0].state.treasure_pile.layers
    assert len(layer) == 21
    assert belief.view(ruleset, state, None)["treasure_pile"] == {"layers": (layer,)}
    assert snapshots._state(msgspec.Raw(msgspec.json.encode(state)), ruleset.state) == state
    seen = worlds.spread(ruleset, state, draw_treasure, ("helicopter_lift",), 1000)
    assert isinstance(seen, Pooled)
    assert cards_of(seen.stock) == tuple(sorted((*state.stock, *layer)))
    again = worlds.spread(ruleset, state, draw_treasure, (None,), 1000)
    assert isinstance(again, Pooled)
    assert again.is_exact
    assert cards_of(again.stock) == tuple(sorted((*state.stock, *layer)))
    table = belief.view(ruleset, again, None)
    # Bo's card is as likely as before, because the old pile is used up.
    assert [hand[-1]["unseen"] for hand in table["hands"]] == [3, 1]
    assert [one["p_exact"] for one in table["hands"][1][-1]["one_of"]] == ["1/3"] * 3
    assert snapshots._state(msgspec.Raw(msgspec.json.encode(again)), ruleset.state) == again


@pytest.mark.usefixtures("_counting")
def test_too_many_hands_have_no_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "MOST_WAYS", 1)
    ruleset, state = registry.ruleset("forbidden-island"), small("oceans_chalice", "sandbags", "earth_stone")
    for seat in (0, 1):
        state = worlds.spread(ruleset, state, drawing(seat), (None,), 1000)
    state = worlds.spread(ruleset, state, draw_treasure, (None,), 1000)
    again = worlds.spread(ruleset, state, draw_treasure, (None,), 1000)
    assert isinstance(again, Pooled)
    assert not again.is_exact
    table = belief.view(ruleset, again, None)
    assert table["treasure_pile"] == {"layers": [[{"unseen": 20}]]}
    assert table["hands"][1][-1]["may_be"] == ["earth_stone", "oceans_chalice", "sandbags"]


class Quiet(DrawTreasureCard, frozen=True):
    """A draw that asks for no result in this state."""

    type = "quiet"

    def apply(self, state: Any, seat: int, chance: Chance) -> Any:
        return state


@pytest.mark.usefixtures("_counting")
def test_an_action_that_may_ask_chance_asks_nothing_here() -> None:
    ruleset = registry.ruleset("forbidden-island")
    state = worlds.spread(ruleset, small("oceans_chalice", "sandbags", "earth_stone"), drawing(0), (None,), 1000)
    assert isinstance(state, Pooled)
    table = replace(state, worlds=tuple(World(1, replace(one.state, phase="draw_treasure")) for one in state.worlds))
    assert point(ruleset, table, LegalAction(Quiet(), 0)) is None


@pytest.mark.usefixtures("_counting")
def test_a_fact_about_a_hand_once_the_pile_is_drawn_up() -> None:
    ruleset = registry.ruleset("forbidden-island")
    state = small("oceans_chalice", "sandbags", "earth_stone", "crystal_of_fire")
    for seat in (0, 1, 0, 1):
        state = worlds.spread(ruleset, state, drawing(seat), (None,), 1000)
    told = facts.read(ruleset, [{"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 1}], 2, "/facts")
    after = telling.condition_belief(ruleset, state, told)
    assert isinstance(after, Pooled)
    assert after.is_exact
    # Ada was dealt the only Sandbags, so the drawn card is Bo's.
    assert {hand.count("sandbags") for hand, _ in after.rows[0]} == {1}
    assert [len(row) for row in after.rows] == [3, 3]
    assert {len(world.state.treasure_pile.cards()) for world in after.worlds} == {0}
    assert belief.view(ruleset, after, None)["treasure_pile"] == {"layers": ()}


@pytest.mark.usefixtures("_counting")
def test_what_has_to_stay_covered_is_found() -> None:
    table = small("waters_rise", "oceans_chalice", "sandbags", "earth_stone")
    pile = Pile.shuffled(("oceans_chalice", "waters_rise"))
    pairs = [("earth_stone", "sandbags"), ("sandbags", "earth_stone")]
    states = [replace(table, hands=((one,), (other,)), treasure_pile=pile) for one, other in pairs]
    known = Belief(turn=1, phase="actions", worlds=tuple(World(1, state) for state in states))
    after = worlds.spread(registry.ruleset("forbidden-island"), known, draw_treasure, (None,), 1000)
    assert isinstance(after, Belief)
    counted = pooling.pool_tables(registry.ruleset("forbidden-island"), known.worlds)
    assert isinstance(counted, Pooled)
    again = worlds.spread(registry.ruleset("forbidden-island"), counted, draw_treasure, (None,), 1000)
    assert isinstance(again, Pooled)
    assert all("oceans_chalice" in world.state.hands[0] for world in again.worlds)


@pytest.mark.usefixtures("_counting")
def test_however_a_card_is_compared_it_is_read() -> None:
    def run(state: Any, _: Chance) -> Any:
        return replace(state, water_level=len(set(state.hands[0])) + (state.hands[1][0] != "coffee"))

    with pytest.raises(Undetermined):
        spread(run)


def test_counted_hands_before_are_not_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    # As if the hands had been counted before the second draw.
    monkeypatch.setattr(reveals, "_is_pooled", lambda _, begin: begin < 2)
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=4, position=0, value="waters_rise")


Run = Callable[[Any, Chance], Any]


def spread(run: Run, reported: Sequence[Any] = (), state: State | None = None) -> State:
    """Return the state after `run`, by default at a table where Ada and Bo have each drawn an unseen card."""
    if state is None:
        recording = dealt()
        recording.add("draw_treasure_card", "p1", [None])
        state = worlds.spread(recording.game.ruleset, recording.game.state, drawing(1), (None,), 1000)
    return worlds.spread(registry.ruleset("forbidden-island"), state, run, tuple(reported), 1000)


def drawing(seat: int) -> Run:
    def run(state: Any, chance: Chance) -> Any:
        card, pile = state.treasure_pile.draw(chance, "treasure_card")
        hands = list(state.hands)
        hands[seat] = tuple(sorted((*hands[seat], card)))
        return replace(state, hands=tuple(hands), treasure_pile=pile)

    return run


def vanishing(state: Any, chance: Chance) -> Any:
    return replace(state, treasure_pile=state.treasure_pile.draw(chance, "treasure_card")[1])


def going_under(state: Any, chance: Chance) -> Any:
    card, pile = state.treasure_pile.draw(chance, "treasure_card")
    return replace(state, treasure_pile=pile.put_at_bottom(card))


def going_in(state: Any, chance: Chance) -> Any:
    card, pile = state.treasure_pile.draw(chance, "treasure_card")
    return replace(state, treasure_pile=Pile.shuffled((*pile.layers[0], card)))


def changing_hands(state: Any, _: Chance) -> Any:
    return replace(state, hands=state.hands[::-1])


def turning_into_another(state: Any, chance: Chance) -> Any:
    card, pile = state.treasure_pile.draw(chance, "treasure_card")
    hand = (*state.hands[0], "coffee" if card == "oceans_chalice" else card)
    return replace(state, hands=(tuple(sorted(hand)), *state.hands[1:]), treasure_pile=pile)


def looking_at_the_pile(state: Any, _: Chance) -> Any:
    return replace(state, water_level=1 + ("sandbags" in state.treasure_pile.layers[0]))


def both(state: Any) -> bool:
    return all("oceans_chalice" in hand for hand in state.hands)


def not_both(state: Any, chance: Chance) -> Any:
    chance.draw("whether", ("no",) if both(state) else ("yes",))
    return state


def seldom_both(state: Any, chance: Chance) -> Any:
    chance.draw("whether", ("yes", "no") if both(state) else ("yes",))
    return state


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize(
    ("run", "reported"),
    [
        (vanishing, (None,)),
        (turning_into_another, (None,)),
        (going_in, ("oceans_chalice",)),
        (changing_hands, ()),
        (looking_at_the_pile, ()),
    ],
)
def test_what_hides_more_than_hands_and_a_pile_is_refused(run: Run, reported: Sequence[Any]) -> None:
    with pytest.raises(IllegalAction, match="depends on unknown cards"):
        spread(run, reported)


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize(("run", "reported"), [(going_under, (None,)), (not_both, ("yes",)), (seldom_both, ("yes",))])
def test_what_is_no_product_keeps_what_is_possible(
    monkeypatch: pytest.MonkeyPatch, run: Run, reported: Sequence[Any]
) -> None:
    exact = spread(lambda state, _: state)
    monkeypatch.setattr(hands, "MOST_WAYS", 0)
    after = spread(run, reported)
    assert isinstance(after, Pooled)
    assert not after.is_exact
    assert isinstance(exact, Pooled)
    assert after.stock == exact.stock
    assert [{hand for hand, _ in row} for row in after.rows] == [{hand for hand, _ in row} for row in exact.rows]


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize("reported", [(None, None), ("oceans_chalice", None), (None, "oceans_chalice")])
def test_two_draws_of_one_event_are_as_those_of_two(reported: tuple[str | None, ...]) -> None:
    def both_draw(state: Any, chance: Chance) -> Any:
        return drawing(1)(drawing(0)(state, chance), chance)

    one, other = reported
    assert spread(both_draw, reported) == spread(drawing(1), (other,), spread(drawing(0), (one,)))


@pytest.mark.usefixtures("_counting")
def test_rows_that_are_read_together_stay_rows() -> None:
    after = spread(lambda state, _: replace(state, water_level=2 + (both(state) and False)))
    assert isinstance(after, Pooled)
    assert after == spread(lambda state, _: replace(state, water_level=2))


@pytest.mark.usefixtures("_counting")
def test_too_many_that_have_to_be_read_together_are_refused() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "MOST_READ", 3)
        with pytest.raises(possible.TooManyTables):
            spread(seldom_both, ("yes",))


@pytest.mark.usefixtures("_counting")
def test_tables_that_are_no_products_keep_their_odds() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    state = recording.game.state
    assert isinstance(state, Pooled)

    def listed_belief(hands: Sequence[tuple[str, str]], weights: Sequence[int]) -> Belief:
        table = dealt().game.state
        assert table is not None
        found = []
        for (one, other), weight in zip(hands, weights, strict=True):
            pile = table.treasure_pile.without(one).without(other)  # type: ignore[attr-defined]
            found.append(World(weight, replace(table, hands=((one,), (other,)), treasure_pile=pile)))  # type: ignore[arg-type]
        return Belief(turn=1, phase="actions", worlds=tuple(found))

    square = [(one, other) for one in ("sandbags", "earth_stone") for other in ("earth_stone", "oceans_chalice")]
    for known in (listed_belief(square, (1, 1, 1, 50)), listed_belief(square[:3], (1, 1, 1))):
        after = spread(drawing(0), (None,), known)
        assert isinstance(after, Pooled)
        assert after.is_exact
        assert {cards_of(hand) for hand, _ in after.rows[1]} == {(other,) for _, other in square}


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize("ruleset", ["forbidden-desert", "forever-island", "forgotten-waters"])
def test_other_games_list_their_tables(ruleset: str) -> None:
    with pytest.raises(possible.TooManyTables):
        running.run_on_tables(
            registry.ruleset(ruleset), None, lambda _, __: (_ for _ in ()).throw(possible.TooManyTables())
        )


@pytest.mark.usefixtures("_counting")
def test_tables_that_differ_in_more_than_cards_are_listed() -> None:
    table: Any = dealt().game.state
    states = [replace(table, water_level=level) for level in (1, 2)]
    known = Belief(turn=1, phase="actions", worlds=tuple(World(1, state) for state in states))
    with pytest.raises(possible.TooManyTables):
        spread(drawing(0), (None,), known)


@pytest.mark.usefixtures("_counting")
def test_changed_tables_have_to_agree() -> None:
    recording = pooled_recording()
    ruleset, state = recording.game.ruleset, recording.game.state
    assert isinstance(state, Pooled)
    tables: list[Any] = [world.state for world in state.worlds]
    levels = [(1, replace(table, water_level=1 + number % 2)) for number, table in enumerate(tables)]
    with pytest.raises(Undetermined, match="water level"):
        telling.agreeing(ruleset, state, levels)
    first, *others = tables
    odd = replace(first, hands=(first.hands[0], tuple("coffee" for _ in first.hands[1])))
    with pytest.raises(IllegalAction, match="depends on unknown cards"):
        telling.agreeing(ruleset, state, [(1, table) for table in (odd, *others)])
    swapped = [replace(table, hands=(tables[0].hands[0], table.hands[1])) for table in tables]
    for table, one in zip(tables, swapped, strict=True):
        left = [*table.hands[0], *table.treasure_pile.cards()]
        for card in one.hands[0]:
            left.remove(card)
        swapped[swapped.index(one)] = replace(one, treasure_pile=Pile.shuffled(left))
    after = telling.agreeing(ruleset, state, [(1, table) for table in swapped])
    assert belief.worlds(after)[0].state.hands[0] == tables[0].hands[0]


@pytest.mark.usefixtures("_counting")
def test_a_rule_that_looks_for_one_kind_reads_how_many_there_are_of_it() -> None:
    tables: list[Any] = []

    def run(state: Any, _: Chance) -> Any:
        tables.append([hand.count("oceans_chalice") for hand in state.hands])
        return state

    exact = spread(lambda state, _: state)
    with pytest.MonkeyPatch.context() as patch:
        # Each of them can have one.
        patch.setattr(running, "MOST_READ", 4)
        after = spread(run)
    assert after == exact
    assert sorted(tables[-4:]) == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_tables_of_different_cards_are_not_counted() -> None:
    pile = Pile.shuffled(("oceans_chalice", "waters_rise"))
    table = small("waters_rise", "oceans_chalice", "sandbags", "earth_stone")
    states = [replace(table, hands=((card,), ()), treasure_pile=pile) for card in ("sandbags", "earth_stone")]
    tables = [World(1, state) for state in states]
    assert pooling.pool_tables(registry.ruleset("forbidden-island"), tables) is None
