"""Sources of chance. The rules ask for an outcome and do not know where it comes from.

The kernel calls `begin`, then runs the rules of one event, which call `draw`, and then calls `finish`.
"""

from __future__ import annotations

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Protocol, Self, TypeVar

from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed, NotDrawn, OutcomeRequired
from engine.core.language import marked, say
from engine.core.values import ChancePoint, Odds, Value

V = TypeVar("V", bound=Value)


class Weighed(tuple[V, ...]):
    """Options that are not single cards or faces of a die. Each is repeated in proportion to its probability."""

    odds: Odds

    def __new__(cls, options: Iterable[V], odds: Odds) -> Self:
        """Args:
        odds: `exact`, or `about` if the probabilities are approximate.
        """
        made = super().__new__(cls, options)
        made.odds = odds
        return made


class Chance(Protocol):
    """A source of chance."""

    @property
    def reported(self) -> tuple[Value | None, ...]:
        """The results in the event's draft."""

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        """Begin event `seq`; `reported` has the results in the event's draft."""

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        """Return one of `options`, which are equally likely and in a fixed order.

        Args:
            matters: needed only if the rules draw several times under one `name` in one event. It contains everything
                that the rules still need to know about the earlier results, apart from `options`. An example is the
                cards drawn so far, without their order. Unknown results with equal `matters` are merged (see
                `engine.play.beliefs.worlds`).
        """

    @property
    def has_drawn(self) -> bool:
        """True if this event has drawn a result, which must stay secret until the event is in the log."""

    def accept(self) -> None:
        """Mark all reported results as used, because other code has judged them (see `engine.play.beliefs.belief`)."""

    def finish(self) -> tuple[Value | None, ...]:
        """Return all results of the event, in order.

        Raises:
            Malformed: the draft reports more results than the rules needed.
        """


class Observed:
    """Returns the results that the players report, and rejects impossible ones."""

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
        """False: the players know the result."""
        return False

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        """Return the next reported outcome.

        Raises:
            OutcomeRequired: there is no further reported outcome.
            ImpossibleOutcome: the outcome is not among `options`.
        """
        position = self._position
        if position == len(self._reported):
            raise OutcomeRequired(_point(name, position, options))
        value = self._reported[position]
        try:
            drawn = options[options.index(value)]
        except ValueError:
            raise ImpossibleOutcome(_point(name, position, options), value) from None
        self._position = position + 1
        return drawn

    def accept(self) -> None:
        self._position = len(self._reported)

    def finish(self) -> tuple[Value | None, ...]:
        if self._position != len(self._reported):
            raise Malformed(
                f"/outcomes/{self._position}",
                f"too many outcomes: {len(self._reported)} given, but the rules need {self._position or 'none'} here",
            )
        return self._reported


def dealt(chance: Chance, name: str, things: Sequence[V], count: int | None = None) -> tuple[V, ...]:
    """Draw `count` of `things`, by default all, one after another. Return them in that order."""
    left, found = list(things), []
    for _ in range(len(left) if count is None else count):
        found.append(chance.draw(name, left))
        left.remove(found[-1])
    return tuple(found)


def _point(name: str, position: int, options: Sequence[Value]) -> ChancePoint:
    return ChancePoint(name, position, tuple(options), odds=options.odds if isinstance(options, Weighed) else "counted")


class Recorded(Observed):
    """Replays the outcomes stored in an event."""

    __slots__ = ()


class _Drawing(ABC):
    """Base of the sources that draw results. It keeps the results for `finish`."""

    def __init__(self) -> None:
        self._seq = 0
        self._drawn: list[Value] = []

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        if reported:
            raise Malformed("/outcomes", "the service draws in this game: omit `outcomes`")
        self._seq = seq
        self._drawn = []

    @property
    def reported(self) -> tuple[Value | None, ...]:
        """Always empty, because the source itself draws all results."""
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
        """Draw one of `size` equally likely outcomes, and return its index."""

    def accept(self) -> None:
        """Do nothing: no outcomes are reported."""

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


class UnknownSeed(_Drawing):
    """Replaces an unknown seed, such as the seed of a game imported before its end. Every draw is rejected."""

    def _index(self, size: int) -> int:
        message = say("The seed of this game is unknown here. Fork the game to continue.")
        raise IllegalAction(marked("Seeded chance"), message)


class Chosen(_Drawing):
    """Always takes the first option, or the last, to produce an arbitrary table.

    If the same draw is repeated at once, it takes the next option, so that a roll with re-rolls ends.
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
    """Replaces the seed in a trial run, so that the run cannot reveal a result."""

    def _index(self, size: int) -> int:
        raise NotDrawn


def try_all(run: Callable[[Chance], object]) -> None:
    """Call `run` once for each possible sequence of results.

    If only the real results were tried, a rejection could reveal them.

    Raises:
        Any exception of `run`.
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
    """The random number generator that `Sampled` needs, such as `random.Random`."""

    def randrange(self, stop: int, /) -> int:
        """Return a random integer from 0 to `stop - 1`, uniformly distributed."""


class Sampled(_Drawing):
    """Draws from the caller's random number generator, for playouts and analysis."""

    def __init__(self, rng: RandomSource) -> None:
        super().__init__()
        self._rng = rng

    def _index(self, size: int) -> int:
        return self._rng.randrange(size)


_WORD = (1 << 64) - 1


def mix_bits(*numbers: int) -> int:
    """Return 64 bits that depend on all `numbers` and look random (SplitMix64)."""
    bits = 0
    for number in numbers:
        bits = (bits + number + 0x9E3779B97F4A7C15) & _WORD
        bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & _WORD
        bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & _WORD
        bits ^= bits >> 31
    return bits


class Stream:
    """A random number generator that gives the same numbers in every process, much faster than `seeded_index`."""

    __slots__ = ("_count", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    @property
    def is_used(self) -> bool:
        """True after the first random number."""
        return self._count > 0

    def randrange(self, stop: int, /) -> int:
        """Return a random integer from 0 to `stop - 1`."""
        self._count += 1
        return mix_bits(self._seed, self._count) * stop >> 64


class Keyed(_Drawing):
    """Draws for playouts: two playouts with the same seed draw the same card if both can.

    Each draw gives every card a random rank, and takes the first one. The ranks of the k-th draw of a name depend only
    on the seed, so they are the same for different piles.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._key = seed
        self._times: dict[str, int] = {}
        self._ranks: list[int] = []

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        times = self._times[name] = self._times.get(name, 0) + 1
        factor = mix_bits(self._key ^ _number(name), times) | 1
        self._ranks = [number * factor & _WORD for number in _numbers(tuple(options))]
        return super().draw(name, options, matters)

    def _index(self, size: int) -> int:
        return self._ranks.index(min(self._ranks))


@lru_cache(1 << 12)
def _number(value: Value, place: int = 0) -> int:
    digest = hashlib.sha256(f"{value} {place}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


@lru_cache(1 << 12)
def _numbers(options: tuple[Value, ...]) -> list[int]:
    """Return a number for each option, from its value and its index among equal options."""
    if len(set(options)) == len(options):
        return [_number(value) for value in options]
    seen: dict[Value, int] = {}
    found = []
    for value in options:
        place = seen[value] = seen.get(value, -1) + 1
        found.append(_number(value, place))
    return found


def seeded_index(key: bytes, seq: int, k: int, size: int) -> int:
    """Compute outcome `k` of event `seq` as an index below `size`.

    The first 8 bytes of HMAC-SHA256(key, "<seq>:<k>:<attempt>") are a big-endian number, with `attempt` from 0. While
    this number is at or above the largest multiple of `size` up to 2^64, `attempt` is increased by one and the number
    computed again. The result is the number modulo `size`.
    """
    limit = (1 << 64) - (1 << 64) % size
    attempt = 0
    while True:
        mac = hmac.digest(key, f"{seq}:{k}:{attempt}".encode(), "sha256")
        number = int.from_bytes(mac[:8], "big")
        if number < limit:
            return number % size
        attempt += 1


MIXED = "mix1"
"""Prefix of a mixed seed. The parts of the seed (shares) follow the prefix."""


def mixed_seed(service: str, others: Iterable[str]) -> str:
    """Return the mixed seed: the service's share, then the other shares in ascending order of their commitments."""
    return ":".join((MIXED, service, *sorted(others, key=seed_commitment)))


def is_mixed_from(seed: str, commitments: Sequence[str]) -> bool:
    """Return True if `seed` consists of shares with these commitments, in this order."""
    name, *shares = seed.split(":")
    return name == MIXED and [seed_commitment(share) for share in shares] == list(commitments)


def seed_commitment(seed: str) -> str:
    """Return the lower-case hex SHA-256 of the seed in UTF-8.

    Raises:
        Malformed: the seed has an unpaired surrogate, which UTF-8 cannot encode.
    """
    try:
        return hashlib.sha256(seed.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise Malformed("/seed", f"the seed is not valid Unicode: {error.reason}") from None
