"""Charge counter: accumulate signed pulses over a window with a vanilla RNN."""
import argparse
import math

import torch
import yaml
from torch import nn


def pulses(n, steps, generator):
    value = torch.rand(n, steps, generator=generator) * 2 - 1
    gate = (torch.rand(n, steps, generator=generator) < 0.2).float()
    total = (value * gate).sum(1)
    return torch.stack([value, gate], dim=2), total


class Counter(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.RNN(2, hidden, nonlinearity="relu", batch_first=True)
        self.readout = nn.Linear(hidden, 1)
        nn.init.eye_(self.rnn.weight_hh_l0)
        nn.init.normal_(self.rnn.weight_ih_l0, std=0.1)
        nn.init.zeros_(self.rnn.bias_ih_l0)
        nn.init.zeros_(self.rnn.bias_hh_l0)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.readout(h[0]).squeeze(-1)


def part(model, name):
    return model.parameters() if name == "all" else getattr(model, name).parameters()


def rmse(model, x, y):
    model.eval()
    with torch.no_grad():
        return math.sqrt((model(x) - y).pow(2).mean().item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="counter.yaml")
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    with open(args.config) as f:
        cfg = yaml.safe_load(f)

    g = torch.Generator().manual_seed(cfg["data"]["seed"])
    x, y = pulses(cfg["data"]["train"], cfg["data"]["steps"], g)
    xv, yv = pulses(cfg["data"]["valid"], cfg["data"]["steps"], g)

    torch.manual_seed(args.seed)
    model = Counter(cfg["model"]["hidden"])
    tr, clip = cfg["train"], cfg["train"]["clip"]
    opt = torch.optim.SGD(model.parameters(), lr=tr["lr"], momentum=tr["momentum"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, tr["epochs"])
    mse = nn.MSELoss()
    for epoch in range(tr["epochs"]):
        model.train()
        seen = 0.0
        for b in torch.randperm(len(x)).split(tr["batch"]):
            loss = mse(model(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(part(model, clip["module"]), clip["max_norm"])
            opt.step()
            seen += loss.item() * len(b)
        sched.step()
        print(f"epoch {epoch + 1:2d} train mse {seen / len(x):.4f} valid rmse {rmse(model, xv, yv):.4f}")
    print(f"spread of the targets {yv.std().item():.4f}, final valid rmse {rmse(model, xv, yv):.4f}")


if __name__ == "__main__":
    main()
