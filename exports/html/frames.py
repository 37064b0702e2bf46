"""Pack the tables of a game into parts of a page. A piece of a picture that repeats in a part is stored once."""

from __future__ import annotations

import zlib
from base64 import b64encode
from typing import ClassVar

import msgspec

import drawing
from engine.core.values import State
from engine.kit.scene import Scene
from exports.log import Log
from exports.narration import Narrated
from exports.pictures import scene

_CUT = "\0"
"""A character that no picture contains."""
_STYLE = f"<style>{drawing.STYLE}</style>"
LAYOUTS: tuple[drawing.Layout, ...] = ("board", "panels")
"""The board and the rest of a table, which a page shows side by side or one below the other."""


def pictures(log: Log, state: State | None) -> list[str]:
    """Draw a table in each of `LAYOUTS`, as SVG for a page that includes `drawing.STYLE`."""
    return _draw_layouts(scene(log, state), None)


def _draw_layouts(table: Scene, before: Scene | None) -> list[str]:
    return [drawing.svg(table, before, layout=layout).decode().replace(_STYLE, "") for layout in LAYOUTS]


class Frames:
    """Collects the tables after each event of a log."""

    part: ClassVar = 100
    """Number of events in a part."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._scene: Scene | None = None
        self._state: State | None = None
        self._drawn: tuple[Scene, Scene | None] | None = None
        """The table and the table before it that were drawn last."""
        self._pieces: list[list[str]] = []
        """The pieces of each layout of the last drawing."""
        self._ids: dict[str, int] = {}
        """The pieces of pictures in this part, each with its number."""
        self._frames: list[list[list[int]]] = []

    def add(self, narrated: Narrated) -> str:
        """Add the table after an event. If this fills a part, return the part; otherwise return an empty text."""
        before = self._scene
        if before is None or narrated.after is not self._state:
            self._scene, self._state = scene(self._log, narrated.after), narrated.after
        assert self._scene is not None
        if self._drawn is None or self._drawn[0] is not self._scene or self._drawn[1] is not before:
            # Notes leave the table as it is, so its drawing is the same.
            self._drawn = self._scene, before
            self._pieces = [svg.replace("><", f">{_CUT}<").split(_CUT) for svg in _draw_layouts(*self._drawn)]
        self._frames.append([[self._ids.setdefault(piece, len(self._ids)) for piece in one] for one in self._pieces])
        return self.rest() if len(self._frames) == self.part else ""

    def rest(self) -> str:
        """Return the frames since the last full part, as a part."""
        if not self._frames:
            return ""
        document = msgspec.json.encode({"pieces": list(self._ids), "frames": self._frames})
        packed = b64encode(zlib.compress(document, 9)).decode()
        self._ids, self._frames = {}, []
        return f'\n<script type="application/octet-stream" data-frames>{packed}</script>'
