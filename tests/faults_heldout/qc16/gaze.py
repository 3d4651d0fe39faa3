import math

import numpy as np
import torch
from torch import nn


class GazeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(24, 96), nn.SiLU(), nn.Linear(96, 96), nn.SiLU(), nn.Linear(96, 3))

    def forward(self, pts):
        return nn.functional.normalize(self.body(pts), dim=1)


def angle(a, b):
    cos = (a * b).sum(1).clamp(-1.0, 1.0)
    return torch.acos(cos)


def batches(n, size):
    return torch.randperm(n).split(size)


if __name__ == "__main__":
    torch.manual_seed(19)
    z = np.load("landmarks.npz")
    pts, gaze = torch.from_numpy(z["points"]), torch.from_numpy(z["gaze"])
    n = 2000
    pts = (pts - pts[:n].mean(0)) / pts[:n].std(0)
    gaze = nn.functional.normalize(gaze, dim=1)
    net = GazeNet()
    epochs = 40
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        net.train()
        run = 0.0
        for i in batches(n, 50):
            loss = angle(net(pts[i]), gaze[i]).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(i)
        sched.step()
        net.eval()
        with torch.no_grad():
            deg = math.degrees(angle(net(pts[n:]), gaze[n:]).mean().item())
        print(f"epoch {epoch + 1:2d} | train {math.degrees(run / n):.3f} deg | test {deg:.3f} deg")
