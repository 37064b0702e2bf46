"""Recording: open a game, and append drafts to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

import msgspec

from engine.core import lifecycle
from engine.core.errors import EngineError
from engine.core.events import GENESIS, ChanceKind, Corrections, Draft, Event, Fork, Header, Mode, Seat, seal
from engine.kit.chance import Chance, Observed, Seeded, UnknownSeed, seed_commitment
from engine.play import registry
from engine.play.game import Game
from engine.play.judge import Judge, JudgedDraft, Policy
from engine.play.past import Past


def open_game(
    *,
    ruleset: str,
    seats: Sequence[Seat],
    options: Mapping[str, Any],
    seed: str | None,
    recorded_at: str,
    tags: Sequence[str] = (),
    mode: Mode = "strict",
    fork: Fork | None = None,
    corrections: Corrections | None = None,
    recorded_by: str | None = None,
    version: str | None = None,
    commitment: str | None = None,
    seed_chosen: bool = False,
    seed_shares: Sequence[str] = (),
) -> tuple[Game, Event]:
    """Return a new game and its event 1.

    Args:
        options: the options that differ from the ruleset's defaults.
        seed: the seed of a seeded game; None for an observed game.
        recorded_at: RFC 3339 in UTC.
        version: the version of the ruleset (default: the newest).
        seed_chosen: True if the creator of the game chose the seed.
        seed_shares: the SHA-256 of each share of a mixed seed.
        commitment: the SHA-256 of an unknown seed, for a seeded game without `seed`.

    Raises:
        UnknownRuleset: the ruleset is not installed.
        Malformed: the seats or options do not fit the ruleset.
    """
    rules = registry.ruleset(ruleset, version)
    commitment = commitment if seed is None else seed_commitment(seed)
    chance: ChanceKind = "observed" if commitment is None else "seeded"
    registry.check_chance(rules, chance)
    parsed = rules.parse_options(options, len(seats))
    rules.check_new(parsed)
    header = Header(
        ruleset=rules.id,
        ruleset_version=rules.version,
        seats=tuple(seats),
        # Convert to JSON types, so that the header equals the header that is parsed from the log.
        options=msgspec.json.decode(msgspec.json.encode(parsed)),
        chance=chance,
        mode=mode,
        tags=tuple(tags),
        seed_commitment=commitment,
        fork=fork,
        corrections=corrections,
        seed_chosen=seed_chosen,
        seed_shares=tuple(seed_shares),
        # Omitted in a strict game, where it makes no difference, so that earlier releases can read the log.
        keeps_turn=mode == "as_played",
    )
    event = seal(
        Draft(type=lifecycle.GAME_OPENED),
        seq=1,
        turn=0,
        params=msgspec.to_builtins(header),
        outcomes=(),
        recorded_at=recorded_at,
        recorded_by=recorded_by,
        prev=GENESIS,
    )
    return Game(header=header, version=1, head=event.hash, state=None), event


def chance_for(header: Header, seed: str | None) -> Chance:
    """Return the source of chance for new events; `seed` is None if the game is observed or its seed is unknown."""
    if header.chance == "observed":
        return Observed()
    return UnknownSeed() if seed is None else Seeded(seed)


def record(
    game: Game,
    drafts: Sequence[Draft],
    chance: Chance,
    past: Past,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
    **policy: Unpack[Policy],
) -> tuple[Game, list[Event]]:
    """Judge `drafts` one after the other; record all or none.

    Use this function only if nobody else uses the log, because a rejection reveals earlier draws to the caller. The
    service uses `steps` instead, and stores the events of each step.

    Args:
        past: the history of the game, for undos and amends. This function adds the impact of corrections to
            `past.impacts`.
        recorded_at: RFC 3339 in UTC.

    Returns:
        The game after the last draft, and the new events.

    Raises:
        EngineError: a draft was rejected; `index` is its position. A list that takes too much work is rejected, too.
        TooMuchWork: the limit that the caller set with `engine.core.effort` is reached.
    """
    events: list[Event] = []
    impacts = {}
    for step in steps(game, drafts, chance, past, recorded_at=recorded_at, recorded_by=recorded_by, **policy):
        if step.refused is not None:
            raise step.refused
        if step.impact is not None:
            impacts[step.event.seq] = step.impact
        events += step.events
        game = step.game
    past.impacts.update(impacts)
    return game, events


def steps(
    game: Game,
    drafts: Sequence[Draft],
    chance: Chance,
    past: Past,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
    **policy: Unpack[Policy],
) -> Iterator[JudgedDraft]:
    """Judge `drafts` one after the other, each when the caller requests the next step.

    The event that ends the game is followed by `game_closed`, which reveals the seed of a seeded game. If a draft is
    rejected after a result was drawn for it, the steps end. A note then takes the number of the draft's event, so that
    the result is never used.

    Args:
        past, recorded_at: as in `record`.

    Raises:
        EngineError: a draft was rejected before a draw; `index` is its position. A list that takes too much work is
            rejected, too.
        TooMuchWork: as in `record`.
    """
    judge = Judge(game, chance, past, recorded_at, recorded_by, **policy)
    for index, draft in enumerate(drafts):
        # This resets `has_drawn`, which the previous draft may have set.
        chance.begin(judge.game.version + 1, ())
        try:
            step = judge.judge(draft)
        except Exception as error:
            if isinstance(error, EngineError):
                error.index = index
            if not chance.has_drawn:
                raise
            yield judge.note_draw(error)
            return
        yield step
