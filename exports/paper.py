"""pdf: the transcript for printing (A4), with a picture of the table for every turn."""

from __future__ import annotations

from collections.abc import Iterator

from engine.review.playing_time import began_at, retime_events
from exports.log import CHUNK, Format, Log
from exports.transcript import Transcript
from exports.words import words


def write(log: Log) -> Iterator[bytes]:
    """Write the transcript of `log` as PDF."""
    # Import late, because nothing else needs the typesetting library.
    from exports import pdf

    game = log.fold()
    said = words(log.game_id, game, began_at(retime_events(log.events)))
    with pdf.write(said, Transcript(game, log.events, log.seat, log.turning_point)) as made:
        while chunk := made.read(CHUNK):
            yield chunk


KIND = Format(
    name="pdf",
    media_type="application/pdf",
    extension="pdf",
    loses="The events as data. The file is a text for people.",
    write=write,
    is_whole=True,
    by_worker=True,
    many=False,
    is_said=True,
    needs="svglib",
)
