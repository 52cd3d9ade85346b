"""An agent by hand, which tells of itself with the decorators of the Python client. Says under which id."""

import asyncio
import sys

import agentwright_tracing as tracing

tracing.configure(sys.argv[1], sys.argv[2])


@tracing.trace_tool_call
async def weather(city):
    return f"sunny in {city}"


@tracing.trace_tool_call("radar.look")
def look(**where):
    raise PermissionError("no access to the radar")


@tracing.trace_agent_execution("forecaster", problem="weather", task="oslo-1", model="by-hand")
async def answer(question):
    tracing.add_thinking_step("the radar knows best", kind="plan", confidence=0.7)
    try:
        look(city="Oslo")
    except PermissionError:
        pass
    said = await weather("Oslo")
    tracing.record_outcome(True, 0.9, metrics={"turns": 2})
    print(tracing.current_trace_id())
    return said


asyncio.run(answer("How is Oslo?"))
