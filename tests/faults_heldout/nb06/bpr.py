"""Matrix factorisation for implicit feedback with the BPR pairwise objective."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

ROOT = Path(__file__).parent
cfg = {"dim": 24, "lr": 0.01, "batch": 512, "epochs": 15, "l2": 1e-5, "seed": 21}


class MF(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def all_scores(self):
        return self.user.weight @ self.item.weight.t() + self.bias.weight.t()


def pairwise_loss(pos, neg):
    return F.softplus(pos - neg).mean()


def sample_negatives(users, seen, n_items, rng):
    neg = rng.integers(0, n_items, len(users))
    clash = seen[users, neg]
    while clash.any():
        neg[clash] = rng.integers(0, n_items, clash.sum())
        clash = seen[users, neg]
    return neg


@torch.no_grad()
def evaluate(model, seen, heldout):
    scores = model.all_scores()
    scores[torch.from_numpy(seen)] = -float("inf")
    users = torch.arange(len(heldout))
    target = scores[users, heldout][:, None]
    rank = (scores > target).sum(1)
    n_cand = torch.isfinite(scores).sum(1) - 1
    return (rank < 10).float().mean().item(), (1 - rank / n_cand).mean().item()


def main():
    torch.manual_seed(cfg["seed"])
    rng = np.random.default_rng(cfg["seed"])
    data = json.loads((ROOT / "interactions.json").read_text())
    n_users, n_items = data["n_users"], data["n_items"]
    pairs = np.array(data["train"])
    heldout = torch.tensor(data["heldout"])
    seen = np.zeros((n_users, n_items), dtype=bool)
    seen[pairs[:, 0], pairs[:, 1]] = True

    model = MF(n_users, n_items, cfg["dim"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        perm = rng.permutation(len(pairs))
        total = 0.0
        for s in range(0, len(perm), cfg["batch"]):
            rows = pairs[perm[s : s + cfg["batch"]]]
            neg = sample_negatives(rows[:, 0], seen, n_items, rng)
            u, i, j = torch.from_numpy(rows[:, 0]), torch.from_numpy(rows[:, 1]), torch.from_numpy(neg)
            rank_loss = pairwise_loss(model(u, i), model(u, j))
            reg = model.user(u).pow(2).sum(-1).mean() + model.item(i).pow(2).sum(-1).mean()
            loss = rank_loss + cfg["l2"] * reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += rank_loss.item() * len(rows)
        hit, auc = evaluate(model, seen, heldout)
        print(f"epoch {epoch + 1:2d} loss {total / len(pairs):.4f} hit@10 {hit:.3f} auc {auc:.3f}")


if __name__ == "__main__":
    main()
