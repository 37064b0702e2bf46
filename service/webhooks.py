"""Webhooks made, found and told: nobody has more sent than their token may see, and it ends with that token.

What is sent is what everybody who may see the game sees, as of that very event: so it is the same each time it is sent.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import time
from collections.abc import Sequence

import msgspec

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Event
from engine.play import registry
from engine.play.game import opened
from engine.play.secrets import mask
from exports import cloudevents
from service import destinations
from service.access import Caller, Role
from service.destinations import Network
from store import Store
from store.access.tokens import GiverGone
from store.cache import Cache
from store.errors import LacksRuleset, UnknownGame
from store.work.webhooks import EVERYTHING, Form, Webhook

TYPE = "game.event"
"""What a message is about: an event that stands in a log from now on."""
_NO_GAME = "-"
_HEADERS_KEPT = 4096


def make(
    store: Store,
    caller: Caller,
    allowed: Sequence[Network],
    *,
    url: str,
    events: Sequence[str],
    created_at: str,
    game: str | None = None,
    ruleset: str | None = None,
    format: Form = "game_event",  # noqa: A002  # as the contract calls it
) -> tuple[str, Webhook]:
    """A new webhook, and its secret; it is sent what is appended from now on.

    Args:
        allowed: networks that it may lead to although they are not public.

    Raises:
        Malformed: it may not lead there, or there is no such game or ruleset.
        TooManyWebhooks: there are as many as there may be, in all or of this token and those that it comes from.
        GiverGone: the caller's token has been withdrawn meanwhile.
    """
    game = game or caller.game
    if game is not None and not store.events.exists(game if caller.knows(game) else _NO_GAME):
        raise Malformed("/game", "there is no such game")
    if ruleset is not None and not registry.versions(ruleset):
        raise Malformed("/ruleset", "there is no such ruleset")
    for place, type_ in enumerate(events):
        if type_ not in _types():
            raise Malformed(f"/events/{place}", "no log has events of that type")
    destinations.check(url, allowed)
    made = store.webhooks.create(
        url,
        list(dict.fromkeys(events)),
        created_at=created_at,
        since=store.feed.last(),
        game=game,
        ruleset=ruleset,
        made_by=caller.token,
        counts_for=_counted(store, caller),
        format=format,
    )
    if caller.token is not None and not store.tokens.is_in_force(caller.token):
        store.webhooks.remove(made.id)
        raise GiverGone
    return store.webhooks.secret(made.id), made


def page(store: Store, caller: Caller, before: str | None, limit: int) -> list[Webhook]:
    """The webhooks that the caller may remove, newest first: an admin all, at most of its game; others those they made.

    Args:
        before: the id of the last one of the page before.
    """
    found = [one for one in store.webhooks.all() if _is_for(store, caller, one)]
    return [one for one in found if before is None or one.id < before][:limit]


def find(store: Store, caller: Caller, webhook_id: str) -> Webhook | None:
    """The webhook of that id, if `page` lists it for the caller."""
    found = store.webhooks.get(webhook_id)
    return found if found is not None and _is_for(store, caller, found) else None


def again(store: Store, webhook: Webhook, id_: str) -> bool:
    """Have an event sent again, one that was sent or any other of the games that the webhook is for; False where there
    is no such event.
    """
    game_id, _, seq = id_.rpartition("-")
    if not (seq.isascii() and seq.isdigit() and len(seq) < 16) or webhook.game not in {None, game_id}:
        return False
    try:
        found = store.events.read(game_id, after=int(seq) - 1, limit=1) if int(seq) else []
        if not found or not Letters(store).is_for(webhook, game_id):
            return False
    except UnknownGame:
        return False
    store.webhooks.owe_again(webhook, game_id, found[0])
    return True


def is_in_force(store: Store, webhook: Webhook, *, is_open: bool) -> bool:
    """Whether anything is still sent by it.

    Args:
        is_open: whether the service asks for no tokens: what was made without one ends when it does.
    """
    if webhook.made_by is None:
        return is_open
    return store.tokens.is_in_force(webhook.made_by)


def signed(secret: str, id_: str, body: bytes, timestamp: int | None = None) -> dict[str, str]:
    """The headers of a message by Standard Webhooks (its version 1, HMAC-SHA256).

    Args:
        timestamp: when it is sent, in seconds since 1970 (default: now).
    """
    moment = int(time.time()) if timestamp is None else timestamp
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, b"%s.%d.%s" % (id_.encode(), moment, body), hashlib.sha256)
    return {
        "webhook-id": id_,
        "webhook-timestamp": str(moment),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


@functools.cache
def _types() -> frozenset[str]:
    """The types of events that there are, whatever is played, and what stands for all of them."""
    played = {
        kind.type
        for one in registry.rulesets()
        for version in registry.versions(one.id)
        for kind in registry.ruleset(one.id, version).actions
    }
    return frozenset({EVERYTHING, lifecycle.GAME_OPENED, *lifecycle.KINDS, *played})


class OfGame(msgspec.Struct, frozen=True):
    """The game that an event is of."""

    id: str
    ruleset: str
    link: str


class About(msgspec.Struct, frozen=True):
    """What a letter is about."""

    game: OfGame
    event: Event


class Letter(msgspec.Struct, frozen=True):
    """An event as it is sent to programs that listen."""

    type: str
    timestamp: str
    """When it was recorded."""
    data: About


class Letters:
    """Tells events as they are sent to programs that listen; it remembers what games there are."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rulesets: Cache[str, tuple[str, str]] = Cache(_HEADERS_KEPT)

    def is_for(self, webhook: Webhook, game_id: str) -> bool:
        """Whether a webhook is for events of that game.

        Raises:
            UnknownGame: there is no such game.
        """
        if webhook.game is not None:
            return webhook.game == game_id
        return webhook.ruleset is None or webhook.ruleset == self.ruleset(game_id)[0]

    def ruleset(self, game_id: str) -> tuple[str, str]:
        """The id and the version of the ruleset that a game is played by.

        Raises:
            UnknownGame: there is no such game.
        """
        known = self._rulesets.get(game_id)
        if known is None:
            header = opened(self._store.events.first(game_id))
            known = header.ruleset, header.ruleset_version
            self._rulesets.put(game_id, known)
        return known

    def tell(self, game_id: str, event: Event) -> Letter:
        """An event and what it is of, as it is sent: as everybody could see it at the moment when it was appended.

        Raises:
            UnknownGame: there is no such game.
            LacksRuleset: its rules are not installed, so that nobody knows what they hide.
        """
        shown = self._shown(game_id, event)
        about = About(OfGame(game_id, self.ruleset(game_id)[0], f"/v1/games/{game_id}"), shown)
        return Letter(TYPE, event.recorded_at, about)

    def message(self, webhook: Webhook, game_id: str, event: Event) -> tuple[dict[str, str], bytes]:
        """The same as the webhook wants it: what its headers say, and its body; not signed yet.

        Raises:
            As `tell`.
        """
        if webhook.format == "game_event":
            return {}, msgspec.json.encode(self.tell(game_id, event))
        shown = self._shown(game_id, event)
        told = cloudevents.attributes(game_id, self.ruleset(game_id), shown)
        return cloudevents.in_headers(told), msgspec.json.encode(shown)

    def _shown(self, game_id: str, event: Event) -> Event:
        id_, version = self.ruleset(game_id)
        if version not in registry.versions(id_):
            raise LacksRuleset(id_, version)
        rules = registry.ruleset(id_, version)
        return mask(rules, None, lambda _: ())(event) if rules.has_secrets else event


def _is_for(store: Store, caller: Caller, webhook: Webhook) -> bool:
    if caller.role is Role.ADMIN:
        return caller.game in {None, webhook.game}
    return webhook.made_by is not None and caller.token in {
        webhook.made_by,
        *(_givers(store, webhook.made_by)),
    }


def _counted(store: Store, caller: Caller) -> str | None:
    """The token that the caller's webhooks count for: the first of those that it was given by, up to a service's admin.

    So whoever may have a few has no more by giving tokens to themselves.
    """
    counted = caller.token
    for giver in [] if caller.token is None else _givers(store, caller.token):
        token = store.tokens.get(giver)
        if token is None or (token.role == Role.ADMIN.value and token.game is None):
            break
        counted = giver
    return counted


def _givers(store: Store, token_id: str) -> list[str]:
    maker = store.tokens.get(token_id)
    return [] if maker is None else store.tokens.givers(maker)
