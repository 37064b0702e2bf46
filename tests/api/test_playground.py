"""The playground plays any ruleset by links, and stores nothing."""

from __future__ import annotations

import html
import re

import pytest

from engine.play import registry
from store import Store
from tests.api.table import Table


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_a_few_steps(ruleset: str, table: Table, store: Store) -> None:
    address = f"/rulesets/{ruleset}/play?seed=7"
    pages = []
    for _ in range(6):
        page = table.client.get(address)
        assert page.status_code == 200, page.text
        assert 'aria-labelledby="state"' in page.text
        pages.append((address, page.text))
        actions = page.text.partition('id="actions"')[2].partition('id="steps"')[0]
        links = [html.unescape(link) for link in re.findall(r'href="(/rulesets/[^"]+)"', actions)]
        assert links
        address = links[len(links) // 2]
    # A link of an earlier step leads to the same page as before.
    earlier = html.unescape(re.findall(r'<li><a href="([^"]+)"', pages[-1][1].partition('id="steps"')[2])[2])
    assert table.client.get(earlier).text == table.client.get(pages[2][0]).text
    assert store.projections.count() == 0


def test_a_chosen_result_and_bad_addresses(table: Table) -> None:
    page = table.client.get("/rulesets/any-game/play?seats=99&seed=x&steps=99999,1.2,-,").text
    assert page.count("<li><b>") == 1
    assert table.client.get("/rulesets/chess/play").status_code == 404
    island = table.client.get("/rulesets/forbidden-island/play").text
    (p, *_) = re.findall(r'<span class="soft">(\d+/\d+)</span>', island)
    assert p
