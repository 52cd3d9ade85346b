"""An agent of Pydantic AI that has this server as its model, through chat completions or responses."""

import asyncio
import json
import sys

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

base_url, key, which = sys.argv[1:4]
provider = OpenAIProvider(base_url=base_url, api_key=key)
model = (OpenAIResponsesModel if which == "responses" else OpenAIChatModel)("agentwright", provider=provider)
agent = Agent(model, instructions="You tell the weather.")
cities = []


@agent.tool_plain
def weather(city: str) -> str:
    """Tells the weather of a city."""
    cities.append(city)
    return "rain"


async def main():
    if which == "stream":
        async with agent.run_stream("How is Oslo?") as result:
            text = await result.get_output()
    else:
        text = (await agent.run("How is Oslo?")).output
    print(json.dumps({"text": text, "cities": cities}))


asyncio.run(main())
