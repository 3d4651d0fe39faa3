import csv
import logging
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("ensemble")
HERE = Path(__file__).resolve().parent


@dataclass
class Config:
    members: int = 5
    hidden: int = 48
    epochs: int = 45
    batch_size: int = 64
    lr: float = 3e-3
    weight_decay: float = 1e-4
    warm_mse_epochs: int = 5
    seed: int = 2024


def read_csv(path):
    with open(path, newline="") as fh:
        rows = list(csv.reader(fh))
    return rows[0], np.array(rows[1:], dtype=np.float64)


class GaussianMLP(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, 1)
        self.log_var = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(1), self.log_var(h).squeeze(1).clamp(-7, 3)


def nll(mean, log_var, y):
    return 0.5 * (log_var + (y - mean) ** 2 * torch.exp(-log_var)).mean()


def train_member(k, cfg, xtr, ytr, xva, yva):
    torch.manual_seed(cfg.seed + k)
    model = GaussianMLP(xtr.shape[1], cfg.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg.epochs)
    for epoch in range(cfg.epochs):
        model.train()
        for idx in torch.randperm(len(xtr)).split(cfg.batch_size):
            mean, log_var = model(xtr[idx])
            if epoch < cfg.warm_mse_epochs:
                # fit the mean first; the variance head joins afterwards
                loss = ((mean - ytr[idx]) ** 2).mean()
            else:
                loss = nll(mean, log_var, ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        if (epoch + 1) % 15 == 0:
            model.eval()
            with torch.no_grad():
                log.info("member %d epoch %2d  train nll %.3f  val nll %.3f", k, epoch + 1,
                         nll(*model(xtr), ytr).item(), nll(*model(xva), yva).item())
    return model.eval()


def main():
    cfg = Config()
    header, table = read_csv(HERE / "plant.csv")
    perm = np.random.default_rng(cfg.seed).permutation(len(table))
    tr, va, te = np.split(perm, [1800, 2200])
    mu, sd = table[tr].mean(0), table[tr].std(0)
    z = torch.tensor((table - mu) / sd, dtype=torch.float32)
    x, y = z[:, :-1], z[:, -1]

    models = [train_member(k, cfg, x[tr], y[tr], x[va], y[va]) for k in range(cfg.members)]

    with torch.no_grad():
        outs = [m(x[te]) for m in models]
    means = torch.stack([o[0] for o in outs])
    variances = torch.stack([o[1].exp() for o in outs])
    mean = means.mean(0)
    var = variances.mean(0) + means.var(0, unbiased=False)

    unit = header[-1].split("_")[-1]
    scale = float(sd[-1])
    err = (mean - y[te]) * scale
    std = var.sqrt() * scale
    inside = (err.abs() < 1.645 * std).float().mean().item()
    single = [((m - y[te]).square().mean().sqrt() * scale).item() for m in means]
    log.info("single members: RMSE %s %s", " ".join(f"{s:.2f}" for s in single), unit)
    log.info("ensemble: RMSE %.2f %s  MAE %.2f %s  (spread of the target %.1f %s)", err.square().mean().sqrt(), unit,
             err.abs().mean(), unit, scale, unit)
    log.info("90%% interval: coverage %.3f, mean half width %.2f %s", inside, 1.645 * std.mean(), unit)


if __name__ == "__main__":
    main()
