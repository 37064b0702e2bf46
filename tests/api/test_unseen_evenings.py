"""Whole evenings in which nobody saw a card: recorded, read, corrected, exported and forked over HTTP."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from driftlog import Game
from engine.core import effort
from engine.play.beliefs.belief import worlds
from engine.play.offers import offers
from service.access import OPEN
from service.table import actions
from tests.api.table import Table
from tests.recording import Recording

UNSEEN = {"draw_treasure_card", "draw_artifact_card", "draw_equipment"}
"""The events that draw a card into a hand."""
OFTEN = {
    "excavate": 8,
    "draw_equipment": 9,
    "draw_storm_card": 0.5,
    "discard": 6,
    "give_card": 6,
    "capture_treasure": 30,
    "play_sandbags": 4,
    "shore_up": 12,
    "move": 0.4,
    "fly": 0.02,
    "navigate": 0.02,
    "play_helicopter_lift": 0.01,
    "end_actions": 0.02,
}
"""The frequency of each kind of action."""

IN_THE_DESERT = {
    "draw_storm_card": 0.3,
    "excavate": 40,
    "forecast": 5,
    "give_water": 0.2,
    "look_at_storm_card": 9,
    "play_dune_blaster": 0.1,
    "play_jet_pack": 0.1,
    "play_terrascope": 2,
    "remove_sand": 2,
    "weaken_storm": 4,
}
"""The frequency of each kind of action, whatever the number of such actions."""


@pytest.fixture(autouse=True)
def patient(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the limit of processor time: on a busy machine, it counts double."""
    settings = msgspec.structs.replace(app.config["SETTINGS"], request_seconds=60)
    monkeypatch.setitem(app.config, "SETTINGS", settings)


def whole_evening(ruleset: str, seats: int, seed: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """Return the reports of a table until its game ends, without the drawn cards, and separately the drawn cards."""
    rng, real = random.Random(seed), Recording(ruleset, seats, seed=str(seed))
    real.add("set_up")
    found = [{"type": "set_up", "actor": None, "params": {}, "outcomes": list(real.events[-1].outcomes)}]
    true = list(real.events[-1].outcomes)
    drawn: list[Any] = [None, None, true]
    table: Any = real.game.state
    while table.outcome is None:
        legal = list(real.game.ruleset.legal_actions(table))
        one = rng.choices(legal, [OFTEN.get(one.action.type, 1) for one in legal])[0]
        event, *_ = real.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))
        outcomes = list(event.outcomes)
        is_shown = not outcomes or outcomes[-1] == getattr(getattr(table, "edition", None), "rising_card", None)
        if event.type in UNSEEN and not is_shown:
            outcomes[-1] = None
        found.append({"type": event.type, "actor": event.actor, "params": event.params, "outcomes": outcomes})
        drawn.append(list(event.outcomes))
        table = real.game.state
    return found, drawn


def evening_of_looks(seats: int, seed: int, **options: str) -> list[dict[str, Any]]:
    """Return the reports of a team that sees only excavated tiles, drawn storm cards and the second Terrascope."""
    rng, real = random.Random(seed), Recording("forbidden-desert", seats, seed=str(seed), **options)
    real.add("set_up")
    found = [{"type": "set_up", "actor": None, "params": {}, "outcomes": list(real.events[-1].outcomes)}]
    unseen = ["draw_equipment", "look_at_storm_card", "play_terrascope"]
    table: Any = real.game.state
    while table.outcome is None:
        kinds: dict[str, list[Any]] = {}
        for legal in real.game.ruleset.legal_actions(table):
            kinds.setdefault(legal.action.type, []).append(legal)
        one = rng.choice(kinds[rng.choices(list(kinds), [IN_THE_DESERT.get(kind, 1) for kind in kinds])[0]])
        event, *_ = real.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))
        outcomes = [None] if event.type in unseen else list(event.outcomes)
        if event.type == "play_terrascope":
            unseen = unseen[:2]
        found.append({"type": event.type, "actor": event.actor, "params": event.params, "outcomes": outcomes})
        table = real.game.state
    return found


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("ruleset", "seats", "seed"),
    [
        ("forbidden-island", 2, 3),
        ("forbidden-island", 4, 2),
        ("forbidden-island-archaens", 4, 10),
        ("forbidden-desert", 4, 1),
    ],
)
def test_a_whole_evening_of_unseen_cards(table: Table, tmp_path: Path, ruleset: str, seats: int, seed: int) -> None:
    check_evening(table, tmp_path, ruleset, seats, whole_evening(ruleset, seats, seed)[0])


@pytest.mark.long
@pytest.mark.no_cover
def test_a_whole_evening_of_unseen_equipment_and_looks(table: Table, tmp_path: Path) -> None:
    options = {"difficulty": "novice", "storm_tracker": "on"}
    drafts = evening_of_looks(4, 56, **options)
    looks = [draft["outcomes"] for draft in drafts if draft["type"] == "play_terrascope"]
    assert [None in outcomes for outcomes in looks] == [True, False]
    check_evening(table, tmp_path, "forbidden-desert", 4, drafts, **options)


def check_evening(
    table: Table, tmp_path: Path, ruleset: str, seats: int, drafts: list[dict[str, Any]], **options: str
) -> None:
    """Record a whole game, then read, correct, export and fork it."""
    client = table.client
    names = [{"name": name} for name in ("Ada", "Bo", "Cy", "Di")[:seats]]
    opened = client.post(
        "/v1/games", json={"ruleset": ruleset, "seats": names, "chance": "observed", "options": options}
    ).json
    url = f"/v1/games/{opened['id']}"
    for draft in drafts:
        if draft["type"] == "draw_flood_card":
            # Everyone sees this card.
            unseen = client.post(f"{url}/events?dry_run=true", json={**draft, "outcomes": [None]})
            assert unseen.status_code == 200 or unseen.json["type"] == "/problems/outcome-required", unseen.text
        answer = client.post(f"{url}/events", json=draft)
        assert answer.status_code == 201, (draft, answer.text)
    game = client.get(url).json
    assert game["outcome"]["result"] in {"won", "lost"}
    unseen = [
        event["seq"] for event in client.get(f"{url}/events?limit=1000").json["events"] if None in event["outcomes"]
    ]
    assert unseen
    for path in ("/state", "/actions", "/facts", "/board.svg", "/turns", "/story", "/export?format=markdown"):
        assert client.get(url + path).status_code == 200, path
    unknowns = client.get(f"{url}/unknowns").json["unknowns"]
    assert [one["seq"] for one in unknowns] == unseen
    for one in unknowns:
        chances = [outcome["p"] for outcome in one["outcomes"]]
        assert set(chances) == {None} or sum(chances) == pytest.approx(1)
    for format_ in ("json", "ndjson"):
        (tmp_path / f"evening.{format_}").write_bytes(client.get(f"{url}/export?format={format_}").data)
        again = Game.read(tmp_path / f"evening.{format_}")
        assert (again.head, again.version) == (game["head"], game["version"])
        assert again.audit().verdict == "clean"
    # Everything before the end can be undone, played on and forked.
    middle = unseen[len(unseen) // 2]
    fork = client.post(f"{url}/forks", json={"at": middle})
    assert fork.status_code == 201, fork.text
    fork_url = f"/v1/games/{fork.json['id']}"
    assert client.get(f"{fork_url}/unknowns").status_code == 200
    for type_, params in (("undo", {"to": unseen[0]}), ("abandon", {"reason": "late"})):
        answer = client.post(f"{fork_url}/events", json={"type": type_, "params": params})
        assert answer.status_code == 201, answer.text


@pytest.mark.long
@pytest.mark.no_cover
def test_a_reveal_of_a_counted_hand(table: Table) -> None:
    drafts, drawn = whole_evening("forbidden-island", 3, 1)
    names = [{"name": name} for name in ("Ada", "Bo", "Cy")]
    opened = table.client.post(
        "/v1/games", json={"ruleset": "forbidden-island", "seats": names, "chance": "observed"}
    ).json
    url = f"/v1/games/{opened['id']}"
    for draft in drafts[:70]:
        assert table.client.post(f"{url}/events", json=draft).status_code == 201
    for unknown in table.client.get(f"{url}/unknowns").json["unknowns"][:3]:
        (card,) = drawn[unknown["seq"]]
        assert card in [outcome["value"] for outcome in unknown["outcomes"]]
        params = {"seq": unknown["seq"], "position": 0}
        refused = table.client.post(
            f"{url}/events", json={"type": "reveal", "params": {**params, "value": "waters_rise"}}
        )
        assert (refused.status_code, refused.json["type"]) == (422, "/problems/impossible-outcome")
        assert refused.json["given"] == "waters_rise"
        answer = table.client.post(f"{url}/events", json={"type": "reveal", "params": {**params, "value": card}})
        assert answer.status_code == 201, answer.text


def test_few_rules_run_to_list_actions_beside_hundreds_of_possible_tables() -> None:
    """The result of each Terrascope may be unknown, too. Each tile took 10,000 runs."""
    seeded = Recording("forbidden-desert", 3, seed="1")
    seeded.add("set_up")
    recording = Recording("forbidden-desert", 3)
    recording.add("set_up", outcomes=seeded.events[-1].outcomes)
    for seat in ("p1", "p2", "p3", "p1"):
        owed = [{"fact": "turn_of", "seat": seat}, {"fact": "must_draw_equipment", "yes": True}]
        recording.add("adjust", facts=owed, reason="They excavated a gear.")
        recording.add("draw_equipment", seat, [None])
    state = recording.game.state
    assert state is not None
    assert len(worlds(state)) > 500
    found = offers(recording.game.ruleset, state)
    with effort.count_steps() as spent:
        listed = actions(recording.game, OPEN)
    assert spent.spent < 10_000
    probabilities = [Fraction(one.get("p_exact", 1)) for one in (*listed.legal, *listed.possible)]
    assert sorted(probabilities) == sorted(one.probability for one in found if one.probability is not None)
