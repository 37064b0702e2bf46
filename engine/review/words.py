"""Counts, lists and names as words for sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.core.events import Event
from engine.core.language import ENGLISH, current_language, marked, say
from engine.kit.rules import AnyRules
from engine.kit.words import counted

_TOKEN = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
"""Matches the id of a token. If a recorder has no name, the id stands in its place."""
_STOPS = tuple(".!?…”“\"'):")


def capital(text: str) -> str:
    """Return a text with a capital first letter, to begin a sentence."""
    return text[:1].upper() + text[1:]


def times(count: int) -> str:
    """Return a count: 'once', '2 times'."""
    return say("once") if count == 1 else counted(count, "time")


def describe_duration(seconds: int) -> str:
    """Return a duration in words: '52 minutes', '2 h 5 min'."""
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return say("under a minute") if minutes == 0 else counted(minutes, "minute")


def join_words(words: Sequence[str], last: str = marked(" and ")) -> str:
    """Return a list in words: 'Ada', 'Ada and Bo', 'Ada, Bo and Cleo'; empty if there are no `words`."""
    return ", ".join(words[:-1]) + say(last) + words[-1] if len(words) > 1 else "".join(words)


def join_sentences(sentences: Sequence[str]) -> str:
    """Return sentences as one text. A sentence without a final punctuation mark, as users write, gets a full stop."""
    *others, last = sentences or [""]
    return " ".join([*(one if one.endswith(_STOPS) else f"{one}." for one in others), last])


def first_sentence(text: str, names: Sequence[str]) -> str:
    """Return the first sentence of a text that begins with a name; a quotation is not cut."""
    # A full stop can also be part of a name.
    end = text.find(". ", max(map(len, names)))
    while end >= 0 and text.count("“", 0, end) > text.count("”", 0, end):
        end = text.find(". ", end + 1)
    return text if end < 0 else text[: end + 1]


def recorder(event: Event) -> str | None:
    """Return the name of the user who recorded an event; None if unknown."""
    by = event.recorded_by
    return None if by is None or _TOKEN.fullmatch(by) else by


def more(count: int) -> Iterator[str]:
    """Yield the sentence about facts that are not listed, if there are any."""
    if count:
        yield say("And one more fact.") if count == 1 else say("And {count} more facts.", count=count)


def event_name(ruleset: AnyRules, type_: str) -> str:
    """Return the name of a type of event for use within a sentence: 'shore up'."""
    words = type_.replace("_", " ")
    kind = ruleset.kind(type_)
    if kind is None:
        return say(words)
    title = kind.english_title()
    if current_language() != ENGLISH:
        return say(title)
    # A title with the same verb has an article: 'fill in a star'. Others are names: 'Sandbags' for 'play sandbags'.
    return title[0].lower() + title[1:] if title.lower().split()[0] == words.split()[0] else words


_OF_THE_RECORD = (
    marked("game opened"),
    marked("set up"),
    marked("undo"),
    marked("amend"),
    marked("reveal"),
    marked("adjust"),
    marked("skipped"),
    marked("annotate"),
    marked("abandon"),
    marked("details changed"),
    marked("player left"),
    marked("player joined"),
    marked("house rule"),
    marked("game closed"),
)


def describe_verdict(verdict: str) -> str:
    """Return a verdict in words."""
    return say(verdict)


_VERDICTS = (marked("legal"), marked("illegal"), marked("unknowable"), marked("impossible"), marked("not judged"))
