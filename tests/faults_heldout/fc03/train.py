# Additive regression: one small shape function per input column, summed with learned weights.
import numpy as np
import torch
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score
from torch import nn

SEED = 5
torch.manual_seed(SEED)
np.random.seed(SEED)

EPOCHS, BATCH, LR = 30, 100, 4e-3

X, y = make_friedman1(n_samples=4000, n_features=8, noise=0.6, random_state=SEED)
X = (X - 0.5) * 3.4
y = (y - y.mean()) / y.std()
X, y = X.astype(np.float32), y.astype(np.float32)
Xtr, ytr = torch.from_numpy(X[:3200]), torch.from_numpy(y[:3200])
Xva, yva = torch.from_numpy(X[3200:]), torch.from_numpy(y[3200:])


def shape_net(hidden=24):
    return nn.Sequential(
        nn.Linear(1, hidden),
        nn.SiLU(),
        nn.Linear(hidden, hidden),
        nn.SiLU(),
        nn.Linear(hidden, 1),
    )


class PairNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, a, b):
        return self.body(torch.stack([a, b], dim=-1))


class AdditiveModel(nn.Module):
    def __init__(self, n_features, pairs):
        super().__init__()
        self.pairs = pairs
        self.shapes = {f"x{j}": shape_net() for j in range(n_features)}
        self.interactions = {p: PairNet() for p in pairs}
        n_terms = n_features + len(pairs)
        self.mix = nn.Linear(n_terms, 1)
        self.norm = nn.BatchNorm1d(n_terms, affine=False)

    def forward(self, x):
        terms = [net(x[:, j:j + 1]) for j, net in enumerate(self.shapes.values())]
        terms += [net(x[:, a], x[:, b]) for (a, b), net in self.interactions.items()]
        return self.mix(self.norm(torch.cat(terms, dim=1))).squeeze(1)


model = AdditiveModel(X.shape[1], pairs=[(0, 1), (2, 3)])
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
loss_fn = nn.MSELoss()

for epoch in range(EPOCHS):
    model.train()
    perm = torch.randperm(len(Xtr))
    epoch_loss = 0.0
    for idx in perm.split(BATCH):
        optimizer.zero_grad()
        loss = loss_fn(model(Xtr[idx]), ytr[idx])
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(idx)
    scheduler.step()
    if epoch % 3 == 2:
        model.eval()
        with torch.no_grad():
            r2 = r2_score(yva.numpy(), model(Xva).numpy())
        print(f"epoch {epoch + 1:3d}: train loss {epoch_loss / len(Xtr):.4f}, val R2 {r2:.3f}")
