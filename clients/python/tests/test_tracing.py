import asyncio
import json
import subprocess
import sys
import unittest

import agentwright_tracing as tracing
from collector import Collector, said

ERROR = 2


class Traced(unittest.TestCase):
    def setUp(self):
        self.collector = Collector()
        tracing.configure(self.collector.url, "aw_key", delay=0.05)

    def tearDown(self):
        tracing.shutdown()
        self.collector.close()

    def sent(self):
        self.assertTrue(tracing.flush())
        return self.collector

    def test_an_agent_and_its_tools_are_one_trace(self):
        @tracing.trace_tool_call
        def weather(city, days=1):
            return {"sky": "clear"}

        @tracing.trace_agent_execution("forecaster", problem="weather", model="gpt", lessons=["lsn_1"])
        def answer(question):
            tracing.add_thinking_step("look outside", kind="plan", confidence=0.5)
            weather("Oslo", days=2)
            tracing.record_outcome(True, 0.9, metrics={"turns": 3})
            return "clear"

        self.assertEqual(answer("how is it?"), "clear")
        sent = self.sent()
        self.assertEqual(sent.requests[0], ("/v1/otlp/v1/traces", "Bearer aw_key"))
        (agent,), (tool,) = sent.named("invoke_agent forecaster"), sent.named("execute_tool weather")
        (thought,) = sent.named("agentwright.thought plan")
        self.assertEqual({agent.trace_id}, {tool.trace_id, thought.trace_id})
        self.assertEqual((tool.parent_span_id, thought.parent_span_id), (agent.span_id, agent.span_id))
        about = said(agent)
        self.assertEqual((about["agentwright.problem"], about["agentwright.context"]), ("weather", "how is it?"))
        self.assertEqual((about["agentwright.success"], about["agentwright.score"]), (True, 0.9))
        self.assertEqual((about["agentwright.metric.turns"], about["agentwright.answer"]), (3.0, "clear"))
        self.assertEqual(json.loads(said(tool)["gen_ai.tool.call.arguments"]), {"city": "Oslo", "days": 2})
        self.assertEqual(json.loads(said(tool)["gen_ai.tool.call.result"]), {"sky": "clear"})

    def test_agents_that_run_side_by_side_keep_their_tools_apart(self):
        @tracing.trace_tool_call("look")
        async def look(place):
            await asyncio.sleep(0)
            return place

        @tracing.trace_agent_execution("walker")
        async def walk(place):
            for _ in range(3):
                await look(place)
            return tracing.current_trace_id()

        async def all_of_them():
            return await asyncio.gather(*(walk(str(at)) for at in range(5)))

        ids = asyncio.run(all_of_them())
        self.assertEqual(len(set(ids)), 5)
        for at, trace in enumerate(ids):
            tools = [it for it in self.sent().named("execute_tool look") if it.trace_id.hex() == trace]
            self.assertEqual([json.loads(said(it)["gen_ai.tool.call.arguments"]) for it in tools], [{"place": str(at)}] * 3)

    def test_what_a_function_raises_is_raised_and_recorded(self):
        @tracing.trace_tool_call()
        def broken():
            raise TimeoutError("it took too long")

        @tracing.trace_agent_execution("helper")
        async def agent():
            broken()

        with self.assertRaisesRegex(TimeoutError, "it took too long"):
            asyncio.run(agent())
        for name in ("execute_tool broken", "invoke_agent helper"):
            (span,) = self.sent().named(name)
            self.assertEqual((span.status.code, said(span)["error.type"]), (ERROR, "TimeoutError"))
            self.assertEqual(span.events[0].name, "exception")

    def test_generators_are_traced_from_the_first_item_to_the_last(self):
        @tracing.trace_agent_execution("counter")
        def count():
            inner()
            got = yield 1
            yield got

        @tracing.trace_agent_execution("counter")
        async def acount():
            inner()
            yield 1

        @tracing.trace_tool_call
        def inner():
            pass

        @tracing.trace_tool_call
        def outer():
            pass

        items = count()
        self.assertEqual(next(items), 1)
        outer()
        self.assertEqual(items.send("sent"), "sent")
        self.assertEqual(list(items), [])

        async def all_of_it():
            return [item async for item in acount()]

        self.assertEqual(asyncio.run(all_of_it()), [1])
        sent = self.sent()
        agents = {span.span_id for span in sent.named("invoke_agent counter")}
        self.assertEqual({span.parent_span_id for span in sent.named("execute_tool inner")}, agents)
        self.assertEqual([span.parent_span_id for span in sent.named("execute_tool outer")], [b""])

    def test_an_outcome_can_be_told_later(self):
        @tracing.trace_agent_execution("helper")
        def agent():
            return tracing.current_trace_id()

        trace = agent()
        tracing.record_outcome(False, trace_id=trace)
        (label,) = self.sent().named("agentwright.label")
        self.assertEqual((label.trace_id.hex(), said(label)["agentwright.success"]), (trace, False))

    def test_contents_stay_here_when_they_are_to(self):
        tracing.configure(self.collector.url, capture_content=False)

        @tracing.trace_tool_call
        def secret(word):
            return word

        secret("hush")
        (span,) = self.sent().named("execute_tool secret")
        self.assertEqual(said(span), {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "secret"})

    def test_what_cannot_be_told_costs_nothing_else(self):
        class Odd:
            def __str__(self):
                raise RuntimeError("no words")

        @tracing.trace_tool_call
        def tool(it):
            return Odd()

        @tracing.trace_agent_execution("helper", problem=lambda *_: 1 / 0)
        def agent(it):
            tracing.record_outcome(True, metrics={"odd": "no number"})
            return tool(it)

        self.assertIsInstance(agent(Odd()), Odd)
        self.assertEqual(len(self.sent().spans), 2)

    def test_a_full_queue_drops_and_counts(self):
        tracing.configure(self.collector.url, max_queue=4, batch=2, delay=0.01)
        self.collector.open.clear()

        @tracing.trace_tool_call
        def tool():
            pass

        for _ in range(20):
            tool()
        counts = tracing.counts()
        self.assertEqual((counts.ended, counts.dropped), (20, 16))
        self.collector.open.set()
        self.assertTrue(tracing.flush())
        self.assertEqual(tracing.counts(), tracing.Counts(20, 4, 16))


class Away(unittest.TestCase):
    def test_a_program_whose_server_is_away_runs_and_ends(self):
        program = """
import agentwright_tracing as tracing
tracing.configure("http://127.0.0.1:9", timeout=600, farewell=1)
@tracing.trace_agent_execution("helper")
def agent():
    return "fine"
print(agent())
"""
        # Far less than an attempt to send may take: the end of the program does not wait for it.
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual((ended.returncode, ended.stdout), (0, "fine\n"), ended.stderr)

    def test_what_the_server_does_not_take_is_counted(self):
        tracing.configure("http://127.0.0.1:9", timeout=0.2, delay=0.01)

        @tracing.trace_tool_call
        def tool():
            return 1

        self.assertEqual([tool() for _ in range(3)], [1, 1, 1])
        tracing.flush(20)
        counts = tracing.counts()
        self.assertEqual((counts.ended, counts.delivered, counts.dropped), (3, 0, 3))
        tracing.shutdown()

    def test_nothing_is_sent_and_nothing_breaks_without_configure(self):
        tracing.shutdown()

        @tracing.trace_agent_execution("helper")
        def agent():
            tracing.record_outcome(True)
            return 1

        self.assertEqual(agent(), 1)


if __name__ == "__main__":
    unittest.main()
