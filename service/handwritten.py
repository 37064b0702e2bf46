"""Parse handwritten records, judge them line by line, and check their size."""

from __future__ import annotations

import re

import msgspec
from marshmallow import ValidationError

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Draft
from engine.core.language import say
from exports import notation, template
from exports.notation import TextReading
from schemas.common import NAME
from schemas.drafts import validate_draft
from service import languages
from service.errors import NotUnderstood

MOST_GAMES = 1
"""Maximum number of games in one text."""
MOST_WORDS = 30_000
"""Maximum words, signs and lines of a text. A game of 2,500 actions has fewer."""
_WORD = re.compile(r"\w+|[^\w\s]|\n")

MEDIA_TYPES = (notation.KIND.media_type.split(";")[0], template.CSV, template.XLSX)
"""Accepted media types: text in the notation, and completed sheets."""


def read(body: bytes, media_type: str, *, recorded_at: str, recorded_by: str | None) -> TextReading:
    """Parse a text or a sheet line by line.

    Args:
        media_type: one of `MEDIA_TYPES`.
        recorded_at: time of recording for all events of the game, RFC 3339 in UTC.

    Raises:
        Malformed: the body is not of that media type, or contains several games.
    """
    text = _text(body, media_type)
    if not text.strip():
        raise Malformed("", say("the text is empty"))
    if sum(1 for _ in _WORD.finditer(text)) > MOST_WORDS:
        raise Malformed("", say("this text is too long: send at most {most} words", most=MOST_WORDS))
    if len(notation.split(text)) > MOST_GAMES:
        raise Malformed("", say("this text contains several games: send one at a time"))
    known = (languages.catalogue(language) for language in languages.LANGUAGES)
    return notation.read(
        text,
        recorded_at=recorded_at,
        recorded_by=recorded_by,
        bounded=_normalize,
        catalogues=[one for one in known if one is not None],
    )


def _text(body: bytes, media_type: str) -> str:
    if media_type == template.XLSX:
        return template.read_xlsx(body)
    if media_type == template.CSV:
        return template.read_csv(body)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(
            "", say("must be text in UTF-8: {reason} at byte {byte}", reason=error.reason, byte=error.start + 1)
        ) from None


def require_understood(reading: TextReading) -> TextReading:
    """Return the reading; raise `NotUnderstood` if it has errors."""
    if reading.problem is not None:
        raise NotUnderstood(reading)
    return reading


def _normalize(draft: Draft) -> Draft:
    """Convert a draft as the append endpoint does, or an opening event as `POST /v1/games` does."""
    if draft.type != lifecycle.GAME_OPENED:
        return validate_draft(draft)
    seats, tags = draft.params["seats"], draft.params.get("tags", ())
    for pointer, name in [
        *((f"/seats/{index}/name", seat["name"]) for index, seat in enumerate(seats)),
        *((f"/tags/{index}", tag) for index, tag in enumerate(tags)),
    ]:
        try:
            NAME(name)
        except ValidationError as error:
            raise Malformed(pointer, f"{name}: {error.messages[0]}") from None
    options = validate_draft(msgspec.structs.replace(draft, params=draft.params["options"]))
    return msgspec.structs.replace(draft, params={**draft.params, "options": options.params})
