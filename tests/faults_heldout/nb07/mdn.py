"""Mixture density network for a one-to-many inverse problem."""
import math

import numpy as np
import torch
from torch import nn

torch.manual_seed(4)
rng = np.random.default_rng(4)


def make_data(n):
    t = rng.uniform(0.0, 1.0, n)
    x = t + 0.3 * np.sin(2 * np.pi * t) + rng.normal(0, 0.02, n)
    return torch.tensor(x, dtype=torch.float32)[:, None], torch.tensor(t, dtype=torch.float32)[:, None]


class MDN(nn.Module):
    def __init__(self, components=6, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.logits = nn.Linear(hidden, components)
        self.mu = nn.Linear(hidden, components)
        self.log_sigma = nn.Linear(hidden, components)
        with torch.no_grad():
            self.mu.bias.copy_(torch.linspace(0.05, 0.95, components))
            self.log_sigma.bias.fill_(-1.0)

    def forward(self, x):
        h = self.trunk(2.0 * x - 1.0)
        return self.logits(h), self.mu(h), self.log_sigma(h).clamp(-5.0, 2.0)


def nll(params, y):
    logits, mu, log_sigma = params
    z = (y - mu) * torch.exp(-log_sigma)
    log_prob = -0.5 * z * z - log_sigma - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(torch.log_softmax(logits, -1) + log_prob, dim=-1).mean()


x_train, y_train = make_data(4000)
x_test, y_test = make_data(1000)
model = MDN()
epochs, bs = 40, 200
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)

for epoch in range(1, epochs + 1):
    model.train()
    losses = []
    for idx in torch.randperm(len(x_train)).split(bs):
        loss = nll(model(x_train[idx]), y_train[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        losses.append(loss.item())
    sched.step()
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad():
            test = nll(model(x_test), y_test).item()
        print(f"epoch {epoch:3d}  train nll {np.mean(losses):+.3f}  test nll {test:+.3f}")
