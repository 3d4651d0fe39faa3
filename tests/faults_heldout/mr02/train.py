# Compressive strength of concrete from the mix recipe
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

SEED = 11
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def simulate_mixes(n):
    cement = rng.uniform(150, 500, n)
    slag = rng.uniform(0, 200, n) * (rng.random(n) < 0.6)
    ash = rng.uniform(0, 150, n) * (rng.random(n) < 0.5)
    water = rng.uniform(130, 230, n)
    plast = rng.uniform(0, 20, n)
    coarse = rng.uniform(800, 1100, n)
    fine = rng.uniform(600, 950, n)
    age = rng.choice([3, 7, 14, 28, 56, 90, 180], n)
    binder = cement + 0.8 * slag + 0.5 * ash
    ratio = water * (1 - 0.012 * plast) / binder
    strength = 95 * np.exp(-1.6 * ratio) * (age / (age + 6.0)) ** 0.8 + 0.004 * (coarse - 950)
    strength = strength + rng.normal(0, 1.5, n)
    feats = np.stack([cement, slag, ash, water, plast, coarse, fine, np.log(age)], 1)
    return feats.astype(np.float32), strength.astype(np.float32)


class ConcreteDataset(Dataset):
    def __init__(self, feats, strength):
        self.x = torch.from_numpy((feats - feats.mean(0)) / feats.std(0))
        self.mean, self.std = float(strength.mean()), float(strength.std())
        self.y = torch.from_numpy((strength - self.mean) / self.std)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class LogCoshLoss(nn.Module):
    """Smooth between squared and absolute error."""

    def forward(self, pred, target):
        e = pred - target
        return torch.mean(e.abs() + nn.functional.softplus(-2 * e.abs()) - np.log(2.0))


data = ConcreteDataset(*simulate_mixes(2400))
train_set, test_set = random_split(data, [2000, 400], generator=torch.Generator().manual_seed(SEED))
train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = DataLoader(test_set, batch_size=200)

net = nn.Sequential(
    nn.Linear(8, 64),
    nn.SiLU(),
    nn.Linear(64, 64),
    nn.SiLU(),
    nn.Linear(64, 1),
)
criterion = LogCoshLoss()
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)

for epoch in range(1, 41):
    net.train()
    losses = []
    for xb, yb in train_loader:
        optimizer.zero_grad()
        out = net(xb)
        loss = criterion(out, yb)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if epoch % 5 == 0:
        net.eval()
        preds, truth = [], []
        with torch.no_grad():
            for xb, yb in test_loader:
                preds.append(net(xb).flatten())
                truth.append(yb)
        preds, truth = torch.cat(preds), torch.cat(truth)
        r2 = 1 - ((preds - truth) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()
        mae = (preds - truth).abs().mean() * data.std
        print(f"epoch {epoch:3d} | loss {np.mean(losses):.4f} | test MAE {mae:.2f} MPa | test R2 {r2:.3f}")
