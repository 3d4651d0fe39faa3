"""Batch-hard triplet embedding of the digits, evaluated with 1-NN retrieval."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

P, K = 8, 6
MARGIN = 0.3
STEPS = 600

rng = np.random.default_rng(5)
torch.manual_seed(5)


def pairwise_distances(emb):
    dot = emb @ emb.t()
    sq = dot.diagonal()
    d2 = (sq[:, None] - 2.0 * dot + sq[None, :]).clamp(min=0.0)
    return d2.sqrt()


def batch_hard_triplet(emb, labels, margin):
    dist = pairwise_distances(emb)
    same = labels[:, None] == labels[None, :]
    eye = torch.eye(len(labels), dtype=torch.bool)
    hardest_pos = (dist * (same & ~eye)).max(dim=1).values
    hardest_neg = dist.masked_fill(same, 1e3).min(dim=1).values
    return F.relu(hardest_pos - hardest_neg + margin).mean()


class PKSampler:
    def __init__(self, labels, p, k):
        self.by_class = {c: np.flatnonzero(labels == c) for c in np.unique(labels)}
        self.p, self.k = p, k

    def draw(self):
        classes = rng.choice(list(self.by_class), self.p, replace=False)
        return np.concatenate([rng.choice(self.by_class[c], self.k, replace=False) for c in classes])


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


@torch.no_grad()
def recall_at_1(model, gallery, gallery_y, query, query_y):
    model.eval()
    sim = model(query) @ model(gallery).t()
    model.train()
    return (gallery_y[sim.argmax(1)] == query_y).float().mean().item()


X, y = load_digits(return_X_y=True)
X = (X / 16.0 - 0.305).astype(np.float32)
xa, xb, ya, yb = train_test_split(X, y, test_size=0.3, stratify=y, random_state=2)
xa, xb, ya_t, yb_t = torch.from_numpy(xa), torch.from_numpy(xb), torch.from_numpy(ya), torch.from_numpy(yb)

model = Embedder()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
sampler = PKSampler(ya, P, K)
history = []
for step in range(1, STEPS + 1):
    idx = sampler.draw()
    loss = batch_hard_triplet(model(xa[idx]), ya_t[idx], MARGIN)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
    if step % 100 == 0:
        r1 = recall_at_1(model, xa, ya_t, xb, yb_t)
        print(f"step {step:4d}  triplet {np.mean(history[-100:]):.4f}  recall@1 {r1:.4f}")
