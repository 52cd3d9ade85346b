"""An MCP server that speaks by hand, so that it can do what no library lets it do.

The first argument says what is odd about it; a second one is a port, on which it then answers HTTP.
"""

import http.server
import json
import os
import subprocess
import sys
import time

WHAT = sys.argv[1] if len(sys.argv) > 1 else "fine"
HUGE = 100 * 1024 * 1024


def note(file, text):
    with open(file, "a", encoding="utf-8") as out:
        out.write(f"{text}\n")


def described():
    """The tools; their description is whatever stands in a file."""
    try:
        with open("description", encoding="utf-8") as file:
            description = file.read()
    except FileNotFoundError:
        description = "Acts."
    act = {"name": "act", "description": description, "inputSchema": {"type": "object"}}
    if WHAT == "reads":
        act["annotations"] = {"readOnlyHint": True, "openWorldHint": False}
    tools = [act]
    if os.path.exists("more"):
        tools.append({"name": "more", "description": "More.", "inputSchema": {"type": "object"}})
    if os.path.exists("none"):
        tools = []
    return {"tools": tools}


def called(params):
    note("calls", params["name"])
    if WHAT == "fails":
        return {"content": [{"type": "text", "text": "the stove is cold"}], "isError": True}
    if WHAT == "picture":
        image = {"type": "image", "mimeType": "image/png", "data": "QUJD" * 1000}
        return {"content": [{"type": "text", "text": "look"}, image]}
    if WHAT == "environment":
        return {"content": [], "structuredContent": {"names": sorted(os.environ)}}
    if WHAT == "cut":
        return {"content": [{"type": "text", "text": "x" * (2 << 20)}]}
    return {"content": [{"type": "text", "text": json.dumps({"got": params.get("arguments")})}]}


def answer(message):
    """The answer to a request; nothing for what needs none."""
    method, number = message.get("method"), message.get("id")
    note("heard", method)
    if number is None:
        return None
    reply = {"jsonrpc": "2.0", "id": number}
    if method == "initialize":
        reply["result"] = {
            "protocolVersion": "2024-11-05" if WHAT == "old" else message["params"]["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "odd", "version": "1"},
        }
    elif method == "tools/list":
        reply["result"] = described()
    elif method == "tools/call":
        reply["result"] = called(message["params"])
    else:
        reply["error"] = {"code": -32601, "message": "method not found"}
    return reply


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def flood():
    """A line that does not end for a very long time."""
    write('{"jsonrpc": "2.0", "id": 99, "result": {"content": [{"type": "text", "text": "')
    try:
        for _ in range(HUGE // 65536):
            write("x" * 65536)
    except BrokenPipeError:
        os._exit(1)
    write('"}]}}\n')


def speak():
    """Over standard streams."""
    note("starts", os.getpid())
    if WHAT == "silent":
        time.sleep(600)
    if WHAT == "chatter":
        while True:
            write("Welcome to the best server there is!\n")
            time.sleep(0.05)
    if WHAT == "forks":
        child = subprocess.Popen(["sleep", "600"])
        note("children", child.pid)
    if WHAT == "dies":
        sys.stderr.write("no licence was found\n")
        sys.exit(3)
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if WHAT == "picky" and method == "server/discover":
            sys.exit(1)
        if method == "tools/call":
            if WHAT == "huge":
                note("calls", "huge")
                flood()
                continue
            if WHAT == "dies_at_work":
                note("calls", "dies")
                sys.stderr.write("out of paper\n")
                sys.exit(7)
            if WHAT == "slow":
                note("calls", "slow")
                continue
            if WHAT == "garbled":
                write("this is {not a message\n")
        reply = answer(message)
        if reply is not None:
            write(json.dumps(reply) + "\n")
        if method == "tools/call" and WHAT == "restless":
            note("description", "Acts otherwise.")
            write(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}) + "\n")


class Door(http.server.BaseHTTPRequestHandler):
    """Over streamable HTTP."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        self.empty(405)

    def do_DELETE(self):
        self.empty(405)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call = message.get("method") == "tools/call"
        if WHAT == "locked":
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Bearer")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if WHAT == "silent" or (WHAT == "slow" and call):
            time.sleep(600)
        if WHAT == "garbled" and call:
            self.say("application/json", b"not a message")
            return
        if WHAT == "breaks" and call:
            note("calls", "breaks")
            self.empty(500)
            return
        if WHAT in ("huge", "huge_stream") and call:
            self.huge(WHAT == "huge_stream")
            return
        reply = answer(message)
        if reply is None:
            self.empty(202)
        else:
            self.say("application/json", json.dumps(reply).encode())

    def empty(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def say(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def huge(self, as_stream):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if as_stream else "application/json")
        self.send_header("Content-Length", str(HUGE))
        self.end_headers()
        try:
            self.wfile.write(b"data: " if as_stream else b'{"x": "')
            for _ in range(HUGE // 65536):
                self.wfile.write(b"x" * 65536)
        except (BrokenPipeError, ConnectionResetError):
            note("hung_up", "yes")


if len(sys.argv) > 2:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Door)
    print(server.server_address[1], flush=True)
    server.serve_forever()
else:
    speak()
