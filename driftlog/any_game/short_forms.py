"""The short forms of a box: `5d6`, `deck52`, and a list of cards from a spreadsheet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec

from driftlog.any_game.box import Box, Dice
from driftlog.kit import Malformed, say

_DICE = re.compile(r"(\d{1,2})d(\d{1,3})")
_DECKS = {"deck32": "7 8 9 10 J Q K A", "deck36": "6 7 8 9 10 J Q K A", "deck52": "2 3 4 5 6 7 8 9 10 J Q K A"}
_SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
_COUNTED = re.compile(r"(\d{1,7})\s*[x×]?\s+(\S.*)")
_CELLS = re.compile(r"[\t;]")
_NUMBER, _COPIES = re.compile(r"[+-]?\d+([.,]\d+)?"), re.compile(r"\d{1,7}")
_MOST_COPIES = 500


def slug(name: str) -> str:
    """Return a name as an id: `Fool's Gold` becomes `fools_gold`.

    A text without Latin letters and digits becomes the code points of its first characters.
    """
    plain = unicodedata.normalize("NFKD", name.casefold().replace("'", "").replace("’", ""))
    found = re.sub(r"[^a-z0-9]+", "_", plain.encode("ascii", "ignore").decode()).strip("_")
    return found or "u" + "_".join(f"{ord(letter):x}" for letter in name.strip()[:8])


def dice_of(text: str, pointer: str) -> Dice:
    """Return the dice of a text such as `5d6`.

    Raises:
        Malformed: the text is something else.
    """
    found = _DICE.fullmatch(text.strip().lower())
    count, faces = map(int, found.groups()) if found else (0, 0)
    if not (1 <= count <= 20 and 2 <= faces <= 100):
        message = say("must be dice such as `5d6`: at most 20, with 2 to 100 faces")
        raise Malformed(pointer, message)
    return Dice(id=f"d{faces}", title=f"{count}d{faces}", count=count, faces=tuple(range(1, faces + 1)))


def check_texts(box: Box) -> None:
    """Check the names and the lists of cards of a new box.

    Raises:
        Malformed: a name has only spaces, or a line of a list has a number that is no number of copies, or no name.
    """
    for pointer, text in _texts(msgspec.to_builtins(box), "/options/box"):
        if not text.strip():
            raise Malformed(pointer, say("must not be blank"))
    for at, thing in enumerate(box.things):
        text, member = (thing, "") if isinstance(thing, str) else (thing.cards or "", "/cards")
        for number, line in enumerate(text.splitlines(), 1):
            name, *others = (cell.strip() for cell in _CELLS.split(line))
            copies = [cell for cell in others if _COPIES.fullmatch(cell)]
            if (copies and not name) or (not copies and any(map(_NUMBER.fullmatch, others))):
                raise _wrong_line(f"/options/box/things/{at}{member}", number)


def _texts(part: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(part, str):
        yield pointer, part
    elif isinstance(part, dict | list | tuple):
        for name, one in part.items() if isinstance(part, dict) else enumerate(part):
            yield from _texts(one, f"{pointer}/{name}")


def cards_of(text: str, pointer: str) -> Iterator[tuple[str, str, int]]:
    """Yield the id, title and number of copies of each card in a list.

    Raises:
        Malformed: a line has no name, or too many copies.
    """
    ranks = _DECKS.get(text.strip().lower())
    if ranks is not None:
        for suit, symbol in _SUITS.items():
            yield from ((f"{suit}_{rank.lower()}", f"{symbol}{rank}", 1) for rank in ranks.split())
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, count = _row(line)
        if not (1 <= len(name) <= 60 and 1 <= count <= _MOST_COPIES):
            raise _wrong_line(pointer, number)
        yield slug(name), name, count


def _wrong_line(pointer: str, number: int) -> Malformed:
    message = say("line {number} must be a name, with 1 to {most} copies", number=number, most=_MOST_COPIES)
    return Malformed(pointer, message)


def _row(line: str) -> tuple[str, int]:
    """Return the name and the number of copies in a row:

    `Smithy<tab>10`, `10<tab>Smithy`, `Smithy; 10` or `10 Smithy`.
    """
    cells = [cell.strip().strip('"') for cell in _CELLS.split(line) if cell.strip()]
    numbers = [int(cell) for cell in cells if _COPIES.fullmatch(cell)]
    names = [cell for cell in cells if not _COPIES.fullmatch(cell)]
    if len(cells) > 1:
        return names[0] if names else "", numbers[0] if numbers else 1
    counted = _COUNTED.fullmatch(line.strip())
    return (counted[2], int(counted[1])) if counted else (cells[0], 1)
