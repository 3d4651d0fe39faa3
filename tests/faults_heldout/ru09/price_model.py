"""Flat prices: embeddings for the zone, standardised numerics, log price as the target."""
import csv

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
NUMERIC = ["sqm", "rooms", "floor", "lift", "age", "km_centre", "condition"]


def read(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    num[:, 0] = np.log(num[:, 0])
    zone = np.array([int(r["zone"][1:]) for r in rows])
    price = np.log(np.array([float(r["price"]) for r in rows], dtype=np.float32))
    return num, zone, price


class PriceNet(nn.Module):
    def __init__(self, n_zones, n_num):
        super().__init__()
        self.zone = nn.Embedding(n_zones, 4)
        self.net = nn.Sequential(
            nn.Linear(n_num + 4, 48), nn.SiLU(),
            nn.Linear(48, 48), nn.SiLU(),
            nn.Linear(48, 1),
        )

    def forward(self, num, zone):
        return self.net(torch.cat([num, self.zone(zone)], dim=1)).squeeze(1)


num, zone, price = read("flats.csv")
perm = np.random.default_rng(0).permutation(len(price))
train, val, test = np.split(perm, [int(0.7 * len(perm)), int(0.85 * len(perm))])
mu, sd = num[train].mean(0), num[train].std(0)
t_mu, t_sd = price[train].mean(), price[train].std()


def tensors(idx):
    return (torch.tensor((num[idx] - mu) / sd), torch.tensor(zone[idx]), torch.tensor((price[idx] - t_mu) / t_sd))


loader = DataLoader(TensorDataset(*tensors(train)), batch_size=64, shuffle=True)
val_t, test_t = tensors(val), tensors(test)

EPOCHS = 16
model = PriceNet(8, len(NUMERIC))
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * len(loader))
loss_fn = nn.MSELoss()


@torch.no_grad()
def score(parts):
    model.eval()
    n, z, y = parts
    return loss_fn(model(n, z), y).item()


best, best_state = float("inf"), None
for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for n, z, y in loader:
        loss = loss_fn(model(n, z), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(y)
    v = score(val_t)
    if v < best:
        best, best_state = v, {k: t.clone() for k, t in model.state_dict().items()}
    print(f"epoch {epoch:2d}  train {total / len(train):.4f}  val {v:.4f}")

model.load_state_dict(best_state)
mse = score(test_t)
print(f"test mse {mse:.4f}  R2 {1 - mse / test_t[2].var().item():.3f}  typical error {100 * np.sqrt(mse) * t_sd:.1f}%")
