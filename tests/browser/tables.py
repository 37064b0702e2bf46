"""Games for pages. They are opened and set up by API requests, as if users had tapped."""

from __future__ import annotations

import random
from typing import Any

from tests.cli.service import Service

PICTURED = ("forbidden-island", "forbidden-island-archaens", "forbidden-desert", "forever-island", "forgotten-waters")
"""The rulesets with a setup in pictures."""
NAMES = ("Ann", "Bob", "Cleo", "Dov", "Eli", "Fay", "Gus")


def opened(service: Service, ruleset: str = "forbidden-island", seats: int = 2, **options: Any) -> str:
    """Open a physical game without a setup, and return its id. The options may include `mode`, `chance` and `seed`."""
    seed = {"seed": options.pop("seed")} if "seed" in options else {}
    body = {
        **seed,
        "ruleset": ruleset,
        "seats": [{"name": name} for name in NAMES[:seats]],
        "chance": options.pop("chance", "observed"),
        "mode": options.pop("mode", "strict"),
        "options": options,
    }
    status, game = service.ask("POST", "/v1/games", body)
    assert status == 201, game
    id_: str = game["id"]
    return id_


def set_up(service: Service, ruleset: str = "forbidden-island", seats: int = 2, seed: int = 1, **options: Any) -> str:
    """Return the id of a physical game with a random setup."""
    game = opened(service, ruleset, seats, **options)
    if options.get("chance") != "seeded":
        happens(service, game, {"type": "set_up"}, random.Random(seed))
    return game


def happens(service: Service, game: str, event: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Append an event. If the rules ask for results, add random ones."""
    outcomes: list[Any] = []
    while True:
        status, answer = service.ask("POST", f"/v1/games/{game}/events", {**event, "outcomes": outcomes})
        if status == 201:
            return dict(answer)
        assert answer["type"] == "/problems/outcome-required", answer
        possible = answer["chance"]["outcomes"]
        (chosen,) = rng.choices(possible, [one["p"] for one in possible])
        outcomes.append(chosen["value"])


def goes_on(service: Service, game: str, events: int, seed: int = 1) -> None:
    """Append this many random actions. If the game ends, append fewer."""
    rng = random.Random(seed)
    for _ in range(events):
        actions = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
        if not actions:
            return
        chosen = rng.choice(actions)
        happens(service, game, {name: chosen[name] for name in ("type", "actor", "params")}, rng)
