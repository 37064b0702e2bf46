"""`driftlog webhooks`, and a program that receives events."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cli import webhooks
from tests.cli.conftest import Run
from tests.cli.service import Service
from tests.receivers import receiving
from tests.waiting import until


@pytest.fixture
def ask(run: Run, service: Service) -> Callable[..., str]:
    def ask(*arguments: object) -> str:
        result = run("webhooks", *arguments, "--url", service.url)
        assert result.exit_code == 0, result.output
        return str(result.stdout)

    return ask


def test_a_webhook_is_made_told_of_used_and_removed(ask: Callable[..., str], service: Service, run: Run) -> None:
    game_id = service.open_game()
    with receiving() as receiver:
        secret = ask("add", receiver.url, "--event", "annotate", "--game", game_id)
        assert secret.startswith("whsec_")
        (hook,) = (one for one in json.loads(ask("list", "--json"))["webhooks"] if one["game"] == game_id)
        assert (hook["url"], hook["events"]) == (receiver.url, ["annotate"])
        assert any(hook["id"] in line and "active" in line for line in ask("list").splitlines())

        service.ask("POST", f"/v1/games/{game_id}/events", {"type": "annotate", "params": {"text": "hm"}})
        until(lambda: receiver.seqs)
        until(lambda: "delivered" in ask("deliveries", hook["id"]))
        (delivery,) = json.loads(ask("deliveries", hook["id"], "--json"))["deliveries"]
        assert delivery["id"] == f"{game_id}-3"

        before = len(receiver.seqs)
        assert "is sent again" in ask("replay", hook["id"], delivery["id"])
        until(lambda: len(receiver.seqs) > before)
        assert {*receiver.seqs} == {3}
        refused = run("webhooks", "replay", hook["id"], "x-1", "--url", service.url)
        assert refused.exit_code == 1
        assert refused.stderr.startswith("x-1: ")

    assert ask("remove", hook["id"]) == f"{hook['id']}: removed\n"
    assert hook["id"] not in ask("list")


def test_webhooks_are_listed_page_by_page(ask: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:

    def list_ids() -> set[str]:
        return {one["id"] for one in json.loads(ask("list", "--json"))["webhooks"]}

    # Other tests may have left some.
    before = list_ids()
    for _ in range(3):
        ask("add", "http://127.0.0.1:9/", "--ruleset", "forever-island")
    monkeypatch.setattr(webhooks, "_PAGE", 2)
    found = list_ids() - before
    assert len(found) == 3
    ask("remove", *found)
