"""A game in memory: one class for recording, replay, audit and exports."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

import msgspec

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Draft, Event, Mode, Seat
from engine.core.values import ChancePoint, GameOutcome, State, Value
from engine.play.beliefs import belief
from engine.play.fold import History
from engine.play.offers import Offer, offers, point
from engine.play.record import chance_for, open_game, record
from engine.play.visibility import add_salt
from engine.review.audit import audit, verify
from engine.review.report import Report
from exports import FORMATS, Format, Log, read_any


class Outcome(msgspec.Struct, frozen=True):
    """A possible result of a draw or roll."""

    value: Value
    label: str
    p: Fraction | None
    """The probability of the result; None if it is unknown because too many cards were drawn unseen."""


class LegalAction(msgspec.Struct, frozen=True):
    """An action that is legal now, or that may be legal, depending on an unknown result."""

    type: str
    actor: str | None
    params: dict[str, Any]
    label: str
    p: Fraction | None = Fraction(1)
    """The probability that the action is legal; None if unknown."""
    outcomes: tuple[Outcome, ...] = ()
    """The possible results of the action's first draw or roll; empty if it has none."""


class Game:
    """A recorded game in memory. Nothing is stored until `write`."""

    def __init__(self, events: Sequence[Event], seed: str | None = None) -> None:
        """Replay a log.

        Args:
            events: the whole log, from event 1 on.
            seed: the seed, to continue a seeded game.

        Raises:
            LogDoesNotVerify: the log breaks its hash chain or the rules; `seq` has the first such event.
        """
        self._game, self._events, self._seed = verify(events), list(events), seed
        self._history = History(self._game.header)
        self._history.fold(self._events[1:])

    @classmethod
    def open(
        cls,
        ruleset: str,
        *,
        seats: Sequence[str],
        options: Mapping[str, Any] | None = None,
        seed: str | None = None,
        observed: bool = False,
        mode: Mode = "strict",
        tags: Sequence[str] = (),
    ) -> Self:
        """Open a game.

        A seeded game is set up at once. An observed game waits for `append("set_up", outcomes=[…])`.

        Args:
            ruleset: the id of an installed ruleset, such as `forbidden-island`.
            seats: the players' names, in seat order.
            options: options that differ from the ruleset's defaults.
            seed: the seed of all draws (default: 32 random bytes).
            observed: True if you report the results of real cards and dice.

        Raises:
            UnknownRuleset: the ruleset is not installed.
            Malformed: the seats or options do not fit the ruleset.
        """
        if observed and seed is not None:
            raise Malformed("/seed", "an observed game has no seed: omit it")
        chosen = None if observed else seed or secrets.token_hex(32)
        _, first = open_game(
            ruleset=ruleset,
            seats=[Seat(name=name) for name in seats],
            options=options or {},
            seed=chosen,
            recorded_at=_now(),
            tags=tags,
            mode=mode,
        )
        game = cls([first], chosen)
        if chosen is not None:
            game.append(lifecycle.SET_UP)
        return game

    @classmethod
    def read(cls, path: str | Path, seed: str | None = None) -> Self:
        """Read a log that was exported as `json` or `ndjson`, and replay it.

        Args:
            seed: the seed, to continue a seeded game, whose log does not contain it.

        Raises:
            OSError: the file cannot be read.
            Malformed: the file is not a log; `pointer` says where.
            LogDoesNotVerify: the log breaks its hash chain or the rules.
        """
        return cls(read_any(Path(path).read_bytes()), seed)

    def write(self, path: str | Path, format: str | None = None) -> None:  # noqa: A002  # the exports call it so
        """Export the log to a file.

        Args:
            format: the name of an export format (default: the format of the file's extension).

        Raises:
            ValueError: there is no such format.
            Unsuitable: the format cannot hold this game.
        """
        target = Path(path)
        kind = FORMATS.get(format) if format else _format_of(target.name)
        if kind is None:
            raise ValueError(f"{format or target.name!r} is not an export format: choose one of {', '.join(FORMATS)}")
        log = Log(game_id=self._events[0].hash[:26], events=self._events, game=self._game)
        target.write_bytes(b"".join(kind.write(log)))

    def append(
        self,
        kind: str,
        actor: str | None = None,
        /,
        *,
        outcomes: Iterable[Value | None] = (),
        occurred_at: str | None = None,
        note: str | None = None,
        **params: Any,
    ) -> list[Event]:
        """Append an action and return its events: the action, and `game_closed` if it ends the game.

        Args:
            kind: the type of the action, such as `move`, or `undo`, `amend`, `adjust` and so on.
            actor: the acting seat, such as `p1`.
            outcomes: the results at the table, in the order in which the rules ask for them.
            params: the action's parameters.

        Raises:
            EngineError: the action is rejected, and nothing is appended.
        """
        draft = Draft(
            type=kind, actor=actor, params=params, outcomes=tuple(outcomes), occurred_at=occurred_at, note=note
        )
        chance = chance_for(self._game.header, self._seed)
        draft = add_salt(self._game.ruleset, draft, secrets.token_hex(16))
        self._game, events = record(self._game, [draft], chance, self._history, recorded_at=_now())
        self._history.fold(events)
        self._game = msgspec.structs.replace(self._game, by_hand=self._history.by_hand)
        self._events += events
        return events

    @property
    def events(self) -> tuple[Event, ...]:
        """The log."""
        return tuple(self._events)

    @property
    def version(self) -> int:
        """The `seq` of the last event."""
        return self._game.version

    @property
    def head(self) -> str:
        """The hash of the last event."""
        return self._game.head

    @property
    def turn(self) -> int:
        """The current turn; 0 before the first."""
        return self._game.turn

    @property
    def outcome(self) -> GameOutcome | None:
        """The outcome of the game; None while it continues."""
        return self._game.outcome

    @property
    def state(self) -> State | None:
        """The state after the last event; None before the setup. If results are unknown, it is the likeliest state."""
        return self.state_at(self.version)

    def state_at(self, seq: int) -> State | None:
        """Return the state after event `seq`.

        Raises:
            IndexError: there is no such event.
        """
        if not 1 <= seq <= self.version:
            raise IndexError(f"there is no event {seq}; the log has {self.version}")
        state = self._history.state(seq)
        return None if state is None else belief.likeliest(state)

    def legal_actions(self, actor: str | None = None) -> list[LegalAction]:
        """List the legal actions of a seat, by default of all seats, in the order of the rulebook."""
        state = self._game.state
        if state is None:
            return [self._setup()]
        found = offers(self._game.ruleset, state)
        return [self._legal_action(one) for one in found if actor in {None, one.legal.actor}]

    def odds(self, actor: str | None = None) -> dict[str, dict[str, Fraction | None]]:
        """For each legal action that draws or rolls, return the possible results with their probabilities, by label."""
        return {
            action.label: {one.label: one.p for one in action.outcomes}
            for action in self.legal_actions(actor)
            if action.outcomes
        }

    def audit(self) -> Report:
        """Replay the log and judge every event."""
        return audit(self._events)

    def _legal_action(self, offer: Offer) -> LegalAction:
        state, legal = self._game.state, offer.legal
        assert state is not None
        return LegalAction(
            legal.action.type,
            legal.actor,
            msgspec.to_builtins(legal.action),
            legal.action.label(belief.likeliest(state), self._game.names),
            offer.probability,
            self._outcomes(point(self._game.ruleset, state, legal)),
        )

    def _setup(self) -> LegalAction:
        rules, header = self._game.ruleset, self._game.header
        asked = rules.setup_point(rules.parse_options(header.options, len(header.seats)), len(header.seats))
        return LegalAction(lifecycle.SET_UP, None, {}, "Set up the game", outcomes=self._outcomes(asked))

    def _outcomes(self, asked: ChancePoint | None) -> tuple[Outcome, ...]:
        odds = {} if asked is None else asked.probabilities()
        is_known = not isinstance(asked, belief.MixedPoint) or asked.is_exact
        label = self._game.ruleset.value_label
        return tuple(Outcome(value, label(value), p if is_known else None) for value, p in odds.items())


def _format_of(name: str) -> Format | None:
    """Return the export format of a file by its extension. If several extensions fit, the longest one counts."""
    found = [kind for kind in FORMATS.values() if name.endswith(f".{kind.extension}")]
    return max(found, key=lambda kind: len(kind.extension), default=None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
