import os
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, roc_auc_score

SEED = 10
EPOCHS = 200
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)
here = os.path.dirname(os.path.abspath(__file__))

links = np.loadtxt(os.path.join(here, "links.csv"), delimiter=",", skiprows=1, dtype=int)
feats = np.load(os.path.join(here, "profiles.npy"))
n = len(feats)
x = torch.from_numpy((feats - feats.mean(0)) / feats.std(0))

links = links[rng.permutation(len(links))]
n_val = len(links) // 5
test_pos, train_pos = links[:n_val], links[n_val:]
is_link = np.zeros((n, n), bool)
is_link[links[:, 0], links[:, 1]] = is_link[links[:, 1], links[:, 0]] = True
known = np.zeros((n, n), bool)               # what training may know
known[train_pos[:, 0], train_pos[:, 1]] = known[train_pos[:, 1], train_pos[:, 0]] = True


def non_links(k, forbidden):
    out = []
    while len(out) < k:
        a, b = rng.integers(n, size=2)
        if a != b and not forbidden[a, b]:
            out.append((a, b))
    return np.array(out)


test_neg = non_links(len(test_pos), is_link)


def normalised(edges):
    a = torch.eye(n)
    a[edges[:, 0], edges[:, 1]] = 1
    a[edges[:, 1], edges[:, 0]] = 1
    degree = a.sum(1)
    d = degree.rsqrt()
    return d[:, None] * a * d[None, :], degree.log().unsqueeze(1) - 2


class LinkGCN(nn.Module):
    def __init__(self, n_in, hidden=48, out=24):
        super().__init__()
        self.w1 = nn.Linear(n_in + 1, hidden)
        self.w2 = nn.Linear(hidden, out)
        self.skip = nn.Linear(n_in, out)
        self.drop = nn.Dropout(0.2)
        self.active = nn.Linear(1, 1)            # busy nodes have more links, whoever the partner is
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, graph, x):
        a, degree = graph
        h = self.drop(torch.relu(a @ self.w1(torch.cat([x, degree], 1))))
        return 0.5 * (a @ self.w2(h) + self.skip(x)), self.active(degree).squeeze(1)

    def score(self, nodes, pairs):
        z, busy = nodes
        i, j = pairs[:, 0], pairs[:, 1]
        return busy[i] + busy[j] - ((z[i] - z[j]) ** 2).sum(1) + self.bias


model = LinkGCN(x.shape[1])
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-4)
full = normalised(train_pos)

for epoch in range(1, EPOCHS + 1):
    # one part of the known links carries messages, the other part is asked for
    perm = rng.permutation(len(train_pos))
    ask, carry = train_pos[perm[:len(perm) // 4]], train_pos[perm[len(perm) // 4:]]
    neg = non_links(len(ask), known)
    model.train()
    z = model(normalised(carry), x)
    s = torch.cat([model.score(z, ask), model.score(z, neg)])
    t = torch.cat([torch.ones(len(ask)), torch.zeros(len(neg))])
    loss = F.binary_cross_entropy_with_logits(s, t)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 10 == 0 or epoch == 1:
        model.eval()
        with torch.no_grad():
            z = model(full, x)
            p = torch.cat([model.score(z, test_pos), model.score(z, test_neg)]).numpy()
        y = np.r_[np.ones(len(test_pos)), np.zeros(len(test_neg))]
        print(f"epoch {epoch:3d}  loss {loss.item():.4f}  held-out AUC {roc_auc_score(y, p):.4f}  AP {average_precision_score(y, p):.4f}")
