"""Learn the addition table modulo p from a part of its cells."""
import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--p", type=int, default=31)
ap.add_argument("--share", type=float, default=0.6)
ap.add_argument("--steps", type=int, default=3000)
ap.add_argument("--wd", type=float, default=1.0)
ap.add_argument("--seed", type=int, default=0)
cfg = ap.parse_args()
torch.manual_seed(cfg.seed)

a, b = torch.meshgrid(torch.arange(cfg.p), torch.arange(cfg.p), indexing="ij")
pairs = torch.stack([a.flatten(), b.flatten()], 1)
result = pairs.sum(1) % cfg.p
perm = torch.randperm(len(pairs))
cut = int(cfg.share * len(pairs))
tr, te = perm[:cut], perm[cut:]


class Table(nn.Module):
    def __init__(self, p, dim=64, hidden=128):
        super().__init__()
        self.left = nn.Embedding(p, dim)
        self.right = nn.Embedding(p, dim)
        self.hid = nn.Linear(dim, hidden)
        self.out = nn.Linear(hidden, p)

    def forward(self, ab):
        return self.out(torch.relu(self.hid(self.left(ab[:, 0]) + self.right(ab[:, 1]))))


def nll(logits, y):
    return (torch.logsumexp(logits, 1) - logits.gather(1, y[:, None]).squeeze(1)).mean()


def accuracy(logits, y):
    return (logits.argmax(1) == y).float().mean().item()


net = Table(cfg.p)
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=cfg.wd, betas=(0.9, 0.98))
for step in range(1, cfg.steps + 1):
    z = net(pairs[tr])
    loss = nll(z, result[tr])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 150 == 0:
        with torch.no_grad():
            zt = net(pairs[te])
            print(f"{step:5d}  seen {loss.item():.4f} {accuracy(z, result[tr]):.3f}"
                  f"   unseen {nll(zt, result[te]).item():.4f} {accuracy(zt, result[te]):.3f}")
