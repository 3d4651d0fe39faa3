import csv
import pathlib
from collections import defaultdict

import numpy as np
import torch
from torch import nn

HERE = pathlib.Path(__file__).parent
DIM, EPOCHS, BATCH, NEG, LR, L2 = 12, 24, 256, 4, 5e-3, 0.015
rng = np.random.default_rng(1)
torch.manual_seed(1)

log = defaultdict(list)
with open(HERE / "plays.csv") as f:
    for r in csv.DictReader(f):
        log[int(r["user"])].append((int(r["t"]), int(r["item"])))
n_users = max(log) + 1
n_items = max(i for h in log.values() for _, i in h) + 1
train, valid, test = [], {}, {}
for u, h in log.items():
    seq = [i for _, i in sorted(h)]
    train += [(u, i) for i in seq[:-6]]
    valid[u], test[u] = seq[-6:-3], seq[-3:]
train = np.array(train)
seen = np.zeros((n_users, n_items), bool)
seen[train[:, 0], train[:, 1]] = True
print(f"{n_users} users, {n_items} items, {len(train)} training plays")


class Factors(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(n_users, DIM, sparse=True)
        self.item = nn.Embedding(n_items, DIM, sparse=True)
        self.bias = nn.Embedding(n_items, 1, sparse=True)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        """u: (B,), i: (B, k) -> scores (B, k)"""
        return (self.user(u).unsqueeze(1) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def size(self, u, i):
        return self.user(u).pow(2).sum(-1).mean() + self.item(i).pow(2).sum(-1).mean()

    def all_scores(self):
        return self.user.weight @ self.item.weight.T + self.bias.weight.T


def negatives(u, k):
    """Uniform over items the user has not played in the training part."""
    j = rng.integers(0, n_items, (len(u), k))
    while (bad := seen[u[:, None], j]).any():
        j[bad] = rng.integers(0, n_items, int(bad.sum()))
    return j


@torch.no_grad()
def ranking(scores, held, hide, k=10):
    s = scores.clone()
    s[torch.from_numpy(hide)] = -torch.inf
    top = s.topk(k, 1).indices.numpy()
    rec, ndcg = [], []
    for u, want in held.items():
        hits = np.isin(top[u], want)
        rec.append(hits.sum() / len(want))
        disc = 1 / np.log2(np.arange(2, k + 2))
        ndcg.append((hits * disc).sum() / disc[:len(want)].sum())
    return float(np.mean(rec)), float(np.mean(ndcg))


model = Factors()
opt = torch.optim.SparseAdam(model.parameters(), lr=LR)
popularity = torch.from_numpy(seen.sum(0)).float().expand(n_users, -1)
print("popularity   recall@10 %.4f ndcg@10 %.4f" % ranking(popularity, valid, seen))
best, best_state = -1.0, None
for ep in range(1, EPOCHS + 1):
    total, right = 0.0, 0.0
    for b in np.array_split(rng.permutation(len(train)), -(-len(train) // BATCH)):
        u, i = train[b, 0], train[b, 1]
        cand = torch.from_numpy(np.concatenate([i[:, None], negatives(u, NEG)], 1))
        s = model(torch.from_numpy(u), cand)
        margin = s[:, :1] - s[:, 1:]
        rank = -nn.functional.logsigmoid(margin).mean()
        loss = rank + L2 * model.size(torch.from_numpy(u), cand)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += rank.item() * len(b)
        right += (margin > 0).float().mean().item() * len(b)
    r, n = ranking(model.all_scores(), valid, seen)
    if r > best:
        best, best_ep = r, ep
        best_state = {k: v.clone() for k, v in model.state_dict().items()}
    if ep % 3 == 0 or ep == 1:
        print(f"epoch {ep:3d} bpr {total/len(train):.4f} auc {right/len(train):.4f} val recall@10 {r:.4f} ndcg@10 {n:.4f}")

model.load_state_dict(best_state)
hide = seen.copy()
for u, v in valid.items():
    hide[u, v] = True
print(f"epoch {best_ep} kept; test recall@10 %.4f ndcg@10 %.4f" % ranking(model.all_scores(), test, hide))
print("popularity on test: recall@10 %.4f ndcg@10 %.4f" % ranking(popularity, test, hide))
