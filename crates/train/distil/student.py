"""The small network that ships: rows of a table, windows of three words, a pool and one hidden layer."""

import torch
from torch import nn
from torch.nn import functional as F

CORE = 192  # what a word is learned in; rows are made of it and stored
WINDOW = 80  # features of three words side by side
BAG = 128  # the place of a text, beside the sentence model's
HIDDEN = 256
BUCKETS = 6000
ROW = 3 * WINDOW + BAG


class Student(nn.Module):
    def __init__(self, known, heads):
        super().__init__()
        self.word = nn.Embedding(known + 1, CORE, padding_idx=known)  # the last row: no such word
        self.gram = nn.EmbeddingBag(BUCKETS + 1, CORE, mode="mean", padding_idx=BUCKETS)
        self.edge = nn.Parameter(torch.randn(2, CORE) * 0.1)  # before the first and after the last word
        self.row = nn.Linear(CORE, ROW, bias=False)
        self.bias = nn.Parameter(torch.zeros(WINDOW))
        self.hidden = nn.Linear(2 * WINDOW + BAG, HIDDEN)
        self.heads = nn.ModuleDict({name: nn.Linear(HIDDEN + 2 * WINDOW + BAG, size) for name, size in heads.items()})

    def features(self, known, grams, there, drop=0.0):
        """`known` [B, L] rows, `grams` [B, L, G] buckets, `there` [B, L]: the pool, the hidden layer, the bag."""
        batch, length = known.shape
        core = self.word(known) + self.gram(grams.view(batch * length, -1)).view(batch, length, CORE)
        rows = self.row(core) * there.unsqueeze(-1)
        left, mid, right, bag = rows.split([WINDOW, WINDOW, WINDOW, BAG], -1)
        edges = self.row(self.edge)
        count = there.sum(1, keepdim=True)
        first = edges[0, :WINDOW].expand(batch, 1, WINDOW)
        before = torch.cat([first, left[:, :-1]], 1)
        after = torch.cat([right[:, 1:], right.new_zeros(batch, 1, WINDOW)], 1)
        last = (torch.arange(length, device=known.device) == count - 1).unsqueeze(-1)
        after = torch.where(last, edges[1, 2 * WINDOW : 3 * WINDOW].expand_as(after), after)
        seen = F.relu(before + mid + after + self.bias) * there.unsqueeze(-1)
        scale = count.clamp(min=1).float().sqrt()
        summed = bag.sum(1)
        place = summed / summed.norm(dim=1, keepdim=True).clamp(min=1e-6)
        pool = torch.cat([seen.sum(1) / scale, seen.amax(1), summed / scale], 1)
        pool = F.dropout(pool, drop, self.training)
        hidden = F.dropout(F.relu(self.hidden(pool)), drop, self.training)
        return torch.cat([hidden, pool], 1), place
