"""Versions 1 and 2 of the rules with their scenarios, for stored games that name these versions.

Where version 1 differs, the rules check `WatersState.is_version_1`; RULINGS.md explains each difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, Self

from engine.core.language import marked
from engine.games.forgotten_waters.actions import own_book
from engine.games.forgotten_waters.actions.base import WatersAction, nothing_else
from engine.games.forgotten_waters.headings import EFFECTS
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.rules.resolving import push, settle
from engine.games.forgotten_waters.ruleset import ForgottenWaters, components
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.packs import EDITIONS
from engine.games.forgotten_waters.scenario.values import Id
from engine.games.forgotten_waters.state import CommonOptions, LaterOptions, WatersState, replace
from engine.kit.chance import Chance
from engine.kit.options import ruling
from engine.kit.ruleset import Refusal


class ApplyEffect(WatersAction, frozen=True, omit_defaults=True):
    """Enter an effect that is read out of the table's own book, by the number of its entry."""

    button_text = marked("Enter the effect of entry {entry}: {effect}")
    report_text = marked("{pirate} enters the effect of entry {entry}: {effect}")
    plain_texts = (marked("Enter the effect: {effect}"), marked("{pirate} enters the effect: {effect}"))
    words_of = {"effect": in_words, "entry": str}
    rule = EFFECTS
    effect: do.Effect
    entry: Id | None = None
    """The number of the entry; None for the page or a card."""

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return () if not state.pack.is_open or own_book.not_now(state, seat) else map(cls, own_book.examples(state))

    @classmethod
    def ranges(cls, state: WatersState, seat: int) -> dict[str, Any] | None:
        if not state.pack.is_open or nothing_else(state) or own_book.not_now(state, seat):
            return None
        return own_book.book_schema(cls, own_book.known_ids(state), own_book.timely(state))

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not state.pack.is_open:
            return Refusal(EFFECTS, "Driftlog knows the effects of this scenario, so do not enter what a book says.")
        return nothing_else(state) or own_book.not_now(state, seat) or own_book.impossible(state, self.effect)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        if self.entry is not None:
            state = replace(state, entries=(*state.entries, self.entry))
        return settle(push(state, seat, (self.effect,)))


class Options1(CommonOptions, frozen=True, kw_only=True):
    """The options of version 1. Options that later versions added have fixed values, which keep the old behaviour."""

    edition = "first"
    is_version_1 = True
    difficulty: ClassVar[Literal["deckhands"]] = "deckhands"
    check_discards: ClassVar[Literal["before_the_roll"]] = "before_the_roll"
    ship_name: ClassVar[str] = ""
    timer_seconds: ClassVar[None] = None


class State1(WatersState, frozen=True, kw_only=True):
    """The state of a game that is played by version 1 of the rules."""

    options: Options1  # type: ignore[assignment]  # it has all that `WatersOptions` has


class ForgottenWaters1(ForgottenWaters):
    """Version 1 of the rules of Forgotten Waters."""

    version = "1"
    reads_versions = ()
    options = Options1  # type: ignore[assignment]  # as above
    state = State1
    components = components(EDITIONS["first"])
    actions = tuple(ApplyEffect if kind is own_book.ReadOut else kind for kind in ForgottenWaters.actions)
    unprompted = (ApplyEffect, *ForgottenWaters.unprompted)


class Options2(LaterOptions, frozen=True, kw_only=True):
    """The options of version 2."""

    difficulty: ClassVar[Literal["deckhands"]] = "deckhands"
    edition: Annotated[  # type: ignore[misc]  # as in `WatersOptions`
        Literal["second", "first"],
        ruling(
            "Edition of the scenario",
            {"second": "The second", "first": "The first edition, as in version 1 of these rules"},
        ),
    ] = "second"


class State2(WatersState, frozen=True, kw_only=True):
    """The state of a game that is played by version 2 of the rules."""

    options: Options2  # type: ignore[assignment]  # it has all that `WatersOptions` has


class ForgottenWaters2(ForgottenWaters):
    """The ruleset of Forgotten Waters, version 2."""

    version = "2"
    reads_versions = ("1",)
    options = Options2  # type: ignore[assignment]  # as above
    state = State2
    components = components(EDITIONS["second"])
