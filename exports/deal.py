"""A deal: what chance brought a table before anybody did anything, so that another table can play the same.

It is the set-up, and as much of the order of each deck as the game has shown since, until that deck was shuffled again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import Value
from engine.play.rules import Rules
from engine.review.sections import Witness
from exports import draws
from exports.log import Log, Unsuitable
from exports.narration import Overview, mainline, overview, standing_of


class Place(msgspec.Struct, frozen=True):
    """What came up in one place of the set-up."""

    group: str
    """What it belongs to: 'The island'; empty where the ruleset does not say it."""
    label: str
    """Which one it is: 'row 1, space 2'."""
    value: Value
    said: str
    """It, as a player calls it."""


class Deck(msgspec.Struct, frozen=True):
    """What lies on top of a deck once the table is set up, as far as the game has shown it."""

    name: str
    """What is drawn, in words."""
    cards: tuple[str, ...]
    """The top one first, as a player calls them."""
    below: int
    """How many more there are, in any order."""


class Deal(msgspec.Struct, frozen=True):
    """What a table was dealt."""

    at: int
    """The event that set the table up."""
    places: tuple[Place, ...]
    decks: tuple[Deck, ...]
    seed: str | None
    """What draws all of it again, and all that follows; None where nobody knows it."""

    @property
    def outcomes(self) -> tuple[Value, ...]:
        """What came up in the set-up, in its order."""
        return tuple(place.value for place in self.places)


class _Draw(msgspec.Struct):
    seq: int
    name: str
    options: list[Value]
    outcome: Value


class _Draws(msgspec.Struct):
    draws: list[_Draw]


def deal(log: Log) -> Deal:
    """What the table of `log` was dealt.

    Raises:
        Unsuitable: it is not set up, began in the middle of a game, or nobody saw all of its set-up.
        EngineError: it does not replay.
    """
    header, rules = log.header(), log.folded().ruleset
    known = overview(log)
    seed: str | None = None
    set_up: tuple[Value, ...] | None = None
    at = 0
    drawn = _Drawn(log)
    for event in drawn.line(known):
        if event.type == lifecycle.SET_UP:
            set_up, at = _dealt(event.params, event.outcomes), event.seq
        elif event.type == lifecycle.GAME_CLOSED and header.fork is None:
            seed = event.params.get("seed")
    if set_up is None:
        raise Unsuitable("", say("the table is not set up yet: nothing is dealt"))
    options = rules.parse_options(header.options, len(header.seats))
    # Other people sit there when it is laid again.
    names = [say("Player {number}", number=number) for number in range(1, len(header.seats) + 1)]
    prompts = [*rules.setup_prompts(options, names, set_up), *[None] * len(set_up)]
    places = tuple(
        Place("" if one is None else one.group, "" if one is None else one.label, value, rules.value_label(value))
        for one, value in zip(prompts, set_up, strict=False)
    )
    later = [one for one in drawn.known() if one.seq > at]
    decks = (_deck(name, later, rules.value_label) for name in dict.fromkeys(one.name for one in later))
    return Deal(at, places, tuple(deck for deck in decks if deck is not None), seed)


class _Drawn:
    """The events of a log that are in effect, and what they drew."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._standing: set[int] = set()
        self._witness: Witness | None = None
        self._hidden: int | None = None
        """The first event that hides something: what was drawn from there on is not told."""

    def line(self, known: Overview) -> Iterator[Event]:
        """Yield the events that are in effect."""
        if known.is_rewritten:
            for told in mainline(self._log, known=known):
                self._standing.add(told.event.seq)
                yield told.event
            return
        # One pass: nothing is narrated, and what was undone is not played.
        self._witness = Witness()
        for event, _, _ in standing_of(known, Rules(self._log.header()), self._shown(), self._witness):
            yield event

    def known(self) -> list[_Draw]:
        """Return what was drawn and is known to everybody, once the line is read."""
        if self._witness is None:
            written = msgspec.json.decode(b"".join(draws.write(self._log)), type=_Draws).draws
            return [one for one in written if one.seq in self._standing]
        return [
            _Draw(seq, draw.name, list(draw.options), draw.value)
            for seq, _, draw in self._witness.drawn
            if self._hidden is None or seq < self._hidden
        ]

    def _shown(self) -> Iterator[Event]:
        for event in self._log.events:
            if self._hidden is None and self._log.show(event) != event:
                self._hidden = event.seq
            yield event


def _dealt(params: dict[str, Any], outcomes: tuple[Value | None, ...]) -> tuple[Value, ...]:
    if params:
        raise Unsuitable("", say("it began in the middle of a game: there is no deal"))
    seen = tuple(value for value in outcomes if value is not None)
    if len(seen) < len(outcomes):
        raise Unsuitable("", say("part of the setup is unknown: reveal it first"))
    return seen


def _deck(name: str, drawn: list[_Draw], said: Any) -> Deck | None:
    """The deck from which `name` is drawn, until it is shuffled; None where that is none: a die lacks nothing then."""
    cards: list[str] = []
    left: Counter[Value] | None = None
    for one in drawn:
        if one.name != name:
            continue
        if left is not None and Counter(one.options) != left:
            break
        left = Counter(one.options) - Counter([one.outcome])
        cards.append(said(one.outcome))
    if len(cards) < 2 or left is None:
        return None
    called = say(name.replace("_", " "))
    return Deck(called[:1].upper() + called[1:], tuple(cards), left.total())
