"""The official A2A client for Python: says as JSON what it saw.

a2a_client.py URL KEY VERSION
"""

import asyncio
import json
import sys

import httpx
from a2a.client.card_resolver import A2ACardResolver
from a2a.client.client import ClientConfig
from a2a.client.client_factory import ClientFactory
from a2a.helpers.proto_helpers import get_message_text, new_data_message, new_text_message
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)
from a2a.utils.errors import A2AError


def state(task):
    return TaskState.Name(task.status.state)


def answer(task):
    return [part.text for artifact in task.artifacts for part in artifact.parts]


async def main(url, key, version):
    seen = {}
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient() as stranger:
        card = await A2ACardResolver(stranger, url).get_agent_card()
    seen["name"], seen["streaming"] = card.name, card.capabilities.streaming
    seen["skills"] = [skill.id for skill in card.skills]
    seen["interfaces"] = [[it.protocol_binding, it.protocol_version] for it in card.supported_interfaces]
    for interface in list(card.supported_interfaces):
        if interface.protocol_version != version:
            card.supported_interfaces.remove(interface)

    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        stream = ClientFactory(ClientConfig(httpx_client=http)).create(card)
        plain = ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)

        def say(words, **of):
            return SendMessageRequest(message=new_text_message(words, role=Role.ROLE_USER, **of))

        async def send(client, request):
            return [event async for event in client.send_message(request)]

        [done] = await send(plain, say("What is 15 percent of 80?"))
        seen["answer"], seen["state"] = answer(done.task), state(done.task)
        again = await plain.get_task(GetTaskRequest(id=done.task.id))
        seen["history"] = [get_message_text(message) for message in again.history]

        events = await send(stream, say("What is 15 percent of 80?", context_id=done.task.context_id))
        seen["kinds"] = sorted({event.WhichOneof("payload") for event in events})
        seen["first"] = events[0].WhichOneof("payload")
        seen["same_context"] = events[0].task.context_id == done.task.context_id

        # What a person has to approve is asked for; only a decision about what was seen counts.
        events = await send(stream, say("set a timer for 5 minutes"))
        task = await plain.get_task(GetTaskRequest(id=events[0].task.id))
        seen["asks"] = [state(task), get_message_text(task.status.message)]
        [asked] = [part.data for part in task.status.message.parts if part.HasField("data")]
        wanted = asked.struct_value["waits_for"][0]["approval"]
        decision = {"approval": wanted["id"], "hash": wanted["hash"], "decision": "approve"}
        message = new_data_message(decision, task_id=task.id, context_id=task.context_id, role=Role.ROLE_USER)
        [timer] = await send(plain, SendMessageRequest(message=message))
        seen["approved"] = [state(timer.task), answer(timer.task)]

        [waiting] = await send(plain, say("set a timer for 7 minutes"))
        seen["cancelled"] = state(await plain.cancel_task(CancelTaskRequest(id=waiting.task.id)))
        [waiting] = await send(plain, say("set a timer for 6 minutes"))
        following = stream.subscribe(SubscribeToTaskRequest(id=waiting.task.id))
        now = await anext(following)
        [rejected] = await send(plain, say("no", task_id=waiting.task.id))
        seen["rejected"] = state(rejected.task)
        rest = [event async for event in following]
        seen["followed"] = [state(now.task), state(rest[-1].status_update)]
        if version == "1.0":
            listed = await plain.list_tasks(ListTasksRequest(page_size=2))
            seen["listed"] = [len(listed.tasks), listed.total_size, bool(listed.next_page_token)]

        async def fault(doing):
            try:
                await doing
            except A2AError as error:
                return type(error).__name__

        async def follow(task):
            return [event async for event in stream.subscribe(SubscribeToTaskRequest(id=task))]

        seen["faults"] = [
            await fault(plain.get_task(GetTaskRequest(id="run_0"))),
            await fault(plain.cancel_task(CancelTaskRequest(id=done.task.id))),
            await fault(send(plain, say("more", task_id=done.task.id))),
            await fault(follow(done.task.id)),
        ]
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
