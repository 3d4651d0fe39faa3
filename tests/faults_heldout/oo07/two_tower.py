#!/usr/bin/env python
"""Two-tower retrieval trained with in-batch negatives (popularity-corrected softmax)."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, d_in, d_out=32, hidden=128, p=0.1):
        super().__init__()
        self.seq = nn.Sequential(
            nn.Linear(d_in, hidden), nn.LayerNorm(hidden), nn.GELU(), nn.Dropout(p), nn.Linear(hidden, d_out))

    def forward(self, x):
        return F.normalize(self.seq(x), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, du, di):
        super().__init__()
        self.user = Tower(du)
        self.item = Tower(di)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / 0.2)))

    def scores(self, zu, zi):
        return self.logit_scale.exp().clamp(max=50.0) * zu @ zi.T


def in_batch_loss(model, zu, zi, items, log_q):
    logits = model.scores(zu, zi)
    # the same item may appear twice in a batch; such columns are no negatives
    same = items[:, None].eq(items[None, :])
    eye = torch.eye(len(items), dtype=torch.bool)
    corrected = (logits - log_q[items][None, :]).masked_fill(same & ~eye, float("-inf"))
    target = torch.arange(len(items))
    rows = F.cross_entropy(corrected, target)
    plain = logits.masked_fill(same & ~eye, float("-inf"))
    cols = F.cross_entropy(plain.T, target)
    return 0.5 * (rows + cols)


@torch.no_grad()
def recall_at(model, profile, desc, train_pos, test_users, test_pos, k=20):
    model.eval()
    s = model.scores(model.user(profile[test_users]), model.item(desc))
    for row, u in enumerate(test_users.tolist()):
        s[row, train_pos.get(u, [])] = -1e9
    top = s.topk(k, dim=1).indices
    hits = total = 0
    for row, u in enumerate(test_users.tolist()):
        pos = set(test_pos[u])
        hits += len(pos & set(top[row].tolist()))
        total += len(pos)
    model.train()
    return hits / total


def by_user(pairs):
    d = {}
    for u, i in pairs:
        d.setdefault(int(u), []).append(int(i))
    return d


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=16)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--wd", type=float, default=0.01)
    ap.add_argument("--holdout", type=float, default=0.15)
    args = ap.parse_args()
    torch.manual_seed(5)
    rng = np.random.default_rng(5)

    z = np.load("catalog.npz")
    profile = torch.from_numpy(z["user_profile"].astype("float32"))
    desc = torch.from_numpy(z["item_desc"].astype("float32"))
    pairs = np.loadtxt("clicks.tsv", skiprows=1, dtype=np.int64)
    mask = rng.random(len(pairs)) < args.holdout
    train, test = pairs[~mask], pairs[mask]
    train_pos, test_pos = by_user(train), by_user(test)
    test_users = torch.tensor(sorted(test_pos))
    count = np.bincount(train[:, 1], minlength=len(desc)) + 1.0
    log_q = torch.from_numpy(np.log(count / count.sum())).float()

    model = TwoTower(profile.shape[1], desc.shape[1])
    decay = [p for p in model.parameters() if p.ndim > 1]
    other = [p for p in model.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": args.wd}, {"params": other, "weight_decay": 0.0}], lr=args.lr)
    steps = args.epochs * (len(train) // args.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, total_steps=steps)
    train_t = torch.from_numpy(train)
    print(f"{len(train)} clicks, {len(profile)} users, {len(desc)} items; recall@20 before {recall_at(model, profile, desc, train_pos, test_users, test_pos):.4f}")

    for ep in range(args.epochs):
        order = torch.randperm(len(train_t))
        tot = 0.0
        nb = len(order) // args.batch
        for b in range(nb):
            ui = train_t[order[b * args.batch:(b + 1) * args.batch]]
            u, i = ui[:, 0], ui[:, 1]
            loss = in_batch_loss(model, model.user(profile[u]), model.item(desc[i]), i, log_q)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        r = recall_at(model, profile, desc, train_pos, test_users, test_pos)
        print(f"epoch {ep + 1:2d} loss {tot / nb:.4f} (uniform {math.log(args.batch):.3f}) scale {model.logit_scale.exp().item():.2f} recall@20 {r:.4f}")


if __name__ == "__main__":
    main()
