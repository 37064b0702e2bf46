"""Chance: the rules ask and get an outcome; they never see who answered.

The kernel calls `begin` before an event's rules run and `finish` after them; in between the rules call `draw`.
"""

from __future__ import annotations

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed, NotDrawn, OutcomeRequired
from engine.core.language import marked, say
from engine.core.values import ChancePoint, Value

V = TypeVar("V", bound=Value)


class Chance(Protocol):
    """A source of chance."""

    @property
    def reported(self) -> tuple[Value | None, ...]:
        """What the event's draft says came up."""

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        """Event `seq` begins; `reported` is what its draft says came up."""

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        """What came up among `options`, which are equally likely and in listed order.

        Args:
            matters: where the rules ask several times in one event under one `name`: all that they still need to know,
                beside `options`, of what came up under it before (such as a hand, whose cards have no order). Ways in
                which the same matters are not told apart where nobody saw what came up (see
                `engine.play.beliefs.worlds`).
        """

    @property
    def has_drawn(self) -> bool:
        """Whether it has drawn in this event what nobody can know before it is in the log."""

    def accept(self) -> None:
        """What was reported of this event has been judged elsewhere (see `engine.play.beliefs.belief`)."""

    def finish(self) -> tuple[Value | None, ...]:
        """All that came up in the event, in order.

        Raises:
            Malformed: more was reported than the rules asked for.
        """


class Observed:
    """Takes the next reported outcome, and refuses one that cannot have come up."""

    __slots__ = ("_position", "_reported")

    def __init__(self) -> None:
        self._reported: tuple[Value | None, ...] = ()
        self._position = 0

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        self._reported = reported
        self._position = 0

    @property
    def reported(self) -> tuple[Value | None, ...]:
        return self._reported

    @property
    def has_drawn(self) -> bool:
        """Never: the table knows what came up."""
        return False

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        """The next reported outcome.

        Raises:
            OutcomeRequired: nothing more was reported.
            ImpossibleOutcome: it is not among `options`.
        """
        position = self._position
        if position == len(self._reported):
            raise OutcomeRequired(ChancePoint(name, position, tuple(options)))
        value = self._reported[position]
        try:
            drawn = options[options.index(value)]
        except ValueError:
            raise ImpossibleOutcome(ChancePoint(name, position, tuple(options)), value) from None
        self._position = position + 1
        return drawn

    def accept(self) -> None:
        self._position = len(self._reported)

    def finish(self) -> tuple[Value | None, ...]:
        if self._position != len(self._reported):
            raise Malformed(
                f"/outcomes/{self._position}",
                f"too many outcomes: {len(self._reported)} given, the rules ask for {self._position or 'none'} here",
            )
        return self._reported


class Recorded(Observed):
    """Replays the outcomes that stand in an event: a fold never draws again."""

    __slots__ = ()


class _Drawing(ABC):
    """What the sources that draw for themselves share: they keep what came up."""

    def __init__(self) -> None:
        self._seq = 0
        self._drawn: list[Value] = []

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        if reported:
            raise Malformed("/outcomes", "chance is the service's here: leave the outcomes out")
        self._seq = seq
        self._drawn = []

    @property
    def reported(self) -> tuple[Value | None, ...]:
        """Nothing: it draws for itself."""
        return ()

    @property
    def has_drawn(self) -> bool:
        return bool(self._drawn)

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        value = options[self._index(len(options))]
        self._drawn.append(value)
        return value

    @abstractmethod
    def _index(self, size: int) -> int:
        """Which of `size` equally likely outcomes comes up."""

    def accept(self) -> None:
        """Nothing is reported here."""

    def finish(self) -> tuple[Value | None, ...]:
        return tuple(self._drawn)


class Seeded(_Drawing):
    """Draws by the published formula: HMAC-SHA256(seed, "<seq>:<k>:<attempt>"), see `seeded_index`."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.seed = seed
        self._key = seed.encode()

    def _index(self, size: int) -> int:
        return seeded_index(self._key, self._seq, len(self._drawn), size)


class Sealed(_Drawing):
    """Stands for a seed that is not known here: a seeded game that was imported before its end."""

    def _index(self, size: int) -> int:
        message = say("The seed of this game is not known here: fork it to go on.")
        raise IllegalAction(marked("Seeded chance"), message)


class Chosen(_Drawing):
    """Takes the first of the options always, or the last: for a table that stands for any.

    Where the same is asked again at once it takes the next: a throw that is made again until it fits comes to an end.
    """

    def __init__(self, *, is_last: bool = False) -> None:
        super().__init__()
        self._is_last = is_last
        self._asked: object = None
        self._times = 0

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        asked = (name, tuple(options))
        self._times = self._times + 1 if asked == self._asked else 0
        self._asked = asked
        return super().draw(name, options, matters)

    def _index(self, size: int) -> int:
        at = self._times % size
        return size - 1 - at if self._is_last else at


class Undrawn(_Drawing):
    """Stands for a seed while something is only tried: what it would bring up is told to nobody."""

    def _index(self, size: int) -> int:
        raise NotDrawn


def try_all(run: Callable[[Chance], object]) -> None:
    """Run `run` once for each way in which chance may answer it: where chance is drawn, being refused afterwards would
    tell what came up.

    Raises:
        Whatever `run` raises for one of them.
    """
    todo: list[tuple[Value, ...]] = [()]
    while todo:
        outcomes, chance = todo.pop(), Observed()
        chance.begin(0, outcomes)
        try:
            run(chance)
        except OutcomeRequired as required:
            todo += [(*outcomes, value) for value in required.point.probabilities()]


class RandomSource(Protocol):
    """What `Sampled` needs of a random number generator; `random.Random` has it."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to `stop - 1`, each as likely."""


class Sampled(_Drawing):
    """Draws from a random number generator that the caller brings: for playouts and analysis."""

    def __init__(self, rng: RandomSource) -> None:
        super().__init__()
        self._rng = rng

    def _index(self, size: int) -> int:
        return self._rng.randrange(size)


def seeded_index(key: bytes, seq: int, k: int, size: int) -> int:
    """Outcome `k` of event `seq` as an index below `size`.

    The first 8 bytes, big-endian, of HMAC-SHA256(key, "<seq>:<k>:<attempt>"); a number at or above the largest
    multiple of `size` below 2^64 is thrown away and `attempt` (from 0) goes up by one; then modulo `size`.
    """
    limit = (1 << 64) - (1 << 64) % size
    attempt = 0
    while True:
        mac = hmac.digest(key, f"{seq}:{k}:{attempt}".encode(), "sha256")
        number = int.from_bytes(mac[:8], "big")
        if number < limit:
            return number % size
        attempt += 1


def seed_commitment(seed: str) -> str:
    """Lower-case hex SHA-256 of the seed's UTF-8.

    Raises:
        Malformed: the seed holds half of a surrogate pair, which has no UTF-8.
    """
    try:
        return hashlib.sha256(seed.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise Malformed("/seed", f"a seed that is not Unicode: {error.reason}") from None
