"""A server that takes spans in and remembers them, or takes its time."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    def __init__(self):
        self.spans = []
        self.requests = []
        self.open = threading.Event()
        self.open.set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                collector.open.wait(10)
                batch = ExportTraceServiceRequest.FromString(body)
                collector.requests.append((self.path, self.headers.get("authorization")))
                collector.spans += [s for r in batch.resource_spans for c in r.scope_spans for s in c.spans]
                self.send_response(200)
                self.send_header("content-type", "application/x-protobuf")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self.open.set()
        self._server.shutdown()
        self._server.server_close()

    def named(self, name):
        return [span for span in self.spans if span.name == name]


def said(span):
    """The attributes of a span."""
    return {it.key: getattr(it.value, it.value.WhichOneof("value")) for it in span.attributes}
