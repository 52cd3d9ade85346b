"""How spans get to the server: in batches, from a thread of their own, and never at the cost of the program.

The queue has a bound. What does not fit, and what the server does not take in time, is dropped and counted.
"""

from __future__ import annotations

import atexit
import logging
import threading
from dataclasses import dataclass

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

log = logging.getLogger("agentwright_tracing")

_PATH = "/v1/otlp/v1/traces"


@dataclass(frozen=True)
class Counts:
    """What became of the spans so far."""

    ended: int
    """How many there were."""
    delivered: int
    """How many the server has."""
    dropped: int
    """How many it will never have: the queue was full, or the server did not take them in time."""

    @property
    def waiting(self) -> int:
        """How many are still on their way."""
        return self.ended - self.delivered - self.dropped


class _Ledger:
    """Counts, from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = self._delivered = self._dropped = 0

    def end(self, room: int) -> bool:
        """Counts a span, and says whether there is room for it."""
        with self._lock:
            self._ended += 1
            fits = self._ended - self._delivered - self._dropped <= room
            if not fits:
                self._dropped += 1
            return fits

    def settle(self, spans: int, delivered: bool) -> None:
        with self._lock:
            if delivered:
                self._delivered += spans
            else:
                self._dropped += spans

    def counts(self) -> Counts:
        with self._lock:
            return Counts(self._ended, self._delivered, self._dropped)


class _Counted(SpanExporter):
    """Sends, and counts what became of it. Never raises."""

    def __init__(self, inner: SpanExporter, ledger: _Ledger) -> None:
        self._inner = inner
        self._ledger = ledger

    def export(self, spans):
        try:
            result = self._inner.export(spans)
        except Exception:
            log.debug("spans could not be sent", exc_info=True)
            result = SpanExportResult.FAILURE
        self._ledger.settle(len(spans), result is SpanExportResult.SUCCESS)
        return result

    def shutdown(self) -> None:
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True


class _Bounded(BatchSpanProcessor):
    """Batches, and drops what does not fit instead of what waits longest, so that every drop is counted."""

    def __init__(self, exporter: SpanExporter, ledger: _Ledger, room: int, batch: int, delay: float) -> None:
        super().__init__(
            exporter,
            max_queue_size=room,
            max_export_batch_size=min(batch, room),
            schedule_delay_millis=max(1, int(delay * 1000)),
        )
        self._ledger = ledger
        self._room = room

    def on_end(self, span) -> None:
        context = span.context
        if context is None or not context.trace_flags.sampled:
            return
        if self._ledger.end(self._room):
            super().on_end(span)


class _Farewell:
    """Sends the last spans when it is told to. Its thread is there before: at the end of a program none can be made."""

    def __init__(self, processor: _Bounded) -> None:
        self._processor = processor
        self._leave, self._left = threading.Event(), threading.Event()
        threading.Thread(target=self._wait, name="agentwright-farewell", daemon=True).start()

    def _wait(self) -> None:
        self._leave.wait()
        try:
            self._processor.shutdown()
        except Exception:
            log.debug("the last spans could not be sent", exc_info=True)
        self._left.set()

    def say(self, seconds: float) -> None:
        self._leave.set()
        self._left.wait(seconds)


@dataclass
class _Setup:
    provider: TracerProvider
    ledger: _Ledger
    processor: _Bounded | None = None
    farewell: _Farewell | None = None
    patience: float = 0.0
    capture_content: bool = True


_lock = threading.Lock()
_nowhere = TracerProvider(resource=Resource.get_empty(), shutdown_on_exit=False)
_setup = _Setup(_nowhere, _Ledger())


def configure(
    base_url: str = "http://127.0.0.1:7878",
    key: str | None = None,
    *,
    service_name: str | None = None,
    provider: TracerProvider | None = None,
    capture_content: bool = True,
    max_queue: int = 2048,
    batch: int = 512,
    delay: float = 1.0,
    timeout: float = 5.0,
    farewell: float = 2.0,
) -> None:
    """Sends what is traced from now on to a server.

    `key` is one of `agentwright keys create`. `provider` is a `TracerProvider` of your own: then everything it records
    is sent, whoever records it. Without `capture_content`, arguments, results and texts stay here. At most `max_queue`
    spans wait, `batch` go at once, every `delay` seconds; one attempt takes at most `timeout` seconds, and the end of
    the program waits at most `farewell` seconds for what is left.
    """
    shutdown()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    exporter = OTLPSpanExporter(endpoint=base_url.rstrip("/") + _PATH, headers=headers, timeout=timeout)
    if provider is None:
        resource = Resource.create({"service.name": service_name} if service_name else {})
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    ledger = _Ledger()
    processor = _Bounded(_Counted(exporter, ledger), ledger, max_queue, batch, delay)
    provider.add_span_processor(processor)
    global _setup
    with _lock:
        _setup = _Setup(provider, ledger, processor, _Farewell(processor), farewell, capture_content)


def counts() -> Counts:
    """What became of the spans so far."""
    return _setup.ledger.counts()


def flush(timeout: float = 5.0) -> bool:
    """Sends what waits, and says whether all of it was settled in time."""
    processor = _setup.processor
    if processor is None:
        return True
    # It takes as long as it takes; who waits for it does not.
    flushing = threading.Thread(target=processor.force_flush, name="agentwright-flush", daemon=True)
    flushing.start()
    flushing.join(timeout)
    return not flushing.is_alive()


def shutdown() -> None:
    """Sends what waits, for as long as the end of the program may wait, and stops. Nothing is sent from then on."""
    global _setup
    with _lock:
        setup = _setup
        _setup = _Setup(_nowhere, setup.ledger, capture_content=setup.capture_content)
    if setup.farewell is not None:
        setup.farewell.say(setup.patience)


def tracer():
    return _setup.provider.get_tracer("agentwright_tracing")


def captures() -> bool:
    return _setup.capture_content


atexit.register(shutdown)
