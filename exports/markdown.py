"""markdown: a transcript that a player enjoys reading (CommonMark).

The set-up, then turn by turn what everyone did and what the table looked like afterwards, then how it ended, and how to
check that nothing of it was changed. What was taken back is counted where that happened, what was corrected reads as it
stands now and says so, and so does what was not by the rules; notes and annotations stand as block quotes at their
event, with their marks and bookmarks. The whole game is held in memory.

Whatever is particular to a game comes from its ruleset's sentences: a new game reads as well as it describes itself.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine import beliefs, lifecycle, turns
from engine.events import SEAT_INDEX
from engine.fold import Rules
from engine.lines import Judgement
from exports.log import Log, chunks
from exports.prose import Sentence, ended, listed, paragraph
from exports.telling import Standing, Told, standing, tell

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~$#]")
_AT_LINE_START = re.compile(r"^(\d*)([.)+=-])")
_ELSEWHERE = frozenset((lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED, "annotate"))
"""Events that are told in other places than among the sentences of a turn."""
_NOT_STRUCK = lifecycle.CORRECTING | {lifecycle.GAME_CLOSED}
_REASONED = {"abandon": "The game is abandoned", "adjust": "The record is brought in line with the table"}
"""Events that are told with the reason that somebody gave."""
_END = 0
"""Where an event is named by its seq: what comes after the last one."""
_HOW_TO_VERIFY = (
    "Every event carries the hash of the one before it, so this hash stands for all of them. To check the record, "
    "export it as json or ndjson and give the file to `driftlog verify`: that plays every event again by the rules, "
    "and names the same hash if nothing was changed."
)


def write(log: Log) -> Iterator[bytes]:
    """`log` as a transcript.

    Raises:
        EngineError: the log does not replay.
    """
    text = "\n\n".join(_Transcript(log).blocks())
    return chunks((text.encode(), b"\n"))


def escaped(text: str) -> str:
    """A user's text as one line of Markdown that shows it as it is."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    return _AT_LINE_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", line))


def quoted(text: str, by: str | None, *, mark: str | None = None, bookmark: str | None = None) -> str:
    """A user's text as a block quote that keeps its lines, signed if `by` says whose it is; its mark stands first."""
    first = " ".join([f"**{said}**" for said in (mark, bookmark and escaped(bookmark)) if said])
    lines = [line for line in map(escaped, text.splitlines()) if line] or [""]
    lines[0] = f"{first} {lines[0]}".strip()
    return "> " + "\\\n> ".join(lines) + (f" – {escaped(by)}" if by else "")


def _shown(one: Told) -> str:
    """An event's sentence as Markdown that shows it as it is; the names in it are escaped already."""
    is_typed = one.event.type == "annotate" or one.event.type in _REASONED
    return escaped(one.sentence) if is_typed else one.sentence


class _Transcript:
    """A game that is being written out."""

    def __init__(self, log: Log) -> None:
        self.game_id = log.game_id
        self.header = log.header()
        self.rules = Rules(self.header)
        self.ruleset = self.rules.ruleset
        self.names = tuple(map(escaped, self.header.names))
        self.told = list(tell(log, escaped))
        self.line = standing(log, escaped)
        """What stands."""
        self.places = {one.event.seq for one in self.line}
        self.last = self.told[-1]
        self.recorders = sorted({one.event.recorded_by for one in self.told if one.event.recorded_by})
        self.taken_back = self._taken_back()
        self.corrected = self._corrected()
        self.quotes = self._quotes()

    def blocks(self) -> Iterator[str]:
        """The headings, paragraphs and lists, in order."""
        yield from self._front()
        closed = next(
            (at for at, one in enumerate(self.line) if one.event.type == lifecycle.GAME_CLOSED), len(self.line)
        )
        for turn, group in itertools.groupby(self.line[:closed], lambda one: one.turn):
            yield from self._turn(turn, list(group))
        yield from self._aside(_END)
        yield from self._ending()
        yield from self._events(self.line[closed:])
        yield from self._table()
        yield from self._record()

    def _front(self) -> Iterator[str]:
        header, first = self.header, self.told[0].event
        began = next((one.event.occurred_at for one in self.line if one.event.occurred_at), first.recorded_at)
        yield f"# {self.ruleset.name}"
        yield f"*{listed(self.names)} · {began[:10]} · {self._result()}*"
        usual = msgspec.to_builtins(self.ruleset.options())
        chosen = {name: value for name, value in header.options.items() if value != usual[name]}
        if chosen:
            yield f"Chosen for this game: {self._options(chosen)}."
        if header.fork is not None:
            yield f"This game goes on from event {header.fork.at} of game {escaped(header.fork.game)}."

    def _result(self) -> str:
        state = self.last.after
        if state is None:
            return "not set up yet"
        if state.outcome is None:
            return f"in turn {state.turn}"
        return f"{ended(state.outcome, self.names)} in turn {state.turn}"

    def _options(self, options: dict[str, Any]) -> str:
        """Options in words."""
        return ", ".join(f"{name.replace('_', ' ')} {self._choice(value)}" for name, value in options.items())

    def _choice(self, value: Any) -> str:
        """An option's value in words; a seat is named by who sits there."""
        if not isinstance(value, str):
            return escaped(msgspec.json.encode(value).decode())
        return self.names[SEAT_INDEX[value]] if value in SEAT_INDEX else escaped(value.replace("_", " "))

    def _turn(self, turn: int, told: Sequence[Standing]) -> Iterator[str]:
        before, after = told[0].before, told[-1].after
        if before is None or after is None:
            yield "## Set-up"
            yield from self._events(told)
        else:
            yield f"## Turn {turn}: {self.names[self.ruleset.active(beliefs.likeliest(before))]}"
            yield from self._events(told)
            yield f"*{self.ruleset.glance(beliefs.likeliest(after), self.names)}*"

    def _events(self, told: Sequence[Standing]) -> Iterator[str]:
        """A paragraph for all of them, as long as nothing has to stand between."""
        sentences: list[Sentence] = []
        for said in self._said(told):
            if isinstance(said, Sentence):
                sentences.append(said)
                continue
            if sentences:
                yield paragraph(sentences)
                sentences = []
            yield said
        if sentences:
            yield paragraph(sentences)

    def _said(self, told: Sequence[Standing]) -> Iterator[Sentence | str]:
        """What is said of each event: a sentence, and paragraphs of their own."""
        for one in told:
            event = one.event
            yield from self._aside(event.seq)
            if event.type == lifecycle.SET_UP:
                assert one.after is not None
                yield "\n".join(f"- {line}" for line in self.ruleset.describe_setup(one.after, self.names))
            elif event.type in _REASONED:
                yield f"{_REASONED[event.type]}: {escaped(event.params['reason'])}"
            elif event.type not in _ELSEWHERE:
                actor = self.names[SEAT_INDEX[event.actor]] if event.actor else None
                yield Sentence(event.type, actor, one.sentence)
            if one.judgement is not None:
                yield f"*({self._judged(one.judgement)})*"
            yield from self.quotes[event.seq]

    def _judged(self, judgement: Judgement) -> str:
        by_the_rules = "Nobody can say whether that was" if judgement.verdict == "unknowable" else "That was not"
        return f"{by_the_rules} by the rules: {escaped(judgement.reason)} {escaped(judgement.rule)}."

    def _taken_back(self) -> dict[int, list[int]]:
        """The seqs of what was taken back (corrections apart), by the seq of the event that stands next."""
        by_next: dict[int, list[int]] = defaultdict(list)
        taken: list[int] = []
        for one in self.told:
            seq = one.event.seq
            if one.event.type in lifecycle.CORRECTING:
                continue
            if seq in self.places:
                by_next[seq], taken = taken, []
            elif one.is_undone:
                taken.append(seq)
        by_next[_END] = taken
        return by_next

    def _corrected(self) -> dict[int, list[str]]:
        """What is said of corrections, by the place before which it is said."""
        asides: dict[int, list[str]] = defaultdict(list)
        for one in self.line:
            place, first = one.event.seq, self.told[one.event.seq - 1]
            if first.event.type == "amend":
                asides[place].append(f"*(Put in later, by event {place}.)*")
            if one.source != place and self.told[one.source - 1].event.type == "reveal":
                asides[place].append(f"*(What came up was told later, by event {one.source}.)*")
            elif one.source != place and one.sentence != first.sentence:
                asides[place].append(f"*(Corrected by event {one.source}. At first: {_shown(first)})*")
        for told in self.told:
            seq, by = told.event.seq, told.superseded_by
            if by is None or told.is_undone or seq in self.places or told.event.type in _NOT_STRUCK:
                continue
            following = min((place for place in self.places if place > seq), default=_END)
            asides[following].append(f"*(Struck out by event {by}: {_shown(told)})*")
        return asides

    def _aside(self, seq: int) -> Iterator[str]:
        """What is said before the event of that seq."""
        yield from self.corrected[seq]
        taken = self.taken_back[seq]
        if taken:
            what = (
                f"event {taken[0]} was" if len(taken) == 1 else f"{len(taken)} events, {taken[0]} to {taken[-1]}, were"
            )
            yield f"*(Here {what} taken back.)*"

    def _quotes(self) -> dict[int, list[str]]:
        """What was noted and annotated, by the seq of the event that it is about."""
        quotes: dict[int, list[str]] = defaultdict(list)
        stands = {one.event.seq for one in self.line}
        for one in self.line:
            event = one.event
            by = event.recorded_by if len(self.recorders) > 1 else None
            if event.note:
                quotes[event.seq].append(quoted(event.note, by))
            if event.type == "annotate":
                said = event.params
                about = said.get("seq")
                quote = quoted(said.get("text") or "", by, mark=said.get("mark"), bookmark=said.get("bookmark"))
                quotes[about if about in stands else event.seq].append(quote)
        return quotes

    def _ending(self) -> Iterator[str]:
        state = self.last.after
        if state is None:
            yield "The game has not been set up yet."
        elif state.outcome is None:
            yield "## So far"
            waiting = listed([self.names[seat] for seat in self.ruleset.awaiting(beliefs.likeliest(state))])
            yield f"The game goes on in turn {state.turn}, and waits for {waiting}."
        else:
            yield "## The end"
            result = self._result()
            yield f"**{result[0].upper()}{result[1:]}.** {turns.ending(self.rules, state.outcome.reason)}"

    def _table(self) -> Iterator[str]:
        if self.last.after is not None:
            table = beliefs.tableau(self.ruleset, self.last.after, self.names)
            yield "\n".join(f"- {label}: {text}" for label, text in table.items())

    def _record(self) -> Iterator[str]:
        yield "## The record"
        idle = sum(one.superseded_by is not None or one.event.type in lifecycle.CORRECTING for one in self.told)
        recorders = listed([escaped(name) for name in self.recorders])
        facts = [
            f"Game {escaped(self.game_id)}, by version {self.header.ruleset_version} of the rules",
            f"Options: {self._options(self.header.options)}",
            f"Chance: {self._chance()}",
            f"Events: {len(self.told)}"
            + (f", written down by {recorders}" if recorders else "")
            + (f"; {idle} of them correct or were corrected" if idle else ""),
            *self._times(),
            f"Hash of the last event: `{self.last.event.hash}`",
        ]
        yield "\n".join(f"- {fact}" for fact in facts)
        yield _HOW_TO_VERIFY

    def _times(self) -> Iterator[str]:
        """When it was written down, and when it happened, if that was said; to the minute, in UTC."""
        events = [one.event for one in self.told]
        for what, moments in (
            ("Written down", [event.recorded_at for event in events]),
            ("Played", [event.occurred_at for event in events if event.occurred_at]),
        ):
            if moments:
                first, last = (moment[:16].replace("T", " ") for moment in (min(moments), max(moments)))
                yield f"{what}: {first}" + (f" to {last}" if last != first else "") + " UTC"

    def _chance(self) -> str:
        if self.header.seed_commitment is None:
            return "what came up on the table"
        seed = next(
            (one.event.params.get("seed") for one in self.line if one.event.type == lifecycle.GAME_CLOSED), None
        )
        drawn = f"drawn from a seed whose SHA-256 is `{self.header.seed_commitment}`"
        return drawn if seed is None else f"{drawn}; the seed is {escaped(seed)}"
