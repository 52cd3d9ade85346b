"""The small network that ships: rows of a table, windows of three words, a pool and one hidden layer."""

import torch
from torch import nn
from torch.nn import functional as F

CORE = 256  # what a word is learned in; rows are made of it and stored
WINDOW = 96  # features of three words side by side
BAG = 128  # the place of a text, beside the sentence model's
HIDDEN = 256
BUCKETS = 5000
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

    def features(self, ids, row_of, gram_of, drop=0.0, lost=0.0):
        """Words as numbers [B, L] with zeros after the end: the hidden layer and the pool, and the place.

        A share `lost` of the words is read by spelling alone, as words are that have no row.
        """
        batch, length = ids.shape
        there = ids != 0
        once, back = torch.unique(ids, return_inverse=True)
        spelled = self.gram(gram_of[once])
        core = self.word(row_of[once]) + spelled
        rows = self.row(core)[back]
        if lost:
            losable = gram_of[once, 0] != BUCKETS
            gone = (torch.rand(ids.shape, device=ids.device) < lost) & losable[back]
            rows = torch.where(gone.unsqueeze(-1), self.row(spelled)[back], rows)
        rows = rows * there.unsqueeze(-1)
        left, mid, right, bag = rows.split([WINDOW, WINDOW, WINDOW, BAG], -1)
        edges = self.row(self.edge)
        count = there.sum(1, keepdim=True)
        first = edges[0, :WINDOW].expand(batch, 1, WINDOW)
        before = torch.cat([first, left[:, :-1]], 1)
        after = torch.cat([right[:, 1:], right.new_zeros(batch, 1, WINDOW)], 1)
        last = (torch.arange(length, device=ids.device) == count - 1).unsqueeze(-1)
        after = torch.where(last, edges[1, 2 * WINDOW : 3 * WINDOW].expand_as(after), after)
        seen = F.relu(before + mid + after + self.bias) * there.unsqueeze(-1)
        scale = count.clamp(min=1).float().sqrt()
        summed = bag.sum(1)
        place = summed / summed.norm(dim=1, keepdim=True).clamp(min=1e-6)
        pool = torch.cat([seen.sum(1) / scale, seen.amax(1), summed / scale], 1)
        pool = F.dropout(pool, drop, self.training)
        hidden = F.dropout(F.relu(self.hidden(pool)), drop, self.training)
        return torch.cat([hidden, pool], 1), place
