"""The default board: a mat for each player and a panel for each part of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.kit.default_scene import initials
from engine.kit.part_facts import word
from engine.kit.parts import MOST, Cards, Hand, Meter, Part, Stack, Token
from engine.kit.scene.looks import FORMS, Colour
from engine.kit.scene.panels import Card, CardStack, Counters, Gauge, Panel, PlayerMat, Shelf, Step, Track
from engine.kit.scene.planes import Piece
from engine.kit.words import counted


class Around:
    """Context for the panels: the players, the active and awaited seats, and the viewer."""

    def __init__(self, names: Sequence[str], active: int | None, awaited: Sequence[int], viewer: int | None) -> None:
        self.names, self.active, self.awaited, self.viewer = names, active, awaited, viewer
        self.initials = initials(names)
        self.colours = tuple(FORMS)

    def mat(self, seat: int, colour: Colour, **rest: Any) -> PlayerMat:
        """Return the mat of a player; `rest` contains its remaining fields."""
        return PlayerMat(
            id=f"player.{SEAT_IDS[seat]}",
            seat=SEAT_IDS[seat],
            name=self.names[seat],
            initials=self.initials[seat],
            colour=colour,
            form=FORMS[colour],
            is_active=seat == self.active,
            is_awaited=seat in self.awaited,
            **rest,
        )

    def rest(self, seat: int, actions: int, most: int, *others: str) -> dict[str, Any]:
        """Return the members of a mat that show the rest of the turn; empty if it is another seat's turn.

        Args:
            actions: the number of actions left.
            most: the number of actions in a whole turn.
            others: the steps that remain after the actions, in words.
        """
        if seat != self.active:
            return {}
        left = ", ".join(filter(None, (counted(actions, "action") if actions else "", *others)))
        return {
            "actions": (actions, max(actions, most)) if actions else None,
            "note": say("Left this turn: {left}", left=left) if left else "",
        }

    def pawn(self, seat: int, colour: Colour, on: str | None, title: str) -> Piece:
        """Return the pawn of a player on a tile."""
        return Piece(
            id=f"pawn.{SEAT_IDS[seat]}",
            on=on,
            form=FORMS[colour],
            colour=colour,
            text=self.initials[seat],
            is_active=seat == self.active,
            seat=SEAT_IDS[seat],
            place=SEAT_IDS[seat],
            title=title,
        )


def panels(parts: Sequence[Part], state: Any, around: Around) -> tuple[Panel, ...]:
    """Return the mats of the players, then the meters and the other parts of the table."""
    meters = [part for part in parts if isinstance(part, Meter) and not part.is_of_seats]
    gauges = tuple(_gauge(part, part.member, part.entries(state)[0]) for part in meters)
    counters = [Counters(id="counters", title=say("Counters"), gauges=gauges)] if gauges else []
    others = (panel for part in parts for panel in _table_panel(part, state, around))
    return (*(_mat(parts, state, seat, around) for seat in range(len(around.names))), *counters, *others)


def _mat(parts: Sequence[Part], state: Any, seat: int, around: Around) -> PlayerMat:
    id_ = SEAT_IDS[seat]
    own = [(part, part.entries(state)[seat]) for part in parts if part.is_of_seats]
    cards = [card for part, entry in own if isinstance(part, Hand) for card in _hand(part, entry, seat, around)]
    return around.mat(
        seat,
        around.colours[seat],
        cards=tuple(cards),
        gauges=tuple(_gauge(part, f"{part.member}.{id_}", entry) for part, entry in own if isinstance(part, Meter)),
        empty=say("No cards") if any(isinstance(part, Hand) for part, _ in own) else "",
    )


def _hand(part: Hand, entry: tuple[str, ...], seat: int, around: Around) -> Iterator[Card]:
    if part.is_seen(around.viewer, seat):
        yield from _cards(part, entry, f"{part.member}.{SEAT_IDS[seat]}")
    elif entry:
        yield Card(id=f"{part.member}.{SEAT_IDS[seat]}", label=say(part.title), count=len(entry), symbol="card")


def _cards(part: Cards, cards: Sequence[str], id_: str) -> tuple[Card, ...]:
    return tuple(
        Card(id=f"{id_}.{card}", label=say(word(part.of.titles, card)), count=count, place=card)
        for card, count in sorted(Counter(cards).items())
    )


def _gauge(part: Meter, id_: str, value: int) -> Gauge:
    most = None if part.most == MOST else part.most
    return Gauge(id=id_, label=say(part.title), value=value, of=most)


def _table_panel(part: Part, state: Any, around: Around) -> Iterator[Panel]:
    if isinstance(part, Token):
        yield _track(part, state, around)
    elif isinstance(part, Stack):
        cards = tuple(part.cards(state))
        left = _cards(part, cards, f"{part.member}.left")
        yield CardStack(id=part.member, title=say(part.title), count=len(cards), left=left)
    elif isinstance(part, Cards) and not part.is_of_seats and part.entries(state)[0]:
        yield Shelf(id=part.member, title=say(part.title), cards=_cards(part, tuple(part.cards(state)), part.member))


def _track(part: Token, state: Any, around: Around) -> Track:
    entries = part.entries(state)
    pieces: dict[str, list[Piece]] = {place: [] for place in part.places}
    for seat, place in enumerate(entries if part.is_of_seats else ()):
        pieces[place].append(
            Piece(
                id=f"{part.member}.pawn.{SEAT_IDS[seat]}",
                colour=around.colours[seat],
                form=FORMS[around.colours[seat]],
                text=around.initials[seat],
            )
        )
    steps = tuple(
        Step(id=f"{part.member}.{place}", label=say(title), pieces=tuple(pieces[place]), place=place)
        for place, title in part.places.items()
    )
    at = None if part.is_of_seats else list(part.places).index(entries[0])
    return Track(id=part.member, title=say(part.title), steps=steps, at=at)
