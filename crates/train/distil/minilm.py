"""all-MiniLM-L6-v2 in plain PyTorch: six layers of BERT and a mean over tokens."""

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

SIZE, HEADS, LAYERS = 384, 12, 6


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.mix = (nn.Linear(SIZE, SIZE) for _ in range(4))
        self.up, self.down = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)
        self.norm1, self.norm2 = nn.LayerNorm(SIZE, 1e-12), nn.LayerNorm(SIZE, 1e-12)

    def forward(self, x, mask, drop):
        batch, length, _ = x.shape
        parts = [f(x).view(batch, length, HEADS, -1).transpose(1, 2) for f in (self.query, self.key, self.value)]
        seen = F.scaled_dot_product_attention(*parts, attn_mask=mask).transpose(1, 2).reshape(batch, length, SIZE)
        x = self.norm1(x + F.dropout(self.mix(seen), drop, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), drop, self.training))


class MiniLM(nn.Module):
    """Token ids with zeros for padding, to one vector per row."""

    def __init__(self, path, drop=0.1):
        super().__init__()
        self.drop = drop
        self.words, self.places = nn.Embedding(30522, SIZE), nn.Embedding(512, SIZE)
        self.kind = nn.Parameter(torch.zeros(SIZE))
        self.norm = nn.LayerNorm(SIZE, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.load(load_file(path))

    def load(self, state):
        state = {name.removeprefix("bert."): value.float() for name, value in state.items()}
        ours = {"words.weight": state["embeddings.word_embeddings.weight"],
                "places.weight": state["embeddings.position_embeddings.weight"],
                "kind": state["embeddings.token_type_embeddings.weight"][0],
                "norm.weight": state["embeddings.LayerNorm.weight"], "norm.bias": state["embeddings.LayerNorm.bias"]}
        names = {"query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
                 "mix": "attention.output.dense", "norm1": "attention.output.LayerNorm", "up": "intermediate.dense",
                 "down": "output.dense", "norm2": "output.LayerNorm"}
        for layer in range(LAYERS):
            for name, theirs in names.items():
                for part in ("weight", "bias"):
                    ours[f"layers.{layer}.{name}.{part}"] = state[f"encoder.layer.{layer}.{theirs}.{part}"]
        self.load_state_dict(ours)

    def forward(self, ids):
        there = ids != 0
        x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device)) + self.kind
        x = F.dropout(self.norm(x), self.drop, self.training)
        mask = there[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask, self.drop)
        weight = there.unsqueeze(-1).to(x.dtype)
        return (x * weight).sum(1) / weight.sum(1)


def pieces(word, vocab):
    """WordPiece: the longest known beginning, again and again."""
    found, at = [], 0
    if word.startswith("'") and len(word) > 1:
        return [vocab["'"]] + pieces(word[1:], vocab)
    while at < len(word):
        for end in range(len(word), at, -1):
            piece = ("##" if at else "") + word[at:end]
            if piece in vocab:
                found.append(vocab[piece])
                at = end
                break
        else:
            return [vocab["[UNK]"]]
    return found
