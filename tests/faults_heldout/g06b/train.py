#!/usr/bin/env python
"""Character-level GRU language model over the dispatch notes."""
import math
import pathlib
import tomllib

import torch
import torch.nn as nn

here = pathlib.Path(__file__).resolve().parent
with open(here / "settings.toml", "rb") as fh:
    settings = tomllib.load(fh)
M, T = settings["model"], settings["training"]

text = (here / "notes.txt").read_text(encoding="utf-8")
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
train_ids, valid_ids = ids[:cut], ids[cut:]


class CharModel(nn.Module):
    def __init__(self, n_vocab, dim, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_vocab, dim)
        self.rnn = nn.GRU(dim, hidden, num_layers=M["layers"], batch_first=True)
        self.out = nn.Linear(hidden, n_vocab)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(h)


def sample_batch(source, n, length, gen):
    starts = torch.randint(0, len(source) - length - 1, (n,), generator=gen)
    window = torch.stack([source[s:s + length + 1] for s in starts.tolist()])
    return window[:, :-1], window[:, 1:]


def loss_of(model, x, y):
    return nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())


def validate(model):
    model.eval()
    n = (len(valid_ids) - 1) // T["seq_len"]
    x = valid_ids[:n * T["seq_len"]].view(n, -1)
    y = valid_ids[1:n * T["seq_len"] + 1].view(n, -1)
    with torch.no_grad():
        value = loss_of(model, x, y).item()
    model.train()
    return value


torch.manual_seed(T["seed"])
gen = torch.Generator().manual_seed(T["seed"] + 1)
model = CharModel(len(vocab), M["embedding"], M["hidden"])
optimizer = torch.optim.Adam(model.parameters(), lr=T["lr"])
print(f"{len(ids)} chars, vocabulary {len(vocab)}, {sum(p.numel() for p in model.parameters())} parameters")

average = None
for step in range(1, T["steps"] + 1):
    x, y = sample_batch(train_ids, T["batch"], T["seq_len"], gen)
    optimizer.zero_grad()
    loss = loss_of(model, x, y)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), T["clip"])
    optimizer.step()
    average = loss.item() if average is None else 0.95 * average + 0.05 * loss.item()
    if step % T["log_every"] == 0:
        v = validate(model)
        print(f"step {step:4d}  train {average:.4f}  valid {v:.4f}  bits/char {v / math.log(2):.3f}")
