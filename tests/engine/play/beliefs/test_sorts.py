"""Unseen treasures of Forgotten Waters: counted in sorts, they give the same answers as listed tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.canonical import canonical
from engine.core.errors import EngineError, IllegalAction, Undetermined
from engine.core.events import Draft
from engine.core.values import SEAT_IDS, State
from engine.games.forgotten_waters.facts.pirates import TreasureAt
from engine.games.forgotten_waters.facts.ship import CalledSo
from engine.games.forgotten_waters.rules.resolving import push, settle
from engine.games.forgotten_waters.scenario.effects import Effect
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Observed
from engine.kit.effects import UnseenCard, trait
from engine.kit.kernel import LegalAction
from engine.kit.piles import Pile, renewed
from engine.play import registry
from engine.play.beliefs import belief, covering, hands, sorts, telling, worlds
from engine.play.beliefs.belief import Pooled
from engine.play.corrections import counting, facts, reveals
from engine.play.fold import fold
from engine.play.line import Slot
from engine.play.offers import offers
from engine.review.audit import audit
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, having, resolving, voyage
from tests.engine.games.forgotten_waters.test_readings import resolves
from tests.engine.play.beliefs.test_pooling import MOST_LISTED, listing
from tests.engine.play.beliefs.test_pooling import counting as limited
from tests.recording import Recording

RULES = registry.ruleset(FORGOTTEN_WATERS)
NAMES = ("Ada", "Bo", "Cleo")
FIELDS = ("pirates/*/treasures", "treasure_pile")
SUPPLIES = {"fact": "ship_stat", "stat": "supplies", "value": 3}
HULL = {"do": "ship", "stat": "hull", "n": -1}
EFFECTS: tuple[dict[str, Any], ...] = (
    {"do": "gain_treasure", "n": 2},
    {"do": "gain_treasure"},
    {"do": "steal_treasure"},
    {"do": "lose_treasure"},
    {"do": "bury_treasure", "up_to": 1},
    {"do": "check", "skill": "aim", "results": [{"from": 1}, {"from": 12, "effects": [{"do": "threat", "n": 1}]}]},
    {"do": "check", "skill": "swagger"},
    {"do": "rerolls", "n": 1},
)


def known_table(state: State) -> Any:
    """Return everything known of a table; the order of known cards does not matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief, "MOST_TOLD", 10**6)
        view = belief.view(RULES, state, None)
    for pirate in view["pirates"]:
        pirate["treasures"] = sorted(map(canonical, pirate["treasures"]))
    return (
        msgspec.json.encode(view, order="sorted"),
        listing(RULES, state),
        {canonical(facts.document(fact)) for fact in telling.known_facts(RULES, state)},
    )


class Twins:
    """A table with a short deck, three times: known, with listed tables, and counted in sorts."""

    def __init__(self, seed: int, size: int, state: WatersState) -> None:
        self.rng = random.Random(seed)
        cards = list(state.treasure_pile.cards())
        self.rng.shuffle(cards)
        state = replace(state, treasure_pile=Pile.shuffled(cards[:size]), treasure_discard=tuple(cards[size:]))
        state = resolving(state=state)
        for seat in self.rng.choices((0, 1), k=9):
            effect = self.rng.choices(EFFECTS, [4, 4, 2, 2, 1, 1, 1, 1])[0]
            state = push(state, seat, [msgspec.convert(effect, Effect)])
        self.real: Any = settle(state)
        self.listed: State = self.real
        self.counted: State = self.real

    @property
    def is_over(self) -> bool:
        return not self.real.agenda or len(belief.worlds(self.listed)) > MOST_LISTED

    def play(self) -> None:
        """Take a legal action; a drawn treasure is usually unseen."""
        legal = self.rng.choice(list(RULES.legal_actions(self.real)))
        point = RULES.chance_point(self.real, legal)
        outcomes = () if point is None else (self.rng.choice(point.options),)
        chance = Observed()
        chance.begin(3, outcomes)
        self.real = legal.action.apply(self.real, legal.seat, chance)
        if legal.action.type == "draw_treasure" and self.rng.random() < 0.8:
            outcomes = (None,)
        before = self.real
        refused = self.do(lambda state: worlds.step(RULES, state, legal.action, legal.seat, outcomes, most=10**6)[0])
        if refused is not None:
            # The appearance differs, so the table must look, which ends the example.
            assert refused is Undetermined or outcomes == (None,), (refused, before)
            self.real = replace(self.real, agenda=())

    def look(self) -> None:
        """Report the place of one of the treasures."""
        at = {card: SEAT_IDS[seat] for seat, pirate in enumerate(self.real.pirates) for card in pirate.treasures}
        at |= dict.fromkeys(self.real.treasure_pile.cards(), "deck") or {"oak_heart": "discarded"}
        fact: Any = TreasureAt(*self.rng.choice(sorted(at.items())))
        correction = facts.FactCorrection(facts=(fact,), was=(fact,))
        assert self.do(lambda state: facts.apply_correction(RULES, NAMES, state, correction)) is None

    def do(self, do: Callable[[Any], State]) -> type[EngineError] | None:
        """Call `do` with both tables; return the type of the error, which must be the same for both."""
        refused, found = [], []
        for state, limits in ((self.listed, (10**6, 0)), (self.counted, (1, 1))):
            with limited(*limits):
                try:
                    found.append(do(state))
                except EngineError as error:
                    chances = getattr(error, "point", None)
                    refused.append((type(error), str(error), chances and chances.probabilities()))
        if refused:
            assert len(refused) == 2, refused
            assert refused[0] == refused[1]
            return refused[0][0]
        self.listed, self.counted = found
        with limited(1, 1):
            counted = known_table(self.counted)
        with limited(10**6, 0):
            assert counted == known_table(self.listed)
        return None


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(3, 6))
def test_sorts_tell_what_listed_tables_do(seed: int, size: int) -> None:
    twins = Twins(seed, size, voyage())
    while not twins.is_over:
        twins.play()
        if twins.rng.random() < 0.2 and twins.real.agenda:
            twins.look()


class OwnBox(Twins):
    """Tables on which players name cards. The listed tables draw the named card instead."""

    def play(self) -> None:
        legal = self.rng.choice(list(RULES.legal_actions(self.real)))
        is_drawn, point = legal.action.type == "draw_treasure", RULES.chance_point(self.real, legal)
        if is_drawn and self.rng.random() < 0.5:
            self.name(legal.seat, self.rng.choice(["Hook", "Parrot", "Map"]))
        else:
            outcomes = () if point is None else (None,) if is_drawn else (self.rng.choice(point.options),)
            self.do(lambda state: worlds.step(RULES, state, legal.action, legal.seat, outcomes, most=10**6)[0])
        self.real = self.rng.choice(belief.worlds(self.listed)).state

    def name(self, seat: int, name: str) -> None:
        tables: list[Any] = [world.state for world in belief.worlds(self.listed)]
        called = dict(tables[0].names or ())
        decks = [renewed(table, "treasure_pile", "treasure_discard").treasure_pile for table in tables]
        cards = {card for deck in decks for card in deck.cards()}
        card = min(cards, key=lambda one: (called.get(one) != name, one in called, one))
        is_, was = (CalledSo(card, one) for one in (name, called.get(card)))
        draws: Iterator[tuple[dict[str, Any], tuple[str, ...]]] = iter((({}, (card,)), ({"name": name}, ())))

        def do(state: State) -> State:
            params, outcomes = next(draws)
            after = worlds.step(RULES, state, RULES.parse("draw_treasure", params), seat, outcomes, most=10**6)[0]
            return (
                after if params else facts.apply_correction(RULES, NAMES, after, facts.FactCorrection((is_,), (was,)))
            )

        assert self.do(do) is None


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(3, 6))
def test_naming_a_card_beside_unseen_ones_draws_it(seed: int, size: int) -> None:
    twins = OwnBox(seed, size, resolves())
    while not twins.is_over:
        twins.play()


def test_an_evening_of_unseen_treasures() -> None:
    """If legality depends on a treasure, the refusal names its event, and the record continues after a reveal."""
    rng, seed = random.Random(2), "2"
    real, recording = Recording(FORGOTTEN_WATERS, 3, seed=seed), Recording(FORGOTTEN_WATERS, 3)
    real.add("set_up")
    recording.add("set_up", outcomes=real.events[-1].outcomes)
    drawn: dict[int, Any] = {}
    revealed, chances = [], set[Fraction]()
    while isinstance(state := real.game.state, WatersState) and state.outcome is None and len(drawn) < 5:
        legal = list(RULES.legal_actions(state))
        one = rng.choice([one for one in legal if one.action.type == "draw_treasure"] or legal)
        event = real.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))[0]
        outcomes = (None,) if event.type == "draw_treasure" else event.outcomes
        draft = Draft(type=event.type, actor=event.actor, params=event.params, outcomes=outcomes)
        while True:
            try:
                (added, *_) = recording.append(draft)
                break
            except Undetermined as error:
                (seq, position), *_ = error.unknowns
                unknowns = reveals.unknowns(recording.history.rules, recording.history.mainline)
                assert all(drawn[one.seq] in one.point.options for one in unknowns)
                chances |= {chance for one in unknowns for chance in one.point.probabilities().values()}
                recording.add("reveal", seq=seq, position=position, value=drawn[seq])
                revealed.append(seq)
        if outcomes == (None,):
            drawn[added.seq] = event.outcomes[0]
    assert (len(drawn), len(revealed)) == (5, 3)
    assert chances >= {Fraction(1, 36), Fraction(1, 35)}
    assert fold(recording.events) == recording.game
    assert audit(recording.events).verdict == "clean"
    assert any(isinstance(state, Pooled) for state in recording.states)
    assert len(reveals.unknowns(recording.history.rules, recording.history.mainline)) == 2


def test_an_own_book_goes_on_beside_unseen_treasures() -> None:
    def read(*effects: dict[str, Any]) -> Any:
        return RULES.parse("read_out", {"effects": effects})

    def after(state: State, action: Any, *outcomes: None) -> Any:
        return worlds.step(RULES, state, action, 1, outcomes, most=10**6)[0]

    gain, give = {"do": "gain_treasure", "names": ["Hook"]}, {"do": "give_card", "card": "treasure_2", "player": "p1"}
    state = after(resolves(), read({"do": "gain_treasure", "n": 2}))
    with limited(1, 1):
        for _ in range(2):
            state = after(state, RULES.parse("draw_treasure", {}), None)
        assert [one.probability for one in offers(RULES, state) if one.legal == LegalAction(read(HULL), 1)] == [1]
        for effect, treasures in ((HULL, [0, 1]), (gain, [0, 2]), (give, [1, 1])):
            pirates = belief.view(RULES, after(state, read(effect)), None)["pirates"]
            assert [len(pirate["treasures"]) for pirate in pirates[:2]] == treasures
        state = after(state, read({"do": "lose_treasure", "n": 1}, gain))
        with pytest.raises(IllegalAction, match="Reveal some of them first"):
            after(state, RULES.parse("discard_treasure", {"treasure": "treasure_5"}))


def draw_unseen(count: int, *known: str) -> State:
    """A table at which Ada has the treasures `known`, and has drawn `count` more that nobody saw."""
    state: State = having(resolving({"do": "gain_treasure", "n": count}), treasures=known)
    draw = RULES.parse("draw_treasure", {})
    for _ in range(count):
        state = worlds.step(RULES, state, draw, 0, (None,), most=10**6)[0]
    assert isinstance(state, Pooled)
    return state


def test_a_known_treasure_moves_beside_unseen_ones() -> None:
    state = draw_unseen(3, "oak_heart")
    here, there = TreasureAt("oak_heart", "p1"), TreasureAt("oak_heart", "p2")
    assert telling.condition_belief(RULES, state, [there, facts.read(RULES, [SUPPLIES], 3, "")[0]]) is state
    after: Any = facts.apply_correction(RULES, NAMES, state, facts.FactCorrection(facts=(there,), was=(here,)))
    first, second = (pirate["treasures"] for pirate in belief.view(RULES, after, None)["pirates"][:2])
    (unseen,) = first
    assert (unseen["unseen"], unseen["more"], second) == (3, 35 * 34 * 33 // 6 - 50, ["oak_heart"])
    assert {(one["value"], one["p_exact"]) for one in unseen["has"]} > {("rain_cloud", "3/35")}


def test_many_unseen_treasures_are_exact_and_can_be_seen_to_be_elsewhere() -> None:
    state = draw_unseen(4)
    (unseen,) = belief.view(RULES, state, None)["pirates"][0]["treasures"]
    assert {one["p_exact"] for one in unseen["has"]} == {"1/9"}
    deck, discarded = TreasureAt("oak_heart", "deck"), TreasureAt("rain_cloud", "discarded")
    state = facts.apply_correction(RULES, NAMES, state, facts.FactCorrection(facts=(deck,), was=(deck,)))
    (unseen,) = belief.view(RULES, state, None)["pirates"][0]["treasures"]
    assert {one["p_exact"] for one in unseen["has"]} == {"4/35"}
    taken = TreasureAt("oak_heart", "p2")
    moved: Any = facts.apply_correction(RULES, NAMES, state, facts.FactCorrection(facts=(taken,), was=(deck,)))
    assert belief.view(RULES, moved, None)["pirates"][1]["treasures"] == ["oak_heart"]
    with pytest.raises(Undetermined):
        facts.apply_correction(RULES, NAMES, state, facts.FactCorrection(facts=(discarded,), was=(None,)))


def test_a_card_of_a_sort_tells_only_what_all_of_its_cards_have_in_common() -> None:
    card, other = (covering.of_sort(FIELDS, 0, "s", ("abc", "abd")) for _ in range(2))
    assert (card == card, card == other, card == "x") == (True, False, False)  # noqa: PLR0124
    assert trait(card, len) == 3
    for read in (lambda: card == "abc", lambda: hash(card), lambda: trait(card, max)):
        with pytest.raises(covering.Reads) as reads:
            read()
        assert reads.value.of is not None
        assert reads.value.of("abc") != reads.value.of("abd")
    with pytest.raises(NotImplementedError):
        UnseenCard("a").trait(len)
    with pytest.raises(NotImplementedError):
        UnseenCard("a").pick(len)


def test_cards_that_are_not_equally_likely_stay_apart() -> None:
    link = hands.mark(0, "0:00")
    known = sorts.Holdings([{("a", link): 1, ("b", link): 2}, {("c",): 1}], ("a", "b", "c", "d", link), {})
    assert sorts.coarsen_sorts(known) == known


def test_a_sort_is_never_approximated() -> None:
    state, use = draw_unseen(3), RULES.parse("use_treasure", {"treasure": "false_flag"})
    after = worlds.step(RULES, state, use, 0, (), most=10**6)[0]
    (unseen,) = belief.view(RULES, after, None)["pirates"][0]["treasures"]
    assert {one["p_exact"] for one in unseen["has"]} == {"2/35"}
    unsure = msgspec.structs.replace(state, is_exact=False)
    with pytest.raises(IllegalAction, match="Reveal some of them first"):
        worlds.step(RULES, unsure, use, 0, (), most=10**6)


def test_unseen_draws_have_odds_until_one_of_their_cards_is_told_apart() -> None:
    state: State = resolving({"do": "gain_treasure", "n": 3})
    line = [Slot(2, 2, None, state)]
    for seq, (type_, params) in enumerate(
        [("draw_treasure", {})] * 3 + [("use_treasure", {"treasure": "oak_heart"})], 3
    ):
        entry = Draft(type=type_, actor="p1", params=params, outcomes=() if params else (None,))
        state = worlds.step(RULES, state, RULES.parse(type_, params), 0, entry.outcomes, most=10**6)[0]
        line.append(Slot(seq, seq, entry, state))
    rules: Any = SimpleNamespace(ruleset=RULES)
    known = counting.points(rules, line[:-1])
    assert {key: set(point.probabilities().values()) for key, point in known.items()} == {
        (seq, 0): {Fraction(1, 36)} for seq in (3, 4, 5)
    }
    for later in ([], [Slot(7, 7, None, line[0].after)]):
        ((place, point),) = counting.points(rules, [*line, *later], 2).items()
        assert (place, point.is_exact, len(point.options)) == ((4, 0), False, 36)
