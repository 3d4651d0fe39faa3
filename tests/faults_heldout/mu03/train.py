# Counting seeds in tray photographs through density maps.
import numpy as np
import torch
from torch import nn

SEED = 21
SIZE = 48
SIGMA = 1.5
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def make_tray():
    n = rng.integers(2, 26)
    pts = rng.uniform(3, SIZE - 3, (n, 2))
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    img = rng.normal(0, 0.08, (SIZE, SIZE)) + 0.1 * rng.uniform() * yy / SIZE
    dens = np.zeros((SIZE, SIZE))
    for cy, cx in pts:
        d2 = (yy - cy) ** 2 + (xx - cx) ** 2
        r = rng.uniform(1.2, 1.9)
        img = np.maximum(img, np.exp(-d2 / (2 * r * r)) * rng.uniform(0.6, 1.0))
        g = np.exp(-d2 / (2 * SIGMA ** 2))
        dens += g / g.sum()
    return img, dens, n


def make_set(n):
    items = [make_tray() for _ in range(n)]
    x = torch.tensor(np.stack([i[0] for i in items]), dtype=torch.float32)[:, None]
    d = torch.tensor(np.stack([i[1] for i in items]), dtype=torch.float32)[:, None]
    c = torch.tensor([i[2] for i in items], dtype=torch.float32)
    return x, d, c


x_tr, d_tr, c_tr = make_set(400)
x_va, d_va, c_va = make_set(100)
mean, std = x_tr.mean(), x_tr.std()
x_tr, x_va = (x_tr - mean) / std, (x_va - mean) / std

# density is predicted in units of 1/100 seed per pixel
SCALE = 100.0

net = nn.Sequential(
    nn.Conv2d(1, 12, 5, padding=2), nn.ReLU(),
    nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(),
    nn.Conv2d(12, 12, 3, padding=2, dilation=2), nn.ReLU(),
    nn.Conv2d(12, 1, 1),
)
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.4)
BATCH = 20

base = (c_va - c_tr.mean()).abs().mean().item()
print(f"baseline MAE (mean count): {base:.2f}")
for epoch in range(12):
    net.train()
    perm = torch.randperm(len(x_tr))
    total = 0.0
    for i in range(0, len(perm), BATCH):
        idx = perm[i:i + BATCH]
        pred = net(x_tr[idx])
        loss = (pred - SCALE * d_tr[idx]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()
    net.eval()
    with torch.no_grad():
        count = net(x_va).sum(dim=(1, 2, 3)) / SCALE
    mae = (count - c_va).abs().mean().item()
    print(f"[{epoch:02d}] mse {total / len(perm):.4f}  val count MAE {mae:.2f}")
