"""The ruleset protocol: the only page that the author of a game must read.

A game is a `Ruleset`: a state, the actions of its rulebook, and its set-up. Everything else (recording, replay, legal
actions, audit, exports) is the kernel's, and the same for all games.

- A state is immutable: a frozen `State` struct of plain data (strings, numbers, tuples, frozensets, structs).
- An action is one class. `candidates` may list too much, never too little; `refusal` is the only check of its
  legality; `apply` is called only after `refusal` found nothing, and returns the new state.
- Rules ask `chance` and get an outcome. So that players can act between two draws, each draw is an action of its own.
- What a player hides from the table is in the state, and `view` masks it; the params of the event that hides it are
  `Action.hides` (see `engine.secrets`).
- Where a full list of candidates would be too long, `Action.ranges` says beside a few examples what is legal.
- A seat is an index from 0 inside the rules, `p1`, `p2`, … in every document.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from engine.board import Scene
from engine.canonical import canonical
from engine.chance import Chance, ChancePoint, Observed
from engine.errors import GameOver, IllegalAction, Malformed, OutcomeRequired
from engine.events import SEAT_IDS, SEAT_INDEX, Draft, GameOutcome, SeatId, Value
from engine.table import Place
from engine.tableau import empty_scene, tableau_scene


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What every game's state has; a game adds its own fields."""

    turn: int
    """The turn that is being played, from 1."""
    phase: str
    """The part of the turn, in the rulebook's words."""
    outcome: GameOutcome | None = None
    """How the game ended; None while it goes on."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table chooses before it begins; a game adds its own fields, each with its default."""


class Refusal(msgspec.Struct, frozen=True):
    """Why an action is not legal: the rulebook's heading, and the sentence that a player reads."""

    rule: str
    message: str


_LOCATED = re.compile(r"(.*) - at `\$([^`]*)`", re.DOTALL)

S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741  # the options, as S is the state


class Action(msgspec.Struct, Generic[S], frozen=True, gc=False, forbid_unknown_fields=True):
    """One kind of action of a rulebook; its fields are the params.

    A field that holds several things in no order is a tuple that `__post_init__` sorts, so that an action has one
    spelling, in which it is stored.
    """

    type: ClassVar[str]
    """Its name in events, in the rulebook's words."""
    rule: ClassVar[str]
    """The rulebook's heading that it implements."""
    asks: ClassVar[bool] = False
    """Whether its rules ask chance."""
    hides: ClassVar[tuple[str, ...]] = ()
    """The params that only its actor may see until they are revealed; `salt` is one of them (see `engine.secrets`)."""
    reveals: ClassVar[bool] = False
    """Whether it opens all that was hidden before it."""

    @classmethod
    @abstractmethod
    def candidates(cls, state: S, seat: int) -> Iterable[Self]:
        """Every action of this kind that may be legal for `seat`, and perhaps some that are not."""

    @classmethod
    def ranges(cls, state: S, seat: int) -> dict[str, Any] | None:
        """Where a full list would be too long: the JSON Schema of the params that are legal for `seat`, exactly.

        None where `candidates` lists them all, or where none is legal. Beside a schema, `candidates` lists examples,
        each of which fits it.
        """
        return None

    @abstractmethod
    def refusal(self, state: S, seat: int) -> Refusal | None:
        """Why `seat` may not do this now, or None."""

    @abstractmethod
    def apply(self, state: S, seat: int, chance: Chance) -> S:
        """The state after it."""

    @abstractmethod
    def label(self, state: S, names: Sequence[str]) -> str:
        """What a button says: an imperative, such as 'Move to Coral Palace'."""

    @abstractmethod
    def describe(self, state: S, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        """A sentence a player would say of it afterwards; `state` is the one before it."""


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


class Ruleset(ABC, Generic[S, O]):
    """A game: what is declared as class attributes, and what its rules do."""

    id: ClassVar[str]
    version: ClassVar[str]
    """The version of its rules. A stored game names it, and its rules stay as they were."""
    reads: ClassVar[tuple[str, ...]] = ()
    """Earlier versions of them whose records these rules can judge (see `upcast`)."""
    name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    """The least and the most."""
    options: ClassVar[type[Options]]
    state: ClassVar[type[State]]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    """Every kind of action, in the rulebook's order."""
    sections: ClassVar[tuple[str, ...]]
    """The rulebook's headings, that of the set-up first: every `rule` cited is one of them."""
    endings: ClassVar[dict[str, str]]
    """Each way to end: the outcome's reason, and the sentence that a player reads."""
    components: ClassVar[dict[str, Any]]
    """What is in the box, as a JSON document."""
    max_events: ClassVar[int]
    """No game played by its rules is longer."""
    unseen: ClassVar[tuple[str, ...]] = ()
    """The parts of its state of which people see only how much there is, as cards in a hand: paths in its document,
    `/` between the keys and `*` for each item of a list. What chance does there may go unseen (`engine.beliefs`)."""

    def __init__(self) -> None:
        self._types: dict[str, type[Action[S]]] = {kind.type: kind for kind in self.actions}
        # An action without params is one value: made once, not at every event.
        self._plain: dict[str, Action[S]] = {kind.type: kind() for kind in self.actions if not kind.__struct_fields__}

    @abstractmethod
    def check_options(self, options: O, seats: int) -> None:
        """Refuse what the schema of the options cannot say.

        Raises:
            Malformed: with a pointer into the options.
        """

    @abstractmethod
    def setup(self, options: O, seats: int, chance: Chance) -> S:
        """The rulebook's set-up, in its order."""

    def places(self, options: O, names: Sequence[str], given: Sequence[Value | None]) -> Sequence[Place]:
        """What the set-up asks the table, in order, as far as it can be foreseen once `given` came up."""
        return ()

    def space(self, value: Value) -> tuple[int, int] | None:
        """Column and row, from 1, of an outcome of the set-up that is a space of a grid; else None."""
        return None

    def at_table(self, state: S) -> S:
        """The state after `setup` of an observed game, where a recorder enters what a real table does.

        For rules by which players hide something: at a real table it may be entered once it is shown.
        """
        return state

    def upcast(self, version: str, entry: Draft) -> Draft:
        """What was recorded under an earlier version of these rules, in the shape that these know.

        Stored events stay as they are. The opening is one of them: its params hold the options.

        Args:
            version: one of `reads`.
        """
        return entry

    @abstractmethod
    def describe_setup(self, state: S, names: Sequence[str]) -> list[str]:
        """What the table looks like after set-up, a sentence each."""

    @abstractmethod
    def awaiting(self, state: S) -> tuple[int, ...]:
        """The seats that the game waits for; empty once it is over."""

    @abstractmethod
    def active(self, state: S) -> int:
        """The seat whose turn it is."""

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> dict[str, Any]:
        """The state's document as `viewer` (None: the public) may see it."""

    def tidy(self, state: S) -> S:
        """`state` with all that has no order (hands, layers of piles) sorted, as the rules keep it.

        For a state that somebody wrote; one that the rules made stays as it is.
        """
        return state

    @abstractmethod
    def check_invariants(self, state: S) -> list[str]:
        """Every violation, named: components are conserved, counters in range."""

    def is_sound(self, state: S) -> bool:
        """Whether a table can look like this, and the game goes on from it unless it is over."""
        if self.check_invariants(state):
            return False
        return state.outcome is not None or next(self.legal_actions(state), None) is not None

    @abstractmethod
    def tableau(self, state: S, names: Sequence[str]) -> dict[str, str]:
        """What a player would look up on the table, in words: label and text."""

    def glance(self, state: S, names: Sequence[str]) -> str:
        """The table in a line, as a player sums it up after a turn; by default all of the tableau."""
        return " · ".join(f"{label}: {text}" for label, text in self.tableau(state, names).items())

    def board(self, state: S, names: Sequence[str], viewer: int | None = None) -> Scene:
        """The table as a picture (see `engine.board`), as `viewer` (None: the public) may see it.

        By default the tableau in words; a game whose `tableau` tells what players hide has to say what is shown.
        """
        subtitle = self.standing(state, names)
        return tableau_scene(self.name, subtitle, self.glance(state, names), self.tableau(state, names))

    def empty_board(self, names: Sequence[str]) -> Scene:
        """The picture of the table before it is set up."""
        return empty_scene(self.name, names)

    def standing(self, state: S, names: Sequence[str]) -> str:
        """Where the game stands, in a line: whose turn it is, or how it ended."""
        if state.outcome is not None:
            # A table may have given up, which is no ending of the rulebook.
            return self.endings.get(state.outcome.reason, "The game was given up.")
        phase = state.phase.replace("_", " ")
        return f"Turn {state.turn} · {names[self.active(state)]} · {phase}"

    def part(self, state: S, seat: int) -> dict[str, str]:
        """What a seat plays, where that differs from seat to seat: such as its role, by what it is called."""
        return {}

    @abstractmethod
    def value_label(self, value: Value) -> str:
        """What a player calls an outcome."""

    def parse_options(self, given: Mapping[str, Any], seats: int) -> O:
        """The options, the missing ones by default.

        Raises:
            Malformed: they do not fit, or there are too few or too many seats.
        """
        least, most = self.players
        if not least <= seats <= most:
            raise Malformed("/seats", f"{self.name} is for {least} to {most} players, not {seats}")
        options: Any = _convert(given, self.options, "/options")
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
            raise malformed(error, "/params") from None

    def reveals(self, type_: str) -> bool:
        """Whether actions of that type open what was hidden before."""
        kind = self.kind(type_)
        return kind is not None and kind.reveals

    @property
    def has_secrets(self) -> bool:
        """Whether players can hide something in it (see `engine.secrets`)."""
        return any(kind.hides for kind in self.actions)

    def kind(self, type_: str) -> type[Action[S]] | None:
        """The kind of action of that type, if there is one."""
        return self._types.get(type_)

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
            raise Malformed("/actor", "not a seat of this game")
        refusal = action.refusal(state, seat)
        if refusal is not None:
            raise IllegalAction(refusal.rule, refusal.message)
        return seat

    @abstractmethod
    def seats(self, state: S) -> int:
        """How many sit at the table."""

    def legal_actions(self, state: S) -> Iterator[LegalAction[S]]:
        """All that may be done now: by kind in the rulebook's order, then by seat, then by params; each once.

        Of a kind that has `legal_ranges`, these are examples.
        """
        if state.outcome is not None:
            return
        for kind in self.actions:
            for seat in range(self.seats(state)):
                legal = {
                    canonical(action): action
                    for action in kind.candidates(state, seat)
                    if action.refusal(state, seat) is None
                }
                for key in sorted(legal):
                    yield LegalAction(legal[key], seat)

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
        if not legal.action.asks:
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
        state: Any = _convert(document, self.state, "")
        return state  # type: ignore[no-any-return]  # an S: `state` is declared beside the type argument

    def describe_action_type(self, kind: type[Action[Any]]) -> dict[str, Any]:
        """A kind of action as a JSON document: type, rule, what it does, its params as JSON Schema."""
        return {
            "type": kind.type,
            "rule": kind.rule,
            "summary": (kind.__doc__ or "").strip().split("\n", 1)[0],
            "asks_chance": kind.asks,
            "params": params_schema(kind),
        }


def seat_of(actor: str | None, seats: int) -> int:
    """The seat of an actor at a table for so many.

    Raises:
        Malformed: `actor` is nobody there.
    """
    seat = SEAT_INDEX.get(actor)
    if seat is None or seat >= seats:
        raise Malformed("/actor", "not a seat of this game")
    return seat


def params_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a struct's fields, self-contained."""
    (reference,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    name = reference["$ref"].rsplit("/", 1)[1]
    schema = definitions.pop(name)
    for key in ("title", "description"):
        schema.pop(key, None)
    # A default that is a tuple is a list in JSON.
    document: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode({**schema, "$defs": definitions} if definitions else schema)
    )
    return document


def malformed(error: msgspec.ValidationError, under: str) -> Malformed:
    """A msgspec error ('… - at `$.a[0]`') as `Malformed`, with the RFC 6901 pointer below `under`."""
    message, path = str(error), ""
    if located := _LOCATED.fullmatch(message):
        message, path = located.groups()
    # `...` stands for a key that msgspec does not tell: the pointer ends above it.
    keys = path.partition("[...]")[0].replace("[", ".").replace("]", "").split(".")
    return Malformed(under + "".join(f"/{key}" for key in keys if key), message)


def _convert(document: Any, kind: type[Any], under: str) -> Any:
    try:
        return msgspec.convert(document, kind, strict=True)
    except msgspec.ValidationError as error:
        raise malformed(error, under) from None
