"""Implicit-feedback recommender: matrix factorisation with the BPR objective."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

seed = 31
n_users, n_items, k = 300, 200, 16
rng = np.random.default_rng(seed)
torch.manual_seed(seed)

# synthetic tastes: 6 groups, popularity skew, 25 interactions for a user
group_u = rng.integers(0, 6, n_users)
group_i = rng.integers(0, 6, n_items)
pop = rng.gumbel(0, 0.7, n_items)
train_pos, test_pos = [], []
for u in range(n_users):
    score = 2.5 * (group_i == group_u[u]) + pop + rng.gumbel(0, 1, n_items)
    liked = rng.permutation(np.argsort(-score)[:25])
    train_pos.append(liked[:20])
    test_pos.append(liked[20:])
pairs = np.array([(u, i) for u in range(n_users) for i in train_pos[u]])
seen = np.zeros((n_users, n_items), dtype=bool)
seen[pairs[:, 0], pairs[:, 1]] = True
seen_t = torch.from_numpy(seen)


class BPRMF(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def all_scores(self):
        return self.user.weight @ self.item.weight.T + self.bias.weight.T


def sample_negative(users):
    neg = rng.integers(0, n_items, len(users))
    bad = seen[users, neg]
    while bad.any():
        neg[bad] = rng.integers(0, n_items, bad.sum())
        bad = seen[users, neg]
    return neg


@torch.no_grad()
def recall_at(m, n=20):
    s = m.all_scores().masked_fill(seen_t, float("-inf"))
    top = s.topk(n, dim=1).indices.numpy()
    return np.mean([np.isin(test_pos[u], top[u]).mean() for u in range(n_users)])


model = BPRMF()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
reg = 2e-3
print(f"untrained recall@20 {recall_at(model):.3f}")
for epoch in range(1, 21):
    order = rng.permutation(len(pairs))
    losses = []
    for b in range(0, len(order), 256):
        u, i = pairs[order[b:b + 256]].T
        j = sample_negative(u)
        u, i, j = torch.as_tensor(u), torch.as_tensor(i), torch.as_tensor(j)
        diff = model(u, i) - model(u, j)
        l2 = (model.user(u).pow(2).sum(-1) + model.item(i).pow(2).sum(-1) + model.item(j).pow(2).sum(-1)).mean()
        loss = -F.logsigmoid(diff).mean() + reg * l2
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 2 == 0:
        print(f"epoch {epoch:2d} bpr {np.mean(losses):.4f} recall@20 {recall_at(model):.3f}")
