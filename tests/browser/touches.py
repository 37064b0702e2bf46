"""Real touches on a page, with any number of fingers."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

Point = tuple[float, float]
LONG_PRESS = 900
"""Milliseconds that are a long press for the browser and for the page."""


class Touches:
    """Real touches on a page, with any number of fingers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: Point) -> None:
        where = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    def together(self, *starts: Point, by: Point = (0, 0), rest: int = 0, end: str = "touchEnd") -> None:
        """Put down fingers, move the first one by `by` and the others by the opposite, and lift them."""
        self.send("touchStart", *starts)
        self._page.wait_for_timeout(rest)
        for part in (0.25, 0.5, 0.75, 1) if by != (0, 0) else ():
            moved = [(by[0] * part * sign, by[1] * part * sign) for sign in (1, *[-1] * (len(starts) - 1))]
            self.send("touchMove", *((x + dx, y + dy) for (x, y), (dx, dy) in zip(starts, moved, strict=True)))
        self.send(end)

    def double(self, target: Locator) -> None:
        """Tap twice where `target` was before the first tap."""
        at = middle(target)
        for _ in range(2):
            self.together(at)


def middle(target: Locator) -> Point:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
