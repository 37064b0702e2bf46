"""Read a text line by line into the events of a new record.

A line in the notation is recorded as it is. Any other line is compared with the actions that are legal at that point of
the game. If several actions match, the line becomes a question, and reading continues with the first answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core import effort
from engine.core.language import Catalogue, speaking
from exports.notation import heading, naming
from exports.notation.heading import Bounding
from exports.notation.reader import ANSWER_FIRST, Reader
from exports.notation.report import PieceResult, Status, TextReading
from exports.notation.results import place_of
from exports.notation.syntax import lines

TOO_LONG = "reading the whole text takes too long: import the lines before this one, and record the rest in the game"
_LATER = 12
"""The maximum number of later lines that can suggest the result of a draw."""


@speaking(None)
def read(
    text: str,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
    bounded: Bounding = lambda draft: draft,
    catalogues: Sequence[Catalogue] = (),
) -> TextReading:
    """Read a game from a text.

    Args:
        recorded_at: the time of all events, RFC 3339 in UTC.
        bounded: checks each draft against the limits of a record.
        catalogues: the other languages in which the text may be written.
    """
    tags, written = lines(text)
    rest = naming.take_lines(tags, written)
    by_line = text.splitlines()
    opened = heading.read(tags, recorded_at=recorded_at, recorded_by=recorded_by, bounded=bounded)

    def item(line: int, status: Status, **rest: Any) -> PieceResult:
        return PieceResult(line, 1, by_line[line - 1].strip() if line <= len(by_line) else "", status, **rest)

    items = [item(line, "wrong", problem=problem) for line, problem in opened.problems]
    items += [item(line, "irregular", problem=problem) for line, problem in opened.doubts]
    if opened.game is None or opened.opening is None:
        items += [PieceResult(*place_of(one), "unread") for one in rest]
        questions = naming.questions(tags, rest, by_line)
        return TextReading(tuple(sorted(items, key=lambda item: item.line)), questions, text=text)
    reader = Reader(opened, recorded_by, bounded, catalogues)
    if tags:
        said = reader.recorder.sentence(opened.opening)
        items.append(item(tags[0].line, "understood", said=said, events=(1,)))
    for index, one in enumerate(rest):
        try:
            reader.take(one, rest[index + 1 : index + 1 + _LATER])
        except effort.Exhausted:
            # Keep the lines before this one, because answers to their questions make the next reading shorter.
            reader.results.leave(rest[index:], ANSWER_FIRST if reader.results.questions else TOO_LONG)
            break
    else:
        reader.end()
        if reader.result_doubt is not None:
            line = next((tag.line for tag in tags if naming.tag_key(tag.name) == "result"), 1)
            items.append(item(line, "irregular", problem=reader.result_doubt))
    items += reader.results.items
    return TextReading(
        tuple(sorted(items, key=lambda item: (item.line, item.column))),
        tuple(reader.results.questions),
        tuple(reader.recorder.events),
        reader.recorder.game,
        text,
    )
