"""svg: the table as it stands, as a picture for paper, chats and link previews.

Light colours in place, so that every program that shows SVG shows it alike; what players hide is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator

import drawing
from engine import beliefs
from engine.history import fold
from exports.log import Log, chunks


def write(log: Log) -> Iterator[bytes]:
    """The picture of the table after the last event of `log`.

    Raises:
        EngineError: the log does not replay.
    """
    game = fold(log.events)
    rules, names = game.ruleset, game.header.names
    scene = rules.empty_board(names) if game.state is None else beliefs.board(rules, game.state, names)
    return chunks([drawing.svg(scene, plain=True)])
