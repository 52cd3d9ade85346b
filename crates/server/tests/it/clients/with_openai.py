"""The client of OpenAI: what it is told to do is its third argument, what it got goes to stdout as JSON."""

import json
import sys

import openai

base_url, key, what = sys.argv[1:4]
client = openai.OpenAI(base_url=base_url, api_key=key, max_retries=0)
USER = [{"role": "user", "content": "Weather in Oslo?"}]
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NESTED = [{"type": "function", "function": {"name": "weather", "parameters": PARAMETERS}}]
FLAT = [{"type": "function", "name": "weather", "parameters": PARAMETERS, "strict": False}]


def chat():
    answer = client.chat.completions.create(model="agentwright-plan", messages=USER, user="ada", temperature=0)
    return {
        "models": [model.id for model in client.models.list()],
        "model": client.models.retrieve("agentwright").id,
        "text": answer.choices[0].message.content,
        "finish": answer.choices[0].finish_reason,
        "tokens": answer.usage.total_tokens,
        "status": answer.agentwright["status"],
    }


def chat_stream():
    text, usage, finish, reasoning = "", None, None, ""
    stream = client.chat.completions.create(
        model="agentwright-plan",
        messages=USER,
        stream=True,
        stream_options={"include_usage": True},
        extra_body={"agentwright": {"progress": True}},
    )
    for chunk in stream:
        for choice in chunk.choices:
            text += choice.delta.content or ""
            reasoning += getattr(choice.delta, "reasoning_content", None) or ""
            finish = choice.finish_reason or finish
        usage = chunk.usage or usage
    return {"text": text, "finish": finish, "tokens": usage.total_tokens, "reasoned": bool(reasoning)}


def tools():
    first = client.chat.completions.create(model="agentwright", messages=USER, tools=NESTED)
    message = first.choices[0].message
    call = message.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": "rain"}
    again = client.chat.completions.create(model="agentwright", messages=USER + [message, result], tools=NESTED)
    return {
        "finish": first.choices[0].finish_reason,
        "called": [call.function.name, json.loads(call.function.arguments)],
        "text": again.choices[0].message.content,
    }


def tools_stream():
    name, arguments, finish = "", "", None
    for chunk in client.chat.completions.create(model="agentwright", messages=USER, tools=NESTED, stream=True):
        for choice in chunk.choices:
            for call in choice.delta.tool_calls or []:
                name += call.function.name or ""
                arguments += call.function.arguments or ""
            finish = choice.finish_reason or finish
    return {"called": [name, json.loads(arguments)], "finish": finish}


def responses():
    first = client.responses.create(model="agentwright-plan", input="I am Ada.", instructions="Be brief.")
    second = client.responses.create(
        model="agentwright-plan", input="Who am I?", previous_response_id=first.id, instructions="Be very brief."
    )
    return {
        "status": first.status,
        "texts": [first.output_text, second.output_text],
        "previous": second.previous_response_id == first.id,
        "again": client.responses.retrieve(second.id).output_text,
        "tokens": second.usage.total_tokens,
    }


def responses_stream():
    kinds, text = [], ""
    with client.responses.stream(model="agentwright-plan", input=USER) as stream:
        for event in stream:
            kinds.append(event.type)
            text += event.delta if event.type == "response.output_text.delta" else ""
        final = stream.get_final_response()
    return {"kinds": kinds, "text": text, "final": final.output_text, "status": final.status}


def responses_tools():
    first = client.responses.create(model="agentwright", input=USER, tools=FLAT)
    call = next(item for item in first.output if item.type == "function_call")
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
    second = client.responses.create(
        model="agentwright", input=[output], previous_response_id=first.id, tools=FLAT
    )
    return {"called": [call.name, json.loads(call.arguments)], "text": second.output_text}


def errors():
    stranger = openai.OpenAI(base_url=base_url, api_key="aw_no_one", max_retries=0)
    asks = {
        "model": lambda: client.chat.completions.create(model="gpt-5", messages=USER),
        "messages": lambda: client.chat.completions.create(model="agentwright", messages=[]),
        "key": lambda: stranger.models.list(),
        "tools": lambda: client.chat.completions.create(model="agentwright", messages=USER, tools=NESTED),
        "stream": lambda: list(
            client.chat.completions.create(model="agentwright", messages=USER, tools=NESTED, stream=True)
        ),
        "response": lambda: client.responses.retrieve("resp_" + "0" * 32),
        "previous": lambda: client.responses.create(
            model="agentwright", input="x", previous_response_id="resp_" + "0" * 32
        ),
    }
    got = {}
    for name, ask in asks.items():
        try:
            ask()
            got[name] = "nothing"
        except openai.APIStatusError as error:
            got[name] = [type(error).__name__, error.status_code, error.code]
        except openai.APIError as error:
            got[name] = [type(error).__name__, None, error.code]
    return got


def approval():
    session = {"X-Session": "door"}
    ask = lambda words: client.chat.completions.create(
        model="agentwright-plan", messages=[{"role": "user", "content": words}], extra_headers=session
    )
    first = ask("Let them in")
    approval = first.agentwright["approvals"][0]
    second = ask("approve")
    return {
        "link": approval["url"] in first.choices[0].message.content,
        "kind": approval["kind"],
        "text": second.choices[0].message.content,
        "same": first.agentwright["run"] == second.agentwright["run"],
    }


print(json.dumps(globals()[what]()))
