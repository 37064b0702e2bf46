"""Deals: use the setup of a game at other tables, and find the games that were opened with it."""

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
from service.viewing import masking
from store import Store
from store.errors import UnknownGame, replaying
from store.library.finding import Filter

TAG = "deal: "
"""Prefix of the tag that all games of one deal have. The rest of the tag is the id of the first game."""
MOST_LISTED = 50
_UNKNOWN_SEED = marked("the seed of that game is secret until it ends: open the new game as observed")
_BY_HAND = marked("the setup of that game was dealt by hand: open the new game as observed")


class OpenedDeal(msgspec.Struct, frozen=True):
    """The beginning of a new game that uses a deal."""

    options: Mapping[str, Any]
    tag: str
    seed: str | None
    """The seed of a seeded game."""
    outcomes: Sequence[Value] | None
    """The results of the setup of an observed game."""


def of_game(store: Store, game_id: str) -> Deal:
    """Return the deal of a game; raise `Unsuitable` if other tables cannot use it."""
    game = store.games.latest(game_id)
    with replaying():
        return deal(msgspec.structs.replace(whole(store, game_id, game), show=masking(store, game_id, game, None)))


def first(game_id: str, header: Header) -> str:
    """Return the id of the first game with this game's deal; the game's own id if it was opened without a deal."""
    return next((tag.removeprefix(TAG) for tag in header.tags if tag.startswith(TAG)), game_id)


def others(store: Store, game_id: str, header: Header, only: str | None) -> list[str]:
    """Return the ids of the other games of the same deal, newest first.

    Args:
        only: the only game that the caller can see; None: all games.
    """
    root = first(game_id, header)
    found, _ = store.projections.find(Filter(tag=TAG + root, game=only), limit=MOST_LISTED)
    ids = [game.id for game in found]
    if root not in ids and only in (None, root) and store.events.exists(root):
        ids.append(root)
    return [id_ for id_ in ids if id_ != game_id]


def beginning(store: Store, game_id: str, *, body: Mapping[str, Any], chance: ChanceKind) -> OpenedDeal:
    """Return the beginning of a new game that uses the deal of game `game_id`.

    Args:
        body: the request, as `schemas.games.OpenGame` loads it.
        chance: the requested kind of chance.

    Raises:
        Malformed: the request does not fit the deal.
    """
    try:
        header = store.games.latest(game_id).header
        found = of_game(store, game_id)
    except UnknownGame:
        raise Malformed("/deal", say("there is no game with this id")) from None
    except Unsuitable as error:
        raise Malformed("/deal", error.message) from None
    if body["ruleset"] != header.ruleset:
        raise Malformed(
            "/ruleset", say("this deal belongs to the ruleset {ruleset}: use that ruleset", ruleset=header.ruleset)
        )
    if len(body["seats"]) != len(header.seats):
        raise Malformed("/seats", say("this deal needs exactly {number} players", number=len(header.seats)))
    for name in ("options", "seed", "seed_mix", "position"):
        if body.get(name):
            raise Malformed(f"/{name}", say("the deal already sets this field: omit it"))
    if chance not in chances(header, found):
        raise Malformed("/chance", say(_UNKNOWN_SEED if header.chance == "seeded" else _BY_HAND))
    tag = TAG + first(game_id, header)
    if chance == "seeded":
        return OpenedDeal(header.options, tag, found.seed, None)
    return OpenedDeal(header.options, tag, None, found.outcomes)


def chances(header: Header, found: Deal) -> list[ChanceKind]:
    """Return the possible kinds of chance of a new game from the deal `found`."""
    return ["observed"] if header.chance == "observed" or found.seed is None else ["observed", "seeded"]
