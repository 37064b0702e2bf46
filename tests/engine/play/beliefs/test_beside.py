"""Unseen equipment, looks at storm cards and looks at tiles in one game: the same answers as with listed tables."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.canonical import canonical
from engine.core.digests import state_digest
from engine.core.errors import EngineError
from engine.core.events import Draft
from engine.core.values import State
from engine.games.forbidden_desert.components import EQUIPMENT_CARDS, SPACES
from engine.play import snapshots
from engine.play.beliefs import belief, pooling
from engine.play.beliefs.belief import Belief, Pooled, World, worlds
from engine.play.beliefs.places import with_rows
from engine.play.beliefs.pools import pools
from engine.play.beliefs.possible import TooManyTables
from engine.play.corrections import reveals
from tests.engine.play.beliefs.test_pooling import counting, listing
from tests.recording import Recording

OFTEN = {
    "excavate": 40,
    "forecast": 9,
    "give_water": 0.1,
    "look_at_storm_card": 9,
    "play_dune_blaster": 0.3,
    "play_jet_pack": 0.3,
    "play_terrascope": 4,
    "weaken_storm": 0.1,
}
UNSEEN = {"draw_equipment", "look_at_storm_card", "play_terrascope"}
OPTIONS = {"difficulty": "legendary", "first_player": "p1", "storm_tracker": "on"}
LIMITS = (30, 10)
SEATS = ("p1", "p2")
MOST_LISTED = 120
"""Maximum number of tables that the oracle lists."""


class Twins:
    """A game with small decks: drawn by a seed, and recorded twice with some results unseen."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.real = self._begin()
        while "meteorologist" not in self.table.roles:
            self.real = self._begin()
        self.listed, self.counted = (Recording("forbidden-desert", 2, **OPTIONS) for _ in range(2))
        self.both(Draft(type="set_up", outcomes=self.real.events[-1].outcomes))
        piles = [
            ("storm_cards_discarded", self.table.storm_pile, self.rng.randint(3, 8)),
            ("cards_used", self.table.equipment_pile, self.rng.randint(3, 8)),
        ]
        facts = [
            {"fact": fact, "card": card, "count": count}
            for fact, pile, left in piles
            for card, count in Counter(self.rng.sample(pile.cards(), len(pile) - left)).items()
        ]
        (event,) = self.real.add("adjust", facts=facts, reason="Short decks.")
        self.both(Draft(type="adjust", params=event.params))

    def _begin(self) -> Recording:
        self.real = Recording("forbidden-desert", 2, seed=str(self.rng.random()), **OPTIONS)
        self.real.add("set_up")
        return self.real

    @property
    def table(self) -> Any:
        return self.real.game.state

    def both(self, draft: Draft) -> list[EngineError | None]:
        """Record the event in the listed and the counted record; return the error of each."""
        errors: list[EngineError | None] = []
        for recording, limits in ((self.listed, (10**6, 0)), (self.counted, LIMITS)):
            with counting(*limits):
                try:
                    recording.append(draft)
                except EngineError as error:
                    errors.append(error)
                else:
                    errors.append(None)
        return errors

    def draft(self) -> Draft:
        """Return the next event of the real game. A hidden result is mostly unseen."""
        legal = list(self.real.game.ruleset.legal_actions(self.table))
        one = self.rng.choices(legal, [OFTEN.get(one.action.type, 1) for one in legal])[0]
        event, *_ = self.real.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))
        is_unseen = event.type in UNSEEN and self.rng.random() < 0.8
        outcomes = (None,) if is_unseen else event.outcomes
        return Draft(type=event.type, actor=event.actor, params=event.params, outcomes=outcomes)

    def is_over(self) -> bool:
        state = self.listed.game.state
        is_large = isinstance(state, Belief) and len(state.worlds) > MOST_LISTED
        return is_large or self.table.outcome is not None

    def play(self) -> None:
        """Record the next event in both."""
        draft = self.draft()
        assert self.both(draft) == [None, None], draft

    def check(self) -> None:
        """Check that both give the same answers."""
        rules = self.real.game.ruleset
        listed, counted = self.listed.game.state, self.counted.game.state
        assert listed is not None
        assert counted is not None
        assert shares(listed) == shares(counted)
        with counting(*LIMITS):
            assert listing(rules, listed) == listing(rules, counted)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(belief, "MOST_TOLD", 10**6)
            views = [belief.view(rules, one, None) for one in (listed, counted)]
        for part in ("equipment", "seen", "board"):
            assert canonical(views[0][part]) == canonical(views[1][part])
        assert snapshots.load(snapshots.dump(self.counted.game)) == self.counted.game

    def tell(self) -> None:
        """Report a true fact about a card in front of a player, or about the hidden side of a tile, to both."""
        seat, card = self.rng.randrange(2), self.rng.choice(["dune_blaster", "jet_pack", "terrascope"])
        fact = {
            "fact": "has_cards",
            "seat": f"p{seat + 1}",
            "card": card,
            "count": self.table.equipment[seat].count(card),
        }
        looks = [
            (space, tile)
            for space, tile in zip(SPACES, self.table.board, strict=True)
            if tile and tile.city_side and not tile.is_excavated
        ]
        if looks and self.rng.random() < 0.5:
            space, tile = self.rng.choice(looks)
            fact = {
                "fact": "tile_is",
                "space": space,
                "side": tile.desert_side,
                "city_side": tile.city_side,
                "is_excavated": False,
            }
        self.real.add("adjust", facts=[fact], reason="Seen.")
        errors = self.both(Draft(type="adjust", params={"facts": [fact], "reason": "Seen."}))
        assert errors == [None, None], (fact, errors)

    def guess(self) -> None:
        """Report an action that may be illegal, with a result that may be impossible, to both."""
        kind = self.rng.choice(
            ["play_terrascope", "play_solar_shield", "draw_storm_card", "draw_equipment", "forecast"]
        )
        params = {"tile": self.rng.choice(["r1c1", "r2c2", "r5c5"])} if kind == "play_terrascope" else {}
        results = {"play_terrascope": ["gear", "well"], "draw_storm_card": ["sun_beats_down", "wind_east_1"]}
        result = self.rng.choice([*results.get(kind, ["jet_pack"]), None])
        outcomes = () if kind in {"play_solar_shield", "forecast"} else (result,)
        draft = Draft(type=kind, actor=self.rng.choice(["p1", "p2"]), params=params, outcomes=outcomes)
        one, other = self.try_both(draft)
        # Unknown tiles are listed.
        assert isinstance(other, TooManyTables) or error_summary(one) == error_summary(other)

    def try_both(self, draft: Draft) -> list[EngineError | None]:
        """Record the event like `both`, but in copies of both records."""
        mine = self.listed, self.counted
        self.listed, self.counted = map(Recording.of, mine)
        errors = self.both(draft)
        self.listed, self.counted = mine
        return errors


def error_summary(error: EngineError | None) -> Any:
    """Return what an error says about its draw."""
    chances = getattr(error, "point", None)
    return type(error), str(error), chances and chances.probabilities()


def shares(state: State) -> dict[Any, Fraction]:
    """Return the probability of each combination of hands, seen cards and sides of tiles."""
    found: defaultdict[Any, Fraction] = defaultdict(Fraction)
    for weight, table in expand_tables(state):
        board = tuple(None if tile is None else tile.city_side for tile in table.board)
        found[table.equipment, table.seen, board] += weight
    total = sum(found.values())
    return {key: weight / total for key, weight in found.items()}


def expand_tables(state: State) -> Iterator[tuple[int, Any]]:
    """Yield the tables of a belief, without the order of its piles."""
    if not isinstance(state, Pooled):
        yield from ((one.weight, one.state) for one in worlds(state))
        return
    known = pools(state.rows, state.stock)
    rests = list(expand_tables(state.beside or state.worlds[0].state))
    for packed in known.tables(known.all_rows):
        weight = known.weight(known.all_rows, packed)
        for more, rest in rests:
            yield weight * more, with_rows(rest, state.fields, tuple(map(known.hand, packed)))


def reveal_all(twins: Twins) -> None:
    """Reveal each unknown result in both, with the same odds, until the table is known."""
    rng = twins.rng
    while True:
        every = []
        for recording, limits in ((twins.listed, (10**6, 0)), (twins.counted, LIMITS)):
            with counting(*limits):
                try:
                    every.append(reveals.unknowns(recording.history.rules, recording.history.mainline))
                except TooManyTables:
                    # Unknown tiles that need no counted cards are found in a list of tables.
                    assert recording is twins.counted
                    return
        listed, counted = every
        assert [one.seq for one in listed] == [one.seq for one in counted]
        if not listed:
            break
        for one, other in zip(listed, counted, strict=True):
            chances = one.point.probabilities()
            if getattr(other.point, "is_exact", True):
                assert chances == other.point.probabilities()
            assert set(chances) <= set(other.point.options)
        # Storm cards come last: known ones between unknown ones are listed.
        seq = min((rng.random() + (one.point.name == "storm_card"), one.seq) for one in listed)[1]
        (true,) = twins.real.events[seq - 1].outcomes
        options = next(one.point.options for one in counted if one.seq == seq)
        is_storm = twins.real.events[seq - 1].type == "look_at_storm_card"
        one, other = twins.try_both(_reveal(seq, rng.choice(options)))
        assert is_storm or (one is None) == (other is None)
        one, other = twins.both(_reveal(seq, true))
        assert one is None
        if other is not None:
            assert is_storm
            return
        twins.check()
    assert twins.listed.game.state == twins.counted.game.state == twins.table
    assert state_digest(twins.counted.game.state) == state_digest(twins.table)


def _reveal(seq: int, value: object) -> Draft:
    return Draft(type="reveal", params={"seq": seq, "position": 0, "value": value})


def play(seed: int) -> set[tuple[str, ...]]:
    """Compare a game. Return the kinds of rows that were counted beside each other."""
    twins, found = Twins(seed), set()
    for _ in range(20):
        if twins.is_over():
            break
        twins.play()
        twins.check()
        twins.guess()
        if twins.rng.random() < 0.1:
            twins.tell()
            twins.check()
        found.add(tuple(level.fields[0] for level in belief.levels(twins.counted.game.state)))
    reveal_all(twins)
    return found


@pytest.mark.long
def test_counted_cards_beside_each_other_tell_what_listed_tables_do() -> None:
    assert set().union(*map(play, (1, 10))) >= {("equipment", "seen/")}


@pytest.mark.long
@pytest.mark.parametrize(
    "first", [0, 10, *(pytest.param(one, marks=pytest.mark.no_cover) for one in range(20, 200, 10))]
)
def test_many_games_tell_what_listed_tables_do(first: int) -> None:
    for seed in range(first, first + 10):
        play(seed)


@pytest.fixture
def beside() -> Iterator[Recording]:
    """An unknown card of p1 is counted beside two unknown tiles."""
    real, recording = (Recording("forbidden-desert", 2, seed=seed, **OPTIONS) for seed in ("beside", None))
    real.add("set_up")
    recording.add("set_up", outcomes=real.events[-1].outcomes)
    facts: list[dict[str, Any]] = [
        {"fact": "has_cards", "seat": "p1", "card": "terrascope", "count": 2},
        {"fact": "has_cards", "seat": "p1", "card": "storm_tracker", "count": 1},
        {"fact": "must_draw_equipment", "yes": True},
    ]
    recording.add("adjust", facts=facts, reason="Three cards.")
    recording.add("draw_equipment", "p1", [None])
    with counting(200, 10):
        for tile in ("r1c2", "r3c4"):
            recording.add("play_terrascope", "p1", [None], tile=tile)
        yield recording


def kinds(recording: Recording) -> list[str]:
    """Return the names of the counted rows, and then the type of the remaining state."""
    levels = belief.levels(recording.game.state)
    return [
        *(level.fields[0] for level in levels),
        type(levels[-1].beside if levels else recording.game.state).__name__,
    ]


def test_unknowns_beside_counted_cards_have_every_option(beside: Recording) -> None:
    assert kinds(beside) == ["equipment", "Belief"]
    unknowns = reveals.unknowns(beside.history.rules, beside.history.mainline)
    assert [(one.seq, len(one.point.options)) for one in unknowns] == [(4, 5), (5, 11), (6, 11)]
    for at, one in enumerate(unknowns):
        beside.add("reveal", seq=one.seq, position=0, value=one.point.options[at])
    assert kinds(beside) == ["DesertState"]


def test_a_hand_without_cards_leaves_only_the_rest_unknown(beside: Recording) -> None:
    beside.add("play_storm_tracker", "p1")
    cards = {*EQUIPMENT_CARDS} - {"terrascope"}
    none = [{"fact": "has_cards", "seat": "p1", "card": card, "count": 0} for card in sorted(cards)]
    beside.add("adjust", facts=none, reason="No card.")
    state: Any = beside.game.state
    assert kinds(beside) == ["Belief"]
    assert {world.state.equipment for world in state.worlds} == {((), ())}
    assert len({world.state.board for world in state.worlds}) > 100


@pytest.mark.long
def test_a_known_hand_leaves_the_other_levels(beside: Recording) -> None:
    beside.add("play_storm_tracker", "p1")
    for _ in range(2):
        beside.add("look_at_storm_card", "p1", [None])
    assert kinds(beside) == ["equipment", "seen/", "Belief"]
    beside.add("adjust", facts=[{"fact": "has_cards", "seat": "p1", "card": "jet_pack", "count": 1}], reason="Seen.")
    state: Any = beside.game.state
    assert kinds(beside) == ["seen/", "Belief"]
    assert {world.state.equipment for world in state.worlds} == {(("jet_pack",), ())}


def test_a_tile_that_was_not_possible_changes_the_rest(beside: Recording) -> None:
    tile = {"fact": "tile_is", "space": "r1c2", "side": "plain", "is_excavated": False}
    beside.add(
        "adjust", facts=[{**tile, "city_side": "gear"}, {**tile, "space": "r3c4", "city_side": "gear"}], reason="Gear."
    )
    assert kinds(beside) == ["equipment", "NoneType"]
    beside.add("adjust", facts=[{**tile, "city_side": "tunnel"}], reason="It was a tunnel.")
    assert kinds(beside) == ["equipment", "NoneType"]


def test_cards_that_depend_on_the_rest_are_not_counted(beside: Recording) -> None:
    state: Any = beside.game.state
    rules = beside.game.ruleset
    assert pooling.pool_rows(rules, state.fields, state.worlds[:2]) is None
    table, cards = state.worlds[0].state, ("storm_picks_up", "sun_beats_down")
    orders = [tuple((card,) for card in order) for order in (cards, cards[::-1])]
    piles = [msgspec.structs.replace(table, storm_pile=type(table.storm_pile)(layers)) for layers in orders]
    likelier = [World(weight, pile) for weight, pile in enumerate(piles, 1)]
    assert pooling.pool_rows(rules, ("seen/", "storm_pile"), likelier) is None


def test_a_moved_card_keeps_the_rest_unknown(beside: Recording) -> None:
    facts = [{"fact": "has_cards", "seat": seat, "card": "storm_tracker", "count": at} for at, seat in enumerate(SEATS)]
    beside.add("adjust", facts=facts, reason="Passed on.")
    assert kinds(beside) == ["equipment", "Belief"]
    state: Any = beside.game.state
    assert state.is_exact
    assert {world.state.equipment[1] for world in state.worlds} == {("storm_tracker",)}


def test_too_many_tables_that_cannot_be_counted(beside: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooling, "MOST_WORLDS", 100)
    with pytest.raises(TooManyTables):
        beside.add("adjust", facts=[{"fact": "water_is", "seat": "p2", "level": 2}], reason="Thirst.")
