"""docs/stories.md, sent request by request: the service answers as shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.api.table import Table

PAGE = (Path(__file__).parents[2] / "docs" / "stories.md").read_text("utf-8")
BLOCK = re.compile(r"```http\n(GET|POST) (\S+)\n(.*?)\n?(\d{3})\n(.*?)```", re.DOTALL)
BEGINNING, *STORIES = PAGE.split("\n## ")
SET_UP = re.search(r"\"outcomes\": \[\n(.*?)\]\}", BEGINNING, re.DOTALL)
LEFT_OUT = "…"


def requests(text: str) -> list[tuple[str, str, Any, int, Any]]:
    assert text.count("```http") == len(BLOCK.findall(text))
    return [
        (method, path, body and read(body), int(status), read(answer))
        for method, path, body, status, answer in BLOCK.findall(text)
    ]


def read(text: str) -> Any:
    """Parse JSON in which `…` omits a value or the rest of a list."""
    assert SET_UP is not None
    text = text.replace('"outcomes": […]', f'"outcomes": [{SET_UP[1]}]')
    text = re.sub(r"(?<=[\]}\"\d])…(?=[\]}])", "", text)
    return json.loads(text.replace("[…]", f'"{LEFT_OUT}"'))


def holds(shown: Any, answered: Any) -> bool:
    """Return True if an answer has everything that the story shows."""
    if shown == LEFT_OUT:
        return True
    if isinstance(shown, dict):
        return isinstance(answered, dict) and all(
            name in answered and holds(value, answered[name]) for name, value in shown.items()
        )
    if isinstance(shown, list):
        return isinstance(answered, list) and len(answered) >= len(shown) and all(map(holds, shown, answered))
    return bool(shown == answered)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.split("\n", 1)[0])
def test_story(table: Table, story: str) -> None:
    here = requests(story)
    for method, path, body, status, shown in here if path_of(here) == "/v1/games" else requests(BEGINNING) + here:
        address = path.replace(LEFT_OUT, table.game, 1)
        answer = table.client.open(address, method=method, json=body or None)
        assert answer.status_code == status, answer.text
        assert holds(shown, answer.json), answer.text
        if path == "/v1/games":
            table.game = answer.headers["Location"]


def path_of(found: list[tuple[str, str, Any, int, Any]]) -> str:
    """Return the path of a story's first request."""
    return found[0][1]
