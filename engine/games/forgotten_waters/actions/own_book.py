"""A table's own book: players enter the effects that they read out, within the limits of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Self, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from engine.core.documents import limit_choices, params_schema
from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, Value
from engine.games.forgotten_waters.actions.base import ResolvingAction, WatersAction, not_yours, nothing_else
from engine.games.forgotten_waters.headings import EFFECTS
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.rules.measures import is_rolled
from engine.games.forgotten_waters.rules.resolving import consult, push, settle, waiting
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario import validate
from engine.games.forgotten_waters.scenario.values import NAME_LENGTH, SKILLS, STATS, CardName, Id, Printed
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import reference
from engine.kit.chance import Chance
from engine.kit.ranges import members
from engine.kit.ruleset import Refusal
from engine.kit.words import one_after_the_other

_KINDS: tuple[type[Any], ...] = get_args(do.Effect)

MOST_EFFECTS = 20
"""Maximum number of effects in one reading."""

_OF_THE_SHIPS_SPACE = (do.StopShip, do.ReadSpace, do.RemoveToken)

EXAMPLES: tuple[do.Effect, ...] = (
    do.AddToCheck(n=1),
    do.SetDie(to=12),
    *(do.Ship(stat=stat, n=n) for stat in STATS for n in (1, -1)),
    *(do.GainSkill(skill=skill) for skill in SKILLS),
    *(do.Check(skill=skill) for skill in SKILLS),
    do.BuryTreasure(up_to=3),
    do.Rerolls(n=1),
    do.Misfortune(n=1),
    do.Infamy(n=1),
    do.Infamy(n=-1),
    do.Threat(n=1),
    do.Roll(results=()),
    do.TurnPage(page="1", actions=(Printed(), Printed(kind="required"), *(Printed(kind="limited"),) * 4)),
    *(kind() for kind in _KINDS if kind not in _OF_THE_SHIPS_SPACE and not any(one.required for one in fields(kind))),
)
"""Examples of common effects. The schema of `effects` describes all effects."""


class OwnBookAction(WatersAction, frozen=True, omit_defaults=True, kw_only=True):
    """Base of the actions to which players can add effects from their own book."""

    effects: Annotated[tuple[do.Effect, ...], Meta(max_length=MOST_EFFECTS)] = ()
    """The effects, in order. An effect that ends a round or the game is applied last, wherever it is in the text."""
    entry: Id | None = None
    """The number of the entry; None for the page or a card."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "effects", tuple(sorted(self.effects, key=_place)))

    @classmethod
    def ranges(cls, state: WatersState, seat: int) -> dict[str, Any] | None:
        if not is_read(state) or not any(one.refusal(state, seat) is None for one in cls.candidates(state, seat)):
            return None
        return book_schema(cls, known_ids(state), timely(state))

    def fault(self, state: WatersState) -> Refusal | None:
        """Return the reason why these effects cannot be read out now, or None."""
        if not (self.effects or self.entry):
            return None
        if not is_read(state):
            return Refusal(EFFECTS, "Driftlog knows the effects of this scenario, so do not enter what a book says.")
        return next(filter(None, (impossible(state, effect) for effect in self.effects)), None)

    def has_clear_effect(self, state: WatersState, seat: int) -> bool:
        return self.fault(state) is None

    def read_in(self, state: WatersState, seat: int) -> WatersState:
        """Resolve the effects for `seat`, before all pending ones."""
        if self.entry is not None:
            state = replace(state, entries=(*state.entries, self.entry))
        return settle(push(state, seat, self.effects))

    def in_words(self) -> str:
        """Return the reading in words: 'entry 963: hull −2, then threat +1'. An unknown part is omitted."""
        told = one_after_the_other([in_words(effect) for effect in self.effects])
        entry = say("entry {entry}", entry=reference(self.entry)) if self.entry is not None else ""
        return ": ".join(part for part in (entry, told) if part)

    def reading_text(self) -> str:
        """Return the reading in words and in brackets, to append to a sentence; an empty text if nothing was read."""
        return f" ({said})" if (said := self.in_words()) else ""

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return super().label(state, names) + self.reading_text()

    def report_sentence(
        self, state: WatersState, outcomes: Sequence[Value], names: Sequence[str], **player: str
    ) -> str:
        return super().report_sentence(state, outcomes, names, **player) + self.reading_text()


class ReadOut(OwnBookAction, frozen=True, omit_defaults=True, kw_only=True):
    """Enter the effects that the table's own book gives for an entry, a page or a card, all at once."""

    verb = "enter what the book says"
    button_text = marked("Read out {entry}")
    report_text = marked("{pirate} reads out {entry}")
    plain_texts = (marked("Read out: {effects}"), marked("{pirate} reads out: {effects}"))
    rule = EFFECTS
    effects: Annotated[tuple[do.Effect, ...], Meta(min_length=1, max_length=MOST_EFFECTS)]

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        if not is_read(state) or not_now(state, seat):
            return ()
        return [cls(effects=(effect,)) for effect in examples(state)]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not is_read(state):
            return self.fault(state)
        return nothing_else(state) or not_now(state, seat) or self.fault(state)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        if waiting(state, do.Check) is None:
            return self.read_in(state, seat)
        in_check = tuple(effect for effect in self.effects if isinstance(effect, validate.IN_CHECKS))
        after = self.effects[len(in_check) :]
        state = replace(self, effects=in_check).read_in(state, seat)
        # If the players continue with the book, the total of the rolled dice is final.
        return consult(state, after) if after else state

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"entry": self.in_words(), "effects": self.in_words()}

    def reading_text(self) -> str:
        return ""


def named_schema(**more: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of params with `name`: the players' name for a card or token from their own box."""
    return members(**more, name={"type": "string", "minLength": 1, "maxLength": NAME_LENGTH})


def is_read(state: WatersState) -> bool:
    """Return True if the players read effects from their own book, and enter all effects of an entry at once."""
    return state.pack.is_open and not state.is_version_1


class Named(ResolvingAction, frozen=True, omit_defaults=True):
    """Base of the actions that reveal a card or token. Its name comes from the scenario or from the players."""

    has_name: ClassVar[Refusal]
    """The refusal if players enter a name, but the scenario already names the card or token."""
    name: CardName | None = None
    """The name of the card or token, for a table's own box."""

    @classmethod
    def ranges(cls, state: WatersState, seat: int) -> dict[str, Any] | None:
        return named_schema() if is_read(state) and cls().refusal(state, seat) is None else None

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if self.name is not None and self.is_asked(state) and not is_read(state):
            return self.has_name
        return ResolvingAction.refusal(self, state, seat)


def impossible(state: WatersState, effect: do.Effect) -> Refusal | None:
    """Return the reason why an effect cannot be entered now, or None."""
    if type(effect) not in timely(state):
        return Refusal(EFFECTS, say("This effect cannot occur here: {effect}.", effect=in_words(effect)))
    known = known_ids(state, is_in_check=isinstance(effect, validate.IN_CHECKS))
    fault = next(validate.effect_faults((effect,), "", known), None)
    return None if fault is None else Refusal(EFFECTS, say("That is not possible here: {why}.", why=fault.message))


def not_now(state: WatersState, seat: int) -> Refusal | None:
    """Return the reason why `seat` cannot enter a reading now, or None."""
    if waiting(state, do.Check) is not None:
        return not_yours(state, seat, EFFECTS)
    if state.agenda:
        return Refusal(EFFECTS, "Another effect must be resolved first.")
    if seat == state.scribe or (seat == state.active and state.has_resolved):
        return None
    return Refusal(EFFECTS, "Only the Ship Scribe can enter what is read out.")


def timely(state: WatersState) -> frozenset[type[Any]]:
    """Return the kinds of effect that can be entered now."""
    if waiting(state, do.Check) is None:
        return _between(bool(state.page), state.is_version_1)
    check = state.agenda[0]
    kinds: set[type[Any]] = set() if check.dice else {do.SetDie}
    if is_rolled(check) or not check.dice:
        kinds.add(do.AddToCheck)
    if is_rolled(check) and not state.is_version_1:
        kinds |= _between(bool(state.page), state.is_version_1)
    return frozenset(kinds)


def examples(state: WatersState) -> list[do.Effect]:
    """Return examples of the effects that can be entered now."""
    # No goal in the first part: it comes at the end of a scenario.
    kinds = timely(state).difference(() if state.part > 1 else (do.ReachGoal,))
    return [effect for effect in EXAMPLES if type(effect) in kinds]


@lru_cache
def _between(has_page: bool, is_version_1: bool) -> frozenset[type[Any]]:  # noqa: FBT001  # keys of the cache
    """Return the kinds of effect that can be entered between skill checks."""
    never: set[type[Any]] = {*validate.IN_CHECKS, *validate.COUNTING}
    if not has_page:
        never.add(do.NewRound)
    if is_version_1:
        never |= {do.GiveCard, do.Maximum, do.PutShip}
    return frozenset(_KINDS).difference(never)


def _place(effect: do.Effect) -> int:
    """Return the sort key of an effect in a reading: effects on a check come first, endings last."""
    if isinstance(effect, validate.IN_CHECKS):
        return 0
    return 2 if isinstance(effect, do.CompletePart) else 3 if isinstance(effect, validate.LAST) else 1


def known_ids(state: WatersState, *, is_in_check: bool = False) -> validate.KnownIds:
    """Return the ids that effects can name now."""
    spaces = frozenset(state.map.spaces())
    return validate.KnownIds(
        is_open=True,
        is_in_check=is_in_check,
        is_closed=not (state.page or state.is_version_1),
        spaces=spaces,
        sea=spaces.difference(space for space, _ in state.tokens if state.is_rocky(space)),
        features=frozenset(feature.id for feature in state.features),
        actions=frozenset(place.number for place in state.places),
        held=tuple([card for pirate in state.pirates for card in (*pirate.treasures, *pirate.stories)]),
        seats=frozenset(SEAT_IDS[: len(state.pirates)]),
        is_version_1=state.is_version_1,
    )


@lru_cache(maxsize=8)
def _whole(kind: type[WatersAction]) -> bytes:
    return msgspec.json.encode(params_schema(kind))


@lru_cache(maxsize=256)
def book_schema(kind: type[WatersAction], known: validate.KnownIds, timely: frozenset[type[Any]]) -> dict[str, Any]:
    """Return the schema of the params of `kind`, limited to `timely` effects. Only one level of nesting is allowed."""
    schema: dict[str, Any] = msgspec.json.decode(_whole(kind))
    definitions = schema["$defs"]
    impossible = set()
    for effect, names in validate.NAMES.items():
        properties = definitions[effect.__name__]["properties"]
        for field, things, _ in names:
            ids = getattr(known, things)
            if ids is not None:
                is_optional = "default" in properties[field]
                properties[field] = {"enum": [*[None] * is_optional, *sorted(ids)]}
                impossible |= set() if properties[field]["enum"] else {effect}
    del definitions["Result"]["properties"]["text"]
    for effect, (field, _) in validate.ANSWERS.items() if known.is_version_1 else ():
        del definitions[effect.__name__]["properties"][field]
    possible = timely - impossible
    limit_choices(schema["properties"], possible)
    limit_choices(definitions, possible.difference(validate.OUTER, validate.IN_CHECKS))
    if not known.actions:
        # A closed book must be opened first.
        for part in schema["properties"].values():
            part.get("items", part).get("anyOf", []).sort(key=lambda way: not way.get("$ref", "").endswith("TurnPage"))
    used = {kind.__name__ for kind in possible} | {"Condition", "Feature", "Option", "Printed", "Result"}
    schema["$defs"] = {name: definition for name, definition in definitions.items() if name in used}
    return schema
