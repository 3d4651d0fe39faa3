"""One trunk, three tasks on pump measurements: operating mode, hours left, reconstruction of the readings."""
from dataclasses import dataclass, field
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Config:
    epochs: int = 30
    batch: int = 60
    lr: float = 1.5e-3
    weights: dict = field(default_factory=lambda: {"mode": 1.0, "hours": 0.5, "readings": 2.0})


class Trunk(nn.Module):
    def __init__(self, d, modes, width=96, code=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, width), nn.ELU(), nn.LayerNorm(width), nn.Linear(width, width), nn.ELU())
        self.code = nn.Linear(width, code)
        self.mode = nn.Sequential(nn.ELU(), nn.Linear(code, 32), nn.ELU(), nn.Linear(32, modes))
        self.hours = nn.Sequential(nn.ELU(), nn.Linear(code, 32), nn.ELU(), nn.Linear(32, 2))
        self.back = nn.Sequential(nn.ELU(), nn.Linear(code, width), nn.ELU(), nn.Linear(width, d))

    def forward(self, x):
        c = self.code(self.enc(x))
        return self.mode(c), self.hours(c), self.back(c)


def losses(outputs, x, mode, log_hours):
    logits, gauss, recon = outputs
    mean, log_var = gauss.unbind(1)
    log_var = log_var.clamp(-6, 4)
    return {
        "mode": F.cross_entropy(logits, mode),
        "hours": 0.5 * (log_var + (log_hours - mean) ** 2 / log_var.exp()).mean(),
        "readings": F.mse_loss(recon, x),
    }


def main(cfg=Config()):
    torch.manual_seed(13)
    z = np.load("pumps.npz")
    x = torch.tensor(z["x"].astype("float32"))
    mode = torch.tensor(z["mode"]).long()
    hours = torch.tensor(z["hours"]).clamp_min(1.0)
    perm = torch.randperm(len(x))
    x, mode, hours = x[perm], mode[perm], hours[perm]
    n = 1400
    x = (x - x[:n].mean(0)) / x[:n].std(0)
    lh = hours.log()
    m, s = lh[:n].mean(), lh[:n].std()
    lh = (lh - m) / s

    net = Trunk(x.shape[1], 4)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs, eta_min=cfg.lr / 20)
    for epoch in range(cfg.epochs):
        net.train()
        sums = dict.fromkeys(cfg.weights, 0.0)
        total = 0.0
        batches = torch.randperm(n).split(cfg.batch)
        for idx in batches:
            parts = losses(net(x[idx]), x[idx], mode[idx], lh[idx])
            loss = sum(cfg.weights[k] * v for k, v in parts.items())
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            for k, v in parts.items():
                sums[k] += v.item()
        sched.step()
        if epoch % 3 == 2:
            net.eval()
            with torch.no_grad():
                out = net(x[n:])
                parts = losses(out, x[n:], mode[n:], lh[n:])
                acc = (out[0].argmax(1) == mode[n:]).float().mean().item()
                off = ((out[1][:, 0] * s + m).exp() - hours[n:]).abs().median().item()
            print(f"epoch {epoch + 1} total {total / len(batches):+.3f} train "
                  + " ".join(f"{k} {v / len(batches):+.3f}" for k, v in sums.items())
                  + " | test " + " ".join(f"{k} {v.item():+.3f}" for k, v in parts.items())
                  + f" | accuracy {acc:.3f}, hours off by {off:.0f} (median of all {hours[n:].median():.0f})")


if __name__ == "__main__":
    main()
