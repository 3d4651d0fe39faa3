"""Simulation model of a tank: valve position in, level out. One long recording, replayed chunk by chunk."""
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

CHUNK = 60
EPOCHS = 14
WASHOUT = 200

torch.manual_seed(2)
table = np.loadtxt(Path(__file__).parent / "tank.csv", delimiter=",", skiprows=1, dtype=np.float32)
split = int(0.75 * len(table))
mu, sd = table[:split].mean(0), table[:split].std(0)
z = torch.from_numpy((table - mu) / sd)
train_u, train_y = z[:split, :1], z[:split, 1]
test_u, test_y = z[split:, :1], z[split:, 1]


class TankModel(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTM(1, hidden)
        self.read = nn.Linear(hidden, 1)
        with torch.no_grad():
            h = hidden
            self.cell.bias_ih_l0[h:2 * h].uniform_(1.0, 4.0)

    def forward(self, u, state=None):
        out, state = self.cell(u.unsqueeze(1), state)
        return self.read(out).squeeze(), state


def fit_percent(model):
    """100 * (1 - NRMSE) of a free simulation over the test recording."""
    model.eval()
    with torch.no_grad():
        sim, _ = model(test_u)
    err = (sim - test_y)[WASHOUT:]
    ref = test_y[WASHOUT:]
    return 100 * (1 - (err.norm() / (ref - ref.mean()).norm()).item())


model = TankModel()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.8)

for epoch in range(1, EPOCHS + 1):
    model.train()
    state, total, chunks = None, 0.0, 0
    for t in range(0, split - CHUNK + 1, CHUNK):
        if state is not None:
            state = tuple(s.detach() for s in state)
        pred, state = model(train_u[t:t + CHUNK], state)
        if t < WASHOUT:
            continue
        loss = (pred - train_y[t:t + CHUNK]).square().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += loss.item()
        chunks += 1
    sched.step()
    sys.stdout.write(f"pass {epoch:2d}  mse {total / chunks:.5f}  test fit {fit_percent(model):.2f}%\n")

print(f"residual on test: {sd[1] * (1 - fit_percent(model) / 100) * test_y[WASHOUT:].std().item():.3f} cm (sensor noise 0.24 cm)")
