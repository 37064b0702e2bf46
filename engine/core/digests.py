"""Digests of states. An event can store the digest of the state that it leads to.

The digest format has two versions. Both are the SHA-256 of canonical JSON, and the audit accepts either:

- Version 2, used by new events, skips members that equal their default. If a ruleset adds an option or a member with a
  default, the digests in earlier logs remain valid.
- Version 1 covers every member. It covers only the options that event 1 lists, because the ruleset had no other options
  when the game was opened.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

import msgspec

from engine.core.canonical import digest
from engine.core.values import State

_OPTIONS = "options"
_DETAILS = "details"
"""The member of a state that digests skip, because it describes the record and not the table."""


_PLAIN = frozenset({str, int, bool, type(None)})
"""Types whose values need no conversion. Skipping them saves most calls of `_essential`."""


def state_digest(state: State) -> str:
    """Return the version 2 digest of a state, as lower-case hex."""
    return digest(_essential(state))


def is_digest_of(recorded: str, state: State, options: Collection[str]) -> bool:
    """Return True if `recorded` is the digest of `state`, in either version of the digest format.

    Args:
        options: the names of the options in event 1 of the log.
    """
    return recorded == state_digest(state) or recorded == digest(_without_later_options(state, options))


def _essential(value: Any) -> Any:
    """Return `value` as a JSON document, without struct members that equal their defaults."""
    if isinstance(value, msgspec.Struct):
        shape = _shape(type(value))
        if shape is None:
            return [_essential(member) for member in msgspec.structs.astuple(value)]
        tag, members = shape
        document = dict(tag)
        for name, key, default in members:
            member = getattr(value, name)
            if member is not default and member != default:
                document[key] = member if type(member) in _PLAIN else _essential(member)
        return document
    if isinstance(value, tuple):
        return [item if type(item) in _PLAIN else _essential(item) for item in value]
    if isinstance(value, dict):
        return {key: _essential(item) for key, item in value.items()}
    return value


@cache
def _shape(kind: type[msgspec.Struct]) -> tuple[dict[str, str | int], tuple[tuple[str, str, Any], ...]] | None:
    """Return a struct's tag and each member's name, key and default; None for a struct encoded as an array.

    The default of a required member is msgspec's `NODEFAULT`, which no value equals.
    """
    config = kind.__struct_config__
    if config.array_like:
        return None
    tag = {} if config.tag is None else {str(config.tag_field): config.tag}
    is_state = issubclass(kind, State)
    return tag, tuple(
        (field.name, field.encode_name, field.default)
        for field in msgspec.structs.fields(kind)
        if not (is_state and field.name == _DETAILS)
    )


def _without_later_options(value: State, options: Collection[str]) -> Any:
    document = msgspec.to_builtins(value, order="sorted")
    for state in (document, *(state for _, state in document.get("worlds", ()))):
        state.pop(_DETAILS, None)
        chosen = state.get(_OPTIONS)
        if isinstance(chosen, dict):
            state[_OPTIONS] = {name: choice for name, choice in chosen.items() if name in options}
    return document
