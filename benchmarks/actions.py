"""GET …/actions in every state of whole games, of every ruleset."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from benchmarks.client import drive, get, post
from benchmarks.games import keen_games
from benchmarks.measure import Settings, percentile
from benchmarks.report import Row, at_most
from benchmarks.serving import APART, serving
from engine.play import registry

GAMES = 12


def measure(settings: Settings) -> Iterator[Row]:
    """One client, which asks what may be done, and does it."""
    with serving("ours", settings.folder / "actions", APART, "everysec") as service:
        for rules in registry.rulesets():
            took: list[float] = []
            for game in keen_games(rules.id, 1 if settings.quick else GAMES):
                game_id = secrets.token_hex(13)
                service.store.events.open(game_id, game.events[:2], game.seed)
                ask = get(f"/v1/games/{game_id}/actions")
                requests = (
                    request for draft in game.drafts() for request in (ask, post(f"/v1/games/{game_id}/events", draft))
                )
                with APART.load:
                    load = drive(service.address, [requests], expected=(200, 201))
                took += load.milliseconds[::2]
            yield Row(
                what=f"GET actions, {rules.name}: p50, p99, slowest of {len(took):,}",
                ours=f"{percentile(took, 0.5):.1f}, {percentile(took, 0.99):.1f}, {max(took):.1f} ms",
                goal=at_most(percentile(took, 0.99), 20, "ms"),
                pinning=APART.name,
            )
