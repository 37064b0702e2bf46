"""A certificate authority for the phones of one network, and the certificate that it signs.

Both are in the data folder. Browsers require TLS to keep the screen on, to install the pages, and to work without a
network. No public authority signs the address of a machine at home. So the service has an authority of its own, whose
certificate each phone installs once. This authority can sign only local names and addresses of private networks (RFC
5280, 4.2.1.10), so a stolen key does not endanger other sites.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from api.plumbing.hosts import lan_address
from api.plumbing.settings import Settings
from cli.terminal import WrongSetting

FOLDER = "tls"
"""The subfolder of the data folder."""
AUTHORITY_DAYS = 3650
CERTIFICATE_DAYS = 397
"""The longest validity that browsers accept."""
RENEWAL_DAYS = 30
"""A certificate that expires within this time is replaced when the service starts."""
_ADDRESSES = (
    IPv4Network("10.0.0.0/8"),
    IPv4Network("127.0.0.0/8"),
    IPv4Network("169.254.0.0/16"),
    IPv4Network("172.16.0.0/12"),
    IPv4Network("192.168.0.0/16"),
    IPv6Network("::1/128"),
    IPv6Network("fc00::/7"),
    IPv6Network("fe80::/10"),
)
_NAMES = ("local", "localhost")
Names = list[x509.GeneralName]


def settings_for(settings: Settings) -> Settings:
    """Return the settings. Unless they name a certificate, add one that the service's own authority has signed."""
    if settings.certificate or settings.public_url:
        return settings
    folder = settings.data / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = _here()
        authority, key = _authority(folder, names)
        certificate = _certificate(folder, names, authority, key)
    except OSError as error:
        raise WrongSetting(f"cannot store a certificate in {folder}: {error.strerror or error}") from None
    return msgspec.structs.replace(
        settings, certificate=str(certificate), key="", authority=str(folder / "authority.pem")
    )


def _authority(folder: Path, names: Names) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return the authority of the folder with its key.

    Create an authority if there is none, if it has expired, or if it may not sign the machine's addresses.
    """
    known = _read(folder / "authority.pem", folder / "authority.key")
    if known is not None and known[0].not_valid_after_utc > _in_days(CERTIFICATE_DAYS):
        limits = known[0].extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
        if not _beyond(names, [limit.value for limit in limits if isinstance(limit, x509.IPAddress)]):
            return known
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Driftlog on {socket.gethostname()}")
    networks = [*_ADDRESSES, *_beyond(names, _ADDRESSES)]
    permitted = [*(x509.IPAddress(network) for network in networks), *map(x509.DNSName, _NAMES)]
    builder = _builder(name, name, key.public_key(), AUTHORITY_DAYS)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(x509.NameConstraints(permitted, None), critical=True)
    builder = builder.add_extension(_usage(signs_certificates=True), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    certificate = builder.sign(key, hashes.SHA256())
    # Write the key first: a certificate without a key would look like a complete authority.
    _write(folder / "authority.key", _pem(key))
    _write(folder / "authority.pem", certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def _beyond(names: Names, networks: Iterable[Any]) -> list[IPv4Network | IPv6Network]:
    """Return a network for each address in `names` outside `networks`: some home networks use public addresses."""
    addresses = [name.value for name in names if isinstance(name, x509.IPAddress)]
    return [
        ip_network(f"{address}/{24 if address.version == 4 else 64}", strict=False)
        for address in addresses
        if not any(address in network for network in networks)
    ]


def _certificate(folder: Path, names: Names, authority: x509.Certificate, signer: ec.EllipticCurvePrivateKey) -> Path:
    """Return the file with the service's certificate, its authority's certificate, and its key.

    There is a separate file for each set of addresses.
    """
    path = folder / "service.pem"
    known = _read(path, path)
    if known is not None:
        certificate = known[0]
        told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        is_ours = certificate.issuer == authority.subject and set(told) == set(names)
        if is_ours and certificate.not_valid_after_utc > _in_days(RENEWAL_DAYS):
            with contextlib.suppress(InvalidSignature, ValueError):
                certificate.verify_directly_issued_by(authority)
                return path
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _builder(_name("Driftlog"), authority.subject, key.public_key(), CERTIFICATE_DAYS)
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    builder = builder.add_extension(_usage(signs_certificates=False), critical=True)
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    certificate = builder.add_extension(identifier, critical=False).sign(signer, hashes.SHA256())
    chain = b"".join(one.public_bytes(serialization.Encoding.PEM) for one in (certificate, authority))
    _write(path, chain + _pem(key))
    return path


def _here() -> Names:
    told = {"127.0.0.1", "::1", lan_address(), lan_address(is_six=True)}
    addresses = map(ip_address, sorted(filter(None, told)))
    machine = socket.gethostname().partition(".")[0].lower()
    return [x509.DNSName("localhost"), x509.DNSName(f"{machine}.local"), *map(x509.IPAddress, addresses)]


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        # The clock of a phone may be slow.
        .not_valid_before(_in_days(-1))
        .not_valid_after(_in_days(days - 1))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _in_days(days: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _read(certificate: Path, key: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
    """Return a certificate and its key; None if one is missing or unreadable, or they do not match."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        text = key.read_bytes()
        private = serialization.load_pem_private_key(text[text.index(b"-----BEGIN PRIVATE KEY") :], None)
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(private, ec.EllipticCurvePrivateKey) or private.public_key() != found.public_key():
        return None
    return found, private


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically. Only its owner can read it."""
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
