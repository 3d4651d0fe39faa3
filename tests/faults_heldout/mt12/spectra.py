# Mineral class from Raman-like spectra with a wide two-layer network.
import time

import numpy as np
import torch
import torch.nn as nn

seed = 42
torch.manual_seed(seed)
rs = np.random.RandomState(seed)

CH, MINERALS, WIDTH = 160, 8, 1536
grid = np.arange(CH)
lines = [np.sort(rs.choice(np.arange(10, CH - 10), 5, replace=False)) for _ in range(MINERALS)]
heights = rs.uniform(0.5, 1.5, (MINERALS, 5))


def measure(n):
    y = rs.randint(0, MINERALS, n)
    x = np.zeros((n, CH))
    for k in range(n):
        shift = rs.randint(-2, 3)
        h = heights[y[k]] * rs.lognormal(0, 0.3, 5)
        width = rs.uniform(1.5, 3.0)
        x[k] = (h[:, None] * np.exp(-0.5 * ((grid - lines[y[k]][:, None] - shift) / width) ** 2)).sum(0)
        x[k] += rs.uniform(0, 0.8) * np.exp(-grid / rs.uniform(40, 160))
    x += rs.normal(0, 0.4, x.shape)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


xtr, ytr = measure(4000)
xte, yte = measure(1500)
m, s = xtr.mean(0), xtr.std(0)
xtr, xte = (xtr - m) / s, (xte - m) / s

model = nn.Sequential(nn.Linear(CH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, MINERALS))
print(sum(p.numel() for p in model.parameters()), "parameters")

opt = torch.optim.Adam(model.parameters(), lr=3e-5)
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
t0 = time.time()
step = 0
for epoch in range(5):
    perm = torch.randperm(len(ytr))
    for i in range(0, len(perm), 80):
        idx = perm[i:i + 80]
        loss = loss_fn(model(xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        if step % 20 == 0:
            with torch.no_grad():
                out = model(xte)
            print(f"step {step} loss {loss.item():.4f} test loss {loss_fn(out, yte).item():.4f} "
                  f"test acc {(out.argmax(1) == yte).float().mean().item():.4f} ({time.time() - t0:.0f}s)")
