"""markdown: a transcript for players to read (CommonMark).

It has the setup, each turn's actions and the table after it, the result, and how to verify the log. Of undone events,
the transcript only has the number, at the point where they were undone. Corrected and illegal events are marked. Notes
and annotations are block quotes at their event, with marks and bookmarks. The transcript is written while the game is
replayed. Memory holds only the notes and the states to which undos return, or the whole line if a correction rewrote
events. All text about the game comes from the ruleset's sentences.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.events import Event
from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Judgement
from engine.kit.options import in_line, spell_out
from engine.play.beliefs import belief
from engine.play.rules import Rules
from engine.review import turns
from engine.review.words import join_words
from exports.log import Format, Log
from exports.markdown.escaping import escape_line
from exports.markdown.particulars import END, Particulars
from exports.narration import MainlineEvent, Narrated, mainline, narrate, overview
from exports.prose import ELSEWHERE, HOW_TO_VERIFY, Sentence, describe_result, paragraph
from exports.words import title_with_game

_NOT_STRUCK = lifecycle.CORRECTING | {lifecycle.GAME_CLOSED}
_REASONED = {"abandon", "adjust"}
"""Events whose sentence ends with the user's reason."""
_LONGEST = 1000
"""Maximum number of sentences in a paragraph."""


def write(log: Log) -> Iterator[bytes]:
    """Write `log` as a transcript."""
    separator = ""
    for block in _Transcript(log).blocks():
        yield f"{separator}{block}".encode() if block else b""
        separator = "\n\n"
    yield b"\n"


def _sentence_of(one: Narrated | MainlineEvent) -> str:
    """Escape an event's sentence as Markdown. The names in the sentence are already escaped."""
    if one.event.type in _REASONED:
        reason = one.event.params["reason"]
        return one.sentence.removesuffix(reason) + escape_line(reason)
    return escape_line(one.sentence) if one.event.type == "annotate" else one.sentence


def _format_remark(said: str) -> str:
    """Format a remark that is not part of the game."""
    return f"*({said})*"


class _Transcript:
    def __init__(self, log: Log) -> None:
        self.log = log
        self.header = log.header()
        self.rules = Rules(self.header)
        self.ruleset = self.rules.ruleset
        self.game = log.fold()
        self.state = self.game.state
        self.names = tuple(map(escape_line, self.game.names))
        self.known = overview(log)
        self.line: list[MainlineEvent] | None
        """The narrated line, if corrections rewrote events."""
        self.particulars: Particulars
        self.corrected: dict[int, list[str]]
        if self.known.is_rewritten:
            # The whole line is already in memory, so a list of all events is free.
            self.log = msgspec.structs.replace(log, events=list(log.events))

    def blocks(self) -> Iterator[str]:
        """Yield the headings, paragraphs and lists in order.

        An empty block precedes each block that takes time to write.
        """
        title = self.game.details.title
        yield f"# {title_with_game(say(self.ruleset.name), title and escape_line(title))}"
        yield ""
        self.line = list(mainline(self.log, escape_line, known=self.known)) if self.known.is_rewritten else None
        self.particulars = Particulars(self.log, self.known, self.line)
        yield from self._front()
        yield ""
        self.corrected = self._correction_remarks()
        line = iter(self.line) if self.line is not None else mainline(self.log, escape_line, known=self.known)
        for turn, group in itertools.groupby(itertools.islice(line, self.particulars.closed), lambda one: one.turn):
            yield from self._turn(turn, group)
        yield from self._remarks_before(END)
        yield from self._ending()
        yield from self._events(line)
        if self.state is not None:
            table = belief.overview(self.ruleset, self.state, self.names)
            yield "\n".join(f"- {label}: {text}" for label, text in table.items())
        yield from self._record()

    def _front(self) -> Iterator[str]:
        header = self.header
        played_at = self.game.details.played_at or self.particulars.began_at
        place = self.game.details.place
        at_place = "" if place is None else f" · {escape_line(place)}"
        yield f"*{join_words(self.names)} · {played_at[:10]}{at_place} · {self._result()}*"
        earlier = [name for names in self.game.details.people for name in names[:-1]]
        if earlier:
            yield say("Earlier in this seat: {names}.", names=join_words(list(map(escape_line, earlier))))
        # As JSON, which has lists, so that they are equal to the stored lists.
        usual = msgspec.json.decode(msgspec.json.encode(self.ruleset.options()))
        chosen = {name: value for name, value in self.game.options.items() if value != usual[name]}
        if chosen:
            yield say("Options: {options}.", options=self._options(chosen))
        if header.fork is not None:
            fork = header.fork
            yield say(
                "This game continues game {game} after event {event}.", event=fork.at, game=escape_line(fork.game)
            )

    def _result(self) -> str:
        state = self.state
        if state is None:
            return say("not set up yet")
        if state.outcome is None:
            return say("in turn {turn}", turn=state.turn)
        outcome = self.log.fold().outcome or state.outcome
        return say("{ended} in turn {turn}", ended=describe_result(outcome, self.names), turn=state.turn)

    def _options(self, options: dict[str, Any]) -> str:
        names = dict(zip(SEAT_IDS, map(escape_line, self.header.names), strict=False))
        said = spell_out(params_schema(self.ruleset.options), options, names)
        return in_line(said, lambda choice: choice if choice in names.values() else escape_line(choice))

    def _turn(self, turn: int, narrated: Iterator[MainlineEvent]) -> Iterator[str]:
        first = next(narrated)
        passing = _Passing(first, narrated)
        if first.before is None:
            yield f"## {say('Setup')}"
        else:
            names = tuple(map(escape_line, self.header.names_at(first.before)))
            whose = names[self.ruleset.active(belief.likeliest(first.before))]
            yield f"## {say('Turn {turn}: {name}', turn=turn, name=whose)}"
        yield from self._events(passing)
        if first.before is not None:
            yield f"*{self.ruleset.headline(belief.likeliest(passing.last.after), self.names)}*"

    def _events(self, narrated: Iterable[MainlineEvent]) -> Iterator[str]:
        """Yield the events as one paragraph, or as several if there are remarks between the events."""
        sentences: list[Sentence] = []
        for said in self._sentences(narrated):
            if isinstance(said, Sentence) and len(sentences) < _LONGEST:
                sentences.append(said)
                continue
            if sentences:
                yield paragraph(sentences)
                sentences = []
            if isinstance(said, Sentence):
                sentences.append(said)
            else:
                yield said
        if sentences:
            yield paragraph(sentences)

    def _sentences(self, narrated: Iterable[MainlineEvent]) -> Iterator[Sentence | str]:
        """Yield the sentence of each event, and texts that must be separate paragraphs."""
        for one in narrated:
            event = one.event
            yield from self._remarks_before(event.seq)
            if event.type == lifecycle.SET_UP:
                assert one.after is not None
                names = tuple(map(escape_line, self.header.names))
                lines = turns.describe_beginning(self.ruleset, event.params, one.after, names)
                yield "\n".join(f"- {line}" for line in lines)
            elif event.type in _REASONED:
                yield _sentence_of(one)
            elif event.type not in ELSEWHERE:
                names = tuple(map(escape_line, self.header.names_at(one.before)))
                actor = names[SEAT_INDEX[event.actor]] if event.actor else None
                yield Sentence(event.type, actor, one.sentence)
            if one.judgement is not None and self.log.show(event).params == event.params:
                yield _format_remark(self._describe_judgement(event, one.judgement))
            first = self.known.redraws.get(one.source)
            if first is not None:
                yield _format_remark(
                    say("Drawn again: the first draw was event {event}, which is now undone.", event=first)
                )
            yield from self.particulars.quotes.get(event.seq, ())

    def _describe_judgement(self, event: Event, judgement: Judgement) -> str:
        if event.type == lifecycle.LEFT_OUT and judgement.has_effect:
            # The event's sentence already mentions the violation.
            return f"{escape_line(say(judgement.rule))}."
        told = {"reason": escape_line(say(judgement.reason)), "rule": escape_line(say(judgement.rule))}
        if judgement.verdict == "legal":
            return say("{rule}: {reason}", **told)
        if judgement.verdict == "unknowable":
            return say("Whether that was legal is unknown: {reason} ({rule})", **told)
        return say("That was illegal: {reason} ({rule})", **told)

    def _correction_remarks(self) -> dict[int, list[str]]:
        """Return the remarks on corrections, by the place before which they appear."""
        asides: dict[int, list[str]] = defaultdict(list)
        if self.line is None:
            return asides
        places = sorted(one.event.seq for one in self.line)
        narrated = {one.event.seq: one for one in narrate(self.log, escape_line, known=self.known)}
        for one in self.line:
            place, first = one.event.seq, narrated[one.event.seq]
            if first.event.type == "amend":
                asides[place].append(_format_remark(say("Inserted later, by event {event}.", event=place)))
            if one.source != place and narrated[one.source].event.type == "reveal":
                asides[place].append(
                    _format_remark(say("The result was revealed later, by event {event}.", event=one.source))
                )
            elif one.source != place and one.sentence != first.sentence:
                told_first = say(
                    "Corrected by event {event}. At first: {told}", event=one.source, told=_sentence_of(first)
                )
                asides[place].append(_format_remark(told_first))
        stands = set(places)
        for seq, struck in narrated.items():
            by = struck.superseded_by
            if by is None or struck.is_undone or seq in stands or struck.event.type in _NOT_STRUCK:
                continue
            following = bisect_right(places, seq)
            before = places[following] if following < len(places) else END
            asides[before].append(
                _format_remark(say("Removed by event {event}: {told}", event=by, told=_sentence_of(struck)))
            )
        return asides

    def _remarks_before(self, seq: int) -> Iterator[str]:
        """Yield the remarks that appear before event `seq`."""
        yield from self.corrected.get(seq, ())
        taken = self.particulars.taken_back.get(seq)
        if taken:
            count, first, last = taken
            if count == 1:
                yield _format_remark(say("Here event {event} was undone.", event=first))
            else:
                told = {"count": count, "first": first, "last": last}
                yield _format_remark(say("Here {count} events, {first} to {last}, were undone.", **told))

    def _ending(self) -> Iterator[str]:
        state = self.state
        if state is None:
            yield say("The game has not been set up yet.")
        elif state.outcome is None:
            yield f"## {say('So far')}"
            waiting = join_words([self.names[seat] for seat in self.ruleset.awaiting(belief.likeliest(state))])
            yield say("The game continues in turn {turn} and waits for {names}.", turn=state.turn, names=waiting)
        else:
            yield f"## {say('The end')}"
            result = self._result()
            yield f"**{result[0].upper()}{result[1:]}.** {self.ruleset.ending(state.outcome.reason)}"
            if self.log.turning_point is not None:
                yield escape_line(self.log.turning_point)

    def _record(self) -> Iterator[str]:
        yield f"## {say('The record')}"
        record = self.particulars
        idle, recorders = record.idle, join_words([escape_line(name) for name in sorted(record.recorders)])
        facts = [
            say(
                "Game {game}, by version {version} of the rules",
                game=escape_line(self.log.game_id),
                version=self.header.ruleset_version,
            ),
            say("Options: {options}", options=self._options(self.game.options)),
            say("Chance: {chance}", chance=self._chance()),
            say("Events: {count}", count=self.known.version)
            + (say(", recorded by {names}", names=recorders) if recorders else "")
            + (say("; {count} of them are corrections or were corrected", count=idle) if idle else ""),
            *self._times(),
            say("Hash of the last event: {hash}", hash=f"`{record.head}`"),
        ]
        yield "\n".join(f"- {fact}" for fact in facts)
        yield say(HOW_TO_VERIFY)

    def _times(self) -> Iterator[str]:
        known, played_at = self.particulars, self.game.details.played_at
        first, last = played_at or known.clock.began_at, known.clock.ended_at(played_at)
        played = (first, last) if first and last and (played_at or known.is_timed) else None
        for what, moments in ((marked("Recorded"), known.recorded), (marked("Played"), played)):
            if moments:
                first, last = (moment[:16].replace("T", " ") for moment in moments)
                when = first if last == first else say("{first} to {last}", first=first, last=last)
                yield f"{say(what)}: {when} UTC"

    def _chance(self) -> str:
        if self.header.seed_commitment is None:
            return say("results reported by the table")
        seed = self.particulars.seed
        drawn = say("drawn from a seed whose SHA-256 is {hash}", hash=f"`{self.header.seed_commitment}`")
        return drawn if seed is None else say("{drawn}; the seed is {seed}", drawn=drawn, seed=escape_line(seed))


class _Passing:
    """Iterates over the narrated events of a turn, and stores the last one."""

    def __init__(self, first: MainlineEvent, others: Iterator[MainlineEvent]) -> None:
        self.last = first
        self._others = others

    def __iter__(self) -> Iterator[MainlineEvent]:
        yield self.last
        for one in self._others:
            self.last = one
            yield one


KIND = Format(
    name="markdown",
    media_type="text/markdown; charset=utf-8",
    extension="md",
    loses="Params, outcomes and hashes. The file has sentences instead.",
    write=write,
    is_said=True,
)
