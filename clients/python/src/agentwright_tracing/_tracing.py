"""The decorators: functions that are agents, and functions that are tools."""

from __future__ import annotations

import functools
import inspect
import json
import logging
from typing import Any, Callable, Iterable, Mapping

from opentelemetry import context as otel_context
from opentelemetry import trace as otel_trace
from opentelemetry.trace import Span, Status, StatusCode

from . import _sending

log = logging.getLogger("agentwright_tracing")

AGENT = otel_context.create_key("agentwright-agent")
_LONGEST = 4096


def trace_agent_execution(
    agent_type: str,
    problem: str | Callable[..., str] | None = None,
    *,
    task: str | Callable[..., str] | None = None,
    user: str | Callable[..., str] | None = None,
    model: str | None = None,
    lessons: Iterable[str] = (),
    trials: Mapping[str, str] | None = None,
) -> Callable:
    """Every call of the function is a trace of an agent; within another one, a part of that.

    `problem`, `task` and `user` are texts, or functions of what the agent is called with. `trials` says which arm it is
    in, by experiment.
    """
    trials = dict(trials or {})
    fixed = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent_type,
        "gen_ai.request.model": model,
        "agentwright.lesson": tuple(lessons) or None,
        "agentwright.experiment": tuple(trials) or None,
        "agentwright.arm": tuple(trials.values()) or None,
    }
    told = {"agentwright.problem": problem, "agentwright.task": task, "agentwright.user": user}

    def attributes(function, args, kwargs):
        said = {name: it(*args, **kwargs) if callable(it) else it for name, it in told.items()}
        if _sending.captures():
            said["agentwright.context"] = text(_first(args, kwargs))
        return {**fixed, **said}

    def decorate(function):
        return _wrapped(function, lambda: f"invoke_agent {agent_type}", attributes, "agentwright.answer", agent=True)

    return decorate


def trace_tool_call(name: str | Callable | None = None) -> Callable:
    """Every call of the function is a call of a tool, named after the function where no name is given."""

    def decorate(function):
        tool = name if isinstance(name, str) else getattr(function, "__name__", "tool")

        def attributes(function, args, kwargs):
            said = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
            if _sending.captures():
                said["gen_ai.tool.call.arguments"] = text(_named(function, args, kwargs))
            return said

        return _wrapped(function, lambda: f"execute_tool {tool}", attributes, "gen_ai.tool.call.result")

    # Both `@trace_tool_call` and `@trace_tool_call("name")`.
    return decorate(name) if callable(name) else decorate


def _wrapped(function, called, attributes, result, agent=False):
    def recorded(args, kwargs):
        return _Recorded(called(), lambda: attributes(function, args, kwargs), result, agent)

    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            inner = function(*args, **kwargs)
            it = recorded(args, kwargs)
            step, given = inner.asend, None
            try:
                while True:
                    # What the caller does between two items is no part of it.
                    with it.going_on():
                        try:
                            item = await step(given)
                        except StopAsyncIteration:
                            return
                    try:
                        step, given = inner.asend, (yield item)
                    except GeneratorExit:
                        raise
                    except BaseException as thrown:
                        step, given = inner.athrow, thrown
            finally:
                await inner.aclose()
                it.close()

    elif inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            it = recorded(args, kwargs)
            try:
                with it.going_on():
                    return it.returned(await function(*args, **kwargs))
            finally:
                it.close()

    elif inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            inner = function(*args, **kwargs)
            it = recorded(args, kwargs)
            step, given = inner.send, None
            try:
                while True:
                    with it.going_on():
                        try:
                            item = step(given)
                        except StopIteration as end:
                            return it.returned(end.value)
                    try:
                        step, given = inner.send, (yield item)
                    except GeneratorExit:
                        raise
                    except BaseException as thrown:
                        step, given = inner.throw, thrown
            finally:
                inner.close()
                it.close()

    else:

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            it = recorded(args, kwargs)
            try:
                with it.going_on():
                    return it.returned(function(*args, **kwargs))
            finally:
                it.close()

    return wrapper


class _Recorded:
    """A span around something. Whatever goes wrong with the span itself goes wrong quietly."""

    def __init__(self, name: str, attributes: Callable[[], dict], result: str, agent: bool) -> None:
        self._result = result
        self._agent = agent
        self._span: Span | None = None
        self._context = None
        with quietly():
            # Made first: a problem that cannot be told is not to cost the trace.
            self._span = _sending.tracer().start_span(name)
            context = otel_trace.set_span_in_context(self._span)
            self._context = otel_context.set_value(AGENT, self._span, context) if agent else context
        with quietly():
            set_attributes(self._span, attributes())

    def going_on(self) -> "_GoingOn":
        return _GoingOn(self)

    def returned(self, value):
        if _sending.captures() and value is not None:
            with quietly():
                set_attributes(self._span, {self._result: text(value)})
        return value

    def failed(self, error: BaseException) -> None:
        if self._span is not None:
            with quietly():
                self._span.record_exception(error)
                self._span.set_attribute("error.type", type(error).__qualname__)
                self._span.set_status(Status(StatusCode.ERROR, str(error)[:_LONGEST]))

    def close(self) -> None:
        if self._span is not None:
            with quietly():
                self._span.end()


class _GoingOn:
    """The time in which it is what is going on."""

    def __init__(self, recorded: _Recorded) -> None:
        self._recorded = recorded
        self._token = None

    def __enter__(self) -> None:
        if self._recorded._context is not None:
            with quietly():
                self._token = otel_context.attach(self._recorded._context)

    def __exit__(self, kind, error, traceback) -> bool:
        if self._token is not None:
            with quietly():
                otel_context.detach(self._token)
        # Somebody who stops listening, or a task that is cancelled, is no failure.
        if isinstance(error, Exception):
            self._recorded.failed(error)
        return False


class quietly:
    """Lets nothing out but what stops programs."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind, error, traceback) -> bool:
        if isinstance(error, Exception):
            log.debug("something could not be traced", exc_info=error)
            return True
        return False


def set_attributes(span: Span | None, attributes: Mapping[str, Any]) -> None:
    for name, value in attributes.items():
        if span is not None and value is not None:
            span.set_attribute(name, value)


def text(value: Any) -> str | None:
    """A value as text, JSON where that is possible, and not too long."""
    if value is None:
        return None
    if isinstance(value, str):
        return value[:_LONGEST]
    try:
        written = json.dumps(value, default=str)
    except Exception:
        written = str(value)
    return written[:_LONGEST]


def _first(args: tuple, kwargs: dict) -> Any:
    """What an agent is asked: the first text it is called with, or everything."""
    texts = [value for value in (*args, *kwargs.values()) if isinstance(value, str)]
    return texts[0] if texts else (kwargs or None)


def _named(function, args: tuple, kwargs: dict) -> dict:
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
        named = {name: value for name, value in bound.items() if name not in ("self", "cls")}
    except (TypeError, ValueError):
        named = {**{str(place): value for place, value in enumerate(args)}, **kwargs}
    # Each is cut on its own, so that the whole stays JSON.
    room = max(16, (_LONGEST - 64) // max(1, len(named)) - 64)
    return {name: value if _is_small(value) else (text(value) or "")[:room] for name, value in named.items()}


def _is_small(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float)) or (isinstance(value, str) and len(value) < 64)
