"""Facts about the round: the phase, the choosing and resolving players, their actions, and pending effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta
from msgspec.structs import force_setattr

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forgotten_waters.actions.own_book import known_ids
from engine.games.forgotten_waters.facts.book import on_the_page
from engine.games.forgotten_waters.headings import ACTION, EFFECTS, PLANNING
from engine.games.forgotten_waters.readings import as_task
from engine.games.forgotten_waters.scenario.effects import Effect, Pending
from engine.games.forgotten_waters.scenario.validate import effect_faults, known_in
from engine.games.forgotten_waters.scenario.values import ActionNumber, DieFace
from engine.games.forgotten_waters.state import Phase, Step, WatersState, replace
from engine.games.forgotten_waters.words import PHASES, WatersFact
from engine.kit import common_facts
from engine.kit.common_facts import IsSo
from engine.kit.facts import CannotBe, Fact, Texts, Told
from engine.kit.words import join_words

Many = Annotated[int, Meta(ge=1, le=20_000)]


def _seats(state: WatersState, ids: Iterable[SeatId]) -> tuple[int, ...]:
    """Return the seats with these ids. Raises an error for an unknown id."""
    seats = tuple(SEAT_INDEX[id_] for id_ in ids)
    for seat in seats:
        if seat >= len(state.pirates):
            raise CannotBe(say("There are only {count} players.", count=len(state.pirates)))
    return seats


class TurnIs(common_facts.TurnIs[WatersState], frozen=True):
    """The number of planning phases, resolved actions and round ends so far, including the current one."""

    number: Many


class RoundIs(Fact[WatersState], frozen=True):
    """The number of the round, from 1; 0 before a table's own book is opened."""

    member = "round"
    texts = Texts("This is round {number}.")
    number: Annotated[int, Meta(ge=0, le=20_000)]


class PartIs(Fact[WatersState], frozen=True):
    """The current part of the scenario, from 1."""

    member = "part"
    texts = Texts("This is part {number} of the scenario.")
    number: Many


class TimerHasRunOut(IsSo[WatersState], frozen=True):
    """True if the planning timer of this round has run out."""

    member = "has_timer_run_out"
    texts = Texts("The planning timer of this round has run out.")
    texts_of = {False: Texts("The planning timer of this round has not run out.")}


class NowIs(Fact[WatersState], frozen=True):
    """The phase, the players who must still choose, and the action being resolved.

    The fact also tells if the action has begun. In the end of round phase, the action is to read the Round End section.
    """

    texts = Texts("It is {phase}, which has just begun.")
    phase: Phase
    choosing: tuple[SeatId, ...] = ()
    resolving: SeatId | None = None
    has_begun: bool = False

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        choosing = tuple(SEAT_IDS[seat] for seat in state.choosing)
        resolving = None if state.active is None else SEAT_IDS[state.active]
        yield cls(state.phase, choosing, resolving, state.has_resolved)  # type: ignore[arg-type]  # a `Phase`

    def put(self, state: WatersState, told: Told) -> WatersState:
        choosing = _seats(state, self.choosing)
        is_planned = self.phase == "planning" or not choosing
        self.require(is_planned, "You can only choose an action in the planning phase.", PLANNING)
        is_resolved = self.phase == "action" or self.resolving is None
        self.require(is_resolved, "You can only resolve an action in the action phase.", ACTION)
        self.require(len(set(choosing)) == len(choosing), "Each player chooses one action.", PLANNING)
        active = None if self.resolving is None else SEAT_INDEX[self.resolving]
        return replace(state, phase=self.phase, choosing=choosing, active=active, has_resolved=self.has_begun)

    @property
    def wording(self) -> Texts:
        if self.choosing:
            return Texts("It is {phase}; still to choose: {names}.")
        if self.resolving is None:
            return Texts("It is {phase}, and it is being resolved.") if self.has_begun else self.texts
        if self.has_begun:
            return Texts("It is {phase}; {name} resolves an action.")
        return Texts("It is {phase}; {name} is next to resolve an action.")

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        phase = say(PHASES.get(self.phase, self.phase))
        return {**super().words(names), "phase": phase, "names": _seat_names(self.choosing, names)}


def _seat_names(seats: Iterable[SeatId], names: Sequence[str]) -> str:
    return join_words([names[SEAT_INDEX[seat]] for seat in seats])


class TurnOf(common_facts.TurnOf[WatersState], frozen=True):
    """The seat that chooses next, or whose action is next or in progress."""

    is_derived = True

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        seat = state.choosing[0] if state.choosing else state.active
        if seat is not None:
            yield cls(SEAT_IDS[seat])

    def put(self, state: WatersState, told: Told) -> WatersState:
        return state


class OrderIs(Fact[WatersState], frozen=True):
    """The infamy order of this action phase, if it is frozen."""

    none = {"seats": ()}
    texts = Texts("Actions of a number are resolved in this order: {names}.")
    texts_of = {(): Texts("The order of resolution is not frozen.")}
    rows = staticmethod(lambda state: [(tuple(SEAT_IDS[seat] for seat in state.order),)] if state.order else [])
    seats: tuple[SeatId, ...]

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_possible = state.options.infamy_order == "frozen" or not self.seats
        self.require(is_possible, "With the options of this game, the order is never frozen.", ACTION)
        order = _seats(state, self.seats)
        is_whole = not order or sorted(order) == list(range(len(state.pirates)))
        self.require(is_whole, "List every player once in the order.", ACTION)
        return replace(state, order=order)

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"names": _seat_names(self.seats, names)}


class StandsOn(WatersFact, frozen=True):
    """The action under a player's standee; 0: none."""

    none = {"action": 0}
    member = "standees"
    texts = Texts("{name}'s standee is on action {action}.", "{name}'s standee is no longer on action {action}.")
    texts_of = {0: Texts("{name}'s standee is not on an action.", "{name}'s standee is now on an action.")}
    seat: SeatId
    action: Annotated[int, Meta(ge=0, le=20)]

    def put(self, state: WatersState, told: Told) -> WatersState:
        if self.action:
            on_the_page(state, [self.action])
            if self.action not in state.taken and not told.speaks_of(ActionsTaken):
                state = replace(state, taken=(*state.taken, self.action))
        return super().put(state, told)


class ActionsTaken(WatersFact, frozen=True):
    """The actions chosen this round, one entry for each choice."""

    none = {"actions": ()}
    member = "taken"
    texts = Texts("Actions chosen this round: {actions}.")
    words_of = {"actions": join_words}
    actions: tuple[ActionNumber, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "actions", tuple(sorted(self.actions)))

    def put(self, state: WatersState, told: Told) -> WatersState:
        on_the_page(state, self.actions)
        are_free = all(place.kind == "unlimited" or self.actions.count(place.number) <= 1 for place in state.places)
        self.require(are_free, "A limited or required action can be chosen only once in a round.", PLANNING)
        return replace(state, taken=self.actions)


class Waits(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A pending effect, and the player for whom it is resolved."""

    seat: SeatId
    effect: Pending
    dice: tuple[DieFace, ...] = ()
    """For a skill check: the rolled dice."""
    due: Annotated[int, Meta(ge=0, le=2)] = 0
    """For a skill check: the number of dice to roll; 0 before the first roll, or if a die was set instead."""
    bonus: Annotated[int, Meta(ge=0, le=999)] = 0
    """For a skill check: the bonus from treasures."""


class Waiting(Fact[WatersState], frozen=True):
    """All effects waiting to be resolved, the next one first."""

    none = {"effects": ()}
    texts = Texts("Waiting to be resolved: {effects}.")
    texts_of = {(): Texts("Nothing is waiting to be resolved.")}
    effects: tuple[Waits, ...]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        if state.agenda:
            waits = (Waits(SEAT_IDS[one.seat], one.effect, one.dice, one.due, one.bonus) for one in state.agenda)
            yield cls(tuple(waits))

    def put(self, state: WatersState, told: Told) -> WatersState:
        seats = _seats(state, (one.seat for one in self.effects))
        # An effect on something that is missing does nothing.
        here = replace(known_ids(state), features=None, actions=None, held=None)
        known = here if state.pack.is_open else known_in(state.pack)
        for one in self.effects:
            if isinstance(one.effect, Effect):
                for fault in effect_faults((one.effect,), "", known):
                    raise CannotBe(say("That is not possible here: {why}.", why=fault.message), EFFECTS)
        waits = zip(seats, self.effects, strict=True)
        steps = (Step(seat, one.effect, one.dice, one.due, one.bonus) for seat, one in waits)
        return replace(state, agenda=tuple(steps))

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"effects": "; ".join(_describe_wait(one, names[SEAT_INDEX[one.seat]]) for one in self.effects)}


def _describe_wait(one: Waits, name: str) -> str:
    task = as_task(one.effect, name)
    if not one.dice:
        return task
    return say("{task} (dice {dice})", task=task, dice=join_words([str(die) for die in one.dice]))
