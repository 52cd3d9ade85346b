"""Teaches MiniLM the labels, then teaches the small network what MiniLM says about endless variations of the sentences.

Run as `python distil.py --data DIR --minilm DIR --out FILE`. Writes rows and layers for `agentwright-train`.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from corpus import LENGTH, corpus, held_out
from minilm import SIZE, MiniLM, pieces
from student import BAG, BUCKETS, CORE, Student
from words import fnv, grams, shape

PIECES = 5  # of a word
GRAMS = 40  # of a word
KNOWN = 11_000

ask = argparse.ArgumentParser()
ask.add_argument("--data", type=Path)
ask.add_argument("--prepared", type=Path, help="what --prepare wrote, instead of --data")
ask.add_argument("--prepare", type=Path, help="only read the sets, and write them here")
ask.add_argument("--minilm", type=Path, required=True)
ask.add_argument("--out", type=Path)
ask.add_argument("--seeds", type=int, default=5)
ask.add_argument("--epochs", type=float, default=12)
ask.add_argument("--steps", type=int, default=2_100)
ask.add_argument("--batch", type=int, default=4096)
ask.add_argument("--reuse", type=int, default=1200, help="steps on the same sentences, which are a third as many")
ask.add_argument("--seconds", type=float, default=1e9, help="stop teaching the student after so long in all")
args = ask.parse_args()
start = time.time()
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1)
torch.backends.cuda.matmul.allow_tf32 = True


def say(*words):
    print(f"[{time.time() - start:6.1f}s]", *words, flush=True)


def prepare():
    """Every sentence as rows of word numbers; what is known of every word."""
    rows, roles = corpus(args.data)
    watch = held_out(args.data)
    common, ours = Counter(), Counter()
    for row in rows:
        common.update(row.words)
        if row.label and row.label.split(":")[0] in ("hwu", "clinc", "ha", "bank", "own"):
            ours.update(row.words)
    vocab = {line.rstrip("\n"): at for at, line in enumerate((args.minilm / "vocab.txt").open(encoding="utf-8"))}
    english = [word for word, at in vocab.items() if at >= 1996 and word.isalpha() and word.isascii() and len(word) > 1]
    known = ["#" * n for n in range(1, 7)]
    known += [word for word, count in ours.most_common() if count > 1]
    known += [word for word, count in common.most_common() if count > 3]
    known += english
    known = list(dict.fromkeys(known))[:KNOWN]
    place = {word: at for at, word in enumerate(known)}
    every = ["[PAD]"] + sorted(set(common) | set(known) | set(english[:16000]) | {w for s in watch.values() for r, _ in s for w in r})
    number = {word: at for at, word in enumerate(every)}
    piece = np.zeros((len(every), PIECES), np.int32)
    row_of = np.full(len(every), len(known), np.int32)
    gram = np.full((len(every), GRAMS), BUCKETS, np.int16)
    for at, word in enumerate(every):
        if at == 0:
            continue
        found = pieces(word.replace("#", "7") if set(word) == {"#"} else word, vocab)[:PIECES]
        piece[at, : len(found)] = found
        row_of[at] = place.get(word, place.get(shape(word) or "", len(known)))
        if not shape(word) and set(word) != {"#"}:
            found = grams(word, BUCKETS)[:GRAMS]
            gram[at, : len(found)] = found

    def numbers(sentences):
        ids = np.zeros((len(sentences), LENGTH), np.int32)
        for at, words in enumerate(sentences):
            ids[at, : len(words)] = [number[word] for word in words]
        return ids

    labels = sorted(roles)
    banks = sorted({row.bank for row in rows if row.bank})
    label = {name: at for at, name in enumerate(labels)}
    bank = {name: at for at, name in enumerate(banks)}
    random_word = np.array([common[word] ** 0.5 + (0.3 if word in place else 0.02) for word in every], np.float32)
    random_word[0] = 0
    made = dict(
        ids=numbers([row.words for row in rows]),
        label=np.array([label.get(row.label, -1) for row in rows], np.int32),
        bank=np.array([bank.get(row.bank, -1) for row in rows], np.int32),
        weight=np.array([row.weight for row in rows], np.float32),
        stray=np.array([row.stray for row in rows]),
        piece=piece, row_of=row_of, gram=gram, random_word=random_word,
        hash=np.array([fnv(word.encode()) for word in known], np.uint32),
        labels=np.array(labels), roles=np.array([roles[name] for name in labels]), banks=np.array(banks),
    )
    assert len(set(made["hash"].tolist())) == len(known), "two words of one hash"
    for name, sentences in watch.items():
        made[f"watch_{name}"] = numbers([words for words, _ in sentences])
        made[f"want_{name}"] = np.array([(bank if name == "banking77" else label)[want] for _, want in sentences])
    return made


data = dict(np.load(args.prepared)) if args.prepared else prepare()
if args.prepare:
    np.savez_compressed(args.prepare, **data)
    raise SystemExit
labels, roles = data["labels"].tolist(), data["roles"].tolist()
known = len(data["hash"])
t = {name: torch.as_tensor(value.astype(np.int64) if value.dtype.kind in "iu" else value, device=device)
     for name, value in data.items() if value.dtype.kind in "iufb"}
say(len(t["ids"]), "sentences,", len(labels), "labels,", known, "known words of", len(t["piece"]), "on", device)
other = torch.tensor([role == "other" for role in roles], device=device)
kinds = sorted(set(roles))
to_role = torch.tensor([[role == kind for kind in kinds] for role in roles], device=device).float()


def compact(ids, keep):
    """Moves what is kept to the left."""
    ids = ids * keep
    order = torch.argsort((ids == 0).to(torch.int8), dim=1, stable=True)
    return ids.gather(1, order)


def as_pieces(ids):
    """What MiniLM reads: pieces of all words between [CLS] and [SEP]."""
    flat = t["piece"][ids].flatten(1)
    flat = compact(flat, flat != 0)
    flat = flat[:, : max(int((flat != 0).sum(1).max()), 1)]
    flat = F.pad(flat, (1, 1))
    flat[:, 0] = 101
    ends = (flat != 0).sum(1)
    flat[torch.arange(len(flat), device=device), ends] = 102
    return flat


def near_words():
    """Ten words that MiniLM places nearest to each."""
    with torch.no_grad():
        every = torch.arange(1, len(t["piece"]), device=device)
        places = torch.cat([F.normalize(raw(as_pieces(part.unsqueeze(1))).float(), dim=1) for part in every.split(4096)])
        near = torch.cat([(part @ places.T).topk(11).indices[:, 1:] for part in places.split(2048)]) + 1
        return F.pad(near, (0, 0, 1, 0)), F.pad(places, (0, 0, 1, 0))


def varied(ids, hard):
    """Words dropped, replaced by near or by any words, sentences crossed. `hard` is a share per row."""
    dice = lambda: torch.rand(ids.shape, device=device)
    there = ids != 0
    near = t_near[ids, torch.randint(0, 10, ids.shape, device=device)]
    any_word = torch.multinomial(t["random_word"], ids.numel(), replacement=True).view_as(ids)
    roll = dice()
    ids = torch.where(there & (roll < 0.5 * hard), near, ids)
    ids = torch.where(there & (roll > 1 - 0.3 * hard), any_word, ids)
    return compact(ids, (dice() >= 0.6 * hard) | ~there)


def crossed(ids, mates):
    """The beginning of a sentence and the end of another."""
    size, length = (ids != 0).sum(1, keepdim=True), (mates != 0).sum(1, keepdim=True)
    at = torch.arange(LENGTH, device=device)
    cut = (torch.rand(size.shape, device=device) * (size + 1)).long()
    skip = (torch.rand(size.shape, device=device) * length).long()
    joined = torch.cat([ids * (at < cut), mates * (at >= skip)], 1)
    return compact(joined, joined != 0)[:, :LENGTH]


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = MiniLM(args.minilm / "model.safetensors")
        self.label, self.bank = nn.Linear(SIZE, len(labels)), nn.Linear(SIZE, len(data["banks"]))

    def forward(self, ids):
        seen = F.dropout(self.body(ids), 0.1, self.training)
        return self.label(seen).float(), self.bank(seen).float()


def measured(answer):
    """Accuracy on the dev parts; for roles, with the out-of-scope rows weighed as they come in use."""
    out = {}
    for name in ("hwu64", "clinc150", "banking77"):
        ids, want = t[f"watch_{name}"], t[f"want_{name}"]
        with torch.no_grad():
            says = torch.cat([torch.stack([F.pad(x, (0, 400 - x.shape[1]), value=-99) for x in answer(part)], 1) for part in ids.split(1024)])
        if name == "banking77":
            out[name] = round((says[:, 1].argmax(1) == want).float().mean().item(), 4)
            continue
        logits = says[:, 0, : len(labels)]
        mine = torch.tensor([l.startswith(name[:3]) for l in labels], device=device)
        oos = torch.tensor([l == "clinc:oos" for l in labels], device=device)
        inside = ~oos[want]
        out[name] = round((logits.masked_fill(~mine | oos, -1e9).argmax(1) == want)[inside].float().mean().item(), 4)
        right = (logits.softmax(1) @ to_role).argmax(1) == to_role[want].argmax(1)
        out[name + " roles"] = round(right[inside].float().mean().item(), 4)
        if name == "clinc150":
            out["oos"] = round(right[~inside].float().mean().item(), 4)
    return out


def teach(seed, use):
    """One MiniLM that knows the labels of the rows in `use`."""
    torch.manual_seed(seed)
    net = Teacher().to(device)
    body = [p for n, p in net.named_parameters() if n.startswith("body")]
    head = [p for n, p in net.named_parameters() if not n.startswith("body")]
    best = torch.optim.AdamW([{"params": body, "lr": 2.5e-4}, {"params": head, "lr": 2e-3}], weight_decay=0.01, fused=device == "cuda")
    weight = t["weight"] * use
    size = 512
    steps = int(args.epochs * weight.sum().item() / size)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, [2.5e-4, 2e-3], total_steps=max(steps, 2), pct_start=0.1)
    net.train()
    for step in range(steps):
        pick = torch.multinomial(weight, size, replacement=True)
        hard = 0.15 * (torch.rand(size, 1, device=device) < 0.6)
        with torch.autocast(device, torch.bfloat16):
            says, bank = net(as_pieces(varied(t["ids"][pick], hard)))
        loss = F.cross_entropy(says, t["label"][pick], label_smoothing=0.03)
        banking = t["bank"][pick]
        loss = loss + 0.5 * F.cross_entropy(bank, banking, ignore_index=-1, label_smoothing=0.03, reduction="sum") / size
        best.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        best.step()
        plan.step()
    net.eval()
    with torch.autocast(device, torch.bfloat16):
        say("teacher", seed, steps, "steps, loss", round(loss.item(), 3), measured(lambda ids: net(as_pieces(ids))))
    return net


raw = MiniLM(args.minilm / "model.safetensors", drop=0.0).to(device).eval()
t_near, t_place = near_words()
say("near words")

labelled = t["label"] >= 0
first = teach(100, labelled & ~t["stray"])
with torch.no_grad(), torch.autocast(device, torch.bfloat16):
    stray = torch.cat([first(as_pieces(part))[0].softmax(1) @ other.float() for part in t["ids"].split(2048)])
use = labelled & (~t["stray"] | (stray > 0.5))
say("strays", int((t["stray"] & use).sum()), "of", int(t["stray"].sum()))
teachers = [teach(seed, use) for seed in range(args.seeds)]


def taught(ids):
    """What the teachers say together."""
    order = torch.cat([(t["piece"][part] != 0).flatten(1).sum(1) for part in ids.split(65536)]).argsort()
    with torch.no_grad(), torch.autocast(device, torch.bfloat16):
        parts = []
        for part in order.split(8192):
            read = as_pieces(ids[part])
            says = [net(read) for net in teachers]
            parts.append([sum(s[at].softmax(1) for s in says) / len(says) for at in (0, 1)] + [raw(read).float()])
    back = order.argsort()
    return [torch.cat(column)[back] for column in zip(*parts)]


with torch.autocast(device, torch.bfloat16):
    say("teachers together", measured(lambda ids: [p.clamp(min=1e-9).log() for p in taught(ids)[:2]]))

# The main directions of MiniLM's places, without its mean: what the bag must point to.
with torch.no_grad():
    some = torch.randperm(len(t["ids"]), device=device)[:20_000]
    places = torch.cat([raw(as_pieces(part)).float() for part in t["ids"][some].split(2048)])
    mean = F.normalize(places, dim=1).mean(0)
    main = torch.linalg.svd(F.normalize(places, dim=1) - mean, full_matrices=False).Vh[:CORE].T

torch.manual_seed(5)
student = Student(known, {"label": len(labels), "bank": len(data["banks"])}).to(device)
with torch.no_grad():
    one_word = np.zeros(known + 1, np.int64)
    one_word[data["row_of"][::-1]] = np.arange(len(data["row_of"]))[::-1]
    first_of = torch.as_tensor(one_word, device=device)
    student.word.weight[:known] = ((t_place[first_of[:known]] - mean) @ main) * 2
    student.gram.weight.normal_(0, 0.02)
    student.gram.weight[BUCKETS] = 0
    student.row.weight[-BAG:] = torch.eye(CORE, device=device)[:BAG]


def student_says(ids):
    seen, _ = student.features(ids, t["row_of"], t["gram"])
    return student.heads["label"](seen), student.heads["bank"](seen)


def lecture(size):
    """Sentences, varied and plain, with what the teachers say about them."""
    pick = torch.multinomial(chance, size, replacement=True)
    ids, mates = t["ids"][pick], t["ids"][torch.multinomial(chance, size, replacement=True)]
    roll = torch.rand(size, 1, device=device)
    plain = roll < 0.25
    ids = torch.where(roll > 0.8, crossed(ids, mates), ids)
    ids = torch.where(plain, ids, varied(ids, 0.05 + 0.35 * torch.rand(size, 1, device=device)))
    ids[:, 0] = torch.where(ids[:, 0] == 0, mates[:, 0], ids[:, 0])
    want, bank, place = taught(ids)
    # The right label counts a little where it is known.
    sure = (plain & use[pick].unsqueeze(1)).to(want.dtype) * 0.3
    want = want * (1 - sure)
    want.scatter_add_(1, t["label"][pick].clamp(min=0).unsqueeze(1), sure)
    place = F.normalize((F.normalize(place, dim=1) - mean) @ main[:, :BAG], dim=1)
    return ids, want.half(), bank.half(), place.half(), (t["bank"][pick] >= 0).float()


SPEED = 3e-3
best = torch.optim.Adam(student.parameters(), lr=SPEED, fused=device == "cuda")
chance = t["weight"].clone()
chance[~labelled] = 0.3
student.train()
began, step, done = time.time() - start, 0, 0.0
while done < 1:
    # By steps, so that it can be repeated; by the clock only where there is little time.
    done = max(step / args.steps, (time.time() - start - began) / (args.seconds - began))
    best.param_groups[0]["lr"] = SPEED * min(1, step / 300) * (0.5 + 0.5 * np.cos(np.pi * min(done, 1)))
    at = step % args.reuse
    if at == 0:
        columns = lecture(args.batch * args.reuse // 3)
    step += 1
    pick = torch.randint(0, len(columns[0]), (args.batch,), device=device)
    ids, want, bank_want, place_want, is_bank = (column[pick] for column in columns)
    with torch.autocast(device, torch.bfloat16):
        seen, place = student.features(ids, t["row_of"], t["gram"], drop=0.1, lost=0.08)
        says, bank = student.heads["label"](seen), student.heads["bank"](seen)
    loss_label = -(want * says.float().log_softmax(1)).sum(1).mean()
    loss_bank = -((bank_want * bank.float().log_softmax(1)).sum(1) * is_bank).mean()
    loss_place = 1 - F.cosine_similarity(place.float(), place_want.float()).mean()
    loss = loss_label + loss_bank + 2.0 * loss_place
    best.zero_grad(set_to_none=True)
    loss.backward()
    best.step()
    if step % 2000 == 0 or done >= 1:
        student.eval()
        say("student", step, [round(x.item(), 4) for x in (loss_label, loss_bank, loss_place)], measured(student_says))
        student.train()
student.eval()

with torch.no_grad():
    own = torch.full((known, GRAMS), BUCKETS, device=device)
    own[:] = t["gram"][first_of[:known]]
    rows = student.row(student.word.weight[:known] + student.gram(own))
    out = {"rows": rows, "grams": student.row(student.gram.weight[:BUCKETS]), "edges": student.row(student.edge),
           "bias": student.bias, "hidden_w": student.hidden.weight, "hidden_b": student.hidden.bias}
    for name, head in student.heads.items():
        out |= {f"{name}_w": head.weight, f"{name}_b": head.bias}
    out = {name: value.cpu().numpy().astype(np.float16) for name, value in out.items()}
    out["hash"] = data["hash"]
    np.savez_compressed(args.out, **out)
    args.out.with_suffix(".json").write_text(json.dumps({"labels": labels, "roles": roles}))
say("written")
