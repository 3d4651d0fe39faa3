import copy
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    seed: int
    steps: int
    batch: int
    lr: float
    ema_decay: float
    emb: int = 8


class CountNet(nn.Module):
    """log-rate of rentals per station and hour."""

    def __init__(self, n_station, emb):
        super().__init__()
        self.station = nn.Embedding(n_station, emb)
        self.hour = nn.Embedding(24, emb)
        self.net = nn.Sequential(nn.Linear(2 * emb + 3, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, cat, num):
        return self.net(torch.cat([self.station(cat[:, 0]), self.hour(cat[:, 1]), num], 1)).squeeze(1)


class Shadow:
    def __init__(self, net, decay):
        self.net, self.decay = copy.deepcopy(net).eval(), decay
        for p in self.net.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def follow(self, net):
        for s, p in zip(self.net.parameters(), net.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)


def deviance(log_rate, y):
    d = torch.xlogy(y, y) - y * log_rate - (y - log_rate.exp())
    return 2 * d.mean().item()


def main():
    here = Path(__file__).parent
    s = Settings(**json.loads((here / "settings.json").read_text()))
    torch.manual_seed(s.seed)
    t = np.genfromtxt(here / "rentals.csv", delimiter=",", names=True)
    order = np.random.default_rng(1).permutation(len(t))
    t = t[order]
    cat = torch.tensor(np.stack([t["station"], t["hour"]], 1)).long()
    num = torch.tensor(np.stack([(t["temp"] - 12) / 8, t["rain"], t["workday"]], 1), dtype=torch.float32)
    y = torch.tensor(t["count"], dtype=torch.float32)
    k = int(0.8 * len(y))
    net = CountNet(int(cat[:, 0].max()) + 1, s.emb)
    shadow = Shadow(net, s.ema_decay)
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s.steps)
    loss_fn = nn.PoissonNLLLoss(log_input=True)
    null = deviance(y[:k].mean().log().expand(len(y) - k), y[k:])
    print(f"{len(y)} rows, null deviance {null:.3f}")
    acc = 0.0
    for step in range(1, s.steps + 1):
        i = torch.randint(k, (s.batch,))
        loss = loss_fn(net(cat[i], num[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        shadow.follow(net)
        acc += loss.item()
        if step % 100 == 0:
            with torch.no_grad():
                d = deviance(shadow.net(cat[k:], num[k:]), y[k:])
            print(f"step {step:5d} train nll {acc / 100:.4f} held-out deviance {d:.4f}")
            acc = 0.0
    torch.save(shadow.net.state_dict(), here / "rentals.pt")


if __name__ == "__main__":
    main()
