"""The rules protocol: the declarations and methods of a game's rules.

- A state is immutable: a frozen `State` struct of plain data (strings, numbers, tuples, frozensets, structs).
- Each kind of action is a class. `candidates` lists all legal actions, and may list illegal ones; `refusal` is the only
  legality check; `apply` returns the new state, even for an illegal action that players took anyway.
- Rules ask `chance` for an outcome. Each draw is a separate action: players can act between two draws.
- Information that a player hides is in the state, and `view` masks it.
- Inside the rules, a seat is an index from 0; in documents it is `p1`, `p2`, …
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from engine.core.events import ChanceKind, Draft
from engine.core.values import State, Value
from engine.kit.actions import Action, S
from engine.kit.card_facts import deal_unseen
from engine.kit.chance import Chance
from engine.kit.columns import AnyColumn, AnyCurve, AnySeatColumn
from engine.kit.facts import Fact, Told
from engine.kit.kernel import Kernel, O
from engine.kit.options import Options, SetupPrompt
from engine.kit.piles import Pile
from engine.kit.steps import DueStep, Skip
from engine.kit.timer import Timer

KIT = 1
"""The version of the kit; a ruleset for a different version is not loaded."""


class Rules(Kernel[S, O]):
    """The rules of a game: declarations as class attributes, and methods."""

    kit: ClassVar[int] = 1
    """The version of the kit for which the ruleset is built."""

    id: ClassVar[str]
    version: ClassVar[str]
    """The version of the rules. Stored games name it, so the rules of a version never change."""
    reads_versions: ClassVar[tuple[str, ...]] = ()
    """Earlier versions whose records this version can judge (see `upcast`)."""
    name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    """The minimum and maximum number of players."""
    is_cooperative: ClassVar[bool] = True
    """True if the players win and lose together; False if each player or team has its own result."""
    highest_wins: ClassVar[bool] = True
    """False if the lowest score wins; only for games with scores."""
    bgg_id: ClassVar[int | None] = None
    """The game's id at BoardGameGeek, which other programs use; None if the game has no id of its own."""
    options: ClassVar[type[Options]]
    state: ClassVar[type[State]]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    """Every kind of action, in the rulebook's order."""
    unprompted: ClassVar[tuple[type[Action[Any]], ...]] = (Action,)
    """The kinds of action (with subclasses) that a seat may take while the game waits for others (see `awaiting`).

    Any-time kinds need not be listed. For a seat that the game does not wait for, legal actions are searched only among
    these kinds and the any-time kinds. By default, all kinds are searched.
    """
    facts: ClassVar[tuple[type[Fact[Any]], ...]] = ()
    """Every kind of fact about a table (see `engine.kit.facts`), in the order in which facts are applied."""
    columns: ClassVar[tuple[AnyColumn, ...]] = ()
    """Columns of data sets for the whole table (see `engine.kit.columns`)."""
    seat_columns: ClassVar[tuple[AnySeatColumn, ...]] = ()
    """Columns of data sets for each seat."""
    chance_points: ClassVar[tuple[str, ...]] = ()
    """The names of the random results that the rules need, as in `ChancePoint.name`."""
    curve: ClassVar[AnyCurve | None] = None
    """The curve over the turns of a game; None if no value describes the progress of a game."""
    sources: ClassVar[tuple[ChanceKind, ...]] = ("seeded", "observed")
    """The kinds of chance that games can have."""
    schemas: ClassVar[Mapping[str, Mapping[str, Any]]] = MappingProxyType({})
    """JSON Schemas of documents that options contain, by name, to be published as `<name>.json`."""
    checks_rules: ClassVar[bool] = True
    """False if only the components limit the actions, because no rules are known."""
    sections: ClassVar[tuple[str, ...]]
    """The rulebook's headings, the setup first; every cited `rule` is one of them."""
    rule_texts: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The rule under each heading, in one sentence, which an audit quotes. Omit a heading with a single kind of action:
    its sentence is the summary of that action.
    """
    components: ClassVar[dict[str, Any]]
    """The contents of the box, as a JSON document."""
    max_events: ClassVar[int]
    """Maximum number of events in a game."""
    turn_fields: ClassVar[tuple[str, ...]] = ("turn", "phase")
    """The members of the state with the active player, the phase, and the remaining steps of the turn (see
    `keep_turn`).
    """
    steps: ClassVar[tuple[DueStep, ...]] = ()
    """Steps that players can forget, and without which the game can continue (see `skips`)."""
    hands: ClassVar[tuple[str, ...]] = ()
    """Members of the state that hold the unordered cards of each seat."""
    unseen: ClassVar[tuple[str, ...]] = ()
    """Paths to the parts of a state's document with face-down cards: only their number is visible. In a path, `/`
    separates keys, and `*` stands for each item of a list. Cards drawn into these parts can be reported as unknown
    (`engine.play.beliefs.belief`).
    """

    def face_down(self, state: S) -> Sequence[str]:
        """Return the paths to further face-down parts, which a player has looked at.

        These paths have indexes instead of `*`. An example is the hidden side of a tile that a player has looked at.
        """
        return ()

    def at(self, options: Mapping[str, Any]) -> Self:
        """Return the ruleset for games with these options, by default this ruleset itself.

        Its names, players, components, words, schemas, columns and endings can depend on the options.

        Args:
            options: as in event 1; every option has its value.
        """
        return self

    @abstractmethod
    def check_options(self, options: O, seats: int) -> None:
        """Reject invalid options that the schema allows.

        Raises:
            Malformed: an option is invalid; the error has the pointer to it.
        """

    @abstractmethod
    def setup(self, options: O, seats: int, chance: Chance) -> S:
        """Set up the game in the rulebook's order."""

    def setup_prompts(self, options: O, names: Sequence[str], given: Sequence[Value | None]) -> Sequence[SetupPrompt]:
        """Return the questions of the setup, in order. With the results `given`, more questions may be known."""
        return ()

    def at_table(self, state: S) -> S:
        """Adapt the state after `setup` to an observed game.

        Override this if the setup hides a choice of the players: at a real table, they can record the choice later.
        """
        return state

    def upcast(self, version: str, entry: Draft) -> Draft:
        """Convert an entry recorded by an earlier version of the rules to this version's format.

        Stored events do not change. `entry` can be event 1, whose params contain the options.

        Args:
            version: one of `reads_versions`.
        """
        return entry

    def skips(self, state: S) -> Iterable[Skip[S]]:
        """Yield the ways to continue if the step that is due in `state` was skipped, likeliest first.

        Each way skips a different step of `steps`, or the same step of a different seat. If a step is partly done, skip
        its rest. Omit steps that the game cannot continue without. A skip must need no results and reveal no secrets.
        Skips that lead to an invalid state are ignored.
        """
        return ()

    def overlooks(self, state: S) -> Iterable[Skip[S]]:
        """Yield the ways to continue if the players missed an automatic effect of the rules.

        Effects are, for example, a reshuffle, a rise of the water, or the end of the game (`ENDING`; see
        `State.with_play_resumed`). Each way leads to the table as it would be without one of the effects.
        """
        return ()

    @abstractmethod
    def awaiting(self, state: S) -> tuple[int, ...]:
        """Return the seats that the game is waiting for; empty once the game has ended."""

    @abstractmethod
    def active(self, state: S) -> int:
        """Return the seat whose turn it is."""

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> dict[str, Any]:
        """Return the state's document, with only what `viewer` (None: the public) may see."""

    def deal_unseen(self, state: S, told: Told, chance: Chance) -> S:
        """Draw the components that `told` counts but does not name, and return the state with them.

        Called for a record that begins in the middle of a game: 'Ann has 4 cards', and two of them are named.
        """
        return deal_unseen(self.facts, state, told, chance)

    def is_out_of_turn(self, state: S, seat: int) -> bool:
        """Return True if it is another seat's turn, and the game does not wait for `seat`."""
        return seat != self.active(state) and seat not in self.awaiting(state)

    def must_wait(self, state: S, seat: int) -> bool:
        """Return True if the game waits for a step of another seat.

        An action of `seat` must not count as that step.
        """
        return self.is_out_of_turn(state, seat)

    def set_aside(self, state: S) -> S:
        """Return the state to which an illegal action out of turn is applied, without the later steps of the turn.

        `keep_turn` restores these steps. Override this if an action also carries out steps that follow it.
        """
        return state

    def keep_turn(self, before: S, after: S) -> S:
        """Return the state `after` an illegal action out of turn, with the turn as it was `before`.

        The action's effect on the board stays. The effect can require another step first, such as a discard.

        Raises:
            CannotBe: the rules cannot continue from the result.
        """
        if after.outcome is not None:
            return after
        return self.settled(replace(after, **{name: getattr(before, name) for name in self.turn_fields}), Told())

    def consequences(self, state: S, told: Told) -> Iterable[Fact[S]]:
        """Return the facts about `state` that follow from the facts `told`.

        An example: at a higher level, more cards are due.

        Called when an adjustment is recorded. The event stores these facts too, so that its replay never changes.
        """
        return ()

    def begin_turn(self, state: S, seat: int) -> S | None:
        """Return the table at the start of the next turn of `seat`; None if the rules have no turns now.

        Called when the players report only the current player. The record then continues at the start of that player's
        turn.
        """
        return None

    def settled(self, state: S, told: Told) -> S:
        """Complete a state after facts were applied: set the phase and counters, and apply an ending of the rulebook.

        The facts in `told` must stay true; the kernel checks them afterwards.

        Raises:
            CannotBe: the rules cannot continue from the result.
        """
        return state

    def tidy(self, state: S) -> S:
        """Return `state` with all unordered parts sorted, as in states that the rules produce.

        Called for states that clients or files contain. By default, this sorts `hands` and the layers of piles.
        """
        hands = {name: tuple(tuple(sorted(hand)) for hand in getattr(state, name)) for name in self.hands}
        members = ((name, getattr(state, name)) for name in state.__struct_fields__)
        piles = {name: pile.sort_layers() for name, pile in members if isinstance(pile, Pile)}
        return replace(state, **hands, **piles) if hands or piles else state

    @abstractmethod
    def check_invariants(self, state: S) -> list[str]:
        """Return all violated invariants: components are conserved, the phase exists, and the counters fit it."""

    def check_components(self, state: S) -> list[str]:
        """Return the violations by earlier, weaker checks. They apply to positions and patches of earlier records."""
        return self.check_invariants(state)

    def timer(self, state: S) -> Timer | None:
        """Return the current time limit; None, the default: no limit."""
        return None

    @abstractmethod
    def seats(self, state: S) -> int:
        """Return the number of seats at the table."""


AnyRules = Rules[Any, Any]
"""The rules of any game."""
