# %% [markdown]
# Nesting depth of bracket strings, learnt from short to long strings.

# %%
import collections
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(77)
here = pathlib.Path(__file__).parent
VOCAB = {c: i + 1 for i, c in enumerate("()[]x")}


def read(name):
    rows = [line.split("\t") for line in (here / name).read_text().splitlines()]
    return [(torch.tensor([VOCAB[c] for c in text]), int(depth)) for text, depth in rows]


train, valid = read("brackets_train.tsv"), read("brackets_valid.tsv")
print(len(train), "training strings, depths", sorted(collections.Counter(d for _, d in train).items()))


# %%
class DepthReader(nn.Module):
    def __init__(self, n_out, dim=16, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(len(VOCAB) + 1, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_out)

    def forward(self, ids, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.out(h[-1])


def collate(rows):
    ids = nn.utils.rnn.pad_sequence([r[0] for r in rows], batch_first=True)
    return ids, torch.tensor([len(r[0]) for r in rows]), torch.tensor([r[1] for r in rows])


def score(model, rows):
    model.eval()
    with torch.no_grad():
        ids, lengths, depth = collate(rows)
        out = model(ids, lengths)
    model.train()
    return F.cross_entropy(out, depth).item(), (out.argmax(1) == depth).float().mean().item()


# %%
model = DepthReader(n_out=max(d for _, d in train) + 1)
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
STAGES = [(6, 4), (12, 5), (20, 6), (30, 7)]          # (longest string, epochs)
decay = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[18, 20], gamma=0.3)

for longest, epochs in STAGES:
    pool = [r for r in train if len(r[0]) <= longest]
    for _ in range(epochs):
        order = torch.randperm(len(pool)).tolist()
        total = 0.0
        for k in range(0, len(order), 32):
            ids, lengths, depth = collate([pool[j] for j in order[k:k + 32]])
            loss = F.cross_entropy(model(ids, lengths), depth)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(depth)
        decay.step()
        vl, va = score(model, valid)
        print(f"<= {longest:2d} chars, {len(pool):4d} strings: train {total / len(pool):.4f}   valid (all lengths) {vl:.4f}  acc {va:.3f}")
