"""Steps that players can forget, and the state after each step is skipped.

The initial placement cannot be skipped: a player without a hut is not in the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import marked
from engine.games.forever_island.components import OWNER
from engine.games.forever_island.ending import next_turn, resolve
from engine.games.forever_island.headings import GAMEPLAY, RAID, TRADE, WEATHER
from engine.games.forever_island.state import ForeverState, replace
from engine.kit.steps import ENDING, DueStep, Skip

ROLL = DueStep(
    "weather",
    "weather roll",
    WEATHER,
    missed=marked("{player} did not roll for weather"),
    duty=marked("{player} had to roll for weather"),
)
ANSWER = DueStep(
    "answer",
    "answer to the offer",
    TRADE,
    missed=marked("{player} did not answer the offer"),
    duty=marked("{player} had to answer the offer"),
)
RAIDING = DueStep(
    "raid",
    "raid",
    RAID,
    missed=marked("{player} did not finish the raid"),
    duty=marked("{player} had to finish the raid"),
)
END_OF_TURN = DueStep(
    "end_turn",
    "passing of the die to the next player",
    GAMEPLAY,
    missed=marked("{player} did not pass the die to the next player"),
    duty=marked("{player} had to pass the die to the next player"),
    has_result=False,
)

STEPS = (ROLL, ANSWER, RAIDING, END_OF_TURN)


def skips(state: ForeverState) -> Iterator[Skip[ForeverState]]:
    """Yield the step that is due, with the table after it is skipped. An offer lapses; a raid ends without losses."""
    if state.raid is not None:
        yield Skip(RAIDING, state.active, replace(state, phase="actions", raid=None))
    elif state.exchange is not None:
        yield Skip(ANSWER, state.exchange.partner, replace(state, phase="actions", exchange=None))
    elif state.double_up is not None:
        yield Skip(ANSWER, OWNER[state.double_up], replace(state, phase="actions", double_up=None))
    elif state.phase == "weather":
        yield Skip(ROLL, state.active, replace(state, phase="actions"))
    elif state.phase == "actions":
        yield Skip(END_OF_TURN, state.active, next_turn(state))


def overlooks(state: ForeverState) -> Iterator[Skip[ForeverState]]:
    """Yield a win with three totems, and the table without this win. After other endings, play cannot continue."""
    if state.outcome is not None and state.outcome.reason == "three_totems":
        yield Skip(ENDING, state.active, resolve(state.with_play_resumed()))
