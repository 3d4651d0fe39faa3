"""Online identification of a nonlinear tank process.

Several plants run in parallel; the recurrent observer is trained with truncated
back-propagation over consecutive 25-step segments and keeps its state from one
segment to the next until the plant is restarted.
"""
import math

import torch
from torch import nn

SEGMENT = 25
EPISODE = 500
PLANTS = 16


def simulate(n, steps, gen):
    """Pump voltage -> level of the lower tank (Euler, two coupled tanks)."""
    u = torch.zeros(n, steps)
    level = torch.rand(n, generator=gen)
    for t in range(steps):
        if t % 20 == 0:
            level = torch.rand(n, generator=gen)
        u[:, t] = level
    h1, h2 = torch.zeros(n), torch.zeros(n)
    y = torch.zeros(n, steps)
    for t in range(steps):
        q1, q2 = 0.12 * h1.sqrt(), 0.10 * h2.sqrt()
        h1 = (h1 + 0.16 * u[:, t] - q1).clamp(min=0)
        h2 = (h2 + q1 - q2).clamp(min=0)
        y[:, t] = h2 + 0.01 * torch.randn(n, generator=gen)
    return u, y


class Observer(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.read = nn.Linear(hidden, 1)
        self.hidden = hidden

    def start(self, n):
        return torch.zeros(n, self.hidden)

    def forward(self, u, h):
        out = []
        for t in range(u.shape[1]):
            h = self.cell(u[:, t:t + 1], h)
            out.append(self.read(h))
        return torch.cat(out, 1), h


def free_run(model, u, y):
    model.eval()
    with torch.no_grad():
        pred, _ = model(u, model.start(len(u)))
    model.train()
    resid = pred - y
    return 100 * (1 - resid.norm(dim=1) / (y - y.mean(1, keepdim=True)).norm(dim=1)).mean().item()


def main():
    gen = torch.Generator().manual_seed(12)
    torch.manual_seed(12)
    scale_u = lambda v: (v - 0.5) / math.sqrt(1 / 12)
    val_u, val_y = simulate(12, EPISODE, gen)
    model = Observer()
    opt = torch.optim.RMSprop(model.parameters(), lr=3e-3, alpha=0.98)
    mean_y = std_y = None
    for episode in range(14):
        u, y = simulate(PLANTS, EPISODE, gen)
        if mean_y is None:
            mean_y, std_y = y.mean(), y.std()
        u, y = scale_u(u), (y - mean_y) / std_y
        h = model.start(PLANTS)
        total = 0.0
        for a in range(0, EPISODE, SEGMENT):
            pred, h = model(u[:, a:a + SEGMENT], h)
            loss = nn.functional.mse_loss(pred, y[:, a:a + SEGMENT])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            h = h.detach()
            total += loss.item()
        if episode == 9:
            for g in opt.param_groups:
                g["lr"] *= 0.2
        fit = free_run(model, scale_u(val_u), (val_y - mean_y) / std_y)
        print(f"episode {episode:2d}  mse {total / (EPISODE // SEGMENT):.4f}  free-run fit {fit:.1f} %")


if __name__ == "__main__":
    main()
