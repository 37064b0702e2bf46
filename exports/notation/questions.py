"""Questions about unclear text, with the best answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.events import Event
from exports.notation.filling import NOT_ON_PAPER, Guess
from exports.notation.guessing import LEAST
from exports.notation.handwriting import Handwriting
from exports.notation.report import Meaning, Question
from exports.notation.setting_up import SettingUp
from exports.notation.syntax import WrittenPiece
from exports.notation.words import HAPPENED, either
from exports.notation.writing import Acts, comment

MOST_ANSWERS = 3


def as_note(line: int, column: int, text: str, message: str) -> Question:
    """Return a question about a piece of text that can only be kept as a note."""
    return Question(line, column, text, message, (Meaning("Only a note", comment(text)),))


class Asking:
    """Asks questions about one game."""

    def __init__(self, acts: Acts) -> None:
        self._acts = acts

    def question(
        self, found: Sequence[Guess], line: Handwriting, piece: WrittenPiece, at: tuple[int, int], text: str
    ) -> Question:
        """Return a question about the meaning of a piece. The last answer keeps the piece as a note."""
        likely = [one for one in found if one.drafts and (one.least >= LEAST or one.is_doubtful)][:MOST_ANSWERS]
        answers = [Meaning(self._label(one), self._text(one, piece, line)) for one in likely]
        answers += as_note(*at, text, "").answers
        message = self._message(likely, text)
        return Question(*at, text, message, tuple({one.text: one for one in answers}.values()))

    def set_up(self, telling: SettingUp) -> str | None:
        """Return the errors in a setup as text; None if there are none."""
        problems = []
        if telling.unreadable:
            problems.append(f"{', '.join(telling.unreadable[:3])}: unknown, or written twice")
        if telling.missing:
            names = dict.fromkeys(point.name.replace("_", " ") for point in telling.missing)
            problems.append(f"{len(telling.missing)} missing: {', '.join(names)}")
        if telling.unused_results:
            problems.append(f"{', '.join(telling.unused_results[:3])}: more than the setup needs")
        return "; ".join(problems) or None

    def set_up_question(self, telling: SettingUp, event: Event, message: str) -> Question:
        """Return a question about a setup. The answer contains a possible value for each unclear place."""
        text = "\n".join(one.text for one in telling.lines)
        note = "" if event.note is None else f" {comment(event.note)}"
        number = telling.lines[0].number
        return Question(
            number, 1, text, message, (Meaning("Any values for the missing results", self._acts.act(event) + note),)
        )

    def _message(self, likely: Sequence[Guess], text: str) -> str:
        if not likely:
            return f"what does {text[:60]!r} mean?"
        first = likely[0]
        if first.swapped:
            return "were these lines swapped?"
        if any(draft.type == "adjust" and draft.params.get("reason") == NOT_ON_PAPER for draft in first.drafts):
            return "something before this was not written down"
        if first.illegal:
            return "this was not legal then; what happened?"
        if first.is_doubtful:
            return "something is missing here; what happened?"
        return (
            f"did you mean {either([self._label(one) for one in likely])}?" if len(likely) > 1 else "did you mean this?"
        )

    def _label(self, guess: Guess) -> str:
        parts = []
        for index, draft in enumerate(guess.drafts):
            if draft.type == "adjust":
                parts.append("nobody remembers what came before")
                continue
            said = self._acts.act(msgspec.structs.replace(draft), named=index == 0)
            parts.append(f"{said}, against the rules" if index in guess.illegal else said)
        label = "; ".join(parts)
        return label[:1].upper() + label[1:]

    def _text(self, guess: Guess, piece: WrittenPiece, line: Handwriting) -> str:
        parts = [
            self._acts.act(draft) + (f" {HAPPENED}" if index in guess.illegal else "")
            for index, draft in enumerate(guess.drafts)
        ]
        note = " ".join(filter(None, (piece.note, line.note)))
        return "; ".join(parts) + (f" {comment(note)}" if note else "")
