"""An agent of Pydantic AI, which tells of itself by the GenAI conventions. `fails` lets its tool fail."""

import sys

from pydantic_ai import Agent
from pydantic_ai.agent import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

import model
import spans

provider = spans.provider()
Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
chat = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=model.serve(), api_key="none"))
agent = Agent(chat, name="forecaster")


@agent.tool_plain
def weather(city: str) -> str:
    if "fails" in sys.argv:
        raise TimeoutError("the sky does not answer")
    return f"sunny in {city}"


try:
    print(agent.run_sync("How is Oslo?").output)
except TimeoutError as error:
    print(error)
provider.shutdown()
