import argparse

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from layers import GCN, normalised_adjacency

p = argparse.ArgumentParser(description="topic of papers from words and citations")
p.add_argument("--hidden", type=int, default=32)
p.add_argument("--dropout", type=float, default=0.5)
p.add_argument("--lr", type=float, default=0.05)
p.add_argument("--l2", type=float, default=1e-4)
p.add_argument("--epochs", type=int, default=150)
p.add_argument("--seed", type=int, default=0)
a = p.parse_args()

torch.manual_seed(a.seed)
g = np.load("papers.npz")
x = torch.tensor(g["words"], dtype=torch.float32)
x = x / x.sum(1, keepdim=True).clamp(min=1)
y = torch.tensor(g["topic"]).long()
adj = normalised_adjacency(torch.tensor(g["edges"]).long().T, len(x))
part = {k: torch.tensor(g[k]).long() for k in ("train", "val", "test")}

model = GCN(x.shape[1], a.hidden, int(y.max()) + 1, a.dropout)
opt = torch.optim.Adam([
    {"params": model.first.parameters(), "weight_decay": a.l2},
    {"params": model.second.parameters(), "weight_decay": 0.0},
], lr=a.lr)


@torch.no_grad()
def measure(which):
    model.eval()
    out = model(adj, x)[part[which]]
    t = y[part[which]]
    return cross_entropy(out, t).item(), (out.argmax(1) == t).float().mean().item()


for epoch in range(1, a.epochs + 1):
    model.train()
    opt.zero_grad()
    loss = cross_entropy(model(adj, x)[part["train"]], y[part["train"]])
    loss.backward()
    opt.step()
    if epoch % 20 == 0:
        vl, va = measure("val")
        print(f"{epoch:4d}  loss {loss.item():.4f}  val loss {vl:.4f}  val acc {va:.3f}")

tl, ta = measure("test")
print(f"test loss {tl:.4f}  acc {ta:.3f}")
