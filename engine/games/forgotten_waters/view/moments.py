"""Texts about the current step: its sentence, and the prose that the players read first."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.language import marked, say
from engine.games.forgotten_waters.scenario.effects import Check, Choose
from engine.games.forgotten_waters.scenario.plain_effects import MoveShip
from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.words import page_name, printed_name
from engine.kit.scene.panels import Passage
from engine.kit.words import counted


def moment(state: WatersState, names: Sequence[str]) -> str:
    """Return the start of the sentence about the current step, such as 'Swagger check'; empty if none is needed."""
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


def passage(state: WatersState) -> Passage | None:
    """Return the prose of the pending choice or skill check; None if there is none."""
    if state.outcome is not None or not state.agenda:
        return None
    found = state.pack.prose.get(msgspec.json.encode(state.agenda[0].effect))
    if found is None:
        return None
    id_, name, text = found
    return Passage(id=id_, title=say(name) if name else page_name(state, state.page), text=say(text))
