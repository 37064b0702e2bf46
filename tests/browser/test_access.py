"""A phone enters by a link, invites others, and leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.keeping import keeps
from tests.browser.watching import Watch
from tests.cli.service import SEEDED, Service

pytestmark = pytest.mark.long

AT = "2026-11-22T20:00:00.000Z"
REFUSED = r"status of 401"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that requires tokens."""
    service = Service(tmp_path_factory.mktemp("guarded"), DRIFTLOG_ACCESS="tokens")
    service.ready()
    yield service
    assert service.stop() == 0


def create_token(service: Service, role: Any, **options: Any) -> str:
    text, _ = service.store().tokens.create(role, created_at=AT, **options)
    return text


@pytest.fixture
def game(service: Service) -> str:
    status, game = service.ask("POST", "/v1/games", SEEDED, Authorization=f"Bearer {create_token(service, 'recorder')}")
    assert status == 201, game
    id_: str = game["id"]
    return id_


def come_in(page: Page, token: str) -> None:
    page.goto(f"/enter#{token}")
    page.wait_for_url(lambda address: "/enter" not in address)


def opened_menu(page: Page) -> None:
    """Open the menu of the record page, once the page has read the game."""
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name="More").click()


def test_a_link_lets_a_phone_in_and_leaves_no_trace(
    context: BrowserContext, watches: list[Watch], service: Service, game: str
) -> None:
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="Sign-in required")).to_be_visible()
    axe(page)
    watches[0].expect(REFUSED)
    token = create_token(service, "recorder", game=game, note="Ann's phone")
    come_in(page, token)
    assert page.url == f"{service.url}/games/{game}/record"
    assert page.evaluate("document.cookie") == ""
    assert token not in page.evaluate("JSON.stringify([...performance.getEntries()].map(entry => entry.name))")
    page.get_by_role("button", name="Draw a Treasure deck card").tap()
    expect(page.locator("#feed")).to_contain_text("Ann draws")
    page.go_back(wait_until="commit")
    assert token not in page.url

    page.goto(f"/games/{game}/record")
    opened_menu(page)
    page.get_by_role("dialog").get_by_role("link", name="My access").tap()
    expect(page.get_by_role("heading", name="You are signed in as Ann's phone")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_label("Your link or token")).to_be_visible()
    assert page.goto("/").status == 401  # type: ignore[union-attr]


def test_a_seats_phone_shows_its_own_buttons(new_context: Open, service: Service, game: str) -> None:
    pages = []
    for seat in ("p1", "p2"):
        page = new_context().new_page()
        come_in(page, create_token(service, "recorder", game=game, seat=seat))
        expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
        expect(page.locator("#whose")).to_have_text("Ann")
        pages.append(page)
    ann, bob = pages
    expect(ann.locator("#todo [data-action]").first).to_be_visible()
    expect(ann.locator("#todo .others")).to_have_count(0)
    expect(bob.locator("#todo")).to_contain_text("No legal action now.")
    expect(bob.locator("#todo [data-action]")).to_have_count(0)


def test_a_seats_phone_says_whose_it_is_and_what_it_may_undo(new_context: Open, service: Service, game: str) -> None:
    ann, bob = (new_context().new_page() for _ in range(2))
    for page, seat, note in ((ann, "p1", "Ann's phone"), (bob, "p2", "Bob's phone")):
        come_in(page, create_token(service, "recorder", game=game, seat=seat, note=note))
        expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
        expect(page.locator(f".hand.is-own[data-seat={seat}]")).to_be_visible()
    expect(ann.locator("#ask")).to_have_text("You are Ann. Three actions left: move or draw cards.")
    expect(bob.locator("#ask")).to_have_text("You are Bob. Waiting for Ann.")
    ann.get_by_role("button", name="Draw a Treasure deck card").tap()
    expect(bob.locator("#when")).to_have_text("Only Ann's phone or an arbiter can undo this.")
    expect(bob.locator("#undo")).to_have_attribute("aria-disabled", "true")
    ann.locator("#undo").tap()
    expect(ann.locator("#feed s")).to_have_count(1)


def test_a_token_can_be_typed_and_has_to_be_one(page: Page, watches: list[Watch], service: Service) -> None:
    watches[0].expect(REFUSED)
    page.goto("/enter#driftlog_nonsense")
    expect(page.get_by_role("alert")).to_have_text("This token is invalid, expired or revoked. Use another one.")
    assert page.url == f"{service.url}/enter"
    expect(page.get_by_label("Your link or token")).to_be_focused()
    page.get_by_label("Your link or token").fill(f" {service.url}/enter#{create_token(service, 'viewer')} ")
    page.get_by_role("button", name="Sign in").tap()
    page.wait_for_url(f"{service.url}/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_somebody_elses_link_asks_first(page: Page, service: Service, game: str) -> None:
    come_in(page, create_token(service, "viewer", note="Bob's phone"))
    theirs = create_token(service, "viewer", game=game)
    page.goto(f"/enter#{theirs}")
    expect(page.get_by_role("heading", name="Link for a different user")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Stay signed in").tap()
    expect(page.get_by_role("heading", name="You are signed in as Bob's phone")).to_be_visible()
    page.evaluate(f"location.hash = '{theirs}'")
    page.get_by_role("button", name="Continue with the link").tap()
    page.wait_for_url(f"{service.url}/games/{game}/watch")


def test_a_phone_is_invited_and_the_invitation_withdrawn(
    new_context: Open, watches: list[Watch], service: Service, game: str
) -> None:
    host, guest = new_context().new_page(), new_context().new_page()
    come_in(host, create_token(service, "recorder", game=game))
    opened_menu(host)
    host.get_by_role("button", name="Invite").tap()
    sheet = host.get_by_role("dialog", name="Invite")
    expect(sheet.get_by_text("Play as Ann")).to_have_count(0)  # A recorder may not see a seat's secrets.
    sheet.get_by_text("Watch").tap()
    sheet.get_by_label("Whose phone is it?").fill("Eve")
    with host.expect_response(lambda answer: answer.url.endswith("/v1/tokens") and answer.status == 201) as made:
        sheet.get_by_role("button", name="Create invitation").tap()
    expect(sheet.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    expect(sheet.get_by_role("listitem")).to_contain_text("watches (Eve)")

    come_in(guest, made.value.json()["token"])
    assert guest.url == f"{service.url}/games/{game}/watch"
    expect(guest.get_by_role("heading", level=1)).to_be_visible()

    watches[1].expect(REFUSED)
    sheet.get_by_role("button", name="Revoke: watches (Eve)").tap()
    expect(sheet.get_by_role("listitem")).to_have_count(0)
    expect(sheet.get_by_role("img", name="QR code of the invitation")).to_have_count(0)
    assert guest.reload().status == 401  # type: ignore[union-attr]


def test_the_invitation_is_for_everyone(everywhere: Page, service: Service, game: str) -> None:
    come_in(everywhere, create_token(service, "arbiter"))
    everywhere.goto(f"/games/{game}/record")
    opened_menu(everywhere)
    everywhere.get_by_role("button", name="Invite").click()
    sheet = everywhere.get_by_role("dialog", name="Invite")
    expect(sheet.get_by_text("Play as Bob")).to_be_visible()
    axe(everywhere)
    sheet.get_by_role("button", name="Create invitation").click()
    expect(sheet.get_by_role("heading", name="Invitation: plays as Ann")).to_be_focused()
    expect(sheet.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    axe(everywhere)
    assert everywhere.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_watches_a_game_that_is_deleted_is_told(
    context: BrowserContext, watches: list[Watch], service: Service, game: str
) -> None:
    page = context.new_page()
    come_in(page, create_token(service, "viewer"))
    page.goto(f"/games/{game}/watch")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("#connection")).to_have_text("Live")
    watches[0].expect("status of 410")
    service.store().deletions.delete(game, at=AT, by=None)
    expect(page.locator("#connection")).to_have_text("You are signed out")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("The game was deleted")
    axe(page)


@pytest.fixture
def keeping(new_context: Open, service: Service, game: str) -> Page:
    """A phone of a recorder, which stores the table for use without a network."""
    page = new_context(service_workers="allow").new_page()
    come_in(page, create_token(service, "recorder", game=game, note="Ann"))
    expect(page.locator("#link")).to_have_text("Live")
    keeps(page, f"/games/{game}/record", f"/v1/games/{game}")
    return page


def test_of_a_table_that_one_may_not_see_any_more_nothing_stays(
    keeping: Page, watches: list[Watch], service: Service
) -> None:
    watches[0].expect("status of 401|error: This token is invalid")
    admin = create_token(service, "admin")
    for token in service.ask("GET", "/v1/tokens", Authorization=f"Bearer {admin}")[1]["tokens"]:
        if token["note"] == "Ann":
            service.store().tokens.withdraw(token["id"])
    keeping.reload()
    expect(keeping.get_by_text("This token is invalid, expired or revoked. Use another one.")).to_be_visible()
    keeps(keeping)


def test_who_leaves_leaves_nothing_behind(keeping: Page) -> None:
    keeping.goto("/enter")
    keeping.locator("#leave").click()
    expect(keeping.locator("#leave")).to_have_count(0)
    keeps(keeping)
