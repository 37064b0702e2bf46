"""The late page, on which players enter the table of a game that is already under way, derived from facts.

Each kind of fact with a `title` becomes a part of the page. If the setup page has a group with this title, players
answer it as in the setup. Otherwise the fields decide: a tile changes its state by taps, a pawn stands on a tile, cards
and numbers are dealt to players or things, and a value of the whole table is picked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import replace

from engine.core.errors import DEFECTS
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Value
from engine.kit.card_facts import CardsAt, hands_counted
from engine.kit.common_facts import TurnIs, TurnOf
from engine.kit.facts import AnyFact, CannotBe, Told
from engine.kit.first_tables import first_table, left_to_chance
from engine.kit.rest import REST
from engine.kit.scene.looks import Symbol
from engine.kit.setup_page import Family, Report, SetupChoice, SetupPage, SetupPart, SetupStep

Kind = type[AnyFact]
Shape = Literal["deal", "list", "mark", "pick", "stand", "state"]

UNKNOWN = "unknown"
"""Stands for a card that nobody wants to show, or that the players do not remember."""
MOST_HELD = 32
"""Maximum number of things that players can enter for one owner in one part of the page."""
MOST_BUTTONS = 20
"""Maximum number of values to choose from; from a larger range, players type a number."""
ORDER = ("walk", "lay", "deal one", "stand", "state", "list", "mark", "deal", "list of", "rank", "pick")
"""The order of the parts. `deal one` deals a single value to each player or thing; `list of` needs an earlier part."""
LAST = frozenset({"rank", "pick"})
"""The kinds of parts that are together on the last screen."""


class LateTable:
    """The context of a late page: the ruleset and the players, the setup page, and the board."""

    def __init__(self, rules: Any, options: Any, names: Sequence[str]) -> None:
        self.rules, self.names = rules, names
        self.seats = SEAT_IDS[: len(names)]
        setup: SetupPage | None = rules.setup_page(options, names)
        self.setup = setup or SetupPage(steps=(), ready="", backdrop="paper", pictures={})
        self.groups = {part.group: part for step in self.setup.steps for part in step.parts}
        self.prompts = rules.setup_prompts(options, names, ())
        start = partial(rules.setup, options, len(names))
        self.tables = first_table(start), first_table(start, is_last=True)
        self.board: tuple[SetupChoice, ...] = ()
        """The tiles or spaces of the board, once its part of the page is known."""
        things = [part for part in self.groups.values() if part.kind != "lay"]
        self._known = {choice.value: choice for part in things for choice in (*part.choices, *_tiles(part))}
        self._faces = {face.value: face for layout in rules.faces.values() for face in layout.faces}

    def choice(self, value: Value) -> SetupChoice:
        """Return a value as the setup page shows it, or else with the symbol of its result button or of its name."""
        if value in self._known:
            return self._known[value]
        if value in SEAT_INDEX:
            return SetupChoice(value=value, label=self.names[SEAT_INDEX[str(value)]])
        if isinstance(value, int):
            return SetupChoice(value=value, label=str(value))
        # As in `words`: the page adds the player.
        word = str(self.rules.word(value[3:] if _owner(value) in SEAT_INDEX else value))
        face = self._faces.get(value)
        label = word[:1].upper() + word[1:]
        if face is not None:
            return SetupChoice(value=value, label=label, short=face.text, symbol=face.symbol, tint=face.tint)
        symbol: Any = value if value in get_args(Symbol) else None
        return SetupChoice(value=value, label=label, symbol=symbol)

    def choices(self, values: Iterable[Value]) -> tuple[SetupChoice, ...]:
        """Return several values as components to choose."""
        return tuple(map(self.choice, values))

    def values(self, kind: Kind, name: str) -> Sequence[Value]:
        """Return the possible values of a member of a fact at this table; empty if they are not declared."""
        (field,) = (field for field in msgspec.structs.fields(kind) if field.name == name)
        if get_origin(field.type) is Annotated:
            limits = [limit for limit in get_args(field.type)[1:] if limit.ge is not None and limit.le is not None]
            return range(limits[0].ge, limits[0].le + 1) if limits else ()
        if type(None) in get_args(field.type):
            return ["", *self.seats]
        declared = get_args(field.type) if get_origin(field.type) is Literal else ()
        return [value for value in declared if _owner(value) not in SEAT_INDEX or _owner(value) in self.seats]

    def is_open(self, fact: AnyFact) -> bool:
        """Return True if the fact can be true before the end of a game, as far as the tables after a setup show."""
        told = Told((fact,))
        for table in self.tables:
            try:
                if self.rules.settled(fact.put(table, told), told).outcome is None:
                    return True
            except (CannotBe, *DEFECTS):
                continue
        return False


def late_page(rules: Any, options: Any, names: Sequence[str]) -> SetupPage | None:
    """Return the page; None if its facts would not suffice to begin a record, or would reveal hidden cards."""
    kinds = [kind for kind in rules.facts if kind.title and not kind.is_derived]
    if all(issubclass(kind, TurnOf) for kind in kinds) or any(getattr(kind, "is_hidden", False) for kind in kinds):
        return None
    table = LateTable(rules, options, names)
    if not set(left_to_chance(rules.facts, *table.tables)) <= set(kinds):
        return None
    ask = say("Tap where {what} is.")
    parts = [replace(part, ask=ask) for part in table.groups.values() if part.kind == "walk"]
    for kind in kinds:
        part: SetupPart = rules.late_part(kind, table)
        parts.append(part)
        if part.kind == "lay" and part.report:
            table.board = table.choices(part.report.ids) or tuple(_tiles(part))
    parts.sort(key=_order)
    steps = [SetupStep(title=part.group, parts=(part,)) for part in parts if part.kind not in LAST]
    last = tuple(part for part in parts if part.kind in LAST)
    return SetupPage(
        steps=(*steps, SetupStep(title=say("Rest of the table"), parts=last)) if last else tuple(steps),
        ready=say("Ready. The record begins here."),
        backdrop=table.setup.backdrop,
        pictures=rules.late_pictures() or table.setup.pictures,
    )


def _order(part: SetupPart) -> int:
    more = " of" if part.of else " one" if part.kind == "deal" and part.each == 1 else ""
    return ORDER.index(f"{part.kind}{more}")


def late_part(kind: Kind, table: LateTable) -> SetupPart:
    """Return the part of the page that asks for facts of a kind."""
    asked = table.groups.get(say(kind.title))
    if asked is not None:
        return _as_in_setup(kind, asked, table)
    member = _members(kind)[0]
    if len(kind.about) == 2 or issubclass(kind, CardsAt):
        return _held(kind, member, table)
    if not kind.about or member == "yes":
        return _picked(kind, (*kind.about, member)[0], table)
    things, values = table.values(kind, kind.about[0]), table.values(kind, member)
    board = {choice.value for choice in table.board}
    if not board.isdisjoint(values):
        return _standing(kind, member, things, [value for value in values if value not in board], table)
    if board.issuperset(things):
        return _turned(kind, member, table.board, values, table)
    if _owner(things[0]) != things[0]:
        if values[0]:
            return _owned(kind, member, things, values, table)
        homes = (one.title for one in table.rules.facts if one is not kind and one.about == kind.about and one.title)
        return replace(_turned(kind, member, table.choices(things), values, table), of=say(next(homes)))
    if isinstance(values[-1], str) and kind.about != ("seat",):
        return _turned(kind, member, table.choices(things), values, table)
    return _each(kind, member, things, values, table)


def _tiles(part: SetupPart) -> Iterator[SetupChoice]:
    return (choice for family in part.families for choice in family.choices)


def _owner(value: Value) -> str:
    """Return the seat in the id of a thing that belongs to a seat, such as `p2_hut_3`; otherwise, the whole id."""
    return str(value)[:2] if str(value)[:2] in SEAT_INDEX else str(value)


def _members(kind: Kind) -> list[str]:
    """Return the members of a fact that are not its subject."""
    return [name for name in kind.__struct_fields__ if name not in kind.about]


def _facts(kind: Kind, name: str, values: Iterable[Value], **more: Value) -> tuple[dict[str, Any], ...]:
    return tuple({"fact": kind.tag(), name: value, **more} for value in values)


def _part(kind: Kind, shape: Shape, ask: str, names: Iterable[str], **rest: Any) -> SetupPart:
    title = say(kind.title)
    asks = say(kind.ask) if kind.ask else ask
    return SetupPart(group=title, title=title, kind=shape, ask=asks, names=tuple(names), **rest)


def _as_in_setup(kind: Kind, asked: SetupPart, table: LateTable) -> SetupPart:
    """Return a part of the setup page, with the facts that its places report."""
    members = _members(kind)
    if asked.kind == "lay":
        return replace(asked, report=_laid(kind, members, asked, table))
    if asked.kind == "rank":
        ranks = range(1, len(asked.names) + 1)
        facts = _facts(kind, members[0], ranks) if kind.about else ({"fact": kind.tag()},)
        return replace(asked, report=Report(facts=facts, member="seat", stock=table.seats))
    stock = tuple(choice.value for choice in asked.choices)
    return replace(asked, report=Report(facts=_facts(kind, "seat", table.seats), member=members[0], stock=stock))


def _laid(kind: Kind, coordinates: Sequence[str], asked: SetupPart, table: LateTable) -> Report:
    """Return the facts of laid tiles. After a walk, the page knows the coordinates, and numbers equal tiles."""
    (tile,) = kind.about
    ids = table.values(kind, tile)
    means: dict[Any, tuple[dict[str, Any], ...]] = {
        choice.value: tuple({tile: id_} for id_ in ids if f"{id_}_".startswith(f"{choice.value}_"))
        for choice in _tiles(asked)
    }
    spaces = [prompt.at for prompt in table.prompts if prompt.group == asked.group]
    is_walk = None in spaces
    places = [(number, 0) if at is None else at for number, at in enumerate(spaces)]
    return Report(
        facts=tuple({"fact": kind.tag(), **dict(zip(coordinates, at, strict=True))} for at in places),
        member=tile,
        stock=tuple(value for value, found in means.items() for _ in found),
        spaces=() if is_walk else tuple(places),
        coordinates=tuple(coordinates) if is_walk else (),
        means=means if is_walk else {},
    )


def _held(kind: Kind, count: str, table: LateTable) -> SetupPart:
    """Return the part for the things of each player, or in a pile, with a tap for each thing."""
    *owner, thing = kind.about
    deck = kind.whole_deck(table.tables[0]) if issubclass(kind, CardsAt) else Counter[Any]()
    values = [value for value in table.values(kind, thing) if not deck or value in deck]
    facts: Sequence[Kind] = table.rules.facts
    size = next((one.tag() for one in facts if hands_counted(facts, one) is kind), "")
    each = min(MOST_HELD, deck.total() or MOST_HELD)
    told = [{"fact": kind.tag(), count: 1, **dict(zip(owner, [seat], strict=False))} for seat in table.seats]
    stock = [value for value in values for _ in range(deck[value] or 1)]
    unknown = SetupChoice(value=UNKNOWN, label=say("Unknown card"), symbol="question", tint="steel")
    pile = SetupChoice(value=kind.tag(), label=say(kind.title), symbol="card")
    names = table.names if owner else [pile.label]
    return _part(
        kind,
        "deal",
        say("Tap everything that {what} has.") if owner else say("Tap everything in this pile."),
        (name for name in names for _ in range(each)),
        choices=(*table.choices(values), unknown) if size else table.choices(values),
        owners=() if owner else (pile,),
        each=each,
        report=Report(
            facts=tuple(fact for fact in told[: len(names)] for _ in range(each)),
            member=thing,
            stock=(*stock, *[UNKNOWN] * (each * len(names) if size else 0)),
            returns=not deck,
            size=size,
            unknown=UNKNOWN if size else None,
            count=count,
            is_optional=True,
        ),
    )


def _owned(kind: Kind, member: str, things: Sequence[Value], values: Sequence[Value], table: LateTable) -> SetupPart:
    """Return the part for things that belong to seats, each with a place. The first of `values` means: nowhere."""
    each = len(things) // len(table.seats)
    return _part(
        kind,
        "deal",
        say("Tap everything that {what} has."),
        (name for name in table.names for _ in range(each)),
        choices=table.choices(values[1:]),
        each=each,
        report=Report(
            facts=_facts(kind, kind.about[0], things),
            member=member,
            stock=tuple(values[1:]),
            returns=True,
            is_optional=True,
        ),
    )


def _standing(kind: Kind, member: str, things: Sequence[Value], others: Sequence[Value], table: LateTable) -> SetupPart:
    """Return the part for pawns or things on the board. The first of `others`, values for other places, is: nowhere."""
    owners = () if kind.about == ("seat",) else table.choices(things)
    pawns = (say("{name}'s pawn", name=name) for name in table.names)
    return _part(
        kind,
        "stand",
        say("Tap the tile where {what} is."),
        (owner.label for owner in owners) if owners else pawns,
        owners=owners,
        choices=table.choices(others[1:]),
        report=Report(
            facts=_facts(kind, kind.about[0], things),
            member=member,
            stock=(*(choice.value for choice in table.board), *others[1:]),
            returns=True,
            is_optional=kind.none is not None,
        ),
    )


def _turned(
    kind: Kind, member: str, things: Sequence[SetupChoice], values: Sequence[Value], table: LateTable
) -> SetupPart:
    """Return the part for the states of tiles or things, or for their marks. The first of `values` is the usual one."""
    (subject,) = kind.about
    usual, *states = values
    ids = tuple(thing.value for thing in things)
    is_marked = things == table.board and len(states) == 1
    return _part(
        kind,
        "mark" if is_marked else "state" if things == table.board else "list",
        say("Tap each tile until its state is right."),
        (thing.label for thing in things),
        families=(Family(title=say(kind.title), choices=tuple(things)),),
        choices=() if is_marked else table.choices(states),
        report=Report(
            facts=({"fact": kind.tag(), member: states[0]},) * len(ids) if is_marked else _facts(kind, subject, ids),
            member=subject if is_marked else member,
            stock=ids if is_marked else tuple(states),
            returns=not is_marked,
            rest={"fact": kind.tag(), subject: REST, member: usual} if kind.none is None else None,
            is_optional=True,
        ),
    )


def _each(kind: Kind, member: str, things: Sequence[Value], values: Sequence[Value], table: LateTable) -> SetupPart:
    """Return the part for a value of each player or thing."""
    owners = () if kind.about == ("seat",) else table.choices(things)
    facts = _facts(kind, kind.about[0], things)
    return _part(
        kind,
        "deal",
        say("Tap the value for {what}."),
        [owner.label for owner in owners] or table.names,
        owners=owners,
        **_possible(kind, Report(facts=facts, member=member, stock=(), returns=True), values, table),
    )


def _picked(kind: Kind, member: str, table: LateTable) -> SetupPart:
    """Return the part for a value of the whole table, or for the members of a collection."""
    values = table.values(kind, member)
    if kind.about:
        facts = ({"fact": kind.tag()},) * len(values)
        report = Report(facts=facts, member=member, stock=tuple(values), is_optional=True)
        choices = table.choices(values)
        names = (choice.label for choice in choices)
        return _part(kind, "pick", say("Tap what the team has."), names, choices=choices, report=report)
    # If turns begin after a placement, the record begins in turn 1.
    is_before = issubclass(kind, TurnOf) and table.tables[0].turn < 1
    rest = {"fact": TurnIs.tag(), "number": 1} if is_before else None
    report = Report(facts=({"fact": kind.tag()},), member=member, stock=(), rest=rest)
    return _part(
        kind, "pick", say("Tap the value of {what}."), (say(kind.title),), **_possible(kind, report, values, table)
    )


def _possible(kind: Kind, report: Report, values: Sequence[Value], table: LateTable) -> dict[str, Any]:
    """Return the members of a part for a choice from `values`, without values that end the game."""
    if len(values) > MOST_BUTTONS:
        return {"range": (values[0], values[-1]), "report": report}
    about = {name: value for name, value in report.facts[0].items() if name != "fact"}
    # The turn of any player is possible.
    stock = [v for v in values if report.member == "seat" or table.is_open(kind(**about, **{report.member: v}))]
    return {"choices": table.choices(stock), "report": replace(report, stock=tuple(stock))}
