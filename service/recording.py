"""Recording: from a request's drafts to events on disk, in one round trip where nothing is in the way.

What chance brings up, and what a player hid, is in the log before what follows it is judged. So a list is appended in
parts: each ends with an event that tells something (`engine.play.record.Step.is_telling`), the last with the list. The
first part is all or nothing. From then on a refusal stops the list, and what came before it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from secrets import token_hex

from engine.core.events import Draft, IfIllegal
from engine.play.secrets import salted
from service.access import OPEN, Caller
from service.corrections import check_acts
from service.queueing import Queues
from service.recorded import UNMETERED, Explain, Meter, Recorded
from service.request import Request
from store import Store
from store.log.idempotency import IdempotencyKey


def append(
    store: Store,
    game_id: str,
    drafts: Sequence[Draft],
    *,
    explain: Explain,
    recorded_at: str,
    caller: Caller = OPEN,
    key: IdempotencyKey | None = None,
    versions: set[str] | None = None,
    accept_left_out: bool | None = None,
    accept_illegal: bool = False,
    if_illegal: IfIllegal | None = None,
    as_played: bool = False,
    is_dry_run: bool = False,
    writers: Queues | None = None,
    meter: Meter = UNMETERED,
    overruled: Callable[[str], None] = lambda _: None,
) -> Recorded:
    """Judge `drafts` and append them: all or none, or from the first that tells something on as far as they go.

    The game is taken from this process's memory where it is there; the store's script refuses the append if it is
    not the newest, and hands over what is newer. So a refusal is only given after the newest game was asked.

    Args:
        explain: makes the document that says why a list has stopped; it is kept with the `key`.
        caller: who appends: in its name it is recorded, and it may do no more than it may.
        versions: those at which the caller wants it (`If-Match`); None: at any.
        accept_left_out: whether what is legal only if steps were left out before is appended with these (True), or
            as it is (False); None: it is refused, and they are proposed (see `engine.play.record.record`).
        accept_illegal: whether what the rules forbid is appended to a strict game, too (see there).
        if_illegal: what becomes of what the rules forbid (default: the game's setting, unless one of the two above is
            given).
        as_played: whether an amend leaves what it breaks as the table played it; `if_illegal` of `accept` does, too.
        writers: who writes to each game in this process; None: nobody else does.
        meter: is told of what goes into the log, and of what is in the way.
        overruled: is told each kind of correction that takes an arbiter, as the caller is, before it is made; not on
            a dry run.

    Raises:
        Forbidden: the caller may not act so, or not correct that.
        VersionMismatch: the game has moved on from `versions`.
        TooBusy: so many write to it that this did not come to its turn.
        EngineError, StoreError: it was refused; nothing was appended. Where the store does not answer
            (`StoreUnavailable`), nobody can say, and where too few replicas have it (`NotReplicated`) it may be lost
            yet: the same `key` once more goes on where this ended.
    """
    check_acts(caller, drafts)
    with nullcontext() if is_dry_run or writers is None else writers.turn(game_id):
        game = None if is_dry_run else store.games.cached(game_id)
        is_newest = game is None
        if game is None:
            game = store.games.latest(game_id)
        if not is_dry_run:
            store.watch.check(game_id, game.version)
        if game.ruleset.has_secrets:
            drafts = [salted(game.ruleset, draft, token_hex(16)) for draft in drafts]
        request = Request(
            store,
            game_id,
            game,
            drafts,
            explain=explain,
            recorded_at=recorded_at,
            caller=caller,
            key=key,
            versions=versions,
            accept_left_out=accept_left_out,
            accept_illegal=accept_illegal,
            if_illegal=if_illegal,
            as_played=as_played,
            meter=meter,
            overruled=overruled,
        )
        if is_dry_run:
            return request.tried()
        recorded = request.carried_out(is_newest=is_newest)
    if recorded.is_replay:
        # What was answered before, or was not: it may have been stored alone.
        store.events.confirm(game_id, (recorded.events[-1].seq, recorded.events[-1].hash))
        return recorded
    return request.retold(recorded)
