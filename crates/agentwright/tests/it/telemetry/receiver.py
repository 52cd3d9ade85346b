"""Takes spans over OTLP/HTTP as a collector would, and prints each as a line of JSON. The first line is its port.

The first requests are refused as often as the argument says, to see whether they come again.
"""

import http.server
import json
import sys

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

refusals = int(sys.argv[1])


def value(any_value):
    kind = any_value.WhichOneof("value")
    if kind == "array_value":
        return [value(item) for item in any_value.array_value.values]
    return getattr(any_value, kind)


def named(attributes):
    return {attribute.key: value(attribute.value) for attribute in attributes}


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global refusals
        body = self.rfile.read(int(self.headers["content-length"]))
        if refusals > 0:
            refusals -= 1
            self.send_response(503)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        assert self.path == "/v1/traces", self.path
        assert self.headers["content-type"] == "application/x-protobuf"
        batch = ExportTraceServiceRequest.FromString(body)
        for resource in batch.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    told = {
                        "program": named(resource.resource.attributes),
                        "scope": scope.scope.name,
                        "header": self.headers["x-team"],
                        "trace": span.trace_id.hex(),
                        "id": span.span_id.hex(),
                        "parent": span.parent_span_id.hex(),
                        "name": span.name,
                        "kind": span.kind,
                        "nanos": span.end_time_unix_nano - span.start_time_unix_nano,
                        "attributes": named(span.attributes),
                        "events": [event.name for event in span.events],
                        "status": span.status.code,
                        "message": span.status.message,
                    }
                    print(json.dumps(told), flush=True)
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
