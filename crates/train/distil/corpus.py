"""Reads the public sets that may be trained on, and gives each sentence the label it teaches, if any."""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

from words import words

LENGTH = 24  # words of a sentence that are looked at

SNIPS = {"GetWeather": "weather", "PlayMusic": "other", "AddToPlaylist": "other", "BookRestaurant": "other",
         "RateBook": "other"}


@dataclass
class Row:
    words: list[str]
    label: str | None  # of the router
    bank: str | None  # of BANKING77
    weight: float
    stray: bool = False  # out of scope, unless it looks otherwise


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.open(encoding="utf-8")] if path.exists() else []


def renamed(text: str, names: list[str], dice: random.Random) -> str:
    """The same sentence about another thing of the house."""
    low = text.lower()
    inside = [name for name in names if name.lower() in low]
    if not inside:
        return text
    old = max(inside, key=len)
    at = low.index(old.lower())
    return text[:at] + dice.choice(names) + text[at + len(old) :]


def lessons(path: Path, each: int, dice: random.Random) -> list[tuple[str, str]]:
    """Our own sentences with their slots filled: role and text."""
    lists: dict[str, list[str]] = {}
    made = []
    for line in path.read_text(encoding="utf-8").splitlines():
        head, _, tail = line.partition(": ")
        if line.startswith("@"):
            lists[head[1:]] = tail.split(" | ")
        elif tail and not line.startswith("#"):
            fill = lambda found: dice.choice(lists[found[1]])
            made += sorted({(head, re.sub(r"\{(\w+)\}", fill, tail)) for _ in range(each)})
    return made


def corpus(data: Path) -> tuple[list[Row], dict[str, str]]:
    """Every sentence, and the role of every label."""
    dice = random.Random(7)
    mapping = json.loads((data / "router6/mapping.json").read_text())
    rows: list[Row] = []
    roles: dict[str, str] = {}

    def add(text, label=None, role=None, bank=None, weight=1.0, stray=False):
        found = words(text)[:LENGTH]
        if found:
            if label:
                roles[label] = role
            rows.append(Row(found, label, bank, weight, stray))

    for source, name in (("hwu64", "hwu"), ("clinc150", "clinc")):
        for row in read(data / source / "train.jsonl"):
            weight = 4.0 if row["label"] == "oos" else 1.5 if name == "hwu" else 1.0
            add(row["text"], f"{name}:{row['label']}", mapping[source][row["label"]]["role"], weight=weight)
    house = json.loads((data / "home_assistant/fixtures.json").read_text())
    areas = [thing["name"] for thing in house["areas"] + house["floors"]]
    things = [thing["name"] for thing in house["entities"]]
    for part in ("train", "dev"):
        for row in read(data / f"home_assistant/{part}.jsonl"):
            texts = {row["text"]} | {renamed(renamed(row["text"], areas, dice), things, dice) for _ in range(5)}
            for text in sorted(texts):
                add(text, f"ha:{row['intent']}", row["role"], weight=1.0)
    for role, text in lessons(Path(__file__).parent.parent / "lessons.txt", 16, dice):
        add(text, f"own:{role}", role, weight=0.7)
    for row in read(data / "snips/train.jsonl"):
        role = SNIPS.get(row["label"])
        add(row["text"], role and f"snips:{row['label']}", role, weight=0.25)
    for row in read(data / "banking77/train.jsonl"):
        add(row["text"], "bank:any", "other", bank=row["label"], weight=0.8)
    for row in read(data / "nlupp/train.jsonl") + read(data / "nlupp/dev.jsonl"):
        add(row["text"], f"nlupp:{row['domain']}", "other", weight=0.4, stray=True)
    for source in ("metatool", "taskbench", "bfcl", "stabletoolbench", "apibank"):
        for part in ("train", "dev"):
            for row in read(data / f"{source}/{part}.jsonl"):
                add(row["text"], f"stray:{source}", "other", weight=0.25, stray=True)
    for source in ("bfcl", "stabletoolbench", "taskbench"):
        for row in read(data / f"{source}/tools.jsonl"):
            add(f"{row.get('name', row.get('id', ''))} {row.get('description', row.get('desc', ''))}".replace("_", " "))
    return rows, roles


def held_out(data: Path) -> dict[str, list[tuple[list[str], str]]]:
    """The dev parts, to watch the training with."""
    sets = {}
    for source, name in (("hwu64", "hwu:"), ("clinc150", "clinc:"), ("banking77", "")):
        sets[source] = [(words(row["text"])[:LENGTH], name + row["label"]) for row in read(data / source / "dev.jsonl")]
    return sets
