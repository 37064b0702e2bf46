"""`driftlog witness`: cosign the heads of a service."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Event as Signal
from typing import TYPE_CHECKING

import click

from cli.remote import without_password
from cli.terminal import ServiceUnavailable, escape, out

if TYPE_CHECKING:
    from cli.witness.book import Book


@click.command()
@click.argument("url")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8100, show_default=True, help="The port; 0 picks a free one."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("witness"),
    show_default=True,
    help="The folder of the witness; created if missing.",
)
@click.option("--name", help="The name of the witness, for example its address.  [default: from its key]")
@click.option(
    "--every",
    type=click.FloatRange(0.1, 86400),
    default=60.0,
    show_default=True,
    help="Seconds between checks of the service.",
)
def witness(url: str, *, host: str, port: int, data: Path, name: str | None, every: float) -> None:
    """Cosign the heads of the service at URL, to detect rewritten logs.

    The witness remembers the newest head of each game. It cosigns a head that continues the known head, and records
    a head that contradicts it. Run the witness on a different machine from the service. It serves its key at /key and
    its statements at /games/ID, for `driftlog verify --witness`. If the service requires tokens, set DRIFTLOG_TOKEN
    to a viewer's token.
    """
    from cli.listening import listen
    from cli.witness.book import Book
    from cli.witness.following import Follower
    from cli.witness.reading import LimitedClient
    from cli.witness.server import WitnessServer
    from telemetry import logs

    logs.begin("text", "warning")
    client = LimitedClient(without_password(url))
    with suppress(ServiceUnavailable):
        client.require_access()
    book = Book(data, client.url, name)
    key = book.cosigner.public
    book.close()

    def follow(book: Book, stop: Signal) -> None:
        Follower(LimitedClient(url), book).run(every, stop)

    listener = listen(host, port, "--host, --port")
    shown = f"[{host}]" if ":" in host else host
    out().print(f"[bold]Witness[/] of {escape(client.url)} on http://{shown}:{listener.getsockname()[1]}")
    out().print(f"Key     {escape(str(key))}", soft_wrap=True)
    WitnessServer(listener, lambda: Book(data, client.url), follow).run()
