"""Load scenario packs, and check what their schema does not: ids, numbers, and that every page can be played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, get_args

import msgspec

from engine.core.documents import malformed_error
from engine.core.errors import EngineError
from engine.core.language import marked, say
from engine.core.pointers import line_of
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.effects import Base
from engine.games.forgotten_waters.scenario.pack import Card, Pack, Page, Sheet
from engine.games.forgotten_waters.scenario.values import SKILLS, STATS, Condition


class Fault(msgspec.Struct, frozen=True):
    """An error at an RFC 6901 pointer."""

    pointer: str
    message: str


class BadPack(EngineError):
    """An invalid scenario pack. `faults` are the errors in the pack, and `lines` the line numbers of the errors."""

    def __init__(self, faults: tuple[Fault, ...], lines: tuple[int, ...]) -> None:
        located = zip(lines, faults, strict=True)
        super().__init__("; ".join(f"line {line}: {fault.message} ({fault.pointer or '/'})" for line, fault in located))
        self.faults = faults
        self.lines = lines


def load_pack(document: bytes) -> Pack:
    """Parse and validate a scenario pack from a JSON document in UTF-8.

    Raises:
        BadPack: the document is not JSON, does not match the schema, or is inconsistent.
    """
    try:
        pack = msgspec.json.decode(document, type=Pack)
        faults = tuple(faults_of(pack))
    except msgspec.ValidationError as error:
        malformed = malformed_error(error, "", Pack)
        faults = (Fault(malformed.pointer, malformed.message),)
    except msgspec.DecodeError as error:
        at = re.search(r"byte (\d+)", str(error))
        line = document.count(b"\n", 0, int(at[1]) if at else None) + 1
        raise BadPack((Fault("", str(error)),), (line,)) from None
    if faults:
        raise BadPack(faults, tuple(line_of(document.decode(), fault.pointer) for fault in faults))
    return pack


def pack_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of scenario packs."""
    schema = msgspec.json.schema(Pack)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Scenario pack", **schema}


class KnownIds(msgspec.Struct, frozen=True, kw_only=True):
    """The ids that effects may name, and the context of the effects. A field of ids that is None allows every id."""

    pages: frozenset[str] | None = None
    entries: frozenset[str] | None = None
    stories: frozenset[str] | None = None
    objectives: frozenset[str] | None = None
    tokens: frozenset[str] | None = None
    spaces: frozenset[str] | None = None
    features: frozenset[str] | None = None
    actions: frozenset[int] | None = None
    sea: frozenset[str] | None = None
    """The spaces that the ship can enter."""
    held: tuple[str, ...] | None = None
    """The pirates' cards. A tuple, because unseen cards can be compared only with named ones."""
    seats: frozenset[str] | None = None
    is_open: bool = False
    """True if the effects come from a table's own book."""
    is_inner: bool = False
    """True if the effects are part of another effect."""
    is_in_check: bool = False
    """True if the effects are those of a treasure for skill checks."""
    is_version_1: bool = False
    """True for version 1 of the rules."""
    is_closed: bool = False
    """True if the table's own book has not been opened yet."""


LAST = (do.TurnPage, do.NewRound, do.ReachGoal)
"""Effects that must be the last in a list."""
IN_CHECKS = (do.SetDie, do.AddToCheck)
"""Effects that are allowed only in skill checks."""
COUNTING = (do.Per,)
"""Effects that players with their own book do not enter, because they count the repetitions themselves."""
OUTER = get_args(do.OuterEffect)


def effect_faults(effects: Sequence[do.Effect], at: str, known: KnownIds) -> Iterator[Fault]:
    """Yield all errors in `effects`; `at` is the pointer to `effects`."""
    for index, effect in enumerate(effects):
        here = f"{at}/{index}"
        if isinstance(effect, LAST) and index + 1 < len(effects) and not known.is_open:
            yield Fault(here, say("nothing can follow this effect"))
        if isinstance(effect, IN_CHECKS) != known.is_in_check:
            yield Fault(here, say("only treasures for checks can have set_die and add_to_check, and nothing else"))
        if known.is_open and isinstance(effect, OUTER if known.is_inner else COUNTING):
            yield Fault(here, say("enter each effect separately when it happens"))
        if known.is_closed and isinstance(effect, do.NewRound):
            yield Fault(here, say("there is no page on which a round can begin yet"))
        yield from _references(effect, here, known)
        yield from _nested_faults(effect, here, msgspec.structs.replace(known, is_inner=True))


def _references(effect: do.Effect, here: str, known: KnownIds) -> Iterator[Fault]:
    for field, kind, missing in NAMES.get(type(effect), ()):
        id_, ids = getattr(effect, field), getattr(known, kind)
        if id_ is not None and ids is not None and id_ not in ids:
            yield Fault(f"{here}/{field}", say(missing, id=repr(str(id_))))
    if isinstance(effect, do.TurnPage) and (effect.actions or effect.features) and not known.is_open:
        yield Fault(here, say("put the contents of a page in `pages`"))
    if isinstance(effect, do.CardIcon | do.GiveCard) and not known.is_open:
        yield Fault(here, say("{effect} is for a table's own box", effect=type(effect).__struct_config__.tag))
    answer, absent = ANSWERS.get(type(effect), ("", None))
    if getattr(effect, answer, absent) != absent and (known.is_version_1 or not known.is_open):
        yield Fault(here, say("leave out the stars and treasures: the service asks for them"))


ANSWERS: dict[type[Base], tuple[str, Any]] = {
    do.GainSkill: ("stars", None),
    do.FillStar: ("stars", ()),
    do.GainTreasure: ("names", ()),
}
"""The member of an effect that holds a player's answer, and its value if the player must still be asked."""

_STORY = ("story", "stories", marked("there is no story {id}"))
_SPACE = ("space", "spaces", marked("there is no space {id}"))
_ACTION = ("action", "actions", marked("there is no action {id}"))
NAMES: dict[type[Base], tuple[tuple[str, str, str], ...]] = {
    do.TakeStory: (_STORY,),
    do.ReturnStory: (_STORY,),
    do.GiveCard: (
        ("card", "held", marked("there is no card {id}")),
        ("player", "seats", marked("there is no player {id}")),
    ),
    do.Dial: (("feature", "features", marked("there is no feature {id}")),),
    do.Objective: (("objective", "objectives", marked("there is no objective {id}")),),
    do.PutShip: (("space", "sea", marked("there is no space {id}")),),
    do.PlaceToken: (_SPACE, ("token", "tokens", marked("there is no token {id}"))),
    do.RemoveToken: (_SPACE,),
    do.Lock: (_ACTION,),
    do.Unlock: (_ACTION,),
    do.Read: (("entry", "entries", marked("there is no entry {id}")),),
    do.TurnPage: (("page", "pages", marked("there is no page {id}")),),
}
"""The ids in each kind of effect: the effect's field, the field of `KnownIds`, and the message about an unknown id."""


def _nested_faults(effect: do.Effect, here: str, known: KnownIds) -> Iterator[Fault]:
    match effect:
        case do.Check() | do.Roll():
            lows = [result.least for result in effect.results]
            if not known.is_open and (lows != sorted(set(lows)) or lows[:1] != [1]):
                yield Fault(f"{here}/results", say("the results must ascend from 1"))
            for index, result in enumerate(effect.results):
                if known.is_open and result.text:
                    yield Fault(f"{here}/results/{index}/text", say("the text of a book cannot be entered"))
        case do.Choose():
            for index, option in enumerate(effect.options):
                yield from _conditions(option.when, f"{here}/options/{index}/when", known)
        case do.If():
            yield from _conditions(effect.when, f"{here}/when", known)
        case do.ForPlayers() | do.Per():
            yield from _measure_faults(effect.of, f"{here}/of", known)
    yield from _effects(effect, here, known)


_OF_THINGS = {"dial": "features", "story": "stories", "objective": "objectives", "token": "tokens", "entry": "entries"}
"""The field of `KnownIds` for each kind of measure of a thing."""


def _conditions(when: Iterable[Condition], at: str, known: KnownIds) -> Iterator[Fault]:
    for index, condition in enumerate(when):
        yield from _measure_faults(condition.of, f"{at}/{index}/of", known)
        if condition.at_least is None and condition.at_most is None and not known.is_open:
            yield Fault(f"{at}/{index}", say("a condition needs at_least, at_most or both"))


def _measure_faults(of: str, at: str, known: KnownIds) -> Iterator[Fault]:
    kind, _, id_ = of.partition(":")
    field = _OF_THINGS.get(kind)
    yield from _unknown(kind, id_, getattr(known, field) if field and not known.is_open else None, at)


def faults_of(pack: Pack) -> Iterator[Fault]:
    """Yield all errors in a pack that the schema does not find."""
    known = known_in(pack)
    for name, ids in _ids(pack).items():
        yield from _twice(ids, f"/{name}")
    yield from _set_up(pack, known)
    for index, page in enumerate(pack.pages):
        yield from _page(page, f"/pages/{index}", known, pack.tokens.locks)
    for index, entry in enumerate(pack.entries):
        yield from _effects(entry, f"/entries/{index}", known)
        if entry.id in _read_from(pack, entry.effects, set()):
            yield Fault(f"/entries/{index}", "this entry leads back to itself")
    for name in ("threat_events", "special_rules", "treasures", "stories"):
        for index, part in enumerate(getattr(pack, name)):
            is_in_check = isinstance(part, Card) and part.when == "check"
            yield from _effects(part, f"/{name}/{index}", msgspec.structs.replace(known, is_in_check=is_in_check))
    for index, sheet in enumerate(pack.sheets):
        yield from _sheet(sheet, f"/sheets/{index}")
        yield from _effects(sheet, f"/sheets/{index}", known)


def _effects(part: msgspec.Struct, at: str, known: KnownIds) -> Iterator[Fault]:
    """Yield all errors in the effects inside an effect or a part of a pack."""
    for inside, effects in _inner(part):
        yield from effect_faults(effects, f"{at}/{inside}", known)


def _ids(pack: Pack) -> dict[str, list[str]]:
    parts = ("pages", "entries", "objectives", "treasures", "stories", "sheets", "special_rules", "navigation")
    ids = {name: [part.id for part in getattr(pack, name)] for name in parts}
    return {
        **ids,
        "stories": [*ids["treasures"], *ids["stories"]],
        "navigation": [*ids["navigation"], *(location.id for location in pack.locations)],
        "cannons": [str(row.level) for row in pack.cannons],
        "placed": [placed.space for placed in pack.placed],
    }


def known_in(pack: Pack) -> KnownIds:
    """Return the ids that effects in a pack can name. For a table's own book, only the spaces are known."""
    spaces = frozenset(pack.map.spaces())
    if pack.is_open:
        return KnownIds(is_open=True, spaces=spaces, sea=spaces)
    return KnownIds(
        pages=frozenset(pack.page),
        entries=frozenset(pack.entry),
        stories=pack.story_ids,
        objectives=frozenset(pack.objective_card),
        tokens=frozenset(pack.token),
        spaces=spaces,
        sea=spaces,
        features=frozenset(feature.id for page in pack.pages for feature in page.features),
        actions=frozenset(action.number for page in pack.pages for action in page.actions),
    )


def _twice(ids: Iterable[str], at: str) -> Iterator[Fault]:
    for id_, count in Counter(ids).items():
        if count > 1:
            yield Fault(at, f"{id_!r} occurs {count} times")


def _set_up(pack: Pack, known: KnownIds) -> Iterator[Fault]:
    ship = pack.ship
    for stat in STATS:
        if getattr(ship.start, stat) > getattr(ship.maxima, stat):
            yield Fault(f"/ship/start/{stat}", "the value at the start is above the maximum")
    if ship.start.hull == 0 or ship.start.discontent >= ship.start.crew:
        yield Fault("/ship/start", "the game would be lost at the start")
    for level, count in Counter(cannon.level for cannon in ship.cannons).items():
        if count > pack.supply.get(level, 0):
            yield Fault("/ship/cannons", f"there are fewer than {count} cannons of level {level}")
    yield from _unknown("objective", pack.objective, known.objectives, "/objective")
    yield from _map(pack, known)
    yield from effect_faults(pack.set_up, "/set_up", known)
    if not pack.is_open and not (pack.set_up and isinstance(pack.set_up[-1], do.TurnPage)):
        yield Fault("/set_up", "the set-up ends by turning to the first page")


def _map(pack: Pack, known: KnownIds) -> Iterator[Fault]:
    spaces = pack.map.spaces()
    locations = {location.id: location for location in pack.locations}
    yield from _unknown("space", pack.ship.space, spaces, "/ship/space")
    for index, placed in enumerate(pack.placed):
        yield from _unknown("space", placed.space, spaces, f"/placed/{index}/space")
        yield from _unknown("location", placed.token, locations, f"/placed/{index}/token")
        if placed.space == pack.ship.space and placed.token in locations and locations[placed.token].is_rocky:
            yield Fault("/ship/space", "the ship cannot start on rocky waters")
    for name in ("navigation", "locations"):
        for index, token in enumerate(getattr(pack, name)):
            yield from _unknown("entry", token.entry, known.entries, f"/{name}/{index}/entry")


def _unknown(kind: str, id_: str | None, ids: Container[str] | None, at: str) -> Iterator[Fault]:
    """Yield an error if `id_` is not in `ids`; None in place of the ids allows every id."""
    if id_ is not None and ids is not None and id_ not in ids:
        yield Fault(at, f"there is no {kind} {id_!r}")


def _page(page: Page, at: str, known: KnownIds, locks: int) -> Iterator[Fault]:
    here = msgspec.structs.replace(
        known,
        features=frozenset(feature.id for feature in page.features),
        actions=frozenset(action.number for action in page.actions),
    )
    yield from _twice([str(action.number) for action in page.actions], f"{at}/actions")
    yield from _twice([feature.id for feature in page.features], f"{at}/features")
    for index, feature in enumerate(page.features):
        if feature.start > feature.max:
            yield Fault(f"{at}/features/{index}", "the value at the start is above the maximum")
    if not any(action.kind == "unlimited" and not action.is_locked for action in page.actions):
        yield Fault(f"{at}/actions", "a page has at least one unlimited action that is not locked")
    if sum(action.is_locked for action in page.actions) > locks:
        yield Fault(f"{at}/actions", f"there are only {locks} lock tokens")
    yield from _effects(page, at, here)


def _sheet(sheet: Sheet, at: str) -> Iterator[Fault]:
    stars = {star.id for star in sheet.constellation}
    yield from _twice([star.id for star in sheet.constellation], f"{at}/constellation")
    if set(sheet.skills) != set(SKILLS):
        yield Fault(f"{at}/skills", f"a sheet has the six skills: {', '.join(SKILLS)}")
    for index, star in enumerate(sheet.constellation):
        for other in star.links:
            yield from _unknown("star", other, stars | {"start"}, f"{at}/constellation/{index}/links")
    if sum(star.is_event for star in sheet.constellation) != len(sheet.events):
        yield Fault(f"{at}/constellation", f"{len(sheet.events)} of the stars are events")
    if cut_off := sorted(stars.difference(sheet.link_order(stars))):
        yield Fault(f"{at}/constellation", f"nothing links {', '.join(cut_off)} to the start star")


def _read_from(pack: Pack, effects: Iterable[do.Effect], seen: set[str]) -> set[str]:
    """Return the entries to which `effects` lead, directly or through other entries."""
    for effect in do.effects_in(effects):
        if isinstance(effect, do.Read) and effect.entry in pack.entry and effect.entry not in seen:
            seen.add(effect.entry)
            _read_from(pack, pack.entry[effect.entry].effects, seen)
    return seen


def _inner(part: msgspec.Struct) -> Iterator[tuple[str, tuple[do.Effect, ...]]]:
    """Yield the effects inside an effect or a part of a pack, each list with its pointer."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if not isinstance(value, tuple) or not value:
            continue
        if isinstance(value[0], Base):
            yield field, value
        elif isinstance(value[0], msgspec.Struct):
            for index, one in enumerate(value):
                yield from ((f"{field}/{index}/{at}", effects) for at, effects in _inner(one))
