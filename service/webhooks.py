"""Create, find and deliver webhooks.

A webhook sends only events that its token may see. It is deleted when the token is revoked.

An event is sent as the public saw it when it was appended, so retries have the same content.
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
from engine.play.game import parse_header
from engine.play.visibility import mask
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
"""The type of messages about a new event."""
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
    """Create a webhook and its secret. It receives the events appended from now on.

    Args:
        allowed: private networks that are accepted as destinations.

    Raises:
        Malformed: the destination is not allowed, or there is no such game or ruleset.
        TooManyWebhooks: the limit is reached, in total or for this token together with its creators.
        GiverGone: the caller's token was revoked during the call.
    """
    game = game or caller.game
    if game is not None and not store.events.exists(game if caller.knows(game) else _NO_GAME):
        raise Malformed("/game", "there is no such game")
    if ruleset is not None and not registry.versions(ruleset):
        raise Malformed("/ruleset", "there is no such ruleset: `GET /v1/rulesets` lists all of them")
    for place, type_ in enumerate(events):
        if type_ not in _types():
            raise Malformed(f"/events/{place}", "there is no such event type: use the type of an event, or `*` for all")
    destinations.check(url, allowed)
    made = store.webhooks.create(
        url,
        list(dict.fromkeys(events)),
        created_at=created_at,
        since=store.feed.last(),
        game=game,
        ruleset=ruleset,
        made_by=caller.token,
        counts_for=_counting_token(store, caller),
        format=format,
    )
    if caller.token is not None and not store.tokens.is_in_force(caller.token):
        store.webhooks.remove(made.id)
        raise GiverGone
    return store.webhooks.secret(made.id), made


def page(store: Store, caller: Caller, before: str | None, limit: int) -> list[Webhook]:
    """Return a page of webhooks that the caller may remove, newest first.

    Args:
        before: the id of the last webhook of the previous page.
    """
    found = [one for one in store.webhooks.all() if _is_for(store, caller, one)]
    return [one for one in found if before is None or one.id < before][:limit]


def find(store: Store, caller: Caller, webhook_id: str) -> Webhook | None:
    """Return a webhook; None if it does not exist, or if the caller may not manage it."""
    found = store.webhooks.get(webhook_id)
    return found if found is not None and _is_for(store, caller, found) else None


def remove(store: Store, caller: Caller, webhook_id: str) -> bool:
    """Remove a webhook, even a damaged one; return False if it does not exist, or if the caller may not remove it."""
    may_remove = (
        find(store, caller, webhook_id) is not None
        or (caller.role is Role.ADMIN and caller.game is None)
        or (caller.token is not None and store.webhooks.maker(webhook_id) == caller.token)
    )
    return may_remove and store.webhooks.remove(webhook_id)


def again(store: Store, webhook: Webhook, id_: str) -> bool:
    """Queue an event of the webhook's games for delivery, even if it was sent before; return False if it is unknown."""
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
    """Return True if the webhook still receives events.

    Args:
        is_open: True if the service requires no tokens. Only then does a webhook without a token receive events.
    """
    if webhook.made_by is None:
        return is_open
    return store.tokens.is_in_force(webhook.made_by)


def sign(secret: str, id_: str, body: bytes, timestamp: int | None = None) -> dict[str, str]:
    """Return the signature headers of a message by Standard Webhooks (version 1, HMAC-SHA256).

    Args:
        timestamp: time of sending, in seconds since 1970 (default: now).
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
    played = {
        kind.type
        for one in registry.rulesets()
        for version in registry.versions(one.id)
        for kind in registry.ruleset(one.id, version).actions
    }
    return frozenset({EVERYTHING, lifecycle.GAME_OPENED, *lifecycle.KINDS, *played})


class OfGame(msgspec.Struct, frozen=True):
    """The game of an event, as a message describes it."""

    id: str
    ruleset: str
    link: str


class MessageSubject(msgspec.Struct, frozen=True):
    """The subject of a message: a game and its event."""

    game: OfGame
    event: Event


class Letter(msgspec.Struct, frozen=True):
    """An event as sent to webhooks."""

    type: str
    timestamp: str
    """Time of the event."""
    data: MessageSubject


class Letters:
    """Converts events to messages for webhooks. Caches the games of the events."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rulesets: Cache[str, tuple[str, str]] = Cache(_HEADERS_KEPT)

    def is_for(self, webhook: Webhook, game_id: str) -> bool:
        """Return True if the webhook requests events of game `game_id`."""
        if webhook.game is not None:
            return webhook.game == game_id
        return webhook.ruleset is None or webhook.ruleset == self.ruleset(game_id)[0]

    def ruleset(self, game_id: str) -> tuple[str, str]:
        """Return the id and version of a game's ruleset."""
        known = self._rulesets.get(game_id)
        if known is None:
            header = parse_header(self._store.events.first(game_id))
            known = header.ruleset, header.ruleset_version
            self._rulesets.put(game_id, known)
        return known

    def public_letter(self, game_id: str, event: Event) -> Letter:
        """Return an event as the public could see it when it was appended.

        Raises:
            UnknownGame: there is no such game.
            LacksRuleset: the game's rules are not installed, so it is unknown what they hide.
        """
        shown = self._mask(game_id, event)
        about = MessageSubject(OfGame(game_id, self.ruleset(game_id)[0], f"/v1/games/{game_id}"), shown)
        return Letter(TYPE, event.recorded_at, about)

    def message(self, webhook: Webhook, game_id: str, event: Event) -> tuple[dict[str, str], bytes]:
        """Return the headers and body of a message about an event, not signed yet."""
        if webhook.format == "game_event":
            return {}, msgspec.json.encode(self.public_letter(game_id, event))
        shown = self._mask(game_id, event)
        told = cloudevents.attributes(game_id, self.ruleset(game_id), shown)
        return cloudevents.in_headers(told), msgspec.json.encode(shown)

    def _mask(self, game_id: str, event: Event) -> Event:
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


def _counting_token(store: Store, caller: Caller) -> str | None:
    """Return the id of the token whose limit the caller's webhooks use.

    Go from the caller's token to its creator, and so on; return the last token that is not an admin's. So a caller
    cannot raise the limit by creating more tokens.
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
