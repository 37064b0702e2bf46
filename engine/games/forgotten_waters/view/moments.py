"""Texts about the current step: its sentence, and the prose that the table reads first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.language import marked, say
from engine.games.forgotten_waters.scenario.effects import Check, Choose
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.plain_effects import MoveShip
from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.words import page_name, printed_name
from engine.kit.scene.panels import Passage
from engine.kit.words import counted


def moment(state: WatersState, names: Sequence[str]) -> str:
    """Return the start of the sentence, such as 'Swagger check'; empty if the actions say enough."""
    if state.agenda:
        match state.agenda[0].effect:
            case Check(skill=skill):
                return say("{skill} check", skill=printed_name(skill))
            case MoveShip(n=n):
                return say("{spaces} left", spaces=counted(n, "space"))
            case Choose(by="group"):
                return say("Choose together")
            case _:
                return ""
    if state.phase == "planning":
        is_last = len(state.choosing) == 1
        said = marked("{name} is last to choose") if is_last else marked("{name} chooses")
        return say(said, name=names[state.choosing[0]])
    number = 0 if state.active is None else state.standees[state.active]
    return say("Action {number}", number=number) if number else ""


Prose = tuple[str, str, str]
"""The id of an entry or a page, the name of the token or action, and the text."""

_PROSE: dict[tuple[str, int], dict[bytes, Prose]] = {}
"""By the id and version of a pack: the prose of each choice and skill check in it."""


def passage(state: WatersState) -> Passage | None:
    """Return the prose of the pending choice or skill check; None if there is none."""
    if state.outcome is not None or not state.agenda:
        return None
    pack = state.pack
    known = _PROSE.get((pack.id, pack.version))
    if known is None:
        known = _PROSE[pack.id, pack.version] = dict(_prose(pack))
    found = known.get(msgspec.json.encode(state.agenda[0].effect))
    if found is None:
        return None
    id_, name, text = found
    return Passage(id=id_, title=say(name) if name else page_name(state, state.page), text=say(text))


def _prose(pack: Pack) -> Iterator[tuple[bytes, Prose]]:
    for page in pack.pages:
        for action in page.actions:
            yield from _questions(action.effects, (page.id, action.name, action.text))
    tokens = {token.entry: token.name for token in pack.token.values()}
    for entry in pack.entries:
        yield from _questions(entry.effects, (entry.id, tokens.get(entry.id, ""), entry.text))


def _questions(part: Any, prose: Prose) -> Iterator[tuple[bytes, Prose]]:
    """Yield the choices and skill checks among effects, each with `prose`."""
    if not prose[2]:
        return
    if isinstance(part, Choose | Check):
        yield msgspec.json.encode(part), prose
    inside = (
        part if isinstance(part, tuple) else msgspec.structs.astuple(part) if isinstance(part, msgspec.Struct) else ()
    )
    for one in inside:
        yield from _questions(one, prose)
