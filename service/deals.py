"""Deals: the same set-up for another table, and the games that were played from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.core.errors import Malformed
from engine.core.events import ChanceKind, Header
from engine.core.language import marked, say
from engine.core.values import Value
from exports import Unsuitable
from exports.deal import Deal, deal
from service.logs import whole
from service.viewing import shown
from store import Store
from store.errors import UnknownGame, replaying
from store.library.finding import Filter

TAG = "deal: "
"""A tag that begins so says from which game's deal a game was opened: all of one deal name the same."""
MOST_LISTED = 50
_UNKNOWN_SEED = marked("its seed is still secret because the game has not ended: open this game as observed")
_BY_HAND = marked("it was dealt by hand: open this game as observed")


class Dealt(msgspec.Struct, frozen=True):
    """How a game begins that is opened from a deal."""

    options: Mapping[str, Any]
    tag: str
    seed: str | None
    """What draws it, of a seeded one."""
    outcomes: Sequence[Value] | None
    """What came up in its set-up, of an observed one."""


def of_game(store: Store, game_id: str) -> Deal:
    """What the table of that game was dealt.

    Raises:
        UnknownGame: there is no such game.
        Unsuitable: it has no deal.
        Damaged: its log does not replay.
    """
    game = store.games.latest(game_id)
    with replaying():
        return deal(msgspec.structs.replace(whole(store, game_id, game), show=shown(store, game_id, game, None)))


def first(game_id: str, header: Header) -> str:
    """The game from whose deal that one was opened; itself, where it was not."""
    return next((tag.removeprefix(TAG) for tag in header.tags if tag.startswith(TAG)), game_id)


def others(store: Store, game_id: str, header: Header, only: str | None) -> list[str]:
    """The other games of the same deal, the newest first.

    Args:
        only: the only game that there is for whoever asks.
    """
    root = first(game_id, header)
    found, _ = store.projections.find(Filter(tag=TAG + root, game=only), limit=MOST_LISTED)
    ids = [game.id for game in found]
    if root not in ids and only in (None, root) and store.events.exists(root):
        ids.append(root)
    return [id_ for id_ in ids if id_ != game_id]


def dealt(store: Store, game_id: str, *, body: Mapping[str, Any], chance: ChanceKind) -> Dealt:
    """How a game begins from the deal of that one.

    Args:
        body: what was asked for, as `schemas.games.OpenGame` loads it.

    Raises:
        Malformed: it cannot be dealt so.
        Damaged: the log does not replay.
    """
    try:
        header = store.games.latest(game_id).header
        found = of_game(store, game_id)
    except UnknownGame:
        raise Malformed("/deal", say("there is no such game")) from None
    except Unsuitable as error:
        raise Malformed("/deal", error.message) from None
    if body["ruleset"] != header.ruleset:
        raise Malformed("/ruleset", say("the deal is of {ruleset}", ruleset=header.ruleset))
    if len(body["seats"]) != len(header.seats):
        raise Malformed("/seats", say("the deal is for {number}", number=len(header.seats)))
    for name in ("options", "seed", "position"):
        if body.get(name):
            raise Malformed(f"/{name}", say("it is as in the deal: leave it out"))
    if chance not in chances(header, found):
        raise Malformed("/chance", say(_UNKNOWN_SEED if header.chance == "seeded" else _BY_HAND))
    tag = TAG + first(game_id, header)
    if chance == "seeded":
        return Dealt(header.options, tag, found.seed, None)
    return Dealt(header.options, tag, None, found.outcomes)


def chances(header: Header, found: Deal) -> list[ChanceKind]:
    """Who may draw in a game that is opened from that deal."""
    return ["observed"] if header.chance == "observed" or found.seed is None else ["observed", "seeded"]
