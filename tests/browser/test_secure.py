"""`serve --lan` on a phone: plain HTTP first, and TLS once the phone trusts the service's own authority."""

from __future__ import annotations

import base64
import hashlib
import json
import ssl
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, BrowserContext, Page, expect

from api.plumbing.hosts import lan_address
from cli import authority
from schemas.times import rfc3339
from tests.browser.axe import axe
from tests.browser.conftest import FLAGS, PATIENCE, PHONE
from tests.browser.finding import find
from tests.browser.keeping import keeps
from tests.cli.service import SEEDED, Service

AWAKE = """() => {
  const video = document.querySelector("video.awake");
  return Boolean(video && !video.paused && video.readyState >= 2);
}"""
HOLDS = """async () => {
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  const lock = await request("screen");
  const isHeld = !lock.released;
  await lock.release();
  return isHeld;
}"""


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    if lan_address() is None:
        pytest.skip("this machine has no network address")
    service = Service(tmp_path_factory.mktemp("lan") / "data", "--lan")
    service.ready()
    yield service
    assert service.stop() == 0


@pytest.fixture(scope="module")
def token(lan: Service) -> str:
    ends = rfc3339(datetime.now(UTC) + timedelta(days=1))
    return lan.store().tokens.create("arbiter", created_at=rfc3339(datetime.now(UTC)), expires_at=ends)[0]


@pytest.fixture
def trusting(browser: Browser, lan: Service, tmp_path: Path) -> Iterator[BrowserContext]:
    """A phone that trusts the service's certificate, as if its authority had been installed."""
    certificate = x509.load_pem_x509_certificate((lan.data / authority.FOLDER / "service.pem").read_bytes())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    pin = base64.b64encode(hashlib.sha256(key).digest()).decode()
    args = [*FLAGS, f"--ignore-certificate-errors-spki-list={pin}"]
    context = browser.browser_type.launch_persistent_context(tmp_path, executable_path=find(), args=args, **PHONE)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def plain(service: Service) -> str:
    return service.url.replace("https://", "http://", 1)


def open_game(service: Service, token: str) -> str:
    """Return the path of a new game."""
    context = ssl.create_default_context(cafile=service.data / authority.FOLDER / "authority.pem")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{service.url}/v1/games", json.dumps(SEEDED).encode(), headers)
    with urllib.request.urlopen(request, context=context) as answer:
        return f"/games/{json.load(answer)['id']}"


def test_a_phone_that_trusts_the_authority_goes_on_by_tls(trusting: BrowserContext, lan: Service, token: str) -> None:
    game = open_game(lan, token)
    page = trusting.new_page()
    page.goto(f"{plain(lan)}/enter#{token}")
    page.wait_for_url(f"{lan.url}/**")
    assert page.evaluate("isSecureContext")
    page.goto(f"{lan.url}{game}/record")
    expect(page.locator("#link")).to_have_text("Live")
    assert page.evaluate(HOLDS)
    page.evaluate("() => navigator.serviceWorker.ready")
    expect(page.locator("#board svg")).to_be_visible()
    errors: dict[str, Any] = trusting.new_cdp_session(page).send("Page.getInstallabilityErrors")
    assert errors["installabilityErrors"] == []
    keeps(page, f"{game}/record", f"/v1{game}")
    trusting.set_offline(True)
    page.reload()
    expect(page.locator("#notices")).to_contain_text("Last seen")


def test_a_phone_that_skips_it_records_by_plain_http_and_stays_awake(
    browser: Browser, lan: Service, token: str
) -> None:
    game = open_game(lan, token)
    context = browser.new_context(**PHONE)
    context.set_default_timeout(PATIENCE)
    page: Page = context.new_page()
    page.goto(f"{plain(lan)}/enter#{token}")
    page.wait_for_url(lambda url: "/enter" not in url)
    assert page.url.startswith(plain(lan))
    assert not page.evaluate("isSecureContext")
    page.goto(f"{plain(lan)}{game}/record")
    expect(page.locator("#link")).to_have_text("Live")
    page.touchscreen.tap(180, 20)
    page.wait_for_function(AWAKE)
    page.goto(f"{plain(lan)}/")
    page.get_by_role("link", name="Secure connection").tap()
    page.wait_for_url("**/secure")
    axe(page)
    expect(page.get_by_role("link", name="Open the secure page")).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download certificate").tap()
    installed = x509.load_pem_x509_certificate(Path(download.value.path()).read_bytes())
    assert installed.extensions.get_extension_for_class(x509.NameConstraints).critical
    context.close()
