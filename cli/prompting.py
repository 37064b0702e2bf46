"""Prompts in the terminal: the user answers with a number or words, with Tab completion."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple

from cli.terminal import err, escape, out

readline: ModuleType | None
try:
    import readline
except ImportError:  # pragma: no cover  # not every platform has it
    readline = None


SHOWN = 16
"""Number of choices that are shown. Tab completes all choices."""
_COMMANDS = {
    "undo": "go back to the answer before this one",
    "help": "show this",
    "quit": "leave without this answer",
}


class InputEnded(Exception):
    """The user ended the input.

    Args:
        is_early: True if a question was still open, and the user did not type `quit`.
    """

    def __init__(self, *, is_early: bool = False) -> None:
        super().__init__()
        self.is_early = is_early


class Back(Exception):
    """The user wants to change the previous answer."""


class PromptChoice(NamedTuple):
    """An answer that the user can choose."""

    label: str
    about: str = ""
    """Text after the label."""


class AmbiguousInput(Exception):
    """The input matches several choices, which the message lists."""


class NotOne(AmbiguousInput):
    """The input matches no choice."""


def pick(text: str, labels: Sequence[str]) -> int:
    """Return the index of the chosen label: by its number from 1, its full text, or the beginnings of its words.

    Raises:
        NotOne: no choice matches.
        AmbiguousInput: several choices match.
    """
    if text.isdecimal() and 1 <= int(text) <= len(labels):
        return int(text) - 1
    wanted = _words(text)
    exact = [index for index, label in enumerate(labels) if _words(label) == wanted]
    found = exact or [index for index, label in enumerate(labels) if _begin(wanted, _words(label))]
    if len(found) == 1:
        return found[0]
    if not found or not wanted:
        raise NotOne(f"{text!r} is not one of these")
    choices = " or ".join(labels[index] for index in found[:4])
    raise AmbiguousInput(f"{text!r} is ambiguous: {choices}{', …' * (len(found) > 4)}")


def choose(question: str, choices: Sequence[PromptChoice]) -> int:
    """Return the index of the user's choice.

    Raises:
        Back: the user wants to change the previous answer.
        InputEnded: the user ended the input.
    """
    show(question, choices)
    labels = [one.label for one in choices]
    while (line := ask("> ", [*labels, *_COMMANDS])) is not None:
        if line == "undo":
            raise Back
        if line == "quit":
            raise InputEnded
        if line == "help":
            show_help(_COMMANDS)
            continue
        try:
            return pick(line, labels)
        except AmbiguousInput as unclear:
            err().print(f"[yellow]{escape(str(unclear))}[/]: type `help` for the commands")
    raise InputEnded(is_early=True)


def show(question: str, choices: Sequence[PromptChoice], most: int = SHOWN) -> None:
    """Print a question and the numbers of its first choices."""
    console = out()
    console.print(f"[bold]{escape(question)}[/]")
    for number, one in enumerate(choices[:most], 1):
        about = f"  [dim]{escape(one.about)}[/]" if one.about else ""
        console.print(f"{number:>4}  {escape(one.label)}{about}")
    if len(choices) > most:
        console.print(f"      … and {len(choices) - most} more: type the beginning, then press Tab")


def show_help(commands: Mapping[str, str]) -> None:
    """Print how to choose, and the commands with their descriptions."""
    console = out()
    console.print("Type a number or the beginnings of words; Tab completes them. Other commands:")
    for name, about in commands.items():
        console.print(f"  [bold]{name:<10}[/] {about}")


def completions(text: str, labels: Sequence[str]) -> list[str]:
    """Return the labels that complete the typed text."""
    wanted = _words(text)
    whole = [label for label in labels if label.casefold().startswith(text.casefold())]
    return whole or [label for label in labels if _begin(wanted, _words(label))]


def ask(prompt: str, labels: Sequence[str]) -> str | None:
    """Read a line from the user, stripped; None at the end of the input.

    Args:
        labels: the Tab completions.
    """
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.strip() if line else None
    with_completion(lambda text: completions(text, labels))
    try:
        return input(prompt).strip()
    except EOFError:
        out().print()
        return None


def with_completion(find: Callable[[str], list[str]]) -> None:
    """Make Tab complete the whole line."""
    if readline is None:  # pragma: no cover  # not every platform has it
        return

    def complete(text: str, index: int) -> str | None:
        found = find(text)
        return found[index] if index < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")
    # On macOS, the module `readline` uses libedit, which has another syntax.
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold().replace("'", "").replace("’", ""))


def _begin(wanted: list[str], words: list[str]) -> bool:
    rest = iter(words)
    return all(any(word.startswith(one) for word in rest) for one in wanted)
