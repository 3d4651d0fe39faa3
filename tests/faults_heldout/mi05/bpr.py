# Pairwise ranking of tracks from play logs, one held-out play per listener.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Factors(nn.Module):
    def __init__(self, n_user, n_item, dim):
        super().__init__()
        self.user = nn.Embedding(n_user, dim)
        self.item = nn.Embedding(n_item, dim)
        self.bias = nn.Embedding(n_item, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def penalty(self, u, i, j):
        return (self.user(u).pow(2).sum() + self.item(i).pow(2).sum() + self.item(j).pow(2).sum()) / len(u)


def sample_negatives(u, seen, n_item):
    j = torch.randint(n_item, u.shape)
    bad = seen[u, j]
    while bad.any():
        j[bad] = torch.randint(n_item, (int(bad.sum()),))
        bad = seen[u, j]
    return j


@torch.no_grad()
def evaluate(model, seen, held, k=10):
    model.eval()
    s = model.user.weight @ model.item.weight.T + model.bias.weight.T
    s = s.masked_fill(seen, -torch.inf)
    target = s.gather(1, held[:, None])
    rank = (s > target).sum(1)
    hit = rank < k
    ndcg = torch.where(hit, 1 / torch.log2(rank + 2.0), torch.zeros(()))
    return hit.float().mean().item(), ndcg.mean().item()


def main(dim=8, epochs=24, batch=512, lr=8e-3, reg=5e-3, seed=17):
    torch.manual_seed(seed)
    z = np.load("plays.npz")
    u, i = torch.tensor(z["user"]).long(), torch.tensor(z["track"]).long()
    n_user, n_item = int(u.max()) + 1, int(i.max()) + 1

    keep = torch.ones(len(u), dtype=torch.bool)
    held = torch.zeros(n_user, dtype=torch.long)
    rng = np.random.default_rng(seed)
    for user in range(n_user):
        rows = torch.nonzero(u == user).squeeze(1)
        pick = rows[rng.integers(len(rows))]
        keep[pick] = False
        held[user] = i[pick]
    u, i = u[keep], i[keep]
    seen = torch.zeros(n_user, n_item, dtype=torch.bool)
    seen[u, i] = True

    model = Factors(n_user, n_item, dim)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for rows in torch.randperm(len(u)).split(batch):
            uu, ii = u[rows], i[rows]
            jj = sample_negatives(uu, seen, n_item)
            rank_loss = -F.logsigmoid(model(uu, ii) - model(uu, jj)).mean()
            loss = rank_loss + reg * model.penalty(uu, ii, jj)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += rank_loss.item() * len(rows)
        if epoch % 3 == 0:
            hr, ndcg = evaluate(model, seen, held)
            print(f"epoch {epoch:2d}  bpr {total / len(u):.4f}  HR@10 {hr:.3f}  NDCG@10 {ndcg:.3f}")


if __name__ == "__main__":
    main()
