"""Set Up, in the rulebook's order. Each shuffle needs results."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.language import say
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import DesertSide, Role, Space, equipment_deck, printed_name
from engine.games.forbidden_desert.state import DesertOptions, DesertState, Tile
from engine.kit.chance import Chance, dealt
from engine.kit.options import SetupPrompt, ordinal
from engine.kit.piles import Pile


def set_up(options: DesertOptions, seats: int, chance: Chance) -> DesertState:
    """Return the state at the start of the first turn.

    Chance determines, in this order: the space of the wreck, the three spaces with a water drop, and the adventurer of
    each seat. City sides and the order of the decks stay unknown.
    """
    spaces = [space for space in box.SPACES if space != box.HOLE]
    wreck = chance.draw("crash_tile", spaces)
    wells = dealt(chance, "water_tile", [space for space in spaces if space != wreck], box.WATER_TILES)
    roles = tuple(map(Role, dealt(chance, "adventurer", [role.value for role in box.ROLES], seats)))
    return DesertState(
        turn=1,
        phase="actions",
        options=options,
        board=tuple(None if space == box.HOLE else _tile(space, wreck, wells) for space in box.SPACES),
        hole=box.HOLE,
        sand_supply=box.SAND_MARKERS - len(box.FIRST_SAND),
        roles=roles,
        pawns=(wreck,) * seats,
        water=tuple(box.ROLES[role].canteen for role in roles),
        equipment=((),) * seats,
        shielded=(False,) * seats,
        equipment_pile=Pile.shuffled(equipment_deck(with_tracker=options.storm_tracker == "on")),
        storm_pile=Pile.shuffled(box.STORM_DECK),
        storm_tick=box.START_TICK[options.difficulty],
        active=int(options.first_player[1:]) - 1,
        actions_left=box.ACTIONS_PER_TURN,
    )


def _tile(space: Space, wreck: Space, wells: Sequence[Space]) -> Tile:
    desert_side: DesertSide = "crash" if space == wreck else "water" if space in wells else "plain"
    city_side = next(iter(box.CITY_SIDES["crash"])) if desert_side == "crash" else None
    return Tile(desert_side=desert_side, city_side=city_side, sand=int(space in box.FIRST_SAND))


def setup_prompts(names: Sequence[str]) -> list[SetupPrompt]:
    """Return the questions of the setup, in the order of `set_up`."""
    return [
        SetupPrompt(say("The desert"), say("the crashed helicopter")),
        *(
            SetupPrompt(say("The desert"), say("the {ordinal} water drop", ordinal=ordinal(well + 1)))
            for well in range(box.WATER_TILES)
        ),
        *(SetupPrompt(say("Adventurers"), name) for name in names),
    ]


def describe(state: DesertState, names: Sequence[str]) -> list[str]:
    """Describe the table after the setup."""
    water = [space for space in box.SPACES if space != state.hole and state.tile(space).desert_side == "water"]
    roles = (
        say("{name} is the {role}", name=name, role=say(box.ROLES[role].name))
        for name, role in zip(names, state.roles, strict=True)
    )
    return [
        say("The helicopter has crashed at {place}.", place=printed_name(state.pawns[0])),
        say("There may be water at {places}.", places="; ".join(map(printed_name, water))),
        f"{'; '.join(roles)}.",
        say(
            "The storm brings {cards} cards a turn; {active} begins.",
            cards=state.storm_level,
            active=names[state.active],
        ),
    ]
