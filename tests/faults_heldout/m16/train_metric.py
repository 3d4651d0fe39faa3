import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier
from torch import nn, optim
from torch.utils.data import Sampler

from losses import contrastive


class ClassBalancedSampler(Sampler):
    """P classes x K images per batch."""

    def __init__(self, y, p, k, batches, seed):
        self.pools = [np.flatnonzero(y == c) for c in np.unique(y)]
        self.p, self.k, self.batches = p, k, batches
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            classes = self.rng.choice(len(self.pools), self.p, replace=False)
            yield np.concatenate([self.rng.choice(self.pools[c], self.k) for c in classes])


def main():
    torch.manual_seed(1)
    x, y = load_digits(return_X_y=True)
    x = (x / 16.0).astype(np.float32)
    order = np.random.default_rng(1).permutation(len(x))
    tr, te = order[:1300], order[1300:]
    xt, yt = torch.from_numpy(x[tr]), torch.from_numpy(y[tr])

    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 16))
    opt = optim.Adam(net.parameters(), lr=1e-3)
    sampler = ClassBalancedSampler(y[tr], p=6, k=2, batches=100, seed=1)

    for epoch in range(6):
        losses = []
        for idx in sampler:
            loss = contrastive(net(xt[idx]), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        with torch.no_grad():
            emb = net(torch.from_numpy(x)).numpy()
        knn = KNeighborsClassifier(5)
        try:
            acc = knn.fit(emb[tr], y[tr]).score(emb[te], y[te])
        except ValueError as e:
            acc = float("nan")
            print("knn skipped:", str(e).splitlines()[0])
        print(f"epoch {epoch} loss {np.mean(losses):.4f} knn acc {acc:.4f}")


if __name__ == "__main__":
    main()
