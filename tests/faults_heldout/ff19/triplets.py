"""Batch-all triplet loss (Hermans et al.) on the scikit-learn digits, evaluated by 1-NN retrieval."""
import torch
from sklearn.datasets import load_digits
from torch import nn
import torch.nn.functional as F

torch.manual_seed(77)
digits = load_digits()
X = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 8 - 1
Y = torch.tensor(digits.target)
X = X + 0.6 * torch.randn(X.shape, generator=torch.Generator().manual_seed(1))
Xtr, Ytr, Xte, Yte = X[:1200], Y[:1200], X[1200:], Y[1200:]
by_class = [torch.where(Ytr == c)[0] for c in range(10)]


def pk_batch(p, k):
    ids = torch.cat([by_class[c][torch.randint(len(by_class[c]), (k,))] for c in torch.randperm(10)[:p]])
    return Xtr[ids], Ytr[ids]


def pairwise_distances(z):
    sq = z.pow(2).sum(1)
    d2 = sq[:, None] - 2 * z @ z.T + sq[None, :]
    return d2.clamp(min=0).sqrt()


def batch_all(z, y, margin=0.4):
    d = pairwise_distances(z)
    same = y[:, None] == y[None, :]
    pos = same & ~torch.eye(len(y), dtype=torch.bool)
    valid = (pos[:, :, None] & ~same[:, None, :]).float()
    viol = torch.relu(d[:, :, None] - d[:, None, :] + margin) * valid
    active = (viol > 0).sum().clamp(min=1)
    return viol.sum() / active


net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16, 16),
)


def embed(x):
    return F.normalize(net(x), dim=1)


opt = torch.optim.Adam(net.parameters(), lr=1e-3)


@torch.no_grad()
def retrieval(embedding):
    nearest = torch.cdist(embedding(Xte), embedding(Xtr)).argmin(1)
    return (Ytr[nearest] == Yte).float().mean().item()


print(f"1-NN on pixels: {retrieval(lambda x: x.flatten(1)):.4f}")
mean = 0.0
for it in range(1, 501):
    x, y = pk_batch(8, 6)
    loss = batch_all(embed(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    mean += loss.item() / 50
    if it % 50 == 0:
        print(f"iter {it}  triplet loss {mean:.4f}  1-NN accuracy {retrieval(embed):.4f}")
        mean = 0.0
