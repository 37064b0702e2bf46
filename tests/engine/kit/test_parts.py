"""Games that declare their parts: derived methods keep the laws of all rulesets, and can be overridden."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from driftlog.starter.game import DECK, Collectors, CollectorsState
from driftlog.testing.law import Law, Sample
from driftlog.testing.laws import AT_EACH_TABLE, ONCE
from driftlog.testing.tables import TableSetup
from engine.core.values import MASKED
from engine.kit.chance import Chance
from engine.kit.facts import CannotBe, Told
from engine.kit.options import Options
from engine.kit.parts import Deck, Hand, Meter, Row, Stack, Token
from engine.kit.piles import Pile
from engine.kit.scene.panels import Counters, PlayerMat, Track
from tests.installing import installed

NAMES = ("Ann", "Bob")
TRACK = {"start": "Start", "reef": "Reef", "goal": "Goal"}


class VariedState(CollectorsState, frozen=True, kw_only=True):
    pawns: tuple[str, ...] = ()
    lamp: str = "on"
    score: tuple[int, ...] = ()
    tide: int = 3
    tiles: tuple[str, ...] = ("reef",)


class Varied(Collectors):
    id = "varied"
    name = "Varied"
    state = VariedState
    parts = (
        *Collectors.parts,
        Token("pawns", "Pawn", places=TRACK, per_seat=True),
        Row("tiles", "Tiles", Deck({"reef": 1})),
        Token("lamp", "Lamp", places={"on": "On", "off": "Off"}),
        Meter("score", "Score", per_seat=True, most=9),
        Meter("tide", "Tide", unit="feet", least=-1, most=3),
    )

    def setup(self, options: Options, seats: int, chance: Chance) -> VariedState:
        deck = Pile.shuffled(DECK.cards())
        return VariedState(
            turn=1, phase="drawing", hands=((),) * seats, deck=deck, pawns=("start",) * seats, score=(0,) * seats
        )


class Secretive(Collectors):
    id = "secretive"
    name = "Secretive"
    components = {"cards": 20}
    parts = (Hand("hands", "Hand", DECK, seen_by="owner"), Stack("deck", "Deck", DECK), Row("discarded", "Pile", DECK))


class Bare(Collectors):
    id = "bare"
    name = "Bare"
    parts, facts, columns, seat_columns = (), (), (), ()

    def seats(self, state: Any) -> int:
        return len(state.hands)

    def overview(self, state: Any, names: Any) -> dict[str, str]:
        return {"Deck": str(len(state.deck))}


def pig() -> Any:
    spec = importlib.util.spec_from_file_location("pig", Path(__file__).parents[3] / "examples" / "pig" / "pig.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # The class stays in the module, because types are resolved at their first use.
    sys.modules["pig"] = module
    spec.loader.exec_module(module)
    return module.PIG


RULES = (Varied(), Secretive(), Bare(), pig())


@pytest.fixture(scope="module", params=RULES, ids=lambda rules: rules.id)
def sample(request: pytest.FixtureRequest) -> Iterator[Sample]:
    with installed(*RULES):
        yield Sample(TableSetup(request.param.id, 2, {}), 12)


@pytest.mark.parametrize("law", [*AT_EACH_TABLE, *ONCE], ids=lambda law: law.check.__name__)
def test_the_laws_hold(law: Law, sample: Sample) -> None:
    law.check(sample)


@pytest.fixture
def state() -> VariedState:
    """A table at which Ann has two pearls."""
    opened = VariedState(turn=1, phase="drawing", hands=((), ()), deck=Pile.shuffled(DECK.cards()))
    deck = opened.deck.without("pearl").without("pearl")
    return replace(opened, hands=(("pearl", "pearl"), ()), deck=deck, pawns=("start", "reef"), score=(4, 0))


def put_facts(rules: Any, state: Any, *documents: dict[str, Any]) -> Any:
    found = rules.parse_facts(documents, "")
    for fact in found:
        state = fact.put(state, Told(found))
    return state


def test_facts_are_told_by_the_titles_of_the_parts(state: VariedState) -> None:
    rules = RULES[0]
    said = [fact.sentence(NAMES) for kind in rules.facts for fact in kind.all(state)]
    assert {"Hand of Ann: 2 × Pearl.", "Pawn of Bob: Reef.", "Lamp: On.", "Score of Ann: 4.", "Tide: 3."} <= set(said)
    after = put_facts(
        rules,
        state,
        {"fact": "hand_has", "seat": "p2", "card": "pearl", "count": 1},
        {"fact": "hand_has", "seat": "p1", "card": "pearl", "count": 0},
        {"fact": "pawn_at", "seat": "p1", "place": "goal"},
        {"fact": "tide_is", "value": -1},
    )
    assert (after.hands, after.pawns, after.tide) == (((), ("pearl",)), ("goal", "reef"), -1)
    assert rules.check_invariants(after) == []
    with pytest.raises(CannotBe, match="There is no Sea star left"):
        put_facts(
            rules,
            state,
            {"fact": "hand_has", "seat": "p2", "card": "sea_star", "count": 3},
            {"fact": "discard_pile_has", "card": "sea_star", "count": 3},
        )


def test_what_no_table_is_like_is_named(state: VariedState) -> None:
    broken = replace(state, hands=((), ()), pawns=("start", "sea"), score=(10, 0))
    assert RULES[0].check_invariants(broken) == [
        "Pawn is at 'sea', which is no place",
        "Score is 10, not between 0 and 9",
        "there are 3 pearl cards, not 5",
    ]
    with pytest.raises(LookupError, match="override `seats`"):
        Collectors.seats(Bare(), state)


def test_a_board_has_a_mat_for_each_player_and_a_panel_for_each_part(state: VariedState) -> None:
    scene = RULES[0].board(state, NAMES)
    assert RULES[0].describe_setup(state, NAMES) == ["Ann begins."]
    mats = [panel for panel in scene.panels if isinstance(panel, PlayerMat)]
    assert [(mat.name, mat.is_active, [(card.label, card.count) for card in mat.cards]) for mat in mats] == [
        ("Ann", True, [("Pearl", 2)]),
        ("Bob", False, []),
    ]
    (track, lamp) = [panel for panel in scene.panels if isinstance(panel, Track)]
    assert [len(step.pieces) for step in track.steps] == [1, 1, 0]
    assert lamp.at == 0
    (counters,) = [panel for panel in scene.panels if isinstance(panel, Counters)]
    assert [(gauge.label, gauge.value, gauge.of) for gauge in counters.gauges] == [("Tide", 3, 3)]


def test_a_hand_that_its_owner_sees_is_masked_for_others(state: VariedState) -> None:
    rules = RULES[1]
    plain = CollectorsState(turn=1, phase="drawing", hands=state.hands, deck=state.deck)
    assert rules.view(plain, None)["hands"] == rules.view(plain, 1)["hands"] == ((MASKED, MASKED), ())
    assert rules.view(plain, 0)["hands"] == (("pearl", "pearl"), ())
    shown = [len(list(rules.facts[2].shown(plain, viewer))) for viewer in (None, 0, 1)]
    assert shown == [0, 1, 0]
    assert [column.name for column in (*rules.columns, *rules.seat_columns)] == ["deck_size", "pile", "hand_size"]
    labels = [[card.label for card in panel.cards] for panel in rules.board(plain, NAMES).panels[:2]]
    assert labels == [["Hand"], []]
