"""Guess the meaning of a handwritten line: sequences of drafts that continue the game, best first.

A line is read segment by segment. Every guess contains the game after it, so that the next segment is matched with the
actions that are then legal. Results that are not written are unknown; no guess assumes a skipped step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.errors import EngineError, OutcomeRequired
from engine.core.events import Draft, Event
from engine.core.values import SEAT_IDS, ChancePoint, State, Value
from engine.kit.steps import Skip
from engine.play import omissions
from engine.play.beliefs import telling
from engine.play.beliefs.belief import likeliest
from engine.play.corrections import facts
from engine.play.game import Game
from exports.notation.handwriting import Handwriting, Segment
from exports.notation.lexicon import GOOD, likeness, tokens_of
from exports.notation.matching import ILLEGAL, Candidate, Match, Table, Vocabulary
from exports.notation.recorder import Recorder
from exports.notation.words import Names

CLEAR = 0.7
"""The minimum score of a segment that can be accepted without a question."""
MARGIN = 0.03
"""The minimum lead over the next guess."""
LEAST = 0.3
"""The minimum score of an answer."""
_WIDTH = 4
"""The number of guesses kept after each segment."""
_MOST_DUE = 12
"""The maximum number of draws and other steps filled in before an action."""
_FORGOTTEN = 0.45
"""The decrease in score for assuming an unwritten or illegal action."""
_IDLE = frozenset(("end", "ends", "ended", "turn", "over", "done", "next", "ende", "fertig", "zug", "finished", "stop"))
_THERE = frozenset({"there", "dorthin", "dahin"})
NOT_ON_PAPER = "Not on paper."
"""The reason of an adjustment that replaces unwritten draws."""


class Guess(msgspec.Struct, frozen=True):
    """A possible meaning of a line."""

    game: Game
    """The game after the guess."""
    drafts: tuple[Draft, ...] = ()
    events: tuple[Event, ...] = ()
    unknown: tuple[str, ...] = ()
    total: float = 0.0
    least: float = 1.0
    """The score of the worst segment."""
    is_doubtful: bool = False
    """True if the guess needs an answer, because it adds something or is illegal."""
    actor: int | None = None
    verb: str | None = None
    """The type of the last action."""
    illegal: tuple[int, ...] = ()
    """The indexes of illegal drafts."""

    @property
    def is_clear(self) -> bool:
        """Return True if the guess can be accepted without a question."""
        return self.least >= CLEAR and not self.is_doubtful


class Guesser:
    """Guesses the meaning of the lines of one game.

    Args:
        later: the words of later lines.
    """

    def __init__(self, recorder: Recorder, vocabulary: Vocabulary, names: Names, later: Sequence[str] = ()) -> None:
        self._recorder = recorder
        self._vocabulary = vocabulary
        self._ruleset = vocabulary.ruleset
        self._names = names
        self._tables: dict[str, Table] = {}
        self.later = later

    def table(self, game: Game) -> Table:
        """Return the matcher for the table after a game's last event."""
        if game.head not in self._tables:
            assert game.state is not None
            if len(self._tables) > 64:
                self._tables.clear()
            self._tables[game.head] = Table(self._vocabulary, self._names, game.state)
        return self._tables[game.head]

    def guesses(self, line: Handwriting, current: int | None, verb: str | None) -> list[Guess]:
        """Return the possible meanings of a line, best first.

        Args:
            current: the seat that acted before.
            verb: the type of the previous action in the line; a value without a verb repeats that action.
        """
        segments = line.segments
        first = Guess(self._recorder.game, actor=line.actor if line.actor is not None else current, verb=verb)
        open_: list[list[Guess]] = [[] for _ in range(len(segments) + 1)]
        open_[0].append(first)
        for index in range(len(segments)):
            for guess in _best(open_[index])[:_WIDTH]:
                for count, longer in self._read(guess, segments[index:], line):
                    open_[index + count].append(longer)
        return [one for one in _best(open_[-1]) if one.drafts or not segments]

    def due(self, guess: Guess, is_legal: Any) -> list[Guess]:
        """Return guesses that add the steps without which an action is illegal; their results are unknown.

        If the board depends on such a result, the result must be known. Then either the guess adjusts the table, or the
        result is taken from the rest of the text.
        """
        if not self._comes(guess.game.state, is_legal):
            return []
        for _ in range(_MOST_DUE):
            state = guess.game.state
            if state is None or state.outcome is not None:
                return []
            if is_legal(likeliest(state)):
                return [guess]
            skip = next(iter(omissions.skips(self._ruleset, state)), None)
            if skip is None:
                return []
            step = self._step(guess.game, skip)
            if step is None:
                return self._told(guess, skip, is_legal)
            draft = self._draft(step)
            try:
                entered = self._recorder.draw(draft, lambda *_: None, guess.game)
            except OutcomeRequired:
                return [*self._told(guess, skip, is_legal), *self._suggested(guess, skip, step, is_legal)]
            except EngineError:
                return []
            guess = self._with(guess, (draft,), entered, -0.02)
        return []

    def _comes(self, state: State | None, is_legal: Any) -> bool:
        """Return True if `is_legal` becomes true in this turn or the next one once the due steps are taken."""
        table = likeliest(state)
        last = table.turn + 1
        for _ in range(_MOST_DUE):
            if table.outcome is not None or table.turn > last:
                return False
            if is_legal(table):
                return True
            skip = next(iter(self._ruleset.skips(table)), None)
            if skip is None:
                return False
            table = skip.state
        return False

    def _read(
        self, guess: Guess, segments: Sequence[Segment], line: Handwriting, *, is_filled: bool = False
    ) -> Iterator[tuple[int, Guess]]:
        """Match the next segments; yield the number of matched segments with each guess.

        Args:
            is_filled: True if the guess already has the steps that must come before these segments.
        """
        state = guess.game.state
        segment = segments[0]
        actor = segment.actor if segment.actor is not None else line.actor
        if (segment.is_unknown and guess.verb is None) or state is None or state.outcome is not None:
            return
        table = self.table(guess.game)
        most = 1
        if len(segments) > 1 and not segment.is_unknown:
            joined = next(iter(self._joined(table, guess, segments[:3], actor)), None)
            if joined is not None:
                match, most = joined
                drawn = () if match.drawn is None else (match.drawn,)
                yield from ((most, one) for one in self._acted(guess, match, drawn, match.score * most))
                return
        words = self._resolved(segment.words, guess)
        matches = table.matches(words, actor, guess.actor, guess.verb)
        if words and set(words) <= _IDLE and (not matches or matches[0].score < CLEAR):
            yield 1, guess
            return
        matches = _likely(matches)
        legal = max((one.score for one in matches if one.candidate.is_legal), default=0.0)
        forbidden = [one for one in matches if not one.candidate.is_legal and one.score > legal + 0.02][:2]
        for match in matches:
            if match.candidate.is_legal:
                yield from self._one(guess, match, segments, line)
        for match in forbidden if not is_filled else ():
            yield from self._otherwise(guess, match, segments, line)
        if guess.drafts and (not matches or matches[0].score < LEAST):
            yield 1, msgspec.structs.replace(guess, least=0.0, total=guess.total - 0.5)

    def _resolved(self, words: tuple[str, ...], guess: Guess) -> tuple[str, ...]:
        """Replace 'there' with the place of the previous action."""
        if _THERE.isdisjoint(words) or not guess.drafts:
            return words
        *_, last = (*[""], *(one for one in _texts(guess.drafts[-1].params)))
        return (*(word for word in words if word not in _THERE), *tokens_of(last.replace("_", " ")))

    def _one(
        self, guess: Guess, match: Match, segments: Sequence[Segment], line: Handwriting
    ) -> Iterator[tuple[int, Guess]]:
        segment = segments[0]
        if not match.candidate.action.asks_chance:
            yield from ((1, one) for one in self._acted(guess, match, (), match.score))
            return
        drawn: list[Value | None] = []
        count, total = 1, match.score
        if match.drawn is not None:
            drawn = [match.drawn]
        elif len(segments) > 1 and (segment.has_colon or segments[1].is_unknown) and match.candidate.is_legal:
            options = self.table(guess.game).options(match.candidate)
            value, strength = self.table(guess.game).drawn(segments[1].words, options)
            if strength >= GOOD or segments[1].is_unknown:
                drawn, count, total = [value], 2, match.score + max(strength, GOOD)
        yield from ((count, one) for one in self._acted(guess, match, drawn, total))

    def _joined(
        self, table: Table, guess: Guess, segments: Sequence[Segment], actor: int | None
    ) -> Iterator[tuple[Match, int]]:
        """Yield actions that span several segments, such as 'shore up Iron Gate and Gold Gate'."""
        for count in range(len(segments), 1, -1):
            words = tuple(word for one in segments[:count] for word in one.words)
            for match in table.matches(words, actor, guess.actor, guess.verb)[:2]:
                verb = match.candidate.verb
                adds = all(any(word not in verb for word in one.words) for one in segments[1:count])
                is_whole = match.mentioned >= count or adds
                if match.score >= 0.85 and is_whole and match.candidate.is_legal:
                    yield match, count

    def _acted(self, guess: Guess, match: Match, drawn: Sequence[Value | None], total: float) -> Iterator[Guess]:
        """Yield guesses that add a legal action. Each segment that a guess explains has the score of the match."""
        longer = self._add(self._scored(guess, match, total), match.candidate, drawn)
        if longer is not None:
            yield longer

    def _scored(self, guess: Guess, match: Match, total: float) -> Guess:
        # A value alone continues the previous action; any other action needs a question.
        is_other = guess.verb is not None and match.candidate.type != guess.verb and not match.has_verb
        return msgspec.structs.replace(
            guess,
            is_doubtful=guess.is_doubtful or is_other,
            total=guess.total + total,
            least=min(guess.least, match.score),
            actor=match.candidate.seat,
            verb=match.candidate.type,
        )

    def _otherwise(
        self, guess: Guess, match: Match, segments: Sequence[Segment], line: Handwriting
    ) -> Iterator[tuple[int, Guess]]:
        """Yield guesses with an action that is illegal now.

        It may follow the due steps, or an unwritten action; otherwise it is recorded as illegal.
        """
        candidate = match.candidate

        def is_legal(state: State) -> bool:
            return candidate.action.refusal(state, candidate.seat) is None

        is_found = False
        for filled in self.due(guess, is_legal) if not line.is_illegal else ():
            for found in self._read(msgspec.structs.replace(filled, verb=None), segments, line, is_filled=True):
                is_found = True
                yield found
        if is_found:
            return
        if not line.is_illegal:
            yield from self._preceded(guess, candidate, is_legal, segments, line)
        guess = self._scored(guess, match, match.score)
        draft = self._draft(candidate)
        try:
            entered = self._recorder.judge(draft, guess.game, is_illegal=True)
        except EngineError:
            return
        # An action that the line itself calls illegal scores like a legal one.
        gain = match.score / ILLEGAL - match.score if line.is_illegal else -_FORGOTTEN
        one = self._with(guess, (draft,), entered, gain, is_doubtful=not line.is_illegal)
        least = min(1.0, guess.least + max(gain, 0.0))
        yield 1, msgspec.structs.replace(one, least=least, illegal=(*one.illegal, len(one.drafts) - 1))

    def _preceded(
        self, guess: Guess, candidate: Candidate, is_legal: Any, segments: Sequence[Segment], line: Handwriting
    ) -> Iterator[tuple[int, Guess]]:
        """Yield guesses in which the writer omitted one action before this one."""
        for before in self.table(guess.game).legal:
            if before.seat != candidate.seat or before.action.asks_chance:
                continue
            try:
                entered = self._recorder.judge(self._draft(before), guess.game)
            except EngineError:
                continue
            after = entered.game.state
            if after is None or after.outcome is not None or not is_legal(likeliest(after)):
                continue
            added = self._with(guess, (self._draft(before),), entered, 0.02 - _FORGOTTEN, is_doubtful=True)
            yield from self._read(msgspec.structs.replace(added, verb=None), segments, line, is_filled=True)
            return

    def _add(self, guess: Guess, candidate: Candidate, drawn: Sequence[Value | None]) -> Guess | None:
        draft = self._draft(candidate)
        left = list(drawn)
        try:
            entered = self._recorder.draw(draft, lambda _, point: left.pop(0) if left else _only(point), guess.game)
        except OutcomeRequired as error:
            return self._public(guess, draft, error)
        except EngineError:
            return None
        if not entered.is_legal:
            return None
        return self._with(guess, (draft,), entered, 0.0)

    def _public(self, guess: Guess, draft: Draft, error: OutcomeRequired) -> Guess | None:
        """Return a guess for an unwritten result that must be known, because the board depends on it.

        A question offers the possible results.
        """
        options = self._likely(error.point.options)
        if not options or error.point.position > 0:
            return None
        drawn = msgspec.structs.replace(draft, outcomes=(options[0],))
        try:
            entered = self._recorder.judge(drawn, guess.game)
        except EngineError:
            return None
        return self._with(guess, (drawn,), entered, -_FORGOTTEN, is_doubtful=True)

    def _likely(self, options: Sequence[Value]) -> list[Value]:
        """Return the options; those that later lines mention come first."""
        words = tokens_of(" ".join(self.later)[:2000])
        at = {word: index for index, word in reversed(list(enumerate(words)))}

        def first(value: Value) -> float:
            phrases = self._vocabulary.value(value)
            found = [
                max(at[word] for word in one.words) for one in phrases if one.words and all(w in at for w in one.words)
            ]
            return min(found, default=10_000)

        return sorted(dict.fromkeys(options), key=first)

    def _step(self, game: Game, skip: Skip[Any]) -> Candidate | None:
        """Return the action without params that takes a due step."""
        words = tokens_of(f"{skip.step.id.replace('_', ' ')} {skip.step.name}")
        rated = [
            (max(likeness(word, known) for word in words for known in tokens_of(one.type.replace("_", " "))), one)
            for one in self.table(game).legal
            if one.seat == skip.seat and not one.values
        ]
        known = [pair for pair in rated if pair[0] >= GOOD]
        return max(known, key=lambda pair: pair[0])[1] if known else None

    def _told(self, guess: Guess, skip: Skip[Any], is_legal: Any) -> list[Guess]:
        """Return guesses that adjust the table instead of a step whose result nobody remembers."""
        assert guess.game.state is not None
        before = set(map(repr, telling.known(self._ruleset, guess.game.state)))
        changed = [
            facts.document(one)
            for one in telling.known(self._ruleset, skip.state)
            if not one.is_derived and repr(one) not in before
        ]
        if not changed:
            return []
        draft = Draft(type="adjust", params={"reason": NOT_ON_PAPER, "facts": changed})
        try:
            entered = self._recorder.judge(draft, guess.game)
        except EngineError:
            return []
        return self.due(self._with(guess, (draft,), entered, -_FORGOTTEN, is_doubtful=True), is_legal)

    def _suggested(self, guess: Guess, skip: Skip[Any], step: Candidate, is_legal: Any) -> list[Guess]:
        """Return guesses with a draw whose result later lines suggest."""
        for _ in range(_MOST_DUE):
            longer = self._add(guess, step, ())
            if longer is None:
                return []
            guess = longer
            state = guess.game.state
            assert state is not None
            due = next(iter(omissions.skips(self._ruleset, state)), None) if state.outcome is None else None
            if due is None or (due.step.id, due.seat) != (skip.step.id, skip.seat) or is_legal(likeliest(state)):
                break
        added = msgspec.structs.replace(guess, total=guess.total - 0.1)
        return self.due(added, is_legal)

    def _draft(self, candidate: Candidate) -> Draft:
        return Draft(type=candidate.type, actor=SEAT_IDS[candidate.seat], params=msgspec.to_builtins(candidate.action))

    def _with(
        self, guess: Guess, drafts: tuple[Draft, ...], entered: Any, cost: float, *, is_doubtful: bool = False
    ) -> Guess:
        found = {event.type: event.outcomes for event in entered.events}
        known = (msgspec.structs.replace(one, outcomes=found.get(one.type, one.outcomes)) for one in drafts)
        return msgspec.structs.replace(
            guess,
            game=entered.game,
            drafts=(*guess.drafts, *known),
            events=(*guess.events, *entered.events),
            unknown=(*guess.unknown, *entered.unknown),
            total=guess.total + cost,
            is_doubtful=guess.is_doubtful or is_doubtful,
        )


def _best(guesses: Sequence[Guess]) -> list[Guess]:
    """Return the distinct guesses, best first."""
    found: dict[str, Guess] = {}
    for guess in sorted(guesses, key=lambda one: -one.total):
        found.setdefault(guess.game.head if guess.events else "", guess)
    return list(found.values())


def _likely(matches: Sequence[Match]) -> list[Match]:
    """Return the matches to consider: only the best if it leads by far."""
    found = [one for one in matches if one.score >= LEAST and one.score > matches[0].score - 0.25][:4]
    is_clear = len(found) > 1 and found[0].score >= max(CLEAR + 0.1, found[1].score + 0.1)
    return found[:1] if is_clear else found


def _only(point: ChancePoint) -> Value | None:
    """Return the only possible result; None if there are several."""
    return point.options[0] if len(set(point.options)) == 1 else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
