"""Writes what `distil.py` made as the sections that `reflex` reads: rows in whole numbers of eight bits."""

import argparse
import json
import struct
from pathlib import Path

import numpy as np

ask = argparse.ArgumentParser()
ask.add_argument("made", type=Path)
ask.add_argument("out", type=Path)
args = ask.parse_args()
made = {name: value.astype(np.float32) if value.dtype == np.float16 else value for name, value in np.load(args.made).items()}
told = json.loads(args.made.with_suffix(".json").read_text())


def numbers(*values):
    return struct.pack(f"<{len(values)}I", *values)


def rows(table):
    """Count, width, a scale per row, then the rows."""
    scale = np.maximum(np.abs(table).max(1), 1e-8) / 127
    whole = np.clip(np.rint(table / scale[:, None]), -127, 127).astype(np.int8)
    return numbers(*table.shape) + scale.astype("<f4").tobytes() + whole.tobytes()


def texts(names):
    return b"".join(numbers(len(name.encode())) + name.encode() for name in names)


order = np.argsort(made["hash"])
window, bag = len(made["bias"]), made["rows"].shape[1] - 3 * len(made["bias"])
hidden = made["hidden_w"]
sections = {
    "shape": numbers(window, bag, len(hidden)),
    "words": made["hash"][order].astype("<u4").tobytes(),
    "rows": rows(made["rows"][order]),
    "pieces": rows(made["grams"]),
    "edges": made["edges"].astype("<f4").tobytes(),
    "bias": made["bias"].astype("<f4").tobytes(),
    "hidden": rows(hidden) + made["hidden_b"].astype("<f4").tobytes(),
    "labels": numbers(len(told["labels"])) + texts(told["labels"]) + texts(told["roles"]),
    "head": rows(made["label_w"]) + made["label_b"].astype("<f4").tobytes(),
}
file = b"reflex\x00\x01"
for name, content in sections.items():
    file += numbers(len(name)) + name.encode() + numbers(len(content)) + content
args.out.write_bytes(file)
print({name: len(content) for name, content in sections.items()}, len(file))
