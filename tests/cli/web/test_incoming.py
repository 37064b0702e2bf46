"""Requests assembled from bytes, in any pieces; and invalid requests."""

from __future__ import annotations

import itertools
from contextlib import suppress

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from hypothesis import given
from hypothesis import strategies as st

from cli.web.incoming import MOST_HEAD, BodyTooLarge, Incoming
from cli.web.refusals import slug_of

LONGEST = 1 << 20
HEAD = b"POST /v1/games HTTP/1.1\r\nHost: here\r\n"


def incoming(longest: int = LONGEST) -> Incoming:
    return Incoming(Config(), ("127.0.0.1", 1), lambda _method, _path: longest)


def parse_requests(pieces: list[bytes]) -> list[tuple[str, bytes]]:
    """Return path and body of each request in the pieces."""
    found = incoming()
    requests = []
    for piece in pieces:
        found.feed(piece)
        while not found.is_idle and (request := found.take()) is not None:
            requests.append((request.uri, request.body.read()))
    assert found.is_idle
    assert found.size == 0
    return requests


def chunked_request(chunks: list[bytes], trailer: bytes = b"") -> bytes:
    framed = b"".join(b"%x;a=b\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks if chunk)
    return HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + framed + b"0\r\n" + trailer + b"\r\n"


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in itertools.pairwise(ends)]


@given(st.lists(st.binary(max_size=300), max_size=8), st.lists(st.integers(0, 10_000), max_size=30))
def test_a_request_is_the_same_however_it_is_cut(bodies: list[bytes], places: list[int]) -> None:
    sized = b"".join(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)
    data = sized + chunked_request(bodies, b"Sum: 1\r\n") + b"GET /?a=1 HTTP/1.0\r\n\r\n"
    expected = [*(("/v1/games", body) for body in bodies), ("/v1/games", b"".join(bodies)), ("/?a=1", b"")]
    assert parse_requests(cut(data, places)) == expected


@given(
    st.lists(
        st.sampled_from(
            [
                b"GET / HTTP/1.1\r\n", HEAD, b"\r\n", b"\n", b"\r", b"0\r\n\r\n", b"5\r\nhello\r\n", b"\x00",
                b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n",
                b" folded\r\n", b"ffffffff\r\n",
            ]
        )
        | st.binary(max_size=20),
        max_size=20,
    )
)  # fmt: skip
def test_what_is_no_request_is_refused_and_nothing_else_happens(pieces: list[bytes]) -> None:
    found = incoming()
    with suppress(ParseException, BodyTooLarge):
        for piece in pieces:
            found.feed(piece)
            while not found.is_idle and found.take() is not None:
                pass


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", "bad-request"),
        (b"GET / HTTP/1.1\n", "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: a\n", "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "bad-request"),
        (b"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "bad-request"),
        (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "bad-request"),
        (HEAD + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "bad-request"),
        (HEAD + b"Content-Length: +2\r\n\r\n{}", "bad-request"),
        (HEAD + b"Content-Length: \xb2\r\n\r\n{}", "bad-request"),
        (HEAD + b"Content-Length: 2, 2\r\n\r\n{}", "bad-request"),
        (HEAD + b"Transfer-Encoding : chunked\r\n\r\n", "bad-request"),
        (HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n", "bad-request"),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "bad-request"),
        (HEAD + b"Transfer-Encoding: xchunked\r\n\r\n", "coding-not-implemented"),
        (b"GET / HTTP/2.0\r\n\r\n", "version-not-supported"),
        (b"GET / HTTP/eleven\r\n\r\n", "bad-request"),
        (b"GET /" + b"a" * 9000, "uri-too-long"),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", "uri-too-long"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", "head-too-large"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * MOST_HEAD, "head-too-large"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * MOST_HEAD + b"\r\n", "head-too-large"),
        (HEAD + b"Expect: tea\r\n\r\n", "expectation-failed"),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (LONGEST + 1), "content-too-large"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % (LONGEST + 1), "content-too-large"),
    ],
)
def test_shapes_that_are_refused(data: bytes, slug: str) -> None:
    found = incoming()
    found.feed(data)
    with pytest.raises((ParseException, BodyTooLarge)) as refused:
        found.take()
    assert slug_of(refused.value) == slug
    assert not isinstance(refused.value, BodyTooLarge) or refused.value.limit == LONGEST


@pytest.mark.parametrize(
    "chunks",
    [
        b"ZZ\r\n",
        b"\r\n",
        b"-1\r\n",
        b"0x5\r\nhello\r\n0\r\n\r\n",
        b"5 \r\nhello\r\n0\r\n\r\n",
        b"5\nhello\r\n0\r\n\r\n",
        b"5\r\nhelloXX0\r\n\r\n",
        b"5\r\nhello\rX",
        b"5;a\rb\r\nhello\r\n0\r\n\r\n",
        b"123456789\r\n",
        b"5;" + b"a" * 5000,
        b"0\r\nno trailer\r\n\r\n",
        b"0\r\n: nameless\r\n\r\n",
        b"0\r\nA: b\n\r\n",
        b"1\r\na\r\n" * 5000 + b"0\r\n\r\n",
        b"0\r\n" + b"A: b\r\n" * 5000,
    ],
)
def test_chunks_that_are_none(chunks: bytes) -> None:
    found = incoming()
    found.feed(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
    with pytest.raises(ParseException) as refused:
        found.take()
    assert slug_of(refused.value) == "bad-request"


def test_a_client_is_told_once_to_go_on() -> None:
    found = incoming()
    found.feed(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    assert not found.expects_continue
    assert found.take() is None
    assert found.is_in_body
    assert found.expects_continue
    assert not found.expects_continue
    found.feed(b"{}")
    assert found.take().body.read() == b"{}"
    found.feed(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{")
    assert found.take() is None
    assert not found.expects_continue
