"""Setup in pictures: the players' sheets with their constellations, then the infamy order."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.games.forgotten_waters.rules.setup import RANKS, standees
from engine.games.forgotten_waters.state import PirateChoice, WatersOptions
from engine.games.forgotten_waters.view.chart import portrait
from engine.kit.scene.looks import FORMS
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import SetupChoice, SetupPage, SetupPart, SetupStep


def setup_page(options: WatersOptions, names: Sequence[str]) -> SetupPage | None:
    """Return the page; None if only some players chose their sheets."""
    choices = options.pirates or (PirateChoice(),) * len(names)
    dealt = [choice.sheet is None for choice in choices]
    if any(dealt) and not all(dealt):
        return None
    sheets = SetupStep(title=say("Player sheets"), parts=(_sheets(options, names),))
    infamy = SetupStep(title=say("Infamy"), parts=(_infamy(choices, names),))
    pictures = {
        id_: Tile(id=id_, x=0.5, y=0.5, vignette=portrait(sheet), family="night")
        for id_, sheet in options.pack.sheet.items()
    }
    return SetupPage(
        steps=(sheets, infamy) if any(dealt) else (infamy,),
        ready=say("Ready. Open the location book."),
        backdrop="night",
        pictures=pictures,
    )


def _sheets(options: WatersOptions, names: Sequence[str]) -> SetupPart:
    return SetupPart(
        group=say("Player sheets"),
        kind="deal",
        ask=say("Tap {what}."),
        names=tuple(say("{name}'s sheet", name=name) for name in names),
        title=say("Sheet"),
        choices=tuple(SetupChoice(value=sheet.id, label=say(sheet.title)) for sheet in options.pack.sheet.values()),
    )


def _infamy(choices: Sequence[PirateChoice], names: Sequence[str]) -> SetupPart:
    return SetupPart(
        group=say("Infamy"),
        kind="rank",
        ask=say("Tap the player who is {what}."),
        names=tuple(map(say, RANKS[: len(names)])),
        title=say("Infamy track"),
        choices=tuple(
            SetupChoice(value=SEAT_IDS[seat], label=name, form=FORMS[standee], colour=standee)
            for seat, (name, standee) in enumerate(zip(names, standees(choices), strict=True))
        ),
    )
