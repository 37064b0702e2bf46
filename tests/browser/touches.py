"""Real touches on a page, with any number of fingers."""

from __future__ import annotations

import contextlib
import time

from playwright.sync_api import Error, Locator, Page, Route

Point = tuple[float, float]
PAUSE = 0.15
"""Seconds between the two taps of a double tap."""
LONG_PRESS = 900
"""Milliseconds that are a long press for the browser and for the page."""


class Touches:
    """Real touches on a page, with any number of fingers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: Point, when: float | None = None) -> None:
        """Put down, move or lift fingers, at the time `when` (Unix seconds), or now."""
        where = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        stamp = {} if when is None else {"timestamp": when}
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where, **stamp})

    def together(self, *starts: Point, by: Point = (0, 0), rest: int = 0, end: str = "touchEnd") -> None:
        """Put down fingers. Move the first one by `by` and the others in the opposite direction, and lift them."""
        self.send("touchStart", *starts)
        self._page.wait_for_timeout(rest)
        for part in (0.25, 0.5, 0.75, 1) if by != (0, 0) else ():
            moved = [(by[0] * part * sign, by[1] * part * sign) for sign in (1, *[-1] * (len(starts) - 1))]
            self.send("touchMove", *((x + dx, y + dy) for (x, y), (dx, dy) in zip(starts, moved, strict=True)))
        self.send(end)

    def double(self, target: Locator) -> None:
        """Tap twice where `target` was before the first tap; the next page loads after both taps."""
        held: list[Route] = []

        def hold(route: Route) -> None:
            if route.request.is_navigation_request():
                held.append(route)
            else:
                route.fallback()

        at, now = middle(target), time.time()
        # Chromium never acknowledges a touch that arrives while it replaces the page, and Playwright waits forever.
        self._page.route("**", hold)
        # A busy machine may deliver the second tap late: the page goes by when the finger touched.
        for seconds in (0, PAUSE):
            self.send("touchStart", at, when=now + seconds)
            self.send("touchEnd", when=now + seconds + 0.03)
        for route in held:
            # The page may have given the request up.
            with contextlib.suppress(Error):
                route.continue_()
        self._page.unroute("**", hold)


def middle(target: Locator) -> Point:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
