"""Traces: what is done about an entry, in whichever process, is one trace; a real OTLP receiver
hears of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from services import ledger, traces
from services.recorder import Otlp
from tests.http.people import table
from tests.http.stage import Stage, until

KEEP = {"type": "keep"}


class Collector:
    """Keeps what is sent to it, with the service that sent it."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, Span]] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                collector.take(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def take(self, raw: bytes) -> None:
        for sent in ExportTraceServiceRequest.FromString(raw).resource_spans:
            said = {one.key: one.value.string_value for one in sent.resource.attributes}
            spans = [span for scope in sent.scope_spans for span in scope.spans]
            self.spans += [(said["service.name"], span) for span in spans]

    def of(self, match: str, seq: int) -> dict[str, tuple[str, Span]]:
        """The spans of an entry, by name, and who sent them."""
        trace, _ = traces.ids(match, seq)
        return {
            span.name: (service, span)
            for service, span in list(self.spans)
            if int.from_bytes(span.trace_id) == trace
        }


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    Thread(target=collector.server.serve_forever, daemon=True).start()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


def environment(collector: Collector) -> dict[str, str]:
    return {traces.ENV: collector.url}


def seen_to(group: dict[bytes, Any]) -> bool:
    return not (group[b"lag"] or group[b"pending"])


def test_a_move_is_traced_from_its_post_to_the_feed(tmp_path, collector, make):
    said = environment(collector)
    with Stage(tmp_path) as stage:
        processes = [stage.worker(f"workers.{name}", **said) for name in ("fold", "react")]
        api = stage.api(TURNFOLD_LEAVES="1", **said).ready()  # so that a worker folds
        match, (ann, _) = table(lambda *hears, **more: make(*hears, base=api.base, **more))
        with ann.stream("GET", f"/matches/{match}/feed") as feed:
            lines = feed.iter_lines()
            next(lines)
            assert ann.play(match, KEEP, 3).status_code == 201
            next(line for line in lines if '"seq":4' in line)
        until(lambda: seen_to(stage.wire().ask(ledger.group(0, "folded", "react"))))
        for process in (*processes, api):
            process.stop()  # what it has not sent by then it sends now
    found = collector.of(match, 4)
    first = found.pop("POST /matches/{match}/moves")[1]
    assert int.from_bytes(first.span_id) == traces.ids(match, 4)[1]
    assert first.parent_span_id == b""
    assert {name: service for name, (service, _) in found.items()} == {
        "append": "turnfold-api",
        "fold": "turnfold-fold",
        "react": "turnfold-react",
        "feed": "turnfold-api",
    }
    for _, span in found.values():
        assert span.parent_span_id == first.span_id
        assert span.start_time_unix_nano >= first.start_time_unix_nano
        assert span.end_time_unix_nano > span.start_time_unix_nano
    readers = {one.key: one.value.int_value for one in found["feed"][1].attributes}
    assert readers["turnfold.readers"] == 1


def test_processes_take_or_leave_the_same_traces(monkeypatch):
    """Of half of all traces, those of one process are those of another, whole."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0.5")
    taken = []
    for root in (True, False):
        kept = Kept()
        otlp = Otlp("turnfold-x", kept)
        for seq in range(100):
            otlp.record("x", traces.ids("0-aaaaaaaaaaaaaaaa", seq), root, time.time_ns(), {})
        otlp.close()
        taken.append({span.context.trace_id for span in kept.spans})
    assert taken[0] == taken[1]
    assert 20 < len(taken[0]) < 80


class Kept:
    """An exporter that keeps."""

    def __init__(self) -> None:
        self.spans = []

    def export(self, spans):
        self.spans += spans

    def shutdown(self) -> None:
        pass


def test_without_a_collector_nothing_is_recorded(monkeypatch):
    monkeypatch.delenv(traces.ENV, raising=False)
    traces.begin("api")
    assert traces._recorder is None
