"""Records spans and sends them to a collector by OTLP, in batches, from a thread of its own."""

from __future__ import annotations

from typing import Any

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from engine import RELEASE


class Ids(RandomIdGenerator):
    """Gives the ids of an entry to the span that begins its trace, and chance ones to others."""

    root: tuple[int, int] | None = None

    def generate_trace_id(self) -> int:
        return self.root[0] if self.root else super().generate_trace_id()

    def generate_span_id(self) -> int:
        return self.root[1] if self.root else super().generate_span_id()


class Otlp:
    def __init__(self, service: str, exporter: SpanExporter | None = None) -> None:
        resource = Resource.create({"service.name": service, "service.version": RELEASE})
        self._ids = Ids()
        provider = TracerProvider(resource=resource, id_generator=self._ids)
        self.close = provider.shutdown  # with what is still to be sent
        provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
        self._sampler, self._tracer = provider.sampler, provider.get_tracer("turnfold", RELEASE)

    def record(
        self, what: str, ids: tuple[int, int], root: bool, begun: int, said: dict[str, Any]
    ) -> None:
        self._ids.root = ids if root else None
        context = None if root else self._under(ids)
        self._tracer.start_span(what, context, attributes=said, start_time=begun).end()

    def _under(self, ids: tuple[int, int]) -> Any:
        """The context of the span with these ids, whichever process records it: a sampler takes
        all of a trace or nothing."""
        decision = self._sampler.should_sample(None, ids[0], "").decision
        taken = decision is not Decision.DROP
        flags = TraceFlags(TraceFlags.SAMPLED if taken else TraceFlags.DEFAULT)
        first = SpanContext(*ids, is_remote=True, trace_flags=flags)
        return set_span_in_context(NonRecordingSpan(first))
