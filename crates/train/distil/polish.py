"""Teaches one distilled network what several of them say together, on a CPU: `polish.py PREPARED OUT FIRST OTHERS...`."""

import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

STEPS, BATCH, SPEED = 6000, 384, 6e-4
SECONDS = float(sys.argv[1].split("=")[1]) if sys.argv[1].startswith("--seconds=") else 1e9
prepared, out, *made = (Path(name) for name in sys.argv[1 + (SECONDS < 1e9) :])
torch.manual_seed(3)
torch.set_num_threads(1)
data = np.load(prepared)
labels, roles = data["labels"].tolist(), data["roles"].tolist()
t = {name: torch.as_tensor(data[name].astype(np.int64)) for name in ("ids", "label", "bank", "row_of", "gram")}
weight, chances = torch.as_tensor(data["weight"]), torch.as_tensor(data["random_word"])


class Net:
    """A network as it is stored: a row per word."""

    def __init__(self, path):
        kept = np.load(path)
        self.p = {name: torch.as_tensor(kept[name].astype(np.float32)) for name in kept if kept[name].dtype == np.float16}
        self.window = len(self.p["bias"])
        own = json.loads(path.with_suffix(".json").read_text())["labels"]
        self.to = torch.tensor([labels.index(name) for name in own])
        buckets = len(self.p["grams"])
        # Buckets are numbered for the last preparation; other networks' are found anew.
        gram = t["gram"] if int(t["gram"].max()) == buckets else None
        spelled = torch.zeros(len(t["row_of"]), self.p["rows"].shape[1])
        if gram is not None:
            table = torch.cat([self.p["grams"], torch.zeros(1, self.p["grams"].shape[1])])
            count = (gram < buckets).sum(1, keepdim=True).clamp(min=1)
            spelled = torch.cat([table[part].sum(1) for part in gram.split(2048)]) / count
        known = len(self.p["rows"])
        row = t["row_of"].clamp(max=known - 1)
        self.fixed = torch.where((t["row_of"] < known).unsqueeze(1), self.p["rows"][row], spelled)

    def features(self, rows, there, drop=0.0):
        p, w = self.p, self.window
        left, mid, right, bag = rows.split([w, w, w, rows.shape[-1] - 3 * w], -1)
        batch, length = there.shape
        count = there.sum(1, keepdim=True)
        before = torch.cat([p["edges"][0, :w].expand(batch, 1, w), left[:, :-1]], 1)
        after = torch.cat([right[:, 1:], right.new_zeros(batch, 1, w)], 1)
        last = (torch.arange(length) == count - 1).unsqueeze(-1)
        after = torch.where(last, p["edges"][1, 2 * w : 3 * w].expand_as(after), after)
        seen = F.relu(before + mid + after + p["bias"]) * there.unsqueeze(-1)
        scale = count.clamp(min=1).float().sqrt()
        summed = bag.sum(1)
        pool = F.dropout(torch.cat([seen.sum(1) / scale, seen.amax(1), summed / scale], 1), drop)
        hidden = F.dropout(F.relu(pool @ p["hidden_w"].T + p["hidden_b"]), drop)
        return torch.cat([hidden, pool], 1), F.normalize(summed, dim=1)

    def heads(self, seen):
        p = self.p
        return seen @ p["label_w"].T + p["label_b"], seen @ p["bank_w"].T + p["bank_b"]

    def says(self, ids):
        there = ids != 0
        seen, place = self.features(self.fixed[ids] * there.unsqueeze(-1), there)
        label, bank = self.heads(seen)
        full = torch.zeros(len(ids), len(labels))
        full[:, self.to] = label.softmax(1)
        return full, bank.softmax(1), place


nets = [Net(path) for path in made]
student, first = Net(made[0]), nets[0]
known = len(student.p["rows"])
table = torch.nn.Embedding(known, student.p["rows"].shape[1], sparse=True)
table.weight.data = student.p["rows"].clone()
small = [name for name in student.p if name not in ("rows", "grams")]
for name in small:
    student.p[name] = student.p[name].clone().requires_grad_()
best = [torch.optim.SparseAdam(table.parameters(), lr=SPEED), torch.optim.Adam([student.p[name] for name in small], lr=SPEED)]
# Near words: those whose places are near.
place = F.normalize(first.p["rows"][:, 3 * first.window :], dim=1)
word_of = torch.zeros(known, dtype=torch.long)
word_of[t["row_of"].flip(0).clamp(max=known - 1)] = torch.arange(len(t["row_of"])).flip(0)
near = torch.cat([(part @ place.T).topk(9).indices[:, 1:] for part in place.split(1024)])


def compact(ids, keep):
    ids = ids * keep
    return ids.gather(1, torch.argsort((ids == 0).to(torch.int8), dim=1, stable=True))


def varied(ids, hard):
    there, roll = ids != 0, torch.rand(ids.shape)
    row = t["row_of"][ids]
    close = word_of[near[row.clamp(max=known - 1), torch.randint(0, 8, ids.shape)]]
    any_word = torch.multinomial(chances, ids.numel(), replacement=True).view_as(ids)
    ids = torch.where(there & (roll < 0.4 * hard) & (row < known), close, ids)
    ids = torch.where(there & (roll > 1 - 0.3 * hard), any_word, ids)
    return compact(ids, (torch.rand(ids.shape) >= 0.6 * hard) | ~there)


chance = weight.clone()
chance[t["label"] < 0] = 0.2
start, step, done = time.time(), 0, 0.0
while done < 1:
    done = max(step / STEPS, (time.time() - start) / SECONDS)
    for one in best:
        one.param_groups[0]["lr"] = SPEED * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * min(done, 1)))
    step += 1
    pick = torch.multinomial(chance, BATCH, replacement=True)
    plain = torch.rand(BATCH, 1) < 0.3
    ids = t["ids"][pick]
    ids = torch.where(plain, ids, varied(ids, 0.05 + 0.35 * torch.rand(BATCH, 1)))
    ids[:, 0] = torch.where(ids[:, 0] == 0, t["ids"][pick][:, 0], ids[:, 0])
    ids = ids[:, : int((ids != 0).sum(1).max())]
    with torch.no_grad():
        told = [net.says(ids) for net in nets]
        want, bank = sum(x[0] for x in told) / len(told), sum(x[1] for x in told) / len(told)
        sure = (plain & (t["label"][pick] >= 0).unsqueeze(1)).float() * 0.3
        want = (want * (1 - sure)).scatter_add_(1, t["label"][pick].clamp(min=0).unsqueeze(1), sure)
    there, row = ids != 0, t["row_of"][ids]
    rows = torch.where((row < known).unsqueeze(-1), table(row.clamp(max=known - 1)), student.fixed[ids]) * there.unsqueeze(-1)
    seen, place = student.features(rows, there, 0.1)
    label_says, bank_says = student.heads(seen)
    is_bank = (t["bank"][pick] >= 0).float()
    loss = -(want * label_says.log_softmax(1)).sum(1).mean() - ((bank * bank_says.log_softmax(1)).sum(1) * is_bank).mean()
    loss = loss + 2 * (1 - F.cosine_similarity(place, told[0][2]).mean())
    for one in best:
        one.zero_grad()
    loss.backward()
    for one in best:
        one.step()
    if step % 200 == 0 or done >= 1:
        print(f"[{time.time() - start:5.0f}s] {step} {loss.item():.4f}", flush=True)
kept = {name: value.detach().numpy().astype(np.float16) for name, value in student.p.items()}
kept["rows"] = table.weight.detach().numpy().astype(np.float16)
np.savez_compressed(out, **kept, hash=np.load(made[0])["hash"])
out.with_suffix(".json").write_text(json.dumps({"labels": labels, "roles": roles}))
