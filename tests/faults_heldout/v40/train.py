"""Claim counts with exposure, Poisson likelihood, one policy at a time as in the streaming job."""
import numpy as np
import torch
from torch import nn


def policies(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype(np.float32)
    exposure = rng.uniform(0.2, 2.0, n).astype(np.float32)
    rate = np.exp(0.1 + 0.5 * x[:, 0] - 0.4 * x[:, 1] + 0.5 * np.sin(2 * x[:, 2]) + 0.2 * x[:, 3])
    claims = rng.poisson(rate * exposure).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(exposure), torch.from_numpy(claims), torch.from_numpy((rate * exposure).astype(np.float32))


class RateModel(nn.Module):
    def __init__(self, n_in=5, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, x, exposure):
        return self.net(x).squeeze(-1) + exposure.log()      # log of the expected count


def deviance(log_mu, y):
    mu = log_mu.exp()
    return 2 * (torch.xlogy(y, y / mu) - (y - mu)).mean()


def main():
    torch.manual_seed(0)
    x, e, y, _ = policies(4000, 1)
    xv, ev, yv, mu_true = policies(2000, 2)
    model = RateModel()
    criterion = nn.PoissonNLLLoss(log_input=True)
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    epochs = 6
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=epochs * len(y))
    floor = deviance(mu_true.log(), yv).item()
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for i in torch.randperm(len(y)).tolist():
            loss = criterion(model(x[i:i + 1], e[i:i + 1]), y[i:i + 1])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            dev = deviance(model(xv, ev), yv).item()
            null = deviance((y.sum() / e.sum()).log() + ev.log(), yv).item()
        print(f"epoch {epoch} mean loss {total / len(y):+.4f} val deviance {dev:.4f} (constant rate {null:.4f}, true rates {floor:.4f})")


if __name__ == "__main__":
    main()
