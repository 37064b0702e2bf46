"""Draw a finished seeded game again, from its export and nothing else: `python redraw.py game.draws.json`.

The export is `GET /v1/games/{id}/export?format=draws`; docs/chance.md has the formula.
"""

import hashlib
import hmac
import json
import sys


def index(seed: str, seq: int, position: int, size: int) -> int:
    """Return the index of the drawn outcome, of `size` equally likely ones."""
    largest = 2**64 - 2**64 % size
    attempt = 0
    while True:
        message = f"{seq}:{position}:{attempt}"
        number = int.from_bytes(hmac.digest(seed.encode(), message.encode(), "sha256")[:8], "big")
        if number < largest:
            return number % size
        attempt += 1


with open(sys.argv[1], encoding="utf-8") as file:
    game = json.load(file)
if game["seed"] is None:
    sys.exit("Its seed is not revealed: the game is not over, or it draws nothing.")
assert hashlib.sha256(game["seed"].encode()).hexdigest() == game["seed_commitment"], "another seed"
own = [draw for draw in game["draws"] if draw["seq"] > game["seeded_after"]]
for draw in own:
    options = draw["options"]
    assert options == sorted(options), f"event {draw['seq']}: its options are not in order"
    drawn = options[index(game["seed"], draw["seq"], draw["position"], len(options))]
    assert drawn == draw["outcome"], f"event {draw['seq']}: {drawn}, not {draw['outcome']}"
print(f"{len(own)} draws of game {game['game']} come up again")
