"""The certificate authority of `serve --lan`: its permitted names, its files, and their replacement."""

from __future__ import annotations

import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from api.plumbing.settings import Settings
from cli import authority
from cli.terminal import WrongSetting


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """The addresses of this machine in its network, which a test can change."""
    here: dict[str, str | None] = {"4": "192.168.1.20", "6": "fd00::20"}
    monkeypatch.setattr(authority, "lan_address", lambda *, is_six=False: here["6" if is_six else "4"])
    return here


def make_certificates(folder: Path) -> tuple[bytes, bytes]:
    """Return the authority and the service's certificate, as the service creates them at the start."""
    settings = authority.settings_for(Settings(data=folder))
    return Path(settings.authority).read_bytes(), Path(settings.certificate).read_bytes()


def test_a_second_start_keeps_both_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    first = make_certificates(tmp_path)
    assert make_certificates(tmp_path) == first
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "tls").iterdir()} == {0o600}
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(tmp_path / "tls" / "service.pem")


def test_the_certificate_is_for_this_machine_and_no_longer_than_browsers_accept(tmp_path: Path) -> None:
    root, chain = make_certificates(tmp_path)
    certificate = x509.load_pem_x509_certificate(chain)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one) for one in names.get_values_for_type(x509.IPAddress)} == {
        "127.0.0.1",
        "::1",
        "192.168.1.20",
        "fd00::20",
    }
    assert "localhost" in names.get_values_for_type(x509.DNSName)
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= timedelta(days=398)
    certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(root))


def test_another_address_takes_another_certificate_of_the_same_authority(
    tmp_path: Path, address: dict[str, str | None]
) -> None:
    first = make_certificates(tmp_path)
    address["4"] = "10.0.0.7"
    second = make_certificates(tmp_path)
    assert second[0] == first[0], "phones have installed it"
    assert second[1] != first[1]
    address["4"] = address["6"] = None
    assert make_certificates(tmp_path)[0] == first[0]


def test_a_public_address_at_home_is_permitted_by_an_authority_made_for_it(
    tmp_path: Path, address: dict[str, str | None]
) -> None:
    first = make_certificates(tmp_path)
    address["4"] = "192.0.2.2"
    second = make_certificates(tmp_path)
    assert second[0] != first[0]
    limits = x509.load_pem_x509_certificate(second[0]).extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert "192.0.2.0/24" in {str(limit.value) for limit in limits.value.permitted_subtrees or ()}
    address["4"] = "192.0.2.3"
    assert make_certificates(tmp_path)[0] == second[0]


@pytest.mark.parametrize("days", [authority.CERTIFICATE_DAYS - 10, authority.AUTHORITY_DAYS - 10])
def test_what_ends_soon_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    first = make_certificates(tmp_path)
    ahead = datetime.now(UTC) + timedelta(days=days)
    monkeypatch.setattr(authority, "_in_days", lambda more: ahead + timedelta(days=more))
    second = make_certificates(tmp_path)
    assert second[1] != first[1]
    assert (second[0] == first[0]) == (days < authority.CERTIFICATE_DAYS)


@pytest.mark.parametrize("name", ["authority.pem", "authority.key", "service.pem"])
@pytest.mark.parametrize("content", [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", None])
def test_a_file_that_is_damaged_or_missing_is_made_anew(tmp_path: Path, name: str, content: bytes | None) -> None:
    first = make_certificates(tmp_path)
    path = tmp_path / "tls" / name
    path.unlink() if content is None else path.write_bytes(content)
    second = make_certificates(tmp_path)
    assert second[1] != first[1]
    assert (second[0] == first[0]) == (name == "service.pem")


def test_a_certificate_of_ones_own_or_a_proxy_needs_no_authority(tmp_path: Path) -> None:
    for given in ({"certificate": "cert.pem"}, {"public_url": "https://games.example.org"}):
        settings = Settings(data=tmp_path, **given)
        assert authority.settings_for(settings) == settings


def test_a_folder_that_takes_no_file(tmp_path: Path) -> None:
    (tmp_path / "tls").write_text("in the way")
    with pytest.raises(WrongSetting, match="cannot store a certificate"):
        make_certificates(tmp_path)
