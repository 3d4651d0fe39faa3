"""Two-tower retrieval model on implicit feedback, in-batch negatives."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, n, dim=32, out=24):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, out))

    def forward(self, ids):
        return F.normalize(self.mlp(self.emb(ids)), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, n_users, n_items, temperature=0.1):
        super().__init__()
        self.user = Tower(n_users)
        self.item = Tower(n_items)
        self.temperature = temperature

    def forward(self, u, i):
        return self.user(u) @ self.item(i).t() / self.temperature


def make_clicks(rng, n_users=300, n_items=200, n_groups=8, n=16000):
    ug = rng.integers(0, n_groups, n_users)
    ig = rng.integers(0, n_groups, n_items)
    users = rng.integers(0, n_users, n)
    items = np.empty(n, dtype=np.int64)
    for k, u in enumerate(users):
        if rng.random() < 0.85:
            items[k] = rng.choice(np.flatnonzero(ig == ug[u]))
        else:
            items[k] = rng.integers(0, n_items)
    return torch.from_numpy(users), torch.from_numpy(items), torch.from_numpy(ug), torch.from_numpy(ig)


@torch.no_grad()
def precision_at_10(model, ug, ig):
    model.eval()
    scores = model(torch.arange(len(ug)), torch.arange(len(ig)))
    top = scores.topk(10, dim=1).indices
    model.train()
    return (ig[top] == ug[:, None]).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--max-norm", type=float, default=5.0)
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()

    torch.manual_seed(11)
    rng = np.random.default_rng(11)
    users, items, ug, ig = make_clicks(rng)
    device = torch.device(args.device)
    use_amp = device.type == "cuda"

    model = TwoTower(len(ug), len(ig)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    scaler = torch.amp.GradScaler(device.type, enabled=use_amp)

    for epoch in range(args.epochs):
        perm = torch.randperm(len(users))
        total, nb = 0.0, 0
        for idx in perm.split(args.batch_size):
            u, i = users[idx].to(device), items[idx].to(device)
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(device.type, dtype=torch.float16, enabled=use_amp):
                logits = model(u, i)
                loss = F.cross_entropy(logits, torch.arange(len(u), device=device))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)
            scaler.update()
            total += loss.item()
            nb += 1
        print(f"epoch {epoch}: loss {total / nb:.4f}  p@10 {precision_at_10(model, ug, ig):.3f}")


if __name__ == "__main__":
    main()
