"""What is said about a trace besides what is called: thoughts, and how it ended."""

from __future__ import annotations

from typing import Any, Mapping

from opentelemetry import context as otel_context
from opentelemetry import trace as otel_trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from . import _sending
from ._tracing import AGENT, quietly, set_attributes, text


def current_trace_id() -> str | None:
    """The id of the trace that is going on, under which the server files it."""
    with quietly():
        context = otel_trace.get_current_span().get_span_context()
        if context.is_valid:
            return f"{context.trace_id:032x}"
    return None


def add_thinking_step(thought: str, kind: str = "thought", confidence: float | None = None) -> None:
    """Says what the agent thinks now: a `thought`, a `plan`, a `critique`, …"""
    with quietly():
        span = _sending.tracer().start_span(f"agentwright.thought {kind}")
        said = {
            "agentwright.kind": "thought",
            "agentwright.thought.kind": kind,
            "agentwright.thought.text": text(thought) if _sending.captures() else None,
            "agentwright.thought.confidence": confidence,
        }
        set_attributes(span, said)
        span.end()


def record_outcome(
    success: bool,
    score: float | None = None,
    *,
    answer: Any = None,
    ground_truth: Any = None,
    metrics: Mapping[str, float] | None = None,
    trace_id: str | None = None,
) -> None:
    """Says whether it was a success: within the agent that is going on, or later about the trace with `trace_id`."""
    with quietly():
        outcome = {"agentwright.success": bool(success), "agentwright.score": score}
        if trace_id is not None:
            _label(trace_id, outcome)
            return
        content = {"agentwright.answer": text(answer), "agentwright.ground_truth": text(ground_truth)}
        numbers = {f"agentwright.metric.{name}": float(value) for name, value in (metrics or {}).items()}
        span = otel_context.get_value(AGENT) or otel_trace.get_current_span()
        set_attributes(span, {**outcome, **(content if _sending.captures() else {}), **numbers})


def _label(trace_id: str, outcome: Mapping[str, Any]) -> None:
    # Any parent will do: the trace is what counts.
    there = SpanContext(int(trace_id, 16), 1, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    parent = otel_trace.set_span_in_context(NonRecordingSpan(there), otel_context.Context())
    span = _sending.tracer().start_span("agentwright.label", context=parent)
    set_attributes(span, {"agentwright.kind": "label", **outcome})
    span.end()
