"""Compare words without regard to case, spaces and apostrophes."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from engine.core.values import SEAT_IDS
from engine.review.words import join_words

_APOSTROPHES = re.compile("[’'‘`´]")
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[^\s,;=+&\[\](){}:\"“”„`#@!?/]+( [^\s,;=+&\[\](){}:\"“”„`#@!?/]+)*")
"""Matches text that needs no quotes."""
_QUOTED = re.compile(r'\s*("(?:\\.|[^"\\])*"|[^,]*)\s*(?:,|$)')

PREPOSITIONS = frozenset({"to", "from", "with", "for", "at", "before", "after"})
"""Params with these names are introduced by their name, as in 'give card to Ben'."""
HAPPENED = "anyway"
"""The word that follows an illegal action."""
BECAUSE = "because"
"""The word before the explanation of a slip."""
NOTHING = "-"
"""The text for null."""
HIDDEN = "hidden"
"""The placeholder for a value that the viewer of the export may not see."""
RESERVED = frozenset({HAPPENED, BECAUSE, HIDDEN, "and"})


@functools.lru_cache(1024)
def key(text: str) -> str:
    """Normalize `text`: 'Fools’ Landing' and 'fools  LANDING' are equal."""
    plain = unicodedata.normalize("NFKC", _APOSTROPHES.sub("", text)).casefold()
    return " ".join(_WORD.findall(plain))


def slug(text: str) -> str:
    """Return `text` in the form of an id: `fools_landing`."""
    return key(text).replace(" ", "_")


def is_plain(text: str, avoided: Iterable[str] = ()) -> bool:
    """Return True if `text` needs no quotes and none of its words could be one of `avoided`."""
    if not _PLAIN.fullmatch(text):
        return False
    words = set(key(text).split())
    return bool(words) and words.isdisjoint(RESERVED) and words.isdisjoint(avoided)


def begins(given: str, name: str) -> bool:
    """Return True if the words of `given` begin words of `name`, in the same order.

    For example, 'howl gard' fits 'Howling Garden'.
    """
    words, rest = key(given).split(), iter(key(name).split())
    return bool(words) and all(any(one.startswith(word) for one in rest) for word in words)


def either(names: Sequence[str]) -> str:
    """Join names with 'or': 'Gold Gate or Iron Gate'."""
    return join_words(names).replace(" and ", " or ")


def split(text: str) -> list[str]:
    """Split the list in a tag at its commas, and return the items. An item that contains a comma is in quotes."""
    items = []
    at = 0
    while at < len(text):
        found = _QUOTED.match(text, at)
        if found is None:
            # Keep a single quotation mark as it is. Do the same if text follows the second mark.
            end = text.find(",", at)
            end = len(text) if end < 0 else end
            items.append(text[at:end].strip())
            at = end + 1
            continue
        one = found[1].strip()
        items.append(one[1:-1].replace('\\"', '"').replace("\\\\", "\\") if one.startswith('"') else one)
        at = found.end()
    return [item for item in items if item]


def join_list(items: Iterable[str]) -> str:
    """Join items to the list in a tag, the reverse of `split`."""
    return ", ".join(_item(item) for item in items)


def _item(item: str) -> str:
    if re.search(r'[,"\\]', item) or item != item.strip():
        escaped = item.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return item


class Names:
    """The players at a table, and their names."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._keys = [key(name) for name in names]

    def spell(self, seat: int) -> str:
        """Return the name of the player at a seat if it can be parsed back; otherwise the seat's id."""
        name = self.names[seat]
        mine = self._keys[seat]
        if self._keys.count(mine) > 1 or not is_plain(name) or mine in SEAT_IDS or mine.isdecimal():
            return SEAT_IDS[seat]
        return name

    def find(self, given: str) -> list[int]:
        """Return the seats that `given` may mean.

        A name, a seat id, or an unambiguous beginning of a name means one seat.
        """
        wanted = key(given)
        if wanted in SEAT_IDS[: len(self.names)]:
            return [SEAT_IDS.index(wanted)]
        exact = [seat for seat, name in enumerate(self._keys) if name == wanted]
        if exact or not wanted:
            return exact
        return [seat for seat, name in enumerate(self._keys) if name.startswith(wanted)]

    def exactly(self, given: str) -> int | None:
        """Return the only seat whose name or id is `given`; None if there is none or several."""
        found = self.find(given)
        if len(found) != 1:
            return None
        return found[0] if key(given) in {self._keys[found[0]], SEAT_IDS[found[0]]} else None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)
