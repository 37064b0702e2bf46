"""The kernel: the methods that are the same for all rulesets, derived from their declarations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar, Generic, TypeVar, Union

import msgspec

from engine.core import lifecycle
from engine.core.canonical import canonical
from engine.core.documents import convert, malformed_error, params_schema
from engine.core.errors import DEFECTS, GameOver, IllegalAction, Malformed, OutcomeRequired, Unclear
from engine.core.language import say
from engine.core.text import hint
from engine.core.values import SEAT_IDS, SEAT_INDEX, ChancePoint, SeatId, State, not_a_seat
from engine.kit.actions import Action, S
from engine.kit.chance import Chance, Observed
from engine.kit.facts import AnyFact, Fact
from engine.kit.options import Options
from engine.kit.rest import reported_schema
from engine.kit.steps import ENDING, DueStep

O = TypeVar("O", bound=Options)  # noqa: E741  # the options, as S is the state


class LegalAction(msgspec.Struct, Generic[S], frozen=True):
    """A legal action of `seat`."""

    action: Action[S]
    seat: int

    @property
    def actor(self) -> SeatId:
        """The seat's id."""
        return SEAT_IDS[self.seat]


class LegalRange(msgspec.Struct, frozen=True):
    """A kind of action that some seats may take with any params that match a schema."""

    kind: type[Action[Any]]
    seats: tuple[int, ...]
    params: dict[str, Any]
    """The JSON Schema (2020-12) that the legal params match."""

    @property
    def seat(self) -> int:
        """The first of the seats."""
        return self.seats[0]

    @property
    def actor(self) -> SeatId:
        """The first seat's id."""
        return SEAT_IDS[self.seat]

    @property
    def actors(self) -> tuple[SeatId, ...]:
        """The seats' ids."""
        return tuple(SEAT_IDS[seat] for seat in self.seats)


Turns = tuple[tuple[type[Action[S]], int], ...]
"""Kinds of action, each with a seat that may be able to act in this way."""


class Kernel(ABC, Generic[S, O]):
    """Methods of every ruleset, derived from its declarations.

    Only the declarations that the kernel uses are listed here; `engine.kit.rules.Rules` has all of them.
    """

    name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    options: ClassVar[type[Any]]
    state: ClassVar[type[State]]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    unprompted: ClassVar[tuple[type[Action[Any]], ...]]
    steps: ClassVar[tuple[DueStep, ...]]
    facts: ClassVar[tuple[type[Fact[Any]], ...]]
    checks_rules: ClassVar[bool]
    rule_texts: ClassVar[Mapping[str, str]]

    def __init__(self) -> None:
        self._types: dict[str, type[Action[S]]] = {kind.type: kind for kind in self.actions}
        # All actions without params of one kind are equal: create each once instead of for each event.
        self._plain: dict[str, Action[S]] = {}
        self.has_secrets = any(kind.hidden_params for kind in self.actions)
        """True if an action has hidden params (see `engine.play.visibility`)."""
        self._turns: dict[tuple[int, tuple[int, ...]], Turns[S]] = {}

    @abstractmethod
    def check_options(self, options: O, seats: int) -> None: ...

    def check_new(self, options: O) -> None:
        """Reject options of a new game that earlier releases accepted, so that stored games may have them.

        Raises:
            Malformed: the options are invalid.
        """

    @abstractmethod
    def setup(self, options: O, seats: int, chance: Chance) -> S: ...
    @abstractmethod
    def active(self, state: S) -> int: ...
    @abstractmethod
    def awaiting(self, state: S) -> tuple[int, ...]: ...
    @abstractmethod
    def seats(self, state: S) -> int: ...
    @abstractmethod
    def check_invariants(self, state: S) -> list[str]: ...
    @abstractmethod
    def check_components(self, state: S) -> list[str]: ...

    def parse_options(self, given: Mapping[str, Any], seats: int) -> O:
        """Parse options. Missing options get their defaults.

        Raises:
            Malformed: the options are invalid, or there are too few or too many seats.
        """
        least, most = self.players
        if not least <= seats <= most:
            message = say(
                "{game} is for {least} to {most} players, not {seats}",
                game=say(self.name),
                least=least,
                most=most,
                seats=seats,
            )
            raise Malformed("/seats", message)
        options: Any = convert(given, self.options, "/options")
        self.check_options(options, seats)
        return options  # type: ignore[no-any-return]  # an O: `options` is declared beside the type argument

    def parse(self, type_: str, params: dict[str, Any]) -> Action[S]:
        """Parse an action.

        Raises:
            Malformed: the type is unknown, or the params are invalid.
        """
        if not params:
            plain = self._plain.get(type_)
            if plain is not None:
                return plain
        kind = self._types.get(type_)
        if kind is None:
            known = (*self._types, *lifecycle.RECORDABLE)
            raise Malformed("/type", f"{self.name} has no action {type_!r}{hint(type_, known, len(known))}")
        try:
            action = msgspec.convert(params, kind)
        except msgspec.ValidationError as error:
            raise malformed_error(error, "/params", kind) from None
        if not params:
            self._plain[type_] = action
        return action

    def parse_facts(self, documents: Sequence[Any], pointer: str) -> tuple[AnyFact, ...]:
        """Parse facts from JSON documents.

        Raises:
            Malformed: a document is not a fact of this game, or two have the same subject. The error's pointer begins
                with `pointer`.
        """
        if not self.facts:
            raise Malformed(pointer, f"{self.name} declares no facts, so its table cannot be adjusted")
        found: tuple[AnyFact, ...] = convert(documents, tuple[Union[self.facts], ...], pointer)  # type: ignore[name-defined]  # noqa: UP007  # the kinds are the author's
        seen: dict[Any, int] = {}
        for index, fact in enumerate(found):
            if seen.setdefault(fact.subject, index) != index:
                message = f"entry {seen[fact.subject]} has the same subject: send one fact for each subject"
                raise Malformed(f"{pointer}/{index}", message)
        return found

    def reveals(self, type_: str) -> bool:
        """Return True if actions of that type reveal earlier secrets."""
        kind = self.kind(type_)
        return kind is not None and kind.reveals

    def kind(self, type_: str) -> type[Action[S]] | None:
        """Return the class of actions of that type, or None."""
        return self._types.get(type_)

    def step(self, id_: str) -> DueStep:
        """Return the step with that id.

        Raises:
            Malformed: there is no such step.
        """
        for step in (*self.steps, ENDING):
            if step.id == id_:
                return step
        known = ", ".join(step.id for step in self.steps) or "none"
        raise Malformed("/params/step", f"this step cannot be skipped; these can: {known}")

    def judge(self, state: S, action: Action[S], actor: str | None) -> int:
        """Check that `action` is legal, and return the seat that takes it.

        Raises:
            GameOver: the game has ended.
            Malformed: `actor` is not at this table.
            IllegalAction: the action is illegal.
        """
        if state.outcome is not None:
            raise GameOver(state.outcome)
        seat = seat_of(actor, self.seats(state))
        refusal = action.refusal(state, seat)
        if refusal is not None:
            raise IllegalAction(refusal.rule, say(refusal.message))
        return seat

    def has_clear_effect(self, action: Action[S], state: S, seat: int) -> bool:
        """Return False if an illegal action is known to have an unclear effect, without applying it.

        The effect is unclear if the action names a seat that is not at the table, or if `Action.has_clear_effect` is
        False.
        """
        here = set(SEAT_IDS[: self.seats(state)])
        strangers = _words(msgspec.to_builtins(action)) & SEAT_INDEX.keys() - here
        return not strangers and action.has_clear_effect(state, seat)

    def is_sound(self, state: S) -> bool:
        """Return True if the table is possible, and the game can continue from it or is over.

        This tries one legal action of each kind and seat.
        """
        return self.can_be(state) and all(self._leads_on(state, legal) for legal in self._examples(state))

    def can_be(self, state: S) -> bool:
        """Return True if the table is possible, and has a legal action or is over."""
        return not self.check_invariants(state) and self._is_open(state)

    def could_be(self, state: S) -> bool:
        """Return True if the table passes the weaker checks of earlier releases, and has a legal action or is over."""
        return not self.check_components(state) and self._is_open(state)

    def _is_open(self, state: S) -> bool:
        return state.outcome is not None or next(self._examples(state), None) is not None

    def _examples(self, state: S) -> Iterator[LegalAction[S]]:
        """Yield one legal action for each kind and seat, if there is one."""
        if state.outcome is not None:
            return
        for kind in self.actions:
            for seat in range(self.seats(state)):
                for action in kind.candidates(state, seat):
                    if action.refusal(state, seat) is None:
                        yield LegalAction(action, seat)
                        break

    def _leads_on(self, state: S, legal: LegalAction[S]) -> bool:
        """Return True if a legal action leads to a possible table, or must first draw a result."""
        try:
            return self.can_be(legal.action.apply(state, legal.seat, Observed()))
        except OutcomeRequired:
            return True
        except (Unclear, *DEFECTS):
            # Rules can fail on a state that they did not produce.
            return False

    def legal_actions(self, state: S, only: int | None = None) -> Iterator[LegalAction[S]]:
        """Yield the legal actions without duplicates: by kind in the rulebook's order, then by seat, then by params.

        If a kind is in `legal_ranges`, yield only examples of it.

        Args:
            only: the seat whose actions are listed; None: all seats.
        """
        for kind, seat in self._turns_of(state):
            if only is None or seat == only:
                legal = [action for action in kind.candidates(state, seat) if action.refusal(state, seat) is None]
                for action in _in_order(legal) if len(legal) > 1 else legal:
                    yield LegalAction(action, seat)

    def legal(self, kind: type[Action[S]], state: S, seat: int) -> dict[bytes, Action[S]]:
        """Return the legal actions of one kind for `seat`; the keys are canonical forms. The game must not be over."""
        return {
            canonical(action): action for action in kind.candidates(state, seat) if action.refusal(state, seat) is None
        }

    def legal_ranges(self, state: S) -> Iterator[LegalRange]:
        """Yield the kinds of action with too many legal actions to list.

        They are sorted by kind, then by first seat.
        """
        for kind, turns in groupby(self._turns_of(state), key=itemgetter(0)):
            found = [(seat, params) for _, seat in turns if (params := kind.ranges(state, seat)) is not None]
            while found:
                first, params = found[0]
                # For rulesets with rules, clients expect a separate range for each seat.
                seats = (first,) if self.checks_rules else tuple(seat for seat, other in found if other == params)
                yield LegalRange(kind, seats, params)
                found = [one for one in found if one[0] not in seats]

    def _turns_of(self, state: S) -> Turns[S]:
        """Return each kind of action with each seat that may be able to take it, ordered by kind, then by seat."""
        if state.outcome is not None:
            return ()
        key = (self.seats(state), self.awaiting(state))
        turns = self._turns.get(key)
        if turns is None:
            everybody, awaited = range(key[0]), sorted(set(key[1]))
            turns = self._turns[key] = tuple(
                (kind, seat) for kind in self.actions for seat in (everybody if self._is_unprompted(kind) else awaited)
            )
        return turns

    def _is_unprompted(self, kind: type[Action[S]]) -> bool:
        """Return True if seats may take actions of that kind while the game waits for other seats."""
        return kind.any_time or issubclass(kind, self.unprompted)

    def chance_point(self, state: S, legal: LegalAction[S]) -> ChancePoint | None:
        """Return the first random result that a legal action needs; None if it needs none."""
        if not legal.action.asks_chance:
            return None
        probe = Observed()
        try:
            legal.action.apply(state, legal.seat, probe)
        except OutcomeRequired as required:
            return required.point
        return None

    def setup_point(self, options: O, seats: int) -> ChancePoint | None:
        """Return the first random result that the setup needs; None if it needs none."""
        try:
            self.setup(options, seats, Observed())
        except OutcomeRequired as required:
            return required.point
        return None

    def to_document(self, state: S) -> dict[str, Any]:
        """Return the state as a JSON document, with sets sorted."""
        document: dict[str, Any] = msgspec.to_builtins(state, order="sorted")
        document.pop("details", None)
        return document

    def from_document(self, document: Any) -> S:
        """Parse a state from a document that `to_document` returned.

        Raises:
            Malformed: the document is not a state of this game.
        """
        state: Any = convert(document, self.state, "")
        return state  # type: ignore[no-any-return]  # an S: `state` is declared beside the type argument

    def describe_fact(self, kind: type[AnyFact]) -> dict[str, Any]:
        """Describe a kind of fact as a JSON document: name, summary, subject fields, and JSON Schema."""
        return {
            "fact": kind.tag(),
            "summary": say(summary_of(kind)),
            "about": kind.about,
            "is_derived": kind.is_derived,
            "can_be_absent": kind.none is not None,
            "schema": reported_schema(kind),
        }

    def rule_text(self, heading: str) -> str:
        """Return the rule under a heading as one sentence; an empty text if the ruleset has none."""
        summaries = [summary_of(kind) for kind in self.actions if kind.rule == heading]
        text = self.rule_texts.get(heading, summaries[0] if len(summaries) == 1 else "")
        return say(text) if text else ""

    def describe_action_type(self, kind: type[Action[Any]]) -> dict[str, Any]:
        """Describe a kind of action as a JSON document: type, rule, summary, and the params as JSON Schema."""
        return {
            "type": kind.type,
            "title": say(kind.english_title()),
            "rule": kind.rule,
            "summary": say(summary_of(kind)),
            "asks_chance": kind.asks_chance,
            "any_time": kind.any_time,
            "symbol": kind.symbol,
            "params": params_schema(kind),
        }


def summary_of(kind: type) -> str:
    """Return the first line of the class's docstring."""
    return (kind.__doc__ or "").strip().split("\n", 1)[0]


def _in_order(actions: Iterable[Action[S]]) -> list[Action[S]]:
    """Deduplicate actions of one kind, and sort them by canonical form."""
    return [action for _, action in sorted({canonical(action): action for action in actions}.items())]


def _words(params: Any) -> set[str]:
    """Return the strings in a JSON document, without the names of members."""
    if isinstance(params, str):
        return {params}
    parts = params.values() if isinstance(params, dict) else params if isinstance(params, list | tuple) else ()
    return {word for part in parts for word in _words(part)}


def seat_of(actor: str | None, seats: int) -> int:
    """Return the seat of an actor at a table with this many seats.

    Raises:
        Malformed: `actor` is not at the table.
    """
    seat = SEAT_INDEX.get(actor)
    if seat is None or seat >= seats:
        raise Malformed("/actor", not_a_seat(seats))
    return seat
