# Bayesian personalised ranking for listening histories
import random
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

FACTORS, LR, REG, EPOCHS, BATCH = 16, 0.01, 0.01, 24, 512
random.seed(21)
torch.manual_seed(21)


class MF(nn.Module):
    def __init__(self, n_users, n_items, k):
        super().__init__()
        self.user = nn.Embedding(n_users, k, sparse=True)
        self.item = nn.Embedding(n_items, k, sparse=True)
        self.bias = nn.Embedding(n_items, 1, sparse=True)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def penalty(self, u, *items):
        reg = self.user(u).pow(2).sum(-1)
        for i in items:
            reg = reg + self.item(i).pow(2).sum(-1) + self.bias(i).pow(2).sum(-1)
        return reg.mean()

    @torch.no_grad()
    def all_scores(self):
        return self.user.weight @ self.item.weight.t() + self.bias.weight.t()


def load(path):
    hist = defaultdict(list)
    with open(path) as f:
        for line in f:
            u, i = line.split()
            hist[int(u[1:])].append(int(i[1:]))
    train, held = [], defaultdict(set)
    for u in sorted(hist):
        items = hist[u][:]
        random.shuffle(items)
        cut = max(2, len(items) // 5)
        held[u] = set(items[:cut])
        train += [(u, i) for i in items[cut:]]
    return np.array(train), held, max(hist) + 1, max(i for h in hist.values() for i in h) + 1


def recall_at(scores, seen, held, k=20):
    s = scores.masked_fill(seen, -1e9)
    top = s.topk(k, dim=1).indices.tolist()
    return float(np.mean([len(held[u] & set(t)) / min(k, len(held[u])) for u, t in enumerate(top)]))


pairs, held, n_users, n_items = load("listens.tsv")
pairs = torch.from_numpy(pairs)
seen = torch.zeros(n_users, n_items, dtype=torch.bool)
seen[pairs[:, 0], pairs[:, 1]] = True
known_pos = torch.tensor([(u, i) for u in held for i in held[u]])
ranked_out = seen.clone()
ranked_out[known_pos[:, 0], known_pos[:, 1]] = True
popularity = seen.float().sum(0).expand(n_users, -1)
print(f"{n_users} users, {n_items} items, {len(pairs)} training pairs; popularity recall@20 {recall_at(popularity, seen, held):.3f}")


def negatives(u):
    """Items the user has not listened to in the training part."""
    j = torch.randint(n_items, (len(u),))
    while True:
        bad = seen[u, j]
        if not bad.any():
            return j
        j[bad] = torch.randint(n_items, (int(bad.sum()),))


@torch.no_grad()
def auc(model, n=20000):
    """Share of (held-out item, never played item) pairs in the right order."""
    p = known_pos[torch.randint(len(known_pos), (n,))]
    j = torch.randint(n_items, (n,))
    ok = ~ranked_out[p[:, 0], j]
    return (model(p[ok, 0], p[ok, 1]) > model(p[ok, 0], j[ok])).float().mean().item()


model = MF(n_users, n_items, FACTORS)
opt = torch.optim.SparseAdam(list(model.parameters()), lr=LR)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.4)
for epoch in range(1, EPOCHS + 1):
    model.train()
    tot = 0.0
    for idx in torch.randperm(len(pairs)).split(BATCH):
        u, i = pairs[idx].unbind(1)
        j = negatives(u)
        rank = -F.logsigmoid(model(u, i) - model(u, j)).mean()
        opt.zero_grad()
        (rank + REG * model.penalty(u, i, j)).backward()
        opt.step()
        tot += rank.item() * len(idx)
    sched.step()
    if epoch % 2 == 0:
        model.eval()
        print(f"epoch {epoch:2d} bpr {tot / len(pairs):.4f} recall@20 {recall_at(model.all_scores(), seen, held):.3f} auc {auc(model):.3f}")
