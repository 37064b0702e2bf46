"""Append the drafts of a request to the log, in one round trip if there is no conflict.

Results of chance and revealed secrets are stored before the drafts after them are judged. So a list is appended in
parts. Each part except the last ends with an event that reveals a result or a secret
(`engine.play.judge.JudgedDraft.is_telling`). The first part is appended completely or not at all. After that, a refused
draft stops the list, and the drafts before it stay in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from secrets import token_hex

from engine.core.details import IfIllegal
from engine.core.events import Draft
from engine.play.visibility import add_salt
from service.access import OPEN, Caller
from service.corrections import check_acts
from service.queueing import Queues
from service.recorded import UNMETERED, AppendMetrics, AppendResult, Explain
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
    meter: AppendMetrics = UNMETERED,
    overruled: Callable[[str], None] = lambda _: None,
) -> AppendResult:
    """Judge `drafts`, and append all or none.

    There is one exception: if a draft is refused after a draw or a reveal, the drafts before it are appended. The game
    is taken from this process's cache if possible. If the cached game is outdated, the store's script refuses the
    append and returns the newer events. A draft is refused only after it has been judged on the newest game.

    Args:
        explain: returns the problem document if a list was stopped; the document is stored with the `key`.
        caller: the author, whose name is recorded and whose permissions apply.
        versions: accepted versions (`If-Match`); None: any.
        accept_left_out: for an action that is legal only after skipped steps. True: append the skipped steps, too;
            False: append only the action; None: refuse the action and propose the steps (see
            `engine.play.judge.Policy`).
        accept_illegal: append an illegal action to a strict game, too (see `engine.play.judge.Policy`).
        if_illegal: handling of an illegal action (default: the game's setting, unless `accept_left_out` or
            `accept_illegal` is given).
        as_played: True to keep and mark the later events that an amend breaks. If `if_illegal` is `accept`, they are
            kept in any case.
        writers: the queues of writers in this process; None if this is the only writer.
        meter: counts events appended and conflicts.
        overruled: called with the type of each correction that requires an arbiter, before the correction is recorded.
            Not called on a dry run.

    Raises:
        Forbidden: the caller lacks the permission for one of the events or corrections.
        VersionMismatch: the game has moved on from `versions`.
        TooBusy: too many clients are writing to the game.
        EngineError, StoreError: the request was refused, and nothing was appended. After `StoreUnavailable` it is
            unknown whether events were appended. After `NotReplicated` they were appended, but may still be lost. A
            retry with the same `key` continues after the events that are in the log.
    """
    check_acts(caller, drafts)
    with nullcontext() if is_dry_run or writers is None else writers.turn(game_id):
        game = None if is_dry_run else store.games.cached_game(game_id)
        is_newest = game is None
        if game is None:
            game = store.games.latest(game_id)
        if not is_dry_run:
            store.watch.check(game_id, game.version)
        if game.ruleset.has_secrets:
            drafts = [add_salt(game.ruleset, draft, token_hex(16)) for draft in drafts]
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
            return request.dry_run()
        recorded = request.carry_out(is_newest=is_newest)
    if recorded.is_replay:
        # An earlier attempt may have stored its events on too few replicas.
        store.events.confirm(game_id, (recorded.events[-1].seq, recorded.events[-1].hash))
        return recorded
    return request.translate_impact(recorded)
