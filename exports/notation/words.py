"""Words: what is the same for whoever writes by hand, whatever the case, the spaces and the apostrophes."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from engine.core.values import SEAT_IDS
from engine.review.words import listed

_APOSTROPHES = re.compile("[’'‘`´]")
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[^\s,;=+&\[\](){}:\"“”„`#@!?/]+( [^\s,;=+&\[\](){}:\"“”„`#@!?/]+)*")
"""What can stand without quotes."""
_QUOTED = re.compile(r'\s*("(?:\\.|[^"\\])*"|[^,]*)\s*(?:,|$)')

PREPOSITIONS = frozenset({"to", "from", "with", "for", "at", "before", "after"})
"""A param of such a name is introduced by it: 'give card to Ben'."""
HAPPENED = "anyway"
"""What is written after something that the rules forbid, and that happened all the same."""
NOTHING = "-"
"""Nobody, nothing, none."""
HIDDEN = "hidden"
"""What stands in the place of a value that whoever exports may not see."""
RESERVED = frozenset({HAPPENED, HIDDEN, "and"})


def key(text: str) -> str:
    """`text` as it is compared: 'Fools’ Landing' and 'fools  LANDING' are the same."""
    plain = unicodedata.normalize("NFKC", _APOSTROPHES.sub("", text)).casefold()
    return " ".join(_WORD.findall(plain))


@functools.lru_cache(maxsize=4096)
def key_of_name(name: str) -> str:
    """The same of what is looked for again and again."""
    return key(name)


def slug(text: str) -> str:
    """`text` as ids are written: `fools_landing`."""
    return key(text).replace(" ", "_")


def is_plain(text: str, avoided: Iterable[str] = ()) -> bool:
    """Whether `text` can stand without quotes, and none of its words would be taken for one of `avoided`."""
    if not _PLAIN.fullmatch(text):
        return False
    words = set(key(text).split())
    return bool(words) and words.isdisjoint(RESERVED) and words.isdisjoint(avoided)


def begins(given: str, name: str) -> bool:
    """Whether `given` is a beginning of `name`, word by word: 'howl gard' of 'Howling Garden', 'lagoon' of 'Lost
    Lagoon'.
    """
    return are_beginnings(key(given).split(), key(name).split())


def are_beginnings(given: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each of `given` begins one of `words`, in order."""
    rest = iter(words)
    return bool(given) and all(any(one.startswith(word) for one in rest) for word in given)


def near(given: str, names: Iterable[str]) -> list[str]:
    """The names that `given` may have been meant for, the nearest first."""
    by_key = {key_of_name(name): name for name in names}
    return [by_key[found] for found in get_close_matches(key(given), by_key, n=3, cutoff=0.6)]


def either(names: Sequence[str]) -> str:
    """'Gold Gate or Iron Gate'."""
    return listed(names).replace(" and ", " or ")


def split(text: str) -> list[str]:
    """The items of a list as a tag has them, parted by commas; one that has a comma in it stands in quotes."""
    items = []
    at = 0
    while at < len(text):
        found = _QUOTED.match(text, at)
        if found is None:
            # A quote that is not closed, or with more behind it: it is taken as it stands.
            end = text.find(",", at)
            end = len(text) if end < 0 else end
            items.append(text[at:end].strip())
            at = end + 1
            continue
        one = found[1].strip()
        items.append(one[1:-1].replace('\\"', '"').replace("\\\\", "\\") if one.startswith('"') else one)
        at = found.end()
    return [item for item in items if item]


def joined(items: Iterable[str]) -> str:
    """The same list as text."""
    return ", ".join(_item(item) for item in items)


def _item(item: str) -> str:
    if re.search(r'[,"\\]', item) or item != item.strip():
        escaped = item.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return item


class Names:
    """The players at a table, and what they can be called."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._keys = [key(name) for name in names]

    def spelled(self, seat: int) -> str:
        """What the player there is called: by name, where that is one's alone and can be read."""
        name = self.names[seat]
        mine = self._keys[seat]
        if self._keys.count(mine) > 1 or not is_plain(name) or mine in SEAT_IDS or mine.isdecimal():
            return SEAT_IDS[seat]
        return name

    def find(self, given: str) -> list[int]:
        """The seats that `given` may mean: one where it is a name, a seat's id, or an unambiguous beginning of one."""
        wanted = key(given)
        if wanted in SEAT_IDS[: len(self.names)]:
            return [SEAT_IDS.index(wanted)]
        exact = [seat for seat, name in enumerate(self._keys) if name == wanted]
        if exact or not wanted:
            return exact
        return [seat for seat, name in enumerate(self._keys) if name.startswith(wanted)]

    def exactly(self, given: str) -> int | None:
        """The seat whose name or id `given` is, and nobody else's."""
        found = self.find(given)
        if len(found) != 1:
            return None
        return found[0] if key(given) in {self._keys[found[0]], SEAT_IDS[found[0]]} else None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)
