"""A ruleset: the class in which the author of a game writes its rules and its presentation.

To write a game, read the docs of the two protocols, `engine.kit.rules` and `engine.kit.presentation`, and of
`engine.kit.actions`. Everything else (recording, replay, legal actions, audit, exports) is the same for all games:
`engine.kit.kernel` derives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from engine.core.errors import Malformed
from engine.core.language import say
from engine.core.values import SEAT_INDEX, Value
from engine.kit import late_page as late
from engine.kit import parts
from engine.kit.actions import Action, Refusal, S
from engine.kit.facts import Fact
from engine.kit.kernel import O
from engine.kit.options import Options
from engine.kit.part_facts import word
from engine.kit.part_panels import Around, panels
from engine.kit.presentation import Presentation
from engine.kit.rules import Rules
from engine.kit.scene import Scene
from engine.kit.scene.panels import Panel
from engine.kit.scene.planes import Plane, Tile
from engine.kit.setup_page import SetupPage, SetupPart

__all__ = ["Action", "AnyRuleset", "Refusal", "Ruleset"]


class Ruleset(Rules[S, O], Presentation[S]):
    """A game. Most members are derived from `parts`; override those that should differ.

    These members are derived: `facts`, `columns`, `seat_columns`, `unseen`, `components`, the invariants, the view, the
    overview, the board, the late page and the words. The seat whose turn it is must be in the member `active` of the
    state.
    """

    parts: ClassVar[tuple[parts.Part, ...]] = ()
    """The members of the state that players see on the table."""
    options: ClassVar[type[Options]] = Options

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if vars(cls).get("parts"):
            cls._derive()
        if "actions" in vars(cls) and not hasattr(cls, "sections"):
            cls.sections = tuple(dict.fromkeys(kind.rule for kind in cls.actions))

    @classmethod
    def _derive(cls) -> None:
        """Set the members that `parts` determine, unless the class declares them itself."""
        has_turns = "active" in cls.state.__struct_fields__
        derived = {
            "facts": parts.facts(cls.parts, cls.phases, has_turns=has_turns),
            "columns": parts.columns(cls.parts),
            "seat_columns": parts.seat_columns(cls.parts),
            "hands": tuple(part.member for part in cls.parts if isinstance(part, parts.Hand)),
            "unseen": parts.unseen(cls.parts),
            "turn_fields": (*cls.turn_fields, "active") if has_turns else cls.turn_fields,
            "components": parts.components(cls.parts),
        }
        for name, value in derived.items():
            if name not in vars(cls):
                setattr(cls, name, value)

    def check_options(self, options: O, seats: int) -> None:
        """Reject a first player without a seat. Accept everything else that matches the schema."""
        if SEAT_INDEX.get(getattr(options, "first_player", "p1"), 0) >= seats:
            raise Malformed("/options/first_player", say("this game has only {count} players", count=seats))

    def awaiting(self, state: S) -> tuple[int, ...]:
        return () if state.outcome is not None else (self.active(state),)

    def active(self, state: S) -> int:
        seat: int = state.active  # type: ignore[attr-defined]  # a game without it overrides this
        return seat

    def seats(self, state: S) -> int:
        return parts.seats(self.parts, state)

    def view(self, state: S, viewer: int | None) -> dict[str, Any]:
        document = self.to_document(state)
        return document | {part.member: part.mask(document[part.member], viewer) for part in self.parts}

    def check_invariants(self, state: S) -> list[str]:
        return list(parts.violations(self.parts, state))

    def describe_setup(self, state: S, names: Sequence[str]) -> list[str]:
        return [say("{player} begins.", player=names[self.active(state)])]

    def overview(self, state: S, names: Sequence[str]) -> dict[str, str]:
        return parts.overview(self.parts, state, names)

    def board(self, state: S, names: Sequence[str], viewer: int | None = None) -> Scene:
        is_over = state.outcome is not None
        around = Around(names, None if is_over else self.active(state), () if is_over else self.awaiting(state), viewer)
        found = tuple(self.panels(state, around))
        if not found:
            return super().board(state, names, viewer)
        return Scene(
            title=say(self.name),
            subtitle=self.standing(state, names),
            description=self.description(state, names),
            planes=tuple(self.planes(state, around)),
            panels=found,
        )

    def planes(self, state: S, around: Around) -> Iterable[Plane]:
        """Return the planes of the board: maps and grids with tiles and pieces."""
        return ()

    def panels(self, state: S, around: Around) -> Iterable[Panel]:
        """Return the panels to show beside the planes.

        Without panels, the game has the default board of `Presentation`.
        """
        return panels(self.parts, state, around) if self.parts else ()

    def late_page(self, options: O, names: Sequence[str]) -> SetupPage | None:
        return late.late_page(self, options, names)

    def late_part(self, kind: type[Fact[S]], table: late.LateTable) -> SetupPart:
        """Return the part of the late page that asks for facts of a kind."""
        return late.late_part(kind, table)

    def late_pictures(self) -> Mapping[str, Tile]:
        """Return the pictures of the late page, as in `SetupPage.pictures`; if empty, those of the setup page."""
        return {}

    def value_label(self, value: Value) -> str:
        titles = {id_: title for part in self.parts for id_, title in part.words.items()}
        return say(word(titles, str(value)))


AnyRuleset = Ruleset[Any, Any]
"""A ruleset of any game."""
