"""Denoising autoencoder for pulse recordings of an inductive sensor (64 samples each)."""
import sys

import numpy as np
import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 13)

LENGTH, CODE, NOISE = 64, 8, 0.15
EPOCHS, BATCH = 100, 40


def load(path):
    z = np.load(path)
    pulses = z["pulses"].astype(np.float32) / 100.0
    good = np.isfinite(pulses).all(1) & (z["quality"] > 0)
    return torch.tensor(pulses[good])


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(LENGTH, 96), nn.GELU(), nn.Linear(96, 48), nn.GELU(), nn.Linear(48, CODE))
        self.decoder = nn.Sequential(nn.Linear(CODE, 48), nn.GELU(), nn.Linear(48, 96), nn.GELU(), nn.Linear(96, LENGTH))

    def forward(self, x):
        return self.decoder(self.encoder(x))


x = load("pulses.npz")
x = x[torch.randperm(len(x))]
n_val, n_test = 120, 120
val, test, train = x[:n_val], x[n_val:n_val + n_test], x[n_val + n_test:]
mean, std = train.mean(), train.std()
train, val, test = ((t - mean) / std for t in (train, val, test))

net = AutoEncoder()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, total_steps=EPOCHS * (len(train) // BATCH), pct_start=0.15)
mse = nn.MSELoss()


def validate(part):
    net.eval()
    with torch.no_grad():
        return mse(net(part), part).item()


best, state = float("inf"), None
for epoch in range(EPOCHS):
    net.train()
    order = torch.randperm(len(train))
    total, steps = 0.0, len(train) // BATCH
    for k in range(steps):
        clean = train[order[k * BATCH:(k + 1) * BATCH]]
        noisy = clean + NOISE * torch.randn_like(clean)
        loss = mse(net(noisy), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item()
    v = validate(val)
    if v < best:
        best, state = v, {k: p.clone() for k, p in net.state_dict().items()}
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1}: denoising loss {total / steps:.4f}, reconstruction train {validate(train):.4f} val {v:.4f}")

net.load_state_dict(state)
err = validate(test)
print(f"test reconstruction mse {err:.4f}, explained variance {1 - err / test.var().item():.4f}")
