"""Character model of invented names: embedding, causal 1-d convolutions, next character."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, BOS, EOS = 0, 1, 2
MAX_LEN = 64


def make_names(n, seed):
    r = random.Random(seed)
    onset = ["k", "t", "m", "n", "s", "br", "l", "v", "ch", "dr"]
    vowel = ["a", "e", "i", "o", "u", "ai"]
    coda = ["", "", "n", "r", "s"]
    out = []
    for _ in range(n):
        syll = r.choice([1, 2, 2, 3])
        v = r.choice(vowel)  # vowel harmony inside a name
        name = "".join(r.choice(onset) + v + r.choice(coda) for _ in range(syll))
        out.append(name)
    return out


def encode(names, stoi):
    rows = torch.full((len(names), MAX_LEN), PAD)
    for k, name in enumerate(names):
        ids = [BOS] + [stoi[c] for c in name] + [EOS]
        rows[k, :len(ids)] = torch.tensor(ids)
    return rows


class CausalConvLM(nn.Module):
    def __init__(self, vocab, dim=48, layers=3, kernel=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.convs = nn.ModuleList([nn.Conv1d(dim, dim, kernel) for _ in range(layers)])
        self.kernel = kernel
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        h = self.embed(ids).transpose(1, 2)
        for conv in self.convs:
            h = h + torch.relu(conv(F.pad(h, (self.kernel - 1, 0))))
        return self.head(h.transpose(1, 2))


def bits_per_char(model, rows):
    model.eval()
    with torch.no_grad():
        nll = F.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten(), ignore_index=PAD)
    model.train()
    return nll.item() / math.log(2)


torch.manual_seed(8)
names = make_names(3000, seed=8)
chars = sorted(set("".join(names)))
stoi = {c: k + 3 for k, c in enumerate(chars)}
train_rows = encode(names[:2600], stoi)
valid_rows = encode(names[2600:], stoi)

model = CausalConvLM(len(stoi) + 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)

step = 0
for epoch in range(5):
    for idx in torch.randperm(len(train_rows)).split(64):
        batch = train_rows[idx]
        logits = model(batch[:, :-1])
        loss = criterion(logits.reshape(-1, logits.size(-1)), batch[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
    print(f"epoch {epoch} step {step} loss {loss.item():.4f} valid bpc {bits_per_char(model, valid_rows):.4f}")
