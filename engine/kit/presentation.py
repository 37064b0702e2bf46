"""The presentation protocol: the texts and pictures of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal

from engine.core.documents import params_schema
from engine.core.errors import EngineError, GameOver, ImpossibleOutcome, OutcomeRequired
from engine.core.language import marked, say
from engine.core.text import sentence
from engine.core.values import SEAT_INDEX, Value
from engine.kit.actions import Action, S
from engine.kit.default_scene import empty_scene, overview_scene
from engine.kit.faces import FaceLayout
from engine.kit.facts import Fact
from engine.kit.scene import Scene
from engine.kit.setup_page import SetupPage
from engine.kit.words import alternatives

PERIODS = {"turn": marked("turn {number}"), "round": marked("round {number}")}


class Presentation(ABC, Generic[S]):
    """Texts and pictures of a game: declared as class attributes, and computed from a state."""

    name: ClassVar[str]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    facts: ClassVar[tuple[type[Fact[Any]], ...]]
    chance_points: ClassVar[tuple[str, ...]]
    phases: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The text for each phase, such as 'Flood cards are drawn'."""
    endings: ClassVar[dict[str, str]]
    """The sentence for each ending, by `GameOutcome.reason`."""
    period: ClassVar[Literal["turn", "round"]] = "turn"
    """The member of a state by which players count time."""
    menu: ClassVar[tuple[type[Action[Any]], ...]] = ()
    """The actions with a fixed button on the record page, in order. The button stays in its place while it is illegal.
    """
    faces: ClassVar[Mapping[str, FaceLayout]] = MappingProxyType({})
    """The grid of result buttons for each kind of random result, by `ChancePoint.name`."""

    @abstractmethod
    def active(self, state: S) -> int: ...

    @abstractmethod
    def describe_setup(self, state: S, names: Sequence[str]) -> list[str]:
        """Describe the table after the setup, as a list of sentences."""

    def setup_page(self, options: Any, names: Sequence[str]) -> SetupPage | None:
        """Return a setup page in pictures for the questions of `setup_prompts`; None: the page asks them one by one."""
        return None

    @abstractmethod
    def late_page(self, options: Any, names: Sequence[str]) -> SetupPage | None:
        """Return a page in pictures for the table of a game that is already under way; None: there is no such page."""

    @abstractmethod
    def overview(self, state: S, names: Sequence[str]) -> dict[str, str]:
        """Return a short description of the table: labels, each with a text."""

    def aftermath(self, before: S, after: S, names: Sequence[str]) -> str:
        """Describe effects of an action that its own sentence does not mention; may be empty.

        An example is a clock that starts.
        """
        return ""

    def headline(self, state: S, names: Sequence[str]) -> str:
        """Return a one-line summary of the table after a turn; by default, the whole overview."""
        return " · ".join(f"{label}: {text}" for label, text in self.overview(state, names).items())

    def description(self, state: S, names: Sequence[str]) -> str:
        """Return the table in words, for readers who cannot see the picture; by default the overview.

        Each entry of a row is a separate sentence, so an unknown card affects only the sentences about it.
        """
        rows = (f"{label}: {text}" for label, text in self.overview(state, names).items())
        # The name of a card can end with a mark of its own, such as "Waters Rise!".
        return " ".join(sentence(one) for row in rows for one in row.rstrip(".").split("; "))

    def standing(self, state: S, names: Sequence[str]) -> str:
        """Return the state of the game in one line: the player whose turn it is, or the outcome."""
        if state.outcome is not None:
            # Do not look it up in `endings`, which lack an abandoned game.
            return self.ending(state.outcome.reason)
        said = self.phase_text(state.phase)
        return say("Turn {turn} · {name} · {phase}", turn=state.turn, name=names[self.active(state)], phase=said)

    def describe_ending(self, state: S, names: Sequence[str]) -> str:
        """Return the sentence about the ending, naming the component or player that decided it."""
        assert state.outcome is not None
        return self.ending(state.outcome.reason)

    def period_of(self, state: S | None) -> str:
        """Return the name of a table's turn or round, such as 'turn 7'.

        Args:
            state: None before the setup.
        """
        number = 0 if state is None else getattr(state, self.period)
        return say(PERIODS[self.period], number=number) if number else say("before the first turn")

    def when(self, state: S | None) -> str:
        """Return `period_of` for use within a sentence, such as 'in turn 7'."""
        period = self.period_of(state)
        return say("in {period}", period=period) if state is not None and getattr(state, self.period) else period

    def moment(self, state: S, names: Sequence[str]) -> str:
        """Return the start of the sentence about the current step, such as 'Two actions left'; may be empty.

        A text with a full stop, such as 'Flood card 2 of 3.', is the whole sentence.
        """
        return ""

    def ask(self, state: S, kinds: Iterable[type[Action[Any]]], names: Sequence[str]) -> str:
        """Return the sentence that says what to do now, such as 'Two actions left: move, shore up, or draw cards.'

        Args:
            kinds: the kinds of legal actions of the seats that the game is waiting for.
        """
        moment = self.moment(state, names)
        if moment.endswith("."):
            return moment
        verbs = alternatives([say(verb) for verb in dict.fromkeys(kind.verb for kind in kinds) if verb])
        text = f"{moment}: {verbs}" if moment and verbs else moment or verbs
        return f"{text[:1].upper()}{text[1:]}." if text else ""

    def phase_text(self, phase: str) -> str:
        """Return the text of a phase: 'Flood cards are drawn'."""
        # The phase can be undeclared in a finished game, and in early records, which were checked less strictly.
        return say(self.phases.get(phase, phase))

    def board(self, state: S, names: Sequence[str], viewer: int | None = None) -> Scene:
        """Return the picture of the table (see `engine.kit.scene`), as `viewer` (None: the public) may see it.

        The default shows `overview`. Override it if `overview` contains hidden information.
        """
        subtitle = self.standing(state, names)
        return overview_scene(say(self.name), subtitle, self.headline(state, names), self.overview(state, names))

    def empty_board(self, names: Sequence[str]) -> Scene:
        """Return the picture of the table before the setup."""
        return empty_scene(say(self.name), names)

    def losses(self, state: S) -> Iterable[str]:
        """Return the values of lost components, such as the tiles that have sunk. `word` returns their names."""
        return ()

    def role(self, state: S, seat: int) -> dict[str, str]:
        """Return the label and name of a seat's role; empty if seats have no roles."""
        return {}

    @abstractmethod
    def value_label(self, value: Value) -> str:
        """Return the players' word for an outcome."""

    def space(self, value: Value) -> tuple[int, int] | None:
        """Return the column and row, from 1, if a setup outcome is a space of a grid; otherwise None."""
        return None

    def word(self, value: str) -> str:
        """Return the players' word for a value of a fact or param; by default the same as for an outcome."""
        return self.value_label(value)

    def words(self) -> dict[str, str]:
        """Return the word for each possible result, and for each value of facts and params except seats."""
        schemas = [params_schema(kind) for kind in (*self.facts, *self.actions)]
        values = {value for schema in schemas for value in _choices(schema)}
        # Use 'hut_1', not 'p2_hut_1': the page adds the player.
        values = {value[3:] if value[:2] in SEAT_INDEX else value for value in values} - {""}
        shown = {face.value for layout in self.faces.values() for face in layout.faces}
        faces = {value: self.word(value) for value in map(str, shown) if value in shown}
        known = {value: say(self.phases.get(value) or self.word(value)) for value in values}
        return dict(sorted({**faces, **known}.items()))

    def account(self, error: EngineError) -> str:
        """Return the message of an error, with the players' words for the reported and the needed result."""
        if isinstance(error, GameOver):
            return say("The game has ended. {how}", how=self.ending(error.outcome.reason))
        if isinstance(error, OutcomeRequired):
            return error.message_for(self.question(error.point.name))
        if not isinstance(error, ImpossibleOutcome):
            return str(error)
        try:
            given = repr(error.given) if error.given is None else self.value_label(error.given)
        except (KeyError, TypeError, ValueError, AttributeError):
            # Quote an unknown result as it was reported.
            given = repr(error.given)
        return error.message_for(given, self.question(error.point.name))

    def ending(self, reason: str) -> str:
        """Return the sentence for an ending, or for an abandoned game."""
        return say(self.endings.get(reason, marked("The game was abandoned.")))

    def question(self, name: str) -> str:
        """Return the players' name of a random result, such as 'treasure card'."""
        return say(name.replace("_", " "))

    def member_titles(self) -> set[str]:
        """Return the title of each action param and fact member: the title in JSON Schema, or else the name."""
        schemas = [params_schema(kind) for kind in (*self.facts, *self.actions)]
        parts = [part for schema in schemas for part in (schema, *schema.get("$defs", {}).values())]
        members = [member for part in parts for member in part.get("properties", {}).items()]
        return {member.get("title", name) for name, member in members}

    def titles(self) -> dict[str, str]:
        """Return the name, for players, of each param, each member of a fact, and each random result.

        The keys are the titles in JSON Schema, or else the names of members.
        """
        titles = {name: say(name.replace("_", " ").capitalize()) for name in self.member_titles()}
        return dict(sorted((titles | self.result_titles()).items()))

    def result_titles(self) -> dict[str, str]:
        """Return the players' name of each random result."""
        questions = {name: self.question(name) for name in self.chance_points}
        return {name: question[:1].upper() + question[1:] for name, question in questions.items()}

    def vocabulary(self) -> Iterable[str]:
        """Yield English texts that cannot be extracted from the code: names derived from ids, and a scenario's texts.

        Omit the declarations above, from `name` to `endings`, and the titles of actions: they are extracted.
        """
        return ()


AnyPresentation = Presentation[Any]
"""The presentation of any game."""


def _choices(schema: Any) -> Iterator[str]:
    """Yield the string values that a JSON Schema allows, without the names of kinds of facts."""
    if isinstance(schema, dict):
        yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
        for key, part in schema.items():
            if key != "fact":
                yield from _choices(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _choices(part)
