"""Create, list and remove webhooks; list and repeat their deliveries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Response, current_app
from flask.views import MethodView

from api.plumbing.access import RECORDER, caller, invalid_token
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_id, by_key, next_page
from api.plumbing.problems import RETRY_AFTER, Problem, not_found
from api.plumbing.settings import Settings
from schemas.times import now, rfc3339
from schemas.webhooks import CreatedWebhook, DeliveryList, DeliveryQuery, NewWebhook, Retried, WebhookList, WebhookQuery
from schemas.webhooks import Webhook as WebhookSchema
from service import webhooks
from service.destinations import networks
from service.errors import TooManyLookups
from store.access.tokens import GiverGone
from store.errors import TooManyWebhooks
from store.work.webhooks import MOST_OF_A_TOKEN, Health, Webhook

blueprint = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks", description="Webhooks: receivers of events.")


def describe(webhook: Webhook, health: Health | None) -> dict[str, Any]:
    """Convert a webhook to its API document."""
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
    @blueprint.operation("listWebhooks", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(WebhookQuery, location="query", error_status_code=400)
    @blueprint.response(200, WebhookList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List webhooks

        Lists the webhooks that you may remove, newest first: for an admin, all of them (for an admin of one game, those
        of that game); for others, those that they created.
        """
        limit = query["limit"]
        found = webhooks.page(store(), caller(), query.get("cursor"), limit + 1)
        health = store().webhooks.health()
        page, cursor = by_id(found, limit)
        told = [describe(one, health.get(one.id)) for one in page]
        return answer({"webhooks": told, "next_cursor": cursor}, headers=next_page(cursor))

    @blueprint.operation("createWebhook", needs=RECORDER, limits=SMALL, refuses=["too-many-webhooks"])
    @blueprint.arguments(NewWebhook)
    @blueprint.response(201, CreatedWebhook, headers=["Location", "Cache-Control"])
    def post(self, body: dict[str, Any]) -> Response:
        """Create a webhook

        From now on, the service sends every appended event of the requested types and games by POST. It signs the
        messages as in Standard Webhooks with the `secret`, which only this response contains. The webhook receives
        public events of games that the token may see, until the token ends.
        """
        settings: Settings = current_app.config["SETTINGS"]
        allowed = networks(settings.webhook_networks)
        try:
            secret, made = webhooks.make(store(), caller(), allowed, created_at=now(), **body)
        except TooManyWebhooks as error:
            detail = f"This token has reached its limit of {MOST_OF_A_TOKEN} webhooks. Remove one you no longer need."
            raise Problem("too-many-webhooks", detail) from error
        except TooManyLookups as error:
            detail = "The service is busy checking the addresses of other webhooks. Try again in a moment."
            raise Problem("overloaded", detail, headers={"Retry-After": RETRY_AFTER}) from error
        except GiverGone as error:
            raise invalid_token() from error
        headers = {"Location": f"/v1/webhooks/{made.id}", "Cache-Control": "no-store"}
        return answer({**describe(made, None), "secret": secret}, 201, headers)


@blueprint.route("/<string:webhook_id>")
class OneWebhook(MethodView):
    @blueprint.operation("getWebhook", needs=RECORDER, limits=SMALL)
    @blueprint.response(200, WebhookSchema)
    def get(self, webhook_id: str) -> Response:
        """Get a webhook

        The response does not contain the webhook's secret.
        """
        found = _find_webhook(webhook_id)
        return answer(describe(found, store().webhooks.health().get(found.id)))

    @blueprint.operation("deleteWebhook", needs=RECORDER, limits=SMALL)
    @blueprint.response(204)
    def delete(self, webhook_id: str) -> Response:
        """Remove a webhook

        The service sends nothing more to the webhook, and deletes its deliveries.
        """
        if not webhooks.remove(store(), caller(), webhook_id):
            raise _unknown()
        return Response(status=204)


@blueprint.route("/<string:webhook_id>/deliveries")
class Deliveries(MethodView):
    @blueprint.operation("listDeliveries", needs=RECORDER, limits=SMALL)
    @blueprint.arguments(DeliveryQuery, location="query", error_status_code=400)
    @blueprint.response(200, DeliveryList, headers=["Link"])
    def get(self, query: dict[str, Any], webhook_id: str) -> Response:
        """List the deliveries of a webhook

        Lists each sent event once, with its last attempt, newest first. The service keeps the last 200.
        """
        kept = store().webhooks.deliveries(_find_webhook(webhook_id).id)
        page, cursor = by_key(kept, query, lambda one: [one.tried_at, one.id], is_descending=True)
        told = [{"id": one.id, **msgspec.structs.asdict(one)} for one in page]
        return answer({"deliveries": told, "next_cursor": cursor}, headers=next_page(cursor))


@blueprint.route("/<string:webhook_id>/deliveries/<string:delivery_id>/retry")
class Retry(MethodView):
    @blueprint.operation("retryDelivery", needs=RECORDER, limits=SMALL, deprecates=lambda: True)
    @blueprint.response(202, Retried, headers=["Location"])
    def post(self, webhook_id: str, delivery_id: str) -> Response:
        """Send an event again

        You can send any event of the webhook's games, listed or not, whatever its status. The service sends it at once;
        the id of the delivery is `{game}-{seq}`. `Location` is the list with the result. If the receiver accepts it, a
        failing webhook becomes active.
        """
        if not webhooks.again(store(), _find_webhook(webhook_id), delivery_id):
            raise not_found("such delivery")
        job = {"id": delivery_id, "kind": "delivery", "status": "waiting", "progress": 0, "result": None, "error": None}
        return answer({**job, "created_at": now()}, 202, {"Location": f"/v1/webhooks/{webhook_id}/deliveries"})


def _find_webhook(webhook_id: str) -> Webhook:
    found = webhooks.find(store(), caller(), webhook_id)
    if found is None:
        raise _unknown()
    return found


def _unknown() -> Problem:
    return not_found("such webhook")


def _moment(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else rfc3339(datetime.fromtimestamp(milliseconds / 1000, UTC))
