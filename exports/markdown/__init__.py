"""markdown: a transcript that a player enjoys reading (CommonMark).

The set-up, then turn by turn what everyone did and what the table looked like afterwards, then how it ended, and how to
check that nothing of it was changed. What was taken back is counted where that happened, what was corrected reads as it
stands now and says so, and so does what was not by the rules; notes and annotations stand as block quotes at their
event, with their marks and bookmarks. It is written as the game is played again; of a game in which places were written
anew the whole line is held in memory, of others what was noted and the states to which undos return.

Whatever is particular to a game comes from its ruleset's sentences: a new game reads as well as it describes itself.
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
from engine.kit.options import spelled_out
from engine.play.beliefs import belief
from engine.play.rules import Rules
from engine.review import turns
from engine.review.words import listed
from exports.log import Format, Log, chunks
from exports.markdown.escaping import escaped
from exports.markdown.particulars import END, Particulars
from exports.narration import MainlineEvent, Narrated, mainline, narrate, overview
from exports.prose import Sentence, ended, paragraph

_ELSEWHERE = frozenset((lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED, "annotate"))
"""Events that are narrated in other places than among the sentences of a turn."""
_NOT_STRUCK = lifecycle.CORRECTING | {lifecycle.GAME_CLOSED}
_REASONED = {"abandon", "adjust"}
"""Events whose sentence ends with the reason that somebody gave."""
_LONGEST = 1000
"""Sentences of a paragraph."""
_HOW_TO_VERIFY = marked(
    "Every event carries the hash of the one before it, so this hash stands for all of them. To check the record, "
    "export it as json or ndjson and give the file to `driftlog verify`: that plays every event again by the rules, "
    "and names the same hash if nothing was changed."
)


def write(log: Log) -> Iterator[bytes]:
    """`log` as a transcript.

    Raises:
        EngineError: the log does not replay.
    """
    return chunks(_pieces(log))


def _pieces(log: Log) -> Iterator[bytes]:
    separator = ""
    for block in _Transcript(log).blocks():
        yield f"{separator}{block}".encode() if block else b""
        separator = "\n\n"
    yield b"\n"


def _shown(one: Narrated | MainlineEvent) -> str:
    """An event's sentence as Markdown that shows it as it is; the names in it are escaped already."""
    if one.event.type in _REASONED:
        reason = one.event.params["reason"]
        return one.sentence.removesuffix(reason) + escaped(reason)
    return escaped(one.sentence) if one.event.type == "annotate" else one.sentence


def _aside(said: str) -> str:
    """What is said beside the game."""
    return f"*({said})*"


class _Transcript:
    """A game that is being written out."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.header = log.header()
        self.rules = Rules(self.header)
        self.ruleset = self.rules.ruleset
        self.names = tuple(map(escaped, self.header.names))
        self.state = log.folded().state
        self.known = overview(log)
        self.line: list[MainlineEvent] | None
        """What stands, where it has to be played as a whole."""
        self.particulars: Particulars
        self.corrected: dict[int, list[str]]
        if self.known.is_rewritten:
            # It is played as a whole, and so it is held.
            self.log = msgspec.structs.replace(log, events=list(log.events))

    def blocks(self) -> Iterator[str]:
        """The headings, paragraphs and lists, in order; an empty one before what takes its time."""
        yield f"# {say(self.ruleset.name)}"
        yield ""
        self.line = list(mainline(self.log, escaped, known=self.known)) if self.known.is_rewritten else None
        self.particulars = Particulars(self.log, self.known, self.line)
        yield from self._front()
        yield ""
        self.corrected = self._corrected()
        line = iter(self.line) if self.line is not None else mainline(self.log, escaped, known=self.known)
        for turn, group in itertools.groupby(itertools.islice(line, self.particulars.closed), lambda one: one.turn):
            yield from self._turn(turn, group)
        yield from self._aside(END)
        yield from self._ending()
        yield from self._events(line)
        yield from self._table()
        yield from self._record()

    def _front(self) -> Iterator[str]:
        header, began = self.header, self.particulars.began
        yield f"*{listed(self.names)} · {began[:10]} · {self._result()}*"
        usual = msgspec.to_builtins(self.ruleset.options())
        chosen = {name: value for name, value in header.options.items() if value != usual[name]}
        if chosen:
            yield say("Chosen for this game: {options}.", options=self._options(chosen))
        if header.fork is not None:
            fork = header.fork
            yield say("This game goes on from event {event} of game {game}.", event=fork.at, game=escaped(fork.game))

    def _result(self) -> str:
        state = self.state
        if state is None:
            return say("not set up yet")
        if state.outcome is None:
            return say("in turn {turn}", turn=state.turn)
        outcome = self.log.folded().outcome or state.outcome
        return say("{ended} in turn {turn}", ended=ended(outcome, self.names), turn=state.turn)

    def _options(self, options: dict[str, Any]) -> str:
        """Options in words."""
        names = dict(zip(SEAT_IDS, self.names, strict=False))
        said = spelled_out(params_schema(self.ruleset.options), options, names)
        return "; ".join(
            f"{title}{'' if title.endswith('?') else ':'} {choice if choice in self.names else escaped(choice)}"
            for title, choice in said
        )

    def _turn(self, turn: int, narrated: Iterator[MainlineEvent]) -> Iterator[str]:
        first = next(narrated)
        passing = _Passing(first, narrated)
        if first.before is None:
            yield f"## {say('Set-up')}"
        else:
            whose = self.names[self.ruleset.active(belief.likeliest(first.before))]
            yield f"## {say('Turn {turn}: {name}', turn=turn, name=whose)}"
        yield from self._events(passing)
        if first.before is not None:
            yield f"*{self.ruleset.headline(belief.likeliest(passing.last.after), self.names)}*"

    def _events(self, narrated: Iterable[MainlineEvent]) -> Iterator[str]:
        """A paragraph for all of them, as long as nothing has to stand between."""
        sentences: list[Sentence] = []
        for said in self._said(narrated):
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

    def _said(self, narrated: Iterable[MainlineEvent]) -> Iterator[Sentence | str]:
        """What is said of each event: a sentence, and paragraphs of their own."""
        for one in narrated:
            event = one.event
            yield from self._aside(event.seq)
            if event.type == lifecycle.SET_UP:
                assert one.after is not None
                lines = turns.told_of_beginning(self.ruleset, event.params, one.after, self.names)
                yield "\n".join(f"- {line}" for line in lines)
            elif event.type in _REASONED:
                yield _shown(one)
            elif event.type not in _ELSEWHERE:
                actor = self.names[SEAT_INDEX[event.actor]] if event.actor else None
                yield Sentence(event.type, actor, one.sentence)
            if one.judgement is not None and self.log.show(event).params == event.params:
                yield _aside(self._judged(event, one.judgement))
            first = self.known.redraws.get(one.source)
            if first is not None:
                yield _aside(say("Drawn again: event {event}, which was taken back, had drawn first.", event=first))
            yield from self.particulars.quotes.get(event.seq, ())

    def _judged(self, event: Event, judgement: Judgement) -> str:
        if event.type == lifecycle.LEFT_OUT and judgement.has_effect:
            # The event says what was not by the rules.
            return f"{escaped(say(judgement.rule))}."
        told = {"reason": escaped(say(judgement.reason)), "rule": escaped(say(judgement.rule))}
        if judgement.verdict == "unknowable":
            return say("Nobody can say whether that was by the rules: {reason} {rule}.", **told)
        return say("That was not by the rules: {reason} {rule}.", **told)

    def _corrected(self) -> dict[int, list[str]]:
        """What is said of corrections, by the place before which it is said."""
        asides: dict[int, list[str]] = defaultdict(list)
        if self.line is None:
            return asides
        places = sorted(one.event.seq for one in self.line)
        narrated = {one.event.seq: one for one in narrate(self.log, escaped, known=self.known)}
        for one in self.line:
            place, first = one.event.seq, narrated[one.event.seq]
            if first.event.type == "amend":
                asides[place].append(_aside(say("Put in later, by event {event}.", event=place)))
            if one.source != place and narrated[one.source].event.type == "reveal":
                asides[place].append(_aside(say("What came up was told later, by event {event}.", event=one.source)))
            elif one.source != place and one.sentence != first.sentence:
                told_first = say("Corrected by event {event}. At first: {told}", event=one.source, told=_shown(first))
                asides[place].append(_aside(told_first))
        stands = set(places)
        for seq, struck in narrated.items():
            by = struck.superseded_by
            if by is None or struck.is_undone or seq in stands or struck.event.type in _NOT_STRUCK:
                continue
            following = bisect_right(places, seq)
            before = places[following] if following < len(places) else END
            asides[before].append(_aside(say("Struck out by event {event}: {told}", event=by, told=_shown(struck))))
        return asides

    def _aside(self, seq: int) -> Iterator[str]:
        """What is said before the event of that seq."""
        yield from self.corrected.get(seq, ())
        taken = self.particulars.taken_back.get(seq)
        if taken:
            count, first, last = taken
            if count == 1:
                yield _aside(say("Here event {event} was taken back.", event=first))
            else:
                told = {"count": count, "first": first, "last": last}
                yield _aside(say("Here {count} events, {first} to {last}, were taken back.", **told))

    def _ending(self) -> Iterator[str]:
        state = self.state
        if state is None:
            yield say("The game has not been set up yet.")
        elif state.outcome is None:
            yield f"## {say('So far')}"
            waiting = listed([self.names[seat] for seat in self.ruleset.awaiting(belief.likeliest(state))])
            yield say("The game goes on in turn {turn}, and waits for {names}.", turn=state.turn, names=waiting)
        else:
            yield f"## {say('The end')}"
            result = self._result()
            yield f"**{result[0].upper()}{result[1:]}.** {turns.ending(self.rules, state.outcome.reason)}"

    def _table(self) -> Iterator[str]:
        if self.state is not None:
            table = belief.overview(self.ruleset, self.state, self.names)
            yield "\n".join(f"- {label}: {text}" for label, text in table.items())

    def _record(self) -> Iterator[str]:
        yield f"## {say('The record')}"
        record = self.particulars
        idle, recorders = record.idle, listed([escaped(name) for name in sorted(record.recorders)])
        facts = [
            say(
                "Game {game}, by version {version} of the rules",
                game=escaped(self.log.game_id),
                version=self.header.ruleset_version,
            ),
            say("Options: {options}", options=self._options(self.header.options)),
            say("Chance: {chance}", chance=self._chance()),
            say("Events: {count}", count=self.known.version)
            + (say(", written down by {names}", names=recorders) if recorders else "")
            + (say("; {count} of them correct or were corrected", count=idle) if idle else ""),
            *self._times(),
            say("Hash of the last event: {hash}", hash=f"`{record.head}`"),
        ]
        yield "\n".join(f"- {fact}" for fact in facts)
        yield say(_HOW_TO_VERIFY)

    def _times(self) -> Iterator[str]:
        """When it was written down, and when it happened, if that was said; to the minute, in UTC."""
        known = self.particulars
        for what, moments in ((marked("Written down"), known.recorded), (marked("Played"), known.occurred)):
            if moments:
                first, last = (moment[:16].replace("T", " ") for moment in moments)
                when = first if last == first else say("{first} to {last}", first=first, last=last)
                yield f"{say(what)}: {when} UTC"

    def _chance(self) -> str:
        if self.header.seed_commitment is None:
            return say("what came up on the table")
        seed = self.particulars.seed
        drawn = say("drawn from a seed whose SHA-256 is {hash}", hash=f"`{self.header.seed_commitment}`")
        return drawn if seed is None else say("{drawn}; the seed is {seed}", drawn=drawn, seed=escaped(seed))


class _Passing:
    """What is narrated of a turn, one after the other, and which of it was the last."""

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
    loses="Params, outcomes and hashes: it is told in sentences.",
    write=write,
    is_said=True,
)
