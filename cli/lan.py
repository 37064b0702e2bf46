"""`driftlog serve --lan`: serve the phones of this network, and show a QR code that signs the first phone in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from api.plumbing.hosts import is_loopback, lan_address, phone_url
from api.plumbing.settings import EVERY_ADDRESS, Settings
from cli.access import note
from cli.codes import is_shown, show
from cli.serve import Running
from cli.terminal import WrongSetting, err, out
from schemas.times import rfc3339
from service.access import OPEN, Role
from service.tokens import give
from store import Store

NOTE = "First phone"
"""The note of the first phone's token."""
DAYS = 30
"""Days until the first phone, and the phones that it has invited, are signed out."""


def settings_for(settings: Settings) -> Settings:
    """Return settings that let other machines in this network use the service, with tokens."""
    host = settings.host
    if is_loopback(host):
        # Listen on every address, for local clients, and because the network may assign a new address.
        host = next(iter(EVERY_ADDRESS))
    if host in EVERY_ADDRESS and not settings.public_url and lan_address(is_six=":" in host) is None:
        raise WrongSetting("this machine has no network address: connect it to a network, or use --host")
    return msgspec.structs.replace(settings, host=host, access="tokens")


def invite(running: Running) -> None:
    """Print a link that signs a phone in as an arbiter, and its QR code; only on a terminal.

    An arbiter can open tables, record, correct, and invite others. To create an admin, use `driftlog tokens create`.
    """
    if not is_shown():
        err().print(
            "The QR code for the first phone is only shown on a terminal. Use `driftlog tokens create --url` instead."
        )
        return
    now, store = datetime.now(UTC), Store.connect(running.settings.redis_url, replicas=running.settings.replicas)
    note(store, "serve --lan", role=Role.ARBITER.value, note=NOTE)
    text, _ = give(
        store,
        OPEN,
        role=Role.ARBITER,
        created_at=rfc3339(now),
        expires_at=now + timedelta(days=DAYS),
        note=NOTE,
        is_operator=True,
    )
    out().print(
        f"\nScan this code to sign in the first phone, for {DAYS} days. The phones that it invites sign out with it.\n"
    )
    show(phone_url(running.settings), text)
