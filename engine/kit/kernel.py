"""What the kernel makes of a ruleset: the same for all games, and written by no author of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, Union

import msgspec

from engine.core.canonical import canonical
from engine.core.documents import convert, malformed, params_schema
from engine.core.errors import DEFECTS, GameOver, IllegalAction, Malformed, OutcomeRequired, Unclear
from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, ChancePoint, SeatId, State, not_a_seat
from engine.kit.actions import Action, S
from engine.kit.chance import Chance, Observed
from engine.kit.default_scene import empty_scene
from engine.kit.facts import AnyFact, Fact
from engine.kit.options import Options
from engine.kit.scene import Scene
from engine.kit.steps import DueStep

O = TypeVar("O", bound=Options)  # noqa: E741  # the options, as S is the state


class LegalAction(msgspec.Struct, Generic[S], frozen=True):
    """An action that `seat` may take now."""

    action: Action[S]
    seat: int

    @property
    def actor(self) -> SeatId:
        """The seat's id."""
        return SEAT_IDS[self.seat]


class LegalRange(msgspec.Struct, frozen=True):
    """A kind of action that `seat` may take now with any params that fit a schema."""

    kind: type[Action[Any]]
    seat: int
    params: dict[str, Any]
    """JSON Schema (2020-12)."""

    @property
    def actor(self) -> SeatId:
        """The seat's id."""
        return SEAT_IDS[self.seat]


class Kernel(ABC, Generic[S, O]):
    """What every ruleset can do once its author has declared it; of what he declares only that stands here which is
    needed for it (see `engine.kit.ruleset.Ruleset`).
    """

    name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    options: ClassVar[type[Any]]
    state: ClassVar[type[State]]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    phases: ClassVar[Mapping[str, str]]
    endings: ClassVar[dict[str, str]]
    steps: ClassVar[tuple[DueStep, ...]]
    facts: ClassVar[tuple[type[Fact[Any]], ...]]

    def __init__(self) -> None:
        self._types: dict[str, type[Action[S]]] = {kind.type: kind for kind in self.actions}
        # An action without params is one value: made once, not at every event.
        self._plain: dict[str, Action[S]] = {kind.type: kind() for kind in self.actions if not kind.__struct_fields__}
        self.has_secrets = any(kind.hidden_params for kind in self.actions)
        """Whether players can hide something in it (see `engine.play.secrets`)."""

    @abstractmethod
    def check_options(self, options: O, seats: int) -> None: ...
    @abstractmethod
    def setup(self, options: O, seats: int, chance: Chance) -> S: ...
    @abstractmethod
    def active(self, state: S) -> int: ...
    @abstractmethod
    def seats(self, state: S) -> int: ...
    @abstractmethod
    def check_invariants(self, state: S) -> list[str]: ...
    @abstractmethod
    def check_components(self, state: S) -> list[str]: ...
    @abstractmethod
    def word(self, value: str) -> str: ...

    def parse_options(self, given: Mapping[str, Any], seats: int) -> O:
        """The options, the missing ones by default.

        Raises:
            Malformed: they do not fit, or there are too few or too many seats.
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
        """The action of that type with those params.

        Raises:
            Malformed: no such type, or the params do not fit it.
        """
        if not params:
            plain = self._plain.get(type_)
            if plain is not None:
                return plain
        kind = self._types.get(type_)
        if kind is None:
            raise Malformed("/type", f"{self.name} has no action {type_!r}")
        try:
            return msgspec.convert(params, kind)
        except msgspec.ValidationError as error:
            raise malformed(error, "/params", kind) from None

    def parse_facts(self, documents: Sequence[Any], pointer: str) -> tuple[AnyFact, ...]:
        """The facts that these JSON documents tell.

        Raises:
            Malformed: one of them is none of this game, or two are about the same; with the place, below `pointer`.
        """
        if not self.facts:
            raise Malformed(pointer, f"{self.name} has no facts that can be told")
        found: tuple[AnyFact, ...] = convert(documents, tuple[Union[self.facts], ...], pointer)  # type: ignore[name-defined]  # noqa: UP007  # the kinds are the author's
        seen: dict[Any, int] = {}
        for index, fact in enumerate(found):
            if seen.setdefault(fact.subject, index) != index:
                message = f"entry {seen[fact.subject]} is about the same: say what is so once"
                raise Malformed(f"{pointer}/{index}", message)
        return found

    def reveals(self, type_: str) -> bool:
        """Whether actions of that type open what was hidden before."""
        kind = self.kind(type_)
        return kind is not None and kind.reveals

    def kind(self, type_: str) -> type[Action[S]] | None:
        """The kind of action of that type, if there is one."""
        return self._types.get(type_)

    def step(self, id_: str) -> DueStep:
        """The step of that id.

        Raises:
            Malformed: there is none.
        """
        for step in self.steps:
            if step.id == id_:
                return step
        known = ", ".join(step.id for step in self.steps) or "none"
        raise Malformed("/params/step", f"not a step that may be left out, of which there are: {known}")

    def judge(self, state: S, action: Action[S], actor: str | None) -> int:
        """The seat that may take `action` now.

        Raises:
            GameOver: the game has ended.
            Malformed: `actor` is nobody at this table.
            IllegalAction: the rules forbid it.
        """
        if state.outcome is not None:
            raise GameOver(state.outcome)
        # As `seat_of`, which would be a call more for each event of a fold: a twentieth of its time.
        seat = SEAT_INDEX.get(actor)
        if seat is None or seat >= self.seats(state):
            raise Malformed("/actor", not_a_seat(self.seats(state)))
        refusal = action.refusal(state, seat)
        if refusal is not None:
            raise IllegalAction(refusal.rule, say(refusal.message))
        return seat

    def has_clear_effect(self, action: Action[S], state: S, seat: int) -> bool:
        """Whether it is clear what an action does that is not legal, as far as that can be told before it is taken: as
        the action says, and of nobody who is not at the table.
        """
        here = set(SEAT_IDS[: self.seats(state)])
        strangers = _words(msgspec.to_builtins(action)) & SEAT_INDEX.keys() - here
        return not strangers and action.has_clear_effect(state, seat)

    def is_sound(self, state: S) -> bool:
        """Whether a table can look like this, and the game goes on from it unless it is over; and so whatever kind of
        action is taken next, of which one of each seat is tried.
        """
        return self.can_be(state) and all(self._leads_on(state, legal) for legal in self._examples(state))

    def can_be(self, state: S) -> bool:
        """Whether a table can look like this, and there is something to be done unless the game is over."""
        return not self.check_invariants(state) and self._is_open(state)

    def could_be(self, state: S) -> bool:
        """The same, by what was asked of a state when earlier records were made."""
        return not self.check_components(state) and self._is_open(state)

    def _is_open(self, state: S) -> bool:
        return state.outcome is not None or next(self._examples(state), None) is not None

    def _examples(self, state: S) -> Iterator[LegalAction[S]]:
        """A legal action of each kind and seat that has one."""
        if state.outcome is not None:
            return
        for kind in self.actions:
            for seat in range(self.seats(state)):
                for action in kind.candidates(state, seat):
                    if action.refusal(state, seat) is None:
                        yield LegalAction(action, seat)
                        break

    def _leads_on(self, state: S, legal: LegalAction[S]) -> bool:
        """Whether a legal action leads to a table that can be; of one that asks chance, whether it can be begun."""
        try:
            return self.can_be(legal.action.apply(state, legal.seat, Observed()))
        except OutcomeRequired:
            return True
        except (Unclear, *DEFECTS):
            # Whatever looks at a state that no rule ever made may fail.
            return False

    def legal_actions(self, state: S) -> Iterator[LegalAction[S]]:
        """All that may be done now: by kind in the rulebook's order, then by seat, then by params; each once.

        Of a kind that has `legal_ranges`, these are examples.
        """
        if state.outcome is not None:
            return
        for kind in self.actions:
            for seat in range(self.seats(state)):
                legal = self.legal(kind, state, seat)
                for key in sorted(legal):
                    yield LegalAction(legal[key], seat)

    def legal(self, kind: type[Action[S]], state: S, seat: int) -> dict[bytes, Action[S]]:
        """All of one kind that `seat` may do while the game goes on, by their canonical form."""
        return {
            canonical(action): action for action in kind.candidates(state, seat) if action.refusal(state, seat) is None
        }

    def legal_ranges(self, state: S) -> Iterator[LegalRange]:
        """The kinds of action that may be taken with more params than are listed: by kind, then by seat."""
        if state.outcome is not None:
            return
        for kind in self.actions:
            for seat in range(self.seats(state)):
                params = kind.ranges(state, seat)
                if params is not None:
                    yield LegalRange(kind, seat, params)

    def chance_point(self, state: S, legal: LegalAction[S]) -> ChancePoint | None:
        """What the rules of a legal action ask chance first; None if they ask nothing."""
        if not legal.action.asks_chance:
            return None
        probe = Observed()
        try:
            legal.action.apply(state, legal.seat, probe)
        except OutcomeRequired as required:
            return required.point
        return None

    def setup_point(self, options: O, seats: int) -> ChancePoint | None:
        """What the set-up asks chance first; None if it asks nothing."""
        try:
            self.setup(options, seats, Observed())
        except OutcomeRequired as required:
            return required.point
        return None

    def to_document(self, state: S) -> dict[str, Any]:
        """The state as a JSON document, its sets sorted."""
        document: dict[str, Any] = msgspec.to_builtins(state, order="sorted")
        return document

    def from_document(self, document: Any) -> S:
        """The state of a document that `to_document` made.

        Raises:
            Malformed: it is not one.
        """
        state: Any = convert(document, self.state, "")
        return state  # type: ignore[no-any-return]  # an S: `state` is declared beside the type argument

    def standing(self, state: S, names: Sequence[str]) -> str:
        """Where the game stands, in a line: whose turn it is, or how it ended."""
        if state.outcome is not None:
            # A table may have given up, which is no ending of the rulebook.
            return say(self.endings.get(state.outcome.reason, marked("The game was given up.")))
        # Earlier records may be in a phase that there is none of: adjustments were held to less then.
        said = say(self.phases.get(state.phase, state.phase))
        return say("Turn {turn} · {name} · {phase}", turn=state.turn, name=names[self.active(state)], phase=said)

    def empty_board(self, names: Sequence[str]) -> Scene:
        """The picture of the table before it is set up."""
        return empty_scene(say(self.name), names)

    def words(self) -> dict[str, str]:
        """What a player calls each value that a fact or a param can be one of; less the seats."""
        schemas = [params_schema(kind) for kind in (*self.facts, *self.actions)]
        values = {value for schema in schemas for value in _choices(schema)}
        # 'hut_1' for 'p2_hut_1': the page knows whose it is.
        values = {value[3:] if value[:2] in SEAT_INDEX else value for value in values} - {""}
        return {value: say(self.phases.get(value) or self.word(value)) for value in sorted(values)}

    def asked_for(self) -> set[str]:
        """Each param of an action and member of a fact: the title that it has in its JSON Schema, or else its name."""
        schemas = [params_schema(kind) for kind in (*self.facts, *self.actions)]
        parts = [part for schema in schemas for part in (schema, *schema.get("$defs", {}).values())]
        members = [member for part in parts for member in part.get("properties", {}).items()]
        return {member.get("title", name) for name, member in members}

    def describe_fact(self, kind: type[AnyFact]) -> dict[str, Any]:
        """A kind of fact as a JSON document: its name, what it says, of what it speaks, and its JSON Schema."""
        return {
            "fact": kind.tag(),
            "summary": say(summary_of(kind)),
            "about": kind.about,
            "is_derived": kind.is_derived,
            "schema": params_schema(kind),
        }

    def describe_action_type(self, kind: type[Action[Any]]) -> dict[str, Any]:
        """A kind of action as a JSON document: type, rule, what it does, its params as JSON Schema."""
        return {
            "type": kind.type,
            "title": say(kind.called()),
            "rule": kind.rule,
            "summary": say(summary_of(kind)),
            "asks_chance": kind.asks_chance,
            "any_time": kind.any_time,
            "symbol": kind.symbol,
            "params": params_schema(kind),
        }


def summary_of(kind: type) -> str:
    """The first line of its docstring."""
    return (kind.__doc__ or "").strip().split("\n", 1)[0]


def _choices(schema: Any) -> Iterator[str]:
    """The texts among the values of which a JSON Schema wants one; less the names of kinds of facts."""
    if isinstance(schema, dict):
        yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
        for key, part in schema.items():
            if key != "fact":
                yield from _choices(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _choices(part)


def _words(params: Any) -> set[str]:
    """The texts in a JSON document, but for the names of members."""
    if isinstance(params, str):
        return {params}
    parts = params.values() if isinstance(params, dict) else params if isinstance(params, list | tuple) else ()
    return {word for part in parts for word in _words(part)}


def seat_of(actor: str | None, seats: int) -> int:
    """The seat of an actor at a table for so many.

    Raises:
        Malformed: `actor` is nobody there.
    """
    seat = SEAT_INDEX.get(actor)
    if seat is None or seat >= seats:
        raise Malformed("/actor", not_a_seat(seats))
    return seat
