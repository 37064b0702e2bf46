"""The console on which commands print."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from engine.core.text import visible


class Terminal(Console):
    """A console that escapes control characters in texts from logs, so that only our own markup adds colour."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text), **options)


class Columns(Table):
    """A table whose lines have no trailing blanks."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        segments = cast("Iterable[Segment]", super().__rich_console__(console, options))
        for line in Segment.split_lines(segments):
            while line and not line[-1].text.rstrip(" "):
                line.pop()
            if line:
                text, style, control = line.pop()
                line.append(Segment(text.rstrip(" "), style, control))
            yield from (*line, Segment.line())
