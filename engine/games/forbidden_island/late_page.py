"""The page for a game that is already under way: the island, the pawns, the cards, the water and the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island import facts
from engine.games.forbidden_island.board import HAND_LOOKS, TREASURE_LOOKS, empty_tile
from engine.games.forbidden_island.components import HAND_LIMIT, SKULL, SPACES, Edition, treasure_deck
from engine.games.forbidden_island.setup_page import lay_tiles, role_choices
from engine.kit.card_looks import CardLooks
from engine.kit.facts import AnyFact
from engine.kit.options import ordinal
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import Report, SetupChoice, SetupPage, SetupPart, SetupStep, deal_roles

UNKNOWN = "unknown"
"""Stands for a card that nobody wants to show, or that the players do not remember."""


def late_page(edition: Edition, names: Sequence[str], kinds: Sequence[type[AnyFact]]) -> SetupPage:
    """Return the page with a screen for each group of facts."""
    (captured,) = (kind for kind in kinds if getattr(kind, "member", "") == "captured")
    return SetupPage(
        steps=(
            SetupStep(title=say("Place the tiles"), parts=(_island(edition),)),
            SetupStep(title=say("Enter the roles"), parts=(_roles(edition, names),)),
            SetupStep(title=say("Place the pawns"), parts=(_pawns(names),)),
            SetupStep(title=say("Flooded and sunk tiles"), parts=(_states(edition),)),
            SetupStep(title=say("Flood discard pile"), parts=(_flood_discard(),)),
            SetupStep(title=say("Enter the hands"), parts=(_hands(edition, names),)),
            SetupStep(title=say("Water and turn"), parts=(_water(), _captured_part(edition, captured), _turn(names))),
        ),
        ready=say("Ready. The record begins here."),
        backdrop="water",
        pictures=dict(_pictures()),
    )


def _pictures() -> Iterator[tuple[str, Tile]]:
    for tile in box.TILES:
        dry = empty_tile(tile)
        yield tile, dry
        yield f"{tile}.flooded", msgspec.structs.replace(dry, is_flooded=True)
        yield f"{tile}.sunk", msgspec.structs.replace(dry, is_gone=True)


def _island(edition: Edition) -> SetupPart:
    report = Report(
        facts=tuple({"fact": facts.LiesAt.tag(), "column": column, "row": row} for column, row in SPACES),
        member="tile",
        stock=box.TILES,
        spaces=SPACES,
    )
    return msgspec.structs.replace(lay_tiles(edition), report=report)


def _roles(edition: Edition, names: Sequence[str]) -> SetupPart:
    part = deal_roles(say(edition.role_titles), names, role_choices(edition))
    return msgspec.structs.replace(
        part, report=Report(facts=_of_seats(facts.Plays, names), member="role", stock=tuple(sorted(edition.roles)))
    )


def _pawns(names: Sequence[str]) -> SetupPart:
    return SetupPart(
        group=say("Pawns"),
        kind="stand",
        ask=say("Tap the tile where {what} is."),
        names=tuple(say("{name}'s pawn", name=name) for name in names),
        report=Report(facts=_of_seats(facts.StandsOn, names), member="tile", stock=box.TILES, returns=True),
    )


def _states(edition: Edition) -> SetupPart:
    families = lay_tiles(edition).families
    tiles = [choice for family in families for choice in family.choices]
    states = ("flooded", "sunk")
    return SetupPart(
        group=say("Flooded and sunk tiles"),
        kind="state",
        ask=say("Tap a flooded tile once, a sunk one twice. All others are dry."),
        names=tuple(choice.label for choice in tiles),
        families=families,
        choices=tuple(SetupChoice(value=state, label=say(state)) for state in states),
        report=Report(
            facts=tuple({"fact": facts.TileIs.tag(), "tile": choice.value} for choice in tiles),
            member="state",
            stock=states,
            returns=True,
            rest={"fact": facts.TileIs.tag(), "tile": "rest", "state": "dry"},
            is_optional=True,
        ),
    )


def _flood_discard() -> SetupPart:
    kind, count = facts.FloodCardIs.tag(), len(box.TILES)
    return SetupPart(
        group=say("Flood discard pile"),
        kind="mark",
        ask=say("Tap the tiles in the Flood discard pile. All other Flood cards are in the pile."),
        names=tuple(say("card {number}", number=number + 1) for number in range(count)),
        report=Report(
            facts=({"fact": kind, "place": "discard_pile"},) * count,
            member="tile",
            stock=box.TILES,
            rest={"fact": kind, "tile": "rest", "place": "pile"},
            is_optional=True,
        ),
    )


def _hands(edition: Edition, names: Sequence[str]) -> SetupPart:
    cards = [card for card in treasure_deck(edition) if card != edition.rising_card]
    choices = CardLooks(HAND_LOOKS, box.printed_name).choices()
    unknown = SetupChoice(value=UNKNOWN, label=say("Unknown card"), symbol="question", tint="steel")
    return SetupPart(
        group=say("Hands"),
        kind="deal",
        ask=say("Tap {what}."),
        names=tuple(
            say("{name}'s {ordinal} card", name=name, ordinal=ordinal(card + 1))
            for name in names
            for card in range(HAND_LIMIT)
        ),
        title=say("Card"),
        choices=(*choices, unknown),
        each=HAND_LIMIT,
        report=Report(
            facts=tuple(fact for fact in _of_seats(facts.HasCards, names) for _ in range(HAND_LIMIT)),
            member="card",
            stock=(*cards, *[UNKNOWN] * (HAND_LIMIT * len(names))),
            size=facts.HandIs.tag(),
            unknown=UNKNOWN,
            is_optional=True,
        ),
    )


def _water() -> SetupPart:
    levels = tuple(range(1, SKULL))
    return SetupPart(
        group=say("Water level"),
        kind="pick",
        ask=say("Tap {what}."),
        names=(say("the water level"),),
        title=say("Water level"),
        choices=tuple(SetupChoice(value=level, label=str(level)) for level in levels),
        report=Report(facts=({"fact": facts.WaterLevel.tag()},), member="level", stock=levels),
    )


def _captured_part(edition: Edition, kind: type[AnyFact]) -> SetupPart:
    return SetupPart(
        group=say(edition.treasures),
        kind="pick",
        ask=say("Tap what the team has."),
        names=tuple(map(box.printed_name, TREASURE_LOOKS)),
        title=say(edition.treasures),
        choices=CardLooks(TREASURE_LOOKS, box.printed_name).choices(),
        report=Report(
            facts=({"fact": kind.tag()},) * len(TREASURE_LOOKS),
            member=kind.about[0],
            stock=tuple(TREASURE_LOOKS),
            is_optional=True,
        ),
    )


def _turn(names: Sequence[str]) -> SetupPart:
    seats = SEAT_IDS[: len(names)]
    return SetupPart(
        group=say("Turn"),
        kind="pick",
        ask=say("Tap {what}."),
        names=(say("the player whose turn begins"),),
        title=say("Whose turn begins?"),
        choices=tuple(SetupChoice(value=seat, label=name) for seat, name in zip(seats, names, strict=True)),
        report=Report(facts=({"fact": facts.TurnOf.tag()},), member="seat", stock=seats),
    )


def _of_seats(kind: type[AnyFact], names: Sequence[str]) -> tuple[dict[str, str], ...]:
    return tuple({"fact": kind.tag(), "seat": seat} for seat in SEAT_IDS[: len(names)])
