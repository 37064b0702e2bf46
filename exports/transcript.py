"""The transcript: a game as it is put on paper, turn by turn, with the table as it was at the end of each."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine import beliefs, lifecycle, turns
from engine.events import SEAT_INDEX, Event
from engine.fold import Game, Rules
from engine.ruleset import State
from engine.turns import Told
from exports.prose import Sentence, listed, paragraph

HOW_TO_VERIFY = (
    "Every event carries the hash of the one before it, so this hash stands for all of them. To check the record, take "
    "it away as json or ndjson and give the file to `driftlog verify`: that plays every event again by the rules, and "
    "names the same hash if nothing was changed."
)
_SILENT = frozenset((lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED, "annotate"))
"""Events that are told in other places than among the sentences of a turn."""


class Part(msgspec.Struct, frozen=True):
    """What was played in one turn, or the set-up."""

    heading: str
    paragraphs: tuple[str, ...]
    notes: tuple[str, ...]
    """What was noted about its events, mark and bookmark first."""
    glance: str
    """The table in a line; empty before there is one."""
    table: State | None
    """The table at its end; None before the set-up."""
    at: int | None
    """The event after which the table was that; None where it was not when it was played, but is by a correction."""


class Transcript:
    """A game that is being put on paper; what was undone has no part in it.

    Args:
        events: the whole log.

    Raises:
        EngineError: the log does not replay.
    """

    def __init__(self, game: Game, events: Sequence[Event]) -> None:
        self.game = game
        self.ruleset = game.ruleset
        self.names = game.header.names
        self._told = turns.tell(game.header, list(events))
        self._notes = self._noted()
        self._corrected = max((event.seq for event in events if event.type in lifecycle.REWRITING), default=0)
        self.taken_back = len(events) - len(self._told)
        """How many events take back, or were taken back."""

    def options(self) -> list[tuple[str, str]]:
        """What was chosen for this game: option and value in words."""
        return [(name.replace("_", " "), self._choice(value)) for name, value in self.game.header.options.items()]

    def parts(self) -> Iterator[Part]:
        """The turns, in order, each told when it is asked for."""
        for turn, group in itertools.groupby(self._told, key=_turn):
            told = list(group)
            before, after = told[0].before, told[-1].after
            sentences = [one for one in told if one.event.type not in _SILENT]
            if not sentences:
                continue
            if before is None:
                heading, paragraphs = "Set-up", self._set_up(sentences)
            else:
                heading = f"Turn {turn}: {self.names[self.ruleset.active(beliefs.likeliest(before))]}"
                paragraphs = (paragraph([self._sentence(one) for one in sentences]),)
            yield Part(
                heading=heading,
                paragraphs=paragraphs,
                notes=tuple(note for one in told for note in self._notes[one.event.seq]),
                glance=self.ruleset.glance(beliefs.likeliest(after), self.names) if after is not None else "",
                table=after,
                at=told[-1].event.seq if told[-1].event.seq > self._corrected else None,
            )

    def ending(self) -> str:
        """How it ended, or how far it is."""
        state = self.game.state
        if state is None:
            return "The game has not been set up yet."
        if state.outcome is None:
            waiting = listed([self.names[SEAT_INDEX[seat]] for seat in self.game.awaiting])
            return f"The game goes on in turn {state.turn}, and waits for {waiting}."
        return turns.ending(Rules(self.game.header), state.outcome.reason)

    def chance(self) -> str:
        """Where chance came from."""
        header = self.game.header
        if header.seed_commitment is None:
            return "what came up on the table"
        return f"drawn from a seed whose SHA-256 is {header.seed_commitment}"

    def _set_up(self, told: Sequence[Told]) -> tuple[str, ...]:
        table = told[-1].after
        return () if table is None else tuple(self.ruleset.describe_setup(table, self.names))

    def _sentence(self, told: Told) -> Sentence:
        event = told.event
        actor = self.names[SEAT_INDEX[event.actor]] if event.actor else None
        return Sentence(event.type, actor, told.sentence)

    def _noted(self) -> dict[int, list[str]]:
        notes: dict[int, list[str]] = defaultdict(list)
        stands = {told.event.seq for told in self._told}
        for told in self._told:
            event = told.event
            if event.note:
                notes[event.seq].append(event.note)
            if event.type == "annotate":
                about = event.params.get("seq")
                said = (event.params.get(name) for name in ("mark", "bookmark", "text"))
                notes[about if about in stands else event.seq].append(" ".join(filter(None, said)))
        return notes

    def _choice(self, value: Any) -> str:
        """An option's value in words; a seat is named by who sits there."""
        if isinstance(value, str):
            return self.names[SEAT_INDEX[value]] if value in SEAT_INDEX else value.replace("_", " ")
        if isinstance(value, bool):
            return "yes" if value else "no"
        return msgspec.json.encode(value).decode()


def _turn(told: Told) -> int:
    return told.event.turn
