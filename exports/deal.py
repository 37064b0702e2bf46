"""A deal: all random results before the first action. With a deal, another group can play the same game.

A deal contains the setup and, for each deck, the part of the initial order that the game revealed before a reshuffle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import Value
from engine.kit.words import player_number
from engine.review.luck import RecordedDraw
from engine.review.sections import RecordingChance
from exports.draws import replay_events
from exports.log import Log, Unsuitable
from exports.narration import Overview, mainline, overview


class DealtPlace(msgspec.Struct, frozen=True):
    """The result for one place of the setup."""

    group: str
    """The group of places, such as 'The island'; empty if the ruleset has no groups."""
    label: str
    """The place, such as 'row 1, space 2'."""
    value: Value
    said: str
    """The name of the result, as players know it."""


class DeckTop(msgspec.Struct, frozen=True):
    """The top of a deck after the setup, as far as the game has revealed it."""

    name: str
    """The kind of card, in words."""
    cards: tuple[str, ...]
    """The names of the known cards, the top card first."""
    below: int
    """Number of the other cards, whose order is unknown."""


class Deal(msgspec.Struct, frozen=True):
    """The deal of a table."""

    at: int
    """The number of the event that records the setup."""
    places: tuple[DealtPlace, ...]
    decks: tuple[DeckTop, ...]
    seed: str | None
    """The seed that repeats the deal and everything after it; None if unknown."""

    @property
    def outcomes(self) -> tuple[Value, ...]:
        """The results of the setup, in order."""
        return tuple(place.value for place in self.places)


def deal(log: Log) -> Deal:
    """Return the deal of `log`.

    Raises:
        Unsuitable: the game is not set up, began mid-game, or parts of its setup are unknown.
        EngineError: the log cannot be replayed.
    """
    header, rules = log.header(), log.fold().ruleset
    known = overview(log)
    seed: str | None = None
    set_up: tuple[Value, ...] | None = None
    at, stands = 0, set[int]()
    for event in _line(log, known):
        stands.add(event.seq)
        if event.type == lifecycle.SET_UP:
            set_up, at = _dealt_values(event.params, event.outcomes), event.seq
        elif event.type == lifecycle.GAME_CLOSED and header.fork is None:
            seed = event.params.get("seed")
    if set_up is None:
        raise Unsuitable("", say("the game is not set up yet, so it has no deal"))
    options = rules.parse_options(header.options, len(header.seats))
    # A deal does not contain the players' names.
    names = list(map(player_number, range(len(header.seats))))
    prompts = [*rules.setup_prompts(options, names, set_up), *[None] * len(set_up)]
    places = tuple(
        DealtPlace("" if one is None else one.group, "" if one is None else one.label, value, rules.value_label(value))
        for one, value in zip(prompts, set_up, strict=False)
    )
    later = [draw for seq, draw in _recorded_draws(log, known) if seq > at and seq in stands]
    decks = (_deck(name, later, rules.value_label) for name in dict.fromkeys(one.name for one in later))
    return Deal(at, places, tuple(deck for deck in decks if deck is not None), seed)


def _line(log: Log, known: Overview) -> Iterable[Event]:
    if known.is_rewritten:
        return (told.event for told in mainline(log, known=known))
    return (event for event in log.events if known.fates.is_in_effect(event.seq))


def _recorded_draws(log: Log, known: Overview) -> Iterator[tuple[int, RecordedDraw]]:
    """Yield every draw with the number of its event, up to the first event of which something is hidden."""
    witness = RecordingChance()
    for event in replay_events(log, known, witness):
        if log.show(event) != event:
            return
        yield from ((seq, draw) for seq, _, draw in witness.drawn)
        witness.drawn.clear()


def _dealt_values(params: dict[str, Any], outcomes: tuple[Value | None, ...]) -> tuple[Value, ...]:
    if params:
        raise Unsuitable("", say("the record begins in the middle of a game, so it has no deal"))
    seen = tuple(value for value in outcomes if value is not None)
    if len(seen) < len(outcomes):
        raise Unsuitable("", say("part of the setup is unknown: reveal it first"))
    return seen


def _deck(name: str, drawn: Sequence[RecordedDraw], said: Any) -> DeckTop | None:
    """Return the deck from which `name` is drawn; None if there is no deck (as for a die)."""
    cards: list[str] = []
    left: Counter[Value] | None = None
    for one in drawn:
        if one.name != name:
            continue
        if left is not None and Counter(one.options) != left:
            break
        left = Counter(one.options) - Counter([one.value])
        cards.append(said(one.value))
    if len(cards) < 2 or left is None:
        return None
    called = say(name.replace("_", " "))
    return DeckTop(called[:1].upper() + called[1:], tuple(cards), left.total())
