"""A client of AG-UI that takes nothing on trust: every event must be one that the protocol's own package knows."""

import json
import sys
import urllib.request

from ag_ui.core import Event, Message, ResumeEntry, RunAgentInput, Tool, UserMessage
from pydantic import TypeAdapter

url, key, what = sys.argv[1:4]
events_of = TypeAdapter(Event)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def run(name, **fields):
    body = RunAgentInput(thread_id="t1", run_id=name, state={}, forwarded_props={}, **fields)
    request = urllib.request.Request(
        url,
        data=body.model_dump_json(by_alias=True).encode(),
        headers={
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
        },
    )
    events = []
    with opener.open(request) as response:
        for line in response:
            if line.startswith(b"data: "):
                events.append(events_of.validate_json(line[len(b"data: ") :]))
    checked(events)
    return events


def checked(events):
    """What must hold of every stream, whatever it tells."""
    assert events[0].type == "RUN_STARTED", events[0]
    assert events[0].protocol_version == "1.0"
    assert events[-1].type in ("RUN_FINISHED", "RUN_ERROR"), events[-1]
    steps, calls, texts = [], [], []
    for event in events:
        assert not event.model_extra, event
        match event.type:
            case "STEP_STARTED":
                assert event.step_name not in steps
                steps.append(event.step_name)
            case "STEP_FINISHED":
                steps.remove(event.step_name)
            case "TOOL_CALL_START":
                calls.append(event.tool_call_id)
            case "TOOL_CALL_ARGS":
                assert event.tool_call_id in calls
            case "TOOL_CALL_END":
                calls.remove(event.tool_call_id)
            case "TEXT_MESSAGE_START":
                texts.append(event.message_id)
            case "TEXT_MESSAGE_CONTENT":
                assert event.message_id in texts
            case "TEXT_MESSAGE_END":
                texts.remove(event.message_id)
    assert not steps and not calls and not texts, (steps, calls, texts)


def user(words):
    return UserMessage(id="m1", role="user", content=words)


def text(events):
    return "".join(event.delta for event in events if event.type == "TEXT_MESSAGE_CONTENT")


def kinds(events):
    return [event.type.value for event in events]


def plain():
    events = run("r1", messages=[user("Look once")], tools=[], context=[])
    return {"kinds": kinds(events), "text": text(events), "outcome": events[-1].outcome.type}


def interrupt():
    first = run("r1", messages=[user("Let them in")], tools=[], context=[])
    asked = first[-1].outcome.interrupts[0]
    answer = ResumeEntry(interrupt_id=asked.id, status="resolved", payload={"decision": "approve"})
    second = run("r2", messages=[], resume=[answer])
    return {
        "asked": [first[-1].outcome.type, asked.reason, asked.metadata["kind"]],
        "text": text(second),
        "kinds": kinds(second),
        "outcome": second[-1].outcome.type,
    }


def question():
    first = run("r1", messages=[user("Let them in")])
    asked = first[-1].outcome.interrupts[0]
    second = run("r2", messages=[], resume=[ResumeEntry(interrupt_id=asked.id, status="resolved", payload="back")])
    return {"asked": [asked.reason, asked.message], "text": text(second)}


def tools():
    tool = Tool(name="weather", description="tells the weather", parameters={"type": "object", "properties": {}})
    first = run("r1", messages=[user("Weather?")], tools=[tool])
    call = next(event for event in first if event.type == "TOOL_CALL_START")
    arguments = "".join(event.delta for event in first if event.type == "TOOL_CALL_ARGS")
    assistant = {"id": "m2", "role": "assistant", "toolCalls": [{"id": call.tool_call_id, "type": "function",
        "function": {"name": call.tool_call_name, "arguments": arguments}}]}
    result = {"id": "m3", "role": "tool", "toolCallId": call.tool_call_id, "content": "rain"}
    messages = [TypeAdapter(Message).validate_python(message) for message in (assistant, result)]
    second = run("r2", messages=[user("Weather?"), *messages], tools=[tool])
    return {
        "called": [call.tool_call_name, json.loads(arguments)],
        "pending": first[-1].outcome.pending_tool_call_ids == [call.tool_call_id],
        "text": text(second),
    }


def fails():
    events = run("r1", messages=[user("Write a poem")])
    return {"last": events[-1].type.value, "code": events[-1].code}


print(json.dumps(globals()[what]()))
