"""Next-character model over a small pattern language, weights kept in a compact dtype."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--dtype", default="bfloat16", choices=["float32", "bfloat16"])
ap.add_argument("--context", type=int, default=8)
ap.add_argument("--hidden", type=int, default=128)
ap.add_argument("--batch", type=int, default=128)
ap.add_argument("--steps", type=int, default=2400)
ap.add_argument("--lr", type=float, default=1e-3)
args = ap.parse_args()

random.seed(6)
torch.manual_seed(6)
SUBJ = ["the miller", "a heron", "the old clerk", "my neighbour", "the ferry", "a quiet dog"]
VERB = ["watches", "follows", "ignores", "paints", "repairs", "visits"]
OBJ = ["the river", "a wooden gate", "the market", "seven lanterns", "the long road", "an empty boat"]
TAIL = ["at dawn", "in winter", "every tuesday", "before the rain", "without a word"]
text = " ".join(f"{random.choice(SUBJ)} {random.choice(VERB)} {random.choice(OBJ)} {random.choice(TAIL)}." for _ in range(1500))
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
split = int(0.9 * len(ids))
dtype = getattr(torch, args.dtype)


class CharMLP(nn.Module):
    def __init__(self, vocab, context, hidden, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.ln = nn.LayerNorm(context * dim)
        self.fc1 = nn.Linear(context * dim, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, idx):
        h = self.ln(self.emb(idx).flatten(1))
        h = F.gelu(self.fc1(h))
        h = h + F.gelu(self.fc2(h))
        return self.out(h)


def batch(lo, hi, n):
    s = torch.randint(lo, hi - args.context - 1, (n,))
    x = torch.stack([ids[i:i + args.context] for i in s.tolist()])
    return x, ids[s + args.context]


model = CharMLP(len(chars), args.context, args.hidden).to(dtype)
opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
vx, vy = batch(split, len(ids), 2000)
running = None
for step in range(1, args.steps + 1):
    x, y = batch(0, split, args.batch)
    loss = F.cross_entropy(model(x).float(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
    if step % 200 == 0:
        with torch.no_grad():
            v = F.cross_entropy(model(vx).float(), vy).item()
        print(f"step {step:5d}  train {running:.3f}  val {v:.3f}  ppl {2.718281828 ** v:.2f}")
