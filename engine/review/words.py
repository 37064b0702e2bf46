"""Counts, lists and names in words, as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.language import ENGLISH, marked, say, spoken
from engine.kit.rules import AnyRules
from engine.kit.words import counted

_STOPS = tuple(".!?…”“\"'):")


def times(count: int) -> str:
    """'once', '2 times'."""
    return say("once") if count == 1 else counted(count, "time")


def lasted(seconds: int) -> str:
    """'52 minutes', '2 h 5 min'."""
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return say("under a minute") if minutes == 0 else counted(minutes, "minute")


def listed(words: Sequence[str], last: str = marked(" and ")) -> str:
    """'Ada', 'Ada and Bo', 'Ada, Bo and Cleo'; of none, nothing."""
    return ", ".join(words[:-1]) + say(last) + words[-1] if len(words) > 1 else "".join(words)


def joined(sentences: Sequence[str]) -> str:
    """Return sentences as one text; a full stop ends each that somebody else wrote without one."""
    *others, last = sentences or [""]
    return " ".join([*(one if one.endswith(_STOPS) else f"{one}." for one in others), last])


def called(ruleset: AnyRules, type_: str) -> str:
    """Return the name of a type of event for use within a sentence: 'shore up'."""
    words = type_.replace("_", " ")
    kind = ruleset.kind(type_)
    return say(words) if kind is None or spoken() == ENGLISH else say(kind.called())


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


def judged(verdict: str) -> str:
    """Return the verdict in a word."""
    return say(verdict)


_VERDICTS = (marked("legal"), marked("illegal"), marked("unknowable"), marked("impossible"), marked("not judged"))
