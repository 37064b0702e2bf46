"""The values of a game after one of its events."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.details import NO_DETAILS, Details, IfIllegal
from engine.core.documents import malformed_error
from engine.core.errors import Malformed
from engine.core.events import Header
from engine.core.values import GameOutcome, State
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.beliefs.belief import likeliest
from engine.play.corrections.details import options_at
from engine.play.line import Entry


def parse_header(event: Entry) -> Header:
    """Parse the header in event 1.

    Raises:
        Malformed: the event is not a valid `game_opened`.
    """
    if event.type != lifecycle.GAME_OPENED:
        raise Malformed("/type", "a log must begin with game_opened")
    if event.actor is not None or event.outcomes:
        raise Malformed("", "game_opened must have no actor and no results")
    try:
        header = msgspec.convert(event.params, Header)
    except msgspec.ValidationError as error:
        raise malformed_error(error, "/params", Header) from None
    if (header.chance == "seeded") != (header.seed_commitment is not None):
        raise Malformed(
            "/params/seed_commitment", "a seeded game needs a seed commitment, and an observed game must have none"
        )
    if header.seed_shares and header.seed_commitment is None:
        raise Malformed("/params/seed_shares", "an observed game has no seed to mix")
    return header


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game as of event `version`."""

    header: Header
    version: int
    """The `seq` of the last event."""
    head: str
    """The hash of the last event."""
    state: State | None
    """The state; None until the game is set up."""
    by_hand: bool = False
    """True if adjustments decided the outcome (see `engine.play.by_hand`)."""

    @property
    def ruleset(self) -> AnyRuleset:
        """The ruleset, in the version of the game."""
        return registry.of(self.header)

    @property
    def details(self) -> Details:
        """The details of the game that have changed since event 1."""
        return NO_DETAILS if self.state is None else self.state.details

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat's current or last player, in seat order."""
        return self.header.names_at(self.state)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags for finding the game."""
        return self.header.tags if self.details.tags is None else self.details.tags

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its current value."""
        return options_at(self.header, self.state)

    @property
    def if_illegal(self) -> IfIllegal:
        """The default handling of an illegal action, if a request does not specify it."""
        return self.details.if_illegal or ("accept" if self.header.mode == "as_played" else "ask")

    @property
    def outcome(self) -> GameOutcome | None:
        """The result; None while the game continues."""
        outcome = self.state.outcome if self.state is not None else None
        if outcome is None or not self.by_hand:
            return outcome
        return msgspec.structs.replace(outcome, by_hand=True)

    @property
    def turn(self) -> int:
        """The current turn; 0 before the first."""
        return self.state.turn if self.state is not None else 0

    @property
    def phase(self) -> str:
        """The part of the turn; `setup` before the game is set up, `over` when it has ended."""
        if self.state is None:
            return "setup"
        return self.state.phase if self.state.outcome is None else "over"

    @property
    def status(self) -> str:
        """`setup`, `in_progress`, `finished` or `abandoned`."""
        if self.state is None:
            return "setup"
        if self.state.outcome is None:
            return "in_progress"
        return "abandoned" if self.state.outcome.result == "abandoned" else "finished"

    @property
    def awaiting(self) -> tuple[str, ...]:
        """The ids of the seats for which the game waits."""
        if self.state is None or self.state.outcome is not None:
            return ()
        ids = self.header.seat_ids
        return tuple(ids[seat] for seat in self.ruleset.awaiting(likeliest(self.state)))
