import math
import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

EPOCHS = 20
BATCH = 128
PEAK_LR = 5e-3
WARMUP = 100

torch.manual_seed(14)
data = np.loadtxt("ratings.csv", delimiter=",", skiprows=1)
data = data[np.random.RandomState(0).permutation(len(data))]
users = torch.tensor(data[:, 0], dtype=torch.long)
items = torch.tensor(data[:, 1], dtype=torch.long)
stars = torch.tensor(data[:, 2], dtype=torch.float32)
cut = int(0.85 * len(data))
center = stars[:cut].mean()


class Factors(nn.Module):
    def __init__(self, n_users, n_items, k=4):
        super().__init__()
        self.u = nn.Embedding(n_users, k)
        self.i = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.2)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.u(u) * self.i(i)).sum(-1)
        return dot + self.bu(u).squeeze(-1) + self.bi(i).squeeze(-1)


steps_per_epoch = math.ceil(cut / BATCH)
total_steps = EPOCHS * steps_per_epoch


def lr_at(step):
    """Linear warm-up, then cosine to a tenth of the peak."""
    if step < WARMUP:
        return PEAK_LR * (step + 1) / WARMUP
    t = (step - WARMUP) / (total_steps - WARMUP)
    return PEAK_LR * (0.1 + 0.45 * (1 + math.cos(math.pi * t)))


net = Factors(int(users.max()) + 1, int(items.max()) + 1)
opt = torch.optim.AdamW(net.parameters(), lr=PEAK_LR, weight_decay=0.02)
sched = LambdaLR(opt, lr_at)


def rmse(lo, hi):
    net.eval()
    with torch.no_grad():
        err = net(users[lo:hi], items[lo:hi]) + center - stars[lo:hi]
    return err.pow(2).mean().sqrt().item()


for epoch in range(1, EPOCHS + 1):
    net.train()
    for idx in torch.randperm(cut).split(BATCH):
        pred = net(users[idx], items[idx])
        loss = nn.functional.mse_loss(pred, stars[idx] - center)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch}: rmse train {rmse(0, cut):.4f} / held out {rmse(cut, len(data)):.4f}")
