"""The console that commands print on."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from cli.terminal import unread
from engine.core.text import visible


class Terminal(Console):
    """A console that text from a log cannot steer: only our own markup adds colour.

    A reader who stops early changes neither the result of a command nor its exit code.
    """

    def on_broken_pipe(self) -> None:
        unread(self.file)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text), **options)
