import torch
from torch import nn, distributions as D

torch.manual_seed(31)


def sensor(n):
    t = torch.arange(n) * 0.05
    vol = 0.02 + 0.05 * (torch.sin(0.3 * t) > 0.4).float()
    clean = 0.6 * torch.sin(t) + 0.3 * torch.sin(2.3 * t + 0.5)
    return clean + vol * torch.randn(n)


class DensityForecaster(nn.Module):
    """predicts mean and spread of the next reading"""

    def __init__(self, lags=32, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(lags, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.mean = nn.Linear(width, 1)
        self.scale = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return D.Normal(self.mean(h), nn.functional.softplus(self.scale(h)) + 1e-3)


LAGS = 32
s = sensor(8000)
win = s.unfold(0, LAGS + 1, 1)
train, hold = win[:6000], win[6000 + LAGS:]
net = DensityForecaster(LAGS)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=10)

for epoch in range(10):
    net.train()
    acc = 0.0
    for rows in train[torch.randperm(len(train))].split(80):
        nll = -net(rows[:, :-1]).log_prob(rows[:, -1:]).mean()
        opt.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        acc += nll.item() * len(rows)
    sched.step()
    net.eval()
    with torch.no_grad():
        dist = net(hold[:, :-1])
        target = hold[:, -1:]
        v = -dist.log_prob(target).mean().item()
        rmse = (dist.mean - target).pow(2).mean().sqrt().item()
        cover = ((target - dist.mean).abs() < 1.645 * dist.stddev).float().mean().item()
    print(f"epoch {epoch} nll {acc / len(train):+.3f} holdout {v:+.3f} rmse {rmse:.4f} cover90 {cover:.3f}")
