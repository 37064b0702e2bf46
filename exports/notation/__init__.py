"""notation: a game as people write it, one turn per line.

Exports follow the grammar in `notation.lark`, with the words that a ruleset declares. Importing an export gives the
same events. Handwritten lines are compared with the actions that were legal at that point of the game. docs/notation.md
describes the notation and handwriting. An import is a new record, because the text lacks recording times and recorders.
- `words`, `language`: words common to all texts, and words of a ruleset - `spelling`, `writing`: write values, and
logs, as text - `syntax`, `exact`: parse lines of the notation into pieces, and pieces into drafts - `lexicon`,
`handwriting`: normalize handwritten words, and split handwritten lines - `matching`, `filling`, `guessing`: find the
possible meanings of lines at a table, and add the omitted steps - `heading`, `dates`, `setting_up`: parse the tags, the
date, and the setup - `recorder`, `reading`: build the new record - `report`, `questions`: the result of each piece of
the text, and the questions about unclear ones
"""

from __future__ import annotations

from exports.log import Format
from exports.notation.form import blank
from exports.notation.heading import Bounding
from exports.notation.reading import read
from exports.notation.report import Meaning, PieceResult, Question, Status, TextReading
from exports.notation.syntax import split
from exports.notation.writing import write

__all__ = [
    "KIND",
    "Bounding",
    "Meaning",
    "PieceResult",
    "Question",
    "Status",
    "TextReading",
    "blank",
    "read",
    "split",
    "write",
]

KIND = Format(
    name="notation",
    media_type="text/x-driftlog; charset=utf-8",
    extension="notation.txt",
    loses="The recording times, the recorders and the hashes. An import becomes a new record.",
    write=write,
    is_retold=True,
)
