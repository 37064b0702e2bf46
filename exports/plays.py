"""A play: the facts about a finished game, for programs that only log plays, not moves."""

from __future__ import annotations

import functools
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from engine.core.documents import params_schema
from engine.core.language import say
from engine.core.plays import PastPlay, PlayPart
from engine.core.values import SEAT_IDS
from engine.kit.options import in_words
from engine.play import registry
from engine.play.beliefs import belief
from engine.review.playing_time import Clock, began_at, moment, retime_events
from exports.log import Log, Unsuitable
from exports.narration import mainline
from exports.prose import describe_result

PLACE = "location:"
"""The prefix of a tag with the location of the game."""


class Play(PastPlay, frozen=True, kw_only=True):
    """The play of a finished game. Its `id` never changes, so repeated imports add the play only once."""

    game_id: str
    last_at: datetime
    """The time of the end; the time of the start if the log has no duration."""

    @property
    def ended_at(self) -> datetime:
        return self.last_at


@functools.lru_cache(4096)
def named_uuid(kind: str, name: str) -> UUID:
    """Return a constant UUID (RFC 9562, version 5) for a kind of thing and a name."""
    return uuid5(NAMESPACE_URL, f"urn:driftlog:{kind}:{name}")


def play(log: Log) -> Play:
    """Return the game of `log` as a play.

    Raises:
        Unsuitable: the game has not ended.
        EngineError: the log cannot be replayed.
    """
    game = log.fold()
    rules, outcome, state = game.ruleset, game.outcome, game.state
    if outcome is None:
        raise Unsuitable("/format", say("the game has not ended: there is no play to log yet"))
    clock = Clock.of(log.events)
    first = next((one.after for one in mainline(log) if one.after is not None), None)
    beginner = None if first is None else rules.active(belief.likeliest(first))
    chosen = in_words(params_schema(rules.options), game.options)
    ending = rules.ending(outcome.reason)
    how = describe_result(outcome, game.names)
    played_at = game.details.played_at
    began = moment(played_at or clock.began_at or began_at(retime_events(log.events))).astimezone(UTC)
    ended_at = clock.ended_at(played_at)
    return Play(
        id=str(of_game(log.game_id)),
        game_id=log.game_id,
        ruleset=rules.id,
        game="" if rules is registry.ruleset(rules.id, rules.version) else rules.name,
        highest_wins=rules.highest_wins,
        result="won" if outcome.winners else "lost",
        played_at=began.isoformat(),
        last_at=began if ended_at is None or clock.minutes is None else moment(ended_at).astimezone(UTC),
        minutes=clock.minutes,
        place=next((place for tag in game.tags if (place := _place(tag))), ""),
        variant="; ".join(f"{title}: {value}" for title, value in chosen.items()),
        parts=tuple(
            PlayPart(
                name=name,
                role="" if state is None else " / ".join(map(say, rules.role(belief.likeliest(state), seat).values())),
                has_won=SEAT_IDS[seat] in outcome.winners,
                has_begun=seat == beginner,
                score=outcome.scores[seat] if outcome.scores else None,
            )
            for seat, name in enumerate(game.names)
        ),
        comments=f"{say('{ended} in turn {turn}', ended=how[0].upper() + how[1:], turn=game.turn)}. {ending}",
    )


def of_game(game_id: str) -> UUID:
    """Return the UUID of a game's play."""
    return named_uuid("games", game_id)


def _place(tag: str) -> str:
    return tag[len(PLACE) :].strip() if tag.casefold().startswith(PLACE) else ""
