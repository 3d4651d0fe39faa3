# %% imports
import numpy as np
import torch
from pathlib import Path
from torch import nn

torch.manual_seed(13)

# %% data: three channels of a control valve, standardised
raw = np.loadtxt(Path(__file__).with_name("valve.csv"), delimiter=",", skiprows=1)
data = torch.tensor(raw, dtype=torch.float32)
data = data[torch.randperm(len(data))]
train, test = data[:3200], data[3200:]
mu, sd = train.mean(0), train.std(0)
train, test = (train - mu) / sd, (test - mu) / sd


# %% model
class Coupling(nn.Module):
    def __init__(self, dim, keep, hidden=48):
        super().__init__()
        mask = torch.zeros(dim)
        mask[keep] = 1.0
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        free = 1 - self.mask
        s = 2.5 * torch.tanh(s / 2.5) * free
        return x * torch.exp(s) + t * free, s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim, layers):
        super().__init__()
        self.steps = nn.ModuleList(Coupling(dim, [i % dim, (i + 1) % dim]) for i in range(layers))
        self.base = torch.distributions.Normal(0.0, 1.0)

    def log_prob(self, x):
        total = 0.0
        for step in self.steps:
            x, ld = step(x)
            total = total + ld
        return self.base.log_prob(x).sum(1) + total


flow = Flow(3, 6)
optimizer = torch.optim.Adam(flow.parameters(), lr=2.5e-3)
batches_per_epoch = len(train) // 128
schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=8 * batches_per_epoch, eta_min=1e-5)

# %% fit
for epoch in range(1, 25):
    flow.train()
    total = 0.0
    for idx in torch.randperm(len(train))[: batches_per_epoch * 128].split(128):
        nll = -flow.log_prob(train[idx]).mean()
        optimizer.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        total += nll.item()
    flow.eval()
    with torch.no_grad():
        held = -flow.log_prob(test).mean().item()
    print(f"epoch {epoch:2d}  nll {total / batches_per_epoch:+.3f}  test {held:+.3f}  lr {schedule.get_last_lr()[0]:.1e}")
