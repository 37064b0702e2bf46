"""The transcript: a game as it is put on paper, turn by turn, with the table as it was at the end of each."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

import drawing
from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.events import Event
from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.options import spelled_out
from engine.play.beliefs import belief
from engine.play.game import Game
from engine.play.rules import Rules
from engine.review import turns
from engine.review.turns import Narrated
from engine.review.words import listed
from exports.log import Log
from exports.narration import mainline, overview
from exports.prose import Sentence, paragraph

HOW_TO_VERIFY = marked(
    "Every event carries the hash of the one before it, so this hash stands for all of them. To check the record, take "
    "it away as json or ndjson and give the file to `driftlog verify`: that plays every event again by the rules, and "
    "names the same hash if nothing was changed."
)
_SILENT = frozenset((lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED, "annotate"))
"""Events that are narrated in other places than among the sentences of a turn."""


_LONG = 2500
"""Characters: with as many, a turn does not go on a page with others."""


class Part(msgspec.Struct, frozen=True):
    """What was played in one turn, or the set-up."""

    heading: str
    paragraphs: tuple[str, ...]
    notes: tuple[str, ...]
    """What was noted about its events, mark and bookmark first."""
    headline: str
    """The table in a line; empty before there is one."""
    table: State | None
    """The table at its end; None before the set-up."""
    at: int | None
    """The event after which the table was that; None where it was not when it was played, but is by a correction."""

    @property
    def is_long(self) -> bool:
        """Whether it is so long that paper has to part it."""
        return sum(map(len, (*self.paragraphs, *self.notes))) > _LONG


class Transcript:
    """A game that is being put on paper; what was undone has no part in it.

    Args:
        events: the whole log: a list, or `Rereadable`.
        seat: the seat that looks; None: the public.

    Raises:
        EngineError: the log does not replay.
    """

    def __init__(self, game: Game, events: Iterable[Event], seat: int | None = None) -> None:
        self.game = game
        self.seat = seat
        self.ruleset = game.ruleset
        self.names = game.header.names
        self._log = Log("", events, game=game)
        self._known = overview(self._log)
        self._narrated = list(mainline(self._log, known=self._known)) if self._known.is_rewritten else None
        """What stands, where it has to be played as a whole."""
        self._corrected = max(
            (one.seq for one in self._known.corrections if one.type in lifecycle.REWRITING), default=0
        )
        stands = self._standing()
        self._notes = self._noted(stands)
        self.taken_back = game.version - len(stands)
        """How many events take back, or were taken back."""

    def options(self) -> list[tuple[str, str]]:
        """What was chosen for this game: option and value in words."""
        names = dict(zip(SEAT_IDS, self.names, strict=False))
        return list(spelled_out(params_schema(self.ruleset.options), self.game.header.options, names))

    def parts(self) -> Iterator[Part]:
        """The turns, in order, each narrated when it is asked for."""
        line = self._narrated if self._narrated is not None else mainline(self._log, known=self._known)
        for turn, group in itertools.groupby(line, key=_turn):
            narrated = list(group)
            before, after = narrated[0].before, narrated[-1].after
            sentences = [one for one in narrated if one.event.type not in _SILENT]
            if not sentences:
                continue
            if before is None:
                heading, paragraphs = say("Set-up"), self._set_up(sentences)
            else:
                whose = self.names[self.ruleset.active(belief.likeliest(before))]
                heading = say("Turn {turn}: {name}", turn=turn, name=whose)
                paragraphs = (paragraph([self._sentence(one) for one in sentences]),)
            yield Part(
                heading=heading,
                paragraphs=paragraphs,
                notes=tuple(note for one in narrated for note in self._notes.get(one.event.seq, ())),
                headline=self.ruleset.headline(belief.likeliest(after), self.names) if after is not None else "",
                table=after,
                at=narrated[-1].event.seq if narrated[-1].event.seq > self._corrected else None,
            )

    def ending(self) -> str:
        """How it ended, or how far it is."""
        state = self.game.state
        if state is None:
            return say("The game has not been set up yet.")
        if state.outcome is None:
            waiting = listed([self.names[SEAT_INDEX[seat]] for seat in self.game.awaiting])
            return say("The game goes on in turn {turn}, and waits for {names}.", turn=state.turn, names=waiting)
        ending = turns.ending(Rules(self.game.header), state.outcome.reason)
        return f"{ending} {say('The result was decided by hand.')}" if self.game.by_hand else ending

    def chance(self) -> str:
        """Where chance came from."""
        header = self.game.header
        if header.seed_commitment is None:
            return say("what came up on the table")
        return say("drawn from a seed whose SHA-256 is {hash}", hash=header.seed_commitment)

    def provenance(self, game_id: str) -> str:
        """Which record it is, by which rules, and of how many events."""
        told = {"game": game_id, "version": self.game.header.ruleset_version, "count": self.game.version}
        if not self.taken_back:
            return say("Game {game}, by version {version} of the rules; {count} events.", **told)
        return say(
            "Game {game}, by version {version} of the rules; {count} events, of which {idle} take back or were taken "
            "back.",
            idle=self.taken_back,
            **told,
        )

    def _set_up(self, narrated: Sequence[Narrated]) -> tuple[str, ...]:
        table = narrated[-1].after
        if table is None:
            return ()
        params = next((one.event.params for one in narrated if one.event.type == lifecycle.SET_UP), {})
        return tuple(turns.told_of_beginning(self.ruleset, params, table, self.names))

    def _sentence(self, narrated: Narrated) -> Sentence:
        event = narrated.event
        actor = self.names[SEAT_INDEX[event.actor]] if event.actor else None
        return Sentence(event.type, actor, narrated.sentence)

    def _standing(self) -> dict[int, Event | None]:
        """Of what stands, by `seq`, the events that say something about others or themselves; None for all others."""
        known = self._known
        if self._narrated is None and not (known.noted or known.said):
            # Nothing has to be read of them.
            return {seq: None for seq in range(1, known.version + 1) if known.fates.stands(seq)}
        if self._narrated is not None:
            events: Iterable[Event] = (narrated.event for narrated in self._narrated)
        else:
            events = (event for event in self._log.events if self._known.fates.stands(event.seq))
        return {event.seq: event if event.note or event.type == "annotate" else None for event in events}

    def _noted(self, stands: dict[int, Event | None]) -> dict[int, list[str]]:
        notes: dict[int, list[str]] = defaultdict(list)
        for event in filter(None, stands.values()):
            if event.note:
                notes[event.seq].append(event.note)
            if event.type == "annotate":
                about = event.params.get("seq")
                said = (event.params.get(name) for name in ("mark", "bookmark", "text"))
                notes[about if about in stands else event.seq].append(" ".join(filter(None, said)))
        return notes


def drawn(game: Game, table: State, layout: drawing.Layout = "wide", seat: int | None = None) -> str:
    """The table as `seat` (None: the public) may see it, for paper: SVG in plain attributes, without variables."""
    scene = belief.board(game.ruleset, table, game.header.names, seat)
    return drawing.svg(scene, layout=layout, plain=True).decode()


def _turn(narrated: Narrated) -> int:
    return narrated.event.turn
