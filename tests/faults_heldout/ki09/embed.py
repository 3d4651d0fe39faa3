import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

# Triplet embedding of digits: trained on the digits 0-6, retrieval is also checked on the unseen digits 7-9.
rng = np.random.default_rng(8)
torch.manual_seed(8)
X, y = load_digits(return_X_y=True)
X = ((X - 4.88) / 6.02).astype(np.float32)
seen = np.flatnonzero(y < 7)
rng.shuffle(seen)
train, gallery = seen[:900], seen[900:]
new = np.flatnonzero(y >= 7)
by_class = {c: train[y[train] == c] for c in range(7)}


def sample_batch(per_class=8):
    idx = np.concatenate([rng.choice(by_class[c], per_class, replace=False) for c in range(7)])
    return torch.from_numpy(X[idx]), torch.from_numpy(y[idx])


def batch_hard(z, labels, margin=0.3):
    d = torch.cdist(z, z).clamp(min=1e-6)
    same = labels[:, None] == labels[None]
    eye = torch.eye(len(z), dtype=torch.bool)
    far_same = d.masked_fill(~same | eye, -1.0).amax(1)
    near_other = d.masked_fill(same, 1e9).amin(1)
    return F.softplus((far_same - near_other + margin) * 4).mean() / 4


class Embedder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def recall_at_1(model, idx):
    model.eval()
    with torch.no_grad():
        z = model(torch.from_numpy(X[idx]))
    model.train()
    d = torch.cdist(z, z).fill_diagonal_(9.0)
    return (y[idx][d.argmin(1).numpy()] == y[idx]).mean()


def class_gap(model, idx):
    """mean distance between classes divided by mean distance inside a class"""
    model.eval()
    with torch.no_grad():
        z = model(torch.from_numpy(X[idx]))
    model.train()
    d = torch.cdist(z, z).numpy()
    same = y[idx][:, None] == y[idx][None]
    return d[~same].mean() / d[same].mean()


model = Embedder()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
print("raw pixels gap %.2f" % (lambda d, s: d[~s].mean() / d[s].mean())(torch.cdist(torch.from_numpy(X[gallery]), torch.from_numpy(X[gallery])).numpy(), y[gallery][:, None] == y[gallery][None]))
running = 0.0
for step in range(1, 321):
    x, lab = sample_batch()
    loss = batch_hard(model(x), lab)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss.item()
    if step % 40 == 0:
        print("step %4d loss %.3f recall@1 train %.3f gallery %.3f new digits %.3f gap train %.2f gallery %.2f" % (step, running / 40, recall_at_1(model, train), recall_at_1(model, gallery), recall_at_1(model, new), class_gap(model, train), class_gap(model, gallery)))
        running = 0.0
