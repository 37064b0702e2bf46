"""Traces from a request through its append to its job, at a receiver of OTLP; nothing if tracing is off."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingTCPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from telemetry import tracing
from tests.cli.service import SEEDED, Service
from tests.waiting import until

ROOT = Path(__file__).parents[2]
TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"


class Receiver:
    """A collector of the spans sent to `url`."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.services: set[str] = set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                receiver.take(ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        # An HTTPServer would look up the host's name and wait for the answer.
        self.server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def take(self, sent: ExportTraceServiceRequest) -> None:
        for resource in sent.resource_spans:
            self.services |= {
                one.value.string_value for one in resource.resource.attributes if one.key == "service.name"
            }
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]

    def span(self, name: str, trace: str) -> Span:
        """Return the span with this name in a trace, once it has arrived."""
        found = until(lambda: [one for one in self.spans if one.name == name and one.trace_id == bytes.fromhex(trace)])
        return found[0]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever)
    thread.start()
    yield receiver
    receiver.server.shutdown()
    thread.join()
    receiver.server.server_close()


@pytest.fixture
def traced(receiver: Receiver, tmp_path: Path) -> Iterator[Service]:
    service = Service(
        tmp_path / "data",
        OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url,
        OTEL_BSP_SCHEDULE_DELAY="100",
        DRIFTLOG_WEB_PROCESSES="1",
        is_measured=True,
    )
    try:
        service.ready()
        yield service
    finally:
        if service.process.poll() is None:
            assert service.stop() == 0
        assert "planted" not in service.complained


def attributes(span: Span) -> dict[str, str | int]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_a_request_its_append_and_its_job_are_one_trace(receiver: Receiver, traced: Service) -> None:
    game_id = traced.open_game()
    note = {"type": "annotate", "params": {"text": "planted"}}
    path = f"/v1/games/{game_id}"
    assert traced.ask("POST", f"{path}/events", note, Traceparent=f"00-{TRACE}-{CALLER}-01")[0] == 201
    request = receiver.span("POST /v1/games/{game_id}/events", TRACE)
    append = receiver.span("append", TRACE)
    assert (request.parent_span_id, append.parent_span_id) == (bytes.fromhex(CALLER), request.span_id)
    assert request.kind == Span.SPAN_KIND_SERVER
    told = attributes(request)
    assert told == {
        "http.request.method": "POST",
        "http.route": "/v1/games/{game_id}/events",
        "http.response.status_code": 201,
        "driftlog.request_id": TRACE,
    }
    assert attributes(append) == {"driftlog.game": game_id, "driftlog.events": 1}

    # A trace that begins here has the id of the request in the log.
    _, audit = traced.ask("POST", f"{path}/audits", X_Request_ID="judge")
    (line, *_) = until(lambda: [one for one in traced.log if one.get("request_id") == "judge"])
    ordered = receiver.span("POST /v1/games/{game_id}/audits", line["trace_id"])
    job = receiver.span("job audit", line["trace_id"])
    assert (ordered.parent_span_id, job.parent_span_id) == (b"", ordered.span_id)
    assert attributes(job) == {"driftlog.job": audit["id"], "driftlog.kind": "audit"}
    assert receiver.services == {"driftlog"}
    assert not any("planted" in str(span) for span in receiver.spans)


@pytest.mark.long
def test_a_caller_who_samples_nothing_is_heeded(receiver: Receiver, traced: Service) -> None:
    assert traced.ask("POST", "/v1/games", SEEDED, Traceparent=f"00-{TRACE}-{CALLER}-00")[0] == 201
    assert traced.ask("GET", "/v1/rulesets", Traceparent=f"00-{'1' * 32}-{CALLER}-01")[0] == 200
    receiver.span("GET /v1/rulesets", "1" * 32)
    assert not any(span.trace_id.hex() == TRACE for span in receiver.spans)


def python(*lines: str, **variables: str) -> str:
    """Run lines in a new process, and return its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=ROOT,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout + ran.stderr


OFF = (
    "import sys",
    "from api.app import create_app",
    "from api.plumbing.settings import Settings",
    "from telemetry import tracing",
    "from workers import runner",
    "app = create_app(Settings(redis_url='redis://', queue_url='redis://'))",
    "assert app.test_client().get('/healthz').status_code == 200",
    # redis-py checks whether to count.
    "ours = 'opentelemetry.exporter', 'opentelemetry.sdk.trace'",
    "print(tracing.is_on(), [name for name in sys.modules if name.startswith(ours)])",
)


@pytest.mark.long
@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": " "},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"},
    ],
)
def test_nothing_is_loaded_where_it_is_off(variables: dict[str, str]) -> None:
    assert python(*OFF, **variables) == "False []\n"


def test_without_the_extra_it_is_said_and_the_service_goes_on() -> None:
    absent = "sys.modules['opentelemetry.exporter.otlp'] = None"
    said = python("import sys", absent, *OFF[:-1], "print(tracing.is_on())", OTEL_EXPORTER_OTLP_ENDPOINT="http://x")
    assert "False" in said.split()
    assert "install driftlog[tracing]" in said


def test_where_it_is_off_a_span_is_nothing() -> None:
    assert tracing.span("one") is tracing.span("another", {"fact": 1}, "server")
    with tracing.span("one") as tell:
        tell("fact", 1)
