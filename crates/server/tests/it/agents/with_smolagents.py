"""An agent of smolagents, which is told of by OpenInference."""

from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

import model
import spans

provider = spans.provider()
SmolagentsInstrumentor().instrument(tracer_provider=provider)


@tool
def weather(city: str) -> str:
    """How the weather is.

    Args:
        city: where
    """
    return f"sunny in {city}"


chat = OpenAIServerModel("scripted", api_base=model.serve(), api_key="none")
print(ToolCallingAgent(tools=[weather], model=chat, name="forecaster", verbosity_level=0).run("How is Oslo?"))
provider.shutdown()
