"""The presentation protocol: how a game reads and looks, in words and pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic

from engine.core.documents import params_schema
from engine.core.errors import EngineError, ImpossibleOutcome, OutcomeRequired
from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, Value
from engine.kit.actions import Action, S
from engine.kit.default_scene import empty_scene, overview_scene
from engine.kit.faces import FaceLayout
from engine.kit.facts import Fact
from engine.kit.scene import Scene
from engine.kit.setup_page import SetupPage


class Presentation(ABC, Generic[S]):
    """How a game reads and looks: what is declared as class attributes, and what it says of a state."""

    name: ClassVar[str]
    actions: ClassVar[tuple[type[Action[Any]], ...]]
    facts: ClassVar[tuple[type[Fact[Any]], ...]]
    chance_points: ClassVar[tuple[str, ...]]
    phases: ClassVar[Mapping[str, str]]
    """Each phase of a state, and what a player says of it: 'Flood cards are drawn'."""
    endings: ClassVar[dict[str, str]]
    """Each way to end: the outcome's reason, and the sentence that a player reads."""
    faces: ClassVar[Mapping[str, FaceLayout]] = MappingProxyType({})
    """By the name of a question to chance: where each thing that can come up has its place on a page."""

    @abstractmethod
    def active(self, state: S) -> int: ...

    @abstractmethod
    def describe_setup(self, state: S, names: Sequence[str]) -> list[str]:
        """What the table looks like after set-up, a sentence each."""

    def setup_page(self, options: Any, names: Sequence[str]) -> SetupPage | None:
        """Return the set-up in pictures, for what `setup_prompts` asks; None: a page asks it prompt by prompt."""
        return None

    @abstractmethod
    def overview(self, state: S, names: Sequence[str]) -> dict[str, str]:
        """What a player would look up on the table, in words: label and text."""

    def aftermath(self, before: S, after: S, names: Sequence[str]) -> str:
        """What an action brought about that its own sentence does not tell, such as a clock that starts; or nothing."""
        return ""

    def headline(self, state: S, names: Sequence[str]) -> str:
        """The table in a line, as a player sums it up after a turn; by default all of the overview."""
        return " · ".join(f"{label}: {text}" for label, text in self.overview(state, names).items())

    def standing(self, state: S, names: Sequence[str]) -> str:
        """Where the game stands, in a line: whose turn it is, or how it ended."""
        if state.outcome is not None:
            # A table may have given up, which is no ending of the rulebook.
            return say(self.endings.get(state.outcome.reason, marked("The game was given up.")))
        said = self.said_of_phase(state.phase)
        return say("Turn {turn} · {name} · {phase}", turn=state.turn, name=names[self.active(state)], phase=said)

    def said_of_phase(self, phase: str) -> str:
        """Return what a player says of a phase: 'Flood cards are drawn'."""
        # A game that is over is in none of the rulebook's, and an earlier record may be in one that there is none of:
        # adjustments were held to less then.
        return say(self.phases.get(phase, phase))

    def board(self, state: S, names: Sequence[str], viewer: int | None = None) -> Scene:
        """The table as a picture (see `engine.kit.scene`), as `viewer` (None: the public) may see it.

        By default the overview in words; a game whose `overview` tells what players hide has to say what is shown.
        """
        subtitle = self.standing(state, names)
        return overview_scene(say(self.name), subtitle, self.headline(state, names), self.overview(state, names))

    def empty_board(self, names: Sequence[str]) -> Scene:
        """The picture of the table before it is set up."""
        return empty_scene(say(self.name), names)

    def role(self, state: S, seat: int) -> dict[str, str]:
        """What a seat plays, where that differs from seat to seat: such as its role, by what it is called."""
        return {}

    @abstractmethod
    def value_label(self, value: Value) -> str:
        """What a player calls an outcome."""

    def space(self, value: Value) -> tuple[int, int] | None:
        """Column and row, from 1, of an outcome of the set-up that is a space of a grid; else None."""
        return None

    def word(self, value: str) -> str:
        """What a player calls a value that a fact or a param can have: as an outcome, if nothing else is declared."""
        return self.value_label(value)

    def words(self) -> dict[str, str]:
        """What a player calls each value that a fact or a param can be one of, and each face that can come up; less the
        seats.
        """
        schemas = [params_schema(kind) for kind in (*self.facts, *self.actions)]
        values = {value for schema in schemas for value in _choices(schema)}
        # 'hut_1' for 'p2_hut_1': the page knows whose it is.
        values = {value[3:] if value[:2] in SEAT_INDEX else value for value in values} - {""}
        shown = {face.value for layout in self.faces.values() for face in layout.faces}
        faces = {value: self.word(value) for value in map(str, shown) if value in shown}
        known = {value: say(self.phases.get(value) or self.word(value)) for value in values}
        return dict(sorted({**faces, **known}.items()))

    def account(self, error: EngineError) -> str:
        """The message of an error, with the words that players use for an outcome and its question."""
        if isinstance(error, OutcomeRequired):
            return error.told(self.question(error.point.name))
        if not isinstance(error, ImpossibleOutcome):
            return str(error)
        try:
            given = repr(error.given) if error.given is None else self.value_label(error.given)
        except (KeyError, TypeError, ValueError, AttributeError):
            # What the game does not know stays as it was reported.
            given = repr(error.given)
        return error.told(given, self.question(error.point.name))

    def question(self, name: str) -> str:
        """What players call a question to chance: 'treasure card'."""
        return say(name.replace("_", " "))

    def asked_for(self) -> set[str]:
        """Each param of an action and member of a fact: the title that it has in its JSON Schema, or else its name."""
        schemas = [params_schema(kind) for kind in (*self.facts, *self.actions)]
        parts = [part for schema in schemas for part in (schema, *schema.get("$defs", {}).values())]
        members = [member for part in parts for member in part.get("properties", {}).items()]
        return {member.get("title", name) for name, member in members}

    def titles(self) -> dict[str, str]:
        """What a player calls each param of an action, each member of a fact and each question to chance.

        By the title that it has in its JSON Schema, or else by its name.
        """
        titles = {name: say(name.replace("_", " ").capitalize()) for name in self.asked_for()}
        questions = {name: self.question(name) for name in self.chance_points}
        titles |= {name: question[:1].upper() + question[1:] for name, question in questions.items()}
        return dict(sorted(titles.items()))

    def vocabulary(self) -> Iterable[str]:
        """What it says, in English, that is not written where it is said: names made of ids, the texts of a pack.

        What is declared above, from `name` to `endings`, and what its actions are called need not be among it.
        """
        return ()


AnyPresentation = Presentation[Any]
"""The presentation of whatever game."""


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
