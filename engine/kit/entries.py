"""Return changed copies of tuples."""

from __future__ import annotations

from typing import TypeVar

from engine.kit.effects import place_of

T = TypeVar("T")


def with_entry(entries: tuple[T, ...], at: int, entry: T) -> tuple[T, ...]:
    """Return `entries` with `entry` at index `at`."""
    return (*entries[:at], entry, *entries[at + 1 :])


def without(entries: tuple[T, ...], entry: T, count: int = 1) -> tuple[T, ...]:
    """Return `entries` without `count` adjacent copies of `entry`.

    Raises:
        Unclear: `entries` does not contain `entry`.
    """
    at = place_of(entry, entries)
    return entries[:at] + entries[at + count :]


def exchanged(entries: tuple[T, ...], at: int, entry: T) -> tuple[T, ...]:
    """Return `entries` with `entry` at index `at`. If `entry` was at another index, the two swap places."""
    if entry in entries:
        entries = with_entry(entries, entries.index(entry), entries[at])
    return with_entry(entries, at, entry)
