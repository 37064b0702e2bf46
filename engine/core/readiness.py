"""Compute msgspec's type information once, before any thread needs it.

msgspec computes the information about a type on first use. Other threads can see this information before it is
complete. If several threads decode a new type at once, the process can crash with a null pointer (msgspec 0.22). Call
`make_ready` after all modules are imported and before you start threads.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


def make_ready() -> None:
    """Prepare every defined struct for decoding in several threads."""
    for kind in structs():
        try:
            msgspec.json.Decoder(kind)
        except Exception:  # noqa: BLE001, S112  # the annotations of another package may raise anything
            # Nothing decodes this type: it is only encoded, as a scene is, or its package is not loaded.
            continue


def structs(under: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    """Yield every defined struct below `under`. A struct with two bases appears twice."""
    for kind in under.__subclasses__():
        yield kind
        yield from structs(kind)
