"""Analyses of games, divided into slices. Two workers share the slices."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from rq.timeouts import JobTimeoutException

from engine.core.errors import EngineError
from engine.core.language import current_language, say, speaking
from engine.players.protocol import PlayerFailed
from engine.review.swings import Analyst
from service.analyses import JOB, LATEST
from service.languages import LANGUAGES, catalogue
from store import Store
from store.redis.connection import Client
from store.work.jobs import FINAL, Job
from store.work.reports import Playouts
from workers.limits import STUCK_SECONDS, Stuck, limit_time
from workers.queue import RUN_SECONDS

SLICE_SECONDS = 10.0
"""Seconds after which an analysis goes to the end of the queue. A restart loses at most this much work."""
REPORT_SECONDS = 0.3
"""Seconds between progress reports."""


class SliceOver(BaseException):
    """The time slice is over, or another worker has ended the job.

    This is a BaseException, so that the code of a computer player cannot catch it as an error.
    """


class AnalysisSuperseded(EngineError):
    """A newer request analyses the game with more events."""


class _Slice(Playouts):
    """A cache of playouts, which also ends the time slice. At least one result is cached in each slice."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._end = time.monotonic() + SLICE_SECONDS

    def put(self, name: str, rewards: Sequence[float]) -> None:
        super().put(name, rewards)
        if time.monotonic() >= self._end:
            raise SliceOver


def make(store: Store, job: Job) -> dict[str, Any]:
    """Analyse the swings of a game.

    All playouts are cached, so that the next slice or another worker can continue the work.

    Raises:
        SliceOver: continue with the next slice.
        Superseded: a newer request replaces this one.
        PlayerFailed: the computer player raised an error, broke its protocol, or takes too long.
    """
    game_id = job.args["game"]
    told = time.monotonic()

    def advance(done: float) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < REPORT_SECONDS:
            return
        told = now
        _check_newest(store, job)
        if store.jobs.update(job.id, progress=round(done, 3)).status in FINAL:
            raise SliceOver

    _check_newest(store, job)
    events = list(store.events.read(game_id))
    analyst = Analyst(events, _Slice(store.client), advance)
    try:
        with limit_time(STUCK_SECONDS, Stuck):
            stages = analyst.stages()
            curve = next(stages)
            # The version of a curve is an even number. The whole analysis of the same events has the next odd number.
            store.analyses.save_newest(game_id, LATEST, dict.fromkeys(LANGUAGES, curve), 2 * len(events))
            found = {current_language(): next(stages)}
    except (Stuck, JobTimeoutException) as error:
        seconds = round(STUCK_SECONDS) if isinstance(error, Stuck) else RUN_SECONDS
        reason = say("it exceeded the limit of {seconds} seconds", seconds=seconds)
        raise PlayerFailed(analyst.player, reason) from None
    for language in LANGUAGES.keys() - found.keys():
        # Make the result in each language. Only the texts differ, because all playouts are cached.
        with speaking(catalogue(language)):
            found[language] = analyst.analyse()
    store.analyses.save_newest(game_id, LATEST, found, 2 * len(events) + 1)
    return {"game": game_id}


def _check_newest(store: Store, job: Job) -> None:
    if store.analyses.newest(job.args["game"], JOB) > job.args.get("version", 0):
        raise AnalysisSuperseded(say("A newer request replaced this analysis."))
