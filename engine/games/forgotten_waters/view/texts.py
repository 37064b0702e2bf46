"""Texts about the table: the current step, the prose to read aloud first, and the notes of a saved game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.language import marked, say
from engine.games.forgotten_waters import words
from engine.games.forgotten_waters.scenario.effects import Check, Choose, MoveShip
from engine.games.forgotten_waters.scenario.pack import ROLES
from engine.games.forgotten_waters.scenario.values import SKILLS, STATS
from engine.games.forgotten_waters.state import WatersState
from engine.kit.scene.panels import Passage
from engine.kit.words import counted, join_words


def moment(state: WatersState, names: Sequence[str]) -> str:
    """Return the start of the sentence, such as 'Swagger check'; empty if the actions say enough."""
    if state.agenda:
        match state.agenda[0].effect:
            case Check(skill=skill):
                return say("{skill} check", skill=words.printed_name(skill))
            case MoveShip(n=n):
                return say("{spaces} left", spaces=counted(n, "space"))
            case Choose(by="group"):
                return say("Choose together")
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
    return Passage(id=id_, title=say(name) if name else words.page_name(state, state.page), text=say(text))


def state_sheet(state: WatersState, names: Sequence[str]) -> dict[str, str]:
    """Return the notes that players make when they save the game, as labels and texts: the ship, then each player."""
    pack, count, discarded = state.pack, len(state.treasure_pile), len(state.treasure_discard)
    counts = [f"{words.printed_name(counter)} {value}" for counter, value in state.counts]
    dials = [
        say("{dial} {value} of {most}", dial=words.printed_name(feature.id), value=value, most=feature.max)
        for feature, value in zip(state.features, state.dials, strict=True)
    ]
    tracks = ((stat, getattr(state, stat), getattr(state.maxima, stat)) for stat in STATS)
    stats = (
        say("{stat} {value} of {most}", stat=words.inline_name(stat), value=value, most=most)
        for stat, value, most in tracks
    )
    tokens = [f"{space}: {words.name_on(state, space, token)}" for space, token in state.tokens]
    roles = (f"{words.printed_name(role)}: {names[seat]}" for role, seat in zip(ROLES, state.roles, strict=True))
    objective = words.objective_name(state, state.objective)
    threat = {"threat": state.threat, "events": state.threat_events, "last": state.last_threat_event}
    called = {say("Ship's name"): state.options.ship_name} if state.options.ship_name else {}
    return {
        say("Scenario"): state.options.book.title or say(pack.title),
        say("Part"): say("{part}, round {round}", part=state.part, round=state.round),
        say("Page"): words.page_name(state, state.page) if state.page else say("the location book is closed"),
        say("Objective"): say("{objective} (threat limit {limit})", objective=objective, limit=state.threat_limit),
        say("Threat"): say("{threat}; {events} of {last} threat events checked off", **threat),
        **called,
        say("Ship"): ", ".join(stats),
        say("Cannons"): join_words([words.cannon_name(cannon) for cannon in state.cannons]),
        say("Dials"): join_words(dials),
        say("Locked"): join_words([str(number) for number in state.locked]),
        say("Infamy"): join_words([words.pirate_name(state, seat, names) for seat in state.infamy]),
        say("Ship on"): state.ship,
        say("Map"): join_words(tokens),
        say("Log"): join_words(counts),
        say("Roles"): "; ".join(roles),
        say("Treasure deck"): say("{count} cards, {discarded} discarded", count=count, discarded=discarded),
        **{f"{name} ({say(state.sheet(at).title)})": _pirate_sheet(state, at, names) for at, name in enumerate(names)},
    }


def _pirate_sheet(state: WatersState, seat: int, names: Sequence[str]) -> str:
    pirate = state.pirates[seat]
    skills = ", ".join(f"{words.inline_name(skill)} {pirate.filled_boxes(skill)}" for skill in SKILLS)
    parts = (
        f"{words.pirate_name(state, seat, names)}, {words.inline_name(pirate.standee)}",
        skills,
        say("stars {stars}", stars=join_words(map(say, pirate.stars))),
        say("{events} events completed, {tokens} event tokens", events=pirate.events, tokens=pirate.event_tokens),
        say("treasures {cards}", cards=join_words(words.card_name(state, card) for card in pirate.treasures)),
        say("stories {cards}", cards=join_words(words.card_name(state, card) for card in pirate.stories)),
        say("{rerolls} re-roll, {misfortune} misfortune", rerolls=pirate.rerolls, misfortune=pirate.misfortune),
    )
    return "; ".join(parts)
