"""The notes of a game: texts about its events, with marks and bookmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from exports.log import Log
from exports.narration import Narrated, narrate, overview


class _About(msgspec.Struct, frozen=True):
    """The event that an annotation, or a note recorded with an event, is about."""

    seq: int
    turn: int
    sentence: str


def notes(log: Log) -> Iterator[dict[str, Any]]:
    """Yield every annotation, and every note recorded with an event, in the order of recording."""
    known = overview(log)
    abouts = {remark.about for remark in known.said.values()} | known.noted
    told_of: dict[int, _About] = {}
    if not abouts:
        return
    for told in narrate(log, known=known, only=abouts | known.said.keys()):
        seq, remark = told.event.seq, told.remark
        if seq in abouts:
            told_of[seq] = _About(seq, told.event.turn, told.sentence)
        if remark is not None:
            said = remark.said
            yield _note(told, told_of[remark.about], said.text, said.mark, said.bookmark)
        if told.event.note is not None:
            yield _note(told, told_of[seq], told.event.note)


def _note(
    by: Narrated, about: _About, text: str | None, mark: str | None = None, bookmark: str | None = None
) -> dict[str, Any]:
    event = by.event
    return {
        "seq": event.seq,
        "about": about.seq,
        "turn": about.turn,
        "sentence": about.sentence,
        "text": text,
        "mark": mark,
        "bookmark": bookmark,
        "recorded_at": event.recorded_at,
        "occurred_at": event.occurred_at,
        "recorded_by": event.recorded_by,
        "superseded_by": by.superseded_by,
    }
