"""Parse handwriting: split a line into actions, players and remarks."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from exports.notation.lexicon import GOOD, likeness, tokens_of
from exports.notation.words import Names, key

_BULLET = re.compile(r"\s*(?![-=]+>)(?:[-*•·–—>]+|\[[ xX]?\]|☐|☑|✓)\s+")
_TIME = re.compile(
    r"\s*[\[(@]?\b\d{1,2}(?:[:.]\d\d(?::\d\d)?(?:\s*(?:am|pm|uhr|h))?|\s*(?:am|pm|uhr))\b[\])]?[\s:,–-]*",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\s*\(?(?:(?:turn|round|runde|zug|move|rd|t|r|z)[ .#]*(\d{1,4})|#?(\d{1,4})(?=\s*[.):\]/]))\)?\s*[.):\]/-]*\s*",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\s*(\d{1,4})\s+")
_COMMENT = re.compile(r"\{([^{}]*)\}|//\s*(.*)$|\s(?:--|—|–)\s+(?=[a-z])(.*)$")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_CROSSED_OUT = re.compile(r"~~.*?~~|--\S[^-]*\S--")
_DITTO = re.compile(
    r"^\s*(?:ditto|dito|same|idem|same again|[\"″〃'']{1,2}|-\s*[\"″〃]\s*-)\s*[.!]?\s*$", re.IGNORECASE
)
_NOTHING = re.compile(
    r"^\s*(?:[-–—./]+|no(?:thing| draws?| cards?| action| flood)?|none|pass(?:es|ed)?|nichts|keine?r?|passt|"
    r"skip(?:s|ped)?)"
    r"(?: (?:drawn|done|cards?|flood|draw|this turn))?\s*[.!]?\s*$",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"^\s*(?:scratch that|(?:takes? |took )?(?:that |it )?back|(?:takes?|took) (?:that|it) back|undo(?:ne)?|doch nicht|"
    r"zurückgenommen|no,? wait)\s*[.!]?\s*$",
    re.IGNORECASE,
)
_ARROW = re.compile(r"->|=>|-->|→|⇒|➜|➔|>")
_COUNT = re.compile(
    r"(?:(?<=\s)|^)(?:[x×]\s?([2-5])|([2-5])\s?[x×]|(twice)|(thrice)|(zweimal)|(dreimal))(?=[\s,;.]|$)", re.IGNORECASE
)
_CARDS = re.compile(
    r"\b(?:([2-5])(?=[^\d:=]*\b(?:cards?|karten|times|mal)\b)|(two)|(three)|(four)|(zwei)|(drei)|(vier))\b",
    re.IGNORECASE,
)
_NUMBERS = {"twice": 2, "two": 2, "zweimal": 2, "zwei": 2, "thrice": 3, "three": 3, "dreimal": 3, "drei": 3}
_NUMBERS |= {"four": 4, "vier": 4}
_IN_A_PLACE = re.compile(r"(?<=\d), ?(?=(?:column|col|shore|Spalte|Ufer) ?\w\b)", re.IGNORECASE)
"""A comma in the name of a place, such as 'row 1, column 4' and 'Frog Island 1, shore B'."""
_SEPARATOR = re.compile(
    r"[,;+&\n|]|\.(?=\s|$)|\s/\s?|\b(?:and then|then|and|und dann|dann|und|danach)\b", re.IGNORECASE
)
_NAME = re.compile(
    r"\s*([^\s:>,;()]{1,80}(?: [^\s:>,;()]+)?)\s*('s turn)?\s*(:|>|→|->|–|—|-(?=\s)|\.(?=\s)|,|(?=\s)|$)\s*",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|(?:did|do|does|could|can|was)n['’]?t|nicht|nie|keine?n?)\b", re.IGNORECASE)
_AGAINST_THE_RULES = re.compile(r"\b(?:anyway|trotzdem)\b", re.IGNORECASE)
_UNKNOWN = re.compile(r"^[\s?]*\?[\s?]*$|^(?:unknown|forgot(?:ten)?|something|unbekannt)$", re.IGNORECASE)
Brackets = Literal["remark", "results", "words"]
MOST_SEGMENTS = 24
LONGEST = 400
"""The maximum number of characters of a line that are read."""


class Segment(msgspec.Struct, frozen=True):
    """A part of a line between two separators."""

    words: tuple[str, ...]
    actor: int | None = None
    """The seat named before the segment."""
    is_unknown: bool = False
    has_colon: bool = False
    """True if a colon follows, with results or values in the next segment."""


class Handwriting(msgspec.Struct, frozen=True):
    """A line that is split into segments and remarks."""

    segments: tuple[Segment, ...]
    turn: int | None
    note: str | None
    actor: int | None
    is_ditto: bool = False
    is_nothing: bool = False
    """True if the line says that nothing was done."""
    is_negated: bool = False
    """True if the line is about an action that was not done."""
    is_illegal: bool = False
    is_undo: bool = False


def take_apart(text: str, names: Names, *, brackets: Brackets = "remark") -> Handwriting:
    """Split a line into segments and remarks.

    Args:
        brackets: the meaning of text in round brackets: a remark, results, or words of a name.
    """
    text = text[:LONGEST]
    notes: list[str] = []
    text = _cut(_CROSSED_OUT, text, notes)
    text = _cut(_COMMENT, text, notes)
    instead = {"results": r": \1,", "words": r" \1 "}.get(brackets)
    text = _cut(_BRACKETS, text, notes) if instead is None else _BRACKETS.sub(instead, text)
    text, turn = _begin(text)
    is_illegal = _AGAINST_THE_RULES.search(text) is not None
    text = _AGAINST_THE_RULES.sub(" ", text)
    number = _BARE_NUMBER.match(text) if turn is None else None
    if number is not None and split_player(text[number.end() :], names)[0] is not None:
        turn, text = int(number[1]), text[number.end() :]
    seat, text = split_player(text, names)
    note = " ".join(filter(None, (note.strip() for note in notes))) or None
    if _DITTO.match(text) or _NOTHING.match(text):
        is_ditto = _DITTO.match(text) is not None
        return Handwriting((), turn, note, seat, is_ditto=is_ditto, is_nothing=not is_ditto)
    if _UNDO.match(text):
        return Handwriting((), turn, note, seat, is_undo=True)
    is_negated = _NEGATED.search(text) is not None
    return Handwriting(_segments(text, names), turn, note, seat, is_negated=is_negated, is_illegal=is_illegal)


def split_player(text: str, names: Names) -> tuple[int | None, str]:
    """Return the seat of the player at the beginning of a text, if any, and the rest of the text."""
    found = _NAME.match(text)
    if found is None:
        return None, text
    whole, sign = found[1], found[3]
    for given in dict.fromkeys((whole, whole.split()[0])):
        rest = text[found.end() :] if given == whole else text[found.start(1) + len(given) :].lstrip()
        follows = sign if given == whole else ""
        seat = seat_of(given, names, is_marked=bool(follows) or (given == whole and not rest))
        if seat is not None:
            # An arrow after a name means a move.
            return seat, f"{'> ' if follows in {'>', '→', '->'} else ''}{rest}"
    return None, text


def seat_of(given: str, names: Names, *, is_marked: bool = True) -> int | None:
    """Return the seat whose player has the name `given`, perhaps shortened or misspelt.

    Return None if no seat or several match.

    Args:
        is_marked: True if a sign shows that the text is a name.
    """
    wanted = key(given.removesuffix("'s").removesuffix("’s"))
    exact = names.exactly(wanted)
    if exact is not None or not wanted:
        return exact
    found = names.find(wanted) if is_marked or (len(wanted) > 2 or (len(wanted) == 1 and given.isupper())) else []
    if not found and len(wanted) > (1 if is_marked else 3):
        least = 0.5 if is_marked else GOOD
        # 'Chloe moves' is a name and a verb, not a misspelling of 'Chloe'.
        found = [
            seat
            for seat, name in enumerate(map(key, names.names))
            if name.count(" ") == wanted.count(" ") and likeness(wanted, name) > least
        ]
    return found[0] if len(found) == 1 else None


def _cut(pattern: re.Pattern[str], text: str, notes: list[str]) -> str:
    """Remove from a line everything that matches `pattern`, and add it to `notes`."""

    def take(found: re.Match[str]) -> str:
        notes.append(next(filter(None, found.groups()), found[0]) if found.groups() else found[0])
        return " "

    return pattern.sub(take, text)


def _begin(text: str) -> tuple[str, int | None]:
    """Remove the bullet, time and turn number from a line. Return the rest, and the turn number or None."""
    turn = None
    for _ in range(3):
        before = text
        text = text[found.end() :] if (found := _BULLET.match(text)) else text
        text = text[found.end() :] if (found := _TIME.match(text)) else text
        found = _TURN.match(text) if turn is None else None
        if found and found.end():
            turn, text = int(found[1] or found[2]), text[found.end() :]
        if text == before:
            break
    return text, turn


def _segments(text: str, names: Names) -> tuple[Segment, ...]:
    found: list[Segment] = []
    actor = None
    for whole in _SEPARATOR.split(_IN_A_PLACE.sub(" ", text)):
        if len(found) >= MOST_SEGMENTS:
            break
        other, part = split_player(whole, names) if found and ":" in whole else (None, whole)
        actor = other if other is not None else actor
        pieces = [one for one in re.split(r"[:=]", part) if one.strip()]
        for index, one in enumerate(pieces):
            times, piece = _split_count(one) if index == 0 else (1, one)
            times = times if len(pieces) == 1 else 1
            # An arrow at the beginning means a move.
            arrow = _ARROW.match(piece.lstrip())
            words = tokens_of(("move" if arrow else "") + _ARROW.sub(" to ", piece))
            is_unknown = _UNKNOWN.match(piece.strip()) is not None
            if words or is_unknown:
                has_colon = index + 1 < len(pieces) or (part.rstrip().endswith((":", "=")))
                found += [Segment(() if is_unknown else words, actor, is_unknown, has_colon)] * times
    return tuple(found)


def _split_count(text: str) -> tuple[int, str]:
    found = _COUNT.search(text) or _CARDS.search(text)
    if found is None:
        return 1, text
    number = next(filter(None, found.groups())).lower()
    times = _NUMBERS.get(number) or int(number)
    return times, f"{text[: found.start()]} {text[found.end() :]}"
