"""Webhooks: made, listed and removed; what was sent by them, and what is to be sent again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Response, current_app
from flask.views import MethodView

from api.plumbing.access import RECORDER, caller, gone
from api.plumbing.http import Blueprint, answer, listed, now, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import RETRY_AFTER, Problem, not_found
from api.plumbing.settings import Settings
from schemas.events import rfc3339
from schemas.webhooks import (
    DeliveryList,
    DeliveryQuery,
    MadeWebhook,
    NewWebhook,
    Retried,
    WebhookList,
    WebhookQuery,
)
from schemas.webhooks import Webhook as WebhookSchema
from service import webhooks
from service.destinations import networks
from service.errors import TooManyLookups
from store.access.tokens import GiverGone
from store.errors import TooManyWebhooks
from store.work.webhooks import MOST_OF_A_TOKEN, Health, Webhook

blueprint = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks", description="Programs that are told of events.")


def describe(webhook: Webhook, health: Health | None) -> dict[str, Any]:
    """A webhook as the API tells of it."""
    failing, reached = (None, None) if health is None else (health.failing_since, health.reached)
    told = msgspec.structs.asdict(webhook)
    del told["since"]
    return {
        **told,
        "status": "active" if failing is None else "failing",
        "failing_since": _moment(failing),
        "reached_at": _moment(reached),
    }


@blueprint.route("")
class Webhooks(MethodView):
    """All webhooks."""

    @blueprint.operation("listWebhooks", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(WebhookQuery, location="query", error_status_code=400)
    @blueprint.response(200, WebhookList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """The webhooks that one may remove

        An admin all of them (one of a single game those for that game), others those that they made; newest first.
        """
        limit = query["limit"]
        found = webhooks.page(store(), caller(), query.get("cursor"), limit + 1)
        health = store().webhooks.health()
        return listed("webhooks", found, limit, lambda one: describe(one, health.get(one.id)))

    @blueprint.operation("makeWebhook", needs=RECORDER, limits=SMALL, refuses=["too-many-webhooks"])
    @blueprint.arguments(NewWebhook)
    @blueprint.response(201, MadeWebhook, headers=["Location", "Cache-Control"])
    def post(self, body: dict[str, Any]) -> Response:
        """Have events sent somewhere

        Every event that is appended from now on, of the types and games that are asked for, is sent by POST, signed by
        Standard Webhooks with the `secret` that is told here and never again. It is sent what everybody may see of
        those games that the token is for, and nothing more once that token ends.
        """
        settings: Settings = current_app.config["SETTINGS"]
        allowed = networks(settings.webhook_networks)
        try:
            secret, made = webhooks.make(store(), caller(), allowed, created_at=now(), **body)
        except TooManyWebhooks as error:
            detail = f"A token and those that it gave have {MOST_OF_A_TOKEN} at the most: remove some."
            raise Problem("too-many-webhooks", detail) from error
        except TooManyLookups as error:
            detail = "The hosts of other webhooks are being looked up."
            raise Problem("overloaded", detail, headers={"Retry-After": RETRY_AFTER}) from error
        except GiverGone as error:
            raise gone() from error
        headers = {"Location": f"/v1/webhooks/{made.id}", "Cache-Control": "no-store"}
        return answer({**describe(made, None), "secret": secret}, 201, headers)


@blueprint.route("/<string:webhook_id>")
class OneWebhook(MethodView):
    """One webhook."""

    @blueprint.operation("getWebhook", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, WebhookSchema)
    def get(self, webhook_id: str) -> Response:
        """A webhook

        Without its secret.
        """
        found = _found(webhook_id)
        return answer(describe(found, store().webhooks.health().get(found.id)))

    @blueprint.operation("removeWebhook", needs=RECORDER, limits=SMALL)
    @blueprint.response(204)
    def delete(self, webhook_id: str) -> Response:
        """Remove a webhook

        Nothing is sent by it any more, and what was is forgotten.
        """
        store().webhooks.remove(_found(webhook_id).id)
        return Response(status=204)


@blueprint.route("/<string:webhook_id>/deliveries")
class Deliveries(MethodView):
    """What was sent."""

    @blueprint.operation("listDeliveries", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(DeliveryQuery, location="query", error_status_code=400)
    @blueprint.response(200, DeliveryList)
    def get(self, query: dict[str, Any], webhook_id: str) -> Response:
        """What was sent by a webhook

        Each event as it was when it was tried last, newest first; the last 200 are kept.
        """
        found = store().webhooks.deliveries(_found(webhook_id).id, query["limit"])
        return answer({"deliveries": [{"id": one.id, **msgspec.structs.asdict(one)} for one in found]})


@blueprint.route("/<string:webhook_id>/deliveries/<string:delivery_id>/retry")
class Retry(MethodView):
    """One event, again."""

    @blueprint.operation("retryDelivery", needs=RECORDER, limits=SMALL)
    @blueprint.response(202, Retried)
    def post(self, webhook_id: str, delivery_id: str) -> Response:
        """Send an event again

        At once, whatever came of it before; any event of a game that the webhook is for will do, listed or not: its
        delivery is called `{game}-{seq}`. Where its receiver takes it, a webhook that was failing is active again.
        """
        if not webhooks.again(store(), _found(webhook_id), delivery_id):
            raise not_found("such delivery")
        return answer({"id": delivery_id, "status": "waiting"}, 202)


def _found(webhook_id: str) -> Webhook:
    found = webhooks.find(store(), caller(), webhook_id)
    if found is None:
        raise not_found("such webhook")
    return found


def _moment(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else rfc3339(datetime.fromtimestamp(milliseconds / 1000, UTC))
