"""Readiness: what msgspec has to know of a type to read documents into it is found out once, before threads need it.

msgspec finds it out when a type is read into for the first time, and shows it to other threads before it is complete:
of several threads that read into a new type at once, one follows a null pointer, and the process is gone (msgspec
0.22). So whoever starts threads calls `make_ready` before, once all modules are imported.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


def make_ready() -> None:
    """Make every struct that is defined by now ready to be read into by any number of threads."""
    for kind in structs():
        try:
            msgspec.json.Decoder(kind)
        except Exception:  # noqa: BLE001, S112  # the annotations of another package may raise anything
            # Nothing is ever read into it: it is only written, such as a scene, or its package is not loaded.
            continue


def structs(under: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    """Every struct that is defined by now; one that has two bases comes twice."""
    for kind in under.__subclasses__():
        yield kind
        yield from structs(kind)
