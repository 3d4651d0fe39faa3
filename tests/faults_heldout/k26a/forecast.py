"""One-step-ahead demand forecast with a GRU over 48 half-hours."""
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent
CFG = tomllib.loads((HERE / "run.toml").read_text())


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, w):
        h, _ = self.gru(w.unsqueeze(-1))
        return w[:, -1] + self.head(h[:, -1]).squeeze(-1)


def windows(series, length):
    view = np.lib.stride_tricks.sliding_window_view(series, length + 1)
    t = torch.tensor(view.copy(), dtype=torch.float32)
    return t[:, :-1], t[:, -1]


def main():
    torch.manual_seed(CFG["seed"])
    series = np.loadtxt(HERE / "demand.csv", skiprows=1)
    cut = int(len(series) * 0.8)
    mu, sd = series[:cut].mean(), series[:cut].std()
    series = (series - mu) / sd
    n = CFG["data"]["window"]
    xtr, ytr = windows(series[:cut], n)
    xva, yva = windows(series[cut:], n)
    naive = (xva[:, -1] - yva).abs().mean().item() * sd
    model = Forecaster(CFG["model"]["hidden"])
    o, s = CFG["optimizer"], CFG["schedule"]
    opt = torch.optim.Adam(model.parameters(), lr=o["lr"])
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=s["step_size"], gamma=s["gamma"])
    for epoch in range(CFG["epochs"]):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(xtr)).split(CFG["data"]["batch"]):
            loss = nn.functional.mse_loss(model(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), o["clip"])
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            p = model(xva)
        print(f"epoch {epoch + 1:2d}: train mse {total / len(xtr):.4f}, val mse {nn.functional.mse_loss(p, yva):.4f}, val mae {(p - yva).abs().mean() * sd:.2f} MW (persistence {naive:.2f})")


if __name__ == "__main__":
    main()
