"""Tells Agentwright what agents do.

    configure(key="aw_…")

    @trace_tool_call
    def weather(city): ...

    @trace_agent_execution("forecaster", problem="weather")
    def answer(question): ...

Nothing here ever raises into the program that is traced, and nothing waits for the server.
"""

from ._outcome import add_thinking_step, current_trace_id, record_outcome
from ._sending import Counts, configure, counts, flush, shutdown
from ._tracing import trace_agent_execution, trace_tool_call

__all__ = [
    "Counts",
    "add_thinking_step",
    "configure",
    "counts",
    "current_trace_id",
    "flush",
    "record_outcome",
    "shutdown",
    "trace_agent_execution",
    "trace_tool_call",
]
