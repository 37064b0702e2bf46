"""Parts of the kit that derive from short declarations of actions, facts, steps, options and cards."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.values import SeatId, State
from engine.kit.actions import Action, CardAction, Refusal
from engine.kit.card_facts import CardsAt
from engine.kit.card_looks import CardLooks, Look
from engine.kit.chance import Chance
from engine.kit.facts import CannotBe, Fact
from engine.kit.options import RULING, TITLES, ruling
from engine.kit.piles import Pile, renewed
from engine.kit.steps import due_act, due_cards

NAMES = ("Ann", "Bob")


class Table(State, frozen=True, kw_only=True):
    hands: tuple[tuple[str, ...], ...] = (("coral",), ())
    deck: Pile[str] = Pile()
    discarded: tuple[str, ...] = ("shell", "coral")
    fires: tuple[int, ...] = (0, 0)


TABLE = Table(turn=1, phase="free")


class Free(Action[Table], frozen=True):
    """An action that is always legal."""

    rule = "Freedom"

    def refusal(self, state: Table, seat: int) -> Refusal | None:
        return None


class LookAround(Free, frozen=True):
    button_text = "Look"
    report_text = "{name} sees {result}."

    def apply(self, state: Table, seat: int, chance: Chance) -> Table:
        return state


class _Unnamed(Free, frozen=True):
    def apply(self, state: Table, seat: int, chance: Chance) -> Table:
        return state


class WalkTo(_Unnamed, frozen=True):
    button_text = "Walk to {to} with {friend}"
    report_text = "{name} walks to {to} with {friend}."
    plain_texts = ("Walk to {to}", "{name} walks to {to}.")
    to: str
    friend: SeatId | None = None


def test_action__its_type_is_the_snake_case_of_its_class() -> None:
    assert (LookAround.type, WalkTo.type) == ("look_around", "walk_to")


@pytest.mark.parametrize("kind", [Free, _Unnamed])
def test_action__a_class_without_rule_or_apply_or_with_an_underscore_has_no_type(kind: type[Any]) -> None:
    assert not hasattr(kind, "type")


def test_action__a_variant_keeps_the_type() -> None:
    class LookAgain(LookAround, frozen=True):
        pass

    assert LookAgain.type == "look_around"


def test_action__its_sentence_names_the_first_result() -> None:
    assert LookAround().describe(TABLE, 1, ["coral"], NAMES) == "Bob sees coral."


@pytest.mark.parametrize(
    ("action", "label", "sentence"),
    [
        (WalkTo("the reef"), "Walk to the reef", "Ann walks to the reef."),
        (WalkTo("the reef", "p2"), "Walk to the reef with Bob", "Ann walks to the reef with Bob."),
    ],
)
def test_action__an_absent_last_param_shortens_the_texts(action: WalkTo, label: str, sentence: str) -> None:
    assert (action.label(TABLE, NAMES), action.describe(TABLE, 0, (), NAMES)) == (label, sentence)


class FireIs(Fact[Table], frozen=True):
    seat: SeatId
    height: int


class WindIs(Fact[Table], frozen=True):
    speed: int


class Three(Fact[Table], frozen=True):
    one: int
    two: int
    three: int


def test_fact__one_of_two_fields_is_about_the_first() -> None:
    assert (FireIs.about, WindIs.about, Three.about) == (("seat",), (), ())
    assert FireIs("p1", 3).subject == ("fire_is", ("p1",))


class _ReefCards(CardsAt[Table], frozen=True):
    pile = "deck"

    @classmethod
    def shortage(cls, state: Table, card: str) -> CannotBe:
        return CannotBe(f"No {card}.")


class HasCards(_ReefCards, frozen=True):
    about = ("seat", "card")
    member = "hands"
    seat: SeatId
    card: str
    count: int


class CardsDiscarded(_ReefCards, frozen=True):
    member = "discarded"
    card: str
    count: int


def test_card_facts__the_kinds_of_a_deck_are_those_with_its_pile() -> None:
    assert HasCards.kinds() == CardsDiscarded.kinds() == (HasCards, CardsDiscarded)


def test_renewed__the_discard_pile_is_shuffled_as_the_pile() -> None:
    after = renewed(TABLE, "deck", "discarded")
    assert (after.deck, after.discarded) == (Pile.shuffled(["coral", "shell"]), ())
    assert renewed(after, "deck", "discarded") is after


class ThrowShell(CardAction[Table], Free, frozen=True):
    card = "shell"
    hands = "hands"

    def apply(self, state: Table, seat: int, chance: Chance) -> Table:
        return state


def test_card_action__it_is_a_candidate_of_the_owner_alone() -> None:
    table = replace(TABLE, hands=((), ("shell",)))
    assert [list(ThrowShell.candidates(table, seat)) for seat in (0, 1)] == [[], [ThrowShell()]]
    assert ThrowShell().misplay(table, 1) is None


def test_due_cards__the_step_is_named_after_its_cards() -> None:
    step = due_cards("reef_cards", "reef card", "Reef")
    assert (step.name, step.what(1), step.what(2)) == ("reef cards", "1 reef card", "2 reef cards")


def test_due_act__its_sentences_are_made_of_the_act() -> None:
    step = due_act("bail", "bailing", "Leaks", "bail out the boat")
    assert (step.left_out("Ann"), step.due("Ann", 1)) == (
        "Ann did not bail out the boat",
        "Ann had to bail out the boat",
    )


def test_ruling__it_is_answered_by_yes_or_no_by_default() -> None:
    assert ruling("Is it?").extra_json_schema == {TITLES: {"true": "Yes", "false": "No"}, RULING: True}
    assert ruling("Which?", {"a": "This"}).extra_json_schema == {TITLES: {"a": "This"}, RULING: True}


LOOKS = CardLooks({"coral": Look("heart", "rise"), "shell": Look("stone", ground="sand", is_any_time=True)}, str.title)


def test_card_looks__a_hand_has_each_kind_once_and_can_be_tapped() -> None:
    coral, shell = LOOKS.hand(1, ["shell", "coral", "coral"])
    assert (coral.id, coral.label, coral.count, coral.tint, coral.place) == ("p2.coral", "Coral", 2, "rise", "coral")
    assert (shell.ground, shell.is_any_time, shell.title) == ("sand", True, "")


def test_card_looks__a_short_name_is_explained_by_the_full_name() -> None:
    (card,) = replace(LOOKS, short=lambda card: card[0]).cards(["coral"], "left")
    assert (card.label, card.title, card.place) == ("c", "Coral", None)


def test_card_looks__a_stack_has_a_faint_discard_pile() -> None:
    stack = LOOKS.stack("Reef", Pile.shuffled(["coral"]), ("shell",), id="reef", top="Shell")
    assert (stack.count, stack.discarded, stack.top) == (1, 1, "Shell")
    assert [(card.id, card.is_faint) for card in (*stack.left, *stack.discard)] == [
        ("left.coral", False),
        ("discarded.shell", True),
    ]


def test_card_looks__a_shelf_a_grid_of_buttons_and_choices_have_all_cards_in_order() -> None:
    shelf = LOOKS.shelf("found", "Found", {"shell"}, lambda name, is_found: f"{name}{'!' if is_found else '?'}")
    assert [(card.title, card.is_faint) for card in shelf.cards] == [("Coral?", True), ("Shell!", False)]
    assert [face.value for face in LOOKS.faces().faces] == ["coral", "shell"]
    assert [(choice.label, choice.symbol) for choice in LOOKS.choices()] == [("Coral", "heart"), ("Shell", "stone")]
