"""Asking the player at the terminal for one of several, by its number or its words, with completion by Tab."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple

from cli.terminal import out

readline: ModuleType | None
try:
    import readline
except ImportError:  # pragma: no cover  # not every platform has it
    readline = None


class Choice(NamedTuple):
    """One of several."""

    label: str
    about: str = ""
    """What is said behind it."""


class Unclear(Exception):
    """What was typed is none of the choices, or several; the message says so."""


def pick(text: str, labels: Sequence[str]) -> int:
    """The index of the label that is meant: by its number from 1, the whole of it, or words that begin its own.

    Raises:
        Unclear: none is meant, or several are.
    """
    if text.isdecimal() and 1 <= int(text) <= len(labels):
        return int(text) - 1
    wanted = _words(text)
    exact = [index for index, label in enumerate(labels) if _words(label) == wanted]
    found = exact or [index for index, label in enumerate(labels) if _begin(wanted, _words(label))]
    if len(found) == 1:
        return found[0]
    if not found or not wanted:
        raise Unclear(f"{text!r} is none of these")
    raise Unclear(f"{text!r} may be {' or '.join(labels[index] for index in found[:4])}{', …' * (len(found) > 4)}")


def completions(text: str, labels: Sequence[str]) -> list[str]:
    """Labels that what was typed so far may become."""
    wanted = _words(text)
    whole = [label for label in labels if label.casefold().startswith(text.casefold())]
    return whole or [label for label in labels if _begin(wanted, _words(label))]


def ask(prompt: str, labels: Sequence[str]) -> str | None:
    """A line of what the player types, without the spaces around it; None where there is no more.

    Args:
        labels: what Tab completes it to.
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
    """Have Tab complete the whole line that is typed."""
    if readline is None:  # pragma: no cover  # not every platform has it
        return

    def complete(text: str, index: int) -> str | None:
        found = find(text)
        return found[index] if index < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")
    # macOS has libedit behind the same name, which is told otherwise.
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold().replace("'", "").replace("’", ""))


def _begin(wanted: list[str], words: list[str]) -> bool:
    """Whether each of the words that are wanted begins one of the others, in their order."""
    rest = iter(words)
    return all(any(word.startswith(one) for word in rest) for one in wanted)
