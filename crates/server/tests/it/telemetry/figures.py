"""Reads figures from stdin as Prometheus would, checks what every reader relies on, and prints them as JSON."""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

seen = {}
for family in text_string_to_metric_families(sys.stdin.read()):
    assert family.documentation, f"{family.name} says nothing about itself"
    assert family.name not in seen, f"{family.name} is there twice"
    assert family.type in ("counter", "gauge", "histogram"), f"{family.name} is {family.type}"
    series = {}
    for sample in family.samples:
        labels = dict(sample.labels)
        bound = labels.pop("le", None)
        key = (sample.name, tuple(sorted(labels.items())), bound)
        assert key not in series, f"{key} is there twice"
        series[key] = sample.value
    if family.type == "histogram":
        whole = {labels for _, labels, _ in series}
        for labels in whole:
            buckets = [(float(bound), value) for (_, its, bound), value in series.items() if its == labels and bound]
            counts = [value for _, value in sorted(buckets)]
            assert counts == sorted(counts), f"{family.name}{labels} is not cumulative"
            assert counts[-1] == series[(family.name + "_count", labels, None)], f"{family.name}{labels} has another count"
    seen[family.name] = [
        {"name": name, "labels": dict(labels), "value": value}
        for (name, labels, bound), value in series.items()
        if bound is None
    ]
print(json.dumps(seen))
