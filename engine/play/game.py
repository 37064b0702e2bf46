"""A game as it stands after one of its events."""

from __future__ import annotations

import msgspec

from engine.core import lifecycle
from engine.core.documents import malformed
from engine.core.errors import Malformed
from engine.core.events import Event, Header
from engine.core.values import GameOutcome, State
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.beliefs.belief import likeliest


def opened(event: Event) -> Header:
    """The header that event 1 carries.

    Raises:
        Malformed: it is not a `game_opened`.
    """
    if event.type != lifecycle.GAME_OPENED:
        raise Malformed("/type", "a log begins with game_opened")
    if event.actor is not None or event.outcomes:
        raise Malformed("", "game_opened is nobody's action, and asks chance nothing")
    try:
        header = msgspec.convert(event.params, Header)
    except msgspec.ValidationError as error:
        raise malformed(error, "/params", Header) from None
    if (header.chance == "seeded") != (header.seed_commitment is not None):
        raise Malformed("/params/seed_commitment", "a seeded game is committed to its seed, an observed one has none")
    return header


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game folded up to its event `version`."""

    header: Header
    version: int
    """The `seq` of the last event."""
    head: str
    """The hash of the last event."""
    state: State | None
    """None until the game is set up."""
    by_hand: bool = False
    """Whether adjustments decided its outcome (see `engine.play.by_hand`)."""

    @property
    def ruleset(self) -> AnyRuleset:
        """The rules that it is played by."""
        return registry.ruleset(self.header.ruleset, self.header.ruleset_version)

    @property
    def outcome(self) -> GameOutcome | None:
        """How it ended; None while it goes on."""
        outcome = self.state.outcome if self.state is not None else None
        if outcome is None or not self.by_hand:
            return outcome
        return msgspec.structs.replace(outcome, by_hand=True)

    @property
    def turn(self) -> int:
        """The turn that is being played; 0 before the first."""
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
        """The ids of the seats that the game waits for."""
        if self.state is None or self.state.outcome is not None:
            return ()
        ids = self.header.seat_ids
        return tuple(ids[seat] for seat in self.ruleset.awaiting(likeliest(self.state)))
