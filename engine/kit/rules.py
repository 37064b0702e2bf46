"""The rules protocol: what a game declares of its rulebook, and what its rules do.

- A state is immutable: a frozen `State` struct of plain data (strings, numbers, tuples, frozensets, structs).
- An action is one class. `candidates` may list too much, never too little; `refusal` is the only check of its
  legality; `apply` returns the new state, and is also called for what was refused, where a table did it anyway.
- Rules ask `chance` and get an outcome. So that players can act between two draws, each draw is an action of its own.
- What a player hides from the table is in the state, and `view` masks it.
- A seat is an index from 0 inside the rules, `p1`, `p2`, … in every document.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.core.events import Draft
from engine.core.values import State, Value
from engine.kit.actions import Action, S
from engine.kit.chance import Chance
from engine.kit.columns import AnyColumn, AnyCurve, AnySeatColumn
from engine.kit.facts import Fact, Told
from engine.kit.kernel import Kernel, O
from engine.kit.options import Options, SetupPrompt
from engine.kit.steps import DueStep, Skip
from engine.kit.timer import Timer

KIT = 1
"""The version of the kit: a ruleset that is built for another one is not loaded."""


class Rules(Kernel[S, O]):
    """The rules of a game: what is declared as class attributes, and what they do."""

    kit: ClassVar[int] = 1
    """The version of the kit that it is built for."""

    id: ClassVar[str]
    version: ClassVar[str]
    """The version of its rules. A stored game names it, and its rules stay as they were."""
    reads_versions: ClassVar[tuple[str, ...]] = ()
    """Earlier versions of them whose records these rules can judge (see `upcast`)."""
    name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    """The least and the most."""
    is_cooperative: ClassVar[bool] = True
    """Whether the players win and lose together; False where each of them, or each team, has a result of its own."""
    bgg_id: ClassVar[int | None] = None
    """Its number at BoardGameGeek, by which other programs know it; None where it has none of its own."""
    options: ClassVar[type[Options]]
    state: ClassVar[type[State]]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    """Every kind of action, in the rulebook's order."""
    unprompted: ClassVar[tuple[type[Action[Any]], ...]] = (Action,)
    """The kinds, beside those for any time, that a seat may take while the game does not wait for it (see `awaiting`):
    these and their subclasses. A listing tries no others for such a seat; by default it tries every kind.
    """
    facts: ClassVar[tuple[type[Fact[Any]], ...]] = ()
    """Every kind of fact that a table can tell (see `engine.kit.facts`), in the order in which they are put."""
    columns: ClassVar[tuple[AnyColumn, ...]] = ()
    """What of its table is a value in each row of a data set (see `engine.kit.columns`)."""
    seat_columns: ClassVar[tuple[AnySeatColumn, ...]] = ()
    """The same of each seat."""
    chance_points: ClassVar[tuple[str, ...]] = ()
    """What it asks chance for: the name of each `ChancePoint`."""
    curve: ClassVar[AnyCurve | None] = None
    """What is drawn over the turns of a game; None where nothing of it says how the game goes."""
    sections: ClassVar[tuple[str, ...]]
    """The rulebook's headings, that of the set-up first: every `rule` cited is one of them."""
    components: ClassVar[dict[str, Any]]
    """What is in the box, as a JSON document."""
    max_events: ClassVar[int]
    """No game played by its rules is longer."""
    turn_fields: ClassVar[tuple[str, ...]] = ("turn", "phase")
    """The members of its state that say whose turn it is, its phase, and what is left to do in it (see `keep_turn`)."""
    steps: ClassVar[tuple[DueStep, ...]] = ()
    """What a table may forget to do, and go on (see `skips`)."""
    unseen: ClassVar[tuple[str, ...]] = ()
    """The parts of its state of which people see only how much there is, as cards in a hand: paths in its document,
    `/` between the keys and `*` for each item of a list. What chance does there may go unseen
    (`engine.play.beliefs.belief`)."""

    def face_down(self, state: S) -> Sequence[str]:
        """Besides `unseen`, what does not show in this state though it is known: paths in its document, with the index
        of an item in a list. So is what lies under a tile that somebody has looked under, until it is turned.
        """
        return ()

    @abstractmethod
    def check_options(self, options: O, seats: int) -> None:
        """Refuse what the schema of the options cannot say.

        Raises:
            Malformed: with a pointer into the options.
        """

    @abstractmethod
    def setup(self, options: O, seats: int, chance: Chance) -> S:
        """The rulebook's set-up, in its order."""

    def setup_prompts(self, options: O, names: Sequence[str], given: Sequence[Value | None]) -> Sequence[SetupPrompt]:
        """What the set-up asks the table, in order, as far as it can be foreseen once `given` came up."""
        return ()

    def at_table(self, state: S) -> S:
        """The state after `setup` of an observed game, where a recorder enters what a real table does.

        For rules by which players hide something: at a real table it may be entered once it is shown.
        """
        return state

    def upcast(self, version: str, entry: Draft) -> Draft:
        """What was recorded under an earlier version of these rules, in the shape that these know.

        Stored events stay as they are. The opening is one of them: its params hold the options.

        Args:
            version: one of `reads_versions`.
        """
        return entry

    def skips(self, state: S) -> Iterable[Skip[S]]:
        """The ways in which the game goes on where a step that is due in `state` was left out, the likeliest first.

        One of `steps` each, and no two of them the same step of the same seat. Of a step of which a part is done, the
        rest is left out. Where the game cannot go on without a step, it is none of these. Chance is not asked, nothing
        that a player hides is told by them, and the kernel passes over those that do not lead to a sound state.
        """
        return ()

    @abstractmethod
    def awaiting(self, state: S) -> tuple[int, ...]:
        """The seats that the game waits for; empty once it is over."""

    @abstractmethod
    def active(self, state: S) -> int:
        """The seat whose turn it is."""

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> dict[str, Any]:
        """The state's document as `viewer` (None: the public) may see it."""

    def deal_unseen(self, state: S, told: Told, chance: Chance) -> S:
        """The state with what is told to be there, and not what it is, drawn from where it came.

        For a record that begins in the middle of a game: 'Ann has 4 cards', of which the table names two.
        """
        return state

    def is_out_of_turn(self, state: S, seat: int) -> bool:
        """Return True if it is neither the turn of `seat` nor is the game waiting for it."""
        return seat != self.active(state) and seat not in self.awaiting(state)

    def keep_turn(self, before: S, after: S) -> S:
        """The state `after` an illegal act out of turn, with the turn as it was `before`.

        The board is as the act left it, and may ask for what comes first, such as a discard.

        Raises:
            CannotBe: the rules cannot go on from there.
        """
        if after.outcome is not None:
            return after
        return self.settled(replace(after, **{name: getattr(before, name) for name in self.turn_fields}), Told())

    def consequences(self, state: S, told: Told) -> Iterable[Fact[S]]:
        """The facts that the rules derive from what is `told` of `state`, such as the Flood cards due at another level.

        Asked when it is recorded: the event keeps them beside what was told, so that it replays alike for ever.
        """
        return ()

    def settled(self, state: S, told: Told) -> S:
        """The state after facts were put: what the rules do by themselves then.

        The phase is the one that the table is in, counters fit it, and an ending that the rulebook names has happened.
        What was `told` is not taken back: the kernel sees afterwards whether it holds.

        Raises:
            CannotBe: the rules cannot go on from there.
        """
        return state

    def tidy(self, state: S) -> S:
        """`state` with all that has no order (hands, layers of piles) sorted, as the rules keep it.

        For a state that somebody wrote; one that the rules made stays as it is.
        """
        return state

    @abstractmethod
    def check_invariants(self, state: S) -> list[str]:
        """Every violation, named: components are conserved, the phase is one that there is, counters fit it."""

    def check_components(self, state: S) -> list[str]:
        """What a position or patch of an earlier record was held to, where `check_invariants` asks more since."""
        return self.check_invariants(state)

    def timer(self, state: S) -> Timer | None:
        """What the players have only so long for now; None, as by default, where they may take their time."""
        return None

    @abstractmethod
    def seats(self, state: S) -> int:
        """How many sit at the table."""


AnyRules = Rules[Any, Any]
"""The rules of whatever game."""
