"""A model that says what it is told to: first a call of the tool, then, once there is a result, the answer."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def _call(name, arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _reply(request):
    tools = [tool["function"]["name"] for tool in request.get("tools", [])]
    called = any(message["role"] in ("tool", "assistant") or "tool-response" in message["role"] for message in request["messages"])
    if not called:
        return _call("weather", {"city": "Oslo"})
    if "final_answer" in tools:
        return _call("final_answer", {"answer": "sunny"})
    return {"role": "assistant", "content": "sunny"}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = _reply(request)
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        reply = {"id": "x", "object": "chat.completion", "created": 1, "model": request["model"], "choices": [choice], "usage": usage}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve():
    """Starts it, and says where it is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"
