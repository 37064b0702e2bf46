"""What was written by hand: read, judged line by line, and held to what may be recorded."""

from __future__ import annotations

import re

import msgspec
from marshmallow import ValidationError

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Draft
from engine.core.language import say
from exports import notation, template
from exports.notation import Reading
from schemas.common import NAME
from schemas.events import bounded
from service.errors import NotUnderstood

MOST_GAMES = 1
"""That one text may hold."""
MOST_WORDS = 30_000
"""Words, signs and lines of a text: a game of 2,500 actions has fewer."""
_WORD = re.compile(r"\w+|[^\w\s]|\n")

MEDIA_TYPES = (notation.KIND.media_type.split(";")[0], template.CSV, template.XLSX)
"""What is read: a text in the notation, and sheets that were filled in."""


def read(body: bytes, media_type: str, *, recorded_at: str, recorded_by: str | None) -> Reading:
    """What a text or a sheet becomes, line by line.

    Args:
        media_type: one of `MEDIA_TYPES`.
        recorded_at: RFC 3339 in UTC; of all its events.

    Raises:
        Malformed: it is nothing of that kind, or holds several games.
    """
    text = _text(body, media_type)
    if not text.strip():
        raise Malformed("", say("nothing is written there"))
    if sum(1 for _ in _WORD.finditer(text)) > MOST_WORDS:
        raise Malformed("", say("this text is too long: send at most {most} words", most=MOST_WORDS))
    if len(notation.split(text)) > MOST_GAMES:
        raise Malformed("", say("this text holds several games: send one at a time"))
    return notation.read(text, recorded_at=recorded_at, recorded_by=recorded_by, bounded=_held)


def _text(body: bytes, media_type: str) -> str:
    if media_type == template.XLSX:
        return template.read_xlsx(body)
    if media_type == template.CSV:
        return template.read_csv(body)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(
            "", say("a text in UTF-8: {reason} at byte {byte}", reason=error.reason, byte=error.start + 1)
        ) from None


def understood(reading: Reading) -> Reading:
    """A reading of which nothing is wrong.

    Raises:
        NotUnderstood: something is.
    """
    if reading.problem is not None:
        raise NotUnderstood(reading)
    return reading


def _held(draft: Draft) -> Draft:
    """A draft as an append would take it; of an opening, the names and tags as those of a new game."""
    if draft.type != lifecycle.GAME_OPENED:
        return bounded(draft)
    seats, tags = draft.params["seats"], draft.params.get("tags", ())
    for pointer, name in [
        *((f"/seats/{index}/name", seat["name"]) for index, seat in enumerate(seats)),
        *((f"/tags/{index}", tag) for index, tag in enumerate(tags)),
    ]:
        try:
            NAME(name)
        except ValidationError as error:
            raise Malformed(pointer, f"{name}: {error.messages[0]}") from None
    options = bounded(msgspec.structs.replace(draft, params=draft.params["options"]))
    return msgspec.structs.replace(draft, params={**draft.params, "options": options.params})
