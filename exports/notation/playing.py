"""Playing: what is written becomes the events of a new record, judged by the rules line by line.

What came up and was not written is entered as unknown where the rules can go on from there; what the rules forbid is
recorded as it was played, unless the text says that the record is a strict one. The first line that cannot be entered
is the last that is: what follows it depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.canonical import check_value
from engine.core.errors import EngineError
from engine.core.events import Draft, Event
from engine.core.language import speaking
from engine.core.values import State
from engine.play.corrections import facts
from engine.play.game import Game
from exports.notation import heading, language
from exports.notation.came_up import Queue
from exports.notation.choosing import Chooser, Meant, Table
from exports.notation.heading import Bounding
from exports.notation.recorder import Recorder
from exports.notation.report import Item, Reading, Status, told, unread
from exports.notation.resolving import Resolver, exact_outcome
from exports.notation.scanning import DEEPEST, Misread, Scanner, Token, Written
from exports.notation.setting_up import SettingUp
from exports.notation.syntax import Act, act, place, text_of
from exports.notation.words import Names, either, key
from exports.reading import check_time


@speaking(None)
def read(
    text: str, *, recorded_at: str, recorded_by: str | None = None, bounded: Bounding = lambda draft: draft
) -> Reading:
    """Read a game.

    Args:
        recorded_at: RFC 3339 in UTC; of all its events.
        bounded: holds each draft against what may be recorded.
    """
    tags, written = Scanner(text).read()
    rest = heading.take_lines(tags, written)
    lines = text.splitlines()
    opened = heading.read(tags, recorded_at=recorded_at, recorded_by=recorded_by, bounded=bounded)
    items = [Item(line, 1, _line_of(lines, line), "wrong", problem=problem) for line, problem in opened.problems]
    items += [Item(line, 1, _line_of(lines, line), "irregular", problem=problem) for line, problem in opened.doubts]
    if opened.game is None or opened.opening is None:
        items += [unread(one) for one in rest]
        return Reading(tuple(sorted(items, key=lambda item: item.line)))
    player = _Player(opened, opened.game, opened.opening, recorded_by, bounded)
    if tags:
        said = player.sentence(opened.opening)
        items.append(Item(tags[0].line, 1, _line_of(lines, tags[0].line), "understood", said=said, events=(1,)))
    for one in rest:
        player.take(one)
    player.end()
    if player.result_doubt is not None:
        line = next((tag.line for tag in tags if heading.squeezed(tag.name) == "result"), 1)
        items.append(Item(line, 1, _line_of(lines, line), "irregular", problem=player.result_doubt))
    items += player.items
    ordered = (item if item.text else msgspec.structs.replace(item, text=_line_of(lines, item.line)) for item in items)
    return Reading(tuple(sorted(ordered, key=lambda item: (item.line, item.column))), tuple(player.events), player.game)


def _line_of(lines: Sequence[str], line: int) -> str:
    return lines[line - 1].strip() if line <= len(lines) else ""


class _Player:
    """Takes piece after piece of a text into a record."""

    def __init__(
        self, opened: heading.Heading, game: Game, opening: Event, recorded_by: str | None, bounded: Bounding
    ) -> None:
        self.items: list[Item] = []
        self._recorder = Recorder(game, opening, opened.seed, recorded_by)
        self._remarks = opened.remarks
        self._result = opened.result
        self._bounded = bounded
        self._language = language.of(game.ruleset)
        self._names = Names(game.header.names)
        self._resolver = Resolver(self._language, self._names, self._find)
        self._labels = {"1": 1}
        self._current: int | None = None
        self._set_up = SettingUp(self._language, self._names, game)
        self._is_broken = False
        self._last = 1
        """The last event that is an act of the text."""

    @property
    def game(self) -> Game:
        """The game as far as it has been entered."""
        return self._recorder.game

    @property
    def events(self) -> list[Event]:
        """Its log."""
        return self._recorder.events

    @property
    def result_doubt(self) -> str | None:
        """How the end differs from the result that the tags tell."""
        outcome = self.game.outcome
        if self._result is None or self._is_broken:
            return None
        now = "it is not over" if outcome is None else f"it is {outcome.result}"
        told = key(self._result).split()[:1]
        return None if outcome is not None and told == [outcome.result] else f"as it is written the game goes: {now}"

    def sentence(self, event: Event) -> str:
        """What a player says of an event."""
        return self._recorder.sentence(event)

    def take(self, one: Written | Misread) -> None:
        """Take the next piece."""
        if isinstance(one, Misread):
            self._wrong(one.line, one.column, "", one.message)
            return
        if self._is_broken:
            self.items.append(unread(one))
            return
        try:
            if self.game.state is None and self._set_up.takes(one):
                return
            self._flush()
            if self._is_broken:
                self.items.append(unread(one))
            else:
                self._play(one)
        except Misread as error:
            self._wrong(error.line or one.line, error.column or one.column, one.text, error.message)
        except EngineError as error:
            self._wrong(one.line, one.column, one.text, told(error, self._language.ruleset))

    def end(self) -> None:
        """The text is over."""
        if not self._is_broken:
            self._flush()

    def _wrong(self, line: int, column: int, text: str, message: str) -> None:
        self._is_broken = True
        self.items.append(Item(line, column, text, "wrong", problem=message))

    def _flush(self) -> None:
        """Enter the set-up, once something else is told, or the text is over."""
        if not self._set_up.is_begun or self.game.state is not None:
            return
        telling = self._set_up
        self._set_up = SettingUp(self._language, self._names, self.game)
        verb = self._language.verbs[lifecycle.SET_UP]
        written, remarks = telling.act, self._remarks
        self._remarks = None
        if remarks is not None:
            written = msgspec.structs.replace(written, note=" ".join(filter(None, (written.note, remarks))))
        at = telling.pieces[0]
        try:
            params = self._resolver.params(verb, telling.params, list) if telling.params else {}
            queue = telling.queue()
            events, missing = self._recorder.enter(
                self._draft(Meant(verb, None, params), written), queue, as_it_is=True
            )
            self._done(written, events, at, missing)
            left = queue.left()
            if left is not None:
                self._wrong(*place(left.tokens), left.text, f"{left.text} is more than the set-up asks for")
        except Misread as error:
            self._wrong(error.line or at.line, error.column or at.column, at.text, error.message)
        except EngineError as error:
            self._wrong(at.line, at.column, at.text, told(error, self._language.ruleset))
        for one in telling.pieces[1:]:
            item = Item(one.line, one.column, one.text, "understood", events=(self._last,))
            self.items.append(unread(one) if self._is_broken else item)
        for one in telling.remarks:
            self.take(one)

    def _play(self, one: Written) -> None:
        written = act(one, self._language, self._names)
        doubts = []
        turn = self.game.turn
        if one.turn is not None and one.turn != turn and not written.is_silent:
            doubts.append(f"the line says turn {one.turn}, and it is turn {turn}")
        if one.is_first and one.turn is not None:
            self._current = None
        if written.actor is not None:
            self._current = written.actor
        if written.is_silent:
            self._say(one, written)
            return
        if self.game.state is None:
            raise Misread(one.line, one.column, "the game has to be set up first: Set up = …")
        meant = self._meant(written)
        if meant.seat is not None:
            self._current = meant.seat
        events, missing = self._entered(meant, written)
        self._done(written, events, one, missing, doubts)

    def _entered(self, meant: Meant, written: Act) -> tuple[list[Event], list[str]]:
        """The events that an act becomes, and what came up that is not known."""
        events: list[Event] = []
        missing: list[str] = []
        *earlier, last = written.outcomes or ((),)
        bare = msgspec.structs.replace(written, note=None, occurred_at=None)
        for said, one in [*((said, bare) for said in earlier), (last, written)]:
            queue = Queue(said, self._names)
            while True:
                before = queue.left()
                if before is not None and not (meant.verb.asks_chance or meant.verb.type == "amend"):
                    raise Misread(*place(before.tokens), f"nothing comes up when one does this: {meant.verb.form()}")
                added, unknown = self._recorder.enter(self._draft(meant, one), queue, as_it_is=written.happened_anyway)
                events += added
                missing += unknown
                left = queue.left()
                if left is None:
                    break
                # 'Flood card: Gold Gate, Iron Gate' are two of them.
                if left is before:
                    raise Misread(*place(left.tokens), "nothing comes up here")
        return events, missing

    def _meant(self, written: Act) -> Meant:
        first = key(written.body[0].text) if written.body and written.body[0].kind == "word" else ""
        if first in {"amend", "insert", "remove"} and any(token.kind == "label" for token in written.body):
            return self._amend(written)
        verb = self._language.verbs["undo"]
        if first == "undo" and len(written.body) == 1:
            return Meant(verb, None, {"to": max(self._last - 1, 1)})
        table = Table(self._language, self._names, self.game.state)
        chooser = Chooser(self._language, self._names, self._resolver, table, self._current)
        meant = chooser.meant(written.body, written.actor, happened_anyway=written.happened_anyway)
        return self._compared(meant, self.game.state)

    def _compared(self, meant: Meant, state: State | None) -> Meant:
        """Where a table was looked at and nothing was wrong, no fact is written; one that holds has to be told."""
        if meant.params.get("facts") != [] or state is None:
            return meant
        known = facts.known(self.game.ruleset, state)
        holding = [facts.document(fact) for fact in known if not fact.is_derived][:1]
        return msgspec.structs.replace(meant, params={**meant.params, "facts": holding})

    def _amend(self, written: Act) -> Meant:
        """'amend #7 (Ben: move to Gold Gate)', 'insert before #7 (…)', 'remove #7'; 'accept broken' behind it."""
        words = key(text_of(token for token in written.body if token.kind == "word")).split()
        labels = [token for token in written.body if token.kind == "label"]
        acts = [token for token in written.body if token.kind == "group"]
        how = " ".join(word for word in words if word not in {"accept", "broken"})
        takes = {"amend": 1, "insert before": 1, "remove": 0}.get(how)
        if takes is None or len(labels) != 1 or len(acts) != takes:
            form = "amend #7 (what happened), insert before #7 (what happened), or remove #7"
            raise Misread(written.line, written.column, f"a correction is written so: {form}")
        params: dict[str, Any] = {"seq": self._find(labels[0])}
        if words[-2:] == ["accept", "broken"]:
            params["accept_broken"] = True
        if how == "remove":
            return Meant(self._language.verbs["amend"], None, {**params, "remove": True})
        inner = act(acts[0].inner, self._language, self._names)
        if not inner.body:
            raise Misread(written.line, written.column, "what happened instead stands in the brackets")
        number: int = params["seq"]
        before = self._recorder.state_before(number)
        table = Table(self._language, self._names, before)
        chooser = Chooser(self._language, self._names, self._resolver, table, inner.actor)
        meant = self._compared(chooser.meant(inner.body, inner.actor), before)
        said = inner.outcomes[0] if inner.outcomes else ()
        draft = self._draft(meant, inner)
        outcomes = tuple(None if one.is_unknown else exact_outcome(one.tokens, self._names) for one in said)
        brought = msgspec.to_builtins(msgspec.structs.replace(draft, outcomes=outcomes))
        return Meant(self._language.verbs["amend"], None, {**params, "insert" if how != "amend" else "event": brought})

    def _draft(self, meant: Meant, written: Act) -> Draft:
        check_value(meant.params, "/params", DEEPEST)
        actor = None if meant.seat is None else self.game.header.seat_ids[meant.seat]
        draft = self._bounded(
            Draft(
                type=meant.verb.type,
                actor=actor,
                params=meant.params,
                note=written.note,
                occurred_at=written.occurred_at,
            )
        )
        if draft.occurred_at is not None:
            check_time(draft.occurred_at, "/occurred_at")
        return draft

    def _say(self, one: Written, written: Act) -> None:
        """What is only said: a comment, a mark, or a label for the act before it."""
        events = [] if written.note is None else self._annotate({"text": written.note})
        if written.label is not None:
            self._labels[written.label] = events[-1].seq if events else self._last
        self._done(written, events, one, [])

    def _annotate(self, params: dict[str, Any]) -> list[Event]:
        return self._recorder.record(self._bounded(Draft(type="annotate", params=params)))

    def _done(
        self,
        written: Act,
        events: list[Event],
        at: Written,
        missing: Sequence[str],
        doubts: Sequence[str] = (),
    ) -> None:
        """What an act became: its label is known, its marks are put to it, and it is told."""
        own = [event for event in events if event.type not in {lifecycle.GAME_CLOSED, lifecycle.LEFT_OUT}] or events
        if own and not (own[-1].type == "annotate" and written.is_silent):
            self._last = own[-1].seq
            if written.label is not None:
                self._labels[written.label] = own[-1].seq
        for mark in written.marks:
            events = [*events, *self._annotate({"mark": mark, "seq": self._last})]
        if not events:
            return
        problems = list(doubts)
        problems += [f"what came up is not known: {name}" for name in missing]
        problems += [
            f"not by the rules: {event.reason}" for event in events if event.verdict == "illegal" and event.reason
        ]
        status: Status = "incomplete" if missing else "irregular" if problems else "understood"
        said = " ".join(self.sentence(event) for event in events if event.type != "annotate" or written.is_silent)
        self.items.append(
            Item(
                at.line,
                at.column,
                at.text,
                status,
                said=said or None,
                problem="; ".join(problems) or None,
                events=tuple(event.seq for event in events),
            )
        )

    def _find(self, label: Token) -> int:
        if label.text not in self._labels:
            known = either([f"#{one}" for one in list(self._labels)[-8:]])
            raise Misread(label.line, label.column, f"no act is called #{label.text}; what is called: {known}")
        return self._labels[label.text]
