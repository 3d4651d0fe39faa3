import sys
import tomllib

import numpy as np
import torch
from torch import nn

from slim_adam import SlimAdam


class LoadNet(nn.Module):
    def __init__(self, history, horizon, width):
        super().__init__()
        self.local = nn.Sequential(
            nn.Conv1d(2, 16, 5, padding=2), nn.GELU(), nn.AvgPool1d(3),
            nn.Conv1d(16, 16, 5, padding=2), nn.GELU(), nn.AvgPool1d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(16 * (history // 6), width), nn.GELU(), nn.Linear(width, horizon),
        )

    def forward(self, x):
        last = x[:, 0, -1:]
        return last + self.head(self.local(x))


def main(path):
    with open(path, "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["run"]["seed"])
    H, K = cfg["data"]["history"], cfg["data"]["horizon"]
    raw = np.loadtxt(cfg["data"]["path"], delimiter=",", skiprows=1, dtype=np.float32)
    split = int(len(raw) * 0.8)
    mean, std = raw[:split].mean(0), raw[:split].std(0)
    series = torch.from_numpy((raw - mean) / std).t().contiguous()

    def fetch(starts):
        idx = starts[:, None] + torch.arange(H + K)
        block = series[:, idx].transpose(0, 1)
        return block[:, :, :H], block[:, 0, H:]

    o = cfg["optim"]
    net = LoadNet(H, K, cfg["model"]["width"])
    opt = SlimAdam(net.parameters(), lr=o["lr"], betas=o["betas"], eps=o["eps"],
                   weight_decay=o["weight_decay"], state_dtype=getattr(torch, o["state_dtype"]))
    crit = nn.SmoothL1Loss()
    test_x, test_y = fetch(torch.arange(split, len(raw) - H - K, 5))
    for step in range(1, cfg["run"]["steps"] + 1):
        x, y = fetch(torch.randint(0, split - H - K, (cfg["run"]["batch"],)))
        loss = crit(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            net.eval()
            with torch.no_grad():
                mae = (net(test_x) - test_y).abs().mean().item() * float(std[0])
            net.train()
            print(f"{step:5d} train {loss.item():.4f} test MAE {mae:.3f} MW")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "conf/base.toml")
