"""A play: what is kept of a game that has ended by programs that count plays, and not moves."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from engine.core.documents import params_schema
from engine.core.language import say
from engine.core.plays import Part, PastPlay
from engine.core.values import SEAT_IDS
from engine.kit.options import in_words
from engine.play.beliefs import belief
from engine.play.game import Game
from engine.play.rules import Rules
from engine.review import turns
from engine.review.playing_time import Clock, began_at, moment
from exports.log import Log, Unsuitable
from exports.narration import mainline
from exports.prose import ended

PLACE = "location:"
"""A tag that begins so says where the game was played."""


class Play(PastPlay, frozen=True, kw_only=True):
    """The play of a recorded game that has ended; its `id` is the same each time, so that an import adds it once."""

    game_id: str
    last_at: datetime
    """When it ended; when it began, where the log does not tell how long it was played."""

    @property
    def ended_at(self) -> datetime:
        return self.last_at


@functools.lru_cache(4096)
def named(kind: str, name: str) -> UUID:
    """Return the UUID (RFC 9562, version 5) of the thing of that kind with that name."""
    return uuid5(NAMESPACE_URL, f"urn:driftlog:{kind}:{name}")


def play(log: Log) -> Play:
    """What is kept of the game of `log`.

    Raises:
        Unsuitable: it has not ended.
        EngineError: it does not replay.
    """
    game = log.folded()
    header, rules, outcome = game.header, game.ruleset, game.outcome
    if outcome is None:
        raise Unsuitable("/format", say("the game has not ended: there is no play to log yet"))
    clock = Clock().after(log.events)
    first = next((one.after for one in mainline(log) if one.after is not None), None)
    beginner = None if first is None else rules.active(belief.likeliest(first))
    chosen = in_words(params_schema(rules.options), header.options)
    ending = turns.ending(Rules(header), outcome.reason)
    how = ended(outcome, header.names)
    began = moment(clock.began_at or began_at(log.events)).astimezone(UTC)
    return Play(
        id=str(of_game(log.game_id)),
        game_id=log.game_id,
        ruleset=rules.id,
        result="won" if outcome.winners else "lost",
        played_at=began.isoformat(),
        last_at=began if clock.at is None or clock.minutes is None else moment(clock.at).astimezone(UTC),
        minutes=clock.minutes,
        place=next((place for tag in header.tags if (place := _place(tag))), ""),
        variant="; ".join(f"{title}: {value}" for title, value in chosen.items()),
        parts=tuple(
            Part(
                name=name,
                role=" / ".join(map(say, _roles(game, seat))),
                has_won=SEAT_IDS[seat] in outcome.winners,
                has_begun=seat == beginner,
            )
            for seat, name in enumerate(header.names)
        ),
        comments=f"{say('{ended} in turn {turn}', ended=how[0].upper() + how[1:], turn=game.turn)}. {ending}",
    )


def of_game(game_id: str) -> UUID:
    """The UUID of the play of that game."""
    return named("games", game_id)


def _place(tag: str) -> str:
    return tag[len(PLACE) :].strip() if tag.casefold().startswith(PLACE) else ""


def _roles(game: Game, seat: int) -> Iterator[str]:
    if game.state is not None:
        yield from game.ruleset.role(belief.likeliest(game.state), seat).values()
