"""Accessibility tests with axe: WCAG 2.2 AA, and axe's best practices."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_AXE = Axe()


def axe(page: Page) -> None:
    """Fail if axe finds anything in the current page. Report the rules and the elements.

    The page is rendered in its full height, so that a bar at the edge covers nothing.
    """
    size = page.viewport_size
    assert size is not None
    page.wait_for_load_state()
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], height)})
    try:
        _check(page)
    finally:
        page.set_viewport_size(size)


def _check(page: Page) -> None:
    options: dict[str, Any] = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    violations = _AXE.run(page, options=options).response["violations"]
    assert not violations, "\n".join(
        f"{found['id']} ({found['impact']}): {found['help']}\n"
        + "\n".join(f"    {node['html']}\n        {node['failureSummary']}" for node in found["nodes"])
        for found in violations
    )
