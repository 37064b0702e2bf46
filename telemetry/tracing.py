"""Traces with OpenTelemetry, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Otherwise OpenTelemetry is not imported.

The extra `tracing` installs OpenTelemetry. All other settings come from OpenTelemetry (`OTEL_…`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Literal

from telemetry import context
from telemetry.context import Context

if TYPE_CHECKING:
    from opentelemetry.context import Context as OTelContext
    from opentelemetry.sdk.trace import TracerProvider

logger = logging.getLogger(__name__)

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""The environment variables that turn tracing on."""
SERVICE = "driftlog"
NAME = "name"
"""The attribute that renames a span. The right name may be known only after the span has begun."""
Kind = Literal["server", "internal", "consumer"]
Facts = Mapping[str, str | int]
Tell = Callable[[str, str | int], None]
"""A function that sets an attribute of a span."""

_NOTHING: AbstractContextManager[Tell] = nullcontext(lambda _name, _value: None)


def _no_span(_name: str, _facts: Facts | None = None, _kind: Kind = "internal") -> AbstractContextManager[Tell]:
    return _NOTHING


_span: Callable[[str, Facts | None, Kind], AbstractContextManager[Tell]] = _no_span


def span(name: str, facts: Facts | None = None, kind: Kind = "internal") -> AbstractContextManager[Tell]:
    """Trace the block as a span below the current one of this thread; see `telemetry.context`.

    Only the type of an exception that leaves the block is recorded, because its message may reveal hidden information.
    """
    return _span(name, facts, kind)


def is_on() -> bool:
    """Return True if tracing is on in this process."""
    return _span is not _no_span


def begin() -> None:
    """Start tracing in this process, if it is on. Call it after a fork, because it starts a thread."""
    if is_on() or not any(os.environ.get(name, "").strip() for name in ENDPOINTS):
        return
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        logger.warning("%s is set, but nothing is traced: install driftlog[tracing]", ENDPOINTS[0])
        return
    named = "service.name" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "") or os.environ.get("OTEL_SERVICE_NAME")
    provider = TracerProvider(resource=Resource.create({} if named else {"service.name": SERVICE}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _trace_by(provider)


def _trace_by(provider: TracerProvider) -> None:
    global _span  # noqa: PLW0603  # what is off costs one call of a function that does nothing
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    from opentelemetry.trace import (
        NonRecordingSpan,
        SpanContext,
        SpanKind,
        Status,
        StatusCode,
        TraceFlags,
        get_current_span,
        set_span_in_context,
    )

    class Ids(RandomIdGenerator):
        """Generates ids. The id of a new trace is the one in the log lines of its request."""

        def generate_trace_id(self) -> int:
            now = context.current()
            return super().generate_trace_id() if now is None else int(now.trace_id, 16)

    provider.id_generator = Ids()
    tracer = provider.get_tracer(SERVICE)

    def parent() -> OTelContext | None:
        """Return the caller's span, as the parent of a request's first span; None to use this thread's current span."""
        now = context.current()
        if now is None or now.is_new or get_current_span().get_span_context().is_valid:
            return None
        _, trace, span, flags = now.traceparent.split("-")
        caller = SpanContext(int(trace, 16), int(span, 16), is_remote=True, trace_flags=TraceFlags(int(flags, 16)))
        return set_span_in_context(NonRecordingSpan(caller))

    @contextmanager
    def trace(name: str, facts: Facts | None = None, kind: Kind = "internal") -> Iterator[Tell]:
        before = context.current()
        with tracer.start_as_current_span(
            name,
            parent(),
            SpanKind[kind.upper()],
            dict(facts or {}),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            here = span.get_span_context()
            traceparent = f"00-{here.trace_id:032x}-{here.span_id:016x}-{here.trace_flags:02x}"
            now = Context(traceparent[3:35] if before is None else before.request_id, traceparent)

            def set_fact(name: str, value: str | int) -> None:
                if name == NAME:
                    span.update_name(str(value))
                else:
                    span.set_attribute(name, value)

            try:
                with context.within(now):
                    yield set_fact
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise

    _span = trace
