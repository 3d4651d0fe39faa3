# Metric learning on 8x8 digits: batch-hard triplets, evaluated by nearest neighbour on unseen images.
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

P, K = 8, 4            # classes and images per class in a batch
DIM = 16
MARGIN = 0.5
STEPS = 500


def pairwise(a, b):
    diff = a[:, None, :] - b[None, :, :]
    return diff.pow(2).sum(-1).sqrt()


def batch_hard(emb, labels):
    d = pairwise(emb, emb)
    same = labels[:, None] == labels[None, :]
    hardest_pos = (d * same).max(1).values
    hardest_neg = d.masked_fill(same, float("inf")).min(1).values
    return torch.relu(hardest_pos - hardest_neg + MARGIN).mean()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(),
            nn.Linear(32 * 16, 64), nn.ReLU(), nn.Linear(64, DIM))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=1)


def sample(rng, by_class):
    classes = rng.choice(10, P, replace=False)
    idx = np.concatenate([rng.choice(by_class[c], K, replace=False) for c in classes])
    return idx


@torch.no_grad()
def knn_accuracy(model, gallery, gallery_y, probe, probe_y):
    model.eval()
    d = torch.cdist(model(probe), model(gallery))
    model.train()
    return (gallery_y[d.argmin(1)] == probe_y).float().mean().item()


def main():
    rng = np.random.default_rng(42)
    torch.manual_seed(42)
    X, y = load_digits(return_X_y=True)
    X = ((X - X.mean()) / X.std()).astype(np.float32).reshape(-1, 1, 8, 8)
    order = rng.permutation(len(y))
    tr, te = order[:700], order[700:]
    by_class = [tr[y[tr] == c] for c in range(10)]
    X, y = torch.from_numpy(X), torch.from_numpy(y)
    # a small gallery per class is enough for the look-up
    gal = torch.as_tensor(np.concatenate([b[:5] for b in by_class]))

    model = Encoder()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    hist = []
    for step in range(1, STEPS + 1):
        idx = torch.as_tensor(sample(rng, by_class))
        loss = batch_hard(model(X[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist.append(loss.item())
        if step % 100 == 0:
            acc = knn_accuracy(model, X[gal], y[gal], X[te], y[te])
            print(f"step {step}: triplet {np.mean(hist[-100:]):.3f}  1-nn accuracy {acc:.3f}")


main()
