"""The ruleset: the actions and facts that all boxes share, and the names of one box."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from driftlog.any_game import facts, moving, overview, playing, words
from driftlog.any_game.board import board
from driftlog.any_game.box import Box
from driftlog.any_game.short_forms import check_texts
from driftlog.any_game.state import BoxState
from driftlog.any_game.stuff import Stuff
from driftlog.any_game.table import check, check_size, table_of
from driftlog.kit import (
    KNOWN,
    SEAT_IDS,
    WHOLE,
    Chance,
    Column,
    Malformed,
    Options,
    Ruleset,
    Scene,
    SeatColumn,
    SetupPrompt,
    Value,
    convert,
    marked,
    say,
)

SHIPPED: Mapping[str, Box] = MappingProxyType(
    {
        box.id: box
        for file in sorted(files("driftlog.any_game").joinpath("boxes").iterdir(), key=lambda file: file.name)
        if (box := msgspec.json.decode(file.read_bytes(), type=Box)) is not None
    }
)
"""The boxes that come with Driftlog, by id."""
DEFAULT = SHIPPED["just-scores"]


class BoxOptions(Options, frozen=True, kw_only=True):
    """The options of a game: its box."""

    box: Annotated[
        Box,
        Meta(title="Box", extra_json_schema={WHOLE: True, KNOWN: {box.id: box.title for box in SHIPPED.values()}}),
    ] = DEFAULT


class AnyGame(Ruleset[BoxState, BoxOptions]):
    """Any game, described by its components."""

    kit = 1
    id = "any-game"
    version = "1"
    name = "Any game"
    players = (1, 8)
    is_cooperative = False
    sources = ("observed",)
    checks_rules = False
    schemas: ClassVar[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
        {"box": {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Box)}}
    )
    options = BoxOptions
    state = BoxState
    actions = (
        playing.Press,
        moving.Move,
        moving.DrawThings,
        moving.Deal,
        moving.Shuffle,
        moving.Look,
        playing.Roll,
        playing.SetMeter,
        playing.NextTurn,
        playing.EndGame,
    )
    facts = facts.kinds_of(DEFAULT)
    turn_fields = ("turn", "phase", "active")
    sections = (words.THE_BOX, words.TURNS, words.COMPONENTS, words.THE_END)
    phases: ClassVar[Mapping[str, str]] = {"playing": marked("playing")}
    endings: ClassVar[dict[str, str]] = {playing.ENDED: marked("The players ended the game.")}
    components: ClassVar[dict[str, Any]] = {}
    chance_points = ("card", "die", "first_player")
    columns = (Column("face_down", int, overview.all_hidden, "The number of unseen face-down things."),)
    seat_columns = (SeatColumn("score", int, playing.score_of, "The score of the player; empty if the box has none."),)
    max_events = 100_000
    part_titles: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The title of each part of the box."""

    def at(self, options: Mapping[str, Any]) -> Self:
        box = options.get("box")
        return self if box is None else _of(type(self), box_of(box))  # type: ignore[return-value]  # a subclass

    def parse_options(self, given: Mapping[str, Any], seats: int) -> BoxOptions:
        box = given.get("box", DEFAULT)
        parsed = super().parse_options({**given, "box": box_of(box)}, seats)
        least, most = parsed.box.players
        if not least <= seats <= most:
            message = say(
                "{game} is for {least} to {most} players, not {seats}",
                game=say(parsed.box.title),
                least=least,
                most=most,
                seats=seats,
            )
            raise Malformed("/seats", message)
        return parsed

    def check_new(self, options: BoxOptions) -> None:
        check_texts(options.box)

    def setup(self, options: BoxOptions, seats: int, chance: Chance) -> BoxState:
        box = options.box
        table = table_of(box, seats)
        state = BoxState(
            turn=1,
            phase="playing",
            box=box,
            seats=seats,
            active=self._first(box, seats, chance),
            meters=tuple(
                ((meter.words[0] if meter.words and meter.start == 0 else meter.start),)
                * (seats if meter.per_player else 1)
                for meter in box.meters
            ),
            dice=((),) * len(table.dice),
        )
        stuff = Stuff(state)
        for kind in table.kinds.values():
            for place, count in kind.homes:
                stuff.add(place, kind.id, count)
        for spot in table.spots.values():
            if spot.kind == "pile":
                stuff.shuffle(spot.id)
        return stuff.result()

    def setup_prompts(
        self, options: BoxOptions, names: Sequence[str], given: Sequence[Value | None]
    ) -> Sequence[SetupPrompt]:
        is_asked = options.box.begins == "table" and options.box.turns != "free" and len(names) > 1
        return [SetupPrompt(group=say("The table"), label=self.question("first_player"))] if is_asked else []

    def _first(self, box: Box, seats: int, chance: Chance) -> int:
        if box.begins == "first" or box.turns == "free" or seats == 1:
            return 0
        return SEAT_IDS.index(chance.draw("first_player", SEAT_IDS[:seats]))

    def awaiting(self, state: BoxState) -> tuple[int, ...]:
        if state.outcome is not None:
            return ()
        return tuple(range(state.seats)) if state.box.turns == "free" else (state.active,)

    def begin_turn(self, state: BoxState, seat: int) -> BoxState | None:
        if state.box.turns == "free":
            return None
        return replace(state, turn=state.turn + 1, active=seat)

    def seats(self, state: BoxState) -> int:
        return state.seats

    def view(self, state: BoxState, viewer: int | None) -> dict[str, Any]:
        return self.to_document(state)

    def check_invariants(self, state: BoxState) -> list[str]:
        return list(overview.violations(state))

    def describe_setup(self, state: BoxState, names: Sequence[str]) -> list[str]:
        begins = [] if state.box.turns == "free" else [say("{player} begins.", player=names[state.active])]
        return [say("The components of {game} are on the table.", game=say(state.box.title)), *begins]

    def overview(self, state: BoxState, names: Sequence[str]) -> dict[str, str]:
        return dict(overview.rows(state, names))

    def board(self, state: BoxState, names: Sequence[str], viewer: int | None = None) -> Scene:
        return board(state, names, self.standing(state, names), self.headline(state, names))

    def standing(self, state: BoxState, names: Sequence[str]) -> str:
        if state.outcome is not None:
            return self.ending(state.outcome.reason)
        if state.box.turns == "free":
            return say("Round {number}", number=state.turn)
        return say("Turn {turn} · {name}", turn=state.turn, name=names[state.active])

    def moment(self, state: BoxState, names: Sequence[str]) -> str:
        rolled = [f"{title}: {faces}." for title, faces in overview.rolls(state)]
        if state.table.kinds:
            rolled.append(say("Tap a thing, then its new place, or choose below."))
        elif state.table.meters:
            rolled.append(say("Tap a number to change it, or choose below."))
        return " ".join(rolled)

    def value_label(self, value: Value) -> str:
        text = str(value)
        title = say(self.part_titles.get(words.plain(text)) or text[:1].upper() + text[1:].replace("_", " "))
        if words.plain(text) == text:
            return title
        return say("{part} of player {number}", part=title, number=text[1])

    def word(self, value: str) -> str:
        # The page adds the player.
        return self.value_label(words.plain(value))

    def words(self) -> dict[str, str]:
        return dict(sorted({**super().words(), **{id_: say(title) for id_, title in self.part_titles.items()}}.items()))

    def vocabulary(self) -> Iterable[str]:
        for box in SHIPPED.values():
            faces = (face for dice in table_of(box, 2).dice.values() for face in dice.faces if isinstance(face, str))
            titles = (box.title, *_of(type(self), box).part_titles.values(), *faces)
            # Signs such as ♠A are the same in every language.
            yield from (title for title in titles if re.search("[a-z]{2}", title))
            yield from (word for meter in box.meters for word in meter.words)


@lru_cache(maxsize=64)
def _of(kind: type[AnyGame], box: Box) -> AnyGame:
    table = table_of(box, box.players[1])
    titles = words.titles(table)
    known = {
        "name": box.title,
        "players": box.players,
        "is_cooperative": box.wins == "together",
        "highest_wins": box.wins != "lowest",
        "part_titles": titles,
        "components": words.components(table),
        "facts": tuple(_with_titles(one, titles) for one in facts.kinds_of(box)),
    }
    made: AnyGame = type(kind.__name__, (kind,), {"__module__": __name__, "__doc__": kind.__doc__, **known})()
    return made


def _with_titles(kind: type[Any], titles: Mapping[str, str]) -> type[Any]:
    if not issubclass(kind, facts.BoxFact):
        return kind
    members = {"titles": titles, "__doc__": kind.__doc__, "__module__": kind.__module__}
    made: type[Any] = msgspec.defstruct(kind.__name__, [], bases=(kind,), namespace=members, frozen=True)
    return made


def box_of(given: Any) -> Box:
    """Return the box in an option: a document, or the id of one of `SHIPPED`.

    Raises:
        Malformed: `given` is not a box; the pointer begins with `/options/box`.
    """
    if isinstance(given, Box):
        return given
    if isinstance(given, str):
        if given not in SHIPPED:
            message = say(
                "{name} is not a box of Driftlog; use one of: {known}", name=repr(given), known=", ".join(SHIPPED)
            )
            raise Malformed("/options/box", message)
        return SHIPPED[given]
    try:
        document = msgspec.json.encode(given)
    except (TypeError, ValueError) as error:
        raise Malformed("/options/box", str(error)) from None
    return _read(document)


@lru_cache(maxsize=64)
def _read(document: bytes) -> Box:
    """Check the box in a JSON document and return it, from a cache, because each request replays event 1."""
    check_size(len(document))
    box: Box = convert(msgspec.json.decode(document), Box, "/options/box")
    check(box)
    return box
