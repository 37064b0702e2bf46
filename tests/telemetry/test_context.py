"""Request ids: valid ids are taken over, all others replaced."""

from __future__ import annotations

import pytest

from telemetry import context
from telemetry.context import Context, well_formed

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"


@pytest.mark.parametrize(
    "given", [f"00-{TRACE}-{SPAN}-01", f"00-{TRACE}-{SPAN}-00", f"cc-{TRACE}-{SPAN}-01", f"cc-{TRACE}-{SPAN}-01-more"]
)
def test_a_traceparent_is_taken_over(given: str) -> None:
    flags = given.split("-")[3]
    assert well_formed(given) == f"00-{TRACE}-{SPAN}-{flags}"
    assert Context.from_headers(None, given).trace_id == TRACE


@pytest.mark.parametrize(
    "given",
    [
        "",
        TRACE,
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01-more",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{SPAN}-01\n",
        "00-" + "a" * 5000,
    ],
)
def test_what_is_no_traceparent_is_made(given: str) -> None:
    assert well_formed(given) is None
    made = Context.from_headers(None, given)
    assert made.is_new
    assert well_formed(made.traceparent) == made.traceparent


def test_a_request_is_called_as_its_caller_calls_it_else_as_its_trace() -> None:
    traceparent = f"00-{TRACE}-{SPAN}-01"
    assert Context.from_headers("an-id:1/2", traceparent).request_id == "an-id:1/2"
    assert Context.from_headers(None, traceparent).request_id == TRACE
    for bad in ("", "two words", 'quoted"', "line\nend", "é", "x" * 129):
        assert Context.from_headers(bad, traceparent).request_id == TRACE
    one, other = Context.from_headers(None, None), Context.from_headers(None, None)
    assert one.request_id == one.trace_id != other.request_id


def test_it_holds_for_the_block() -> None:
    outer, inner = Context.from_headers("outer", None), Context.from_headers("inner", None)
    with context.within(outer):
        with context.within(inner):
            assert context.current() == inner
        assert context.current() == outer
