"""Allowed and forbidden targets of webhooks, in any spelling."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine.core.errors import Malformed
from service.destinations import INWARD, LOOKUPS, Destination, check, networks, refusal
from service.errors import TooManyLookups

NOT_PUBLIC = [
    "192.0.0.192",
    "168.63.129.16",
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_what_is_not_public_is_refused(address: str) -> None:
    assert refusal([address], ()) == INWARD
    assert refusal(["93.184.215.14", address], ()) is not None


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_what_is_public_is_not(address: str) -> None:
    assert refusal([address], ()) is None


def test_the_operator_may_allow_networks() -> None:
    allowed = networks(["10.1.0.0/16", "::1"])
    assert refusal(["10.1.2.3", "::1", "::ffff:10.1.2.3"], allowed) is None
    assert refusal(["10.2.0.1"], allowed) is not None
    assert refusal([], allowed) == "the host has no address: check its name"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org",
        "//example.org",
        "http://",
        "http:///path",
        "http://user@example.org/",
        "http://user:secret@example.org/",
        "http://example.org/#part",
        "http://example.org:port/",
        "http://example.org:99999/",
        "http://[::1/",
        "http://exam ple.org/",
        "http://example.org/\r\nX-Injected: yes",
        "http://exämple.org/",
        f"http://example.org/{'x' * 2048}",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(Malformed) as refused:
        Destination.parse(url)
    assert refused.value.pointer == "/url"


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://127.0.0.1:6379/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://0/",
    ],
)
def test_this_machine_however_it_is_written(url: str) -> None:
    with pytest.raises(Malformed):
        check(url, ())


def test_a_host_that_nobody_knows() -> None:
    with pytest.raises(Malformed, match="the host is unknown"):
        check("http://nobody.invalid/", ())
    with pytest.raises(Malformed, match="the host is unknown"):
        check(f"http://{'x' * 64}.example/", ())


def test_names_that_nobody_answers_hold_up_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, begun = threading.Event(), threading.Semaphore(0)

    def looking(*_arguments: Any, **_named: Any) -> Any:
        begun.release()
        answered.wait(60)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", looking)
    with ThreadPoolExecutor(LOOKUPS) as guests:
        held = [guests.submit(check, "http://slow.example/", ()) for _ in range(LOOKUPS)]
        for _ in held:
            assert begun.acquire(timeout=60)
        with pytest.raises(TooManyLookups):
            check("http://slow.example/", ())
        answered.set()
        assert [type(one.exception()) for one in held] == [Malformed] * LOOKUPS
    with pytest.raises(Malformed, match="the host is unknown"):
        check("http://slow.example/", ())


def test_an_address_taken_apart() -> None:
    there = Destination.parse("https://Example.org:8443/hook?key=1")
    assert (there.scheme, there.host, there.port, there.target) == ("https", "example.org", 8443, "/hook?key=1")
    assert there.authority == "example.org:8443"
    assert Destination.parse("http://[2606::1]").authority == "[2606::1]"
    assert Destination.parse("https://example.org").target == "/"
    check("http://127.0.0.1:9/", networks(["127.0.0.1"]))
