"""notation: the game as people write it by hand, a turn a line; and its own parser.

A heading of tags, then a line for each turn: who did what, and after `=` what came up. What it is made of is declared
by the ruleset (the words of its action types, the params' schemas, what a player calls a value), so that each game has
it and none has a parser of its own. docs/notation.md has the grammar, and a whole evening.

`write` makes a text that `read` makes the same events of: their types, actors, params, outcomes and notes. What it is
read into is a new record: when an event was recorded, and by whom, is not in the text.

- `words`, `language`: what is the same for whoever writes by hand; what a ruleset's games are written with
- `spelling`, `writing`: values, and logs, as text
- `scanning`, `syntax`: text as tokens, and tokens as acts
- `resolving`, `choosing`: what a value, and an act, means
- `heading`, `setting_up`, `came_up`: what a game is opened with, how it is set up, and what chance did
- `recorder`, `playing`, `report`: the events of a new record, and what became of each piece of the text
"""

from __future__ import annotations

from exports.log import Format
from exports.notation.form import blank
from exports.notation.heading import Bounding
from exports.notation.playing import read
from exports.notation.report import Item, Reading, Status
from exports.notation.scanning import split
from exports.notation.writing import write

__all__ = ["KIND", "Bounding", "Item", "Reading", "Status", "blank", "read", "split", "write"]

KIND = Format(
    name="notation",
    media_type="text/x-driftlog; charset=utf-8",
    extension="notation.txt",
    loses="When each event was recorded and by whom, and the hashes: it comes back as a new record.",
    write=write,
    is_retold=True,
)
