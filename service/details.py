"""Change the details of a record: append an event with the changed details."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core.events import Draft
from engine.core.lifecycle import DETAILS_CHANGED
from engine.play.game import Game
from service.access import Caller
from service.corrections import check_details
from service.errors import VersionMismatch
from service.opening import list_at_once
from service.queueing import Queues
from service.recorded import AppendMetrics, AppendResult, Explain
from service.recording import append
from store import Store
from store.log.idempotency import IdempotencyKey


def change(
    store: Store,
    game_id: str,
    given: dict[str, Any],
    *,
    explain: Explain,
    recorded_at: str,
    caller: Caller,
    key: IdempotencyKey | None,
    versions: set[str] | None,
    is_dry_run: bool,
    writers: Queues,
    meter: AppendMetrics,
) -> AppendResult:
    """Append an event with the changed details of a game, like `service.recording.append`.

    If nothing differs, append nothing.
    """
    game = store.games.latest(game_id)
    changed = differing(game, given)
    is_repeated = key is not None and store.events.stored_result(game_id, key) is not None
    if not changed and not is_repeated:
        if versions is not None and str(game.version) not in versions:
            raise VersionMismatch(game.version)
        check_details(caller, game, given)
        return AppendResult(game, [])
    recorded = append(
        store,
        game_id,
        [Draft(type=DETAILS_CHANGED, params=changed or given)],
        explain=explain,
        recorded_at=recorded_at,
        caller=caller,
        key=key,
        versions=versions,
        is_dry_run=is_dry_run,
        writers=writers,
        meter=meter,
    )
    if not is_dry_run:
        list_at_once(store, game_id)
    return recorded


def differing(game: Game, given: dict[str, Any]) -> dict[str, Any]:
    """Return the details in `given` that differ from the current details."""
    details = game.details
    now = {
        "title": details.title,
        "tags": list(game.tags),
        "played_at": details.played_at,
        "place": details.place,
        "if_illegal": game.if_illegal,
    }
    changed = {name: value for name, value in given.items() if name in now and value != now[name]}
    options = {name: value for name, value in given.get("options", {}).items() if _is_other(game, name, value)}
    return changed | ({"options": options} if options else {})


def _is_other(game: Game, name: str, value: Any) -> bool:
    return name not in game.options or bool(msgspec.json.encode(game.options[name]) != msgspec.json.encode(value))
