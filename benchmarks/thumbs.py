"""Record whole scoresheets on a phone.

Measure the touches per event, with and without the slide gesture, and the sizes of texts and targets in every state.
Then measure the cold load of each record page.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, expect

from benchmarks import sizes
from benchmarks.fingers import FIND_S, Finger, TouchCount
from benchmarks.measure import Settings
from benchmarks.pages import PATIENCE_MS, PROFILES, Place, load, open_page
from benchmarks.report import Row, at_most, exactly
from benchmarks.sizes import STATE, Sizes
from tests.browser.examples import flat, lines
from tests.browser.tapping import Thumb
from tests.cli.service import Service
from tests.playouts import NAMES
from tests.recorded.games import FOLDER, read

SCORESHEETS = (
    "forbidden-island",
    "forbidden-island-archaens",
    "forbidden-desert",
    "forever-island",
    "forgotten-waters",
)
RECORDED = {"forbidden-island-archaens": "lifted_off.jsonl"}
"""Recorded games of the tests, for games without a scoresheet."""
MOST_TAPS, MOST_BELOW = 1.10, 1
SIZES = {(360, 740): 12, (740, 360): 12, (1024, 768): 16}
"""The sizes of screens in pixels, each with the minimum median size of text on the board."""
PHONE = (360, 740)


def measure(settings: Settings, service: Service, browser: Browser) -> Iterator[Row]:
    """Measure every game: the touches to record it, and the contents of the screen during the recording."""
    expect.set_options(timeout=PATIENCE_MS)
    for name in SCORESHEETS:
        yield from scoresheet(browser, service, name, 6 if settings.quick else None)


def scoresheet(browser: Browser, service: Service, name: str, most: int | None = None) -> Iterator[Row]:
    """Measure a game, or its first `most` events."""
    opening, bodies = sheet(name)
    dealt, *events = bodies[: None if most is None else most + 1]
    screens = {size: Sizes() for size in SIZES}
    plain = _play(browser, service, opening, dealt, events, screens)
    slid = _play(browser, service, opening, dealt, events, {}, plain)
    found = [(event, one) for event, one in enumerate(plain) if one is not None]
    missed = sum(not one.is_found for _, one in found)
    touched = [(event, one) for event, one in found if one.is_found]
    yield Row(
        what=f"{name}: events touched, of {len(events)} ({len(events) - len(found)} have no button)",
        ours=f"{len(touched)} ({missed} not recorded as meant)",
        goal=exactly(missed, 0, "missed"),
        pinning=PROFILES[0].pinning,
    )
    for title, all_ in (("without the slide", plain), ("with the slide", slid)):
        # An event that cannot be recorded with a slide counts with its touches.
        whole = [_best(one, all_[event]) for event, one in touched]
        touches = sum(one.touches for one in whole)
        swipes = sum(one.swipes for one in whole)
        yield Row(
            what=f"{name}: touches an event, {title}",
            ours=f"{touches / len(whole):.2f} (most {max(one.touches for one in whole)})",
            goal=at_most(touches / len(whole), MOST_TAPS, "touches"),
            pinning=PROFILES[0].pinning,
        )
        if title == "without the slide":
            yield Row(
                what=f"{name}: swipes to bring a target into sight, per 100 touches",
                ours=f"{100 * swipes / touches:.1f}",
                goal=at_most(100 * swipes / touches, MOST_BELOW, ""),
                pinning=PROFILES[0].pinning,
            )
    for (width, height), least in SIZES.items():
        yield from sizes.rows(name, f"{width} × {height}", screens[width, height], least)
    yield from _cold(browser, service, name, opening, [dealt, *events[: len(events) // 2]])


def _best(plain: TouchCount, other: TouchCount | None) -> TouchCount:
    return other if other is not None and other.is_found else plain


def _cold(browser: Browser, service: Service, name: str, opening: Any, events: list[Any]) -> Iterator[Row]:
    game = _open_game(service, opening, events)
    place = Place(name, f"/games/{game}/record", '#todo[aria-busy="false"] :is(button, summary)')
    for profile in PROFILES:
        cold = load(browser, service, place, profile)
        yield Row(
            what=f"{name}, {profile.name}: cold load of the record page, {cold.requests} requests, {cold.kb:.0f} kB",
            ours=f"usable after {cold.usable:,.0f} ms (first paint {cold.painted:,.0f})",
            pinning=profile.pinning,
        )


def _play(  # noqa: PLR0917
    browser: Browser,
    service: Service,
    opening: Any,
    dealt: Any,
    events: list[dict[str, Any]],
    screens: dict[tuple[int, int], Sizes],
    before: list[TouchCount | None] | None = None,
) -> list[TouchCount | None]:
    """Record a game with touches. Return the touches of each event, or None for an event without a button.

    `before` is an earlier result without slides. If it is given, slide for the events that took more than one touch.
    """
    game = _open_game(service, opening, [dealt])
    kinds = service.ask("GET", f"/v1/rulesets/{opening['ruleset']}")[1]["actions"]
    any_time = {kind["type"] for kind in kinds if kind["any_time"]}
    found: list[TouchCount | None] = []
    with open_page(browser, service, PROFILES[0], "main") as (page, session):
        thumb, finger = Thumb(page, service, game), Finger(page, session)
        thumb.open()
        # The version after each event of the scoresheet. A touch that was not recorded as meant adds events.
        versions = [1, thumb.version]
        for number, event in enumerate(events):
            if number:
                versions.append(thumb.version)
            if event["type"] == "undo":
                event = {**event, "params": {"to": versions[event["params"]["to"] - 1]}}  # noqa: PLW2901  # as recorded
            entry = action_entry(service, game, event)
            was = before[number] if before else None
            if entry is None or (before is not None and (was is None or was.touches < 2 or not was.is_found)):
                _append(service, game, event)
                thumb.recorded()
                found.append(None)
                continue
            found.append(
                _record(service, thumb, finger, entry, event, entry["type"] in any_time, may_slide=before is not None)
            )
            if screens:
                # The page ignores a second click at the same place, until it hides the shield there.
                page.wait_for_function("() => !document.querySelector('.shield:not([hidden])')")
            for (width, height), size in screens.items():
                page.set_viewport_size({"width": width, "height": height})
                size.add(page.evaluate(STATE))
            if screens:
                page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    return found


def _record(  # noqa: PLR0917
    service: Service,
    thumb: Thumb,
    finger: Finger,
    entry: dict[str, Any],
    event: dict[str, Any],
    is_any_time: bool,  # noqa: FBT001
    *,
    may_slide: bool,
) -> TouchCount:
    at = thumb.version
    done = finger.record(entry, event.get("outcomes", []), is_any_time=is_any_time, may_slide=may_slide)
    limit = time.monotonic() + FIND_S
    while done.is_found and thumb.version == at and time.monotonic() < limit:
        thumb.page.wait_for_timeout(50)
    if not done.is_found:
        # A tap that is still being sent would be recorded after the scoresheet's event. A sheet may still be open.
        expect(thumb.page.locator("#last")).not_to_contain_class("is-sending")
        thumb.open()
    if thumb.version > at:
        thumb.settled()
        came = service.ask("GET", f"/v1/games/{thumb.game}/events/{at + 1}")[1]
        if done.is_found and _is_meant(came, entry):
            return done
        _append(service, thumb.game, {"type": "undo", "params": {"to": at}})
    done.is_found = False
    # Reload the page, and continue with the scoresheet's event.
    _append(service, thumb.game, event)
    thumb.open()
    return done


def sheet(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the body that opens a game, and its events."""
    if name not in RECORDED:
        opening, bodies = lines(name)
        return opening, flat(bodies)
    header, kept = read(FOLDER / name / RECORDED[name])
    seats = [{"name": one} for one in NAMES[: header.seats]]
    opening = {"ruleset": header.ruleset, "seats": seats, "chance": "observed", "options": header.options}
    events = [{"type": one.type, "actor": one.actor, "params": one.params, "outcomes": one.outcomes} for one in kept]
    return opening, [event for event in events if event["type"] not in {"game_opened", "game_closed"}]


def action_entry(service: Service, game: str, event: dict[str, Any]) -> dict[str, Any] | None:
    """Return the entry of `/actions` for an event; None if there is none.

    If several entries fit, return the entry with the fewest other params, such as a flight without passengers.
    """
    actions: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
    fitting = [one for one in actions if is_same(one, event)]
    return min(fitting, key=lambda one: sum(value is not None for value in one["params"].values()), default=None)


def is_same(one: dict[str, Any], event: dict[str, Any]) -> bool:
    """Return True if an entry matches an event of a scoresheet, which can omit defaults."""
    is_of = (one["type"], one["actor"]) == (event["type"], event.get("actor"))
    return is_of and event.get("params", {}).items() <= one["params"].items()


def _is_meant(came: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return True if an event records the action of an entry. Ignore the event's masked params."""
    hidden = {name for name, value in came["params"].items() if value == {"masked": True}}
    came, entry = (
        {**one, "params": {name: value for name, value in one["params"].items() if name not in hidden}}
        for one in (came, entry)
    )
    return all(came[name] == entry[name] for name in ("type", "actor", "params"))


def _open_game(service: Service, opening: Any, events: list[Any]) -> str:
    status, game = service.ask("POST", "/v1/games", opening)
    assert status == 201, game
    _append(service, game["id"], events)
    id_: str = game["id"]
    return id_


def _append(service: Service, game: str, event: Any) -> None:
    status, answer = service.ask("POST", f"/v1/games/{game}/events", event)
    assert status == 201, answer
    assert "stopped" not in answer, answer
