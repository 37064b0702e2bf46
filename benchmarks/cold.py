"""Load a game in a new process: `python -m benchmarks.cold URL GAME read|replay|SEQ`.

The program prints the duration in milliseconds, including the time to connect.
"""

from __future__ import annotations

import gc
import sys
import time

from store import Store
from store.redis.connection import connect


def main(url: str, game_id: str, what: str) -> None:
    """Read the log, replay the game, or load the game after event `what`. Print the duration."""
    # Freeze the loaded objects, like the web server.
    gc.freeze()
    began = time.perf_counter()
    with connect(url) as client:
        store = Store(client)
        if what == "read":
            for _ in store.events.entries(game_id, 1):
                pass
        elif what == "replay":
            store.games.replay(game_id)
        else:
            store.games.get(game_id, int(what))
        sys.stdout.write(f"{(time.perf_counter() - began) * 1000}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
