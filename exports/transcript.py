"""The transcript: a game turn by turn, for printing, with the table at the end of each turn."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

import drawing
from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.options import spell_out
from engine.play.beliefs import belief
from engine.play.game import Game
from engine.review import turns
from engine.review.turns import NarratedEvent
from engine.review.words import join_words
from exports.log import Log
from exports.narration import mainline, overview
from exports.prose import ELSEWHERE, Sentence, paragraph

_LONG = 2500
"""Maximum number of characters of a turn that shares a page with other turns."""


class TranscriptPart(msgspec.Struct, frozen=True):
    """The events of one turn, or the setup."""

    heading: str
    paragraphs: tuple[str, ...]
    notes: tuple[str, ...]
    """The notes on the turn's events, each after its mark and bookmark."""
    headline: str
    """The table at the end of the turn, in one line; empty before the setup."""
    table: State | None
    """The table at the end of the turn; None before the setup."""
    at: int | None
    """The event after which the table was like this; None if only a later correction led to this table."""

    @property
    def is_long(self) -> bool:
        """True if the turn is too long to share a page."""
        return sum(map(len, (*self.paragraphs, *self.notes))) > _LONG


class Transcript:
    """The transcript of a game, without undone events.

    Args:
        events: the whole log: a list, or `Rereadable`.
        seat: the viewing seat; None: the public.
        turning_point: as in `Log`.

    Raises:
        EngineError: the log cannot be replayed.
    """

    def __init__(
        self, game: Game, events: Iterable[Event], seat: int | None = None, turning_point: str | None = None
    ) -> None:
        self.game = game
        self.seat = seat
        self.ruleset = game.ruleset
        self.names = game.names
        self.all_names = {*game.header.names, *itertools.chain.from_iterable(game.details.people)}
        """The names of present and earlier players."""
        self._log = Log("", events, game=game, turning_point=turning_point)
        self._known = overview(self._log)
        self._narrated = list(mainline(self._log, known=self._known)) if self._known.is_rewritten else None
        """The line, if corrections rewrote events."""
        self._corrected = max(
            (one.seq for one in self._known.corrections if one.type in lifecycle.REWRITING), default=0
        )
        stands = self._standing()
        self._notes = self._collect_notes(stands)
        self.taken_back = game.version - len(stands)
        """The number of undone events, including the undos."""

    def options(self) -> list[tuple[str, str]]:
        """Return the title and value of each option of this game."""
        names = dict(zip(SEAT_IDS, self.game.header.names, strict=False))
        return list(spell_out(params_schema(self.ruleset.options), self.game.options, names))

    def parts(self) -> Iterator[TranscriptPart]:
        """Yield the turns in order, each narrated on demand."""
        line = self._narrated if self._narrated is not None else mainline(self._log, known=self._known)
        for turn, group in itertools.groupby(line, lambda narrated: narrated.event.turn):
            narrated = list(group)
            before, after = narrated[0].before, narrated[-1].after
            sentences = [one for one in narrated if one.event.type not in ELSEWHERE]
            if not sentences:
                continue
            if before is None:
                heading, paragraphs = say("Setup"), self._set_up(sentences)
            else:
                whose = self.game.header.names_at(before)[self.ruleset.active(belief.likeliest(before))]
                heading = say("Turn {turn}: {name}", turn=turn, name=whose)
                paragraphs = (paragraph([self._sentence(one) for one in sentences]),)
            yield TranscriptPart(
                heading=heading,
                paragraphs=paragraphs,
                notes=tuple(note for one in narrated for note in self._notes.get(one.event.seq, ())),
                headline=self.ruleset.headline(belief.likeliest(after), self.names) if after is not None else "",
                table=after,
                at=narrated[-1].event.seq if narrated[-1].event.seq > self._corrected else None,
            )

    def ending(self) -> str:
        """Describe the result, or the status of an unfinished game."""
        state = self.game.state
        if state is None:
            return say("The game has not been set up yet.")
        if state.outcome is None:
            waiting = join_words([self.names[SEAT_INDEX[seat]] for seat in self.game.awaiting])
            return say("The game continues in turn {turn} and waits for {names}.", turn=state.turn, names=waiting)
        ending = self.ruleset.ending(state.outcome.reason)
        decided = say("The result was decided by hand.") if self.game.by_hand else None
        return " ".join(filter(None, (ending, decided, self._log.turning_point)))

    def chance(self) -> str:
        """Describe the source of chance."""
        header = self.game.header
        if header.seed_commitment is None:
            return say("results reported by the table")
        return say("drawn from a seed whose SHA-256 is {hash}", hash=header.seed_commitment)

    def provenance(self, game_id: str) -> str:
        """Describe the record: its id, the version of the rules, and the number of events."""
        told = {"game": game_id, "version": self.game.header.ruleset_version, "count": self.game.version}
        if not self.taken_back:
            return say("Game {game}, by version {version} of the rules; {count} events.", **told)
        return say(
            "Game {game}, by version {version} of the rules; {count} events, of which {idle} undo others or were "
            "undone.",
            idle=self.taken_back,
            **told,
        )

    def _set_up(self, narrated: Sequence[NarratedEvent]) -> tuple[str, ...]:
        table = narrated[-1].after
        if table is None:
            return ()
        params = next((one.event.params for one in narrated if one.event.type == lifecycle.SET_UP), {})
        return tuple(turns.describe_beginning(self.ruleset, params, table, self.game.header.names))

    def _sentence(self, narrated: NarratedEvent) -> Sentence:
        event = narrated.event
        names = self.game.header.names_at(narrated.before)
        actor = names[SEAT_INDEX[event.actor]] if event.actor else None
        return Sentence(event.type, actor, narrated.sentence)

    def _standing(self) -> dict[int, Event | None]:
        """Return the events in effect, by `seq`.

        The value is the event itself if it is an annotation or has a note, otherwise None.
        """
        if self._narrated is not None:
            events: Iterable[Event] = (narrated.event for narrated in self._narrated)
        else:
            events = (event for event in self._log.events if self._known.fates.is_in_effect(event.seq))
        return {event.seq: event if event.note or event.type == "annotate" else None for event in events}

    def _collect_notes(self, stands: dict[int, Event | None]) -> dict[int, list[str]]:
        notes: dict[int, list[str]] = defaultdict(list)
        for event in filter(None, stands.values()):
            if event.note:
                notes[event.seq].append(event.note)
            if event.type == "annotate":
                about = event.params.get("seq")
                said = (event.params.get(name) for name in ("mark", "bookmark", "text"))
                notes[about if about in stands else event.seq].append(" ".join(filter(None, said)))
        return notes


def draw_table(game: Game, table: State, layout: drawing.Layout = "wide", seat: int | None = None) -> str:
    """Draw the table for paper, as `seat` may see it (None: the public). The SVG has no variables or styles."""
    scene = belief.board(game.ruleset, table, game.names, seat)
    return drawing.svg(scene, layout=layout, plain=True).decode()
