"""Read the lines of a text, one after another, into the events of a new record."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import EngineError
from engine.core.events import Draft, Event
from engine.core.language import Catalogue
from engine.core.values import SEAT_INDEX
from exports.notation import heading, language
from exports.notation.candidates import Candidates, Vocabulary
from exports.notation.exact import Exact
from exports.notation.filling import CLEAR, Filler, Guess
from exports.notation.foresight import Foresight, Start
from exports.notation.guessing import FAIR, FAR, LEAST, MARGIN, Guesser
from exports.notation.handwriting import Brackets, Handwriting, take_apart
from exports.notation.heading import Bounding
from exports.notation.judging import Judging, reason
from exports.notation.questions import MOST_ANSWERS, Asking, as_note
from exports.notation.recorder import Differs, PendingDraft, Recorder
from exports.notation.report import PieceResult, Status
from exports.notation.results import Place, Results, place_of
from exports.notation.setting_up import SettingUp
from exports.notation.syntax import Line, Unreadable, WrittenPiece, pieces
from exports.notation.words import Names, key
from exports.notation.writing import Acts

MOST_QUESTIONS = 60
"""The maximum number of open questions, after which reading stops."""
MOST_BEFORE_SETUP = 1000
"""The maximum number of lines before the setup, after which reading stops."""
SET_UP_FIRST = "describe the setup first"
ANSWER_FIRST = "answer the earlier questions first"


def _is_accepted(first: Guess, others: Sequence[Guess]) -> bool:
    """Return True if the best guess, `first`, needs no question. `others` are the other guesses."""
    lead = first.total - max((one.total for one in others), default=0.0)
    return not first.is_doubtful and (
        (first.least >= CLEAR and lead >= MARGIN) or (first.least >= FAIR and lead >= FAR)
    )


class Reader:
    """Reads one line after another into a new record."""

    def __init__(
        self, opened: heading.Heading, recorded_by: str | None, bounded: Bounding, catalogues: Sequence[Catalogue]
    ) -> None:
        assert opened.game is not None
        assert opened.opening is not None
        game = opened.game
        self.recorder = Recorder(game, opened.opening, opened.seed, recorded_by)
        self.results = Results(self.recorder, bounded)
        self._opened = opened
        self._language = language.of(game.ruleset)
        self._names = Names(game.header.names)
        self._exact = Exact(self._language, self._names, self.results.find)
        self._vocabulary = Vocabulary(self._language, catalogues)
        self._filler = Filler(self.recorder, Candidates(self._vocabulary, self._names))
        self._guesser = Guesser(self.recorder, self._filler)
        self._foresight = Foresight(self._guesser, self._names)
        self._judging = Judging(self.recorder, self._exact, self._filler, bounded)
        self._asking = Asking(Acts(self._language, game.header))
        self._current: int | None = None
        self._verb: str | None = None
        """The type of the previous action in the line."""
        self._set_up = SettingUp(game, self._names, self._vocabulary)
        self._early: list[Place] = []
        """The handwritten pieces before the setup."""
        self._later: Sequence[Line] = ()
        """The lines after the current one."""
        self._ahead: list[str] = []
        """The texts after the current piece."""
        self._start: Start | None = None
        """The record before the current line."""
        self._previous: Start | None = None
        """The record before the previous line."""
        self._read_already: Line | None = None
        """A line that was read together with the line before it."""
        self._before: Handwriting | None = None
        """The last handwritten line, which 'ditto' repeats."""

    @property
    def result_doubt(self) -> str | None:
        """Describe the difference between the ending and the result in the tags."""
        outcome = self.recorder.game.outcome
        if self._opened.result is None or self.results.questions:
            return None
        now = "unfinished" if outcome is None else outcome.result
        told = key(self._opened.result).split()[:1]
        return None if outcome is not None and told == [outcome.result] else f"by the text, the result is: {now}"

    def take(self, line: Line, later: Sequence[Line]) -> None:
        """Read the next line.

        Args:
            later: the lines after this line.
        """
        if line is self._read_already:
            return
        effort.spend()
        self._previous, self._start = self._start, self.results.start(line, self._current)
        self._later = later
        self._filler.later = self._ahead = [one.text for one in later]
        self._verb = None
        if len(self.results.questions) >= MOST_QUESTIONS:
            self.results.leave([line], ANSWER_FIRST)
            return
        if self._lacks_setup():
            self.results.leave([line], SET_UP_FIRST)
            return
        try:
            number, found = pieces(line.text)
        except Unreadable:
            self._read_unparsed(line)
            return
        if number is not None:
            self._current = None
        written = [one for one in found if one is not None]
        for index, piece in enumerate(written):
            self._ahead = [*(one.text for one in written[index + 1 :]), *self._filler.later]
            at = Place(line.number, piece.column, piece.text)
            if self.recorder.state is None and self._is_of_set_up(piece, line, at):
                if self._set_up.is_begun:
                    return
                continue
            self._enter_set_up()
            self._take(piece, at)

    def _lacks_setup(self) -> bool:
        """Return True if no setup follows the maximum number of lines before it."""
        is_before = self.recorder.state is None and not self._set_up.is_begun
        return is_before and len(self._set_up.remarks) + len(self._early) >= MOST_BEFORE_SETUP

    def end(self) -> None:
        """Finish after the last line."""
        self._enter_set_up()
        if self.recorder.state is not None:
            self.results.questions[:0] = [as_note(at.line, at.column, at.text, SET_UP_FIRST) for at in self._early]

    def _read_unparsed(self, line: Line) -> None:
        if self.recorder.state is None and self._set_up.takes(line):
            return
        self._enter_set_up()
        indent = len(line.text) - len(line.text.lstrip())
        self._by_hand(line.text, WrittenPiece(), Place(line.number, indent + 1, line.text.strip()))

    def _is_of_set_up(self, piece: WrittenPiece, line: Line, at: Place) -> bool:
        """Read a piece if it belongs to the setup; return True if it does.

        The handwritten parts of the setup are collected until other text follows.
        """
        if piece.is_silent:
            self._set_up.remarks.append((line, piece.note or piece.text))
            return True
        if not self._set_up.is_begun:
            try:
                verb, _, params = self._exact.act(piece, self.results.last)
                if verb.type == lifecycle.SET_UP and (params or piece.draws or self._draws_nothing()):
                    notes = [*(said for _, said in self._set_up.remarks), piece.note, self._opened.remarks]
                    piece = msgspec.structs.replace(
                        piece,
                        note=" ".join(filter(None, notes)) or None,
                        occurred_at=piece.occurred_at or self._opened.played_at,
                    )
                    entered, _ = self._judging.judge(piece, self.results.last, self._current)
                    self._enter_all(entered, piece, at)
                    self._enter_details()
                    return True
            except (Unreadable, Differs, EngineError):
                pass
        return self._set_up.takes(line)

    def _draws_nothing(self) -> bool:
        """Return True if the text need not contain results of the setup.

        Either the seed is known, or no setup step needs a result.
        """
        if self.recorder.seed is not None:
            return True
        game = self.recorder.game
        seats = len(game.header.seats)
        return game.ruleset.setup_point(game.ruleset.parse_options(game.header.options, seats), seats) is None

    def _take(self, piece: WrittenPiece, at: Place) -> None:
        if piece.is_silent:
            self._record_note(piece, at)
            return
        if self.recorder.state is None:
            if not self._is_about_game(take_apart(at.text, self._names)):
                self._set_up.remarks.append((Line(at.line, at.text), at.text))
                return
            self.results.wrong(at, SET_UP_FIRST)
            self._early.append(at)
            return
        self._current = self._names.exactly(piece.actor) if piece.actor is not None else self._current
        try:
            entered, draft = self._judging.judge(piece, self.results.last, self._current)
        except Unreadable:
            self._by_hand(piece.without_note, piece, at)
        except (Differs, EngineError) as error:
            if self._judging.is_final(error, piece):
                self.results.wrong(at, reason(self._language.ruleset, error))
            else:
                self._by_hand(piece.without_note, piece, at)
        else:
            if draft.actor is not None:
                self._current, self._verb = SEAT_INDEX[draft.actor], draft.type
            self._enter_all(entered, piece, at)

    def _enter_all(self, entered: Sequence[PendingDraft], piece: WrittenPiece, at: Place) -> None:
        events = [event for one in entered for event in self.recorder.commit(one)]
        self.results.finish(piece, events, at, [name for one in entered for name in one.unknown])

    def _by_hand(self, text: str, piece: WrittenPiece, at: Place) -> None:
        line, found = self._guess(text)
        found = [] if line.is_negated else found
        if line.is_undo:
            self._enter_all(
                [self.recorder.judge(Draft(type="undo", params={"to": max(self.results.last - 1, 1)}))], piece, at
            )
            return
        if line.actor is not None and not (line.segments or line.is_ditto or line.is_nothing or line.note):
            # The line has only a name: the lines below are that player's actions.
            self._current = line.actor
            self.results.items.append(PieceResult(*at, "understood"))
            return
        if line.is_nothing or (not line.segments and not line.is_ditto):
            self.results.remark(at, line.note or at.text, is_known=line.is_nothing or not at.text.strip(" -–—.*#"))
            return
        self._current = self._current if line.actor is None else line.actor
        self._before = line if line.segments else self._before
        first = found[0] if found else None
        if first is not None and _is_accepted(first, found[1:]):
            notes = " ".join(filter(None, (piece.note, line.note)))
            self._enter(first, msgspec.structs.replace(piece, note=notes or None), at)
            return
        if line.actor is None and (first is None or first.least < LEAST) and not self._is_about_game(line):
            self.results.remark(at, at.text, is_known=False)
            return
        self._ask(found, line, piece, at)

    def _guess(self, text: str) -> tuple[Handwriting, list[Guess]]:
        """Split a line and guess its meaning. Use the text in brackets only if this gives a good guess."""
        plain: tuple[Handwriting, list[Guess]] | None = None
        ways: tuple[Brackets, ...] = ("remark", "results", "words") if "(" in text else ("remark",)
        for brackets in ways:
            line = take_apart(text, self._names, brackets=brackets)
            if line.turn is not None and line.actor is None:
                self._current = None
            if line.is_ditto and self._before is not None:
                line = msgspec.structs.replace(
                    line, segments=tuple(msgspec.structs.replace(one, actor=None) for one in self._before.segments)
                )
            is_handwriting = self.recorder.state is not None and line.segments
            found = self._guesser.guesses(line, self._current, self._verb) if is_handwriting else []
            is_whole = bool(found) and not found[0].unknown
            # Brackets may hold results: '2 treasure cards (statue, crystal)'.
            if plain is None or (is_whole and (found[0].is_clear or (plain[1] and plain[1][0].unknown))):
                plain = line, found
        assert plain is not None
        return plain

    def _is_about_game(self, line: Handwriting) -> bool:
        verbs = {word for kind in self._language.ruleset.actions for word in self._vocabulary.verb(kind.type)}
        return any(word in verbs for segment in line.segments for word in segment.words)

    def _enter(self, guess: Guess, piece: WrittenPiece, at: Place) -> None:
        events: list[Event] = []
        game = self.recorder.game
        for index, draft in enumerate(guess.drafts):
            is_last = index == len(guess.drafts) - 1
            last = msgspec.structs.replace(draft, note=piece.note, occurred_at=piece.occurred_at)
            try:
                full = self._judging.check_draft(last if is_last else draft)
                entered = self.recorder.judge(full, game, is_illegal=index in guess.illegal)
            except EngineError as error:
                self.results.wrong(at, reason(self._language.ruleset, error))
                return
            events += self.recorder.commit(entered)
            game = entered.game
        self._current, self._verb = guess.actor, guess.verb
        self.results.finish(piece, events, at, guess.unknown)

    def _ask(self, found: Sequence[Guess], line: Handwriting, piece: WrittenPiece, at: Place) -> None:
        following, previous = self._line_after(at), self._start_of_previous(at)
        swapped: list[Guess] = []
        if previous is not None:
            swapped += self._foresight.guess_swapped_with_previous(line, previous)
        if following is not None:
            swapped += self._foresight.guess_swapped_with_next(line, following.text, self._current)
        found = self._foresight.sort([*found[: 2 * MOST_ANSWERS], *swapped], self._ahead)
        found = [one for one in found if one.swapped == found[0].swapped]
        places = [at]
        if found and found[0].swapped > 0 and following is not None:
            places = [at, place_of(following)]
            self._read_already = following
        if found and found[0].swapped < 0 and previous is not None:
            places = [place_of(previous.line), at]
            self.results.rewind(previous)
        text = "\n".join(one.text for one in places)
        self.results.questions.append(self._asking.question(found, line, piece, places[0][:2], text))
        for place in places:
            self.results.wrong(place, self.results.questions[-1].message)
        if found and found[0].events:
            self.recorder.commit(PendingDraft(found[0].game, found[0].events))
            self._current, self._verb = found[0].actor, found[0].verb
            self.results.last = self.recorder.game.version

    def _line_after(self, at: Place) -> Line | None:
        """Return the next line, if the current piece is a whole line and the next line follows directly."""
        following = self._later[0] if self._later else None
        is_next = following is not None and self._ahead[:1] == [following.text] and following.number == at.line + 1
        return following if is_next else None

    def _start_of_previous(self, at: Place) -> Start | None:
        """Return the record before the previous line, if the current piece is a whole line that follows it directly.

        The previous line must have been read without a question.
        """
        start, now = self._previous, self._start
        if start is None or now is None or start.game.state is None or len(self.results.items) != now.items:
            return None
        is_next = start.line.number == at.line - 1 and at.text == now.line.text.strip()
        return (
            start
            if is_next and (start.questions, start.labels) == (len(self.results.questions), self.results.labels)
            else None
        )

    def _enter_set_up(self) -> None:
        """Record the collected handwritten setup, as soon as other text follows."""
        telling = self._set_up
        if self.recorder.state is not None or not telling.is_begun:
            return
        self._set_up = SettingUp(self.recorder.game, self._names, self._vocabulary)
        note = " ".join([*telling.notes, *filter(None, (self._opened.remarks,))])
        first = telling.lines[0]
        draft = Draft(type=lifecycle.SET_UP, note=note or None, occurred_at=self._opened.played_at)
        try:
            entered = self.recorder.draw(self._judging.check_draft(draft), telling.take)
        except (Differs, EngineError) as error:
            self.results.wrong(place_of(first), reason(self._language.ruleset, error))
            return
        problem = self._asking.set_up(telling)
        events = self.recorder.commit(entered)
        self.results.last = events[0].seq
        seq = tuple(event.seq for event in events)
        for one in telling.lines:
            said = self.recorder.sentence(events[0]) if one is first else None
            wrong = problem if one is first else None
            status: Status = "wrong" if wrong else "understood"
            self.results.items.append(PieceResult(*place_of(one), status, said=said, problem=wrong, events=seq))
        if problem is not None:
            self.results.questions.append(self._asking.set_up_question(telling, events[0], problem))
        self._enter_details()
        for line, said in telling.remarks:
            self.results.remark(place_of(line), said, is_known=True)

    def _enter_details(self) -> None:
        if self._opened.details:
            draft = Draft(type=lifecycle.DETAILS_CHANGED, params=dict(self._opened.details))
            self.recorder.commit(self.recorder.judge(self._judging.check_draft(draft)))

    def _record_note(self, piece: WrittenPiece, at: Place) -> None:
        events = [] if piece.note is None else self.results.annotate({"text": piece.note})
        if piece.label is not None:
            self.results.labels[piece.label] = events[-1].seq if events else self.results.last
        self.results.finish(piece, events, at, ())
