"""`driftlog serve --lan`: a service that the phones of this network reach, and a code that logs the first one in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from api.plumbing.hosts import is_loopback, lan_address
from api.plumbing.settings import EVERY_ADDRESS, Settings
from cli.access import note
from cli.codes import is_shown, show
from cli.serve import Running
from cli.terminal import WrongSetting, err, out
from schemas.events import rfc3339
from service.access import OPEN, Role
from service.tokens import give
from store import Store

NOTE = "First phone"
"""By which name it records."""
DAYS = 30
"""How long the phone stays logged in: those whom it invites do so no longer."""


def settings_for(settings: Settings) -> Settings:
    """The settings with which other machines of the network reach the service, by token.

    Raises:
        WrongSetting: this machine is in no network.
    """
    host = settings.host
    if is_loopback(host):
        # Every address: what asks from this machine itself, and a new address of a network that was joined again.
        host = next(iter(EVERY_ADDRESS))
    if host in EVERY_ADDRESS and not settings.public_url and lan_address(is_six=":" in host) is None:
        raise WrongSetting("this machine is in no network: join one, or name the address to listen on with --host")
    return msgspec.structs.replace(settings, host=host, access="tokens")


def invite(running: Running) -> None:
    """Tell the link that logs a phone in as an arbiter, and its QR code: on a terminal alone.

    Whoever has it opens tables, records, corrects, and invites others; an admin is made by `driftlog tokens create`.
    """
    if not is_shown():
        err().print(
            "A terminal would show the code that logs a phone in; `driftlog tokens create --url` makes one, too."
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
    out().print(f"\nThe first phone comes in by this code. It holds for {DAYS} days; what it invites ends with it.\n")
    show(running.url, text)
