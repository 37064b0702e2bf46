"""Guess the meaning of a handwritten line: sequences of drafts that continue the game, best first.

A line is read segment by segment. Every guess contains the game after its drafts. The next segment is compared with the
actions that are legal in that game. Results that the text omits are unknown. No guess assumes that a step was skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.core.errors import EngineError
from engine.core.values import Value
from engine.play.game import Game
from exports.notation.candidates import flat
from exports.notation.filling import CLEAR, FORGOTTEN, Filler, Guess, draft_of
from exports.notation.handwriting import Handwriting, Segment
from exports.notation.lexicon import GOOD, tokens_of
from exports.notation.matching import ILLEGAL, ActionMatcher, Match
from exports.notation.recorder import Recorder

MARGIN = 0.03
"""The minimum difference between the scores of the best and the next guess."""
FAIR, FAR = 0.65, 0.2
"""The minimum score of a guess that is not clear but accepted, and the minimum difference to the next guess."""
_FITS = 0.6
"""The minimum score of an illegal action that makes a legal one doubtful."""
LEAST = 0.3
"""The minimum score of a guess that is offered as an answer."""
_NEAR = 0.05
"""The increase in score for a result that the words may name, compared with an unknown result."""
_WIDTH = 4
"""The number of guesses kept after each segment."""
_MOST_KEPT = 256
"""The maximum number of lines whose meanings are cached."""
_IDLE = frozenset(("end", "ends", "ended", "turn", "over", "done", "next", "ende", "fertig", "zug", "finished", "stop"))
_THERE = frozenset({"there", "dorthin", "dahin"})


class Guesser:
    """Guesses the meaning of the lines of one game."""

    def __init__(self, recorder: Recorder, filler: Filler) -> None:
        self._recorder = recorder
        self._filler = filler
        self._known: dict[tuple[object, ...], tuple[Game, list[Guess]]] = {}
        """Meanings of lines, by the `id()` of the game. The game is stored, too, so that no other game gets its id."""

    def guesses(
        self,
        line: Handwriting,
        current: int | None,
        verb: str | None,
        game: Game | None = None,
        *,
        only_legal: bool = False,
    ) -> list[Guess]:
        """Return the possible meanings of a line, best first.

        Args:
            current: the seat that acted last.
            verb: the type of the previous action in the line; a value without a verb stands for another such action.
            game: the game before the line (default: the recorded one).
            only_legal: True to leave out guesses with an illegal action.
        """
        at = self._recorder.game if game is None else game
        same = line, current, verb, id(at), only_legal
        if same not in self._known:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            first = Guess(at, actor=line.actor if line.actor is not None else current, verb=verb)
            self._known[same] = at, self._continue(first, line, only_legal=only_legal)
        return self._known[same][1]

    def _continue(self, first: Guess, line: Handwriting, *, only_legal: bool) -> list[Guess]:
        segments = line.segments
        open_: list[list[Guess]] = [[] for _ in range(len(segments) + 1)]
        open_[0].append(first)
        for index in range(len(segments)):
            for guess in _best(open_[index])[:_WIDTH]:
                for count, longer in self._read(guess, segments[index:], line, only_legal=only_legal):
                    open_[index + count].append(longer)
        return [one for one in _best(open_[-1]) if one.drafts or not segments]

    def _read(
        self, guess: Guess, segments: Sequence[Segment], line: Handwriting, *, only_legal: bool = False
    ) -> Iterator[tuple[int, Guess]]:
        """Match the next segments with actions. Yield guesses, each with the number of matched segments.

        Args:
            only_legal: True to leave out guesses with an illegal action, for example after added steps.
        """
        state = guess.game.state
        segment = segments[0]
        actor = segment.actor if segment.actor is not None else line.actor
        if (segment.is_unknown and guess.verb is None) or state is None or state.outcome is not None:
            return
        table = self._filler.table(guess.game)
        most = 1
        if len(segments) > 1 and not segment.is_unknown:
            joined = next(iter(self._joined_actions(table, guess, segments[:3], actor)), None)
            if joined is not None:
                match, most = joined
                drawn = () if match.drawn is None else (match.drawn,)
                yield from ((most, one) for one in self._add_action(guess, match, drawn, match.score * most))
                return
        words = self._resolve_there(segment.words, guess)
        matches = table.matches(words, actor, guess.actor, guess.verb)
        if words and set(words) <= _IDLE and (not matches or matches[0].score < CLEAR):
            yield 1, guess
            return
        matches = _likely(matches)
        legal = max((one.score for one in matches if one.candidate.is_legal), default=0.0)
        forbidden = [one for one in matches if not one.candidate.is_legal and one.score > legal + 0.02][:2]
        # If an illegal action fits clearly better, the legal actions are doubtful.
        is_other = any(one.score >= _FITS for one in forbidden)
        start = msgspec.structs.replace(guess, total=guess.total - FORGOTTEN, is_doubtful=True) if is_other else guess
        for match in matches:
            if match.candidate.is_legal:
                yield from self._one(start, match, segments, line)
        for match in forbidden if not only_legal else ():
            yield from self._otherwise(guess, match, segments, line)
        if guess.drafts and (not matches or matches[0].score < LEAST):
            yield 1, msgspec.structs.replace(guess, least=0.0, total=guess.total - 0.5)

    def _resolve_there(self, words: tuple[str, ...], guess: Guess) -> tuple[str, ...]:
        """Replace 'there' with the place that the previous action named."""
        if _THERE.isdisjoint(words) or not guess.drafts:
            return words
        *_, last = ("", *(one for one in flat(guess.drafts[-1].params) if isinstance(one, str)))
        return (*(word for word in words if word not in _THERE), *tokens_of(last.replace("_", " ")))

    def _one(
        self, guess: Guess, match: Match, segments: Sequence[Segment], line: Handwriting
    ) -> Iterator[tuple[int, Guess]]:
        segment = segments[0]
        if not match.candidate.action.asks_chance:
            yield from ((1, one) for one in self._add_action(guess, match, (), match.score))
            return
        drawn: list[Value | None] = []
        count, total = 1, match.score
        if match.drawn is not None:
            drawn = [match.drawn]
        elif len(segments) > 1 and (segment.has_colon or segments[1].is_unknown) and match.candidate.is_legal:
            options = self._filler.table(guess.game).options(match.candidate)
            value, strength = self._filler.table(guess.game).find_result(segments[1].words, options)
            if strength >= GOOD or segments[1].is_unknown:
                drawn, count, total = [value], 2, match.score + max(strength, GOOD)
            else:
                # Words after a colon are a result, even if none of the possible results fits.
                near = list(self._nearest(guess, match, segments[1].words, 2 * match.score))
                guess = msgspec.structs.replace(guess, is_doubtful=True, total=guess.total - FORGOTTEN)
                yield from ((2, one) for one in near or self._add_action(guess, match, (), 2 * match.score))
        if not drawn and segment.words:
            yield from ((1, one) for one in self._nearest(guess, match, segment.words, total))
        yield from ((count, one) for one in self._add_action(guess, match, drawn, total))

    def _nearest(self, guess: Guess, match: Match, words: Sequence[str], total: float) -> Iterator[Guess]:
        """Yield guesses with results that some words may name."""
        doubtful = msgspec.structs.replace(guess, is_doubtful=True)
        for value in self._filler.table(guess.game).nearest(match.candidate, tuple(words)):
            yield from self._add_action(doubtful, match, [value], total + _NEAR)

    def _joined_actions(
        self, table: ActionMatcher, guess: Guess, segments: Sequence[Segment], actor: int | None
    ) -> Iterator[tuple[Match, int]]:
        """Yield actions that span several segments, such as 'shore up Iron Gate and Gold Gate'."""
        for count in range(len(segments), 1, -1):
            words = tuple(word for one in segments[:count] for word in one.words)
            for match in table.matches(words, actor, guess.actor, guess.verb)[:2]:
                if sum(table.has_result(match.candidate, one.words) for one in segments[:count]) > 1:
                    # Several draws: 'Statue, Statue'.
                    continue
                verb = match.candidate.verb
                adds = all(any(word not in verb for word in one.words) for one in segments[1:count])
                is_whole = match.mentioned >= count or adds
                if match.score >= 0.85 and is_whole and match.candidate.is_legal:
                    yield match, count

    def _add_action(self, guess: Guess, match: Match, drawn: Sequence[Value | None], total: float) -> Iterator[Guess]:
        """Yield the guess with a legal action added.

        Args:
            total: the sum of the scores of the segments that the match explains.
        """
        longer = self._filler.add_action(self._add_score(guess, match, total), match.candidate, drawn)
        if longer is not None:
            yield longer

    def _add_score(self, guess: Guess, match: Match, total: float) -> Guess:
        # A lone value continues the previous action. For any other action, a lone value needs a question.
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

        The action may be legal after the due steps, or after an unwritten action. Otherwise it is recorded as illegal.
        """
        candidate = match.candidate
        is_found = False
        for filled in self._fill_due_steps(guess, match, segments) if not line.is_illegal else ():
            for found in self._read(msgspec.structs.replace(filled, verb=None), segments, line, only_legal=True):
                is_found = True
                yield found
        if is_found:
            return
        for filled in self._filler.guess_omissions(guess, candidate) if not line.is_illegal else ():
            yield from self._read(msgspec.structs.replace(filled, verb=None), segments, line, only_legal=True)
        guess = self._add_score(guess, match, match.score)
        draft = draft_of(candidate)
        try:
            entered = self._recorder.judge(draft, guess.game, is_illegal=True)
        except EngineError:
            return
        # If the line itself calls an action illegal, the action scores like a legal one.
        gain = match.score / ILLEGAL - match.score if line.is_illegal else -FORGOTTEN
        one = guess.extend((draft,), entered, gain, is_doubtful=not line.is_illegal)
        least = min(1.0, guess.least + max(gain, 0.0))
        yield 1, msgspec.structs.replace(one, least=least, illegal=(*one.illegal, len(one.drafts) - 1))

    def _fill_due_steps(self, guess: Guess, match: Match, segments: Sequence[Segment]) -> Iterator[Guess]:
        filler, candidate, drawn = self._filler, match.candidate, match.drawn
        if drawn is None and candidate.action.asks_chance and segments[0].has_colon and len(segments) > 1:
            table = filler.table(guess.game)
            drawn, _ = table.find_result(segments[1].words, table.options(candidate))
        filled = filler.due(guess, candidate)
        if drawn is not None and not any(filler.can_draw(one.game, candidate, drawn) for one in filled):
            yield from filler.due_with_result(guess, candidate, drawn)
        yield from filled


def _best(guesses: Sequence[Guess]) -> list[Guess]:
    found: dict[str, Guess] = {}
    for guess in sorted(guesses, key=lambda one: -one.total):
        found.setdefault(guess.game.head if guess.events else "", guess)
    return list(found.values())


def _likely(matches: Sequence[Match]) -> list[Match]:
    """Return the matches that are worth considering: only the best one, if it is clearly better than the next."""
    found = [one for one in matches if one.score >= LEAST and one.score > matches[0].score - 0.25][:4]
    is_clear = len(found) > 1 and found[0].score >= max(CLEAR + 0.1, found[1].score + 0.1)
    return found[:1] if is_clear else found
