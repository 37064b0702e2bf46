"""Sentences about the corrections of a record: the turns and actions that an undo, an amend or a reveal changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import plural, say
from engine.core.values import Effect, State
from engine.play.beliefs.belief import likeliest
from engine.play.fold import History
from engine.play.line import Line
from engine.review.report import Correcting, Correction
from engine.review.turns import narrate_line, plainly
from engine.review.words import first_sentence, join_words

LONGEST = 120
"""Maximum length of a quoted action. If it is longer, only the first sentence is quoted."""
MOST_QUOTED = 3
"""Maximum number of actions that a sentence quotes."""

_STILL_LEGAL: frozenset[Effect] = frozenset(("unchanged", "state_differs"))


def corrections(history: History, events: Sequence[Event]) -> tuple[Correction, ...]:
    """Return every undo, amend and reveal of a log, in order."""
    return tuple(_correction(history, events, event) for event in events if event.type in lifecycle.CORRECTING)


def _correction(history: History, events: Sequence[Event], event: Event) -> Correction:
    before, after = history.line(event.seq - 1), history.line(event.seq)
    # Dicts instead of sets, because they keep the order.
    stood = dict.fromkeys(slot.number for slot in before if slot.entry is not None)
    stands = dict.fromkeys(slot.number for slot in after if slot.entry is not None)
    took_off = tuple(place for place in stood if place not in stands)
    brought_back = tuple(place for place in stands if place not in stood and place != event.seq)
    impacts = history.impacts.get(event.seq)
    impact = Counter(() if impacts is None else impacts.effects())
    quotes = _Quotes(history, events)
    if event.type == "undo":
        message = _undo(event, quotes, (before, after), took_off, brought_back)
    elif event.type == "amend":
        message = _amend(event, quotes, before, after)
    else:
        about = event.params["seq"]
        message = say(
            "Revealed {when}: the unknown result of {quoted} ({at}) was {value}.",
            when=quotes.at(event),
            quoted=quotes.of(before, about),
            at=quotes.when(before, about),
            value=history.rules.ruleset.value_label(event.params["value"]),
        )
    if impact:
        told = [_count_sentence(effect, count) for effect, count in impact.items() if effect not in _STILL_LEGAL]
        message += " " + (
            say("Of the later events: {effects}.", effects=", ".join(told))
            if told
            else say("This made no later event illegal.")
        )
    type_ = cast("Correcting", event.type)
    table = history.states[event.seq - 1]
    period = history.rules.ruleset.period_of(likeliest(table))
    return Correction(event.seq, event.turn, type_, took_off, brought_back, dict(impact), message, period)


def _count_sentence(effect: Effect, count: int) -> str:
    match effect:
        case "now_legal":
            what = plural(count, "is now legal", "are now legal")
        case "now_illegal":
            what = plural(count, "is now against the rules", "are now against the rules")
        case _:
            what = plural(count, "has a result that is now impossible", "have results that are now impossible")
    return f"{count} {what}"


def _undo(
    event: Event,
    quotes: _Quotes,
    lines: tuple[Line, Line],
    took_off: tuple[int, ...],
    brought_back: tuple[int, ...],
) -> str:
    before, after = lines
    if not (took_off or brought_back):
        return say("Undone {when}. This does not change the game.", when=quotes.at(event))
    taken, brought = quotes.several(before, took_off), quotes.several(after, brought_back)
    if not brought_back:
        return say("Undone {when}: {taken}.", when=quotes.at(event), taken=taken)
    if not took_off:
        return say("Redone {when}: {brought}.", when=quotes.at(event), brought=brought)
    told = {"when": quotes.at(event), "taken": taken, "brought": brought}
    return say("Undone {when}: {taken}. Redone: {brought}.", **told)


def _amend(event: Event, quotes: _Quotes, before: Line, after: Line) -> str:
    place = event.params["seq"]
    was = quotes.of(before, place)
    when, at = quotes.at(event), quotes.when(before, place)
    told = {"when": when, "was": was if at == when else f"{was} ({at})"}
    if event.params.get("remove"):
        return say("Corrected {when}: {was} did not happen.", **told)
    if event.params.get("insert") is not None:
        return say("Corrected {when}: {added} was missing before {was}.", added=quotes.of(after, event.seq), **told)
    return say("Corrected {when}: {was} was replaced by {now}.", now=quotes.of(after, place), **told)


class _Quotes:
    """Quotes the sentences about entries of a line, so that the quotes fit into other sentences."""

    def __init__(self, history: History, events: Sequence[Event]) -> None:
        self._history, self._events = history, events

    def of(self, line: Line, place: int, *, is_short: bool = False) -> str:
        """Return the sentence about the entry of a place, in quotation marks.

        Args:
            is_short: True to name a setup instead of quoting it.
        """
        index = _index(line, place)
        slot, before, rules = line[index], _before(line, index), self._history.rules
        if slot.entry is None:
            return say("nothing")
        if is_short and slot.entry.type == lifecycle.SET_UP:
            return say("the setup")
        kind = rules.ruleset.kind(slot.entry.type)
        if kind is not None and kind.hidden_params:
            sentence = plainly(rules, rules.header, slot.entry)
        else:
            narrated = narrate_line(rules, rules.header, self._events, line[index : index + 1], before)
            sentence = narrated[-1].sentence
            if len(sentence) > LONGEST:
                sentence = first_sentence(sentence, rules.header.names_at(before))
            sentence = sentence.rstrip(".")
        return say("“{sentence}”", sentence=sentence)

    def several(self, line: Line, places: Sequence[int]) -> str:
        """Return the quoted sentences about the first of these places, and the number of the other places."""
        quoted = [self.of(line, place, is_short=True) for place in places[:MOST_QUOTED]]
        more = len(places) - len(quoted)
        return join_words([*quoted, say("{count} more", count=more)] if more else quoted)

    def when(self, line: Line, place: int) -> str:
        """Return the time of a place, such as 'in turn 7'."""
        return self._when(_before(line, _index(line, place)))

    def at(self, event: Event) -> str:
        """Return the time at which a correction was recorded."""
        return self._when(self._history.states[event.seq - 1])

    def _when(self, table: State | None) -> str:
        return self._history.rules.ruleset.when(likeliest(table))


def _index(line: Line, place: int) -> int:
    return next(index for index, slot in enumerate(line) if slot.number == place)


def _before(line: Line, index: int) -> State | None:
    return line[index - 1].after if index else None
