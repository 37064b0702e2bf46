"""The kernel's derivations from a ruleset's declaration."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.documents import malformed_error, params_schema
from engine.core.errors import GameOver, IllegalAction, Malformed
from engine.core.values import GameOutcome, SeatId
from engine.games.forbidden_island.actions import Move, ShoreUp
from engine.kit.actions import Action
from engine.kit.chance import Chance, Observed, Seeded
from engine.kit.kernel import LegalAction
from engine.play.registry import ruleset
from tests.engine.toy import Dice, DiceOptions, DiceState, Roll

RULES = Dice()
STATE = DiceState(turn=1, phase="rolling", goal=10, totals=(0, 0), active=0)
OVER = msgspec.structs.replace(STATE, outcome=GameOutcome("won", ("p1",), "goal", "The End"))


# Options


def test_options__the_missing_ones_by_default() -> None:
    assert RULES.parse_options({"goal": 20}, 2) == DiceOptions(goal=20, first="p1")


@pytest.mark.parametrize(
    ("given", "seats", "pointer"),
    [
        ({}, 0, "/seats"),
        ({}, 9, "/seats"),
        ({"goal": 0}, 2, "/options/goal"),
        ({"goal": "10"}, 2, "/options/goal"),
        ({"colour": "blue"}, 2, "/options"),
        ({"first": "p2"}, 1, "/options/first"),
    ],
)
def test_options__malformed(given: dict[str, Any], seats: int, pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        RULES.parse_options(given, seats)
    assert error.value.pointer == pointer


# Actions


def test_ask__empty_if_nothing_is_declared() -> None:
    assert RULES.ask(STATE, [Roll], ("Ann", "Bob")) == ""


def test_setup_page__none_if_nothing_is_declared() -> None:
    assert RULES.setup_page(DiceOptions(), ("Ann", "Bob")) is None


def test_parse__an_action() -> None:
    assert RULES.parse("roll", {"dice": 2}) == Roll(2)


def test_parse__an_action_without_params_may_have_defaults() -> None:
    assert RULES.parse("roll", {}) == Roll(1)


@pytest.mark.parametrize(
    ("type_", "params", "pointer"),
    [
        ("bid", {}, "/type"),
        ("roll", {"dice": 4}, "/params/dice"),
        ("roll", {"manner": {"hand": "both"}}, "/params/manner/hand"),
        ("roll", {"dice": 1, "wager": 5}, "/params"),
    ],
)
def test_parse__malformed(type_: str, params: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        RULES.parse(type_, params)
    assert error.value.pointer == pointer


def test_judge__the_seat() -> None:
    assert RULES.judge(STATE, Roll(1), "p1") == 0


def test_judge__refused_with_rule_and_message() -> None:
    with pytest.raises(IllegalAction) as error:
        RULES.judge(STATE, Roll(1), "p2")
    assert (error.value.rule, error.value.message) == ("Rolling", "It is another player's turn.")
    assert str(error.value) == "It is another player's turn. (Rolling)"


@pytest.mark.parametrize("actor", [None, "p3", "nobody"])
def test_judge__nobody_at_the_table(actor: str | None) -> None:
    with pytest.raises(Malformed) as error:
        RULES.judge(STATE, Roll(1), actor)
    assert error.value.pointer == "/actor"


def test_judge__over() -> None:
    with pytest.raises(GameOver):
        RULES.judge(OVER, Roll(1), "p1")


def test_legal_actions__by_kind_seat_and_params_each_once() -> None:
    assert list(RULES.legal_actions(STATE)) == [LegalAction(Roll(dice), 0) for dice in range(4)]
    assert [legal.actor for legal in RULES.legal_actions(STATE)] == ["p1"] * 4


def test_legal_actions__of_one_seat() -> None:
    assert list(RULES.legal_actions(STATE, 0)) == list(RULES.legal_actions(STATE))
    assert list(RULES.legal_actions(STATE, 1)) == []


def test_legal_actions__of_a_seat_for_which_the_game_does_not_wait() -> None:
    table = replace(STATE, active=1)

    class InTurn(Dice):
        def awaiting(self, state: DiceState) -> tuple[int, ...]:
            return (0,)

    class Prompted(InTurn):
        unprompted = ()

    assert {legal.seat for legal in InTurn().legal_actions(table)} == {1}
    assert list(Prompted().legal_actions(table)) == []


def test_legal_actions__none_when_it_is_over() -> None:
    assert list(RULES.legal_actions(OVER)) == []


# Chance


def test_chance_point__what_is_asked_first() -> None:
    point = RULES.chance_point(STATE, LegalAction(Roll(2), 0))
    assert point is not None
    assert (point.name, point.position, point.options) == ("die", 0, (1, 2, 3, 4, 5, 6))


def test_chance_point__an_action_that_may_ask_and_does_not() -> None:
    assert RULES.chance_point(STATE, LegalAction(Roll(0), 0)) is None


def test_chance_point__an_action_that_never_asks() -> None:
    class Pass(Roll, frozen=True):
        asks_chance = False

    assert RULES.chance_point(STATE, LegalAction(Pass(2), 0)) is None


def test_setup_point__a_set_up_without_chance() -> None:
    assert RULES.setup_point(DiceOptions(), 2) is None


def test_setup_point__what_is_asked_first() -> None:
    rules = ruleset("forbidden-island")
    point = rules.setup_point(rules.parse_options({}, 2), 2)
    assert point is not None
    assert (point.name, point.position, len(point.options)) == ("tile", 0, 24)


def test_apply__numbers_come_up_too() -> None:
    source = Seeded("tides")
    source.begin(3, ())
    state = Roll(3).apply(STATE, 0, source)
    assert state.totals[0] == sum(map(int, source.finish()))


# Documents


def test_document__round_trip() -> None:
    assert RULES.from_document(RULES.to_document(OVER)) == OVER


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [({"turn": "1"}, "/turn"), ({"totals": [0, None]}, "/totals/1"), ({"outcome": {"result": "won"}}, "/outcome")],
)
def test_document__malformed(changes: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        RULES.from_document({**RULES.to_document(STATE), **changes})
    assert error.value.pointer == pointer


def test_headline__is_the_tableau_in_a_line() -> None:
    assert RULES.headline(STATE, ("Ada", "Bo")) == "Goal: 10 · Totals: 0, 0"


# Schemas


def test_schema__of_an_action_is_self_contained() -> None:
    schema = params_schema(Roll)
    assert schema["additionalProperties"] is False
    assert schema["properties"]["dice"] == {"type": "integer", "minimum": 0, "maximum": 3, "default": 1}
    (definition,) = schema["$defs"].values()
    assert definition["properties"]["hand"] == {"enum": ["left", "right"], "default": "right"}
    assert not {"title", "description"} & schema.keys()


def test_schema__needs_no_definitions_where_everything_is_plain() -> None:
    schema = params_schema(ShoreUp)
    assert "$defs" not in schema
    assert schema["required"] == ["tiles"]
    assert schema["properties"]["tiles"]["minItems"] == 1


def test_describe__a_kind_of_action() -> None:
    assert RULES.describe_action_type(Roll) == {
        "type": "roll",
        "title": "Roll",
        "rule": "Rolling",
        "summary": "Roll up to three dice. A roll of no dice asks for no result.",
        "asks_chance": True,
        "any_time": False,
        "symbol": None,
        "params": params_schema(Roll),
    }


def test_vocabulary__of_a_game_that_says_all_where_it_is_said() -> None:
    assert list(RULES.vocabulary()) == []


def test_an_action_cannot_be_changed() -> None:
    action: Any = Move("observatory")
    with pytest.raises(AttributeError):
        action.to = "watchtower"
    assert copy.copy(action) == action


# Pointers


class Nested(msgspec.Struct, forbid_unknown_fields=True):
    words: list[str] = []
    inner: Nested | None = None
    counts: dict[str, int] = {}


@pytest.mark.parametrize(
    ("document", "pointer", "message"),
    [
        (3, "/body", "must be an object, not a whole number"),
        ({"words": 3}, "/body/words", "must be a list, not a whole number"),
        ({"words": ["a", 3]}, "/body/words/1", "must be a text, not a whole number"),
        ({"inner": {"words": [None]}}, "/body/inner/words/0", "must be a text, not null"),
        ({"inner": {"colour": 1}}, "/body/inner", "`colour` is not known here (known: words, inner, counts)"),
        ({"counts": {"a/b": "x"}}, "/body/counts", "must be a whole number, not a text"),
        ({"x - at `y": 1}, "/body", "`x - at `y` is not known here (known: words, inner, counts)"),
    ],
)
def test_malformed__points_to_what_is_wrong(document: object, pointer: str, message: str) -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(document, Nested)
    found = malformed_error(error.value, "/body", Nested)
    assert (found.pointer, found.message) == (pointer, message)


def test_malformed__says_where_in_its_text() -> None:
    assert str(Malformed("/params/to", "no such tile")) == "/params/to: no such tile"
    assert str(Malformed("", "no log")) == "/: no log"


def test_what_a_game_need_not_tell() -> None:
    rules = Dice()

    assert rules.setup_prompts(DiceOptions(), ["Ann"], []) == ()
    assert rules.space(1) is None
    assert rules.role(DiceState(turn=1, phase="roll", goal=1, totals=(0,), active=0), 0) == {}


def test_is_sound__not_where_an_invariant_is_broken() -> None:
    class Loaded(Dice):
        def check_invariants(self, state: DiceState) -> list[str]:
            return ["the dice are loaded"]

    state = Dice().setup(DiceOptions(), 2, Observed())
    assert Dice().is_sound(state)
    assert Dice().is_sound(OVER)
    assert not Loaded().is_sound(state)


def test_is_sound__not_where_what_is_done_next_leads_to_what_is_not() -> None:
    """A roll without dice continues at once; a roll of dice after its result."""

    class Passed(Roll, frozen=True):
        type = "roll"

        @classmethod
        def candidates(cls, state: DiceState, seat: int) -> Iterable[Self]:
            yield cls(0)

    class Brittle(Dice):
        actions = (Passed,)

        def check_invariants(self, state: DiceState) -> list[str]:
            return ["one turn is enough"] if state.turn > 1 else []

        def check_components(self, state: DiceState) -> list[str]:
            return []

    class Broken(Roll, frozen=True):
        type = "roll"

        def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
            raise IndexError

    class Breaking(Dice):
        actions = (Broken,)

    state = Dice().setup(DiceOptions(), 2, Observed())
    for rules in (Brittle(), Breaking()):
        assert rules.can_be(state)
        assert not rules.is_sound(state)
    later = Dice().from_document({**Dice().to_document(state), "turn": 2})
    assert not Brittle().can_be(later)
    assert Brittle().could_be(later)
    assert Roll().has_clear_effect(state, 0)


def test_board__is_the_tableau_where_a_game_has_none_of_its_own() -> None:
    dice = Dice()
    scene = dice.board(dice.setup(DiceOptions(), 2, Observed()), ("Ada", "Bo"))
    assert [panel.id for panel in scene.panels] == ["note.Goal", "note.Totals"]
    assert scene.description == dice.headline(dice.setup(DiceOptions(), 2, Observed()), ("Ada", "Bo"))


class Throw(Roll, frozen=True):
    """Throw a thing to a player. Its texts have placeholders for the params."""

    button_text = "Throw the {thing} to {to}"
    report_text = "{name} throws the {thing} to {to}."
    thing: str = "die"
    to: SeatId = "p2"
    label, describe = Action.label, Action.describe


def test_texts_of_an_action__with_its_params_in_words() -> None:
    assert Throw().label(STATE, ("Ada", "Bo")) == "Throw the die to Bo"
    assert Throw(to="p1").describe(STATE, 1, (), ("Ada", "Bo")) == "Bo throws the die to Ada."


def test_timer__by_default_nobody_is_hurried(dice: Dice) -> None:
    assert dice.timer(dice.setup(dice.parse_options({}, 1), 1, Observed())) is None


def test_skips__of_a_game_that_declares_no_steps() -> None:
    assert tuple(RULES.skips(STATE)) == ()
